"""Instrumentation: what of the rules a run has covered, as bytes and bits that machine code writes while it plays.

A map of *edges*, as fuzzers of machine code keep it (M. Zalewski, *Technical whitepaper for afl-fuzz*): for each branch
whether its condition held and whether it did not, for each store of a number its sign and size, for each question the
number of options, the members and the words that were taken, for each rule its use. Two rules *met* if both were used
in one turn: a bit for each pair. The sets of rules of whole turns go into a hash table with open addressing, which may
drop some when it is full. Only programs that are made to explore carry any of this.
"""

from __future__ import annotations

from rulewright.engine.native.lowering.helpers.common_functions import Parts
from rulewright.engine.native.memory_map import QUESTION, WORD_BITS, words
from rulewright.engine.native.webassembly.function_body import FunctionBody
from rulewright.engine.native.webassembly.module import Module, function
from rulewright.engine.native.webassembly.terms import I32, I64, Term, byte, const, lift, mem32, mem64, without_lowest
from rulewright.foundation.lazy_dataclass import dataclass

MOST_EDGES = 1 << 16
"""The bytes of the map; of a program with more edges some share a byte."""
MEMBERS, WORDS, SIZES = 0, 64, 96
"""Within the edges of a question: the members that were taken, the words beside them, the sizes of the offer."""
QUESTION_EDGES = 128
MAGNITUDES = 34
"""The edges of a store: one for each number of bits, the last one for a number below 0 or none."""
TURNS, PROBES = 1 << 12, 8
"""The places in the table of turns, and how many of them are looked at for one turn."""
MULTIPLIER = 0x9E3779B97F4A7C15
"""Of multiplicative hashing: 2^64 by the golden ratio (D. Knuth, *The Art of Computer Programming* 3, 6.4)."""


@dataclass(frozen=True, slots=True)
class CoveragePlan:
    """Addresses of the map of coverage, for the host."""

    pairs: int
    """The address of the bits of pairs of rules, a row of words for each rule; behind them, as bytes, the edges."""
    row: int
    """The bytes of a row."""
    uses: int
    """The bytes before the edges that say which rules were used, one for each; behind them one for each witness."""
    size: int
    """The bytes of pairs and edges that are in use."""
    known: int
    """The address of what was covered by earlier runs, in the same form."""
    turns: int
    """The address of the table of turns: for each place one word that is not 0 if it is taken, and a row."""
    places: int = TURNS
    """The places of the table."""


