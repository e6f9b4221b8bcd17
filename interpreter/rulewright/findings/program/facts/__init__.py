"""Facts of a program that several analyses need: uses, bounds of numbers, truths, thresholds."""
