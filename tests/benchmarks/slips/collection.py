"""The collection: each game has a folder with `slips.toml`, and for each slip two files of a variant.

The slips of the folder `own` are in whole games: for each there are two folders instead.
"""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

GAMES = Path(__file__).parent / "games"
OWN = "own"
"""The folder of whole games."""
HALVES = ("seen", "held")
"""One half is looked at while analyses are improved, the other one only counted."""
BLIND = "blind"
"""The third part: written without knowing the analyses, and measured once before anything was changed for it."""
BLIND_AGAIN = "blind-2"
"""The fourth part: a second blind sample, of slips for which nothing that the first one led to was written."""
BLIND_THIRD = "blind-3"
"""The fifth part: a third blind sample, after analyses that know no kind of slip were made."""
BLIND_FOURTH = "blind-4"
"""The sixth part: a fourth blind sample, of the kinds that are listed, after changes were described."""
BLIND_FIFTH = "blind-5"
"""The seventh part: a fifth blind sample, after the rules were evaluated."""
BLINDS = (BLIND, BLIND_AGAIN, BLIND_THIRD, BLIND_FOURTH, BLIND_FIFTH)
PARTS = (*HALVES, *BLINDS)

WORDS: dict[str, tuple[str, ...]] = {
    "payment forgotten": ("taken", "paid", "pays", "spent", "costs nothing", "never falls"),
    "payment from elsewhere": ("other player", "another player", "taken from", "paid from", "EXM103", "never falls"),
    "asked too late": ("decides", "decided", "always", "never", "just before", "before it is asked"),
    "stale value": ("stored before", "old value", "stale"),
    "raises itself": ("without end", "again and again", "never ends", "stays due", "itself", "runs out", "steps"),
    "undo each other": ("undo", "each other", "again and again", "without end", "back and forth"),
    "nothing to choose": ("may be empty", "nothing can be chosen", "no answer", "else"),
    "nothing passes": ("nothing passes", "nothing can pass", "always refuses", "never be chosen", "refuses all", "all"),
    "nothing offends": ("never refuses", "refuses nothing", "never", "no answer offends", "always"),
    "only fills": ("only fills", "never leaves", "comes out", "only empties", "ever taken from", "nothing leaves"),
    "out of reach": ("out of reach", "never", "cannot", "at most", "only", "reached"),
    "dead by default": ("default", "parameter", "never", "cannot"),
    "counted twice": ("twice", "more than once", "several times", "each of them"),
    "counts itself": ("itself", "always", "counts", "just before", "decides"),
    "several winners": ("several", "at once", "two players", "both"),
    "shadowed end": ("never", "forestalls", "first", "before", "shadow"),
    "draw from empty": ("empty", "nothing left", "runs out", "too few"),
    "wrong player": ("another player", "other player", "of another", "instead of", "not the one", "EXM103"),
    "secret told": ("secret", "hidden", "does not see", "not seen", "knows", "learn", "sees"),
    "overwritten": ("overwritten", "before anybody reads", "never read", "lost"),
    "short list": ("entries", "entry", "none"),
    "limit by one": ("one more", "one too many", "can be", "by one"),
    "wins at once": ("win", "at once"),
    "always better": ("always better", "costs nothing", "never worse", "better than"),
    "never forgotten": ("never reset", "stays", "once", "never again", "whole game", "never false again", "only once"),
    "too often": ("each time", "several times", "for each", "times as often", "more often", "each turn"),
    "too seldom": ("only", "never", "less often", "not each"),
    "one side only": ("other", "both", "one way", "sum", "conserv", "total", "never falls", "from nowhere", "vanish"),
    "seat matters": ("seat", "first player", "order of", "lower", "tie"),
    "one of equals": ("exchanged", "mirrored", "order of declaration", "the first"),
    "rounded away": ("always 0", "never", "rounded", "nothing", "zero", "no effect", "changes nothing"),
    "wrong order": ("before", "after", "order", "already", "too early", "too late"),
    "wrong thing": ("another", "instead of", "not the one"),
    "spent twice": ("twice", "below", "lack"),
    "from nowhere": ("from nowhere", "total", "conserv"),
    "brackets": ("binds", "brackets", "parenthes"),
    "nobody counts": ("all of them", "none of", "nobody", "empty", "zero"),
    "half of two": ("missing", "only one", "not changed", "still", "other"),
}
"""For each kind words of which one stands where its cause is told; a slip may add words of its own."""


