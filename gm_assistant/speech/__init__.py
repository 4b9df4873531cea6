"""The edge: the only place that touches audio packages."""
