"""From the syntax tree back to canonical text."""
