"""Statistical pictures as SVG: by Altair, drawn by vl-convert without a browser.

Colours are variables of the page, so that a picture is right in the light, in the dark, and on paper; what is shown is
carried by places, shapes and labels, too, never by colours alone. All pictures are narrow enough for a telephone, and
grow with the page.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

WIDTH = 330
"""Points from side to side."""
_INK, _SOFT, _LINE, _PAPER = "var(--ink)", "var(--soft)", "var(--line)", "var(--paper)"
_FONT = "Helvetica, Arial, sans-serif"
_ROW = 38
"""Points for a row of intervals."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A row of a forest plot."""

    name: str
    mean: float
    low: float
    high: float
    label: str
    """The figures in words, which stand beside the interval."""
    certain: bool = True
    """True if the point is filled: what is found is no chance."""
    tone: int = 0
    """The number of its colour."""


def forest(rows: Sequence[Interval], title: str, percent: bool = False, reference: float | None = 0.0) -> str:
    """Intervals below each other, each with its name and figures above it, and a line at what is no difference."""
    alt = _altair()

    data = alt.Data(
        values=[
            {"row": n, "name": one.name, "mean": one.mean, "low": one.low, "high": one.high, "label": one.label,
             "fill": tone(one.tone) if one.certain else _PAPER, "tone": tone(one.tone)}
            for n, one in enumerate(rows)
        ]
    )  # fmt: skip
    ends = [end for one in rows for end in (one.low, one.high)] + ([] if reference is None else [reference])
    low, high = min(ends), max(ends)
    spare = (high - low) * 0.04 or abs(high) * 0.1 or 1.0
    axis = alt.Axis(title=title, format="~%" if percent else "~r", tickCount=5, grid=True)
    scale = alt.Scale(domain=[low - spare, high + spare], nice=False)
    x = alt.X("mean:Q", axis=axis, scale=scale)
    y = alt.Y("row:O", axis=None, scale=alt.Scale(paddingInner=0, paddingOuter=0))
    base = alt.Chart(data).encode(y=y)
    layers = [
        base.mark_rule(strokeWidth=2, yOffset=8).encode(
            x=alt.X("low:Q", axis=axis, scale=scale), x2="high:Q", stroke=_raw("tone")
        ),
        base.mark_point(shape="diamond", size=70, strokeWidth=2, opacity=1, yOffset=8).encode(
            x=x, fill=_raw("fill"), stroke=_raw("tone")
        ),
        base.mark_text(align="left", baseline="middle", fontWeight="bold", dy=-8).encode(
            x=alt.value(0), text="name:N", color=alt.value(_INK)
        ),
        base.mark_text(align="right", baseline="middle", dy=-8).encode(
            x=alt.value(WIDTH), text="label:N", color=alt.value(_INK)
        ),
    ]
    if reference is not None:
        line = alt.Chart(alt.Data(values=[{"mean": reference}])).mark_rule(strokeDash=[5, 3], color=_INK)
        layers.insert(0, line.encode(x=x))
    return svg(alt.layer(*layers).properties(width=WIDTH, height=_ROW * len(rows)))


@dataclass(frozen=True, slots=True)
class Bars:
    """A histogram: shares of games by intervals of values."""

    name: str
    shares: Sequence[float]
    mean: float
    tone: int = 0


