"""What measures statecrawl. Prints figures; never asserts a time."""
