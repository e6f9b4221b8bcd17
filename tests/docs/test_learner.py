"""The example of a learner: what it sees is the same everywhere, it learns, and it plays as an agent from outside; the
notebook runs."""

from __future__ import annotations

import json
import shlex
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import rulewright as rw
import rulewright_lab as lab
from rulewright.engine import Dice
from sampling import thorough

np = pytest.importorskip("numpy")
pytest.importorskip("gymnasium")
EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
NOTEBOOK = EXAMPLES / "learner.ipynb"


@pytest.fixture
def learner(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The module of the example."""
    monkeypatch.syspath_prepend(str(EXAMPLES))
    monkeypatch.delitem(sys.modules, "learner", raising=False)
    return import_module("learner")


def test_observations_and_views_are_the_same_to_it(learner: Any) -> None:
    game = rw.load("connect-four")
    disc = next(part for part in lab.observations(game).parts if part.name == "field disc")
    state = game.start()
    for column in (3, 3, 2, 4, 0):
        assert state.seat is not None
        seen = np.frombuffer(lab.observations(game).array(state, state.seat), np.float32)[None]
        planes = learner.planes(seen, disc, np.array([state.seat]))
        assert np.array_equal(planes, learner.planes_of_view(state.view(state.seat)))
        state = state.choose(str(column))
    assert planes.sum() == 4


def test_its_gradients_are_those_of_its_loss(learner: Any) -> None:
    """A step against them makes the worth better known: the squared error falls when only that is learnt."""
    random, weights = np.random.default_rng(0), learner.fresh(0)
    inputs = (random.random((64, 84)) < 0.3).astype(np.float32)
    masks, goals = np.ones((64, 7), np.int8), inputs[:, 0] - inputs[:, 50]
    errors = []
    adam = learner.Adam(weights, 3e-3)
    for _ in range(60):
        hidden, chances, worth = learner.thought(weights, inputs, masks)
        errors.append(float(((worth - goals) ** 2).mean()))
        step = inputs, hidden, chances, worth, chances.argmax(1), goals.astype(np.float32), np.ones(64, bool)
        adam.step(weights, learner.gradients(weights, [step], np.zeros(64)))
    assert errors[-1] < errors[0] / 4


def test_it_plays_as_an_agent_from_outside(learner: Any, tmp_path: Path) -> None:
    weights = learner.fresh(1)
    weights["policy"][:, 5] = 1  # it likes a column
    np.savez(tmp_path / "weights.npz", **weights)
    command = shlex.join([sys.executable, str(EXAMPLES / "learner.py"), "play", str(tmp_path / "weights.npz")])
    game = rw.load("connect-four")
    state = game.start().choose("3")
    assert game.pick(state, lab.agent(game, f"pipe:{command}"), Dice(1, "any")) == 5


@thorough
def test_it_learns(learner: Any) -> None:
    weights, _ = learner.train(tell=False)
    assert learner.judged(weights) >= 0.9


def test_the_notebook_runs(learner: Any) -> None:
    """Its cells, one after the other, in this process."""
    pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    names: dict[str, Any] = {}
    for cell in json.loads(NOTEBOOK.read_text("utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            exec(compile(cell["source"], str(NOTEBOOK), "exec"), names)
    assert names["after"] > names["before"]


@thorough
def test_the_notebook_runs_in_a_kernel() -> None:
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    notebook = nbformat.read(NOTEBOOK, 4)
    nbclient.NotebookClient(notebook, timeout=240, resources={"metadata": {"path": str(EXAMPLES)}}).execute()
    shown = notebook.cells[1].outputs[0].data
    assert {"text/html", "image/svg+xml"} <= set(shown)
