"""The lint rules are found by looking into their folders, and are those of the registry of codes."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest
from language_helpers import write

import rulewright as rw
from rulewright.diagnostics.codes import CODES
from rulewright.findings.text import linter, rules

RULES = Path(linter.__file__).parent / "rules"
FILES = sorted(path for path in RULES.glob("*.py") if path.name != "__init__.py")


def test_each_lint_rule_of_the_registry_is_found() -> None:
    assert [rule.code for rule in linter.all_rules()] == [code for code, known in CODES.items() if known.name]


@pytest.mark.parametrize("code", ["REF999", "REF001"])
def test_a_code_that_is_no_lint_rule_of_the_registry_is_refused(code: str) -> None:
    with pytest.raises(TypeError, match=f"{code} is no code of a lint rule"):
        linter.lint(code)


def test_modules_are_no_larger_than_can_be_seen_at_once() -> None:
    assert {path.stem: rules for path in FILES if (rules := path.read_text("utf-8").count("\n@lint")) > 12} == {}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_rule_needs_no_other_rule(path: Path) -> None:
    """A helper that two of them need belongs to the analyses."""
    tree = ast.parse(path.read_text("utf-8"))
    modules = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    assert [name for name in modules if name.startswith("rulewright.findings.text.rules")] == []


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
    ("text", "message"),
    [
        ("", "zebra holds no lint rule"),
        ("one = lint('REF014')(list)\n", "REF014 is called `unused-definition`, so its function must be, too"),
        ("todo_comment = lint('STY703')(list)\n", "there are two lint rules for STY703"),
    ],
)
def test_a_module_without_lint_rules_or_with_wrong_ones_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, message: str
) -> None:
    (tmp_path / "zebra.py").write_text(f"from rulewright.findings.text.context import lint\n{text}")
    monkeypatch.setattr(rules, "__path__", [*rules.__path__, str(tmp_path)])
    monkeypatch.delitem(sys.modules, f"{rules.__name__}.zebra", raising=False)
    with pytest.raises(TypeError, match=message):
        linter.all_rules.__wrapped__()
    sys.modules.pop(f"{rules.__name__}.zebra", None)
