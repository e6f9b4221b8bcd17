"""Outcomes of chance: exact weights, and one outcome for pieces that nothing tells apart."""

from __future__ import annotations

from math import factorial
from pathlib import Path

import pytest
from walks import GAMES, loaded, walk

import rulewright as rw
from rulewright_lab.environment import most_outcomes, outcomes


def leaves(state: rw.State) -> int:
    """The number of ways in which chance may go before a player is asked, or the game is over."""
    if state.decision is None or state.seat is not None:
        return 1
    return sum(leaves(state.choose(one.option)) for one in outcomes(state))


def nodes(state: rw.State) -> int:
    """The number of nodes of the tree of a game."""
    if state.decision is None:
        return 1
    each = [one.option for one in outcomes(state)] or range(len(state.decision.options))
    return 1 + sum(nodes(state.choose(option)) for option in each)


def test_the_tree_of_kuhn_poker() -> None:
    """As many nodes as in other libraries: a root, 3 and 6 deals, and 9 nodes of bets behind each of those."""
    assert nodes(loaded("kuhn-poker", 2).start(ask_chance=True)) == 1 + 3 + 6 * 9


@pytest.mark.parametrize("counts", [(4, 3, 2), (3, 3, 3), (1, 1, 1, 1)])
def test_cards_that_are_alike_are_one_outcome(tmp_path: Path, counts: tuple[int, ...]) -> None:
    cards = ", ".join(f'{{"name": "{"abcd"[n]}", "count": {count}}}' for n, count in enumerate(counts))
    (tmp_path / "cards.json").write_text(f'{{"rows": [{cards}]}}')
    (tmp_path / "ruleset.json").write_text('{"name": "deal", "title": "Deal", "rules": ["deal.rules"]}')
    (tmp_path / "deal.rules").write_text(
        "game deal\nplayers 2\n\n"
        'piece Card from "cards.json"\n    name: Text\n    named "{name}"\n    begins in deck\n\n'
        "zone deck: stack of Card, seen by {}\n\n"
        "procedure play\n    shuffle deck\n    finish with a draw\n"
    )
    game = rw.load(tmp_path)
    expected = factorial(sum(counts))
    for count in counts:
        expected //= factorial(count)
    assert leaves(game.start(ask_chance=True)) == expected


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_weights_sum_to_one_and_lead_where_options_do(name: str, players: int) -> None:
    game = loaded(name, players)
    most = most_outcomes(game.engine)
    for state in walk(game, 2, 60, ask_chance=True):
        found = outcomes(state)
        if state.decision is None or state.seat is not None:
            assert not found
            continue
        assert sum(one.probability for one in found) == 1
        numbers = [one.number for one in found]
        assert len(set(numbers)) == len(numbers)
        assert all(0 <= number < most for number in numbers)
        assert {one.option for one in found} <= set(range(len(state.decision.options)))
