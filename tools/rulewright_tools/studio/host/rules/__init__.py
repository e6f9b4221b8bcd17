"""Methods about what rules say."""
