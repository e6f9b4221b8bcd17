"""All commands of ``rulewright``, put together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, ClassVar

import typer

import rulewright as rw
from rulewright_tools.arguments import MACHINE, EngineChoice
from rulewright_tools.lazy_group import CommandEntry, LazyGroup
from rulewright_tools.vocabulary import named


class Commands(LazyGroup):
    """The commands, each with the first paragraph of its help: a test compares the two."""

    sections: ClassVar[Mapping[str, Mapping[str, CommandEntry]]] = {
        "Write rules": {
            "new": CommandEntry(
                "new:new",
                "Write a small ruleset to start from. It checks, tests and plays; nothing that exists is overwritten.",
            ),
            "check": CommandEntry(
                "check:check",
                "Check rulesets: syntax, data files, names, types, citations and variants, for every number of "
                "players.",
            ),
            "compare": CommandEntry(
                "compare:compare",
                "Compare what rules say, clause by clause: two rulesets, a variant, two numbers of players.",
            ),
            "show": CommandEntry(
                "show:show",
                "Show what a variant can change: declarations, labels, statements and rows, with the words of such "
                "changes.",
            ),
            "explain": CommandEntry(
                "explain:explain",
                "Explain a diagnostic: what it means, why it matters, and how to fix it. Without a code, list them "
                "all.",
            ),
            "fmt": CommandEntry(
                "fmt:fmt",
                "Rewrite rules files in the standard format. Comments are kept, and what the rules say does not "
                "change.",
            ),
            "rename": CommandEntry(
                "rename:rename",
                "Give something that the rules declare another name: in rules, scenarios, tables, maps and the "
                "manifest, and in rulesets and files of variants beside it or in it that build upon it.",
            ),
            "lsp": CommandEntry(
                "lsp:lsp",
                "Run the language server: findings, help and refactorings while rules are written. Editors start it.",
            ),
        },
        "Prove them": {
            "test": CommandEntry("test:run_tests", "Run the scenarios of rulesets."),
            "confirm": CommandEntry(
                "confirm:confirm",
                "Confirm that rules do what was meant, moment by moment.",
            ),
            "examine": CommandEntry(
                "examine:examine",
                "Examine a variant, or a game: rules that can be played, but say something else than was meant.",
            ),
            "trace": CommandEntry(
                "trace:trace",
                "Compare a ruleset with its rulebook: statements without a rule, rules without a statement, and the "
                "part covered.",
            ),
            "perft": CommandEntry("perft:perft", "Count the move sequences of exactly a given length."),
            "solve": CommandEntry(
                "solve:solve",
                "Solve a game of two: who wins if both play as well as they can, the best first answers, and a line of "
                "play.",
            ),
            "explain-plan": CommandEntry(
                "explain_plan:explain_plan",
                "Explain how rules are carried out: what is read and written, what is looked for when, what it costs.",
            ),
            "analyse": CommandEntry(
                "analyse:analyse",
                "Analyse a game that was played: each seat's chances at each decision, the turning points, better "
                "answers.",
            ),
            "tournament": CommandEntry(
                "tournament:tournament", "Let agents play against each other, and report how strong they are."
            ),
            "learn": CommandEntry(
                "learn:learn",
                "Learn from games how well a seat stands, and write that to a file of weights.",
            ),
            "simulate": CommandEntry(
                "simulate:simulate",
                "Play many games and report who wins, how long they take, and which rules were never used.",
            ),
            "report": CommandEntry(
                "report:report",
                "Report what a game is like, as one page that needs nothing else: to send to a publisher.",
            ),
            "experiment": CommandEntry(
                "experiment:experiment",
                "Play rulesets, variants and agents with equal seeds, and report what differs.",
            ),
            "fuzz": CommandEntry(
                "fuzz:fuzz",
                "Play a ruleset in unforeseen ways; what breaks is shrunk to a scenario that fails until it is fixed.",
            ),
            "mutate": CommandEntry(
                "mutate:mutate",
                "Change the rules a little, one place at a time, and report how many changes the ruleset's own tests "
                "find.",
            ),
        },
        "Play": {
            "studio": CommandEntry(
                "studio:studio",
                "Open the studio in a browser: play a game with its board, and see why something is not possible.",
            ),
            "play": CommandEntry(
                "play:play",
                "Play a game at the terminal, against others at the same keyboard or against chance.",
            ),
            "draw": CommandEntry(
                "draw:draw",
                "Draw the board as an SVG picture or as text: at the first decision of a game, later on, or at the end "
                "of a saved game.",
            ),
            "print": CommandEntry(
                "print:print_prototype",
                "Print a prototype: cards, tiles, tokens, boards, tracks, a player aid and the rules, as PDF or as "
                "pictures.",
            ),
            "log": CommandEntry(
                "log:log",
                "Print the log of a game line by line: answers, chance, and changes.",
            ),
        },
        "The program": {
            "cache": CommandEntry(
                "cache:cache",
                "Show what is kept between commands, where, and how large it is; or remove it.",
            ),
            "doctor": CommandEntry(
                "doctor:doctor",
                "Show what is installed here, which engine plays, where the cache lies, and what is missing.",
            ),
        },
    }


app = typer.Typer(
    name="rulewright",
    cls=Commands,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"rulewright {rw.__version__}")
        raise typer.Exit


@app.callback()
def common(
    context: typer.Context,
    show_version: Annotated[bool, named("--version", callback=_version, is_eager=True)] = False,
    engine: Annotated[EngineChoice, named("--engine")] = EngineChoice.AUTO,
    passes: Annotated[str, named("--passes")] = "all",
    steps: Annotated[int | None, named("--steps", min=1, max=10**12)] = None,
) -> None:
    """Board-game rulebooks as data: check them, test them, play them. `rulewright COMMAND --help` begins with examples;
    `--help-all` has all options.
    """
    MACHINE.played_by, MACHINE.passes = engine, passes
    context.with_resource(rw.limited(rw.Limits(steps=steps)))
