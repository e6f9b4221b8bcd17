"""Information sets of a draft, in which one remembers the cards one has passed on, against a small model of it.

Everybody is dealt cards, keeps one of their hand, all at once, and passes the others to the left, until each has kept
as many as were dealt. Then each in turn lays one openly. ``Draft`` plays the same without the engine: what a player
has seen and done stands there in so many words, and positions with the same words are one information set.

===========  ======  ==============  ================
players      dealt   decision nodes  information sets
===========  ======  ==============  ================
2            3                1,151           108+172
3            2                1,174          16+28+52
===========  ======  ==============  ================
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

import pytest
from information_sets import GAMES, Path_, Tree, come_to, everything, figures, tree

import rulewright as rw

Cards = tuple[int, ...]
Told = tuple[Path_, int, tuple[str, ...]]


@dataclass(frozen=True)
class Draft:
    """A position, and what each player has seen and done so far."""

    path: Path_
    deck: Cards
    hands: tuple[Cards, ...]
    kept: tuple[Cards, ...]
    memories: tuple[tuple[str, ...], ...]

    def positions(self, dealt: int) -> Iterator[Told]:
        """All decision nodes from here on, with what is remembered by the asked player."""
        for number, hand in enumerate(self.hands):
            if len(hand) < dealt:
                for path, card in self.options(self.deck):
                    after = replace(self, path=path, deck=without(self.deck, card)).told(number, f"dealt {card}")
                    hands = changed(self.hands, number, (*hand, card))
                    yield from replace(after, hands=hands).positions(dealt)
                return
        yield from self.round(())

    def round(self, chosen: Cards) -> Iterator[Told]:
        """Each has a hand, and these have been chosen from the first ones."""
        if len(self.hands[0]) == 1:
            kept = tuple((*k, *h) for k, h in zip(self.kept, self.hands, strict=True))
            yield from replace(self, kept=kept).laying(0)
        elif len(chosen) < len(self.hands):
            who = len(chosen)
            yield self.path, who, self.memories[who]
            for path, card in self.options(self.hands[who]):
                yield from replace(self, path=path).round((*chosen, card))
        else:
            left = [without(hand, card) for hand, card in zip(self.hands, chosen, strict=True)]
            kept = tuple((*k, card) for k, card in zip(self.kept, chosen, strict=True))
            after = replace(self, hands=(left[-1], *left[:-1]), kept=kept)
            for who, card in enumerate(chosen):
                after = after.told(who, f"kept {card}, got {sorted(after.hands[who])}")
            yield from after.round(())

    def laying(self, who: int) -> Iterator[Told]:
        """Those before have laid a card."""
        if who == len(self.hands):
            return
        yield self.path, who, self.memories[who]
        for path, card in self.options(self.kept[who]):
            after = replace(self, path=path)
            for player in range(len(self.hands)):
                after = after.told(player, f"{who} lays {card}")
            yield from after.laying(who + 1)

    def options(self, cards: Cards) -> Iterator[tuple[Path_, int]]:
        for number, card in enumerate(sorted(set(cards))):
            yield (*self.path, number), card

    def told(self, player: int, what: str) -> Draft:
        return replace(self, memories=changed(self.memories, player, (*self.memories[player], what)))


def without(cards: Cards, card: int) -> Cards:
    place = cards.index(card)
    return cards[:place] + cards[place + 1 :]


def changed(rows: tuple, number: int, row: tuple) -> tuple:  # type: ignore[type-arg]
    return (*rows[:number], row, *rows[number + 1 :])


SIZES = {2: (3, (1, 1, 1, 1, 2, 2, 2)), 3: (2, (1, 1, 1, 1, 2, 2, 2, 2))}
"""For each number of players the cards that each is dealt, and the deck."""


FIGURES = {2: (1151, (108, 172)), 3: (1174, (16, 28, 52))}
"""The decision nodes, and the information sets of each player."""


@cache
def modelled(players: int) -> list[Told]:
    dealt, deck = SIZES[players]
    none: tuple[Cards, ...] = ((),) * players
    return list(Draft((), deck, none, none, ((),) * players).positions(dealt))


def start(players: int) -> rw.State:
    return rw.load(GAMES / "draft", players).start(ask_chance=True)


@cache
def played(players: int) -> Tree:
    return tree(start(players), players)


both = pytest.mark.parametrize("players", SIZES)


@both
def test_histories_split_as_the_model_does(players: int) -> None:
    nodes, model = played(players).nodes, modelled(players)
    assert sorted((node.path, node.player) for node in nodes) == sorted((path, who) for path, who, _ in model)
    found = figures((node.path, node.player, node.history) for node in nodes)
    assert found == figures(model)
    assert (len(nodes), found.sets) == FIGURES[players]


@both
def test_a_view_is_never_finer_than_a_history(players: int) -> None:
    views: dict[tuple[int, str], str] = {}
    for node in played(players).nodes:
        assert views.setdefault((node.player, node.history), node.view) == node.view
    assert len(set(views.values())) < len(views), "what was passed on earlier is not seen any more"


@both
def test_imagined_worlds_lie_in_the_information_set(players: int) -> None:
    sets: dict[tuple[int, str], list[Path_]] = {}
    for node in played(players).nodes:
        sets.setdefault((node.player, node.history), []).append(node.path)
    first = start(players)
    for (player, _), paths in list(sets.items())[::4]:
        positions = [come_to(first, path) for path in paths]
        could_be = {everything(state) for state in positions}
        worlds = {everything(positions[0].imagine(player, seed)) for seed in range(12)}
        assert worlds <= could_be
        assert len(worlds) > 1 or len(could_be) == 1
