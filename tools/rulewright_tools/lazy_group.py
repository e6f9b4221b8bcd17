"""A command group that knows its commands by name, and imports the module of one when it is called.

Most commands need something that takes long to import: the fuzzer, tables and bars, the writer of pictures. Help, the
version and other commands do not wait for them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MutableMapping
from dataclasses import dataclass
from importlib import import_module
from inspect import getdoc
from itertools import islice
from typing import Any, ClassVar

import typer
from typer.core import TyperGroup

from rulewright_tools import signals
from rulewright_tools.command_help import UNIVERSAL, Command
from rulewright_tools.ready_values import pass_ready_values


@dataclass(frozen=True, slots=True)
class CommandEntry:
    """The module of a command and its help, in the words of the first paragraph of its own help."""

    where: str
    """``module:function``, below :mod:`rulewright_tools.commands`."""
    help: str


class LazyCommands(MutableMapping[str, Any]):
    """The commands by name; each is made at its first use."""

    def __init__(self, entries: Mapping[str, CommandEntry]) -> None:
        self._entries = entries
        self._made: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._made:
            try:
                self._made[name] = self._make(name)
            except KeyboardInterrupt:
                signals.leave()  # typer would end without a word
        return self._made[name]

    def _make(self, name: str) -> Any:
        module, _, function = self._entries[name].where.partition(":")
        command = getattr(import_module(f"rulewright_tools.commands.{module}"), function)
        # Help is plain text, as that of all commands together is: `:100:` in it is no picture, and `[a]` no colour.
        app = typer.Typer(rich_markup_mode=None, add_completion=False, pretty_exceptions_enable=False)
        app.command(name, cls=Command, help=getdoc(command) or "")(command)
        return typer.main.get_command(app)

    def __setitem__(self, name: str, command: Any) -> None:
        self._made[name] = command

    def __delitem__(self, name: str) -> None:
        del self._made[name]

    def __contains__(self, name: object) -> bool:
        return name in self._entries or name in self._made

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys((*self._entries, *self._made)))

    def __len__(self) -> int:
        return len(list(iter(self)))


def _universal_first(args: list[str]) -> list[str]:
    """The arguments with the options of every command in front."""
    first: list[str] = []
    others: list[str] = []
    left = iter(args)
    for one in left:
        name, equals, _ = one.partition("=")
        if one == "--":
            others += [one, *left]
        elif name in UNIVERSAL:
            first += [one] if equals else [one, *islice(left, 1)]
        else:
            others.append(one)
    return [*first, *others]


class LazyGroup(TyperGroup):
    """A group whose help is made of the entries alone."""

    sections: ClassVar[Mapping[str, Mapping[str, CommandEntry]]] = {}
    """The commands under headings, in the order in which help lists them."""

    def __init__(self, **more: Any) -> None:
        super().__init__(**more)
        self.entries = {name: one for section in self.sections.values() for name, one in section.items()}
        self.commands = LazyCommands(self.entries)

    def get_params(self, ctx: Any) -> list[Any]:
        """The options of the group, ``--help`` among them."""
        return pass_ready_values(super().get_params(ctx))

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Take in the arguments; options of every command may stand behind its name, too."""
        return super().parse_args(ctx, _universal_first(args))

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Plain text: to draw frames takes longer than all the rest."""
        super(TyperGroup, self).format_help(ctx, formatter)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """The commands, with all that their entries say."""
        wide = max(map(len, self.entries))
        for heading, section in self.sections.items():
            with formatter.section(heading):
                formatter.write_dl([(name.ljust(wide), entry.help) for name, entry in section.items()])

    def shell_complete(self, ctx: Any, incomplete: str) -> list[Any]:
        """Names of commands as shells offer them, without making the commands."""
        from typer._click.shell_completion import CompletionItem

        found = [CompletionItem(n, help=e.help) for n, e in self.entries.items() if n.startswith(incomplete)]
        # What is left are the options of the group itself.
        return [*found, *super(TyperGroup, self).shell_complete(ctx, incomplete)]
