"""Modules as the browser's Python has compiled them, when the page was built: to compile them there takes seconds.

A module is known by the hash of its source; one that has changed since, or a library of another version, is compiled in
the browser. The source of kernels stays beside their code, as machine code is made of it.
"""

from __future__ import annotations

import hashlib
import zipfile
from pathlib import Path

BYTECODE = "bytecode.zip"
"""The file in the folder of the page, see tools/studio/scripts/bytecode.mjs."""

KERNELS = "/engine/kernels/"


def compiled_modules(folder: Path, sources: dict[str, bytes]) -> dict[str, bytes]:
    """The given files, with the code of modules in the place of their source where it is there."""
    if not (folder / BYTECODE).is_file():
        return sources
    with zipfile.ZipFile(folder / BYTECODE) as packed:
        known = set(packed.namelist())
        made = {}
        for name, content in sources.items():
            code = f"{hashlib.sha256(content).hexdigest()}.pyc"
            if name.endswith(".py") and code in known:
                made[f"{name}c"] = packed.read(code)
            if f"{name}c" not in made or KERNELS in name:
                made[name] = content
    return made
