"""``rulewright check`` with files of variants that no manifest lists: named beside their ruleset, or alone."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import rulewright as rw

from .conftest import RULESETS, Run
from .test_processes import finish, start

SHORT = 'variant "Shorter" of {game}\n    set goal = 2\n'
RULES = """\
game race
players 2

param goal = 5
field steps[Player]: 0..9 = 0

procedure play
    repeat
        each p in players
            steps[p] += 1

end first_there for p in players when steps[p] >= goal
    finish with winner p
"""


@pytest.fixture
def race(tmp_path: Path) -> Path:
    folder = tmp_path / "games" / "race"
    folder.mkdir(parents=True)
    (folder / "ruleset.json").write_text('{"name": "race", "title": "Race", "rules": ["game.rules"]}')
    (folder / "game.rules").write_text(RULES)
    return folder


def variant(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def codes(run: Run, *args: object, severity: str = "") -> list[tuple[str, str]]:
    found = run("check", *args, "--format", "json").json["diagnostics"]
    found = [one for one in found if one["severity"] == severity or not severity]
    return [(one["code"], Path(one["file"] or "").name) for one in found]


def test_a_variant_is_taken_in(run: Run, race: Path, tmp_path: Path) -> None:
    assert run("check", race).code == 0
    good = variant(tmp_path / "elsewhere" / "far" / "short.rules", SHORT.format(game="race"))
    assert run("check", race, "--variant", good).out == "1 ruleset checked, nothing found\n"
    bad = variant(tmp_path / "bad.rules", SHORT.format(game="race").replace("goal", "gaol"))
    assert codes(run, race, "--variant", bad) == [("VAR401", "bad.rules")]
    broken = variant(tmp_path / "broken.rules", 'variant "B" of race\n    set goal = = 2\n')
    assert codes(run, race, "--variant", broken) == [("SYN001", "broken.rules")]
    assert codes(run, race, "--variant", "Shorter") == [("VAR407", "")]
    other = variant(tmp_path / "other.rules", SHORT.format(game="chess"))
    assert codes(run, race, "--variant", other) == [("VAR401", "other.rules")]


def test_several_are_also_laid_over_each_other(run: Run, race: Path, tmp_path: Path) -> None:
    one = variant(race.parent / "one.rules", 'variant "Low" of race\n    set goal = 2\n')
    other = variant(race.parent / "other.rules", 'variant "High" of race\n    set goal = 9\n')
    assert run("check", race, "-v", one).code == run("check", race, "-v", other).code == 0
    assert [code for code, _ in codes(run, race, "-v", one, "-v", other)] == ["VAR402"]
    assert run("check", one, other).code == 0, "named as paths, each is one change of the game"


@pytest.mark.parametrize(
    "place", ["games/race/unlisted.rules", "games/short.rules", "short.rules", "games/mine/short.rules"]
)
def test_a_file_knows_its_game(run: Run, race: Path, tmp_path: Path, place: str) -> None:
    """In the ruleset's folder, beside it, above it, and in a folder beside that."""
    if place == "short.rules":
        race = race.rename(tmp_path / "race")
    file = variant(tmp_path / place, SHORT.format(game="race"))
    assert codes(run, file) == []
    file.write_text(SHORT.format(game="race").replace("goal", "gaol"))
    assert ("VAR401", file.name) in codes(run, file)


def test_what_a_file_in_the_folder_of_its_game_names_is_used(run: Run, race: Path) -> None:
    """The file that was given and the table beside it; what nobody has named is not."""
    brings = '    add enum Omen from "omens.json"\n    add param first_omen: Omen = storm\n'
    file = variant(race / "ideas" / "omens.rules", SHORT.format(game="race") + brings)
    variant(race / "ideas" / "omens.json", '{"rows": [{"name": "storm"}, {"name": "calm"}]}')
    assert "DAT030" not in [code for code, _ in codes(run, file)]
    assert "DAT030" not in [code for code, _ in codes(run, race, "--variant", file)]
    variant(race / "ideas" / "other.json", "{}")
    assert ("DAT030", "other.json") in codes(run, race, "--variant", file)


def test_a_shipped_game_as_process(tmp_path: Path) -> None:
    file = variant(tmp_path / "quick.rules", 'variant "Quick" of carolus_magnus\n    set castles_to_win = = 3\n')
    code, out, _ = finish(start("check", file, "--format", "json"))
    assert (code, [one["file"] for one in json.loads(out)["diagnostics"]]) == (1, [file.as_posix()])
    file.write_text('variant "Quick" of carolus_magmus\n    set castles_to_win = 3\n')
    code, out, err = finish(start("check", file))
    assert (code, out) == (2, "")
    assert "error[DAT021]: there is no ruleset `carolus_magmus`" in err
    assert f"{file.as_posix()}:1:1" in err
    assert "did you mean `carolus_magnus`?" in err


def test_a_near_ruleset_goes_before_a_shipped_one(run: Run, tmp_path: Path, copied: Callable[[str], Path]) -> None:
    rules = copied("tic-tac-toe") / "game.rules"
    rules.write_text(rules.read_text() + "\nparam nearby = 1\n")
    file = variant(tmp_path / "near.rules", 'variant "Near" of tic_tac_toe\n    set nearby = 2\n')
    assert "VAR401" not in [code for code, _ in codes(run, file)]
    (tmp_path / "tic-tac-toe" / "ruleset.json").unlink()
    assert codes(run, file) == [("VAR401", "near.rules")]


