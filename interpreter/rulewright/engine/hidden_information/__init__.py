"""Views, memory and determinization: what a player may know, and worlds that agree with it."""
