"""A game for those who play it: loading, playing, the model behind its pictures, plans of what is played."""
