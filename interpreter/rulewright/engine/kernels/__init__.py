"""Kernels: search algorithms written once, run by CPython and translated to WebAssembly."""
