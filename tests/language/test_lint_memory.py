"""Findings of lint rules are remembered, and are never others than the rules would find now."""

from __future__ import annotations

import ast as python
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from language_helpers import write
from lint_forms import FORMS, Choice, choices, games_of, overlay

import rulewright as rw
from rulewright.findings.text import linter
from rulewright.findings.text.analyses import control_flow, declared_visibility, program_index
from rulewright.foundation import memo
from rulewright.ir.control_flow.function_shape import ShapeCache
from rulewright.knowledge.answers import answer_flow
from rulewright.knowledge.secrets import public_flow
from rulewright.syntax import ast
from sampling import sample

HERE = Path(linter.__file__).parent
FILES = sorted([*HERE.glob("rules/*.py"), *HERE.glob("analyses/*.py")])


@contextmanager
def forgetful() -> Iterator[None]:
    """In here nothing counts that was found out before about more than one node."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(memo, "_holds", lambda trace, context: False)
        patched.setattr(control_flow, "_flow", control_flow._flow.__wrapped__)
        patched.setattr(declared_visibility, "_kept", [])
        patched.setattr(program_index, "_same", lambda before, after: False)
        for module, name in ((answer_flow, "_results"), (answer_flow, "_followed"), (public_flow, "_functions")):
            patched.setattr(module, name, OrderedDict())
        for name in ("_kept", "_worlds"):
            patched.setattr(public_flow, name, ShapeCache())
        yield


@contextmanager
def looks() -> Iterator[list[ast.Decl]]:
    """The declarations at which rules look in here."""
    made: list[ast.Decl] = []
    rule = next(rule for rule in linter.all_rules() if rule.code == "CTL117")
    everything = frozenset(kind for kind in vars(ast).values() if isinstance(kind, type))

    def find(decl: ast.Decl, index: object) -> Iterator[linter.Finding]:
        made.append(decl)
        yield from rule.find(decl, index)

    watched = linter.Lint(rule.code, rule.name, rule.severity, find, everything)
    rules = linter.DeclarationRules(
        [watched, *(other for other in linter.all_rules() if other.classes and other != rule)]
    )
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(linter, "declaration_rules", lambda: rules)
        yield made


def files_of(base: Choice, three: Choice, variant: Choice) -> dict[str, str]:
    """A ruleset with a file for each declaration: those that do not change are read once."""
    forms = {name: base.get(name, 0) for name in FORMS}
    files = {f"{name}.rules": FORMS[name][form] + "\n" for name, form in forms.items() if form is not None}
    files["three.rules"] = overlay("with 3 players", three, base)
    alone = {name: form for name, form in variant.items() if name not in three}
    files["variant.rules"] = overlay('variant "other" of many', alone, base)
    return {name: text for name, text in files.items() if text}


def subject_of(folder: Path, files: dict[str, str]) -> linter.Subject:
    """A ruleset, ready to be looked at."""
    ruleset = rw.open_ruleset(write(folder, "game many\nplayers 2 to 3\n", files))
    source, games = games_of(ruleset)
    return linter.Subject(ruleset, source, games)


@settings(max_examples=sample(3, 6))
@given(st.lists(st.tuples(choices(4), choices(2), choices(3)), min_size=2, max_size=4))
# A query, a type, a caller and a variant are others, of which other declarations speak.
@example([({}, {}, {}), ({"rich": 4}, {}, {}), ({"rich": 4, "purse": 1}, {}, {}), ({}, {}, {"rich": 4, "over": 2})])
@example([({"play": 1}, {}, {}), ({"play": 1, "over": 2}, {}, {}), ({"play": 1, "over": 1}, {"pace": 1}, {"turn": 2})])
def test_after_each_edit_the_same_is_found_as_if_nothing_were_known(edits: list[tuple[Choice, Choice, Choice]]) -> None:
    with TemporaryDirectory() as folder:
        for edit in edits:
            subject = subject_of(Path(folder), files_of(*edit))
            warm = linter.run(subject)
            with forgetful():
                games = tuple(linter.Configuration(g.players, g.variants, g.compiler, g.program) for g in subject.games)
                assert linter.run(linter.Subject(subject.ruleset, subject.source, games)) == warm


def test_only_what_an_edit_concerns_is_looked_at_again(tmp_path: Path) -> None:
    def looked_at(files: dict[str, str]) -> set[str]:
        with looks() as made:
            linter.run(subject_of(tmp_path, before))
            assert len(made) >= len(FORMS)
            made.clear()
            linter.run(subject_of(tmp_path, before))
            assert made == []
            linter.run(subject_of(tmp_path, files))
        return {str(getattr(decl, "name", "")) for decl in made}

    before = files_of({"turn": 2}, {}, {})
    pay, pace = before["pay.rules"], before["pace.rules"]
    assert looked_at(before | {"pay.rules": pay.replace("2", "3")}) == {"pay"}
    # Whether `over` comes back decides what is reached behind it.
    again = looked_at(before | {"over.rules": FORMS["over"][1]})
    assert again >= {"over", "turn"}
    assert len(again) < len(FORMS) / 2
    again = looked_at(before | {"pace.rules": pace.replace("9", "8")})
    assert again >= {"pace", "turn"}
    assert len(again) < len(FORMS) / 2


NOT_TRACED = {"game", "program", "world", "decls", "nodes", "answers"}
"""Attributes of an index that are read without being noted."""

OF_WHOLE_PROGRAMS = {"ask", "_put", "_mixed"}
"""Parts of what is remembered until a program changes; all that is decorated so is one, too."""


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_rules_learn_of_their_game_by_questions_alone(path: Path) -> None:
    functions = [
        node for node in python.walk(python.parse(path.read_text("utf-8"))) if isinstance(node, python.FunctionDef)
    ]
    for function in functions:
        takes = [argument.arg for argument in function.args.args]
        decorators = {d.id for d in function.decorator_list if isinstance(d, python.Name)}
        if "index" not in takes or "tracked_query" in decorators:
            continue
        of_whole = "memoized_by_code" in decorators or function.name in OF_WHOLE_PROGRAMS
        asked = {
            node.attr
            for node in python.walk(function)
            if isinstance(node, python.Attribute) and isinstance(node.value, python.Name) and node.value.id == "index"
        }
        wrong = asked & NOT_TRACED - ({"program"} if of_whole else set())
        assert not wrong or function.name == "ask", f"{function.name} asks for {sorted(wrong)}"
