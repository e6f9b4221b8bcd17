"""The manifest ``ruleset.json``: what a ruleset is called and which files belong to it."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rulewright.data.jsonpos import JsonPath, JsonText, read_json, show_path
from rulewright.data.paths import shown
from rulewright.data.schema import validate
from rulewright.diagnostics import NOWHERE, Diagnostic, Report, Span

FILE = "ruleset.json"


@dataclass(frozen=True, slots=True)
class DrawHints:
    """Hints for drawing; they never change the rules. Keys are words of the rules."""

    colours: dict[str, str] = field(default_factory=dict)
    """A colour for an enum value, a seat or a kind of piece."""
    labels: dict[str, str] = field(default_factory=dict)
    """A short text for a kind of piece, an enum value, a seat or a place."""
    shapes: dict[str, str] = field(default_factory=dict)
    """How a kind of piece is drawn."""
    colour_by: dict[str, str] = field(default_factory=dict)
    """The attribute that gives the colour of a kind of piece."""
    places: str = ""
    place_label: str = ""
    place_colour: str = ""
    background: str = ""


@dataclass(frozen=True, slots=True)
class Manifest:
    """A manifest that fits its schema. Files are named relative to its folder."""

    name: str
    title: str
    edition: str = ""
    about: str = ""
    extends: str = ""
    rules: tuple[str, ...] = ()
    variants: tuple[str, ...] = ()
    scenarios: tuple[str, ...] = ()
    rulebook: str = ""
    rulings: str = ""
    move: str = ""
    seats: dict[int, tuple[str, ...]] = field(default_factory=dict)
    draw: DrawHints = field(default_factory=DrawHints)
    sources: tuple[str, ...] = ()
    source: JsonText | None = field(default=None, repr=False, compare=False)

    def span(self, *path: str | int) -> Span:
        """Where something stands in the manifest."""
        return self.source.span(path) if self.source is not None else NOWHERE

    def seat_names(self, players: int) -> tuple[str, ...]:
        """Names of the seats with so many players; without any in the manifest ``player_1`` and so on."""
        return self.seats.get(players) or tuple(f"player_{number}" for number in range(1, players + 1))


def load_manifest(folder: Path) -> Manifest:
    """Read and check the manifest of a ruleset's folder."""
    source = read_json(folder / FILE, Span(shown(folder)))
    validate(source, "ruleset")
    raw: dict[str, Any] = source.value  # type: ignore[assignment]
    _check(raw, source)
    return Manifest(
        name=raw["name"],
        title=raw["title"],
        edition=raw.get("edition", ""),
        about=raw.get("about", ""),
        extends=raw.get("extends", ""),
        rules=tuple(raw.get("rules", ())),
        variants=tuple(raw.get("variants", ())),
        scenarios=tuple(raw.get("scenarios", ())),
        rulebook=raw.get("rulebook", ""),
        rulings=raw.get("rulings", ""),
        move=raw.get("move", ""),
        seats={int(count): tuple(names) for count, names in raw.get("seats", {}).items()},
        draw=DrawHints(**raw.get("draw", {})),
        sources=tuple(s if isinstance(s, str) else s["what"] for s in raw.get("sources", ())),
        source=source,
    )


def _check(raw: dict[str, Any], source: JsonText) -> None:
    """What a schema cannot say."""
    report = Report()

    def say(code: str, message: str, way: JsonPath, hint: str = "") -> None:
        report.found.append(Diagnostic(code, message, source.span(way), hint=hint, path=show_path(way)))

    if not raw.get("rules") and not raw.get("extends"):
        say("DAT010", "a ruleset needs `rules`, or another ruleset that it `extends`", ())
    for count, names in raw.get("seats", {}).items():
        if len(names) != int(count):
            say("DAT013", f"{len(names)} seats are named for {count} players", ("seats", count))
    first: dict[str, str] = {}
    for role in ("rules", "variants", "scenarios"):
        for number, name in enumerate(raw.get(role, ())):
            if name in first:
                say("DAT027", f"`{name}` is listed twice", (role, number), f"also under `{first[name]}`")
            first.setdefault(name, role)
    report.stop_if_failed()
