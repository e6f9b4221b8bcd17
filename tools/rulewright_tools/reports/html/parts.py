"""Parts of pages: sections, tables, figures, terms. Text is escaped here, and only here; parts are put together as they
are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape


class Html(str):
    """Text that is HTML already."""

    __slots__ = ()


def html(text: object) -> Html:
    """Any text as HTML."""
    return text if isinstance(text, Html) else Html(escape(str(text)))


def element(tag: str, *inner: object, **attributes: object) -> Html:
    """An element; a trailing ``_`` of an attribute is dropped, and other ones are hyphens."""
    attributes_text = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{escape(str(v))}"' for name, v in attributes.items()
    )
    return Html(f"<{tag}{attributes_text}>{''.join(map(html, inner))}</{tag}>")


def section(title: str | None, *inner: str, level: int = 2) -> Html:
    """A part with a heading, if it has a title; nothing if there is nothing in it."""
    if not any(inner):
        return Html("")
    heading = (element(f"h{level}", title),) if title is not None else ()
    return element("section", *heading, Html("\n"), *(Html(f"{one}\n") for one in map(html, inner)))


def paragraphs(lines: Iterable[str], **attributes: object) -> Html:
    """Each line a paragraph, in a division if there are attributes."""
    inner = [element("p", line) for line in lines]
    return element("div", *inner, **attributes) if attributes and inner else Html("".join(inner))


def figures_in_words(figures: Iterable[tuple[object, str]]) -> Html:
    """The main figures of a page, each with what it counts."""
    return element("ul", *(element("li", element("b", number), words) for number, words in figures), class_="figures")


def scrolling(inner: Html, label: str) -> Html:
    """A part that is scrolled by itself where it is too wide, also with the keyboard."""
    return element("div", inner, class_="scroll", tabindex=0, role="region", aria_label=label)


def table(head: Sequence[str], rows: Iterable[Sequence[object]], caption: str, words: int = 1) -> Html:
    """A table whose first cells head their rows; columns behind the first `words` are numbers."""

    def cell(tag: str, number: int, inner: object, **more: object) -> Html:
        return element(tag, inner, **(more | _number(number >= words)))

    top = element("tr", *(cell("th" if one else "td", n, one, scope="col") for n, one in enumerate(head)))
    body = [
        element("tr", *(cell("td", n, one) if n else cell("th", 0, one, scope="row") for n, one in enumerate(row)))
        for row in rows
    ]
    inner = element("table", element("caption", caption), element("thead", top), element("tbody", *body))
    return scrolling(inner, caption)


def grouped_table(
    head: Sequence[str], groups: Iterable[tuple[object, Sequence[Sequence[object]]]], caption: str
) -> Html:
    """A table whose first cells head several rows each; columns behind the second are numbers."""
    top = element("tr", *(element("th", one, scope="col", **_number(n > 1)) for n, one in enumerate(head)))
    bodies = []
    for name, rows in groups:
        body = [[element("td", one, **_number(n > 0)) for n, one in enumerate(row)] for row in rows]
        first = element("th", name, scope="rowgroup", rowspan=len(rows))
        lines = [element("tr", *((first,) if not n else ()), *cells) for n, cells in enumerate(body)]
        bodies.append(element("tbody", *lines))
    inner = element("table", element("caption", caption), element("thead", top), *bodies)
    return scrolling(inner, caption)


def _number(really: bool) -> dict[str, object]:
    return {"class_": "n"} if really else {}


def figure(svg: str, caption: object, label: str, numbers: Html | None = None, wide: bool = False) -> Html:
    """A picture with what it shows in words, and its numbers as a table below."""
    drawn = Html(svg.replace("<svg ", f'<svg role="img" aria-label="{escape(label)}" ', 1))
    below_it = element("figcaption", caption)
    below = () if numbers is None else (folded("The same as a table", numbers),)
    return element("figure", drawn, below_it, *below, **({"class_": "wide"} if wide else {}))


def folded(title: str, *inner: object) -> Html:
    """A part that is unfolded on demand, and on paper."""
    return element("details", element("summary", title), *inner)


def terms(rows: Mapping[str, object]) -> Html:
    """Terms, each with what it is."""
    return element("dl", *(Html(element("dt", name) + element("dd", meaning)) for name, meaning in rows.items()))


def row(*inner: str) -> Html:
    """Parts beside each other where there is room."""
    return element("div", *map(html, inner), class_="row")
