"""Rulesets above the limits are refused by name, those within are checked; ``docs/guide/limits.md`` lists the limits.

The limits are made small here: what is counted is the same, and the tests stay quick. How long it takes at full size is
measured by ``hostile_rulesets.py``.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import hostile_kinds as kinds
import pytest

import rulewright as rw
from rulewright import compiler
from rulewright.compiler import player_counts, sources
from rulewright.compiler.scenarios import compile_cache
from rulewright.data import json_positions, schema_checks, schema_keywords
from rulewright.data.csv_positions import parse as parse_csv
from rulewright.diagnostics import suggestions
from rulewright.diagnostics.suggestions import did_you_mean
from rulewright.foundation import limits

ROOT = Path(__file__).parents[2]

Make = Callable[[int], kinds.Files]


BOUND: dict[str, tuple[str, int, Make, int, str, str]] = {
    # which limit, how small, what is made, how large, the code, words of the message
    "values of JSON": ("JSON_VALUES", 60, kinds.rows_of_numbers, 15, "LIM001", "values and keys"),
    "cells of CSV": ("TABLE_CELLS", 20, kinds.rows_of_csv, 18, "LIM001", "cells are in this table"),
    "statements": ("JSON_VALUES", 100, kinds.statements, 8, "LIM001", "values and keys"),
    "files": ("FILES", 5, kinds.files_of_rules, 4, "LIM001", "files are listed here"),
    "declarations": ("DECLARATIONS", 20, kinds.parameters, 17, "LIM001", "declarations are in this ruleset"),
    "enums": ("DECLARATIONS", 20, kinds.enums, 17, "LIM001", "declarations are in this ruleset"),
    "variants": ("VARIANTS", 5, kinds.variants, 5, "LIM001", "variants are in this ruleset"),
    "scenarios": ("SCENARIOS", 5, kinds.scenarios, 5, "LIM001", "scenarios are in this ruleset"),
    "changes": ("CHANGES", 5, kinds.changes_of_one_thing, 5, "LIM001", "changes are in this ruleset"),
    "blocks for players": ("CHANGES", 5, kinds.blocks_for_players, 5, "LIM001", "changes are in this ruleset"),
    "maps": ("MAPS", 2, kinds.small_maps, 2, "LIM001", "maps are in this ruleset"),
    "kinds of pieces": ("KINDS", 5, kinds.kinds_of_pieces, 5, "LIM001", "kinds of pieces are in this ruleset"),
    "kinds of kinds": ("KINDS", 6, kinds.kinds_of_kinds, 5, "LIM001", "kinds of pieces are in this ruleset"),
    "growing maps": ("MAPS", 1, kinds.small_growing_maps, 1, "LIM001", "maps are in this ruleset"),
    "places": ("ALL_PLACES", 20, kinds.small_maps, 2, "LIM001", "places are on this map and those"),
    "cases": ("CLAUSES", 30, kinds.cases, 25, "LIM001", "clauses are in this declaration"),
    "modifiers": ("CLAUSES", 30, kinds.modifiers, 25, "LIM001", "clauses are in this declaration"),
    "branches": ("CLAUSES", 30, kinds.branches, 12, "LIM001", "clauses are in this declaration"),
    "nodes": ("NODES", 200, kinds.one_name_often, 40, "LIM001", "words, operators and clauses"),
    "attributes": ("ATTRIBUTES", 10, kinds.attributes_in_a_chain, 9, "LIM001", "attributes are on each piece"),
    "printed": ("PRINTED", 10, kinds.rows_of_numbers, 10, "LIM001", "attributes are printed"),
    "suppressions": ("SUPPRESSIONS", 5, lambda n: kinds.suppressions(n * 10), 5, "LIM001", "suppressions"),
    "procedures in a chain": ("CALLS", 5, kinds.procedures_in_a_chain, 3, "SYN004", "call each other in a chain"),
    "effects in a chain": ("CALLS", 5, kinds.effects_in_a_chain, 3, "SYN004", "call each other in a chain"),
    "possible in a chain": ("CALLS", 5, kinds.possible_in_a_chain, 4, "SYN004", "call each other in a chain"),
    "queries in a chain": ("ASKS", 5, kinds.queries_in_a_chain, 4, "SYN004", "queries ask each other in a chain"),
    "characters": ("RULES_CHARACTERS", 300, kinds.long_comment, 100, "SYN005", "too large"),
    "all characters": ("ALL_CHARACTERS", 300, kinds.files_of_rules, 12, "LIM001", "characters are in the rules files"),
    "all tokens": ("ALL_TOKENS", 60, kinds.files_of_rules, 6, "LIM001", "words and signs are in the rules files"),
    "blocks": ("BLOCKS", 5, kinds.nested_blocks, 3, "SYN004", "blocks are nested deeper than 5"),
    "brackets": ("BRACKETS", 5, kinds.brackets, 5, "SYN004", "brackets are nested deeper than 5"),
    "operators": ("EXPRESSION_DEPTH", 9, kinds.nots, 7, "SYN004", "nested too deep"),
    "sums": ("EXPRESSION_DEPTH", 9, kinds.long_sum, 8, "SYN004", "nested too deep"),
    "a clause": ("CLAUSE_TOKENS", 60, kinds.long_sum, 20, "SYN005", "too long"),
    "nested data": ("JSON_DEPTH", 5, kinds.nested_objects, 2, "DAT008", "nested more than 5 deep"),
}


def found_in(folder: Path, files: kinds.Files) -> list[rw.Diagnostic]:
    try:
        return rw.check(rw.open_ruleset(kinds.write(folder, files)))
    except rw.RulesetError as error:
        return list(error.diagnostics)


def codes_of(folder: Path, files: kinds.Files) -> set[str]:
    return {d.code for d in found_in(folder, files)}


@pytest.mark.parametrize("name", BOUND)
def test_just_within_it_is_checked(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    limit, most, make, size, code, words = BOUND[name]
    monkeypatch.setattr(limits, limit, most)
    found = found_in(tmp_path, make(size))
    assert [d.message for d in found if d.code == code and words in d.message] == []


@pytest.mark.parametrize("name", BOUND)
def test_beyond_it_is_refused(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    limit, most, make, size, code, words = BOUND[name]
    monkeypatch.setattr(limits, limit, most)
    found = [d for d in found_in(tmp_path, make(size * 4)) if d.code == code and words in d.message]
    assert len(found) == 1
    assert found[0].is_error
    assert found[0].span.file.startswith(tmp_path.as_posix())
    assert found[0].span.line > 0
    if code == "LIM001":
        assert re.search(
            rf"[\d,]+ {re.escape(words.split(' ')[-1])}|[\d,]+ .* and at most {most:,} are allowed", found[0].message
        )


def test_nothing_is_compiled_of_what_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object) -> None:
        raise AssertionError("this was compiled")

    monkeypatch.setattr(limits, "DECLARATIONS", 20)
    monkeypatch.setattr(compiler, "Compiler", never)
    monkeypatch.setattr(compiler, "collect", never)
    assert codes_of(tmp_path, kinds.parameters(30)) == {"LIM001"}


# ------------------------------------------------------------------------------------------------------- games


def test_games_beyond_the_budget_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "GAMES_EFFORT", 10 * (limits.GAME_EFFORT + 20))
    ruleset = rw.open_ruleset(
        kinds.write(
            tmp_path,
            kinds.ruleset("param a = 1\n" + kinds.many('variant "v {i}" of hostile\n    set a = {j}', 3), "1 to 6"),
        )
    )
    source = sources(ruleset)
    found = [d for d in rw.check(ruleset, source) if d.code == "LIM002"]
    assert len(found) == 1
    left = 24 - len(source.compiled)
    assert 0 < left < 18, "each number of players is checked at least without a variant"
    assert found[0].message.startswith(f"{left} of 24 games ")
    assert "6 players with v 1" in found[0].notes[0]
    assert found[0].severity is rw.Severity.WARNING


def test_scenarios_beyond_the_budget_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "SCENARIOS_EFFORT", 5 * (limits.GAME_EFFORT + 20))
    found = [d for d in found_in(tmp_path, kinds.scenarios_with_options(12)) if d.code == "LIM002"]
    assert len(found) == 1
    assert re.match(r"[1-9] of 12 scenarios are not checked", found[0].message)
    assert "number 11" in found[0].notes[0]


def test_scenarios_of_one_game_cost_it_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "SCENARIOS_EFFORT", 5 * limits.GAME_EFFORT)
    assert "LIM002" not in codes_of(tmp_path, kinds.scenarios(30))


@pytest.mark.parametrize("folder", rw.shipped_rulesets(), ids=lambda f: f.name)
def test_shipped_rulesets_are_far_within(folder: Path) -> None:
    ruleset = rw.open_ruleset(folder)
    source = sources(ruleset)
    counted = compile_cache.Budget(source, 0, "games")
    games = len(player_counts(source.rules)) * (1 + len(source.variants))
    for _ in range(games):
        counted.spend(None)
    assert counted.spent <= limits.GAMES_EFFORT * 0.7
    assert len(source.rules.decls) <= limits.DECLARATIONS / 2
    assert len(source.rules.scenarios) <= limits.SCENARIOS / 2
    assert ruleset.characters <= limits.ALL_CHARACTERS / 2
    assert ruleset.tokens <= limits.ALL_TOKENS * 0.6
    assert [d for d in source.findings if d.code == "LIM001"] == []


# ---------------------------------------------------------------------------------------------------- findings


def test_of_many_findings_the_first_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "FINDINGS", 10)
    found = found_in(tmp_path, kinds.ruleset(kinds.many("param a{i} = 1", 30) + "query q() -> Int = a1"))
    assert len(found) == 11
    assert found[-1].code == "LIM003"
    assert found[-1].message.startswith("and 21 more findings")


def test_errors_go_before_warnings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "FINDINGS", 5)
    rules = (
        "field gold[Player]: Int\n"
        + kinds.many("query q{i}(gold: Int) -> Int = gold", 20)
        + "query q() -> Int = nobody\n"
    )
    found = found_in(tmp_path, kinds.ruleset(rules))
    assert "REF001" in [d.code for d in found]


def test_a_game_with_many_errors_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "GAME_FINDINGS", 7)
    found = found_in(tmp_path, kinds.typos(50))
    assert [d.code for d in found].count("REF001") == 7
    assert "LIM003" in [d.code for d in found]


def test_guesses_are_made_among_few_names(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[int] = []
    real = suggestions.get_close_matches

    def counted(word: str, names: tuple[str, ...], n: int, cutoff: float) -> list[str]:
        compared.append(len(names))
        return real(word, names, n, cutoff)

    monkeypatch.setattr(suggestions, "get_close_matches", counted)
    names = [f"name_{i:05}" for i in range(20_000)]
    assert did_you_mean("name_0123x", names).startswith("did you mean `name_01")
    assert did_you_mean("nothing_like_it_at_all", names) == ""
    assert max(compared) <= limits.GUESSED


def test_data_findings_are_few(tmp_path: Path) -> None:
    found = found_in(tmp_path, kinds.unknown_keys(3_000))
    assert len(found) == limits.DATA_FINDINGS + 1
    assert [d.code for d in found].count("DAT019") == 1


# ------------------------------------------------------------------------------------------------------- JSON


@pytest.mark.parametrize(
    "items, same",
    [
        ([1, 1.0], True), ([1, True], False), ([0, False], False), ([{"a": 1, "b": 2}, {"b": 2, "a": 1}], True),
        ([{"a": 1}, {"a": 2}], False), ([[1], [1]], True), (["1", 1], False), ([None, None], True), ([], False),
    ],
)  # fmt: skip
def test_unique_items_means_what_the_standard_says(items: list[object], same: bool) -> None:
    made = schema_keywords.Validator({"type": "array", "uniqueItems": True})
    assert (not made.is_valid(items)) == same


def test_unique_items_looks_at_each_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = 0
    real = schema_keywords.comparable

    def counted(item: object) -> object:
        nonlocal asked
        asked += 1
        return real(item)

    monkeypatch.setattr(schema_keywords, "comparable", counted)
    assert schema_keywords.Validator({"uniqueItems": True}).is_valid([{"n": i} for i in range(2_000)])
    assert asked == 2_000


def test_forms_mean_what_the_standard_says() -> None:
    made = schema_keywords.Validator({"anyOf": [{"type": "integer", "maximum": 3}, {"type": "string", "maxLength": 2}]})
    assert [made.is_valid(v) for v in (3, 4, "ab", "abc", True, None, 2.0, 2.5)] == [
        True, False, True, False, False, False, True, False,
    ]  # fmt: skip
    one = schema_keywords.Validator({"oneOf": [{"type": "integer"}, {"minimum": 3}]})
    assert [one.is_valid(v) for v in (2, 5, 3.5)] == [True, False, True]


def test_quoted_signs_are_no_values(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "JSON_VALUES", 10)
    monkeypatch.setattr(limits, "TABLE_CELLS", 10)
    assert json_positions.JsonText('{"a": "' + ",:[" * 50 + '\\", "}', "a.json").value
    assert parse_csv('a,b\n"' + "," * 50 + '""",2\n', "a.csv").rows
    with pytest.raises(rw.RulesetError, match="LIM001"):
        json_positions.JsonText("[" + "1," * 50 + "1]", "a.json")


