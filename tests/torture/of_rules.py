"""Rules: as text, as rulesets that are checked and mended, and as games that are played."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path

import seeds
import texts
from kinds import Kind, Outcome, refused
from suggestions import offers_what_stands_there
from syntax_helpers import trivia_of

import rulewright as rw
from rulewright.compiler import player_counts, sources
from rulewright.syntax import format_text, parse, print_file

DECISIONS = 200
"""Decisions that a changed game is played."""


def read(text: str, formatted: Callable[[str], None] = lambda _: None) -> Outcome:
    """Parse a text; if it is right, format it: the tree stays the same, and a second time changes nothing.

    That `fmt` is nothing but a parser and a printer is asked of some texts only, for parsing is what takes the time.
    """
    result = parse(text, "here")
    lines = text.count("\n") + 1
    for found in result.diagnostics:
        assert found.code.startswith("SYN"), found
        assert found.message, found
        assert 1 <= found.span.line <= lines, found
        assert found.span.column >= 1, found
        found.message.encode()
        assert not offers_what_stands_there(text, found), found
    if not result.ok:
        return refused([d.code for d in result.diagnostics])
    printed = print_file(result.file)
    again = parse(printed, "here")
    assert again.diagnostics == (), again.diagnostics
    assert again.file == result.file, "formatting changes the tree"
    assert print_file(again.file) == printed, "formatting twice is not formatting once"
    if len(text) % 16 == 0:
        assert format_text(text) == printed, "`fmt` does something else"
    formatted(printed)
    return Outcome("accepted")


class Rules(Kind):
    """Text that is nearly rules."""

    name = "rules"
    weight = 600
    about = "changed rules are parsed, and formatted if they are right"

    def prepare(self) -> None:
        """Read the texts."""
        seeds.declarations()
        read("game x\n")

    def make(self, rng: random.Random) -> str:
        """Some declarations, changed."""
        return texts.changed(begun(rng), rng, seeds.declarations().items, most=3, wild=0.08)

    def attempt(self, made: str) -> Outcome:
        """Parse and format."""
        return read(made)


def begun(rng: random.Random) -> str:
    """The text that changes begin with: one declaration or two that have never met, seldom a part of a longer text."""
    if rng.random() < 0.02:
        return texts.window(rng.choice(seeds.rules_texts()), rng, 4)
    return "".join(seeds.declarations().pick(rng).rstrip("\n") + "\n" for _ in range(rng.choice((1, 1, 2))))


class Layout(Rules):
    """Rules that are right, written otherwise."""

    name = "layout"
    weight = 240
    about = "right rules with other spaces, line ends and comments are formatted: tree and comments stay"

    def make(self, rng: random.Random) -> str:
        """Spaces, empty lines, comments and line ends are changed."""
        lines = begun(rng).split("\n")
        for _ in range(rng.randint(1, 8)):
            at = rng.randrange(len(lines))
            line = lines[at]
            how = rng.randrange(6)
            if how == 0:
                lines.insert(at, rng.choice(("", "  ", "# between", "    # deeper", "#")))
            elif how == 1:
                lines[at] = line + rng.choice(("   ", "  # behind", "  @A-1", " #"))
            elif how == 2:
                spots = [m.start() for m in re.finditer(r"(?<=\S) (?=\S)", line)]
                lines[at] = line[: (i := rng.choice(spots))] + "  " + line[i:] if spots else line
            elif how == 3:
                lines[at] = re.sub(r"(?<=[\(\[,])(?=[^\s])", " ", line)
            elif how == 4:
                spots = [m.end() for m in re.finditer(r" (?:and|or|\+|,)(?= )", line)]
                if spots:
                    i = rng.choice(spots)
                    lines[at : at + 1] = [line[:i], " " * (len(line) - len(line.lstrip()) + 12) + line[i:].lstrip()]
            else:
                depth = len(line) - len(line.lstrip(" "))
                lines[at] = " " * (depth * rng.choice((1, 1, 2))) + line.lstrip(" ")
        return rng.choice(("\n", "\n", "\r\n")).join(lines)

    def attempt(self, made: str) -> Outcome:
        """Format; what people have written beside the rules stays."""
        before = trivia_of(made.replace("\r\n", "\n"))

        def kept(formatted: str) -> None:
            assert trivia_of(formatted) == before, "comments or citations are not what they were"

        return read(made, kept)


class Rulesets(Kind):
    """Rulesets with changed rules."""

    name = "rulesets"
    weight = 20
    about = "small rulesets with changed rules are checked, and mended as `check --fix` does"

    def prepare(self) -> None:
        """Read the rulesets, and check one so that the tables of the parser stand."""
        seeds.declarations()
        seeds.pool(seeds.playable)
        self.attempt(seeds.pool(seeds.rulesets).items[0])

    def make(self, rng: random.Random) -> seeds.Files:
        """One file of rules is changed."""
        gentle = rng.random() < 0.6
        files = dict(seeds.pool(seeds.playable if gentle else seeds.rulesets).pick(rng))
        name = rng.choice([name for name in files if name.endswith(".rules")])
        others = seeds.declarations().items
        text = files[name]
        files[name] = texts.mild(text, rng, others) if gentle else texts.changed(text, rng, others, most=3, wild=0.1)
        return files

    def attempt(self, made: seeds.Files) -> Outcome:
        """Check; every finding has a known form; mends can be made."""
        with seeds.written(made) as path:
            return checked(path, fix=True)

    def told(self, made: seeds.Files) -> str:
        """All files."""
        return "\n".join(f"---- {name}\n{text}" for name, text in made.items())


def checked(path: Path, fix: bool = False) -> Outcome:
    """Check a ruleset, tell what is found in all forms, and mend what can be mended."""
    try:
        ruleset = rw.open_ruleset(path)
    except rw.RulesetError as error:
        return refused([d.code for d in error.diagnostics])
    found = rw.check(ruleset)
    told(found, ruleset)
    wrong = [d.code for d in found if d.is_error]
    if fix and any(d.fix for d in found):
        rw.fix(ruleset)
    return refused(wrong) if wrong else Outcome("accepted")


def told(found: list[rw.Diagnostic], ruleset: rw.Ruleset) -> None:
    """Each finding has a page, a place and a sentence that can be written."""
    for d in found:
        assert re.fullmatch(r"[A-Z]{3}\d{3}", d.code), d
        assert 0 < len(d.message) < 3000, d
        assert d.span.line >= 0, d
        (d.message + d.hint + "".join(d.notes)).encode()


class Played(Kind):
    """Games whose rules were changed."""

    name = "played"
    weight = 12
    about = "changed rules that can still be played are played at random"
    unit = "decisions"

    def prepare(self) -> None:
        """Find the rulesets that can be played."""
        seeds.declarations()
        seeds.pool(seeds.asking)
        self.attempt((seeds.playable()[0], 1))

    def make(self, rng: random.Random) -> tuple[seeds.Files, int]:
        """One or two gentle changes, and a seed for the game."""
        files = dict(seeds.pool(seeds.asking if rng.random() < 0.85 else seeds.playable).pick(rng))
        name = rng.choice([name for name in files if name.endswith(".rules")])
        for _ in range(rng.choice((1, 1, 2))):
            files[name] = texts.mild(files[name], rng, seeds.declarations().items)
        return files, rng.randrange(2**32)

    def attempt(self, made: tuple[seeds.Files, int]) -> Outcome:
        """Load and play; errors of the rules are answers."""
        files, seed = made
        rng = random.Random(seed)
        with seeds.written(files) as path:
            try:
                ruleset = rw.open_ruleset(path)
                counts = player_counts(sources(ruleset).rules)
                game = rw.load(ruleset, rng.choice(counts) if counts else None)
            except rw.RulesetError as error:
                return refused([d.code for d in error.diagnostics])
        return played(game, rng)

    def told(self, made: tuple[seeds.Files, int]) -> str:
        """All files, and the seed."""
        return Rulesets().told(made[0]) + f"\n---- seed {made[1]}"


def played(game: rw.Game, rng: random.Random) -> Outcome:
    """Play a game with chance asked now and then; look, save and load on the way."""
    count = 0
    try:
        state = game.start(rng.randrange(2**64), ask_chance=rng.random() < 0.3)
        while (decision := state.decision) is not None and count < DECISIONS:
            count += 1
            if count % 16 == 1:
                _looked_at(game, state, rng)
            state = state.choose(rng.randrange(len(decision.options)))
    except rw.RulesetError as error:
        return Outcome(f"stopped {error.diagnostics[0].code}", count)
    _looked_at(game, state, rng)
    return Outcome("over" if state.decision is None else "on", count)


def _looked_at(game: rw.Game, state: rw.State, rng: random.Random) -> None:
    """Ask of a state all that players ask of it."""
    state.view(rng.choice((None, *range(game.players))))
    game.broken_invariants(state)
    assert game.load(state.save()) == state, "loading what was saved gives another state"
    assert state.to_bytes() == game.load(state.save()).to_bytes()
