"""The index of a rulebook's statements, which the rules cite, and the rulings on what it leaves unclear."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from rulewright.data.json_positions import JsonPath, JsonText, read_json, show_path
from rulewright.data.paths import inside
from rulewright.data.schema_checks import validate
from rulewright.diagnostics import NOWHERE, Diagnostic, Severity, Span
from rulewright.diagnostics.suggestions import did_you_mean
from rulewright.foundation import limits

_NOTHING = JsonText("null", "")


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement of the rulebook, in own words."""

    id: str
    section: str
    kind: str
    normative: bool
    """True if it binds the players: then a rule must cite it."""
    statement: str
    check: str = ""
    depends: tuple[str, ...] = ()
    note: str = ""
    applies: bool = True
    reason: str = ""
    """The reason why it does not apply."""
    same_as: str = ""
    """The equal statement of the rulebook of another edition."""

    @property
    def repeats(self) -> bool:
        """True if it only repeats another one, so that it is not counted."""
        return self.note.startswith("Repeat of")

    @property
    def counted(self) -> bool:
        """True if a rule must cite it."""
        return self.normative and self.applies and not self.repeats


@dataclass(frozen=True)
class Rulebook:
    """All statements of a rulebook in its order."""

    game: str = ""
    source: str = ""
    statements: tuple[Statement, ...] = ()
    findings: tuple[Diagnostic, ...] = ()
    json: JsonText = field(default=_NOTHING, repr=False, compare=False)

    @cached_property
    def by_id(self) -> dict[str, Statement]:
        """Statements by their ids; of two with one id the first."""
        return {statement.id: statement for statement in reversed(self.statements)}

    @cached_property
    def stands_for(self) -> dict[str, tuple[str, ...]]:
        """Statements of another rulebook, each with those of this one that say the same."""
        found: dict[str, tuple[str, ...]] = {}
        for statement in self.statements:
            if statement.same_as:
                found[statement.same_as] = (*found.get(statement.same_as, ()), statement.id)
        return found

    def upon(self, base: Rulebook) -> list[Diagnostic]:
        """Findings if this is the rulebook of a ruleset that extends one with the rulebook `base`."""
        known = set(base.by_id)
        found = []
        for row, statement in enumerate(self.statements):
            if statement.same_as and statement.same_as not in known:
                message = f"the rulebook of the extended ruleset has no statement `{statement.same_as}`"
                hint = did_you_mean(statement.same_as, known)
                way: JsonPath = ("statements", row, "same_as")
                found.append(_finding(self.json, "DAT026", message, way, hint, Severity.WARNING))
        return found

    @cached_property
    def _rows(self) -> dict[str, int]:
        return {statement.id: row for row, statement in enumerate(self.statements)}

    def span(self, id: str) -> Span:
        """The span of a statement in the index."""
        return self.json.span(("statements", self._rows[id])) if id in self._rows else NOWHERE


@dataclass(frozen=True, slots=True)
class Ruling:
    """The decision on an unclear point, its basis, and what would differ with another decision."""

    id: str
    question: str
    ruling: str
    basis: str
    effect: str
    parameter: str = ""
    cites: tuple[str, ...] = ()
    source: tuple[str, ...] = ()


@dataclass(frozen=True)
class Rulings:
    """All rulings on a rulebook: one's own, and those on the rulebook of the extended ruleset that hold here, too."""

    own: tuple[Ruling, ...] = ()
    findings: tuple[Diagnostic, ...] = ()
    json: JsonText = field(default=_NOTHING, repr=False, compare=False)
    base: Rulings | None = None

    @cached_property
    def rulings(self) -> tuple[Ruling, ...]:
        """One's own, then the others; a ruling of one's own goes in place of the one with its id."""
        own = {ruling.id for ruling in self.own}
        return (*self.own, *(r for r in self.base.rulings if r.id not in own)) if self.base is not None else self.own

    @cached_property
    def by_id(self) -> dict[str, Ruling]:
        """Rulings by their ids."""
        return {ruling.id: ruling for ruling in reversed(self.rulings)}

    def __iter__(self) -> Iterator[Ruling]:
        return iter(self.rulings)

    def span(self, id: str, *way: str | int) -> Span:
        """The span of a ruling, or of something in it."""
        for row, ruling in enumerate(self.own):
            if ruling.id == id:
                return self.json.span(("rulings", row, *way))
        return self.base.span(id, *way) if self.base is not None else NOWHERE

    def not_counterparts(self, rulebook: Rulebook) -> list[Diagnostic]:
        """Rulings of the extended ruleset that hold here, too, and cite what the rulebook of this one does not say."""
        own = {ruling.id for ruling in self.own}
        found = []
        for ruling in self.base or ():
            unknown = [cite for cite in ruling.cites if cite not in rulebook.by_id]
            if unknown and ruling.id not in own:
                message = (
                    f"the ruling `{ruling.id}` of the extended ruleset cites `{unknown[0]}`, which is not said here"
                )
                hint = f"write a ruling `{ruling.id}` that cites what this rulebook says of it"
                found.append(_finding(self.json, "DAT026", message, ("rulings",), hint, Severity.WARNING))
        return found

    def beneath(self, rulebook: Rulebook) -> Rulings:
        """These rulings, citing the statements of an extending ruleset's rulebook where these say the same."""
        recited = tuple(
            replace(r, cites=tuple(id for cite in r.cites for id in rulebook.stands_for.get(cite, (cite,))))
            for r in self.own
        )
        base = self.base.beneath(rulebook) if self.base is not None else None
        return Rulings(recited, (), self.json, base)


