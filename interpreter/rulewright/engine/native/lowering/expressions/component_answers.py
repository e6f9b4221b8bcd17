"""Answers of floods for whole components: where neighbours are those of each other, all places that a flood has found
would find what it did, so they share the answer of its start.

A query that is nothing but the question whether a flood from its argument comes to such a place keeps two sets beside
its version: the places from which one does, and those from which none does. An area of the map is kept in the same way,
but its flood is made whole; this one stops at the first place that decides.
"""

from __future__ import annotations

from rulewright.engine.native.lowering.function_writer import FunctionWriter
from rulewright.engine.native.lowering.memo_tables import RESULT, MemoTable
from rulewright.engine.native.values import Value
from rulewright.engine.native.webassembly.terms import Local, const, mem64
from rulewright.engine.native.word_sizes import words
from rulewright.ir import model as m
from rulewright.ir.dataflow.memoized_queries import question_of


class ComponentAnswers:
    """The answers of one query, while its function is written."""

    def __init__(self, writer: FunctionWriter, table: MemoTable, query: m.QueryDef) -> None:
        """Give the answer of a place that was found before."""
        assert table.start is not None
        self._writer, self._body, self._size = writer, writer.body, table.places
        arguments = [writer.env[slot.name] for slot in query.params]
        self._start, self.question = arguments.pop(table.start), question_of(query)
        self._row = table.row(self._body, *arguments)
        with self._body.when(table.is_valid(self._row).eqz()):
            for number in range(2 * words(self._size)):
                self._body.set(mem64(self._row, RESULT + 8 * number), 0)
            table.mark_valid(self._body, self._row)
        refuses = query.body is not self.question
        for truth in (0, 1):
            with self._body.when(writer.contains(self._set(truth), self._start)):
                self._body.give(truth ^ int(refuses))
        self.found = writer.new_set(self._size)
        """The places to which the flood has come."""

    def keep(self, truth: Local, within: Value | None) -> None:
        """Keep the answer for all places that the flood has found, unless it begins where it may not go: what lies on
        two sides of such a place does not hang together."""
        begins = const(1) if within is None else self._writer.contains(within, self._start)
        with self._body.when(begins):
            at = self._body.hold(self._row + truth * (8 * words(self._size)))
            for number in range(words(self._size)):
                word = mem64(at, RESULT + 8 * number)
                self._body.set(word, word | self.found.word(number))

    @property
    def reached(self) -> Value:
        """Places from which a flood comes to the goal."""
        return self._set(1)

    def _set(self, truth: int) -> Value:
        """The places with an answer."""
        at = RESULT + truth * 8 * words(self._size)
        return Value(is_set=True, bits=self._size, base=self._row, at=at)


__all__ = ["ComponentAnswers"]
