"""Lint rules about what could be asked with less work: quiet until somebody asks for them."""
