"""Reports of the commands, for terminals, pages and discussions."""
