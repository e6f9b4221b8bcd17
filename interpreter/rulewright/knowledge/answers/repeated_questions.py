"""Repeated questions: those that others need not observe, since they follow a question to the same player.

While one player decides more than once in a row, others see one question: whether the second one comes may be a secret,
and then no player hears of it (see `secret_questions` of the engine). So it announces nothing. It is found within a
function, and for calls of functions that ask.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from rulewright.foundation.memo import memoized_by_node
from rulewright.foundation.reachability import reachable
from rulewright.ir import model as m
from rulewright.ir.control_flow.control_flow_graph import EXIT, CallGraph, control_flow_graph, definitions, reads_slot
from rulewright.ir.dataflow.effects import instructions_of

_ASKING = (m.Choose, m.Call)


class RepeatedQuestions:
    """The questions of a program of which not all hear the answer, and calls that ask such, that follow another one of
    the same player."""

    def __init__(self, functions: Iterable[m.Function], known_to_all: Callable[[str, int], bool]) -> None:
        functions = tuple(functions)
        self._hidden = {
            f.name: frozenset(
                pc for pc, i in instructions_of(f, (m.Choose,)) if i.who_is == "player" and not known_to_all(f.name, pc)
            )
            for f in functions
        }
        own = {name for name, questions in self._hidden.items() if questions}
        closures = CallGraph(functions).closures(lambda f: f.name)
        self._asking = frozenset(name for name, called in closures.items() if not own.isdisjoint(called))
        """The functions that ask players in secret."""
        self._players = _player_parameters(functions)

    def of(self, function: m.Function, secret: Callable[[int], bool]) -> frozenset[int]:
        """The quiet instructions of a function: it is `secret` whether the rules come to them."""
        hidden = self._hidden[function.name]
        asking = [
            (pc, players)
            for pc, i in instructions_of(function, _ASKING)
            if (isinstance(i, m.Call) or pc in hidden) and (players := self._deciders(i))
        ]
        late = [(pc, players) for pc, players in asking if secret(pc)]
        return frozenset(
            pc for pc, players in late if any(self._follows(function, pc, players, *one) for one in asking)
        )

    def _deciders(self, i: m.Instr) -> tuple[m.Expr, ...]:
        """The players who may decide at an instruction, as far as they are known."""
        match i:
            case m.Choose(who=who, who_is="player"):
                return (who,)
            case m.Call(name, args) if name in self._asking:
                return tuple(args[number] for number in sorted(self._players[name]) if number < len(args))
            case _:
                return ()

    def _follows(
        self, function: m.Function, pc: int, players: tuple[m.Expr, ...], before: int, deciders: tuple[m.Expr, ...]
    ) -> bool:
        """True if the rules may come from one of them to another while both ask the same player."""
        stored = any(isinstance(who, m.FieldGet) for who in (*players, *deciders))  # it may be anybody
        return any(pc in _reached(function, before, who) for who in players if stored or who in deciders)


def _reached(function: m.Function, start: int, who: m.Expr) -> frozenset[int]:
    """The instructions to which the rules may come from another one before an expression that names a player has
    another value, and the first at which it may have."""
    known = _known_of(function)
    if (start, who) not in known:
        graph, code = control_flow_graph(function), function.code

        def after(at: int) -> Iterable[int]:
            changed = at < len(code) and reads_slot(who, definitions(code[at]))
            return () if at == EXIT or changed else graph.after(at)

        known[start, who] = frozenset(reachable(graph.after(start), after))
    return known[start, who]


@memoized_by_node
def _known_of(function: m.Function) -> dict[tuple[int, m.Expr], frozenset[int]]:
    """The instructions reached in a function, found on first use."""
    return {}


def _player_parameters(functions: Iterable[m.Function]) -> dict[str, set[int]]:
    """For each function its parameters that decide something, in it or in what it calls."""
    found: dict[str, set[int]] = {f.name: set() for f in functions}
    more = True
    while more:
        more = False
        for function in functions:
            own = found[function.name]
            deciders = [i.who for _, i in instructions_of(function, (m.Choose,)) if i.who_is == "player"]
            for _, call in instructions_of(function, (m.Call,)):
                deciders += [call.args[number] for number in found[call.function] if number < len(call.args)]
            fresh = {who.slot for who in deciders if isinstance(who, m.Local) and who.slot < function.params} - own
            own |= fresh
            more = more or bool(fresh)
    return found
