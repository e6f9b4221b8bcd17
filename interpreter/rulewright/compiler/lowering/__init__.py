"""From typed syntax to expressions and instructions of a program."""
