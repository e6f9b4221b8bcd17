"""Methods about scenarios: what was just played is proposed as one, written into a file of rules, and run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import rulewright as rw
from rulewright_tools.studio.host.catalogue import Catalogue
from rulewright_tools.studio.host.failures import failure_data
from rulewright_tools.studio.host.files.folder import LARGEST, Folder
from rulewright_tools.studio.host.game.methods import GameMethods
from rulewright_tools.studio.host.game.viewpoint import Viewpoint
from rulewright_tools.studio.host.messages import LONGEST, Answered, ErrorCode, Method, Params, Refused

RULES = ".rules"

MOST_LINES = 5_000
"""Lines that a page may choose."""


class ScenarioMethods:
    """Scenarios made of the game of one page."""

    def __init__(self, catalogue: Catalogue, folder: Folder, game: GameMethods) -> None:
        self._catalogue, self._folder, self._game = catalogue, folder, game
        self._proposed: tuple[rw.State, int, dict[int, list[str]], rw.scenarios.Recording] | None = None
        """The proposal made last, with its state, beginning and refusals."""

    @property
    def methods(self) -> dict[str, Method]:
        """Methods by their names."""
        return {"scenarios/propose": self._propose, "scenarios/text": self._text, "scenarios/keep": self._keep}

    def _propose(self, params: Params) -> Answered:
        begin = params.whole_or("from", 0, 2**31) or 0
        params.done()
        viewpoint = self._table()
        found = self._recorded(viewpoint, begin)
        names = self._folder.names(viewpoint.game.ruleset) if self._folder.is_writable(viewpoint.game.ruleset) else []
        return {
            "from": viewpoint.number_after(found.begins),
            "title": self._free_title(viewpoint, found.title),
            "trouble": found.trouble,
            "lines": [
                {"text": one.text, "number": one.number, "proposed": one.is_proposed and one.number is not None}
                for one in found.lines()
            ],
            "files": [name for name in names if name.endswith(RULES)],
        }

    def _text(self, params: Params) -> Answered:
        text = self._chosen(params, self._table())
        params.done()
        return {"text": text}

    def _keep(self, params: Params) -> Answered:
        """Write a scenario at the end of a file, and run it as it stands there."""
        viewpoint = self._table()
        title, text = params.text("title"), self._chosen(params, viewpoint)
        name = params.text("file", 2 * LONGEST)
        params.done()
        if name.partition("/")[0] != viewpoint.game.ruleset or not name.endswith(RULES):
            raise Refused(ErrorCode.PARAMS, f"`{name[:80]}` is no file with rules of the game at hand")
        if self._is_taken(viewpoint, title):
            raise Refused(ErrorCode.PARAMS, f"there is a scenario `{title}` already: give it another title")
        before = self._folder.read(name)
        head = before.text.rstrip()
        whole = f"{head}\n\n{text}" if head else text
        if len(whole) > LARGEST:
            raise Refused(ErrorCode.NOT_NOW, f"`{name}` would be too long: choose another file")
        written = self._folder.write(name, whole, before.version)
        line = len(head.splitlines()) + 2 if head else 1
        return {"file": written.name, "line": line, "failure": self._failure(viewpoint.game.ruleset, name, title)}

    def _failure(self, ruleset: str, file: str, title: str) -> dict[str, Any] | None:
        """The reason why a scenario that was written does not hold, and its line; None if it holds."""

        def is_meant(other: str, path: str) -> bool:
            return other == title and self._folder.name_of(Path(path)) == file

        found = list(rw.scenarios.planned(self._catalogue.opened(ruleset)[0], is_meant))
        if not found:
            raise Refused(ErrorCode.NOT_NOW, f"`{file}` was written, but the rules do not read it")
        result = found[0]
        if isinstance(result, rw.scenarios.ScenarioPlan):
            result = rw.scenarios.run_scenario(result)
        return None if result.failure is None else failure_data(result.failure, self._catalogue)

    def _chosen(self, params: Params, viewpoint: Viewpoint) -> str:
        """The text of a scenario with the lines that the page has chosen."""
        begin, title = params.whole_or("from", 0, 2**31) or 0, params.text("title")
        chosen = params.wholes("lines", MOST_LINES)
        if not title.isprintable() or any(letter in title for letter in '"\\'):
            raise Refused(ErrorCode.PARAMS, "a title has no quotation marks, backslashes or ends of lines")
        return self._recorded(viewpoint, begin).text(title, chosen)

    def _table(self) -> Viewpoint:
        """The viewpoint, if the page may know all that a scenario of its game contains.

        Raises: Refused: It would reveal hidden information.
        """
        viewpoint = self._game.now
        if not viewpoint.is_open():
            raise Refused(
                ErrorCode.NOT_NOW,
                "a scenario would tell what is hidden in this game: it can be kept when the game is over, "
                "or in a game that is begun for somebody who sees everything",
            )
        return viewpoint

    def _recorded(self, viewpoint: Viewpoint, at: int) -> rw.scenarios.Recording:
        state, tried = viewpoint.state, viewpoint.tried()
        # What chance gave before the first decision belongs to a scenario that begins with the game.
        begin = rw.scenarios.answer_count(viewpoint.position(at)) if at else 0
        known = self._proposed
        if known is not None and known[0] is state and known[1:3] == (begin, tried):
            return known[3]
        try:
            found = rw.scenarios.record(viewpoint.play.game.ruleset, state, begin, viewpoint.game.options, tried)
        except rw.scenarios.Untold as error:
            raise Refused(ErrorCode.NOT_NOW, f"no scenario can hold this game: {error}") from None
        self._proposed = (state, begin, tried, found)
        return found

    def _free_title(self, viewpoint: Viewpoint, title: str) -> str:
        """A title that no scenario of the ruleset has."""
        title = "".join(letter for letter in title if letter.isprintable() and letter not in '"\\')[: LONGEST - 5]
        texts = self._texts(viewpoint.game.ruleset)
        others = (f"{title} ({number})" for number in range(2, 10_000))
        return next(one for one in (title, *others) if not _has(texts, one))

    def _is_taken(self, viewpoint: Viewpoint, title: str) -> bool:
        return _has(self._texts(viewpoint.game.ruleset), title)

    def _texts(self, ruleset: str) -> list[str]:
        return [self._folder.read(name).text for name in self._folder.names(ruleset) if name.endswith(RULES)]


def _has(texts: Sequence[str], title: str) -> bool:
    """True if one of some files has a scenario of a title."""
    return any(f'scenario "{title}"' in text for text in texts)
