"""Counts of a change that include too much, as games show."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rulewright.examination.examined_program import ExaminedProgram, conjuncts, has_free_variables, put
from rulewright.examination.findings import Suspect
from rulewright.examination.playing.playing_budget import Pair
from rulewright.examination.playing.probes import Probe, observed
from rulewright.examination.playing.program_words import (
    beginning,
    closed,
    conditions_of,
    new_instructions,
    same_words,
    words_of,
)
from rulewright.ir import model as m
from rulewright.ir.facts import Universes
from rulewright.ir.walk import nodes
from rulewright.syntax import ast

# -------------------------------------------------------------------------------------------------------- counted twice
# EXM218: a sum of two counts of the same things, in which one that meets both conditions counts twice.

GAMES = 10
"""Games in which something has to be counted twice before it is reported."""
_DEEP = 4
"""Queries that call each other are written out so far."""


@dataclass(frozen=True, slots=True)
class _Sum:
    """A sum of two counts, where it is evaluated, and the condition that a thing is in both."""

    function: m.Function
    query: str
    """The query in which it stands; empty if it stands in the function itself."""
    pc: int
    both: m.Expr
    name: str


def things_counted_twice(pairs: Sequence[Pair]) -> Iterator[Suspect]:
    """A number of the change is the sum of two counts of the same things, and in games there are some for which both
    conditions hold: each of them counts twice, where one condition joined by `or` would count it once."""
    known = dict[str, _Sum]()

    def probes(pair: Pair) -> list[Probe] | None:
        found = list(_sums(pair))
        known.update({one.name: one for one in found})
        looks = [(one, one.name, one.both) for one in found]
        looks += [(one, f"{one.name} asked", m.Const(1)) for one in found]
        return [Probe(one.function.name, one.pc, name, condition) for one, name, condition in looks] or None

    tally = observed(pairs, probes, 0.3)
    if tally is None:
        return
    reported = set[str]()
    for name, one in known.items():
        place = one.query or one.function.name
        if tally.games[name] < GAMES or place in reported:
            continue
        reported.add(place)
        yield Suspect(
            "EXM218",
            place,
            "sum",
            f"this adds two counts of the same things, and some are in both: {tally.uses[name]} of "
            f"{tally.uses[f'{name} asked']} times in {tally.games[name]} random games something counts twice",
            "one count with both conditions joined by `or` counts each once",
            kinds=(ast.Binary,),
            words=words_of(one.function, one.both) if not one.query else frozenset(),
            rule=one.query,
        )


def _sums(pair: Pair) -> Iterator[_Sum]:
    """The sums of two counts in what the change brings: in its statements, and in queries that it changes."""
    program, examined = pair.game.program, ExaminedProgram(pair.game.program)
    new, base = new_instructions(program, pair.base.program), {q.name: q for q in pair.base.program.queries}
    changed = {q.name for q in program.queries if base.get(q.name) != q}
    for function in program.functions:
        for pc, i in enumerate(function.code):
            if isinstance(i, m.Choose):
                continue
            if pc in new[function.name]:
                yield from _in(function, pc, "", i)
            for query, body in _written_out(examined, i, 0):
                if query in changed:
                    yield from _in(function, pc, query, body)


def _written_out(examined: ExaminedProgram, part: object, depth: int) -> Iterator[tuple[str, m.Expr]]:
    """The bodies of queries that are evaluated in a part, with their arguments, and of the queries that these call."""
    for node in nodes(part):
        if isinstance(node, m.CallQuery) and depth < _DEEP and not has_free_variables(node):
            query = examined.queries[node.query]
            body = put(query.body, {slot.name: one for slot, one in zip(query.params, node.args, strict=True)})
            yield node.query, body
            yield from ((name, inner) for name, inner in _written_out(examined, body, depth + 1))


def _in(function: m.Function, pc: int, query: str, part: object) -> Iterator[_Sum]:
    for number, node in enumerate(nodes(part)):
        match node:
            case m.Arith("add", m.Fold("count", (one,), first), m.Fold("count", (two,), second)) if (
                one.source == two.source and first is not None and second is not None
            ):
                same = put(second, {two.var: m.Var(one.var)})
                both = m.Fold("some", (one,), m.And((first, same)), None)
                if not has_free_variables(both) and same != first:
                    yield _Sum(function, query, pc, both, f"{query or function.name} counts twice ({pc}, {number})")
            case _:
                pass  # all else adds no counts


# -------------------------------------------------------------------------------------------------------- nonzero count
# EXM217: a count that is given or taken, and is never 0 where it is evaluated, though it is 0 of other things.

ENOUGH = 100
"""The number of times that a count must be evaluated; below it, it is ignored."""
GAMES_OF_NONZERO_COUNTS = 15
"""The number of games in which a count must be evaluated; below it, it is ignored."""


@dataclass(frozen=True, slots=True)
class _Count:
    """A count in an amount, and the names of its probes: evaluated, 0, and 0 for other arguments."""

    function: m.Function
    field: str
    count: m.Expr
    about: str

    @property
    def use(self) -> str:
        """The name for how often it was evaluated."""
        return f"{self.about} asked"

    @property
    def nothing(self) -> str:
        """The name for how often it was 0 then."""
        return f"{self.about} is 0"

    @property
    def elsewhere(self) -> str:
        """The name for how often it would have been 0 of something else."""
        return f"{self.about} may be 0"


def nonzero_counts(pairs: Sequence[Pair]) -> Iterator[Suspect]:
    """An amount of the change has a count in it that is never 0, in many games; of other things it would be 0 at the
    same moments. So its argument may be among what is counted."""
    known = dict[str, _Count]()

    def probes(pair: Pair) -> list[Probe] | None:
        found = list[Probe]()
        for pc, one in _counts(pair):
            known.setdefault(one.about, one)
            none = m.Cmp("eq", one.count, m.Const(0))
            other = closed(pair.game.program, one.function, none)
            if other is not None:
                look: list[tuple[str, m.Expr]] = [(one.use, m.Const(1)), (one.nothing, none), (one.elsewhere, other)]
                found += [Probe(one.function.name, pc, name, condition) for name, condition in look]
        return found or None

    tally = observed(pairs, probes, 0.3)
    if tally is None:
        return
    program = pairs[0].game.program
    for one in known.values():
        times, games = tally.uses[one.use], tally.games[one.use]
        if (
            times < ENOUGH
            or games < GAMES_OF_NONZERO_COUNTS
            or tally.uses[one.nothing]
            or tally.games[one.elsewhere] * 2 < games
        ):
            continue
        words = words_of(one.function, one.count)
        yield Suspect(
            "EXM217",
            one.function.name,
            f"{one.field} {same_words(program, one.function.name, one.count)}",
            f"what is counted for `{one.field}` here is never 0, {times} times in {games} random games, though of "
            f"others it would be: what it is asked about may be counted itself",
            "leave it out of what is counted (`… except …`, `… is not …`), or count before it is there",
            kinds=(ast.Assign, ast.AssignAll),
            words=words | {one.field},
            otherwise=(ast.Assign, ast.AssignAll),
        )


def _counts(pair: Pair) -> Iterator[tuple[int, _Count]]:
    """The counts in amounts that the change adds to a field, or takes from it; those that ask about something."""
    program = pair.game.program
    queries = {q.name: q for q in program.queries}
    new = new_instructions(program, pair.base.program)
    for function in program.functions:
        for number, pc in enumerate(new[function.name]):
            i = function.code[pc]
            if not isinstance(i, m.SetField) or not isinstance(i.value, m.Arith):
                continue
            for place, node in enumerate(nodes(i.value.right)):
                if _is_count(node, queries) and _asks_about_something(node):
                    yield (
                        pc,
                        _Count(function, i.field, node, f"{function.name} counts for {i.field} ({number}, {place})"),
                    )


def _is_count(e: object, queries: dict[str, m.QueryDef]) -> bool:
    match e:
        case m.Fold(kind="count") | m.Size():
            return True
        case m.CallQuery(name):
            body = queries[name].body
            return _is_count(body, queries)
        case _:
            return False


def _asks_about_something(e: m.Expr) -> bool:
    """True if the argument is a local of the rules, and no variable of a loop around it."""
    return not has_free_variables(e) and any(isinstance(node, m.Local) for node in nodes(e))


# -------------------------------------------------------------------------------------------------------- counts itself
# EXM211: a condition that asks about what was put down just before, and finds it each time.

"""The number of times that a condition must be evaluated; below it, it is ignored."""
GAMES_OF_SELF_COUNTING = 5
"""The number of games in which a condition must be evaluated; below it, it is ignored."""


@dataclass(frozen=True, slots=True)
class _Found:
    """A thing that is put down, and the condition behind it that asks whether there is any such thing."""

    function: m.Function
    condition: m.Expr
    put: str
    noted: Probe
    """The look that notes what was put down."""
    evaluated: Probe
    itself: Probe

    @property
    def looks(self) -> tuple[Probe, ...]:
        """All of them."""
        return self.noted, self.evaluated, self.itself


def counts_itself(pairs: Sequence[Pair]) -> Iterator[Suspect]:
    """A condition of the change asks whether there is any thing of a kind, and what was put down just before is one of
    that kind, each time it is evaluated: so it does not depend on the others. With any number of players.
    """
    known: dict[str, _Found] = {}

    def probes(pair: Pair) -> list[Probe] | None:
        found = list(_found(pair))
        known.update({one.evaluated.name: one for one in found})
        return [look for one in found for look in one.looks] or None

    tally = observed(pairs, probes, 0.5)
    if tally is None:
        return
    uses, games = tally.uses, tally.games
    program = pairs[0].game.program
    for name, one in known.items():
        if uses[name] >= ENOUGH and games[name] >= GAMES_OF_SELF_COUNTING and uses[one.itself.name] == uses[name]:
            yield Suspect(
                "EXM211",
                one.function.name,
                same_words(program, one.function.name, one.condition),
                f"this asks whether there is any such thing, and {one.put} just before is one itself, each of "
                f"{uses[name]} times in {games[name]} random games: so the answer is always the same",
                "leave out what has just been put there (`… is not …`), or ask before it is",
                kinds=(ast.Branch, ast.IfElse),
                words=words_of(one.function, one.condition),
            )


def _found(pair: Pair) -> Iterator[_Found]:
    """The new conditions that ask for things such as one that is put down in the statements before."""
    program = pair.game.program
    examined, new = ExaminedProgram(program), new_instructions(program, pair.base.program)
    universes = Universes(program)
    for function in program.functions:
        fresh = set(new[function.name])
        for pc, condition in conditions_of(function, lambda _: True):
            start = beginning(function, pc, condition)
            if start == pc or not fresh & set(range(start, pc + 1)):
                continue
            for number, part in enumerate(conjuncts(condition)):
                query = _any(examined, part)
                if query is None:
                    continue
                for at in range(pc - 1, start - 1, -1):
                    thing = _thing(examined, function.code[at], query)
                    if thing is None or universes.of(query[0], function) != thing[1]:
                        continue
                    about = f"condition {pc} of {function.name}, part {number}"
                    noted = Probe(function.name, at, f"{about} put", m.Const(1), notes=thing[0], of=thing[1])
                    yield _Found(
                        function,
                        condition,
                        thing[2],
                        noted,
                        Probe(function.name, pc, f"{about} asked", m.Const(1)),
                        Probe(function.name, pc, f"{about} itself", _is_one(query, noted.noted)),
                    )
                    break


_Any = tuple[m.Expr, str, "m.Expr | None"]
"""A set, a variable over it, and a condition on it: the operands of an existence test."""


def _any(examined: ExaminedProgram, e: m.Expr) -> _Any | None:
    """The things of which a condition asks whether there are any, or none."""
    match e:
        case m.Not(inner):
            return _any(examined, inner)
        case m.Fold("some" | "no", (m.Bound(var, source, False),), where, _):
            return source, var, where
        case m.SetEq(of, m.Const(0)):
            return of, "", None
        case m.Cmp("eq" | "ne" | "gt" | "le", counted, m.Const(0)) | m.Cmp("ge" | "lt", counted, m.Const(1)):
            return _counted(examined, counted)
        case _:
            return None


def _counted(examined: ExaminedProgram, e: m.Expr) -> _Any | None:
    match e:
        case m.Size(of, False):
            return of, "", None
        case m.Fold("count", (m.Bound(var, source, False),), where, _):
            return source, var, where
        case m.CallQuery(name, args):
            query = examined.queries[name]
            return _counted(examined, put(query.body, {p.name: a for p, a in zip(query.params, args, strict=True)}))
        case _:
            return None


def _is_one(query: _Any, thing: m.Expr) -> m.Expr:
    """The condition that a thing is a member of the tested set."""
    source, var, where = query
    inside = m.Contains(source, thing)
    return inside if where is None else m.And((inside, put(where, {var: thing})))


def _thing(examined: ExaminedProgram, i: m.Instr, query: _Any) -> tuple[m.Expr, str, str] | None:
    """The thing that an instruction puts down, its universe, and where: such that the existence test depends on it."""
    source, var, where = query
    parts = (source, where) if where is not None else (source,)
    match i:
        case m.SetField(name, index, value) if value not in (m.Const(0), m.Const(m.NONE)):
            for node in nodes(where):
                if isinstance(node, m.FieldGet) and node.field == name:
                    for n, key in enumerate(node.index):
                        if key == m.Var(var):
                            return index[n], examined.fields[name].index[n], f"what `{name}` was set of"
        case m.Move(m.MakeSet((piece,)), False, zone):
            return (piece, "Piece", f"what was moved to `{zone}`") if _reads(examined, parts, i) else None
        case m.Move(m.Lowest(_, m.Const(1)) as what, False, zone):
            return (m.First(what), "Piece", f"what was moved to `{zone}`") if _reads(examined, parts, i) else None
        case _:
            pass
    return None


def _reads(examined: ExaminedProgram, parts: Sequence[m.Expr], i: m.Instr) -> bool:
    """True if where pieces lie in a zone is read, and not only whether they are on the board."""
    return any(examined.effects.reads(part) & examined.effects.writes(i) for part in parts)
