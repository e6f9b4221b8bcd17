"""Answers to questions about rules: what stands somewhere, and where else."""
