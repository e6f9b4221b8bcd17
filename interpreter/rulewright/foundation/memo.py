"""Memo tables of facts about tree nodes: by node alone, or with all else that a fact depended on."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import wraps
from typing import Any, TypeVar, TypeVarTuple, cast
from weakref import ref

from rulewright.foundation.line_anchors import Places, unmoved, unwatched, watched

N = TypeVar("N")
T = TypeVar("T")


def memoized_by_node(find: Callable[[N], T]) -> Callable[[N], T]:
    """Memoize a function by node: each answer is kept as long as the node lives.

    The answer must not hold the node itself: it would live for ever. If it has asked on which line something stands, it
    is found again when that has moved.
    """
    known: dict[int, tuple[ref[N], T, Places | None]] = {}

    @wraps(find)
    def ask(node: N) -> T:
        key = id(node)
        held = known.get(key)
        if held is not None and held[0]() is node and (held[2] is None or unmoved(held[2])):
            return held[1]
        found, places = watched(find, node)
        known[key] = ref(node, lambda _: known.pop(key, None)), found, places
        return found

    return ask


_Made = dict[tuple[int, ...], tuple[tuple[ref[object], ...], object]]
_made: _Made = {}


def made_once(make: Callable[[], T], *nodes: object) -> T:
    """The thing that is made of some nodes, by identity: the same as long as all of them live.

    It must follow from them alone, not from the lines on which they stand, and must not hold any of them.
    """
    key = tuple(map(id, nodes))
    held = _made.get(key)
    if held is not None and all(one() is node for one, node in zip(held[0], nodes, strict=True)):
        return cast(T, held[1])
    made = make()
    if not any(made is node for node in nodes):

        def forget(_: object, known: _Made = _made) -> None:  # at the end of the program the name may be gone
            known.pop(key, None)

        _made[key] = tuple(ref(node, forget) for node in nodes), made
    return made


C = TypeVar("C", bound="Context")
A = TypeVarTuple("A")

FORMS = 8
"""So many answers are kept for a node, the youngest."""

SUBJECTS = 64
"""For so many plain values beside a node answers are kept."""

Trace = dict[Hashable, tuple[Callable[..., Any], tuple[Any, ...], Any]]
"""By keys: a question, what it was about, and the answer; of one that lives as long as others need it, a reference."""


class Context:
    """An object whose queries are each answered once."""

    def __init__(self) -> None:
        self.answers: dict[Hashable, tuple[tuple[Any, ...], Any]] = {}
        """By keys; with what the question was about, so that identities stay what they are."""
        self.trace: Trace | None = None
        """The questions of what is being found just now."""


def tracked_query(find: Callable[[C, *A], T]) -> Callable[[C, *A], T]:
    """A question about words and other plain values; the answer holds no node, or is one."""

    @wraps(find)
    def ask(context: C, *about: *A) -> T:
        answer: T = _answer(context, (ask, about), ask, find, about)
        return answer

    return ask


def question_of_node(find: Callable[[C, N], T]) -> Callable[[C, N], T]:
    """A question about a node, which need not be a declaration; the answer holds no node, or is one."""

    @wraps(find)
    def ask(context: C, node: N) -> T:
        answer: T = _answer(context, (ask, id(node)), ask, find, (node,))
        return answer

    return ask


def _answer(context: Any, key: Hashable, ask: Any, find: Any, about: tuple[Any, ...]) -> Any:
    known = context.answers.get(key)
    if known is not None:
        answer = known[1]
    else:
        outer, context.trace = context.trace, None
        try:
            answer = unwatched(find, context, *about)  # lines in it are compared with the answer
        finally:
            context.trace = outer
        context.answers[key] = about, answer
    if context.trace is not None:
        context.trace[key] = ask, about, _held(answer)
    return answer


def traced_by_node(find: Callable[[N, C, *A], T]) -> Callable[[N, C, *A], T]:
    """Memoize a function by node and trace: its answers for each node are kept as long as the node lives, each with its
    trace.

    What else it is given are plain values, few for each node. Lines on which something stands count like answers. The
    answer must not hold the node itself: it would live for ever.
    """
    known: dict[int, tuple[ref[N], dict[Hashable, list[tuple[Trace, Places | None, T]]]]] = {}

    @wraps(find)
    def ask(node: N, context: C, *about: *A) -> T:
        key = id(node)
        held = known.get(key)
        if held is None or held[0]() is not node:
            held = known[key] = ref(node, lambda _: known.pop(key, None)), {}
        if len(held[1]) >= SUBJECTS:
            held[1].clear()
        forms = held[1].setdefault(about, [])
        outer, context.trace = context.trace, None
        try:
            for trace, places, answer in forms:  # noqa: B007 (it is the answer that is given)
                if unmoved(places) and _holds(trace, context):
                    break
            else:
                context.trace = trace = {}
                answer, places = watched(find, node, context, *about)
                forms.append((trace, places, answer))
                del forms[:-FORMS]
        finally:
            context.trace = outer
        if outer is not None:
            outer.update(trace)
        return answer

    return ask


def _held(answer: object) -> object:
    return ref(answer) if hasattr(type(answer), "__weakref__") else answer


def _holds(trace: Trace, context: Context) -> bool:
    """True if a context answers all questions of a trace as they were answered then."""
    answers = context.answers
    for key, (ask, about, was) in trace.items():
        known = answers.get(key)
        answer = known[1] if known is not None else ask(context, *about)
        if was is not answer and (was() is not answer if type(was) is ref else was != answer):
            return False
    return True
