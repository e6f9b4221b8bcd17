"""Pictures in the terminal."""
