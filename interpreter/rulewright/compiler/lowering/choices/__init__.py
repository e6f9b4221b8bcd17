"""Lowering of questions: what is asked, what may be answered, and what becomes of interrupted ones."""
