"""The addresses of files in messages of the language server, which pages name as ``file:///RULESET/WAY``.

A page learns no path of this computer, and can name no file but those of the catalogue.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote, urlsplit

from rulewright_tools.studio.host import Catalogue
from rulewright_tools.studio.host.files.folder import Folder

ROOT = "file:///"
ELSEWHERE = f"{ROOT}elsewhere"
"""Stands for files that no page may know of."""


class DocumentNames:
    """The names of files for pages and for the language server."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._folder = Folder(catalogue)

    def for_server(self, message: Any) -> Any:
        """A message of a page, with the paths of the files that it names.

        Raises:
            Refused: It names something else than files of the catalogue.
        """
        return _replaced(message, self._path)

    def for_page(self, message: Any) -> Any:
        """A message of the language server, with the names of the files."""
        return _replaced(message, self._name)

    def _path(self, uri: str) -> str:
        if uri == ROOT:
            return uri  # a page has no folder: each file is found in that of its ruleset
        name = unquote(urlsplit(uri).path).removeprefix("/")
        return self._folder.path(name).absolute().as_uri()

    def _name(self, uri: str) -> str:
        name = self._folder.name_of(Path(unquote(urlsplit(uri).path)))
        return ELSEWHERE if name is None else ROOT + quote(name)


def _replaced(value: Any, by: Callable[[str], str]) -> Any:
    """A value of JSON in which all addresses of files are others."""
    if isinstance(value, str):
        return by(value) if value.startswith("file:") else value
    if isinstance(value, list):
        return [_replaced(one, by) for one in value]
    if isinstance(value, dict):
        return {_replaced(key, by): _replaced(one, by) for key, one in value.items()}
    return value