def histograms(parts: Sequence[Bars], edges: Sequence[float], title: str) -> str:
    """Histograms of one measure below each other, with common intervals: each from one edge up to the next."""
    alt = _altair()

    most = max((share for one in parts for share in one.shares), default=1.0) or 1.0
    scale = alt.Scale(domain=[edges[0], edges[-1]], nice=False)
    charts = []
    for number, one in enumerate(parts):
        last = number == len(parts) - 1
        axis = alt.Axis(title=title if last else None, labels=last, ticks=last, format="~r", tickCount=6)
        values = [{"from": a, "to": b, "share": s} for a, b, s in zip(edges, edges[1:], one.shares, strict=False)]
        y = alt.Y("share:Q", scale=alt.Scale(domain=[0, most]), axis=alt.Axis(title=None, format="~%", tickCount=2))
        bars = (
            alt.Chart(alt.Data(values=values))
            .mark_bar(color=tone(one.tone), binSpacing=1, orient="vertical")
            .encode(x=alt.X("from:Q", bin="binned", axis=axis, scale=scale), x2="to:Q", y=y)
        )
        mean = alt.Chart(alt.Data(values=[{"from": one.mean, "name": one.name}]))
        line = mean.mark_rule(strokeDash=[3, 2], color=_INK).encode(x=alt.X("from:Q", scale=scale))
        label = mean.mark_text(align="left", baseline="bottom", dy=-4, fontWeight="bold", color=_INK)
        named = label.encode(x=alt.value(0), y=alt.value(0), text="name:N")
        charts.append(alt.layer(bars, line, named).properties(width=WIDTH - 36, height=60))
    return svg(alt.vconcat(*charts, spacing=14))


def curves(
    lines: Mapping[str, Sequence[tuple[float, float]]], title: str, percent: bool = False, step: str = "round"
) -> str:
    """Lines over rounds or decisions, each with its name at its end and its own kind of strokes."""
    alt = _altair()

    dashes = ([1, 0], [6, 3], [2, 2], [8, 3, 2, 3], [4, 4], [1, 3])
    layers = []
    wide = WIDTH - 90
    xs = [x for points in lines.values() for x, _ in points] or [0]
    ys = [y for points in lines.values() for _, y in points] or [0]
    x_scale = alt.Scale(domain=[min(xs), max(xs)], nice=False)
    y_scale = alt.Scale(domain=[min(ys), max(ys)], nice=True, zero=False)
    tall = 170
    spread = _apart([points[-1][1] for points in lines.values() if points], min(ys), max(ys), tall)
    for number, (name, points) in enumerate(one for one in lines.items() if one[1]):
        data = alt.Data(values=[{"x": x, "y": y} for x, y in points])
        encoded = alt.Chart(data).encode(
            x=alt.X("x:Q", scale=x_scale, axis=alt.Axis(title=step, tickCount=6, tickMinStep=1, format="~r")),
            y=alt.Y("y:Q", scale=y_scale, axis=alt.Axis(title=title, format="~%" if percent else "~r", tickCount=5)),
        )
        stroke = {"color": tone(number), "strokeWidth": 2, "strokeDash": dashes[number % len(dashes)]}
        layers.append(encoded.mark_line(**stroke))
        end = alt.Chart(alt.Data(values=[{"y": spread[number], "name": name}])).encode(
            x=alt.value(wide + 5), y=alt.Y("y:Q", scale=y_scale), text="name:N"
        )
        layers.append(end.mark_text(align="left", baseline="middle", fontWeight="bold", color=tone(number), limit=90))
    return svg(alt.layer(*layers).properties(width=wide, height=tall))


@dataclass(frozen=True, slots=True)
class Dot:
    """A point of a scatter plot."""

    x: float | str
    y: float
    weight: float
    """The size of the disc, that of the largest being 1."""
    marked: bool = False
    """True if it is the one that matters: a filled diamond."""


