"""Everything of a ruleset that is no rule: manifest, component tables, maps, rulebook index and rulings.

Each file a person edits is checked by a schema, and everything read from it knows where it stands.
"""
