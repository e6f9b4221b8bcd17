"""The language server of a page: what travels between the two, and by which names."""
