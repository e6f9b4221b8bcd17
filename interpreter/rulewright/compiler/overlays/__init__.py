"""The declarations of one game: collected by name, with player counts and variants laid over them."""
