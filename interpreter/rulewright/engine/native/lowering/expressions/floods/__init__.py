"""Writing floods: places that can be come to, and for whose sake."""
