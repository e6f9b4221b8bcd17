"""The symbol table: universes, kinds, maps, tables, fields and zones, each of known size and type."""
