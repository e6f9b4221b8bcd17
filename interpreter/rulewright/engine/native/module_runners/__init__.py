"""Runners of WebAssembly modules: wasmtime, and the browser that this Python itself runs in."""
