"""The lint rules are found by looking into their folders, and are those of the registry of codes."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest
from language_helpers import write

import rulewright as rw
from rulewright.diagnostics.codes import CODES
from rulewright.lint import linter, rules

RULES = Path(linter.__file__).parent / "rules"
FILES = sorted(path for path in RULES.glob("*/*.py") if path.name != "__init__.py")


def test_each_lint_rule_of_the_registry_has_a_file() -> None:
    assert [rule.code for rule in linter.all_rules()] == [code for code, known in CODES.items() if known.name]
    names = [known.name.replace("-", "_") for known in CODES.values() if known.name]
    assert sorted(path.stem for path in FILES) == sorted(names)


@pytest.mark.parametrize("code", ["REF999", "REF001"])
def test_a_code_that_is_no_lint_rule_of_the_registry_is_refused(code: str) -> None:
    with pytest.raises(TypeError, match=f"{code} is no code of a lint rule"):
        linter.lint(code)


def test_folders_are_no_larger_than_can_be_seen_at_once() -> None:
    counts = {folder.name: len(list(folder.glob("*.py"))) for folder in RULES.iterdir() if folder.is_dir()}
    assert {name: count for name, count in counts.items() if count > 14} == {}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_rule_needs_no_other_rule(path: Path) -> None:
    """A helper that two of them need belongs to the analyses."""
    tree = ast.parse(path.read_text("utf-8"))
    modules = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    assert [name for name in modules if name.startswith("rulewright.lint.rules")] == []


def test_findings_do_not_depend_on_the_order_of_the_rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Analyses are made once, by whichever rule asks for them first."""
    rules = """game example
players 2
field  gold[Player]: 0.. = 3   # TODO
query lonely(p: Player, q: Player) -> Bool = gold[p] + 0 > 3 and gold[p] > 5 or not not false
procedure play
    let idle = 3
    finish with winner players
"""
    ruleset = rw.open_ruleset(write(tmp_path, rules))
    found = rw.check(ruleset)
    backwards = linter.all_rules()[::-1]
    monkeypatch.setattr(linter, "all_rules", lambda: backwards)
    assert rw.check(ruleset) == found
    assert len({d.code for d in found}) > 4


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "a file holds one lint rule, and this one holds 0"),
        ("one = lint('REF014')(list)\ntwo = lint('REF015')(list)\n", "and this one holds 2"),
        ("one = lint('REF014')(list)\n", "REF014 is called `unused-definition`, so its file must be, too"),
        ("one = lint('STY703')(list)\n", "there are two lint rules for STY703"),
    ],
)
def test_a_file_that_is_no_lint_rule_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, said: str
) -> None:
    name = "left_to_do" if "STY703" in text else "other"
    (tmp_path / "zebra").mkdir()
    (tmp_path / "zebra" / "__init__.py").touch()
    (tmp_path / "zebra" / f"{name}.py").write_text(f"from rulewright.lint.context import lint\n{text}")
    monkeypatch.setattr(rules, "__path__", [*rules.__path__, str(tmp_path)])
    for module in ("zebra", f"zebra.{name}"):
        monkeypatch.delitem(sys.modules, f"{rules.__name__}.{module}", raising=False)
    with pytest.raises(TypeError, match=said):
        linter.all_rules.__wrapped__()
    for module in ("zebra", f"zebra.{name}"):
        sys.modules.pop(f"{rules.__name__}.{module}", None)
