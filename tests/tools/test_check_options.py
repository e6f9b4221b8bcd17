"""``rulewright check`` with its options, and the catalogue of ``rulewright explain``."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import Run

GOOD = """\
game small
players 2

procedure play
    finish with winner players
"""


def small(folder: Path, rules: str) -> Path:
    """A ruleset of one file; returns the file."""
    folder.mkdir(exist_ok=True)
    manifest = '{"name": "small", "title": "Small", "rules": ["game.rules"]}'
    (folder / "ruleset.json").write_text(manifest, encoding="utf-8")
    (folder / "game.rules").write_bytes(rules.encode())
    return folder / "game.rules"


def test_exit_codes(run: Run, tmp_path: Path) -> None:
    small(tmp_path, GOOD)
    assert run("check", tmp_path).code == 0
    small(tmp_path, GOOD.replace("game small", "game  small"))
    remark = run("check", tmp_path)
    assert (remark.code, "info[STY701]" in remark.out) == (0, True)
    assert remark.err == "1 remark in 1 file; 1 can be fixed with --fix\n"
    assert run("check", tmp_path, "--strict").code == 1
    small(tmp_path, GOOD + "\nparam idle = 3\n")
    assert run("check", tmp_path).code == 1
    small(tmp_path, GOOD + "\nparam idle = gold\n")
    assert run("check", tmp_path).code == 1


def test_select_and_ignore(run: Run, tmp_path: Path) -> None:
    small(tmp_path, GOOD + "\nparam  idle = 3\n")

    def codes(*options: str) -> list[str]:
        return [d["code"] for d in run("check", tmp_path, "--format", "json", *options).json["diagnostics"]]

    assert sorted(codes()) == ["REF014", "STY701"]
    assert codes("--select", "REF") == ["REF014"]
    assert codes("--select", "sty701, DAT") == ["STY701"]
    assert codes("--select", "REF", "--select", "STY", "--ignore", "REF014") == ["STY701"]
    assert codes("--ignore", "REF,STY7") == []
    small(tmp_path, GOOD + "\nparam idle = gold\n")
    assert codes("--select", "STY") == ["REF001"], "errors are always told"


@pytest.mark.parametrize("options", [("--select", "XYZ"), ("--ignore", "REF9"), ("--select", ","), ("--unsafe-fixes",)])
def test_options_that_make_no_sense(run: Run, tmp_path: Path, options: tuple[str, ...]) -> None:
    small(tmp_path, GOOD)
    outcome = run("check", tmp_path, *options)
    assert outcome.code == 2
    assert options[0] in outcome.err


def test_fix_writes_and_diff_does_not(run: Run, tmp_path: Path) -> None:
    file = small(tmp_path, GOOD.replace("players 2", "players  2"))
    shown = run("check", tmp_path, "--diff")
    assert shown.code == 1
    assert "-players  2\n+players 2\n" in shown.out
    assert "players  2" in file.read_text()
    mended = run("check", tmp_path, "--fix")
    assert mended.code == 0
    assert mended.out.startswith("fixed ")
    assert "STY701" in mended.out
    assert file.read_text() == GOOD
    assert run("check", tmp_path, "--diff").out == ""
    assert run("check", tmp_path, "--diff").code == 0


def test_unsafe_fixes_must_be_asked_for(run: Run, tmp_path: Path) -> None:
    file = small(tmp_path, GOOD.replace("winner players", "winner everyon"))
    assert run("check", tmp_path, "--fix").code == 1
    assert "everyon\n" in file.read_text()
    assert run("check", tmp_path, "--fix", "--unsafe-fixes").code == 0
    assert "winner everyone\n" in file.read_text()


def test_only_selected_findings_are_mended(run: Run, tmp_path: Path) -> None:
    file = small(tmp_path, GOOD + "\nparam  idle = 3  # lint: ignore[REF014, REF015] kept\n")
    assert run("check", tmp_path, "--fix", "--select", "LNT").code == 0
    assert file.read_text() == GOOD + "\nparam  idle = 3  # lint: ignore[REF014] kept\n"


def test_line_ends_and_permissions_stay(run: Run, tmp_path: Path) -> None:
    file = small(tmp_path, GOOD.replace("players 2", "players  2").replace("\n", "\r\n"))
    file.chmod(0o640)
    assert run("check", tmp_path, "--fix").code == 0
    assert file.read_bytes() == GOOD.replace("\n", "\r\n").encode()
    assert file.stat().st_mode & 0o777 == 0o640


def test_json_of_fixes_is_a_report(run: Run, tmp_path: Path) -> None:
    small(tmp_path, GOOD.replace("players 2", "players  2") + "\nparam idle = 3\n")
    outcome = run("check", tmp_path, "--fix", "--format", "json")
    assert [d["code"] for d in outcome.json["diagnostics"]] == ["REF014"]
    assert outcome.json["diagnostics"][0]["fix"]["safe"] is False


def test_a_folder_that_cannot_be_mended(run: Run, tmp_path: Path) -> None:
    assert run("check", tmp_path / "nowhere", "--fix").code == 2
    small(tmp_path, GOOD)
    (tmp_path / "ruleset.json").write_text("{", encoding="utf-8")
    outcome = run("check", tmp_path, "--fix")
    assert outcome.code == 1
    assert "ruleset.json" in outcome.out


def test_the_catalogue(run: Run) -> None:
    listed = run("explain")
    assert listed.code == 0
    assert "REF014  warning  a definition that nothing uses\n" in listed.out
    data = run("explain", "--format", "json").json["codes"]
    by_code = {entry["code"]: entry for entry in data}
    assert by_code["REF014"]["name"] == "unused-definition"
    assert by_code["SYN001"]["severity"] == "error"
    assert len(data) == len(listed.out.splitlines())
    one = run("explain", "ref014", "--format", "json").json
    assert one["page"].startswith("# REF014: ")
    assert run("explain", "nonsense").code == 2


GOMOKU = """\
game small
players 2

