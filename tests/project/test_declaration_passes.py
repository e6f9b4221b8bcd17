"""A new kind of declaration or of change in a variant is forgotten by no pass: each names all kinds, or says which it
passes over.

Where a match goes through all of them mypy finds what is missing (`test_forgotten_cases`). These passes ask for one
kind after the other, or have a last case that is right for most; who adds a kind decides here what it means to them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, get_args

import pytest

from rulewright.syntax import ast

PACKAGE = Path(__file__).parents[2] / "interpreter" / "rulewright"
UNIONS = {
    name: {kind.__name__ for kind in get_args(held)}
    for name, held in vars(ast).items()
    if get_args(held) and all(isinstance(part, type) for part in get_args(held))
}

IN_LAYERS = {"ExtendOp", "CasesForOp", "WithPlayers", "Variant", "Scenario"}
"""They are no part of a game's own declarations: what they change is, or what is tested with it."""

DECLARATIONS: dict[str, tuple[tuple[str, ...], set[str]]] = {
    "made into the program": (
        ("compiler/driver.py", "compiler/declarations", "compiler/overlays/declaration_set.py", "compiler/scenarios"),
        set(),
    ),
    "names in it that must differ": (
        ("compiler/overlays/name_conflicts.py",),
        {"CasesForOp", "Consequence", "End", "ExtendOp", "Game", "Invariant", "Limits", "MapDecl", "Players"}
        | {"Precedence", "Property", "Reaction", "WithPlayers", "Witness"},
    ),
    "names that it uses": (("findings/text/analyses/uses.py",), {"CasesForOp", "ExtendOp", "Scenario"}),
    "its clauses, one by one": (
        ("comparison/diff/clause_tree.py",),
        {"Area", "Die", "Game", "Invariant", "Merged", "Precedence", "Property", "Witness", "Zone"} | IN_LAYERS,
    ),
    "the type of its name": (
        ("navigation/declared_types.py", "navigation/type_inference.py"),
        {"Consequence", "End", "EnumDecl", "Game", "Invariant", "Players", "Precedence", "Property"}
        | {"Witness"} | IN_LAYERS,
    ),
}  # fmt: skip

CHANGES: dict[str, tuple[tuple[str, ...], set[str]]] = {
    "its address in reports of mutants": (("findings/mutation/mutation_sites.py",), set()),
    "left out by a mutant": (("findings/mutation/operators/declaration_operators.py",), {"UnchangedOp"}),
    "told with what it changes": (("navigation/overlay_changes.py",), {"AddDeclOp", "UnchangedOp"}),
    "the words of its path": (("navigation/file_symbols.py",), set()),
    "undone to find causes": (("play/scenarios/causes.py",), set()),
    "its size": (("compiler/size_limits.py",), set()),
}


def named_in(files: Iterable[str], kinds: set[str]) -> set[str]:
    """The kinds that some files name, by themselves or as part of a family."""
    paths = [
        path for file in files for path in ([PACKAGE / file] if file.endswith(".py") else (PACKAGE / file).glob("*.py"))
    ]
    words = {word for path in paths for word in re.findall(r"\bast\.(\w+)", path.read_text("utf-8"))}
    families = (UNIONS[word] for word in words if word in UNIONS and not UNIONS[word] >= kinds)
    return (words | set().union(*families)) & kinds


@pytest.mark.parametrize(
    ("union", "files", "others"),
    [
        pytest.param(union, *held, id=name)
        for union, passes in ((ast.Decl, DECLARATIONS), (ast.OverlayOp, CHANGES))
        for name, held in passes.items()
    ],
)
def test_a_pass_knows_each_kind(union: Any, files: tuple[str, ...], others: set[str]) -> None:
    kinds = {kind.__name__ for kind in get_args(union)}
    named = named_in(files, kinds)
    assert kinds - named == others
