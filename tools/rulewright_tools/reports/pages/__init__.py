"""HTML pages: one module for each kind of report."""
