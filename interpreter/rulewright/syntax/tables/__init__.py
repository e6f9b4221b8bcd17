"""The tables that lark makes of the grammar, once, and texts and numbers in which they are kept."""
