"""Functions for parts of maps that change: areas, growing maps."""