class CollectionError(ValueError):
    """Something in the collection is not as it must be."""


@dataclass(frozen=True, slots=True)
class PairedSlip:
    """A slip, with what names its cause."""

    game: str
    name: str
    kind: str
    half: str
    wanted: str
    """Intention of the designer;"""
    slip: str
    """the rule that was written instead."""
    lines: tuple[str, ...]
    """Words of the lines at which the cause is told,"""
    cause: tuple[str, ...]
    """words of which one is in what is said there,"""
    effect: tuple[str, ...]
    """and words of other lines, or of what is said elsewhere, that show the effect."""
    true_of_right: Mapping[str, str]
    """Codes of findings on the right version that are true, each with the reason."""

    @property
    def key(self) -> str:
        """Its name among all."""
        return f"{self.game}/{self.name}"

    @property
    def wrong(self) -> Path:
        """The file with the slip."""
        return self._file(self.name)

    @property
    def right(self) -> Path:
        """The right version."""
        return self._file(f"{self.name}-right")

    def _file(self, name: str) -> Path:
        folder = GAMES / self.game
        return folder / name / "game.rules" if self.game == OWN else folder / f"{name}.rules"

    def changes(self) -> list[tuple[list[str], list[str]]]:
        """The parts in which both differ: the lines of the wrong version, and those of the right one."""
        wrong, right = (file.read_text("utf-8").splitlines() for file in (self.wrong, self.right))
        blocks = difflib.SequenceMatcher(None, wrong, right, autojunk=False).get_opcodes()
        return [(wrong[a:b], right[c:d]) for tag, a, b, c, d in blocks if tag != "equal"]


_KEYS = {"name", "kind", "half", "wanted", "slip", "lines", "cause", "effect", "true_of_right"}


def collection(games: Iterable[str] = ()) -> tuple[PairedSlip, ...]:
    """The slips of some games, or of all, in the order in which they stand there."""
    folders = sorted(file.parent for file in GAMES.glob("*/slips.toml"))
    wanted = set(games) or {folder.name for folder in folders}
    return tuple(slip for folder in folders if folder.name in wanted for slip in _of(folder))


def _of(folder: Path) -> list[PairedSlip]:
    found = tomllib.loads((folder / "slips.toml").read_text("utf-8"))["slip"]
    return [_slip(folder.name, given) for given in found]


def _slip(game: str, given: dict[str, object]) -> PairedSlip:
    name = str(given.get("name", ""))
    if unknown := sorted(set(given) - _KEYS):
        raise CollectionError(f"{game}/{name}: {unknown[0]} is unknown; known are {', '.join(sorted(_KEYS))}")
    kind, half = str(given["kind"]), str(given["half"])
    if kind not in WORDS or half not in PARTS:
        raise CollectionError(f"{game}/{name}: there is no kind {kind!r}, or no part {half!r}")
    true = given.get("true_of_right", {})
    if not isinstance(true, dict):
        raise CollectionError(f"{game}/{name}: true_of_right has a reason for each code")
    words = (*_texts(given.get("cause", ())), *WORDS[kind])
    return PairedSlip(
        game,
        name,
        kind,
        half,
        str(given["wanted"]),
        str(given["slip"]),
        _texts(given["lines"]),
        words,
        _texts(given.get("effect", ())),
        {str(code): str(why) for code, why in true.items()},
    )


def ruleset_of(file: Path) -> Path:
    """Give what is opened to read one of the two files: a file of variants itself, or the folder of a whole game."""
    return file.parent if file.parent.parent.name == OWN else file


def _texts(given: object) -> tuple[str, ...]:
    return tuple(map(str, given)) if isinstance(given, list | tuple) else (str(given),)


__all__ = [
    "BLIND",
    "BLINDS",
    "BLIND_AGAIN",
    "BLIND_THIRD",
    "GAMES",
    "HALVES",
    "OWN",
    "PARTS",
    "WORDS",
    "CollectionError",
    "PairedSlip",
    "collection",
    "ruleset_of",
]
