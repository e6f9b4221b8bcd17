"""The two sides of a comparison: a ruleset with what is chosen for it, and the rules that hold then."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from rulewright.compiler import OptionValue, Sources, choices, player_counts, sources
from rulewright.compiler.overlays.declaration_set import Rules
from rulewright.compiler.overlays.layers import for_game
from rulewright.data import opening
from rulewright.data.ruleset import Ruleset, with_variants
from rulewright.diagnostics import Diagnostic, Report, RulesetError
from rulewright.diagnostics.suggestions import did_you_mean
from rulewright.syntax import ast

Chosen = tuple[tuple[str, ...], Mapping[str, OptionValue]]
"""Variants and options that are laid over the others of a side."""

HOW = "write a side as RULESET[:VARIANT or FILE.rules][:PARAMETER=VALUE][:PLAYERS]"


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a comparison: a ruleset, perhaps with variants, options and a number of players."""

    ruleset: str | Path | Ruleset
    variants: tuple[str, ...] = ()
    """Titles, or files with variants (``*.rules``), laid over each other in this order."""
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    players: int | None = None

    @staticmethod
    def read(text: str, other: Side | None = None, chosen: Chosen | None = None) -> Side:
        """The side that a text means: ``RULESET[:VARIANT or FILE.rules][:PARAMETER=VALUE][:PLAYERS]``, in any order.

        Without a ruleset (``:Long war``) it is that of the `other` side. What is `chosen` besides stands for itself,
        colons or not. :class:`RulesetError` if there is no such ruleset, or if a part of the text means nothing.
        """
        name, rest = _split(text)
        if not name and other is None:
            raise RulesetError(Diagnostic("DAT021", f"`{text}` names no ruleset", hint=HOW))
        ruleset, own = opening.opened(name, ()) if name or other is None else (opened(other.ruleset), ())
        titles = list(sources(ruleset).variants) if rest is not None else []
        side = Side(ruleset)
        for part in _parts(rest, titles):
            key, equals, value = part.partition("=")
            if part not in titles and part.isdecimal() and len(part) < 4:
                if side.players is not None:
                    raise RulesetError(Diagnostic("VAR406", f"`{text}` gives the number of players twice", hint=HOW))
                side = replace(side, players=int(part))
            elif part not in titles and equals and key.strip().isidentifier():
                side = replace(side, options={**side.options, key.strip(): value.strip()})
            elif not part.strip():
                raise RulesetError(Diagnostic("VAR407", f"`{text}` has nothing after a colon", hint=HOW))
            else:
                side = replace(side, variants=(*side.variants, part))
        if chosen is not None:
            side = replace(side, variants=(*side.variants, *chosen[0]), options={**side.options, **chosen[1]})
        return side if any(title in side.variants for title in own) else replace(side, variants=(*own, *side.variants))

    @property
    def plain(self) -> Side:
        """The ruleset alone."""
        return Side(self.ruleset)


def opened(ruleset: str | Path | Ruleset) -> Ruleset:
    """A ruleset that is read, if it is not yet."""
    return opening.open_ruleset(ruleset) if not isinstance(ruleset, Ruleset) else ruleset


def _split(text: str) -> tuple[str, str | None]:
    """The ruleset of a side and what follows its colon, if there is one; a path may hold colons itself."""
    pieces = text.split(":")
    for end in range(len(pieces), 1, -1):
        name = ":".join(pieces[:end])
        with suppress(OSError, ValueError):  # what cannot be the name of a file is none
            if Path(name).exists():
                return name, ":".join(pieces[end:]) if end < len(pieces) else None
    return pieces[0], ":".join(pieces[1:]) if len(pieces) > 1 else None


def _parts(rest: str | None, titles: list[str]) -> list[str]:
    """Split at the colons between the parts; a title may hold colons itself."""
    found: list[str] = []
    while rest is not None:
        whole = [title for title in titles if f"{rest}:".startswith(f"{title}:")]
        part = max(whole, key=len) if whole else rest.partition(":")[0]
        found.append(part)
        rest = rest[len(part) + 1 :] if len(rest) > len(part) else None
    return found


@dataclass(frozen=True, slots=True)
class Edition:
    """A side that was looked up: all of it exists."""

    ruleset: Ruleset
    source: Sources = field(repr=False)
    variants: tuple[str, ...]
    options: Mapping[str, OptionValue]
    players: int | None
    """The number of players, if it was given."""
    counts: tuple[int, ...]
    """All numbers of players that the ruleset knows."""

    @property
    def title(self) -> str:
        """The title: ``Stones, Long war, heap = 9, 3 players``."""
        set_to = (f"{name} = {_shown(value)}" for name, value in self.options.items())
        many = () if self.players is None else (f"{self.players} players",)
        return ", ".join((self.ruleset.title, *self.variants, *set_to, *many))

    def words(self, id: str) -> str | None:
        """The words of a statement of the rulebook, as given in its index."""
        statement = self.ruleset.rulebook.by_id.get(id) if self.ruleset.rulebook is not None else None
        return None if statement is None else statement.statement

    def rules(self, count: int) -> Rules:
        """The declarations that hold for this many players; RulesetError if an overlay cannot be laid."""
        report = Report()
        _, chosen, given = choices(self.source, count, self.variants, self.options, report)
        report.stop_if_failed()
        rules = for_game(self.source.rules, count, chosen, report)
        for name, value in given.items():
            decl = rules.decls.get(name)
            if isinstance(decl, ast.Parameter):
                rules.decls[name] = replace(decl, value=value, by_count=())
            else:
                known = [decl.name for decl in rules.all(ast.Parameter)]
                report.error("VAR405", f"there is no parameter `{name}`", hint=did_you_mean(name, known))
        report.stop_if_failed()
        return rules


def edition(side: Side) -> Edition:
    """Look up a side; :class:`RulesetError` with all that is wrong with it."""
    ruleset = opened(side.ruleset)
    titles: list[str] = []
    for variant in side.variants:
        if variant.endswith(".rules") and variant not in sources(ruleset).variants:
            ruleset, more = with_variants(ruleset, variant)
            titles += more
        else:
            titles.append(variant)
    source = sources(ruleset)
    errors = [*ruleset.play_errors, *(d for d in source.findings if d.is_error)]
    if errors:
        raise RulesetError(errors)
    report = Report()
    choices(source, side.players, titles, side.options, report)
    report.stop_if_failed()
    counts = tuple(player_counts(source.rules))
    return Edition(ruleset, source, tuple(titles), dict(side.options), side.players, counts)


def _shown(value: OptionValue) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
