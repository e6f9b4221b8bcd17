"""The library as other programs see it: few names, late imports, and tools that know no more than others."""

from __future__ import annotations

import ast
import importlib
import re
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer

import rulewright as rw
import rulewright_lab as lab
import rulewright_tools
from rulewright.foundation.lazy import _imports
from rulewright_tools.app import Commands, app

TOOLS = sorted(Path(rulewright_tools.__file__).parent.rglob("*.py"))
MODULES = {
    "rulewright": ("navigation", "reporting"),
    "rulewright.comparison": ("contents", "counterparts", "diff"),
    "rulewright.compiler": ("citations",),
    "rulewright.data": ("display_names", "rulesets"),
    "rulewright.foundation": ("characters",),
    "rulewright.host": ("disk_cache", "files", "interrupts", "workers"),
    "rulewright.findings": ("examination", "fixing", "fuzzing", "mutation", "plans"),
    "rulewright.findings.games": ("offers",),
    "rulewright.navigation": ("vocabulary",),
    "rulewright.play": ("analysis", "narration", "playing", "scenarios", "view_model"),
    "rulewright.syntax": ("names",),
}
"""Modules that are names of the library, by the package in which they stand."""
OFFERED = {name: f"{package}.{name}" for package, names in MODULES.items() for name in names}
IN_THE_LAB = (
    "agents", "divergence", "environment", "experiments", "learning", "testing", "theory", "tournaments",
)  # fmt: skip
OF_THE_LAB = {name: f"rulewright_lab.{name}" for name in IN_THE_LAB}
LATE = (
    "rulewright",
    "rulewright_lab",
    *(f"rulewright.{room}" for room in ("comparison", "data", "foundation", "host", "ir", "play", "reporting")),
    "rulewright_lab.testing",
)
"""Packages whose names are imported when they are first used."""
HEAVY = ("hypothesis", "networkx", "jsonschema", "lark", "rich", "pydantic", "drawsvg", "junitparser")
INNER = {"program", "engine", "compiled", "cells"}
"""The parts that a game or state is made of; tools have `game.model`."""


def test_the_library_has_few_names() -> None:
    assert len({*rw.__all__} - {*OFFERED}) <= 25
    for name in rw.__all__:
        assert getattr(rw, name) is not None
    for facade, offered in ((rw, OFFERED), (lab, OF_THE_LAB)):
        assert {*facade.__all__, *offered} <= set(dir(facade))
        for module, full in offered.items():
            found = getattr(facade, module)
            assert found is importlib.import_module(full)
            assert all(hasattr(found, name) for name in getattr(found, "__all__", ()))
    with pytest.raises(AttributeError, match="FUZZ_MOST"):
        _ = rw.FUZZ_MOST  # type: ignore[attr-defined]


