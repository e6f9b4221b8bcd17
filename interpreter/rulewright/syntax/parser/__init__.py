"""From the text of a file to its syntax tree: recovery after a mistake, and syntax errors in words."""
