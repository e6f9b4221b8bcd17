"""An encoder for modules of WebAssembly; it knows nothing of games."""
