"""Expressions about sets: made, filtered, counted, without building them where that is possible."""
