"""Where cursors run: in this process with real tabs, later on many machines."""
