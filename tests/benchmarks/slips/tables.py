"""Counts of verdicts: in all, by half, by kind, and by what each analysis finds, alone or with others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass

from rich.table import Table

from slips.collection import HALVES, PARTS
from slips.judging import Outcome, Said, Verdict, causes


@dataclass(frozen=True, slots=True)
class Row:
    """Verdicts of some slips."""

    name: str
    slips: int
    cause: int
    folded: int
    """Of the causes those that only `--all` shows."""
    symptom: int
    misleading: int
    silent: int
    false_alarms: int
    """Findings on right versions that are not known to be true."""
    seconds: float


def row(name: str, outcomes: Sequence[Outcome]) -> Row:
    """The row of some slips."""
    verdicts = [one.verdict for one in outcomes]
    folded = sum(one.verdict is Verdict.CAUSE and not causes(_shown(one)) and bool(causes(one)) for one in outcomes)
    return Row(
        name,
        len(outcomes),
        verdicts.count(Verdict.CAUSE),
        folded,
        verdicts.count(Verdict.SYMPTOM),
        verdicts.count(Verdict.MISLEADING),
        verdicts.count(Verdict.SILENT),
        sum(len(one.false_alarms) for one in outcomes),
        sum(one.seconds for one in outcomes),
    )


def by_half(outcomes: Sequence[Outcome]) -> list[Row]:
    """A row for each part, and one for all."""
    return [*(row(part, [one for one in outcomes if one.slip.half == part]) for part in PARTS), row("all", outcomes)]


def by_kind(outcomes: Sequence[Outcome]) -> list[Row]:
    """A row for each kind."""
    kinds = sorted({one.slip.kind for one in outcomes})
    return [row(kind, [one for one in outcomes if one.slip.kind == kind]) for kind in kinds]


def told_by(outcomes: Sequence[Outcome]) -> dict[str, list[str]]:
    """For each kind the codes that tell its causes, the most frequent first."""
    found = {one.slip.kind: Counter[str]() for one in sorted(outcomes, key=lambda one: one.slip.kind)}
    for one in outcomes:
        found[one.slip.kind].update(causes(one))
    return {kind: sorted(codes, key=lambda code: (-codes[code], code)) for kind, codes in found.items()}


def by_game(outcomes: Sequence[Outcome]) -> list[Row]:
    """A row for each game."""
    games = sorted({one.slip.game for one in outcomes})
    return [row(game, [one for one in outcomes if one.slip.game == game]) for game in games]


@dataclass(frozen=True, slots=True)
class Analysis:
    """Counts of what an analysis finds."""

    code: str
    causes: int
    alone: int
    """Causes that no other one tells."""
    misleading: int
    """Slips of which it says something that is neither the cause nor a symptom."""
    false_alarms: int


def by_analysis(outcomes: Sequence[Outcome]) -> list[Analysis]:
    """A row for each code that was heard."""
    codes = sorted({said.code for one in outcomes for said in (*one.of_wrong, *one.of_right)})
    return [_analysis(code, outcomes) for code in codes]


def _analysis(code: str, outcomes: Sequence[Outcome]) -> Analysis:
    told = [causes(one) for one in outcomes]
    return Analysis(
        code,
        sum(code in found for found in told),
        sum(found == {code} for found in told),
        sum(_misled(one, code) for one in outcomes),
        sum(said.code == code for one in outcomes for said in one.false_alarms),
    )


def _misled(one: Outcome, code: str) -> bool:
    own = _with(one, [said for said in one.of_wrong if said.code == code])
    return own.verdict is Verdict.MISLEADING


def _shown(one: Outcome) -> Outcome:
    return _with(one, [said for said in one.of_wrong if not said.folded])


def _with(one: Outcome, of_wrong: Iterable[Said]) -> Outcome:
    return Outcome(one.slip, tuple(of_wrong), one.of_right, one.seconds, one.failed)


def table(title: str, rows: Iterable[Row]) -> Table:
    """Rows for people."""
    shown = Table(title=title)
    shown.add_column("slips of")
    for name in ("made", "cause", "(folded)", "symptom", "misleading", "silent", "false alarms", "time"):
        shown.add_column(name, justify="right")
    for one in rows:
        counts = (one.slips, one.cause, one.folded, one.symptom, one.misleading, one.silent, one.false_alarms)
        shown.add_row(one.name, *map(str, counts), f"{one.seconds:.0f} s")
    return shown


def table_of_analyses(rows: Iterable[Analysis]) -> Table:
    """The analyses for people."""
    shown = Table(title="by analysis")
    shown.add_column("code")
    for name in ("causes", "alone", "misleading", "false alarms"):
        shown.add_column(name, justify="right")
    for one in rows:
        shown.add_row(one.code, *map(str, (one.causes, one.alone, one.misleading, one.false_alarms)))
    return shown


def data(outcomes: Sequence[Outcome]) -> dict[str, object]:
    """All counts as plain data, and what was said of each slip of the seen half."""
    return {
        "halves": [asdict(one) for one in by_half(outcomes)],
        "kinds": [asdict(one) for one in by_kind(outcomes)],
        "games": [asdict(one) for one in by_game(outcomes)],
        "analyses": [asdict(one) for one in by_analysis(outcomes)],
        "seen": [_data(one) for one in outcomes if one.slip.half != HALVES[1]],
        "false_alarms": [
            {"slip": one.slip.key, "code": said.code, "text": said.text, "line": said.line}
            for one in outcomes
            for said in one.false_alarms
        ],
        "failed": {one.slip.key: one.failed for one in outcomes if one.failed},
    }


def _data(one: Outcome) -> dict[str, object]:
    said = [{"code": it.code, "level": it.level, "text": it.text, "line": it.line} for it in one.news]
    return {"slip": one.slip.key, "kind": one.slip.kind, "verdict": one.verdict.value, "said": said}


__all__ = [
    "Analysis",
    "Row",
    "by_analysis",
    "by_game",
    "by_half",
    "by_kind",
    "data",
    "table",
    "table_of_analyses",
    "told_by",
]
