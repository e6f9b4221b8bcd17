"""The machine outside: files, caches on disk, processes, budgets of steps and time, arguments of callers."""
