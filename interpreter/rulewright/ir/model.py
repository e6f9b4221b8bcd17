"""The program: a small, closed, typed form of a game, which every backend runs with the same answers.

A program belongs to one ruleset, one number of players, one chain of variants and one set of options; all of these
are folded in. Nothing in it is a Python object: it is a tree of the frozen classes below, and
:mod:`rulewright.ir.codec` turns it into JSON and back.

**Values.** Every value is an integer, a set or a list of integers.

=============  =====================================================================================
type           at run time
=============  =====================================================================================
Bool           0 or 1
Int            a 32-bit integer
entity         its index in its universe, from 0
none           :data:`NONE`
set of T       a bit set over T's universe (bit *i* is member *i*); for whole numbers bit *i* is *i*
list of T      a sequence of at most `capacity` integers
=============  =====================================================================================

**Universes.** Enums, players, parties, places, edges, regions and pieces are universes of fixed size. All kinds of
pieces share one universe, ``Piece``; a kind is a constant set in it (:class:`Kind`). A *merged* universe (regions)
has one member for each place; the member of least index stands for all that were merged with it
(:class:`Canon`), the others are not alive.

**State.** A block of integers, the *cells*, laid out by :class:`Field` and :class:`Zone` in order, and a stack of
frames ``[function, pc, caller's base, locals…]``. See :mod:`rulewright.engine.cells.layout`.

**None.** Printed things (:class:`Attr`), fields and zones of none are none (for sets: empty). ``eq`` is false and
``ne`` is false when both sides are none, unless the operation is marked `nothing`, which asks just that; ``lt`` and
the like are false with none. Arithmetic with none is none. A truth that is none does not hold. What is asked of none
(its neighbours, its area, who sits clockwise from it) is none or empty.

**Keys of merged universes** in fields and zones are taken to the living region first.

**Errors.** A whole number beyond 32 bits, or one outside 0 to 1023 that is to go into a set, is an error of the rules.
"""

from __future__ import annotations

from rulewright.ir.declarations import *
from rulewright.ir.expressions import *
from rulewright.ir.expressions.collections import *
from rulewright.ir.expressions.map_queries import *
from rulewright.ir.expressions.scalars import *
from rulewright.ir.expressions.state_reads import *
from rulewright.ir.instructions import *
from rulewright.ir.types import *
