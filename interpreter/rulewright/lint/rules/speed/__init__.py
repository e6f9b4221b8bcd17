"""Lint rules about what could be evaluated with less work: quiet unless requested."""
