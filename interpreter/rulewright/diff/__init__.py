"""What two rulesets say differently, clause by clause."""
