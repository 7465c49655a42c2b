"""The star over HTTP: only the coordinator has an address, nodes are its clients."""
