"""Runs the pure rooms over applications whose true model is known."""
