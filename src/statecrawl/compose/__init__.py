"""The top: puts rooms together, and picks implementations by the names that users give."""
