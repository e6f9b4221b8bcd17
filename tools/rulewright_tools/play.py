"""``rulewright play``: a game at the terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

import rulewright as rw
from rulewright_tools import arguments as arg
from rulewright_tools.board import Board
from rulewright_tools.console import Exit, Trouble, out, plural
from rulewright_tools.guard import guarded
from rulewright_tools.looks import palette_of, piece_keys
from rulewright_tools.session import Seat, Session, first_seat, played_seat, random_seat, read_save
from rulewright_tools.sight import hides_hands, picture_of

HELP = """
  NUMBER or KEY   take this option          why KEY     why this is not possible
  undo            back to your last choice  log         what has happened
  save FILE       write the game to a file  load FILE   go on from a file
  board           draw the board again      help, quit
"""


@guarded
def play(
    ruleset: arg.Ruleset,
    players: arg.Players = None,
    seats: Annotated[
        str | None,
        typer.Option("--seats", metavar="WHO,WHO…", help="human, random or first for each seat, in order."),
    ] = None,
    seed: arg.Seed = 0,
    variant: arg.Variants = None,
    option: arg.Options = None,
    auto: Annotated[bool, typer.Option("--auto", help="Ask nobody: all seats pick at random.")] = False,
    ask_forced: Annotated[
        bool, typer.Option("--ask-forced", help="Ask even if there is only one possibility.")
    ] = False,
    resume: Annotated[Path | None, typer.Option("--load", metavar="FILE", help="Go on from a saved game.")] = None,
) -> Exit:
    """Play a game at the terminal, against others at the same keyboard or against chance.

    Answer with the number of an option or with its key; "help" lists the other commands.

    Examples:

      rulewright play rulesets/tic-tac-toe --seats human,random

      rulewright play rulesets/my-game --players 3 --seed 7 --variant "Short game"
    """
    if resume is not None:
        save = read_save(resume)
        game = arg.load_for(save, ruleset, players, variant, option)
        state = game.load(save)
    else:
        game = arg.load(ruleset, players, variant, option)
        state = game.start(seed=seed)
    players_of = machines(game, seats, seed, auto)
    if resume is None and len(players_of) == len(game.seats) and (auto or set(split(seats)) == {"random"}):
        # Nobody decides anything: then it is the very game that simulations play with this seed.
        players_of = dict.fromkeys(game.seats, played_seat(game, seed))
    Table(Session(game, state, players_of, ask_forced)).run()
    return Exit.FINE


def split(seats: str | None) -> list[str]:
    """The words of ``--seats``; one person, if nothing is said."""
    return [kind.strip() for kind in seats.split(",")] if seats else ["human"]


def machines(game: rw.Game, seats: str | None, seed: int, auto: bool) -> dict[str, Seat]:
    """Who plays each seat that is not played by a person."""
    kinds = split(seats)
    if len(kinds) < len(game.seats):
        # Seats that are not spoken of are played by chance.
        kinds += ["random"] * (len(game.seats) - len(kinds))
    if len(kinds) != len(game.seats):
        raise Trouble(f"--seats names {len(kinds)} seats, but the game has {len(game.seats)}: {', '.join(game.seats)}")
    found: dict[str, Seat] = {}
    for seat, kind in zip(game.seats, kinds, strict=True):
        if kind == "random" or auto:
            found[seat] = random_seat(seed)
        elif kind == "first":
            found[seat] = first_seat
        elif kind != "human":
            raise Trouble(f"--seats: {kind!r} is not one of human, random, first")
    return found


class Table:
    """The terminal at which a game is played."""

    def __init__(self, session: Session) -> None:
        self.session = session
        game = session.game
        self.console: Console = out()
        width = self.console.width if self.console.is_terminal else 80
        self.board = Board(palette_of(game), piece_keys(game), min(width, 120))
        self._statements = statements_of(game)
        self._drawn_for: rw.State | None = None

    def run(self) -> None:
        """Play until the game is over or the person leaves."""
        while True:
            self._go_on()
            decision = self.session.state.decision
            if decision is None:
                self.draw()
                self._result()
                return
            if self.session.state is not self._drawn_for:
                self.draw()
            line = self._ask(decision)
            if line is None:
                self.print(f"\nThe input has ended; the game stops after {self._length()}.")
                return
            if line == "quit":
                self.print(f"The game stops after {self._length()}.")
                return
            self._obey(decision, line)

    def print(self, text: str | Text = "") -> None:
        """A line of output; keys may hold brackets, so nothing is markup."""
        self.console.print(text, markup=False)

    def draw(self) -> None:
        """The board, as the one who is asked sees it."""
        state = self.session.state
        viewer = state.decision.seat if state.decision is not None else None
        self.print()
        for line in self.board.draw(picture_of(self.session.game, state, viewer)):
            self.console.print(line)
        self._drawn_for = state

    def _go_on(self) -> None:
        """Everything that happens before a person is asked."""
        while (note := self.session.step()) is not None:
            self.print(f"  {note}")

    def _ask(self, decision: rw.Decision) -> str | None:
        who = self.board.styled(decision.who)
        self.print(Text("\n").append_text(who).append(f" chooses {decision.label}", style="bold"))
        for line in columns([option.key for option in decision.options], self.console.width):
            self.print(line)
        self.console.print("> ", end="", markup=False)
        sys.stdout.flush()
        line = sys.stdin.readline()
        if not sys.stdin.isatty():
            # From a file or a pipe the answers are not seen; a transcript shall have them.
            self.print(line.strip())
        return line.strip() if line else None

    def _obey(self, decision: rw.Decision, line: str) -> None:
        word, _, rest = line.partition(" ")
        rest = rest.strip()
        try:
            if (option := chosen(decision, line)) is not None:
                self.session.choose(option)
            elif word == "why" and rest:
                self._why(rest)
            elif line == "undo":
                if not self.session.undo():
                    self.print("There is nothing to take back.")
            elif line == "log":
                self._log()
            elif word == "save" and rest:
                self.session.save(Path(rest))
                self.print(f"saved to {rest}")
            elif word == "load" and rest:
                self.session.load(Path(rest))
            elif line == "board":
                self.draw()
            elif line in ("help", "?"):
                self.print(HELP.strip("\n"))
            elif line:
                self._unknown(decision, line)
        except Trouble as trouble:
            self.print(f"{trouble}")
        except rw.RulesetError as error:
            for one in error.diagnostics:
                self.print(f"{one.message}")

    def _unknown(self, decision: rw.Decision, line: str) -> None:
        if line.isdigit():
            self.print(f"There are the options 1 to {len(decision.options)}.")
        else:
            self.print(f"{line!r} is no option here; help lists the commands.")
            self._why(line)

    def _why(self, key: str) -> None:
        """The named restrictions that refuse a key, with what the rulebook says."""
        decision = self.session.state.decision
        keys = [option.key for option in decision.options] if decision is not None else []
        if key not in keys and key.isdigit() and 1 <= int(key) <= len(keys):
            key = keys[int(key) - 1]
        for line in refusal(self.session.state.why_not(key), self._statements):
            self.print(f"  {line}")

    def _log(self) -> None:
        state = self.session.state
        game = self.session.game
        viewer = state.decision.who if state.decision is not None else None
        seat = state.decision.seat if state.decision is not None else None
        pieces = set(piece_keys(game)) if hides_hands(game, state, seat) else set()
        for number, entry in enumerate(state.log, start=1):
            if entry.seen_by and viewer not in entry.seen_by:
                continue
            hidden = (entry.secret and entry.who != viewer) or (entry.who == "chance" and entry.key in pieces)
            self.print(f"{number:>4}  {entry.who}: {entry.name} = {'(hidden)' if hidden else entry.key}")

    def _result(self) -> None:
        result = self.session.state.result
        self.print()
        if result is None:
            self.print("The game is over.")
            return
        for place, seats in enumerate(result.ranking, start=1):
            names = Text(", ").join(self.board.styled(seat) for seat in seats)
            self.print(Text(f"{place}. ", style="bold").append_text(names))
        self.print(f"ended by {result.rule} after {self._length()}" if result.rule else f"after {self._length()}")

    def _length(self) -> str:
        return plural(self.session.decisions, "decision")


def statements_of(game: rw.Game) -> dict[str, str]:
    """The statements of the rulebook by their ids."""
    rulebook = game.ruleset.rulebook
    return {one.id: one.statement for one in rulebook.statements} if rulebook else {}


def chosen(decision: rw.Decision, line: str) -> rw.Option | None:
    """The option that is meant by a number or a key. A key that looks like a number goes before the number."""
    for option in decision.options:
        if option.key == line:
            return option
    if line.isascii() and line.isdigit() and 1 <= int(line) <= len(decision.options):
        return decision.options[int(line) - 1]
    return None


def refusal(refused: rw.Refusal, statements: dict[str, str]) -> Iterable[str]:
    """Why an option is not offered, with the statements of the rulebook behind it."""
    if not refused.reasons:
        yield "This is possible."
    for reason in refused.reasons:
        yield reason.text if reason.label == "not_among" else f"{reason.label}: {reason.text}"
        for cite in reason.cites:
            yield f"    @{cite}  {statements.get(cite, '')}".rstrip()


def columns(keys: list[str], width: int) -> list[str]:
    """Numbered options, side by side if they are many. Where keys are numbers themselves, only the keys."""
    if any(key.isdigit() for key in keys):
        return ["  " + "  ".join(keys)]
    digits = len(str(len(keys)))
    entries = [f"{number:>{digits + 2}} {key}" for number, key in enumerate(keys, start=1)]
    if len(entries) <= 8:
        return entries
    wide = max(map(len, entries)) + 2
    across = max(1, min(width, 120) // wide)
    rows = -(-len(entries) // across)
    return ["".join(entry.ljust(wide) for entry in entries[row::rows]).rstrip() for row in range(rows)]
