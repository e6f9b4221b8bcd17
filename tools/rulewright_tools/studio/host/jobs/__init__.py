"""Work that takes its time: commands that run beside the host, which does not know how."""
