"""From tokens to parse trees: the machine that runs the LALR tables."""
