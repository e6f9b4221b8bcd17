"""Lines between the characters of a text: light and heavy ones that meet properly."""

from __future__ import annotations

LIGHT, HEAVY = 1, 2

_JOINTS = (
    " ╴╸╷┐┑╻┒┓╶─╾┌┬┭┎┰┱╺╼━┍┮┯┏┲┳"  # nothing upwards
    "╵┘┙│┤┥╽┧┪└┴┵├┼┽┟╁╅┕┶┷┝┾┿┢╆╈"  # a light line upwards
    "╹┚┛╿┦┩┃┨┫┖┸┹┞╀╃┠╂╉┗┺┻┡╄╇┣╊╋"  # a heavy one
)
"""By the weights upwards, to the right, downwards and to the left, as digits of a number of base three."""

_UP, _RIGHT, _DOWN, _LEFT = 27, 9, 3, 1


class Lines:
    """Lines on a sheet of characters; where two lie on each other the heavier one is seen."""

    def __init__(self) -> None:
        self._arms: dict[tuple[int, int, int], int] = {}

    def across(self, row: int, left: int, right: int, weight: int) -> None:
        """A line from one column to another."""
        for column in range(left, right):
            self._arm(row, column, _RIGHT, weight)
            self._arm(row, column + 1, _LEFT, weight)

    def down(self, column: int, top: int, bottom: int, weight: int) -> None:
        """A line from one row to another."""
        for row in range(top, bottom):
            self._arm(row, column, _DOWN, weight)
            self._arm(row + 1, column, _UP, weight)

    def sign(self, row: int, column: int) -> str:
        """The character at a point; a space where no line is."""
        return _JOINTS[sum(way * self._arms.get((row, column, way), 0) for way in (_UP, _RIGHT, _DOWN, _LEFT))]

    def heavy(self, row: int, column: int) -> bool:
        """True if a heavy line goes through a point or ends there."""
        return HEAVY in (self._arms.get((row, column, way), 0) for way in (_UP, _RIGHT, _DOWN, _LEFT))

    def _arm(self, row: int, column: int, way: int, weight: int) -> None:
        place = (row, column, way)
        self._arms[place] = max(weight, self._arms.get(place, 0))
