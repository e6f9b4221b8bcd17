"""The files of rulesets that a page may read and write."""