def scatter(
    dots: Sequence[Dot], values: Sequence[float | str], axis: str, title: str, percent: bool, aim: float
) -> str:
    """Points over the values of a parameter, numbers or names, and a line at what is aimed at."""
    alt = _altair()

    wide, tall = WIDTH - 50, 190
    names = any(isinstance(one, str) for one in values)
    if names:
        x = alt.X("x:N", sort=[*values], axis=alt.Axis(title=axis, labelAngle=0, labelLimit=90))
    else:
        low, high = min(map(float, values)), max(map(float, values))
        spare = (high - low) * 0.05 or 1.0
        scale = alt.Scale(domain=[low - spare, high + spare], nice=False)
        x = alt.X("x:Q", scale=scale, axis=alt.Axis(title=axis, tickCount=6, tickMinStep=1, format="~r"))
    ys = [aim, *(one.y for one in dots)]
    y = alt.Y(
        "y:Q",
        scale=alt.Scale(domain=[min(ys), max(ys)], nice=True, zero=False),
        axis=alt.Axis(title=title, format="~%" if percent else "~r", tickCount=5),
    )
    layers = [alt.Chart(alt.Data(values=[{"y": aim}])).mark_rule(strokeDash=[5, 3], color=_INK).encode(y=y)]
    for marked in (False, True):
        some = [{"x": one.x, "y": one.y, "size": 90 * one.weight} for one in dots if one.marked is marked]
        look: dict[str, object] = {"shape": "circle", "filled": False, "stroke": tone(0), "strokeWidth": 1.5}
        if marked:
            look = {"shape": "diamond", "filled": True, "fill": tone(1), "stroke": _INK, "strokeWidth": 1}
            some = [one | {"size": 150} for one in some]
        drawn = alt.Chart(alt.Data(values=some)).mark_point(opacity=1, **look)
        layers.append(drawn.encode(x=x, y=y, size=alt.Size("size:Q", scale=None)))
    return svg(alt.layer(*layers).properties(width=wide, height=tall))


def _apart(ends: Sequence[float], low: float, high: float, tall: int) -> list[float]:
    """Places for labels at the ends of lines, far enough from each other to be read."""
    least = (high - low or 1.0) * 13 / tall
    found = [*ends]
    reached = float("-inf")
    for number in sorted(range(len(ends)), key=ends.__getitem__):
        found[number] = reached = max(ends[number], reached + least)
    over = max(0.0, max(found, default=high) - high)
    return [one - over for one in found]


def _altair() -> Any:
    """The library, whose types say less than they ask for."""
    import altair

    return altair


def tone(number: int) -> str:
    """The colour of an arm or a seat."""
    return f"var(--arm{number % 6})"


def _raw(field: str) -> dict[str, object]:
    """A column of colours, taken as they are."""
    return {"field": field, "type": "nominal", "scale": None}


_THEME = {
    "aria": False,
    "background": None,
    "font": _FONT,
    "view": {"stroke": None},
    "axis": {
        "labelColor": _SOFT, "titleColor": _SOFT, "gridColor": _LINE, "domainColor": _LINE, "tickColor": _LINE,
        "labelFontSize": 11, "titleFontSize": 11, "titleFontWeight": "normal",
    },
    "text": {"fontSize": 11.5},
}  # fmt: skip


_IDLE = re.compile(r' (?:aria-[a-z]+|role|pointer-events|opacity|display|xmlns:xlink|version)="[^"]*"')
"""Attributes that change nothing that is seen; what a picture shows is described by its label, and its table."""
_EMPTY = re.compile(r'<path class="(?:back|fore)ground" d="[^"]*"/>|<g></g>')


def svg(chart: Any) -> str:
    """A chart as the text of an SVG element whose names nothing else on the page has."""
    import vl_convert

    spec = chart.to_dict()
    spec["config"] = _THEME
    spec.pop("$schema", None)
    spec_text = (
        json.dumps(spec, ensure_ascii=False).encode("utf-8", "replace").decode()
    )  # names may hold half a character
    text = vl_convert.vegalite_to_svg(spec_text)
    return unique(_EMPTY.sub("", _IDLE.sub("", text[text.index("<svg") :])))


def unique(text: str) -> str:
    """A picture whose ids are its own: after its content, not after how many were drawn before it."""
    ids = dict.fromkeys(re.findall(r'\bid="([^"]+)"', text))
    plain = text
    for number, name in enumerate(ids):
        plain = re.sub(rf'(\bid="|url\(#|href="#){re.escape(name)}(?=["\)])', rf"\g<1>@{number}", plain)
    own = hashlib.sha256(plain.encode()).hexdigest()[:8]
    return re.sub(r'(\bid="|url\(#|href="#)@(\d+)(?=["\)])', rf"\g<1>p{own}-\g<2>", plain)
