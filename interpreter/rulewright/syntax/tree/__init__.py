"""The nodes of the syntax tree, by what they are; :mod:`rulewright.syntax.ast` has them all."""
