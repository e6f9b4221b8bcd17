"""From tokens to parse trees: LALR tables, recovery after a mistake, and syntax errors in words."""
