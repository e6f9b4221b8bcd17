"""One server for all tests of a process, and a small ruleset for it to work on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from rulewright_tools.app import app

from .lsp_client import Client, running


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the ruleset that `rulewright new` writes."""
    made = tmp_path_factory.mktemp("editor")
    result = CliRunner().invoke(app, ["new", str(made / "pond")])
    assert result.exit_code == 0
    return made


@pytest.fixture(scope="session")
def server(folder: Path) -> Iterator[Client]:
    with running(folder) as client:
        client.open(folder / "pond" / "game.rules")
        yield client
        assert client.stop() == 0


@pytest.fixture
def client(server: Client, folder: Path) -> Iterator[Client]:
    """The server, with game.rules open; what a test changes there is undone behind it, unless it has only asked."""
    server.told = False
    yield server
    if server.told:
        game = folder / "pond" / "game.rules"
        server.change(game, game.read_text("utf-8"))


@pytest.fixture
def game(folder: Path) -> Path:
    return folder / "pond" / "game.rules"
