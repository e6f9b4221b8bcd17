"""Programs in pickles: as their JSON, compressed, under its digest.

A process keeps the last few programs it has sent or received. So all states of one game that come to it, one after the
other, belong to one program, which is read and compiled once. A pickle of many states carries the program once.
"""

from __future__ import annotations

import json
import zlib
from hashlib import blake2b
from threading import Lock

from rulewright.ir.codec import from_json, to_json
from rulewright.ir.model import Program
from rulewright.ir.walk import deep_recursion

KEPT = 16
"""Programs that a process knows by their digests."""

_known: dict[str, tuple[Program, bytes]] = {}
_looking = Lock()


def packed(program: Program) -> tuple[str, bytes]:
    """The digest of a program's JSON, and the bytes from which it can be made again."""
    with _looking:
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
    with _looking:
        if digest in _known:
            return _known[digest][0]
    with deep_recursion():
        return _keep(digest, from_json(json.loads(zlib.decompress(data))), data)


def _keep(digest: str, program: Program, data: bytes) -> Program:
    """Keep a program, unless another thread has kept one of this digest meanwhile; the one that is known now."""
    with _looking:
        if digest not in _known:
            while len(_known) >= KEPT:
                del _known[next(iter(_known))]
            _known[digest] = program, data
        return _known[digest][0]
