"""The distributed protocols as message-driven state machines: the star and the ring."""