def load_rulebook(folder: Path, name: str, where: Span = NOWHERE) -> Rulebook:
    """Read and check the rulebook index `name`, listed at `where`."""
    return _rulebook(read_json(inside(folder, name, where), where))


# A rulebook that has not changed is the same object, so that what was made with it need not be made again.
@lru_cache(maxsize=16)
def _rulebook(source: JsonText) -> Rulebook:
    validate(source, "rulebook")
    raw: dict[str, Any] = source.value  # type: ignore[assignment]
    statements = tuple(
        Statement(
            id=item["id"],
            section=item["section"],
            kind=item["kind"],
            normative=item["normative"],
            statement=item["statement"],
            check=item.get("check", ""),
            depends=tuple(item.get("depends", ())),
            note=item.get("note", ""),
            applies=item.get("applies", True),
            reason=item.get("reason", ""),
            same_as=item.get("same_as") or "",
        )
        for item in raw["statements"]
    )
    found = _twice(source, "statements", [statement.id for statement in statements])
    known = {statement.id for statement in statements}
    unknown = 0
    for row, statement in enumerate(statements):
        depends = _unknown(source, ("statements", row, "depends"), statement.depends, known, unknown)
        unknown += len(depends)
        found += depends
    return Rulebook(raw["game"], raw.get("source", ""), statements, tuple(found), source)


def load_rulings(
    folder: Path, name: str, rulebook: Rulebook | None, where: Span = NOWHERE, base: Rulings | None = None
) -> Rulings:
    """Read and check the rulings `name`, listed at `where`; `base` are those of the extended ruleset."""
    source = read_json(inside(folder, name, where), where)
    validate(source, "rulings")
    raw: dict[str, Any] = source.value  # type: ignore[assignment]
    rulings = tuple(
        Ruling(
            id=item["id"],
            question=item["question"],
            ruling=item["ruling"],
            basis=item["basis"],
            effect=item["effect"],
            parameter=item.get("parameter", ""),
            cites=tuple(item.get("cites", ())),
            source=_several(item.get("source", ())),
        )
        for item in raw["rulings"]
    )
    found = _twice(source, "rulings", [ruling.id for ruling in rulings])
    if rulebook is not None:
        known, unknown = set(rulebook.by_id), 0
        for row, ruling in enumerate(rulings):
            cites = _unknown(source, ("rulings", row, "cites"), ruling.cites, known, unknown)
            unknown += len(cites)
            found += cites
    return Rulings(rulings, tuple(found), source, base)


def _several(raw: str | list[str] | tuple[str, ...]) -> tuple[str, ...]:
    return (raw,) if isinstance(raw, str) else tuple(raw)


def _twice(source: JsonText, group: str, ids: list[str]) -> list[Diagnostic]:
    found = []
    first: dict[str, int] = {}
    for row, id in enumerate(ids):
        if id in first:
            line = source.span((group, first[id], "id")).line
            found.append(
                _finding(
                    source,
                    "DAT025",
                    f"duplicate id `{id}`",
                    (group, row, "id"),
                    f"also on line {line}",
                )
            )
        first.setdefault(id, row)
    return found


def _unknown(source: JsonText, way: JsonPath, ids: tuple[str, ...], known: set[str], before: int) -> list[Diagnostic]:
    """Diagnostics for unknown ids. After this many others nobody needs a guess at what was meant."""
    guess = before < limits.DATA_FINDINGS
    return [
        _finding(
            source,
            "DAT026",
            f"there is no statement `{id}` in the rulebook index",
            (*way, number),
            did_you_mean(id, known) if guess else "",
            Severity.WARNING,
        )
        for number, id in enumerate(ids)
        if id not in known
    ]


def _finding(
    source: JsonText, code: str, message: str, way: JsonPath, hint: str, severity: Severity = Severity.ERROR
) -> Diagnostic:
    return Diagnostic(code, message, source.span(way), severity, hint=hint, path=show_path(way))
