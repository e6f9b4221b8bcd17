"""The names that parts of programs mention, found once for each part, in however many games it stands.

Most functions and queries are equal in all games of a ruleset. What depends on a function and on all that it asks is
the same in two games in which it has the same *version*.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from functools import cached_property

from rulewright.ir import model as m
from rulewright.ir.walk import nodes
from rulewright.lazy_dataclass import dataclass
from rulewright.lint.context import Configuration, Subject

Part = m.Function | m.QueryDef | m.AreaMap


@dataclass(frozen=True, slots=True)
class Spoken:
    """The names in a part of a program."""

    fields: frozenset[str]
    zones: frozenset[str]
    inside: frozenset[str]
    """Zones of which it is asked whether a piece lies there."""
    asks: tuple[str, ...]
    """The queries that it asks, and ``area x`` for each area, in a fixed order."""


_TELLING = frozenset((m.FieldGet, m.ZoneGet, m.ZoneList, m.Top, m.InZone, m.CallQuery, m.Component))
"""The classes that are looked at: most nodes are none of them."""


def spoken_in(part: object) -> Spoken:
    """The names in a tree."""
    fields: set[str] = set()
    zones: set[str] = set()
    inside: set[str] = set()
    asks: set[str] = set()
    for node in nodes(part):
        if type(node) not in _TELLING:
            continue
        match node:
            case m.FieldGet(name):
                fields.add(name)
            case m.ZoneGet(name) | m.ZoneList(name) | m.Top(name):
                zones.add(name)
            case m.InZone():
                inside.update(node.zones)
            case m.CallQuery(name):
                asks.add(name)
            case m.Component(name):
                asks.add(f"area {name}")
            case _:
                pass
    return Spoken(frozenset(fields), frozenset(zones), frozenset(inside), tuple(sorted(asks)))


class ProgramIndexes:
    """The programs of a ruleset, each ready to be asked."""

    def __init__(self, subject: Subject) -> None:
        self._known: dict[tuple[type[Part], str], list[tuple[Part, Spoken]]] = {}
        self._versions: dict[Hashable, int] = {}
        self.of_games = tuple(ProgramIndex(game, self) for game in subject.games)

    def spoken(self, part: Part) -> tuple[int, Spoken]:
        """The number of a function, query or area among those of its name, and what stands in it."""
        held = self._known.setdefault((type(part), part.name), [])
        for number, (known, spoken) in enumerate(held):
            if known is part or known == part:
                return number, spoken
        held.append((part, spoken_in(part)))
        return len(held) - 1, held[-1][1]

    def version(self, of: Hashable) -> int:
        """The number of something, the same for what is equal."""
        return self._versions.setdefault(of, len(self._versions))


class ProgramIndex:
    """The program of one game."""

    def __init__(self, game: Configuration, known: ProgramIndexes) -> None:
        self.game, self.program = game, game.program
        self._known = known
        self._asked: dict[str, m.QueryDef | m.AreaMap] = {q.name: q for q in self.program.queries}
        self._asked |= {f"area {a.name}": a for a in self.program.areas}
        self._versions: dict[str, int] = {}

    def query(self, name: str) -> m.QueryDef | None:
        """The query of a name."""
        found = self._asked.get(name)
        return found if isinstance(found, m.QueryDef) else None

    def version(self, part: Part) -> int:
        """A number that is another one if a part, or anything that it asks, is another one than in another game."""
        number, spoken = self._known.spoken(part)
        asks = tuple(self.version_of(name) for name in spoken.asks)
        return self._known.version((type(part), part.name, number, asks))

    def version_of(self, name: str) -> int:
        """The version of a query, or as ``area x`` of an area."""
        if name not in self._versions:
            self._versions[name] = -1
            if name in self._asked:
                self._versions[name] = self.version(self._asked[name])
        return self._versions[name]

    @cached_property
    def inside(self) -> frozenset[str]:
        """The zones of which effects and procedures ask whether a piece lies there."""
        return frozenset().union(*(self._known.spoken(f)[1].inside for f in self.program.functions))

    @cached_property
    def read_by_rules(self) -> tuple[frozenset[str], frozenset[str]]:
        """The fields and zones that are read anywhere, also to know who sees something."""
        audiences = [d.audiences for d in self.program.fields] + [d.audiences for d in self.program.zones]
        seen_by = [spoken_in(a.by) for several in audiences for a in several if a.by is not None]
        return self._read([*(self._known.spoken(f)[1] for f in self.program.functions), *seen_by])

    def _read(self, first: Iterable[Spoken]) -> tuple[frozenset[str], frozenset[str]]:
        """The fields and zones that are read, through queries and areas, too."""
        held = list(first)
        seen: set[str] = set()
        for spoken in held:  # which grows meanwhile
            for name in spoken.asks:
                if name not in seen and name in self._asked:
                    seen.add(name)
                    held.append(self._known.spoken(self._asked[name])[1])
        return frozenset().union(*(s.fields for s in held)), frozenset().union(*(s.zones for s in held))
