"""From tokens to parse trees: LALR tables, recovery behind a mistake, and syntax errors in words."""
