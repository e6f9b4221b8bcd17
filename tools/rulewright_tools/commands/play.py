"""``rulewright play``: a game at the terminal."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

from rich.console import Console
from rich.text import Text

import rulewright as rw
import rulewright_lab as lab
from rulewright_tools import arguments as arg
from rulewright_tools.console import CommandError, Exit, errors_in, out, plural, read_save
from rulewright_tools.error_boundary import guarded
from rulewright_tools.render.picture import Picture
from rulewright_tools.render.position_picture import picture_of
from rulewright_tools.render.terminal.board import Board
from rulewright_tools.render.theme import palette_of, piece_keys
from rulewright_tools.session.deliberation import WITHOUT_AGENT, hints
from rulewright_tools.session.game_session import MOST, Session, played_seat, visible_entry_at
from rulewright_tools.session.option_choice import Choices
from rulewright_tools.session.prompts import Asking, refusal, statements_of
from rulewright_tools.session.story_text import INDENT, story_lines
from rulewright_tools.session.table_seats import kinds_of, machines, seats_of, show_status

HELP = """
  NUMBER, KEY     take this option; the beginning of a key is enough
  3 4             the place in row 3 and column 4    3 4 e, 3 4 - 3 5   the edge between two places
  list            all options                        list WORD, list 3  those with this word, or in row 3
  hint            the three best answers             turn SEAT  ask them first, where several decide at once
  why KEY         why this is not possible           undo               back to your last choice
  board           draw the board again               log, log quote     what has happened, with the statements
  save FILE       write the game to a file           load FILE          go on from a file
  help, quit
