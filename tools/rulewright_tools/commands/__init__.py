"""The commands of ``rulewright``, one module each."""