place Point
map Board: grid 15 by 15 of Point
field stone[Point]: Player or none = none

procedure play
    repeat
        each p in players
            p chooses point from Point where stone[point] is none
            stone[point] = p

end five for p in players
        when some(c in Point, d in Direction
            where every(n in {0 .. 4} has stone[towards(c, d, n)] is p))
    finish with winner p
end full when count(c in Point where stone[c] is none) is 0
    finish with winner players
"""


def test_quiet_groups_are_told_where_they_are_selected(run: Run, tmp_path: Path) -> None:
    file = small(tmp_path, GOMOKU)
    assert run("check", tmp_path).out == "1 ruleset checked, nothing found\n"
    assert run("check", tmp_path, "--ignore", "STY").out == "1 ruleset checked, nothing found\n"
    told = run("check", tmp_path, "--select", "PERF")
    assert (told.code, told.err) == (0, "2 remarks in 1 file; 1 can be fixed with --fix --unsafe-fixes\n")
    assert "info[PERF901]: `five` goes through all of Point each time that it is looked for" in told.out
    assert "that are 225 places, and up to 10,800 conditions" in told.out
    codes = [
        d["code"] for d in run("check", tmp_path, "--select", "PERF904,REF", "--format", "json").json["diagnostics"]
    ]
    assert codes == ["PERF904"]
    run("check", tmp_path, "--select", "PERF904", "--fix", "--unsafe-fixes")
    assert "end full when no(c in Point where stone[c] is none)\n" in file.read_text("utf-8")


def test_a_suppression_of_a_quiet_group_is_idle_only_where_it_is_selected(run: Run, tmp_path: Path) -> None:
    kept = "            # lint: ignore[PERF901] as it is told in the book\n            stone[point] = p\n"
    small(tmp_path, GOMOKU.replace("            stone[point] = p\n", kept))
    assert run("check", tmp_path).out == "1 ruleset checked, nothing found\n"
    assert "LNT003" in run("check", tmp_path, "--select", "PERF,LNT").out
