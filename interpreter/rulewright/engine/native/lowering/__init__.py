"""From expressions and instructions to WebAssembly."""
