"""The symbol table: what names stand for, the types of expressions, constants."""
