"""The reference engine: programs are evaluated as closures, one for each expression and instruction."""
