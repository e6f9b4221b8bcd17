"""DAT036: pieces with one name."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.diagnostics.suggestions import listing
from rulewright.ir import model as m
from rulewright.lint.context import Finding, lint
from rulewright.lint.subject import Subject
from rulewright.syntax import ast


@lint("DAT036")
def equal_names(subject: Subject) -> Iterator[Finding]:
    """Pieces that have one name and are not alike: as soon as both are offered, the game ends with RUN011.

    Those that begin in different zones may never meet, as the discs of two players; they are ignored.
    """
    reported: set[str] = set()
    declared = {decl.name: decl for decl in subject.source.rules.all(ast.Piece)}
    for game in subject.games:
        for kind, name, differ, more in _found(game.program):
            decl = declared.get(kind)
            if kind in reported or decl is None:
                continue
            reported.add(kind)
            others = (f"so it is with {more} more name{'s' * (more > 1)}",) if more else ()
            message = f"two pieces have the name `{name}` and differ in {differ}: no player could tell them apart"
            yield Finding(message, decl.span, "let `named` say what tells them apart", others)


def _found(program: m.Program) -> Iterator[tuple[str, str, str, int]]:
    """Of each kind with such pieces the first name, in what the pieces differ, and how many more names there are."""
    keys = next((u.keys for u in program.universes if u.name == "Piece"), ())
    pairs: dict[str, tuple[int, int]] = {}
    first: dict[tuple[str, object], int] = {}
    for piece, (key, begins) in enumerate(zip(keys, program.begins, strict=True)):
        other = first.setdefault((key, begins), piece)
        if program.alike[other] != program.alike[piece]:
            pairs.setdefault(key, (other, piece))
    of_kind: dict[str, list[str]] = {}
    for key, (_, piece) in pairs.items():
        kinds = [kind for kind in program.kinds if kind.members >> piece & 1]
        if kinds:
            of_kind.setdefault(min(kinds, key=lambda kind: kind.members.bit_count()).name, []).append(key)
    for kind, names in of_kind.items():
        yield kind, names[0], _differ(program, *pairs[names[0]]), len(names) - 1


def _differ(program: m.Program, one: int, other: int) -> str:
    """The attributes in which two pieces differ; without one their kinds do."""
    tables = [t for t in program.tables if t.universe == "Piece" and t.values[one] != t.values[other]]
    found = dict.fromkeys(table.name.rpartition(".")[2] for table in tables)
    return listing(found) if found else "their kinds"
