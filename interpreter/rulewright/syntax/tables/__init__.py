"""The tables that lark makes of the grammar, once."""
