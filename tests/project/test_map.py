"""The picture of the rooms in docs/architecture.md is drawn from the imports, so that no room can be missing."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from pathlib import Path

import networkx as nx
from test_architecture import PACKAGES, ROOT, described, used

PAGE = ROOT / "docs" / "architecture.md"
BEGIN, END = "<!-- map -->\n\n```\n", "```\n\n<!-- end of the map -->"
TOP = "rulewright_tools"
"""The package that is drawn as one room: its parts stand in the tables of imports."""
WIDTH, INDENT = 116, 20


def rooms(own: str) -> nx.DiGraph[str]:
    """The rooms of a package, with an arrow to each room on which one rests directly: what follows from others is left
    out, and so are the façade and rooms of other packages."""
    made: nx.DiGraph[str] = nx.DiGraph()
    folders = {path.name for path in PACKAGES[own].iterdir() if (path / "__init__.py").is_file()}
    made.add_nodes_from(sorted(folders))
    made.add_edges_from(
        (room, other) for room, below in used(own).items() for other in below if {room, other} <= folders
    )
    return nx.transitive_reduction(made)


def wrapped(line: str) -> list[str]:
    return textwrap.wrap(line, WIDTH, subsequent_indent=" " * INDENT)


def floors(own: str) -> list[str]:
    """The rooms of a package from the highest floor to the ground, each above the highest on which it rests."""
    graph, what = rooms(own), described(own)
    lines: list[str] = []
    for height, floor in reversed(list(enumerate(nx.topological_generations(graph.reverse())))):
        for room in sorted(floor):
            below = ", ".join(sorted(graph.successors(room)))
            lines += wrapped(f"{height:>3}  {room:<14} {what[room]}")
            lines += wrapped(f"{'└► ' + below:>{INDENT + 3 + len(below)}}") if below else []
    return lines


def picture() -> str:
    """All packages, those that import others above them."""
    parts = [f"{TOP}: commands, reports, language server, studio"]
    for own in reversed([name for name in PACKAGES if name != TOP]):
        parts += ["  │", "  ▼", own, *floors(own)]
    return "\n".join(parts) + "\n"


def test_the_map_shows_every_room(golden: Callable[[Path, str], None]) -> None:
    """If this fails: `--update-goldens` draws it anew."""
    before, _, rest = PAGE.read_text("utf-8").partition(BEGIN)
    golden(PAGE, before + BEGIN + picture() + END + rest.partition(END)[2])
