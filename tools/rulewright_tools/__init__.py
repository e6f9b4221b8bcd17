"""The command ``rulewright`` and what stands behind it: one module a tool, all of them through the façade."""
