"""Opening a ruleset: by its name or path, with files of variants that need not lie in its folder."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from rulewright.api_arguments import place, said, text, wrong
from rulewright.data.ruleset import Ruleset, load_ruleset, with_variants


def open_ruleset(name_or_path: str | Path) -> Ruleset:
    """Read a ruleset: files parsed, data on demand. What is wrong with it stands in its ``diagnostics``."""
    return load_ruleset(place("the ruleset", name_or_path))


def opened(ruleset: str | Path | Ruleset, variants: Iterable[str]) -> tuple[Ruleset, tuple[str, ...]]:
    """A ruleset, with the files of variants among `variants` taken in; and the titles of all of these."""
    found = ruleset if isinstance(ruleset, Ruleset) else open_ruleset(ruleset)
    if isinstance(variants, str) or not isinstance(variants, Iterable):
        raise wrong("the variants", variants, "they are a list of titles", f"write `[{said(variants)}]`")
    titles: list[str] = []
    for variant in variants:
        if text("a variant", variant).endswith(".rules"):
            found, more = with_variants(found, variant)
            titles += more
        else:
            titles.append(variant)
    return found, tuple(titles)
