"""Lowering of questions: their questions, their answers, and what becomes of interrupted ones."""
