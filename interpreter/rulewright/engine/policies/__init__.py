"""Players who are no people, and playouts."""