class Coverage:
    """The map of one program, and code that writes it."""

    def __init__(self, parts: Parts, rules: dict[str, int], turn: str, witnesses: int) -> None:
        """`rules` are the numbers of the rules, `turn` is the procedure that counts as one turn."""
        self.module: Module = parts.module
        self._rules, self._turn = rules, turn
        self._words = words(len(rules))
        self._row = 8 * self._words
        self._bits = self._row * len(rules)
        self.at = parts.memory.reserve(self._bits + MOST_EDGES)
        self.known = parts.memory.reserve(self._bits + MOST_EDGES)
        """The address of what earlier runs have covered."""
        self.used = parts.memory.reserve(self._row)
        """The address of the set of the rules that were used in this turn."""
        self._turns = parts.memory.reserve(TURNS * (8 + self._row))
        self.last = parts.memory.reserve(4)
        """The address of the number of the rule that was used last."""
        self.left_at = parts.memory.reserve(4)
        """The address of the number of answers that were left when one was given last."""
        self._edges = 0
        self._first = len(rules) + witnesses + 7 & -8
        """The edges of rules and witnesses, before those of questions."""
        self._new_edges(self._first)

    @property
    def turn_set(self) -> tuple[int, int]:
        """The address and the bytes of the set of rules of the turn."""
        return self.used, self._row

    @property
    def size(self) -> int:
        """The bytes of pairs and edges that are in use, whole words."""
        return self._bits + (min(self._edges, MOST_EDGES) + 7 & -8)

    def plan(self) -> CoveragePlan:
        """The plan for the host, when all is written."""
        return CoveragePlan(self.at, self._row, self._bits, self.size, self.known, self._turns)

    def _new_edges(self, count: int) -> int:
        """The address of some more edges."""
        at = self._edges if self._edges + count <= MOST_EDGES else self._edges % (MOST_EDGES - count)
        self._edges += count
        return self.at + self._bits + at

    # ------------------------------------------------------------------------------------------------------ writing

    def questions(self, count: int) -> None:
        """Lay out the edges of all questions, which come behind those of the rules."""
        self._new_edges(QUESTION_EDGES * count)

    def branch(self) -> tuple[int, int]:
        """The addresses of two edges, for a condition that held and one that did not."""
        at = self._new_edges(2)
        return at, at + 1

    @staticmethod
    def mark(body: FunctionBody, edge: int) -> None:
        """An edge is taken."""
        body.set(byte(0, edge), 1)

    def stored(self, body: FunctionBody, value: Term) -> None:
        """A number is stored: its size."""
        number = body.hold(value)
        body.set(byte(number.lt_s(0) + 32 - number.clz(), self._new_edges(MAGNITUDES)), 1)

    def fired(self, body: FunctionBody, rule: str, growth: Term | int) -> None:
        """A rule is used; the growth of its counter is 0 if that is imagined."""
        if rule == self._turn:
            body.call(self.close_turn)
        number = self._rules[rule]
        word = mem64(0, self.used + 8 * (number // WORD_BITS))
        used = growth << number % WORD_BITS if isinstance(growth, Term) else 1 << number % WORD_BITS
        body.set(word, word | used)
        use = byte(0, self.at + self._bits + number)
        body.set(use, use | growth.wrap() if isinstance(growth, Term) else 1)
        body.set(mem32(0, self.last), number)

    def witness(self, number: int) -> tuple[int, int]:
        """The addresses of the edge of a witness, and of what is known of it by earlier runs."""
        at = self._bits + len(self._rules) + number
        return self.at + at, self.known + at

    def answered(self, body: FunctionBody, left: Term) -> None:
        """An answer is given, behind which so many are left."""
        body.set(mem32(0, self.left_at), left)

    def taken(self, body: FunctionBody, question: Term | int, member: Term) -> None:
        """A member is the answer to a question."""
        body.set(byte(self._within(question) + (member & 63), self._base(question) + MEMBERS), 1)

    def word_taken(self, body: FunctionBody, word: Term) -> None:
        """A word is the answer to the pending question."""
        body.set(byte(self._within(mem32(0, QUESTION)) + (word & 31), self._base(mem32(0, QUESTION)) + WORDS), 1)

    def offered(self, body: FunctionBody, question: Term | int, options: Term) -> None:
        """A question has so many options."""
        body.set(byte(self._within(question) + (lift(32) - options.clz() & 31), self._base(question) + SIZES), 1)

    def _base(self, question: Term | int) -> int:
        return self.at + self._bits + self._first + (QUESTION_EDGES * question if isinstance(question, int) else 0)

    @staticmethod
    def _within(question: Term | int) -> Term | int:
        return 0 if isinstance(question, int) else question * QUESTION_EDGES

    @function("")
    def close_turn(self, body: FunctionBody) -> None:
        """Note that all rules of a turn have met."""
        at, rule, word = body.locals(I32, I32, I32)
        left = body.local(I64)
        with body.until(word.ge_u(self._words), (word, 1)):
            body.set(left, mem64(word << 3, self.used))
            with body.until(left.eqz()):
                body.set(rule, (word << 6) + left.ctz().wrap())
                body.set(left, without_lowest(left))
                body.set(at, rule * self._row)
                for number in range(self._words):
                    met = mem64(at, self.at + 8 * number)
                    body.set(met, met | mem64(0, self.used + 8 * number))
        self._note_turn(body)
        body.fill(self.used, 0, self._row)

    def _note_turn(self, body: FunctionBody) -> None:
        """Put the set of the rules of a turn into the table, unless it is there."""
        place, at, tries = body.locals(I32, I32, I32)
        hashed = body.local(I64)
        rules = [mem64(0, self.used + 8 * number) for number in range(self._words)]
        for word in rules:
            body.set(hashed, (hashed ^ word) * MULTIPLIER)
        body.set(place, (hashed >> 44).wrap())
        with body.until(tries.eq(PROBES), (tries, 1)) as done:
            body.set(at, (place + tries & TURNS - 1) * (8 + self._row))
            taken = mem64(at, self._turns)
            with body.when(taken.eqz()):
                body.set(taken, 1)
                body.copy(at + (self._turns + 8), self.used, self._row)
            equal: Term = const(1)
            for number, word in enumerate(rules):
                equal = equal & mem64(at, self._turns + 8 * (number + 1)).eq(word)
            body.branch_if(done, equal)

    @function("", gives=I32)
    def take_over(self, body: FunctionBody) -> None:
        """Add what is covered to what is known; the number of words with something new."""
        at, found, size = body.locals(I32, I32, I32)
        body.set(size, self.size)
        now, known = mem64(at, self.at), mem64(at, self.known)
        word = body.local(I64)
        with body.until(at.ge_u(size), (at, 8)):
            body.set(word, now)
            with body.when((word & (known ^ -1)).nonzero()):
                body.set(known, known | word)
                body.set(found, found + 1)
        body.push(found)