def test_a_large_good_table_needs_no_places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Places of cells are looked for only when something is said about them."""

    def never(*_: object) -> None:
        raise AssertionError("the places of the whole file were found")

    monkeypatch.setattr(json_positions._Reader, "read", never)
    text = kinds.rows_of_numbers(500)["cards.json"]
    schema_checks.validate(json_positions.JsonText(text, "cards.json"), "table")


# ------------------------------------------------------------------------------------------------------- page


def test_the_page_lists_all_limits() -> None:
    rows = re.findall(
        r"^\| `(\w+)` \| ([\d,]+) \| (.*?) \|", (ROOT / "docs" / "guide" / "limits.md").read_text("utf-8"), re.MULTILINE
    )
    listed = {name: (int(number.replace(",", "")), words) for name, number, words in rows}
    body = ast.parse((ROOT / "interpreter" / "rulewright" / "foundation" / "limits.py").read_text("utf-8")).body
    said = {
        one.targets[0].id: " ".join(two.value.value.split())
        for one, two in pairwise(body)
        if isinstance(one, ast.Assign) and isinstance(one.targets[0], ast.Name)
        and isinstance(two, ast.Expr) and isinstance(two.value, ast.Constant)
    }  # fmt: skip
    numbers = {name: value for name, value in vars(limits).items() if name.isupper() and isinstance(value, int)}
    assert listed == {name: (value, said[name]) for name, value in numbers.items()}


def test_every_limit_is_used() -> None:
    sources = "".join(p.read_text("utf-8") for p in (ROOT / "interpreter").rglob("*.py") if p.name != "limits.py")
    unused = [name for name in vars(limits) if name.isupper() and name != "NOWHERE" and f"limits.{name}" not in sources]
    assert unused == []
