"""The nearest games of the shipped library, by a profile of measures.

The profiles of the library are data, made by ``make profiles`` from the same measures with a fixed seed. After the
concepts of Ludii (M. Stephenson and others, *General game heuristic prediction based on Ludeme descriptions*, 2021):
measures of play, each in standard deviations of the library, compared by their mean distance.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from math import log10
from pathlib import Path
from statistics import fmean, pstdev

from rulewright_tools.reports.game_report.gathering import Gathered
from rulewright_tools.reports.html.parts import Html, folded, paragraphs, section, table

PROFILES = Path(__file__).with_name("library_profiles.json")
NEAREST = 3
LIKE, UNLIKE = 0.35, 1.0
"""Standard deviations up to which two games are alike in a measure, and from which on they are not."""
FEATURES: Mapping[str, str] = {
    "length": "length",
    "options": "number of possible answers",
    "forced": "answers without a choice",
    "dead turns": "turns without a choice",
    "ties": "games without a single winner",
    "first seat": "advantage of the first player",
    "lead": "changes of the lead",
    "behind": "how long winners are behind",
    "decided": "how late a game is decided",
    "luck": "luck",
    "skill": "how far better play wins",
    "secrets": "secrets",
}
"""The measures of a profile, as people say them."""


def profile(found: Gathered) -> dict[str, float]:
    """The measures of a game, as far as they are known."""
    values = {name: one.mean for name, one in found.first.statistics.items()}
    families = {name.partition("(")[0]: value for name, value in values.items()}
    known = {
        "length": log10(max(1.0, values["decisions"])) if "decisions" in values else None,
        "options": log10(max(1.0, values["options"])) if "options" in values else None,
        "forced": values.get("forced"),
        "dead turns": values.get("dead_turns"),
        "ties": values.get("ties"),
        "first seat": abs(values["first_seat_advantage"]) if "first_seat_advantage" in values else None,
        "lead": log10(1 + families["lead_changes"]) if "lead_changes" in families else None,
        "behind": families.get("behind"),
        "decided": families.get("decided_at"),
        "secrets": float(found.game.has_private_information),
    }
    if found.luck is not None and (luck := found.luck.extra.estimates(0).get("luck")) is not None:
        known["luck"] = luck.value
    for name, one in (found.contest.extra.estimates(0) if found.contest is not None else {}).items():
        if name.startswith("skill("):
            known["skill"] = 1 / (1 + 10 ** (-one.value / 400))
    return {name: round(value, 4) for name, value in known.items() if value is not None}


def library() -> dict[str, dict[str, object]]:
    """The profiles of the shipped games: for each its title and measures."""
    found: dict[str, dict[str, object]] = json.loads(PROFILES.read_text("utf-8")) if PROFILES.is_file() else {}
    return found


def nearest_games(found: Gathered) -> Html:
    """The games that are played most alike, with what they share and where they differ."""
    own, games = profile(found), library()
    measures = {name: _measures(one) for name, one in games.items()}
    spread = {
        feature: pstdev([one[feature] for one in measures.values() if feature in one])
        for feature in FEATURES
        if sum(feature in one for one in measures.values()) > 1
    }
    apart: dict[str, dict[str, float]] = {}
    for name, other in measures.items():
        shared = [one for one in spread if spread[one] and one in own and one in other]
        if name != found.game.name and len(shared) >= len(FEATURES) // 2:
            apart[name] = {one: (other[one] - own[one]) / spread[one] for one in shared}
    ranked = sorted(apart, key=lambda name: (fmean(map(abs, apart[name].values())), name))[:NEAREST]
    if not ranked:
        return Html("")
    lines = [_sentence(str(games[name]["title"]), apart[name]) for name in ranked]
    rows = [
        [str(games[name]["title"]), f"{fmean(map(abs, apart[name].values())):.2f}",
         *(f"{apart[name][one]:+.1f}" if one in apart[name] else "" for one in FEATURES)]
        for name in ranked
    ]  # fmt: skip
    head = ("Game", "Distance", *(_capital(one) for one in FEATURES.values()))
    caption = "How far each measure of these games lies from this one, in standard deviations of the library"
    among = f"Of {len(measures)} games that come with Rulewright, these are nearest by what was measured:"
    how = "All are compared by the same measures."
    return section(
        "Games like it",
        paragraphs([among, *lines]),
        folded("How this is known", paragraphs([how]), table(head, rows, caption)),
    )


def _measures(one: Mapping[str, object]) -> dict[str, float]:
    held = one["measures"]
    assert isinstance(held, dict)
    return held


def _sentence(title: str, apart: Mapping[str, float]) -> str:
    alike = sorted((name for name in apart if abs(apart[name]) <= LIKE), key=lambda name: abs(apart[name]))
    more = sorted((name for name in apart if abs(apart[name]) >= UNLIKE), key=lambda name: -abs(apart[name]))
    same = f"alike in {_listed([FEATURES[name] for name in alike[:3]])}" if alike else ""
    words = [f"{FEATURES[name]} ({'more' if apart[name] > 0 else 'less'} there)" for name in more[:2]]
    other = f"different in {_listed(words)}" if words else ""
    return f"{title}: {'; '.join(filter(None, (same, other))) or 'alike in most'}."


def _listed(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
