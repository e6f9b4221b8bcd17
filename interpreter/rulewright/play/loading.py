"""Games made of rulesets: the requested variants and options are checked, laid together and compiled."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import get_args

from rulewright.compiler import OptionValue, compile_program, sources
from rulewright.data.opening import opened
from rulewright.data.ruleset import Ruleset
from rulewright.diagnostics import RulesetError
from rulewright.engine import EngineName, parsed_passes
from rulewright.host.api_arguments import invalid_argument, text, whole
from rulewright.play.game import Game


def load(
    ruleset: str | Path | Ruleset,
    players: int | None = None,
    variants: Iterable[str] = (),
    options: Mapping[str, OptionValue] | None = None,
    engine: EngineName = "auto",
    passes: str = "all",
) -> Game:
    """Load a game: the name of a shipped ruleset, a path, or a ruleset already opened.

    `players` defaults to the least number; `variants` are titles, or files with variants (``*.rules``), laid over each
    other in this order; `options` sets parameters. The `engine` plays whole games: ``native`` as machine
    code, ``python`` without, ``auto`` natively what can be, once it is played often; the results are the same.
    `passes` are those of the optimiser that are made, for those who look for what they do: ``all``, ``none``,
    ``masks,inlining`` (only these), ``-memo`` (all others); the Python engine makes those over the program.
    :class:`RulesetError` carries all that is wrong.
    """
    if engine not in get_args(EngineName):
        raise invalid_argument("the engine", engine, "it is `auto`, `native` or `python`")
    made_with = parsed_passes(passes)
    found_in, titles = opened(ruleset, variants)
    if players is not None:
        whole("the number of players", players)
    _options(options)
    source = sources(found_in.without_scenarios)
    errors = [*found_in.play_errors, *(d for d in source.findings if d.is_error)]
    if errors:
        raise RulesetError(errors)
    program, found = compile_program(source, players, titles, options)
    if program is None:
        raise RulesetError([d for d in found if d.is_error])
    return Game(program, found_in, engine, made_with)


def _options(options: object) -> None:
    """RulesetError unless these can be options."""
    if options is None:
        return
    if not isinstance(options, Mapping):
        raise invalid_argument("the options", options, "they are a dict from parameters to values")
    for name, value in options.items():
        small = isinstance(value, str | bool) or (isinstance(value, int) and value.bit_length() <= 64)
        if not small:
            raise invalid_argument(
                f"option `{text('an option', name)}`", value, "it is a text, a whole number or a truth value"
            )
        text("an option", name)