@pytest.mark.parametrize("package", LATE)
def test_names_of_late_imports_are_those_that_type_checkers_see(package: str) -> None:
    held = importlib.import_module(package)
    tree = ast.parse(Path(str(held.__file__)).read_text("utf-8"))
    blocks = [node.body for node in tree.body if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"]
    lines = [line for block in blocks for line in block if isinstance(line, ast.ImportFrom)]
    assert all(one.asname == one.name for line in lines for one in line.names)
    assert held.__all__ == sorted(one.name for line in lines for one in line.names)
    for line in lines:
        module = importlib.import_module(str(line.module))
        for one in line.names:
            value = getattr(held, one.name)
            inner = sys.modules.get(f"{line.module}.{one.name}")
            assert value is (inner if module is held else getattr(module, one.name))


def test_late_imports_may_be_many() -> None:
    """More names than one byte counts."""
    lines = "".join(f"from m{n % 300} import n{n}\n" for n in range(600))
    found = list(_imports(compile(f"if late:\n{textwrap.indent(lines, ' ')}", "many.py", "exec")))
    assert found == [(f"n{n}", f"m{n % 300}") for n in range(600)]


def test_every_package_with_late_imports_is_compared() -> None:
    files = [path for facade in (rw, lab) for path in Path(str(facade.__file__)).parent.rglob("*.py")]
    users = [path for path in files if "lazy_exports(__name__)" in path.read_text("utf-8")]
    assert {path.parent.name for path in users} == {package.rpartition(".")[2] for package in LATE}


def reached(path: Path) -> Iterator[str]:
    """Names that a module takes from the library and the library does not offer."""
    names = {"rw": {*rw.__all__, *OFFERED, "__version__"}, "lab": {*lab.__all__, *OF_THE_LAB}}
    modules = {"rulewright": "rw", "rulewright_lab": "lab"}
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        where = f"{path.name}:{getattr(node, 'lineno', 0)}"
        match node:
            case ast.Import():
                for one in node.names:
                    if one.name.startswith(("rulewright.", "rulewright_lab.")):
                        yield f"{where} import {one.name}"
            case ast.ImportFrom(module="rulewright" | "rulewright_lab" as module):
                yield from (f"{where} {one.name}" for one in node.names if one.name not in names[modules[module]])
            case ast.ImportFrom(module=str(module)) if module.startswith(("rulewright.", "rulewright_lab.")):
                if module not in (*OFFERED.values(), *OF_THE_LAB.values()):
                    yield f"{where} from {module}"
            case ast.Attribute(value=ast.Name(id="rw" | "lab" as facade), attr=attr) if attr not in names[facade]:
                yield f"{where} {facade}.{attr}"
            case ast.Attribute(attr=attr) if attr in INNER:
                yield f"{where} .{attr}"
            case _:
                pass


def test_tools_take_only_what_the_library_offers() -> None:
    assert [found for path in TOOLS for found in reached(path)] == []


def test_a_reach_into_the_library_would_be_found(tmp_path: Path) -> None:
    file = tmp_path / "tool.py"
    file.write_text(
        "import rulewright.ir\nfrom rulewright import ir\nfrom rulewright.ir.model import Program\n"
        "import rulewright as rw\nrw.sources\ngame.program.zones\n"
    )
    assert len(list(reached(file))) == 5


def imported(*words: str) -> set[str]:
    """The modules that a process has imported in the end."""
    code = f"import sys\nsys.argv = {['rulewright', *words]!r}\n"
    code += "import rulewright\n"
    if words:
        code += "from rulewright_tools.app import app\n"
        code += "try:\n    app()\nexcept SystemExit as end:\n    assert not end.code\n"
    code += "print('\\nMODULES', *sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=True)
    return set(done.stdout.rpartition("MODULES")[2].split())


@pytest.mark.parametrize("words", [(), ("--help",), ("--version",), ("explain", "REF001")], ids=" ".join)
def test_what_is_not_needed_is_not_imported(words: tuple[str, ...]) -> None:
    found = imported(*words)
    assert "rulewright" in found
    assert found.isdisjoint(HEAVY)
    if not words:
        ours = {name for name in found if name.startswith("rulewright.")}
        assert ours == {f"rulewright.foundation{name}" for name in ("", ".lazy", ".versions")}
    assert found.isdisjoint({"rulewright.syntax", "rulewright.compiler", "rulewright.engine", "rulewright.findings"})


def test_who_plays_little_does_not_wait_for_the_compiler_of_machine_code() -> None:
    """It is imported when a program is compiled, which takes some games."""
    found = imported("test", str(Path(rw.__file__).parents[2] / "rulesets" / "tic-tac-toe"))
    assert "rulewright.engine.native.tiering" in found
    assert found.isdisjoint({"rulewright.engine.native.lowering", "rulewright.engine.native.instance", "wasmtime"})


def paragraph(text: str | None) -> str:
    return " ".join((text or "").strip().partition("\n\n")[0].split())


def test_help_of_the_group_says_what_commands_say_of_themselves() -> None:
    group = typer.main.get_command(app)
    assert isinstance(group, Commands)
    help = " ".join(group.get_help(typer.Context(group)).split())
    for name, entry in group.entries.items():
        command = group.commands[name]
        assert command.name == name
        assert entry.help == paragraph(command.help)
        assert entry.help in help
    assert re.search(r"Write rules:.*Prove them:.*Play:", help)


def test_shells_complete_commands_without_making_them() -> None:
    group = typer.main.get_command(app)
    assert isinstance(group, Commands)
    found = group.shell_complete(typer.Context(group), "pe")
    assert [(one.value, one.help) for one in found] == [("perft", group.entries["perft"].help)]
    assert [one.value for one in group.shell_complete(typer.Context(group), "--v")] == ["--version"]


def test_the_version_stands_in_one_place() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "rulewright_tools", "--version"], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout == f"rulewright {rw.__version__}\n"
    project = Path(__file__).parents[2] / "pyproject.toml"
    assert rw.__version__ not in project.read_text("utf-8").partition("dependencies")[0]


def test_a_game_shows_what_it_consists_of() -> None:
    game = rw.load("tic-tac-toe")
    board = game.model.board
    assert board is not None
    graph = game.graph()
    keys = game.model.keys(board.place)
    assert list(keys) == list(graph.nodes)
    assert {frozenset((keys[a], keys[b])) for a, b in board.links} == {frozenset(edge) for edge in graph.edges}
    assert [graph.nodes[key]["pos"] for key in keys] == list(board.layout)
    assert game.model.keys("Player") == game.seats
    state = game.start()
    view = state.view(None)
    assert {zone.name for zone in game.model.zones} == set(view["zones"])
    assert {field.name for field in game.model.fields} == set(view["fields"])
