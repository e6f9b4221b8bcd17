"""``rulewright confirm``: is it this that was meant? The moments in which rules differ from what is nearly the same."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

from rich.text import Text

import rulewright as rw
from rulewright_tools import arguments as arg
from rulewright_tools import confirming
from rulewright_tools.console import Exit, out, plural, print_json, print_note, write_file
from rulewright_tools.error_boundary import guarded
from rulewright_tools.limit_options import Time
from rulewright_tools.outputs import by_ending
from rulewright_tools.progress import Working, working
from rulewright_tools.render import drawing
from rulewright_tools.render.position_picture import picture_of
from rulewright_tools.render.terminal.board import Board
from rulewright_tools.render.theme import palette_of, piece_keys
from rulewright_tools.reports import moment_text
from rulewright_tools.vocabulary import named


class ConfirmFormat(StrEnum):
    """Formats of moments."""

    TEXT = "text"
    JSON = "json"


TIME = 30.0


@guarded
def confirm(
    ruleset: arg.Ruleset,
    players: arg.Players = None,
    variant: arg.Variants = None,
    option: arg.Options = None,
    games: arg.Games = 20,
    time: Time = TIME,
    limit: Annotated[int, named("--limit", min=1)] = 12,
    seed: arg.Seed = 0,
    output: arg.Output = None,
    format: Annotated[ConfirmFormat, named("--format")] = ConfirmFormat.TEXT,
) -> Exit:
    """Confirm that rules do what was meant, moment by moment.

    Each clause of a variant, or of a ruleset, is changed a little in every way in which it could have been meant
    instead. Shown are the fewest and shortest moments of games in which that makes a difference: a position, what
    happens by the rules as they stand, and what follows. If a moment is right, it is kept as a scenario, and is not
    shown again. If it is not, what else could happen is listed, each with the changed clause, which takes the place of
    the one that is written.

    Moments are kept in the file of the variant, or in `confirmed.rules` in the folder of the ruleset, which its
    manifest then lists.

    --games are played to find moments, --limit is the most that are shown, and --time is that of the processor. With
    --output FILE.rules no question is put: all moments are written there as scenarios.

    Exit code 0: all shown moments are right. Exit code 1: one of them is not. Exit code 2: the rules cannot be played.

    Examples:

      rulewright confirm quick.rules
      rulewright confirm tic-tac-toe --time 10 --limit 3
      rulewright confirm quick.rules --output moments.rules
      rulewright confirm my-game --variant "Long war" --players 4
    """
    keep = by_ending(output, ".rules").get(".rules")
    titles, options = tuple(variant or ()), arg.options_of(option)
    asks, wrong = keep is None and format is ConfirmFormat.TEXT, False
    while True:
        with working("loading") as shown:
            opened, _ = rw.rulesets.with_variants(ruleset, titles)
            dialogue = _Dialogue(opened, Path(ruleset), titles, shown) if asks else None
            try:
                found = rw.confirmation.confirm(
                    ruleset, players, titles, options, games, time or TIME, limit, seed, shown.describe,
                    None if dialogue is None else dialogue.show,
                )  # fmt: skip
            except _Rewritten:
                wrong = True
                continue
            except _Left:
                found = None
        break
    wrong = wrong or (dialogue is not None and dialogue.wrong)
    if found is None:
        return Exit.FINDINGS if wrong else Exit.FINE
    if format is ConfirmFormat.JSON:
        print_json(found.data())
    else:
        for line in (*moment_text.census(found), Text(moment_text.tried(found))):
            out().print(line)
    if keep is not None:
        texts = [one.scenario for one in found.moments if one.scenario]
        write_file(keep, "\n".join(texts))
        print_note(f"wrote {plural(len(texts), 'moment')} to {keep}")
    return Exit.FINDINGS if wrong else Exit.FINE


class _Rewritten(Exception):
    """A clause was changed: all moments are found anew."""


class _Left(Exception):
    """The person wants to see no more."""


KEYS = "[y] right  [n] not what I meant  [s] skip  [b] boards  [a] all the rest, unasked  [q] leave"


class _Dialogue:
    """Asks about each moment as soon as it is found."""

    def __init__(self, ruleset: rw.Ruleset, path: Path, variants: tuple[str, ...], shown: Working) -> None:
        self.ruleset, self.variants, self.shown = ruleset, variants, shown
        self.place = path if path.suffix == ".rules" else Path(ruleset.folder)
        self.statements = {id: one.statement for id, one in ruleset.statements.items()}
        self.kept: list[str] = []
        """The scenarios of the moments that were right."""
        self.number = 0
        self.ends = False
        """True once no answer comes any more: the rest is shown only."""
        self.wrong = False

    def show(self, moment: rw.confirmation.Moment) -> None:
        """Show a moment, and ask about it."""
        self.number += 1
        with self.shown.aside():
            self._print(moment_text.head(moment, self.number, self.statements))
            self._print(moment_text.story(moment))
            if self.shown.found(lambda: self._data(moment)):
                return  # another program asks
            while not self.ends and not self._answered(moment, self._read(KEYS)):
                pass

    def _data(self, moment: rw.confirmation.Moment) -> dict[str, Any]:
        boards = [drawing.svg(moment.game, state, None) for state in (moment.before, moment.after)]
        return {**confirming.moment_data(moment, self.ruleset), "boards": list(dict.fromkeys(boards))}

    def _answered(self, moment: rw.confirmation.Moment, answer: str | None) -> bool:
        match answer:
            case None | "a":
                self.ends = True
            case "y":
                self._keep(moment)
            case "n":
                self.wrong = True
                self._meant(moment)
            case "b":
                self._boards(moment)
                return False
            case "q":
                raise _Left
            case "s":
                pass  # it may be right or not
            case _:
                return False
        return True

    def _meant(self, moment: rw.confirmation.Moment) -> None:
        """Let the person choose what was meant, and write that."""
        choices = moment.choices
        self._print([Text("   What should happen?")])
        self._print(moment_text.answers(choices))
        while True:
            answer = self._read(f"[1-{len(choices)}] this, and write the clause  [Enter] something else")
            if answer is None or not answer.isdecimal() or not 1 <= int(answer) <= len(choices):
                return
            self._write(choices[int(answer) - 1])

    def _write(self, choice: rw.confirmation.Alternative) -> None:
        """Write a clause, unless it contradicts a moment that was right, and begin anew."""
        edit = confirming.edit_of(choice, self.ruleset)
        file = Path(edit["file"])
        shown, text = rw.files.shown(file), confirming.edited(rw.files.read_text(file), edit)
        if text is None:
            print_note(f"{shown} was changed meanwhile; the moments are looked for anew")
            raise _Rewritten
        if why := confirming.contradiction(self.place, file, text, self.kept, self.variants):
            print_note(why)
            return
        write_file(file, text)
        print_note(f"wrote {shown}; the moments are looked for anew")
        raise _Rewritten

    def _keep(self, moment: rw.confirmation.Moment) -> None:
        if not moment.scenario:
            self._print([Text("   No scenario can express this; it will be shown again.", style="dim")])
            return
        for file, text in confirming.kept(self.place, moment.scenario):
            write_file(file, text)
        self.kept.append(moment.scenario)

    def _boards(self, moment: rw.confirmation.Moment) -> None:
        game = moment.game
        board = Board(palette_of(game), piece_keys(game), min(out().width, 120))
        pictures = [picture_of(game, state, None) for state in (moment.before, moment.after)]
        titles = ("before", "after") if pictures[0] != pictures[1] else ("now",)
        for title, picture in zip(titles, pictures, strict=False):
            self._print([Text(f"   {title}", style="bold"), *board.draw(picture)])

    def _read(self, keys: str) -> str | None:
        """The answer, in small letters; None if the input has ended."""
        out().print(Text(f"   {keys}", style="cyan"))
        out().print("> ", end="")
        sys.stdout.flush()
        line = sys.stdin.readline()
        if not sys.stdin.isatty():
            out().print(Text(line.strip()))  # a transcript must have it
        return line.strip().lower() if line else None

    @staticmethod
    def _print(lines: Iterator[Text] | Sequence[Text]) -> None:
        for line in lines:
            out().print(line)
