"""Two games beside each other: what they hold, which declarations correspond, where they first part."""
