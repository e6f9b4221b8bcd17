"""Games played one answer after another, without keys and copies: for searches and learning."""
