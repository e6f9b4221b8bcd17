"""Use of rules beside their text, as part of a page: in how many games each was used, and which never were."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import rulewright as rw
from rulewright_tools.reports.html.parts import Html, element, folded, grouped_table, paragraphs

LINES = 14
"""Lines of a rule that are shown at most."""


@dataclass(frozen=True, slots=True)
class RuleUse:
    """The use of the rules in the games of an arm."""

    name: str
    """The letter or name of the arm; empty if there is one only."""
    game: rw.Game
    games: int
    used: Mapping[str, int]
    """For each rule the number of games in which it was used."""


def rule_use(arms: Sequence[RuleUse]) -> Html:
    """The rules that were used, and those that never were; the least used come first."""
    shares: dict[str, dict[str, float]] = {}
    texts: dict[str, rw.contents.Item] = {}
    for one in arms:
        for name in one.game.rule_names:
            shares.setdefault(name, {})[one.name] = one.used.get(name, 0) / max(1, one.games)
        for item in rw.contents.contents(one.game.ruleset, one.game.players, one.game.variants):
            for _, inner in item.walk():
                texts.setdefault(inner.address, inner)
    seldom: list[tuple[object, list[list[object]]]] = []
    always: list[tuple[object, list[list[object]]]] = []
    for name in sorted(shares, key=lambda name: max(shares[name].values())):
        rows: list[list[object]] = [[*([arm] if arm else []), *_share(share)] for arm, share in shares[name].items()]
        group = (_named(name, texts.get(name)), rows)
        (always if min(shares[name].values()) == 1 else seldom).append(group)
    head = ("Rule", *(("Arm",) if len(arms) > 1 else ()), "Games", "Share")
    caption = "How often each rule was used, the least used first"
    parts = [paragraphs(_never(arms))]
    if seldom:
        parts.append(grouped_table(head, seldom, caption))
    if always:
        every = f"{len(always)} rules that were used in every game" if len(always) > 1 else "A rule used in every game"
        parts.append(folded(every, grouped_table(head, always, every)))
    return Html("".join(parts))


def _never(arms: Sequence[RuleUse]) -> list[str]:
    """Sentences about what was never used: once if it is the same in all arms."""
    never: dict[str, list[str]] = {}
    for one in arms:
        idle = [name for name in one.game.idle_rules if not one.used.get(name)]
        unused = [name for name in one.game.rule_names if not one.used.get(name) and name not in idle]
        sentences = [f"Never used, although they could be: {', '.join(unused) or 'none'}."]
        if idle:
            sentences.append(f"Cannot be used with these parameters: {', '.join(idle)}.")
        for line in sentences:
            never.setdefault(line, []).append(one.name)
    return [line if len(names) == len(arms) else f"{' and '.join(names)}: {line}" for line, names in never.items()]


def _share(share: float) -> tuple[str, Html]:
    bar = f'<svg viewBox="0 0 100 8" class="bar" aria-hidden="true"><rect width="{100 * share:.0f}" height="8"/></svg>'
    return f"{100 * share:.0f} %" if share in (0, 1) or share >= 0.01 else "below 1 %", Html(bar)


def _named(name: str, item: rw.contents.Item | None) -> Html:
    """A rule with its text."""
    if item is None:
        return element("code", name)
    lines = [f"{'    ' * depth}{inner.text}" for depth, inner in item.walk()]
    more = [f"… and {len(lines) - LINES} more lines"] if len(lines) > LINES else []
    place = element("span", f"{item.file}:{item.line}", class_="soft")
    text = element("pre", element("code", "\n".join([*lines[:LINES], *more])), class_="rule")
    return Html(element("code", name) + folded(lines[0], text, place))
