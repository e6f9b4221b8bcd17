"""From a game that went wrong to a short scenario that repeats it."""
