"""Parts of pages: intervals of histograms hold all values, boards tell shares of games, unused rules are named."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rulewright as rw
import rulewright_lab as lab
from rulewright_tools.reports.html.charts import unique
from rulewright_tools.reports.html.distributions import BINS, edges_of
from rulewright_tools.reports.html.parts import element, table
from rulewright_tools.session.place_use import HALFWAY, LAID, STANDS, place_use


@given(st.lists(st.floats(-1e6, 1e6, allow_subnormal=False), min_size=1))
def test_intervals_hold_all_values(values: list[float]) -> None:
    edges = edges_of(values)
    assert edges[0] <= min(values) + 1e-6
    assert edges[-1] >= max(values) - 1e-6
    assert 2 <= len(edges) <= BINS + 3


@given(st.lists(st.integers(-1000, 1000), min_size=1))
def test_intervals_of_whole_numbers_are_whole(values: list[int]) -> None:
    assert all(edge == int(edge) for edge in edges_of(values))


def test_text_is_escaped_once() -> None:
    assert table(["<"], [[element("b", "&")]], "a & b").count("&amp;") == 3  # the label, the caption, the cell
    assert "<script>" not in table(["<script>"], [["<script>"]], "<script>")


def test_ids_depend_on_the_picture_alone() -> None:
    one, other = (f'<svg><g id="clip{n}"/><g clip-path="url(#clip{n})"/></svg>' for n in (0, 17))
    assert unique(one) == unique(other) != unique(one.replace("<g ", "<path ", 1))


def test_where_pieces_stand() -> None:
    """Shares are those of the last positions, asked one by one."""
    game = rw.load("tic-tac-toe")
    use = place_use(game, (), 0, 10, 100)
    assert use is not None
    assert use.games == 10
    last = [game.playout(seed, keep=True) for seed in range(10)]
    filled = sum(one.decisions for one in last)
    assert round(sum(use.shares[STANDS].values()) * 10) == filled
    assert round(sum(use.shares[HALFWAY].values()) * 10) == sum(one.decisions // 2 for one in last)
    assert LAID not in use.shares


def test_a_game_without_a_board() -> None:
    assert place_use(rw.load("kuhn-poker"), (), 0, 10, 100) is None


@pytest.mark.parametrize("agents", [False, True])
def test_few_games_of_agents_are_played_again(agents: bool) -> None:
    game = rw.load("connect-four")
    found = place_use(game, (lab.agent(game, "mcts:2"),) * 2 if agents else (), 3, 100, 1000)
    assert found is not None
    assert found.games == (8 if agents else 60)
