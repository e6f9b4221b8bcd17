"""Changes of texts: formatting, fixes, refactorings, new names."""
