"""Programs in pickles: as their JSON, compressed, under its digest.

A process keeps the last few programs it has sent or received. So all states of one game that come to it, one after the
other, belong to one program, which is read and compiled once. A pickle of many states carries the program once.
"""

from __future__ import annotations

import json
import zlib
from hashlib import blake2b

from rulewright.ir.codec import from_json, to_json
from rulewright.ir.model import Program
from rulewright.ir.walk import deep_recursion

KEPT = 16
"""Programs that a process knows by their digests."""

_known: dict[str, tuple[Program, bytes]] = {}


def packed(program: Program) -> tuple[str, bytes]:
    """The digest of a program's JSON, and the bytes from which it can be made again."""
    for digest, (known, data) in _known.items():
        if known is program:
            return digest, data
    with deep_recursion():
        text = json.dumps(to_json(program), separators=(",", ":")).encode()
    digest, data = blake2b(text, digest_size=16).hexdigest(), zlib.compress(text)
    _keep(digest, program, data)
    return digest, data


def unpacked(digest: str, data: bytes) -> Program:
    """The program of a digest: the one that is known, or else that of the bytes."""
    if digest not in _known:
        with deep_recursion():
            _keep(digest, from_json(json.loads(zlib.decompress(data))), data)
    return _known[digest][0]


def _keep(digest: str, program: Program, data: bytes) -> None:
    while len(_known) >= KEPT:
        del _known[next(iter(_known))]
    _known[digest] = program, data
