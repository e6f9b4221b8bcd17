"""What a save says, and whether a save can be true."""
