"""The manifest ``ruleset.json``: what a ruleset is called and which files belong to it."""

from __future__ import annotations

from dataclasses import field, replace
from pathlib import Path
from typing import Any

from rulewright.data.json_positions import JsonPath, JsonText, read_json, show_path
from rulewright.data.paths import inside, shown
from rulewright.data.schema_checks import validate
from rulewright.diagnostics import NOWHERE, Diagnostic, Report, Span
from rulewright.foundation import versions
from rulewright.foundation.lazy_dataclass import dataclass

FILE = "ruleset.json"


@dataclass(frozen=True, slots=True)
class GroundHints:
    """Hints for drawing the ground of places. Keys of the tables are values of the field or attribute."""

    colours: dict[str, str] = field(default_factory=dict)
    signs: dict[str, str] = field(default_factory=dict)
    """At most two letters for the terminal."""
    icons: dict[str, str] = field(default_factory=dict)
    field: str = ""
    """The field or printed attribute of places, or of tiles laid there, that gives their ground."""


@dataclass(frozen=True, slots=True)
class WallHints:
    """Hints for drawing the edges of a map."""

    field: str = ""
    """The truth about edges that is drawn as a wall."""
    colour: str = ""
    mark: str = ""
    """Another one, that is drawn as a mark upon it."""


@dataclass(frozen=True, slots=True)
class LinkHints:
    """Hints for edges that are lines from place to place, as roads are."""

    field: str = ""
    """The field of edges: a truth, or whose the edge is."""
    colour: str = ""


@dataclass(frozen=True, slots=True)
class MarkerHint:
    """A hint for a small sign on places."""

    sign: str
    """At most two letters, for the terminal; and for pictures, if there is no icon."""
    icon: str = ""
    name: str = ""
    """The name in the legend; empty: the name of the query."""
    colour: str = ""


@dataclass(frozen=True, slots=True)
class DrawHints:
    """Hints for drawing; they never change the rules. Keys are words of the rules."""

    colours: dict[str, str] = field(default_factory=dict)
    """A colour for an enum value, a seat or a kind of piece."""
    labels: dict[str, str] = field(default_factory=dict)
    """A short text for a kind of piece, an enum value, a seat or a place."""
    shapes: dict[str, str] = field(default_factory=dict)
    """The shape in which each kind of piece is drawn."""
    colour_by: dict[str, str] = field(default_factory=dict)
    """The attribute that gives the colour of a kind of piece."""
    places: str = ""
    place_label: str = ""
    place_colour: str = ""
    background: str = ""
    ground: GroundHints = field(default_factory=GroundHints)
    walls: WallHints = field(default_factory=WallHints)
    links: LinkHints = field(default_factory=LinkHints)
    figures: dict[str, str] = field(default_factory=dict)
    """A field of places whose values are figures, and the field of places that gives their owners."""
    tint: str = ""
    """A query of one place that names whose land it is: all of it is tinted."""
    rim: str = ""
    """A query for colours, of which only the rim of the land gets one."""
    stacks: tuple[str, ...] = ()
    """Zones of places whose pieces are drawn as a stack of name plates."""
    badges: dict[str, str] = field(default_factory=dict)
    """The attribute or field whose value is written on a kind of piece."""
    markers: dict[str, MarkerHint] = field(default_factory=dict)
    """Signs on places: by a query, field or printed attribute of places, or by a field that names places."""
    shows: tuple[str, ...] = ()
    """Queries whose answers everyone may see: of a player, a party, or of nothing."""
    beside: dict[str, str] = field(default_factory=dict)
    """For a row the query that gives what is written beside the piece at a position."""
    hides: tuple[str, ...] = ()
    """Zones and fields that are not worth drawing."""
    print: dict[str, Any] = field(default_factory=dict)
    """The layout of a prototype on paper, as the schema has it; each part that is missing follows from the rules."""


@dataclass(frozen=True, slots=True)
class LogHints:
    """Hints for the log of a game; they never change the rules."""

    hides: tuple[str, ...] = ()
    """Zones, fields and queries whose changes the log does not tell by itself: the rules tell them, or nobody asks."""
    shows: tuple[str, ...] = ()
    """Zones and fields that are not drawn, and told nevertheless."""
    phrases: dict[str, str] = field(default_factory=dict)
    """Other words for phrases of the log and for lines that the rules tell."""
    answers: dict[str, str] = field(default_factory=dict)
    """Words for what was answered, by the question as in ``asks``, or by it and one of its answers: ``turn.card``,
    ``bring.t stop``. Empty: it follows from what comes next."""


