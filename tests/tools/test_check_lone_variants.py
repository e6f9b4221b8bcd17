"""A file of variants that no manifest lists is checked without its ruleset: what is found is what a check of all finds
in it, and the errors that it causes elsewhere."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

import rulewright as rw
from rulewright.compiler.overlays.declaration_set import name_of
from rulewright.diagnostics import Diagnostic
from rulewright.findings.check import check_variants
from rulewright.findings.text import linter
from rulewright.findings.text.subject import Subject
from sampling import sample, thorough

from .conftest import RULESETS, Run

SWAPPED = {"<": ">", ">": "<", "+": "-", "and": "or", "true": "false", "1": "2", "2": "3", "is": "is not"}
HEADS = re.compile(r"^(procedure|effect|query|param|field|end|consequence|limits) (\w+)", re.MULTILINE)
LARGE = [name if name in ("baron", "carolus-magnus") else pytest.param(name, marks=thorough) for name in (
    "baron", "carolus-magnus", "domaine", "loewenherz", "kings-and-things",
)]  # fmt: skip


def declarations(folder: Path) -> list[tuple[str, str, str]]:
    """The declarations of a ruleset that variants change: word, name and text."""
    found = []
    for file in rw.open_ruleset(folder).of_role("rules"):
        for text in re.split(r"\n(?=\S)", file.text):
            if head := HEADS.match(text):
                found.append((head[1], head[2], re.sub(r" +(@\S+ ?)+|#.*", "", text).strip()))
    return found


def change(rng: random.Random, decls: list[tuple[str, str, str]]) -> str:
    """A line, or a few, of a variant."""
    word, name, text = rng.choice(decls)
    number = rng.randrange(100)
    if word == "param" and (value := re.search(r"= (\d+)", text)):
        return f"    set {name} = {int(value[1]) + rng.choice((0, 1, 5))}"
    if word in ("end", "consequence") and rng.random() < 0.5:
        return f"    remove {name}"
    if rng.random() < 0.2:
        more = (
            "query more_{0} -> Int = {0}",
            "field more_{0}: 0..9 = 0",
            "param more_{0} = {0}",
            "effect more_{0}: more_{0}",
        )
        return "    add " + rng.choice(more).format(number)
    words = re.split(r"(\w+|\W)", text)
    spots = [at for at, one in enumerate(words) if one in SWAPPED]
    if spots:
        at = rng.choice(spots)
        words[at] = SWAPPED[words[at]]
    return "    replace " + "".join(words).replace("\n", "\n    ")


def facts(found: list[Diagnostic]) -> list[tuple[object, ...]]:
    return sorted((one.span.file, one.span.line, one.span.column, one.code, one.message) for one in found)


@pytest.mark.parametrize("name", LARGE)
def test_the_findings_are_those_of_a_check_of_all(tmp_path: Path, name: str) -> None:
    folder, file = RULESETS / name, tmp_path / "some.rules"
    decls = declarations(folder)
    base = rw.check_folder(folder)
    told: set[str] = set()
    for seed in range(sample(4, 12)):
        rng = random.Random(f"{name} {seed}")
        parts = [f'variant "V{n}" of {name.replace("-", "_")}\n' + change(rng, decls) for n in range(2)]
        file.write_text("\n\n".join(parts) + "\n", "utf-8")
        ruleset, _ = rw.rulesets.with_variants(rw.open_ruleset(folder), [str(file)])
        whole = rw.check(ruleset)
        shown = rw.files.shown(file)
        found = check_variants(ruleset, [shown])
        text = file.read_text("utf-8")
        assert facts([*found.own]) == facts([one for one in whole if one.span.file == shown]), text
        caused = [one for one in whole if one.is_error and one.span.file != shown]
        assert facts([*found.caused]) == facts(caused)
        assert not found.beneath

        told.update(one.code for one in found.own)
    assert told or base, "some of these changes are remarked on"


def test_only_what_a_variant_changes_is_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The games with it, in these the declarations that it changes; and no scenario of the ruleset is read."""
    subjects: list[Subject] = []
    run = linter.run

    def watched(subject: Subject, also: frozenset[str]) -> list[Diagnostic]:
        subjects.append(subject)
        return run(subject, also)

    monkeypatch.setattr(linter, "run", watched)
    file = tmp_path / "few.rules"
    file.write_text('variant "Few" of carolus_magnus\n    set fewest_regions = 3\n', "utf-8")
    ruleset, _ = rw.rulesets.with_variants(file, ())
    assert check_variants(ruleset, [rw.files.shown(file)]).together == []
    (subject,) = subjects
    assert {game.variants for game in subject.games} == {("Few",)}
    assert all([name_of(decl) for decl in game.decls] == ["fewest_regions"] for game in subject.games)
    assert not any(source.is_read for source in ruleset.of_role("scenario"))


def test_what_is_changed_is_said_in_one_line_each(tmp_path: Path, run: Run) -> None:
    """Behind the findings, unless these are errors; of a ruleset that is named itself nothing is said."""
    file = tmp_path / "cheap.rules"
    file.write_text(
        'variant "Cheap" of baron\n    add query half(n: Int) -> Int = n / 2 rounded up\n'
        "    replace buy.assign_1: half(price(pick))\n    set last_turns = 3\n    remove take.duty\n"
        'variant "Same" of baron\n    set last_turns = 2\n'
    )
    told = run("check", file, "--ignore", "VAR").out
    assert told.split("\n\n", 1)[1].splitlines() == [
        '"Cheap" changes:',
        "  last_turns: param last_turns = 2 → param last_turns = 3",
        "  take.duty: - unless duty: price(pick) is min(price(t) for t in display)",
        "  buy: score[p] -= price(pick) → score[p] -= half(price(pick))",
        "  new: half",
        "",
        '"Same" changes nothing',
    ]
    assert "changes" not in run("check", "baron", "--variant", file, "--ignore", "VAR").out
    file.write_text('variant "Cheap" of baron\n    replace buy.asign_1: 2\n')
    assert "changes" not in run("check", file).all


def test_a_scenario_begins_at_one_of_the_ruleset(tmp_path: Path, run: Run) -> None:
    """The files of its scenarios are read only then, as they are for `test`."""
    file, title = tmp_path / "more.rules", "the first castle"
    text = 'variant "More" of carolus_magnus\n    set fewest_regions = 3\nscenario "mine"\n    from "{}"\n'
    text += '    variant "More"\n    start play\n'
    file.write_text(text.format(title))
    assert run("check", file).code == 0
    file.write_text(text.format(title[:-1]))
    assert f"did you mean `{title}`?" in run("check", file).all
