"""Kernels as WebAssembly: the layout of records, and the translation of functions."""
