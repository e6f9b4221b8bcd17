"""Opening a ruleset: by its name or path, with files of variants that need not lie in its folder."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from rulewright.data.ruleset import Ruleset, load_ruleset, with_variants
from rulewright.data.ruleset_folders import changed_ruleset
from rulewright.host.api_arguments import place, titles
from rulewright.syntax import ast


def open_ruleset(ruleset: str | Path) -> Ruleset:
    """Read a ruleset: files parsed, data on demand. What is wrong with it stands in its ``diagnostics``.

    The path of a file of variants stands for the ruleset that it changes, with these variants.
    """
    return opened(place("the ruleset", ruleset), ())[0]


def opened(ruleset: str | Path | Ruleset, variants: Iterable[str]) -> tuple[Ruleset, tuple[str, ...]]:
    """A ruleset, with the files of variants among `variants` taken in; and the titles of all of these.

    If a file of variants is named in place of the ruleset, they are meant, too. Of each file those are meant that
    `variants` names, or all, if it names none of them.
    """
    found, own = (ruleset, ()) if isinstance(ruleset, Ruleset) else _opened(place("the ruleset", ruleset))
    given = titles("the variants", variants)
    known = _titles(found) if any(variant.endswith(".rules") for variant in given) else ()
    named = {variant for variant in given if not variant.endswith(".rules") or variant in known}
    groups = [own]
    for variant in given:
        more: tuple[str, ...] = (variant,)
        if variant not in named:
            found, more = with_variants(found, variant)
        groups += [more] if more not in groups else []
    return found, tuple(title for group in groups for title in group if group == (title,) or named.isdisjoint(group))


def _titles(ruleset: Ruleset) -> set[str]:
    """The titles of its variants: whatever they look like, they are no files."""
    rules = (file for file in ruleset.files if file.role != "scenario")
    return {decl.title for file in rules for decl in file.file.decls if isinstance(decl, ast.Variant)}


def _opened(given: str | Path) -> tuple[Ruleset, tuple[str, ...]]:
    changed = changed_ruleset(given)
    return with_variants(load_ruleset(changed), given) if changed is not None else (load_ruleset(given), ())
