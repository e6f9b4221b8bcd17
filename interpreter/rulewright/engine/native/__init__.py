"""The backend that plays programs as WebAssembly: what it cannot compile is played by the Python one."""