"""


@guarded
def play(
    ruleset: arg.Ruleset,
    saved: arg.Saved = None,
    players: arg.Players = None,
    seats: arg.Seats = None,
    seed: arg.Seed = 0,
    variant: arg.Variants = None,
    option: arg.Options = None,
    reveal: arg.Reveal = False,
    scenario: arg.Scenario = None,
) -> Exit:
    """Play a game at the terminal, against others at the same keyboard or against chance.

    The board is shown as the player to decide sees it; at the end as the only person at the terminal, else as all do.

    Answer with the number of an option, with its key, or with a place on the board; "help" lists the other commands.

    --seats names for each seat in order a human, first (the first option), random, or an agent; the rest is random. If
    no person plays, it is the very game that simulations play with this seed. A saved game is gone on with.

    Examples:

      rulewright play tic-tac-toe --seats human,random
      rulewright play connect-four --seats human,mcts:100 --seed 7
      rulewright play connect-four evening.json
      rulewright play my-game --scenario "a tie does not move the crown"
    """
    if scenario is not None:
        if saved is not None or players is not None or variant or option:
            raise CommandError("--scenario sets the game and its players: leave out the other options")
        game, state = rw.Game.of_scenario(ruleset, scenario, seed)
        game.backend = arg.MACHINE.backend
    elif saved is not None:
        save = read_save(saved)
        with errors_in(saved):
            game = arg.load_for(save, ruleset, players, variant, option)
            state = game.load(save)
        seats = seats or seats_of(save)
    else:
        game = arg.load(ruleset, players, variant, option)
        state = game.start(seed=seed)
    kinds = kinds_of(game, seats)
    players_of = machines(game, kinds, seed)
    if saved is None and scenario is None and set(kinds) == {"random"}:
        # No person decides anything: then it is the very game that simulations play with this seed.
        players_of = dict.fromkeys(game.seats, played_seat(game, seed))
    Table(Session(game, state, players_of, kinds), reveal, is_part=scenario is not None, seed=seed).run()
    return Exit.FINE


def _onlooker(session: Session) -> int:
    """The seat whose view the terminal shows while there is no decision: that of the only person, or the public one."""
    people = [number for number, seat in enumerate(session.game.seats) if seat not in session.machines]
    return people[0] if len(people) == 1 else rw.playing.PUBLIC


class Table:
    """The terminal at which a game is played."""

    def __init__(self, session: Session, reveal: bool, *, is_part: bool = False, seed: int = 0) -> None:
        self.session = session
        self._seed = seed
        self._is_part = is_part
        """True if a scenario has started, perhaps, only a part of the rules."""
        game = session.game
        self._onlooker = None if reveal else _onlooker(session)
        """The seat that looks at the terminal while there is no decision."""
        self.console: Console = out()
        width = self.console.width if self.console.is_terminal else 80
        self.board = Board(palette_of(game), piece_keys(game), min(width, 120))
        self._choices = Choices(game)
        self._prompts = Asking(game, self._choices)
        self._statements = statements_of(game)
        self._drawn_for: rw.State | None = None
        self._last_person: str | None = None
        """The person who decided last."""
        self._picture: Picture | None = None
        self._unknown: list[rw.playing.LogEntry] = []
        """The last answers, as far as they were given in secret and are not known to the onlooker."""
        self._since = 0
        """The number of the entries of the log before these."""
        self._narrator = rw.narration.Narrator(game, session.state, self._onlooker)

    def run(self) -> None:
        """Play until the game is over or the person leaves."""
        while True:
            self._go_on()
            decision = self.session.state.decision
            if decision is None:
                self.draw()
                self._result()
                return
            self._cover(decision)
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

    def _cover(self, decision: rw.Decision) -> None:
        """Before another person looks at what only they may see: wait until they sit there, on an empty screen."""
        other = decision.who != self._last_person
        first, self._last_person = self._last_person is None, decision.who
        if not other or not (sys.stdin.isatty() and self.console.is_terminal):
            return
        if not self.session.is_shared_secret(decision):
            return
        if not first:
            self.console.clear()
        self.print(Text().append_text(self.board.styled(decision.who)).append(": press Enter when nobody else looks."))
        sys.stdin.readline()

    def print(self, text: str | Text = "") -> None:
        """A line of output."""
        self.console.print(text)

    def draw(self) -> None:
        """The board, as the player to act sees it."""
        state = self.session.state
        self.print()
        for line in self.board.draw(self._seen(), self._choices.possible(state.decision)):
            self.console.print(line)

    def _seen(self) -> Picture:
        """The picture that the player to act sees now."""
        state = self.session.state
        if self._picture is None or self._drawn_for is not state:
            viewer = state.decision.seat if state.decision is not None else self._onlooker
            self._picture = picture_of(self.session.game, state, viewer)
            self._drawn_for = state
        return self._picture

    def _go_on(self) -> None:
        """Play on until a person is to move."""
        taken = 0
        self._report()
        while (step := self.session.step(self._onlooker)) is not None:
            if step.answered is not None and (line := self._narrator.answer(*step.answered)):
                self.print(rw.characters.printable(f"  {line}{' (the only possibility)' if step.is_forced else ''}"))
            self._report()
            taken += 1
            if taken >= MOST:
                raise CommandError(f"the game goes on without end: {taken} decisions, none of a person")

    def _report(self) -> None:
        """Print what the last answer has led to, as far as the onlooker may know it."""
        self._reveal()
        for line in self._narrator.look(self.session.state):
            if line.kind not in ("answer", "end"):
                self.print(rw.characters.printable(f"{INDENT}{line.text}"))

    def _look_anew(self) -> None:
        """Forget how this position has come about: it is not that after the last answer."""
        self._narrator = rw.narration.Narrator(self.session.game, self.session.state, self._onlooker)

    def _reveal(self) -> None:
        """Print what was answered in secret, when all have answered."""
        for entry, known in self._secret():
            if known is not None and known.key is not None and entry in self._unknown:
                self._unknown.remove(entry)
                self.print(rw.characters.printable(f"  {self._narrator.answer(known.who, known.name, known.key)}"))
        log = self.session.state.log
        self._since = next((number for number in range(len(log), 0, -1) if not log[number - 1].secret), 0)
        self._unknown = [entry for entry, known in self._secret() if known is None or known.key is None]

    def _secret(self) -> list[tuple[rw.playing.LogEntry, rw.playing.Heard | None]]:
        """The secret answers since the last public ones, each as the viewer may know it now."""
        state, found = self.session.state, []
        for number, entry in enumerate(state.log[self._since :], self._since):
            if not entry.secret:
                break
            found.append((entry, visible_entry_at(state, number, self._onlooker)))
        return found

    def _ask(self, decision: rw.Decision) -> str | None:
        who = self.board.styled(decision.who)
        rule = decision.name.rpartition(".")[0].replace("_", " ")
        prompt = self._choices.names.question(decision.name, who.plain)
        head = Text("\n").append_text(who).append(f" chooses {self._choices.noun(decision)}", style="bold")
        if prompt:
            head = Text(f"\n{prompt}", style="bold")
        self.print(head.append(f"  {rule}", style="dim"))
        if others := self.session.others():
            self.print(Text(f"  deciding at once: {', '.join(others)} (`turn {others[0]}`)", style="dim"))
        for text in self._prompts.lines(decision, self._seen(), self.console.width):
            self.print(text)
        self.console.print("> ", end="")
        sys.stdout.flush()
        line = sys.stdin.readline()
        if not sys.stdin.isatty():
            # Answers from a file or a pipe are not echoed; a transcript must have them.
            self.print(line.strip())
        return line.strip() if line else None

    def _obey(self, decision: rw.Decision, line: str) -> None:
        word, _, rest = line.partition(" ")
        rest = rest.strip()
        try:
            if any(option.key == line for option in decision.options):
                self._take(decision, line)
            elif word == "why" and rest:
                self._why(decision, rest)
            elif word == "list":
                for text in self._prompts.listed(decision, rest, self._seen(), self.console.width):
                    self.print(text)
            elif line == "undo":
                if not self.session.undo():
                    self.print("There is nothing to take back.")
                self._look_anew()
            elif line in ("log", "log quote"):
                self._log(self._statements if line == "log quote" else {})
            elif word == "save" and rest:
                self.session.save(Path(rest))
                self.print(f"saved to {rest}")
            elif word == "load" and rest:
                self.session.load(Path(rest))
                self._look_anew()
            elif word == "turn" and rest:
                if not self.session.turn(rest):
                    self.print(f"{rest[:60]!r} has nothing to decide now.")
            elif line == "hint":
                self._hint()
            elif line == "board":
                self.draw()
            elif line in ("why", "save", "load"):
                self.print(f"Write `{line} {'KEY' if line == 'why' else 'FILE'}`.")
            elif line in ("help", "?"):
                self.print(HELP.strip("\n"))
            elif line:
                self._take(decision, line)
        except CommandError as trouble:
            self.print(f"{trouble}")
        except rw.RulesetError as error:
            for one in error.diagnostics:
                self.print(f"{one.span.file}: {one.message}" if one.code.startswith("SAV") else one.message)

    def _hint(self) -> None:
        """The three best answers, by an agent that knows what the player to act may know."""
        game, state = self.session.game, self.session.state
        word = next((kind for kind in self.session.kinds if kind.startswith(("mcts", "alphabeta"))), WITHOUT_AGENT)
        for line in hints(game, state, lab.agent(game, word), self._seed, self._status):
            self.print(rw.characters.printable(f"  {line}"))

    def _status(self, text: str) -> None:
        """A line that the next one replaces, on a terminal."""
        show_status(self.console, text)

    def _take(self, decision: rw.Decision, line: str) -> None:
        """Choose what a line means, or explain why that is not possible."""
        wanted = self._choices.wanted(decision, line, self._seen())
        if wanted.option is not None:
            self.session.choose(wanted.option)
        elif wanted.hint:
            self.print(wanted.hint)
        elif wanted.candidates:
            more = f" and {len(wanted.candidates) - 8} more" if len(wanted.candidates) > 8 else ""
            self.print(f"{line[:60]!r} may mean {', '.join(wanted.candidates[:8])}{more}.")
        elif wanted.key:
            self.print(f"{wanted.key} is not possible:")
            self._refused(wanted.key)
        elif line.isdigit():
            self.print(f"There are the options 1 to {len(decision.options)}.")
        else:
            self.print(f"{line[:60]!r} is not an option here; help lists the commands.")
            if any(reason.label != "not_among" for reason in self.session.state.why_not(line).reasons):
                self._refused(line)

    def _why(self, decision: rw.Decision, line: str) -> None:
        """The named restrictions that refuse what a line means, with their statements of the rulebook."""
        wanted = self._choices.wanted(decision, line, self._seen())
        self._refused(wanted.option.key if wanted.option is not None else wanted.key or line)

    def _refused(self, key: str) -> None:
        for line in refusal(self.session.state.why_not(key), self._statements):
            self.print(f"  {line}")

    def _log(self, statements: Mapping[str, str]) -> None:
        state = self.session.state
        viewer = state.decision.seat if state.decision is not None else self._onlooker
        for line in story_lines(rw.narration.story(self.session.game, state, viewer), statements):
            self.print(line)

    def _result(self) -> None:
        result = self.session.state.result
        self.print()
        if result is None:
            ended = "The rules that the scenario starts have come to their end."
            self.print(ended if self._is_part else "The game is over.")
            return
        values = rw.narration.reached(self.session.game, self.session.state, self._onlooker)
        for place, who in result.standings:
            names = Text(", ").join(self._placed(one, values.pop(one, "")) for one in who)
            self.print(Text(f"{place}. ", style="bold").append_text(names))
        if how := rw.narration.ended(result):
            self.print(how)
        for party, reached in values.items():
            self.print(rw.characters.printable(f"{party}: {reached}"))
        self.print(f"ended by {result.rule} after {self._length()}" if result.rule else f"after {self._length()}")

    def _placed(self, seat: str, values: str) -> Text:
        """A seat with the values that have brought it to its place."""
        return self.board.styled(seat).append(rw.characters.printable(f" ({values})") if values else "", style="dim")

    def _length(self) -> str:
        return plural(self.session.decisions, "decision")
