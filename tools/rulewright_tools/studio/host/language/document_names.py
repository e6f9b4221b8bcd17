"""The addresses of files in messages of the language server, which pages name as ``file:///RULESET/WAY``.

A page learns no path of this computer, and can name no file but those of the catalogue.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote, urlsplit

from rulewright_tools.studio.host import Catalogue
from rulewright_tools.studio.host.files.folder import Folder
from rulewright_tools.studio.host.files.path_names import PathNames

ROOT = "file:///"
ELSEWHERE = f"{ROOT}elsewhere"
"""Stands for files that no page may know of."""

_ADDRESS = re.compile(r"(file:[^\s()<>\[\]\"'`]+)")
_LINK = "codeDescription"
_OF_FILES = ("text", "newText", "insertText")
"""Texts that are part of a file: they stay as they are."""
_OF_FOLDERS = ("rootUri", "rootPath", "workspaceFolders")
"""The folders that an editor has: a page has none, each file is found in that of its ruleset."""


class DocumentNames:
    """The names of files for pages and for the language server."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._folder = Folder(catalogue)

    def for_server(self, message: Any) -> Any:
        """A message of a page, with the paths of the files that it names.

        Raises:
            Refused: It names something else than files of the catalogue.
        """
        params = message.get("params") if isinstance(message, dict) else None
        if isinstance(params, dict) and message.get("method") == "initialize":
            message = {**message, "params": {key: one for key, one in params.items() if key not in _OF_FOLDERS}}
            message["params"] |= {"rootUri": None}
        return _replaced(message, self._path, _OF_FILES)

    def for_page(self, message: Any) -> Any:
        """A message of the language server, with the names of the files, and no other path in its texts.

        Pages of the documentation are files that no page may read: a finding comes without the address of its page.
        """
        texts = PathNames(self._catalogue)

        def named(text: str) -> str:
            parts = [text] if text.startswith("file:") else _ADDRESS.split(text)
            return "".join(self._name(part) if part.startswith("file:") else texts.text(part) for part in parts)

        return _replaced(_without_pages(message, self._name), named, _OF_FILES)

    def _path(self, uri: str) -> str:
        if not uri.startswith("file:"):
            return uri  # nor does the language server take it for the name of a file
        name = unquote(urlsplit(uri).path).removeprefix("/")
        return self._folder.path(name).absolute().as_uri()

    def _name(self, uri: str) -> str:
        name = self._folder.name_of(Path(unquote(urlsplit(uri).path)))
        return ELSEWHERE if name is None else ROOT + quote(name)


def _replaced(value: Any, by: Callable[[str], str], left: Collection[str] = ()) -> Any:
    """A value of JSON in which all texts are others, but those with such keys."""
    if isinstance(value, str):
        return by(value)
    if isinstance(value, list):
        return [_replaced(one, by, left) for one in value]
    if isinstance(value, dict):
        return {
            _replaced(key, by): one if key in left and isinstance(one, str) else _replaced(one, by, left)
            for key, one in value.items()
        }
    return value


def _without_pages(value: Any, name: Callable[[str], str]) -> Any:
    """A value of JSON without links to descriptions that have no name."""
    if isinstance(value, list):
        return [_without_pages(one, name) for one in value]
    if isinstance(value, dict):
        return {
            key: _without_pages(one, name)
            for key, one in value.items()
            if key != _LINK or name(one["href"]) != ELSEWHERE
        }
    return value