@dataclass(frozen=True, slots=True)
class Ignored:
    """A finding that is accepted; see :mod:`rulewright.findings.suppressions`."""

    code: str
    reason: str
    file: str = ""
    """Relative to the ruleset's folder; empty: any file of the ruleset."""


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
    base_scenarios: tuple[str, ...] = ()
    """Files with scenarios of the ruleset it extends that hold here, too; named as there."""
    rulebook: str = ""
    rulings: str = ""
    move: str = ""
    seats: dict[int, tuple[str, ...]] = field(default_factory=dict)
    draw: DrawHints = field(default_factory=DrawHints)
    log: LogHints = field(default_factory=LogHints)
    words: dict[str, str] = field(default_factory=dict)
    """Words that players are shown instead of a word of the rules, such as the terms of another edition."""
    asks: dict[str, str] = field(default_factory=dict)
    """Sentences in which players are asked, by the rule and the name of what is chosen: ``turn.source``."""
    feedback: tuple[str, ...] = ()
    """Questions to those who have played, which they answer with a number from 1 to 5."""
    sources: tuple[str, ...] = ()
    ignore: tuple[Ignored, ...] = ()
    source: JsonText | None = field(default=None, repr=False, compare=False)

    def span(self, *path: str | int) -> Span:
        """The span of something in the manifest."""
        return self.source.span(path) if self.source is not None else NOWHERE

    def upon(self, base: Manifest) -> Manifest:
        """This manifest where it extends `base`: seats, move, drawing and feedback are those of the base if it says
        nothing, and words, questions and phrases are as there unless it says otherwise."""
        draw = self.draw if self.draw != DrawHints() else base.draw
        log = LogHints(
            (*base.log.hides, *self.log.hides),
            (*base.log.shows, *self.log.shows),
            base.log.phrases | self.log.phrases,
            base.log.answers | self.log.answers,
        )
        move, seats = self.move or base.move, self.seats or base.seats
        words, asks, feedback = base.words | self.words, base.asks | self.asks, self.feedback or base.feedback
        return replace(self, move=move, seats=seats, draw=draw, log=log, words=words, asks=asks, feedback=feedback)

    def seat_names(self, players: int) -> tuple[str, ...]:
        """Names of the seats with this many players; without any in the manifest ``player_1`` and so on."""
        return self.seats.get(players) or tuple(f"player_{number}" for number in range(1, players + 1))


def load_manifest(folder: Path) -> Manifest:
    """Read and check the manifest of a ruleset's folder."""
    where = Span(shown(folder))
    source = read_json(inside(folder, FILE, where), where)
    _check_versions(source)
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
        base_scenarios=tuple(raw.get("base_scenarios", ())),
        rulebook=raw.get("rulebook", ""),
        rulings=raw.get("rulings", ""),
        move=raw.get("move", ""),
        seats={int(count): tuple(names) for count, names in raw.get("seats", {}).items()},
        draw=_hints(raw.get("draw", {})),
        log=_log_hints(raw.get("log", {})),
        words=raw.get("words", {}),
        asks=raw.get("asks", {}),
        feedback=tuple(raw.get("feedback", ())),
        sources=tuple(s if isinstance(s, str) else s["what"] for s in raw.get("sources", ())),
        ignore=tuple(Ignored(**entry) for entry in raw.get("ignore", ())),
        source=source,
    )


def _check_versions(source: JsonText) -> None:
    """Before the schema: what a later manifest may say is unknown here, and would be called a mistake."""
    report = Report()
    raw = source.value if isinstance(source.value, dict) else {}
    for key, known in (("manifest", versions.MANIFEST), ("language", versions.LANGUAGE)):
        version = raw.get(key)
        if versions.is_newer(version, known):
            message = f"this ruleset needs version {version} of the {key}, but this Rulewright knows version {known}"
            hint = "install a newer Rulewright"
            report.found.append(Diagnostic("DAT032", message, source.span((key,)), hint=hint, path=key))
    report.stop_if_failed()


def _hints(raw: dict[str, Any]) -> DrawHints:
    made: dict[str, Any] = {
        "ground": GroundHints(**raw.get("ground", {})),
        "walls": WallHints(**raw.get("walls", {})),
        "links": LinkHints(**raw.get("links", {})),
        "markers": {name: MarkerHint(**marker) for name, marker in raw.get("markers", {}).items()},
        "stacks": tuple(raw.get("stacks", ())),
        "shows": tuple(raw.get("shows", ())),
        "hides": tuple(raw.get("hides", ())),
    }
    return DrawHints(**(raw | made))


def _log_hints(raw: dict[str, Any]) -> LogHints:
    hides, shows = tuple(raw.get("hides", ())), tuple(raw.get("shows", ()))
    return LogHints(hides, shows, raw.get("phrases", {}), raw.get("answers", {}))


def _check(raw: dict[str, Any], source: JsonText) -> None:
    """Check what a schema cannot express."""
    report = Report()

    def say(code: str, message: str, way: JsonPath, hint: str = "") -> None:
        report.found.append(Diagnostic(code, message, source.span(way), hint=hint, path=show_path(way)))

    if not raw.get("rules") and not raw.get("extends"):
        say("DAT010", "a ruleset needs `rules`, or another ruleset that it `extends`", ())
    if raw.get("base_scenarios") and not raw.get("extends"):
        hint = "name the ruleset that it `extends`, or list the files under `scenarios`"
        say(
            "DAT010",
            "`base_scenarios` are those of another ruleset, and this one extends none",
            ("base_scenarios",),
            hint,
        )
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
