"""The plugin of pytest: rulesets that are wanted become items, all else stays as it was."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from chips import RULES, written

import rulewright_tools
from pytest_runs import run_pytest
from rulewright_tools import pytest_plugin

FINE = RULES.replace("chips[p] <= 4", "chips[p] <= 99")


def outcomes(text: str) -> list[tuple[str, str]]:
    return re.findall(r"^(\S+\.(?:rules|json|py)::.*?) (PASSED|FAILED)", text, re.MULTILINE)


def test_each_declaration_is_an_item_with_the_message_of_the_ruleset(tmp_path: Path) -> None:
    written(tmp_path / "all" / "chips")
    written(tmp_path / "all" / "fine", FINE.replace("in {1}", "in {2}"))
    done = run_pytest(tmp_path, "all", "-v")
    assert outcomes(done.stdout) == [
        ("all/chips/game.rules::invariant few", "FAILED"),
        ("all/chips/game.rules::property never_less", "PASSED"),
        ("all/chips/more.rules::variant More chips", "PASSED"),
        ("all/chips/more.rules::invariant even_fewer", "PASSED"),
        ("all/chips/more.rules::five at once", "FAILED"),
        ("all/chips/ruleset.json::games", "PASSED"),
        ("all/chips/scenario.rules::chips are added", "PASSED"),
        ("all/fine/game.rules::invariant few", "PASSED"),
        ("all/fine/game.rules::property never_less", "PASSED"),
        ("all/fine/more.rules::variant More chips", "PASSED"),
        ("all/fine/more.rules::invariant even_fewer", "PASSED"),
        ("all/fine/more.rules::five at once", "FAILED"),
        ("all/fine/ruleset.json::games", "PASSED"),
        ("all/fine/scenario.rules::chips are added", "PASSED"),
    ]
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    assert "all/chips/game.rules:21  invariant few for p in players: chips[p] <= 4" in lines
    assert any(line.startswith("STORY  the invariant `few` does not hold for ") for line in lines)
    assert any(line.startswith('scenario "turn.n = ') for line in lines)
    assert "  line      all/chips/more.rules:10  refused anna: n = 5" in lines
    assert "  expected  `5` is refused" in lines
    assert "Traceback" not in done.stdout
    assert "pytest_plugin.py" not in done.stdout


def test_a_ruleset_that_cannot_be_read_is_one_message(tmp_path: Path) -> None:
    written(tmp_path / "chips", RULES.replace("chips[p] += n", "chip[p] += n"))
    (tmp_path / "chips" / "stray.rules").write_text("nothing of sense\n", "utf-8")
    done = run_pytest(tmp_path, "chips")
    assert done.returncode == 2
    assert done.stdout.count("error[REF001]") == 1
    assert " --> chips/game.rules:16:5" in done.stdout
    assert "Traceback" not in done.stdout
    assert "1 error in" in done.stdout


def test_scenarios_that_cannot_be_read_have_failed(tmp_path: Path) -> None:
    """Each by its title, and a file without one by its name; the others run."""
    written(tmp_path / "chips", FINE)
    unread = 'scenario "odd"\n    players anna, bert\n    nonsense of words\n'
    (tmp_path / "chips" / "more.rules").write_text(unread, "utf-8")
    (tmp_path / "chips" / "scenario.rules").write_text("nothing of sense\n", "utf-8")
    done = run_pytest(tmp_path, "chips", "-v", "-k", "not games")
    assert outcomes(done.stdout) == [
        ("chips/game.rules::invariant few", "PASSED"),
        ("chips/game.rules::property never_less", "PASSED"),
        ("chips/more.rules::odd", "FAILED"),
        ("chips/scenario.rules::can be read", "FAILED"),
    ]
    assert "  line      chips/scenario.rules:1  nothing of sense" in done.stdout


def test_single_items_and_lone_variants(tmp_path: Path) -> None:
    written(tmp_path / "chips")
    lone = 'variant "One" of chips\n    set most = 1\n\n    add invariant low for p in players: chips[p] <= 4\n'
    (tmp_path / "one.rules").write_text(lone, "utf-8")
    words = ("one.rules", "chips/scenario.rules::chips are added", "-v", "--rulewright-games", "2")
    assert outcomes(run_pytest(tmp_path, *words).stdout) == [
        ("one.rules::variant One", "PASSED"),
        ("one.rules::invariant low", "FAILED"),
        ("chips/scenario.rules::chips are added", "PASSED"),
    ]


def test_nothing_is_collected_that_is_not_wanted(tmp_path: Path) -> None:
    """Rulesets beside tests are none of them, until the ini file names them; the library is not even imported."""
    written(tmp_path / "tests" / "chips")
    code = 'import sys\n\n\ndef test_alone():\n    assert "rulewright" not in sys.modules\n'
    (tmp_path / "tests" / "test_alone.py").write_text(code, "utf-8")
    for words in ((), ("tests",), ("tests", "-W", "error")):
        done = run_pytest(tmp_path, "-v", *words)
        assert outcomes(done.stdout) == [("tests/test_alone.py::test_alone", "PASSED")]
    (tmp_path / "pytest.ini").write_text("[pytest]\nrulewright_rulesets = tests/chips\nrulewright_games = 1\n", "utf-8")
    done = run_pytest(tmp_path, "-v", "-k", "added or alone")
    named = ["tests/chips/scenario.rules::chips are added", "tests/test_alone.py::test_alone"]
    assert [name for name, *_ in outcomes(done.stdout)] == named


def test_a_number_of_games_is_a_number(tmp_path: Path) -> None:
    written(tmp_path / "chips")
    (tmp_path / "pytest.ini").write_text("[pytest]\nrulewright_games = many\n", "utf-8")
    done = run_pytest(tmp_path, "chips")
    assert done.returncode == 4
    assert done.stderr.strip() == "ERROR: rulewright games: many is not a number of games"


def test_assertions_of_the_library_may_be_rewritten(tmp_path: Path) -> None:
    """As pytest does for a distribution with a plugin: names that are imported late are the same."""
    rewrite = 'import pytest\n\npytest.register_assert_rewrite("rulewright", "rulewright_tools", "rulewright_lab")\n'
    (tmp_path / "conftest.py").write_text(rewrite, "utf-8")
    code = (
        "import rulewright as rw\n\n\ndef test_late_names():\n"
        "    assert not {'rewrite', 'assertion', 'builtins'} & {*rw.__all__, *rw.reporting.__all__}\n"
        "    assert rw.load('tic-tac-toe').playout(1).state.result\n"
    )
    (tmp_path / "test_late.py").write_text(code, "utf-8")
    assert run_pytest(tmp_path).returncode == 0


def test_what_the_command_line_means(tmp_path: Path) -> None:
    folder = written(tmp_path / "all" / "chips")
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "conftest.py").touch()
    written(tmp_path / "tests" / "chips")
    meant = {
        "all": [tmp_path / "all"],
        "all/chips": [folder],
        "all/chips/game.rules::invariant few": [folder],
        "all/chips/ruleset.json": [folder],
        "lone.rules": [tmp_path / "lone.rules"],
        "tests": [],
        "tests/test_none.py": [],
        "tests/chips": [tmp_path / "tests" / "chips"],
        "nowhere": [],
    }
    assert {word: list(pytest_plugin._named(tmp_path, word)) for word in meant} == meant


@pytest.mark.parametrize("folder", ["tests", "tests/tools", "tests/engine"])
def test_tests_of_this_project_stay_as_they_are(folder: str) -> None:
    root = Path(rulewright_tools.__file__).parents[2]
    assert list(pytest_plugin._named(root, folder)) == []


def test_without_games_nothing_about_them_passes(tmp_path: Path) -> None:
    written(tmp_path / "chips")
    done = run_pytest(tmp_path, "chips", "-rs", "--rulewright-games", "0")
    assert "no games of the fuzzer are played" in done.stdout
    assert "1 passed" in done.stdout or "2 passed" in done.stdout
    assert "skipped" in done.stdout


def test_a_ruleset_of_the_ini_file_that_is_not_there(tmp_path: Path) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\nrulewright_rulesets = nowhere\n", "utf-8")
    done = run_pytest(tmp_path)
    assert done.returncode == 4
    assert "rulewright_rulesets: there is no " in done.stderr
