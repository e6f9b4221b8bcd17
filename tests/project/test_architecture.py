"""The tables of imports are true: each package has its row, each row its package, and imports keep to the table."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType

import networkx as nx
import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "internals" / "imports.md"
DOCUMENTS = (ROOT / "docs" / "architecture.md", ROOT / "docs" / "engine-lowering.md", *PAGE.parent.glob("*.md"))
PACKAGES = {
    "rulewright": ROOT / "interpreter" / "rulewright",
    "rulewright_lab": ROOT / "tools" / "rulewright_lab",
    "rulewright_tools": ROOT / "tools" / "rulewright_tools",
}
ROW = re.compile(r"^\| `(\w+)` \|.*\| ([^|]*) \|$", re.MULTILINE)
WORD = re.compile(r"`([\w.]+)`")
INNER = ("rulewright.compiler", "rulewright.compiler.lowering", "rulewright.engine")
"""Packages whose own parts have a table, too."""


@cache
def modules() -> dict[str, Path]:
    """All modules by their dotted names."""
    found = {}
    for folder in PACKAGES.values():
        for path in sorted(folder.rglob("*.py")):
            parts = path.relative_to(folder.parent).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def target(name: str) -> str:
    """The module of ours in which a dotted name stands, or nothing."""
    while name and name not in modules():
        name = name.rpartition(".")[0]
    return name


WITH_STATEMENTS = (ast.stmt, ast.ExceptHandler, ast.match_case)
"""Nodes that are or hold statements, as imports are; expressions are not looked into."""


def imported(module: str) -> Iterator[str]:
    """Modules of ours that a module imports, also inside functions and for the type checker only."""
    waiting: list[ast.AST] = [ast.parse(modules()[module].read_text("utf-8"))]
    while waiting:
        node = waiting.pop()
        waiting += (child for child in ast.iter_child_nodes(node) if isinstance(child, WITH_STATEMENTS))
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}: imports are absolute"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        yield from (found for name in names if (found := target(name)) not in ("", module))


RECURSIVE_TYPES = (frozenset(name for name in modules() if name.startswith("rulewright.ir.expressions")),)
"""Recursive types in several files: the union of all expressions, whose members hold expressions."""


def is_recursive(modules: Iterable[str]) -> bool:
    """True if modules are the files of one recursive type."""
    return any(whole.issuperset(modules) for whole in RECURSIVE_TYPES)


@cache
def graph() -> nx.DiGraph[str]:
    """The graph of imports between modules."""
    made: nx.DiGraph[str] = nx.DiGraph()
    made.add_nodes_from(modules())
    made.add_edges_from((module, other) for module in modules() for other in imported(module))
    return made


def part_of(module: str, own: str) -> str:
    """The part of `own`, a package or module in it, to which a module belongs; `own` itself for its ``__init__``."""
    if module == own:
        return own.rpartition(".")[2]
    return module.removeprefix(f"{own}.").partition(".")[0] if module.startswith(f"{own}.") else ""


def row_of(module: str, own: str) -> str:
    """The name under which a module stands in the table of `own`; nothing if the table does not speak of it."""
    if own not in PACKAGES or module.partition(".")[0] == own:
        return part_of(module, own)
    if own == "rulewright_lab":
        return ".".join(module.split(".")[:2])
    return "rulewright.reporting" if module.startswith("rulewright.reporting") else module


def table(own: str) -> dict[str, set[str]]:
    """The packages that each row may import."""
    text = PAGE.read_text("utf-8").partition(f"<!-- imports: {own} -->")[2].partition("<!-- end -->")[0]
    return {name: set(WORD.findall(allowed)) for name, allowed in ROW.findall(text)}


def described(own: str) -> dict[str, str]:
    """Descriptions of the rows of a table, by their names, as plain text."""
    text = PAGE.read_text("utf-8").partition(f"<!-- imports: {own} -->")[2].partition("<!-- end -->")[0]
    texts = re.findall(r"^\| `(\w+)` \| (.*) \| [^|]* \|$", text, re.MULTILINE)
    return {name: re.sub(r"\[([^\]]*)\]\([^)]*\)|`", r"\1", what) for name, what in texts}


def used(own: str) -> dict[str, set[str]]:
    """The rows that each row of a table imports."""
    found: dict[str, set[str]] = {}
    for module, other in graph().edges:
        if (row := part_of(module, own)) and (wanted := row_of(other, own)) not in ("", row):
            found.setdefault(row, set()).add(wanted)
    return found


def rewritten(page: str, own: str) -> str:
    """The page with the last column of a table as the code has it."""
    begin = page.index(f"<!-- imports: {own} -->")
    end = page.index("<!-- end -->", begin)
    uses = used(own)

    def row(found: re.Match[str]) -> str:
        return f"{found[1]} {', '.join(f'`{name}`' for name in sorted(uses.get(found[2], ())))} |"

    return page[:begin] + re.sub(r"(?m)^(\| `(\w+)` \|.*\|) [^|]* \|$", row, page[begin:end]) + page[end:]


@pytest.mark.parametrize("own", [*PACKAGES, *INNER])
def test_each_package_has_a_row(own: str) -> None:
    there = {part for name in modules() if (part := part_of(name, own))}
    if not list(graph().successors(own)):
        there.discard(part_of(own, own))  # nothing but a docstring
    assert set(table(own)) == there


@pytest.mark.parametrize("own", [*PACKAGES, *INNER])
def test_imports_keep_to_the_table(own: str, updating: bool) -> None:
    """If this fails: let the module do without the import, or allow it on the page (``--update-goldens`` writes it)."""
    if updating:
        PAGE.write_text(rewritten(PAGE.read_text("utf-8"), own), "utf-8")
    allowed = table(own)
    wrong = {row: sorted(wanted - allowed[row]) for row, wanted in used(own).items() if not wanted <= allowed[row]}
    assert wrong == {}


@pytest.mark.parametrize("own", [*PACKAGES, *INNER])
def test_what_is_allowed_exists(own: str) -> None:
    rows = {*table(own), *PACKAGES, *(f"rulewright.{room}" for room in table("rulewright"))}
    assert {name for allowed in table(own).values() for name in allowed} <= rows


def test_no_module_imports_itself_through_others() -> None:
    circles = [group for group in nx.strongly_connected_components(graph()) if len(group) > 1]
    assert [sorted(circle) for circle in circles if not is_recursive(circle)] == []


@pytest.mark.parametrize("own", [name for name, path in modules().items() if path.name == "__init__.py"])
def test_no_part_of_a_package_imports_itself_through_others(own: str) -> None:
    """Packages and modules that stand beside each other are layers: a lower one never imports an upper one."""
    edges = [edge for edge in graph().edges if not is_recursive(edge)]
    inside = [(part_of(module, own), part_of(other, own)) for module, other in edges]
    parts: nx.DiGraph[str] = nx.DiGraph([(one, other) for one, other in inside if one and other and one != other])
    assert [sorted(group) for group in nx.strongly_connected_components(parts) if len(group) > 1] == []


def _published(room: ModuleType) -> Iterable[str]:
    """The names that a room lists, imports by name or defines."""
    if hasattr(room, "__all__"):
        return list(room.__all__)
    body = ast.parse(Path(str(room.__file__)).read_text("utf-8")).body
    imported = [one.asname or one.name for node in body if isinstance(node, ast.ImportFrom) for one in node.names]
    return [*imported, *(node.name for node in body if isinstance(node, ast.FunctionDef))]


def reached(tree: ast.AST) -> Iterator[str]:
    """Imports of the interpreter by a module of the laboratory that are no published names of its rooms."""
    rooms = set(table("rulewright"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.startswith("rulewright."))
        elif isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "rulewright":
            room = import_module(str(node.module))
            published = {*_published(room)} | (rooms if node.module == "rulewright" else set())
            inner = str(node.module).count(".") > 1
            yield from (f"{node.module}.{a.name}" for a in node.names if inner or a.name not in published)


@pytest.mark.parametrize("module", [name for name in modules() if name.startswith("rulewright_lab")])
def test_the_laboratory_sees_published_names_only(module: str) -> None:
    """If this fails: let the ``__init__`` of the room publish the name, or do without it."""
    assert list(reached(ast.parse(modules()[module].read_text("utf-8")))) == []


def test_a_reach_into_a_room_would_be_found() -> None:
    code = "import rulewright.ir\nfrom rulewright.ir.model import Program\nfrom rulewright.engine import Nothing\n"
    assert len(list(reached(ast.parse(code + "from rulewright.engine import State\n")))) == 3


def test_the_interpreter_never_imports_what_is_above() -> None:
    upper = ("rulewright_lab", "rulewright_tools")
    assert [(one, other) for one, other in graph().edges if other.startswith(upper) and not one.startswith(upper)] == []


def test_the_engine_never_sees_a_tree() -> None:
    """Nothing of the engine reaches syntax or compiler by its own imports."""
    reached = {other for module, other in graph().edges if module.startswith("rulewright.engine")}
    assert [name for name in sorted(reached) if name.startswith(("rulewright.syntax", "rulewright.compiler"))] == []


def test_paths_on_the_pages_exist() -> None:
    """Modules and folders that are named in backticks, from the top of the repository or of a package."""
    tops = (ROOT, *PACKAGES.values(), *(folder.parent for folder in PACKAGES.values()))
    for page in DOCUMENTS:
        named = re.findall(r"`((?:[\w-]+/)+[\w-]*(?:\.\w+)?|\w+\.py)`", page.read_text("utf-8"))
        optional = {"diagnostics/codes.py"}
        lost = [name for name in named if name not in optional and not any((top / name).exists() for top in tops)]
        assert lost == [], page.name
