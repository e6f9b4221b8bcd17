"""``python -m rulewright_tools.scaffold``: what it writes works at once; tried in a copy of what it writes into."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from rulewright.diagnostics.codes import CODES

ROOT = Path(__file__).parents[2]
PARTS = (
    *("interpreter", "tools", "grammar", "schemas", "docs/diagnostics", "docs/guide/linting.md", "pyproject.toml"),
    *("tests/conftest.py", "tests/sampling.py", "tests/verifier.py", "tests/language"),
    *("tests/data/test_pages.py", "tests/docs/test_linting_page.py"),
)
FREE = next(code for number in range(100, 1000) if (code := f"CTL{number}") not in CODES)
"""A code that no rule has."""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    for part in PARTS:
        target = tmp_path / part
        target.parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / part).is_dir():
            shutil.copytree(ROOT / part, target)
        else:
            shutil.copy(ROOT / part, target)
    return tmp_path


def run(root: Path, *args: str) -> subprocess.CompletedProcess[str]:
    env = os.environ | {"PYTHONPATH": f"{root / 'interpreter'}{os.pathsep}{root / 'tools'}"}
    return subprocess.run([sys.executable, *args], cwd=root, env=env, capture_output=True, text=True, timeout=200)


def scaffold(root: Path, *args: str) -> subprocess.CompletedProcess[str]:
    return run(root, "-m", "rulewright_tools.scaffold", "lint", *args)


def pytest_of(root: Path, *args: str) -> subprocess.CompletedProcess[str]:
    return run(root, "-m", "pytest", "-n", "0", "-q", "-p", "no:cacheprovider", *args)


def test_a_new_lint_rule_is_at_work(checkout: Path) -> None:
    made = scaffold(checkout, FREE, "never-asked", "--title", "a question that is never asked", "--severity", "info")
    assert (made.returncode, made.stderr) == (0, "")
    rule = checkout / "interpreter/rulewright/findings/text/rules/control_flow.py"
    for path in (
        str(rule.relative_to(checkout)),
        f"docs/diagnostics/{FREE}.md",
        "tests/language/cases/lint_never_asked.cases",
    ):
        assert f"wrote {path}" in made.stdout
        assert (checkout / path).is_file()
    tests = (
        "language/test_lint_rules.py",
        "language/test_language_cases.py",
        "docs/test_linting_page.py",
        "data/test_pages.py",
    )
    words = f"never_asked or {FREE} or registry or each_code or unique or step or severities"
    good = pytest_of(checkout, "--update-goldens", *(f"tests/{file}" for file in tests), "-k", words)
    assert good.returncode == 0, good.stdout
    row = f"| [{FREE}](../diagnostics/{FREE}.md) | a question that is never asked | remark |"
    assert row in (checkout / "docs/guide/linting.md").read_text("utf-8").splitlines()

    # The case is a real one: a rule that finds nothing fails, and says where.
    rule.write_text(rule.read_text("utf-8").replace('== "change_me"', '== "changed"'), encoding="utf-8")
    bad = pytest_of(checkout, "tests/language/test_language_cases.py", "-k", "never_asked")
    assert bad.returncode == 1
    assert f"game.rules:1: I: {FREE}" in bad.stdout


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["REF014", "never-asked"], "REF014 is taken"),
        (["REF099", "unused-definition"], "there is a lint rule `unused-definition` already"),
        (["XYZ001", "never-asked"], "no code begins with XYZ; there are SYN, REF"),
        ([FREE.lower(), "never-asked"], f"'{FREE.lower()}' cannot be a code"),
        ([FREE, "Never_asked"], "'Never_asked' cannot be the name of a lint rule"),
        ([FREE, "never-asked", "--title", 'a "question"'], "cannot be a title"),
        ([FREE, "never-asked", "--group", "elsewhere"], "there is no module 'elsewhere'"),
        (["SAV099", "never-asked"], "say with --group where it belongs"),
        ([FREE, "never-asked", "--root", "docs"], "docs is not a checkout of Rulewright"),
    ],
)
def test_what_cannot_be_made_is_refused(
    args: list[str], said: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from rulewright_tools.scaffold import app

    def written(path: Path, text: str) -> None:
        pytest.fail(f"{path} was written")

    monkeypatch.setattr("rulewright_tools.scaffold.write_file", written)
    monkeypatch.chdir(ROOT)
    with pytest.raises(SystemExit) as left:
        app(["lint", *args])
    assert left.value.code == 2
    assert said in " ".join(capsys.readouterr().err.split())
