"""``make demo``: checks a ruleset, plays a whole seeded game before your eyes, and explains a move that is refused."""

from __future__ import annotations

import sys
import time

from rich.text import Text

import rulewright as rw
from rulewright_tools.arguments import Target
from rulewright_tools.commands.check import findings
from rulewright_tools.console import CommandError, Exit, out, show_diagnostics
from rulewright_tools.error_boundary import outcome
from rulewright_tools.render.position_picture import picture_of
from rulewright_tools.render.terminal.board import Board
from rulewright_tools.render.theme import palette_of, piece_keys
from rulewright_tools.session.game_session import MOST, random_seat
from rulewright_tools.session.prompts import refusal, statements_of

SEED = 7
BOARDS = 3
"""The number of times that the board is drawn while the game is played."""


def demo(path: str) -> Exit:
    """The whole demonstration."""
    console = out()
    console.rule(Text(f"rulewright check {path}", style="bold"))
    found = findings(Target(path))
    if found:
        show_diagnostics(found, on_stderr=False)
        return Exit.FINDINGS
    console.print("nothing found\n")

    game = rw.load(path)
    console.rule(Text(f"{game.title}: a game of {len(game.seats)}, seed {SEED}", style="bold"))
    begun = time.perf_counter()
    states = played(game)
    seconds = time.perf_counter() - begun
    board = Board(palette_of(game), piece_keys(game), min(console.width, 100))
    for part in range(1, BOARDS + 1):
        number = (len(states) - 1) * part // BOARDS
        state = states[number]
        last = [entry for entry in state.log if entry.who != "chance"][-1:]
        note = f", {last[0].who} has just chosen {last[0].key} ({last[0].name})" if last else ""
        console.print(Text(f"\nafter {number} decisions{note}", style="bold"))
        for line in board.draw(picture_of(game, state, None)):
            console.print(line)

    refused = refused_move(states)
    if refused is not None:
        state, key, why = refused
        decision = state.decision
        assert decision is not None
        console.rule(Text("Why was that not possible?", style="bold"))
        console.print(
            Text(f"{decision.who} chooses {decision.label}: ").append(", ".join(o.key for o in decision.options))
        )
        console.print(Text("but not ").append(key, style="bold").append(":"))
        for text in refusal(why, statements_of(game)):
            console.print(Text(f"  {text}"))

    console.rule(Text("The end", style="bold"))
    result = states[-1].result
    if result is not None:
        for place, who in result.standings:
            console.print(Text(f"{place}. ").append(", ".join(who), style="bold"))
        if how := rw.narration.ended(result):
            console.print(how)
    decisions = len(states) - 1
    console.print(f"{decisions} decisions in {seconds:.2f} s; every rule above stands in {path}/*.rules")
    return Exit.FINE


def played(game: rw.Game) -> list[rw.State]:
    """All positions of one random game."""
    pick = random_seat(SEED)
    states = [game.start(seed=SEED)]
    while (decision := states[-1].decision) is not None:
        if len(states) > MOST:
            raise CommandError(f"the game is not over after {MOST} decisions")
        states.append(states[-1].choose(decision.options[pick(states[-1], len(states) - 1)]))
    return states


def refused_move(states: list[rw.State]) -> tuple[rw.State, str, rw.Refusal] | None:
    """A position in which something that was once possible is refused by a named restriction."""
    offered: dict[str, list[str]] = {}
    for state in states:
        decision = state.decision
        if decision is None:
            continue
        now = [option.key for option in decision.options]
        for key in offered.setdefault(decision.name, []):
            if key not in now:
                why = state.why_not(key)
                if any(reason.label != "not_among" for reason in why.reasons):
                    return state, key, why
        offered[decision.name] += [key for key in now if key not in offered[decision.name]]
    return None


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("which ruleset? give its folder")
    sys.exit(int(outcome(lambda: demo(sys.argv[1]))))
