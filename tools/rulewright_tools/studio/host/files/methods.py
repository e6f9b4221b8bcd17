"""Methods about files: they are listed, read and written, and new variants are begun."""

from __future__ import annotations

from rulewright_tools.studio.host.catalogue import Catalogue
from rulewright_tools.studio.host.files.folder import LARGEST, Folder, Text
from rulewright_tools.studio.host.messages import LONGEST, Answered, Method, Params

_NAME = 2 * LONGEST


class FileMethods:
    """The files of all rulesets of a catalogue."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.folder = Folder(catalogue)

    @property
    def methods(self) -> dict[str, Method]:
        """Methods by their names."""
        return {
            "files/list": self._list,
            "files/read": self._read,
            "files/write": self._write,
            "files/newVariant": self._new_variant,
            "files/takeVariant": self._take_variant,
        }

    def _list(self, params: Params) -> Answered:
        ruleset = params.text("ruleset")
        params.done()
        return {"names": self.folder.names(ruleset), "writable": self.folder.is_writable(ruleset)}

    def _read(self, params: Params) -> Answered:
        name = params.text("name", _NAME)
        params.done()
        return _text_data(self.folder.read(name))

    def _write(self, params: Params) -> Answered:
        name, text = params.text("name", _NAME), params.content("text", LARGEST)
        version = params.text_or("version")
        params.done()
        return _text_data(self.folder.write(name, text, version))

    def _new_variant(self, params: Params) -> Answered:
        ruleset, name = params.text("ruleset"), params.text("name")
        params.done()
        return _new_file_data(self.folder.new_variant(ruleset, name))

    def _take_variant(self, params: Params) -> Answered:
        name, text = params.text("name"), params.content("text", LARGEST)
        params.done()
        return _new_file_data(self.folder.take_variant(name, text))


def _new_file_data(made: Text) -> Answered:
    return {"ruleset": made.name.partition("/")[0], **_text_data(made)}


def _text_data(file: Text) -> Answered:
    return {"name": file.name, "text": file.text, "version": file.version, "writable": file.writable}
