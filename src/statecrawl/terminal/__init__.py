"""What people see on a terminal: output on standard output, progress on standard error."""
