"""The built-in applications, each with its true model."""
