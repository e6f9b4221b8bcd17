"""From parse trees to the typed syntax tree."""
