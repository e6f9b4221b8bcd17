"""Functions that search: a tree of options and what has come of them grows behind the stack."""
