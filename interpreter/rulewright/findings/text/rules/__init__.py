"""The lint rules, in a module for each subject; they are found by looking into these modules."""
