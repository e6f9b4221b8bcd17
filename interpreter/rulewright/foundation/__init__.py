"""Ground floor, which imports nothing of the rest: paths, limits, versions, small classes, memory of facts."""
