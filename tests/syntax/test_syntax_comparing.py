"""Comparison of what rules say: the same from both sides, whatever the text looks like, just where it differs."""

from __future__ import annotations

import dataclasses
import shutil
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import syntax_strategies as rules
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from syntax_helpers import ROOT

import rulewright as rw
from rulewright.comparison.diff.comparing import compare_rules
from rulewright.compiler import sources
from rulewright.compiler.overlays.addresses import label_of, labels, rewrite, walk
from rulewright.compiler.overlays.declaration_set import Rules, name_of
from rulewright.compiler.overlays.layers import for_game
from rulewright.diagnostics import Report
from rulewright.syntax import ast, parse, print_expr, print_file
from sampling import sample


def runs(count: int) -> settings:
    every = list(HealthCheck)
    return settings(max_examples=sample(count // 4, count), suppress_health_check=every)


GAMES = ("carolus-magnus", "breakthrough")


@cache
def ruleset(name: str) -> rw.Ruleset:
    return rw.open_ruleset(ROOT / "rulesets" / name)


def differences(old: Rules, new: Rules, name: str = "breakthrough") -> list[rw.diff.Difference]:
    return compare_rules(old, new, ruleset(name), ruleset(name), 3, 3)


# ------------------------------------------------------------------------------------------ any rules


def without_table(decl: Any) -> Any:
    """Random rules have no files beside them."""
    if isinstance(decl, ast.EnumDecl) and decl.table is not None:
        return dataclasses.replace(decl, values=("a",), table=None)
    return dataclasses.replace(decl, table=None) if isinstance(decl, ast.Piece | ast.MapDecl) else decl


declarations = rules.plain_declarations.map(without_table)


def collected(decls: list[Any]) -> Rules:
    found = Rules(Report())
    for decl in decls:
        found.add(decl)
    return found


@st.composite
def edited(draw: st.DrawFn, decls: list[Any]) -> list[Any]:
    """The declarations with some blocks in another order, with other statements, or with some less."""
    found = []
    for decl in decls:
        if isinstance(decl, ast.Callable):
            body = [stmt for stmt in decl.body if draw(st.booleans())] + draw(st.lists(rules.statements, max_size=2))
            decl = dataclasses.replace(decl, body=tuple(draw(st.permutations(body))))
        found.append(decl)
    return draw(st.permutations(found[draw(st.integers(0, 1)) :]))


def said(found: list[rw.diff.Difference], mirrored: bool) -> Counter[Any]:
    """Differences without what depends on the side from which one looks: where a clause has moved to."""
    other = {"added": "removed", "removed": "added"}
    told: Counter[Any] = Counter()
    for d in found:
        old, new = (side and (side.text, side.below) for side in (d.old, d.new))
        place = None if d.kind == "moved" else d.address
        told[(other.get(d.kind, d.kind), place, new, old) if mirrored else (d.kind, place, old, new)] += 1
    return told


@runs(100)
@given(st.lists(declarations, max_size=4))
def test_equal_to_itself(decls: list[Any]) -> None:
    one, other = collected(decls), collected([dataclasses.replace(decl) for decl in decls])
    assert all(one.decls[name] is not other.decls[name] for name in one.decls)
    assert differences(one, other) == []


@runs(150)
@given(st.data())
def test_mirrored(data: st.DataObject) -> None:
    decls = data.draw(st.lists(declarations, max_size=4))
    one, other = collected(decls), collected(data.draw(edited(decls) | st.lists(declarations, max_size=4)))
    there, back = differences(one, other), differences(other, one)
    assert said(there, False) == said(back, True)


@runs(150)
@given(st.data())
def test_what_differs_is_found(data: st.DataObject) -> None:
    decls = data.draw(st.lists(declarations, max_size=3))
    one, other = collected(decls), collected(data.draw(edited(decls)))
    named = {d for d in {*one.decls, *other.decls} - {"game"} if one.decls.get(d) != other.decls.get(d)}
    found = {d.declaration for d in differences(one, other) if d.kind != "cited"}
    # Consequences and ends may also have changed their places, and what is written on one line is said alike.
    watched = {d for d, decl in one.decls.items() if isinstance(decl, ast.Consequence | ast.End)}
    assert found <= named | watched | {"precedence"}
    unlike = {d for d in named if d not in one.decls or d not in other.decls or printed(one, d) != printed(other, d)}
    assert unlike <= found


def printed(of: Rules, name: str) -> str:
    """The declaration for three players, without comments and citations and with every block on lines of its own."""

    def bare(node: Any) -> Any:
        if isinstance(node, tuple):
            return tuple(bare(part) for part in node)
        if not isinstance(node, ast.Node):
            return node
        changed = {f.name: bare(getattr(node, f.name)) for f in dataclasses.fields(node) if f.name != "span"}
        changed |= {name: value for name, value in (("one_line", False), ("trivia", ast.NO_TRIVIA)) if name in changed}
        return dataclasses.replace(node, **changed)

    decl = bare(of.decls[name])
    if isinstance(decl, ast.Callable | ast.End | ast.Consequence | ast.Reaction):
        return print_file(ast.File((decl,)))
    return ""


# --------------------------------------------------------------------------------- overlays, on real rules


COUNT = 2


@cache
def base(name: str) -> Rules:
    report = Report()
    found = for_game(sources(ruleset(name)).rules, COUNT, [], report)
    assert not report.failed
    return dataclasses.replace(found, by_count=[])


def laid(name: str, op: ast.OverlayOp) -> list[rw.diff.Difference]:
    report = Report()
    new = for_game(base(name), COUNT, [ast.Variant("one", ast.Path((name,)), (op,))], report)
    assert not report.failed, report.found
    return compare_rules(base(name), new, ruleset(name), ruleset(name), COUNT, COUNT)


@cache
def addresses(name: str) -> list[tuple[str, str]]:
    """All labels that stand once in their declaration."""
    found = []
    for decl_name, decl in base(name).decls.items():
        for label in labels(decl):
            removed = rewrite(decl, lambda c, label=label: () if label_of(c) == label else None)  # type: ignore[misc]
            if label not in labels(removed) and sum(label_of(c) == label for c in walk(decl)) == 1:
                found.append((decl_name, label))
    return found


def path(*parts: str) -> ast.Path:
    return ast.Path(parts)


@pytest.mark.parametrize("name", GAMES)
def test_removing_a_clause(name: str) -> None:
    for decl, label in addresses(name):
        (found,) = laid(name, ast.RemoveOp(path(decl, label)))
        assert (found.kind, found.address, found.new) == ("removed", f"{decl}.{label}", None)


@pytest.mark.parametrize("name", GAMES)
def test_removing_a_declaration(name: str) -> None:
    for decl in base(name).decls:
        if decl not in ("game", "players"):
            found = laid(name, ast.RemoveOp(path(decl)))
            assert [(d.kind, d.address) for d in found if d.kind == "removed"] == [("removed", decl)]
            assert len(found) == 1


@runs(60)
@given(st.data())
def test_setting_a_parameter(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(["carolus-magnus", "domaine"]))
    decl = data.draw(st.sampled_from(base(name).all(ast.Parameter)))
    value = data.draw(rules.expressions)
    found = laid(name, ast.AssignOp(path(decl.name), value))
    assume(found)
    assert [(d.kind, d.address, d.declaration) for d in found] == [("changed", decl.name, decl.name)]
    assert found[0].notes[-1].endswith(print_expr(value))


@runs(100)
@given(st.data())
def test_changing_a_restriction(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(["carolus-magnus", "domaine"]))
    known = [(d, b) for d, b in addresses(name) if isinstance(labels(base(name).decls[d])[b], ast.Forbid | ast.Unless)]
    decl, label = data.draw(st.sampled_from(known))
    found = laid(name, ast.ReplaceClauseOp(path(decl, label), data.draw(rules.expressions)))
    assume(found)
    assert [(d.kind, d.address) for d in found] == [("changed", f"{decl}.{label}")]


@runs(100)
@given(st.data())
def test_putting_statements_in(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(["carolus-magnus", "domaine"]))
    kinds = ast.Choose | ast.Step | ast.Repeats | ast.Either
    known = [(d, b) for d, b in addresses(name) if isinstance(labels(base(name).decls[d])[b], kinds)]
    decl, label = data.draw(st.sampled_from(known))
    where = data.draw(st.sampled_from(["before", "after"]))
    stmt = ast.CallStatement(ast.Call(ast.Name("blow_the_horn"), (ast.Number(data.draw(st.integers(0, 9))),)))
    (found,) = laid(name, ast.InsertOp(where, path(decl, label), (stmt,)))  # type: ignore[arg-type]
    assert (found.kind, found.declaration, found.old) == ("added", decl, None)
    assert found.new is not None
    assert found.new.text.startswith("blow_the_horn(")


@runs(60)
@given(st.data())
def test_adding_restrictions(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(["carolus-magnus", "domaine"]))
    known = [(d, b) for d, b in addresses(name) if isinstance(labels(base(name).decls[d])[b], ast.Choose)]
    decl, label = data.draw(st.sampled_from(known))
    clause = ast.Forbid("brand_new", data.draw(rules.expressions), ())
    (found,) = laid(name, ast.ExtendOp(path(decl, label), (clause,)))
    assert (found.kind, found.address) == ("added", f"{decl}.brand_new")


# ------------------------------------------------------------------------------------ text that says the same


def decorated(node: Any, number: list[int]) -> Any:
    """A tree with comments and blank lines everywhere; its citations stay."""
    if isinstance(node, tuple):
        return tuple(decorated(part, number) for part in node)
    if not isinstance(node, ast.Node):
        return node
    changed: dict[str, Any] = {
        f.name: decorated(getattr(node, f.name), number) for f in dataclasses.fields(node) if f.name != "span"
    }
    if isinstance(node, ast.Clause) and not isinstance(node, ast.File):
        number[0] += 1
        changed["trivia"] = dataclasses.replace(
            node.trivia, comments=(f"remark {number[0]}",), behind="so be it", gap=number[0] % 3 == 0
        )
    return dataclasses.replace(node, **changed)


@pytest.mark.parametrize("name", ["carolus-magnus", "domaine"])
def test_comments_and_order_of_declarations_do_not_count(name: str, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(ROOT / "rulesets" / name, tmp_path / name))
    for file in folder.glob("*.rules"):
        tree = decorated(parse(file.read_text("utf-8"), str(file)).file, [0])
        tree = dataclasses.replace(tree, decls=reordered(tree.decls))
        text = print_file(tree)
        assert text != file.read_text("utf-8")
        assert "# so be it" in text
        file.write_text(text, encoding="utf-8")
    found = rw.compare(ROOT / "rulesets" / name, folder)
    assert found.differences == ()
    assert found.cited == ()


def reordered(decls: tuple[Any, ...]) -> tuple[Any, ...]:
    """The other way round, but for what is looked at in the order written."""
    watched = [d for d in decls if isinstance(d, ast.Consequence | ast.End)]
    others = [d for d in decls if not isinstance(d, ast.Consequence | ast.End)]
    assert all(name_of(d) for d in watched)
    return (*reversed(others), *watched)