def test_a_file_that_is_no_variant(run: Run, tmp_path: Path) -> None:
    plain = run("check", variant(tmp_path / "a.rules", "param x = 1\n"))
    assert (plain.code, "belongs to no ruleset" in plain.err) == (2, True)
    misspelt = run("check", variant(tmp_path / "b.rules", 'varaint "Quick" of race\n    set goal = 3\n'))
    assert misspelt.code == 2
    assert "is not a word of the language" in misspelt.err, "the cause is told, too"
    listed = RULESETS / "carolus-magnus" / "variants" / "short-reign.rules"
    assert rw.rulesets.changed_ruleset(listed) is None


def test_only_the_file_that_is_named_is_mended(run: Run, race: Path, tmp_path: Path) -> None:
    (race / "game.rules").write_text(RULES.replace("players 2", "players  2"))
    file = variant(race.parent / "short.rules", SHORT.format(game="race").replace("set goal", "set  goal"))
    assert run("check", file, "--fix").code == 0
    assert file.read_text() == SHORT.format(game="race")
    assert "players  2" in (race / "game.rules").read_text()
    run("check", race, file, "--fix")
    assert "players 2" in (race / "game.rules").read_text()


def test_a_listed_file_is_taken_in_once(run: Run) -> None:
    folder = RULESETS / "carolus-magnus"
    ruleset, titles = rw.rulesets.with_variants(folder, [str(folder / "variants" / "short-reign.rules")])
    assert titles == ("Short reign",)
    assert len(ruleset.of_role("variant")) == 2


DECK = """\
variant "Omens" of race
    add enum Omen from "omens.json"
    add piece Card from "cards/deck.csv"
        omen: Omen
        named "{omen} card"
        begins in pile
    add map Isle: hexes from "isle.json" of Bay
    add place Bay
    add zone pile: stack of Card, seen by everyone
    replace first_there.when: steps[p] >= goal or size({c in pile where c.omen is storm}) > 2 + size(Bay)
"""


def errors(run: Run, *args: object) -> list[tuple[str, str]]:
    return codes(run, *args, severity="error")


def test_data_is_looked_for_beside_the_file_that_names_it(run: Run, race: Path, tmp_path: Path) -> None:
    """Tables of enums and pieces, and maps; a table of the ruleset's own folder if there is none beside the file."""
    apart = race.parent / "mine"
    omens = variant(apart / "omens.rules", DECK)
    assert errors(run, omens).count(("DAT002", "omens.rules")) == 3
    variant(apart / "omens.json", '{"rows": [{"name": "storm"}, {"name": "calm"}]}')
    variant(apart / "isle.json", '{"shape": "hexes", "radius": 0}')
    deck = variant(apart / "cards" / "deck.csv", "omen,count\nstorm,1\ncalm,1\n")
    assert errors(run, omens) == []
    assert errors(run, race, "--variant", omens) == []
    one = rw.open_ruleset(omens)
    assert {path.name for path in one.data_beside} == {"omens.json", "isle.json", "deck.csv"}
    assert run("simulate", omens, "--games", "1", "--format", "json").code == 0
    before = one.digest
    deck.write_text("omen,count\nstorm,1\ncalm,2\n")
    assert rw.open_ruleset(omens).digest != before, "what is kept of the game before is not taken for this one"
    (race / "omens.json").write_text('{"rows": [{"name": "storm"}, {"name": "calm"}, {"name": "fog"}]}')
    (apart / "omens.json").unlink()
    assert errors(run, omens) == []


def test_equal_names_beside_two_files_are_two_tables(run: Run, race: Path, tmp_path: Path) -> None:
    for name, kind, count in (("one", "Coin", 2), ("other", "Gem", 3)):
        lines = f'variant "{name}" of race\n    add piece {kind} from "deck.json"\n        named "{kind}"\n'
        lines += f"        begins in box_{name}\n    add zone box_{name}: set of {kind}, seen by everyone\n"
        lines += f"    add end all_{name} when size(box_{name}) > 5\n        finish with winner players\n"
        variant(tmp_path / name / "v.rules", lines)
        variant(tmp_path / name / "deck.json", json.dumps({"rows": [{"count": count}]}))
    both = [str(tmp_path / name / "v.rules") for name in ("one", "other")]
    assert {u.name: u.size for u in rw.load(race, variants=both).program.universes}["Piece"] == 2 + 3


def test_pairs_of_variants_but_those_that_exclude_each_other(tmp_path: Path, run: Run) -> None:
    file = tmp_path / "ends.rules"
    text = 'variant "Long" of baron\n    set last_turns = 3\nvariant "Short" of baron{}\n    set last_turns = 1\n'
    file.write_text(text.format(""))
    assert run("check", file).code == 0
    done = run("check", file, "--pairs")
    assert done.code == 1
    assert 'where one cannot be played with the other: `excludes "Long"`' in done.out
    file.write_text(text.format(', excludes "Long"'))
    assert run("check", file, "--pairs").code == 0
    assert run("check", "baron", "--variant", file, "--pairs").code == 0
    refused = run("simulate", "baron", "--variant", file, "--games", 1)
    assert refused.code == 2
    assert "`Long` and `Short` exclude each other" in refused.err
