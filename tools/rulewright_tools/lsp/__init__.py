"""The language server: what editors ask about rulesets, answered over the Language Server Protocol."""
