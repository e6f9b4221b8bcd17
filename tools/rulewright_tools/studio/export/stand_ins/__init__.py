"""Modules in Python that stand, in an export, for libraries which are no Python: a browser does not have these."""
