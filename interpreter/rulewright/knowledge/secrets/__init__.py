"""The flow of secrets: values, moves and lines that depend on what not all players see."""
