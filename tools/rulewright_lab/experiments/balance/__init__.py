"""Parameters that are swept: which of them moves a measure, and values with which one is as it should be."""
