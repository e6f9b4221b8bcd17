"""The contents of saves, and checks of their truth."""
