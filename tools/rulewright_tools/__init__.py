"""The command ``rulewright`` and its parts: one module for each tool, all of them through the façade."""
