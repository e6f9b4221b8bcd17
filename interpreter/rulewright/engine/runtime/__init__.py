"""The machine that takes cells and stack from one decision to the next, and what a decision offers and refuses."""
