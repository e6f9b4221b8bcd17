"""Help of a command that fits a screen: three examples, a paragraph, and the options that most people want.

``--help-all`` has the rest: all paragraphs, all examples, rare options, and those of every command.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from textwrap import fill
from typing import Any

import typer
from typer._click.exceptions import NoSuchOption, UsageError

from rulewright_tools.ready_values import ReadyCommand
from rulewright_tools.vocabulary import WORDS, retired

SHOWN = 3
"""So many examples stand in the short help."""
EXAMPLES = "Examples:"
UNIVERSAL = ("--engine", "--passes", "--steps")
"""Options of every command, before or behind its name."""


@dataclass(frozen=True, slots=True)
class HelpText:
    """The parts of a text of help."""

    paragraphs: tuple[str, ...]
    examples: tuple[str, ...]

    @classmethod
    def read(cls, text: str) -> HelpText:
        """Paragraphs, and behind a line ``Examples:`` one command a line."""
        prose, _, examples = text.partition(f"\n{EXAMPLES}\n")
        paragraphs = [" ".join(one.split()) for one in re.split(r"\n\s*\n", prose) if one.strip()]
        return cls(tuple(paragraphs), tuple(line.strip() for line in examples.splitlines() if line.strip()))


class Command(ReadyCommand):
    """A command of ``rulewright``."""

    def get_params(self, ctx: Any) -> list[Any]:
        """All parameters, those for help among them."""
        params = super().get_params(ctx)
        for one in params:
            if one.name == "help":
                one.help = "This help; --help-all shows all there is."
                params[-1:] = [one]
        return params

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Take in the arguments; an option of the release before is answered with its new name."""
        if "--help-all" in args[: args.index("--") if "--" in args else None]:
            formatter = ctx.make_formatter()
            self.format_whole(ctx, formatter)
            typer.echo(formatter.getvalue().rstrip("\n"))
            ctx.exit()
        try:
            return super().parse_args(ctx, args)
        except NoSuchOption as error:
            answer = retired(ctx.command_path, error.option_name)
            if answer is None:
                raise
            raise UsageError(answer, ctx) from None

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """The words of the line of usage: arguments as help lists them."""
        arguments = [_argument(one) for one in self.get_params(ctx) if one.param_type_name == "argument"]
        return [*arguments, self.options_metavar or ""]

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """The short help."""
        text = HelpText.read(self.help or "")
        self.format_usage(ctx, formatter)
        formatter.write_paragraph()
        _indented(formatter, text.examples[:SHOWN])
        formatter.write_paragraph()
        _write_paragraph(formatter, text.paragraphs[0])
        self._list(ctx, formatter, [one for one in self.get_params(ctx) if not getattr(one, "hidden", False)])

    def format_whole(self, ctx: Any, formatter: Any) -> None:
        """All that there is to say."""
        text = HelpText.read(self.help or "")
        self.format_usage(ctx, formatter)
        formatter.write_paragraph()
        _indented(formatter, text.examples)
        for paragraph in text.paragraphs:
            formatter.write_paragraph()
            _write_paragraph(formatter, paragraph)
        self._list(ctx, formatter, self.get_params(ctx))
        with formatter.section("Options of every command"):
            formatter.write_dl([(f"{name} {WORDS[name].value}", WORDS[name].meaning) for name in UNIVERSAL])

    @staticmethod
    def _list(ctx: Any, formatter: Any, params: Iterable[Any]) -> None:
        """Arguments and options, each in as few words as it has."""
        arguments, options = [], []
        for one in params:
            if one.param_type_name == "argument":
                arguments.append((_argument(one), one.help or ""))
            else:
                options.append((_name(one), _help(one, ctx)))
        for title, rows in (("Arguments", arguments), ("Options", options)):
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows, col_max=26)


def _argument(argument: Any) -> str:
    return argument.metavar or str(argument.name).upper()


def _write_paragraph(formatter: Any, text: str) -> None:
    """A paragraph; names of options are not broken at their hyphens."""
    width = formatter.width
    formatter.write(fill(text, width, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False) + "\n")


def _indented(formatter: Any, lines: Iterable[str]) -> None:
    for line in lines:
        formatter.write(f"  {line}\n")


def _name(option: Any) -> str:
    letters = sorted(option.opts, key=len)
    if option.is_flag or option.name == "help":
        return ", ".join(letters)
    choices = getattr(getattr(option, "type_descriptor", None), "annotation", None)
    value = "|".join(choices) if isinstance(choices, type) and issubclass(choices, StrEnum) else option.metavar
    return f"{', '.join(letters)} {value}"


def _help(option: Any, ctx: Any) -> str:
    default = option.default
    known = isinstance(default, (int, float, str)) and not isinstance(default, bool) and option.name != "seed"
    return f"{option.help} [{default}]" if known else option.help or ""
