"""Numbers on which both implementations of tree search agree, in Python and in machine code, bit by bit.

WebAssembly adds, multiplies, divides and takes square roots of 64-bit floats as in IEEE 754, and so does Python. It
has no logarithm, and that of a system's library differs from the next one's in the last bit: so logarithms are summed
up here, by a series of such operations, and machine code reads them from a table.
"""

from __future__ import annotations

from array import array

from rulewright.engine.random_numbers import hash64

EXPLORATION = 1.4
"""The weight of the bonus for few visits, where payoffs are from -1 to 1 and everybody sees everything. With 1.0 a
search of 2,000 simulations loses 3 of 1,000 games of tic-tac-toe to a perfect player, with 1.4 none; in Connect Four
and Breakthrough nothing distinguishes them in 200 and 100 games."""
EXPLORATION_OF_WORLDS = 1.0
"""The exploration over several worlds, where searches are shorter."""
MOST_OUTCOMES = 32
"""So many outcomes of chance behind an option have a node of their own; from others the game goes on at random."""
LONGEST_REST = 5_000
"""So many answers has the rest of a game at random at most; one that is not over then is worth what was paid by
then."""
LONGEST_PATH = 1 << 9
"""So many options are chosen in the tree at most before a game goes on at random."""
MOST_BRANCHES = 1 << 22
"""So many options are looked at in a tree at most: it grows no more then, only its figures become better. With them it
takes less than 500 MB in machine code."""
MOST_ENTRIES = MOST_BRANCHES // 2
"""The limit in a tree for several worlds, in which a branch takes more room."""
ALL_TRIED, WIDENING = 8, 4
"""Of a question with many options, only so many are tried at first, and more as it is looked at more often: always one
more as long as its square is at most so many times the visits."""
PROBES, FRUITLESS = 8, 16
"""All options of a node are tried for one that wins at once when there are so many of them at most for each visit; half
as many when so many nodes were probed for nothing, and so on."""
NEAR_ROOT = 2
"""Behind so many options of the root the next seat's options are tried at the first visit."""
ALL_AT_ONCE = 12
"""Of so many options none has to wait, where they are tried in the order of their promise."""
KIND, ZONE, PIECE = 36, 18, 1 << 62
"""A piece as an option in any world is its kind and its zone, shifted by so many bits, how many like it come before it,
and a bit that distinguishes it from other members."""
FIRST_LEAD = 1.0
"""A lead that is as usual, before one was met."""
MAST_BEST, MAST_OF = 6, 10
"""Of so many answers of a rollout that goes by the averages of moves, so many are the best by these."""
WIDE, NOTED_AT_FIRST, NOTED_OF = 32, 16, 4
"""Of a search that begins with more than so many options, so many rollouts are noted at first, and one of so many
later: averages of moves order the options. With fewer nothing was gained for certain."""
PLACE_BITS = 14
"""The bits of a place in the table of the averages of moves."""
MOST_MOVES = (1 << PLACE_BITS) * 3 // 4
"""So many moves have averages at most; what is met later has none."""
DICE = "a search for the best option"
STREAM = hash64(DICE)
"""The name of the stream that a search draws from, and its hash."""

LOGARITHM_BITS = 10
"""Logarithms of numbers with so many bits are kept."""


def _logarithm(number: int) -> float:
    """The natural logarithm of a number: that of its highest power of two, and of what is left."""
    bits = number.bit_length() - 1
    left = number / (1 << bits)
    ratio = (left - 1.0) / (left + 1.0)
    return bits * LOG_2 + _series(ratio)


def _series(ratio: float) -> float:
    """Twice the area tangent, which is the logarithm of ``(1 + ratio) / (1 - ratio)``."""
    power, square, found = ratio, ratio * ratio, 0.0
    for odd in range(1, 41, 2):
        found += power / odd
        power *= square
    return 2.0 * found


LOG_2 = _series(1 / 3)
"""The logarithm of 2."""
LOGARITHMS = array("d", [0.0, *map(_logarithm, range(1, 1 << LOGARITHM_BITS))])
"""The logarithms of small numbers, after a 0."""
