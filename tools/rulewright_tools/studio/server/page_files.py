"""The files of the page: read once, and known by their addresses, so that no request ever names a path."""

from __future__ import annotations

import mimetypes
import re
from dataclasses import dataclass, replace
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "page"
"""The folder into which the page is built; see tools/studio."""

INDEX = "index.html"

GAME = "/game/"
"""Addresses of games begin with it; the page is the same for all of them."""

_TYPES = {".js": "text/javascript", ".css": "text/css", ".html": "text/html; charset=utf-8", ".svg": "image/svg+xml"}


@dataclass(frozen=True, slots=True)
class PageFile:
    """A file, as it is sent."""

    content: bytes
    type: str
    lasts: bool
    """True if its name contains a digest of its content, so that it never changes."""


def page_files(folder: Path = FOLDER) -> dict[str, PageFile]:
    """All files by their addresses; none if the page has not been built."""
    if not (folder / INDEX).is_file():
        return {}
    found = {f"/{path.relative_to(folder).as_posix()}": path for path in sorted(folder.rglob("*")) if path.is_file()}
    files = {
        address: PageFile(path.read_bytes(), _type(path), "assets" in path.parts) for address, path in found.items()
    }
    return {"/": files[f"/{INDEX}"], GAME: _below(files[f"/{INDEX}"]), **files}


def _below(index: PageFile) -> PageFile:
    """The page one folder below, as addresses of games are: its own addresses lead up first."""
    return replace(index, content=re.sub(rb'((?:src|href)=")\./', rb"\1../", index.content))


def _type(path: Path) -> str:
    return _TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
