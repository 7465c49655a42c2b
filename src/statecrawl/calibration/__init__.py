"""From pages that people labelled to thresholds: labelled sets, metrics, grids, searches, tasks."""
