"""Analyses of hidden values that something visible gives away."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from rulewright.examination.examined_program import ExaminedProgram, put
from rulewright.examination.findings import Suspect
from rulewright.ir import model as m
from rulewright.ir.control_flow.control_flow_graph import slots_stored, successors
from rulewright.ir.control_flow.questions import QuestionsBehind
from rulewright.ir.dataflow.effects import instructions_of
from rulewright.ir.declared_sight import DeclaredSight, Level, sight_of
from rulewright.ir.reads import counted
from rulewright.ir.rule_places import statement_at
from rulewright.ir.walk import children, nodes
from rulewright.knowledge.secrets.function_levels import OPEN
from rulewright.knowledge.secrets.hidden_values import HiddenValues
from rulewright.knowledge.secrets.possible_values import definitions
from rulewright.knowledge.secrets.public_flow import public_levels
from rulewright.lint.analyses.value_origins import upon_which
from rulewright.syntax import ast

# ----------------------------------------------------------------------------------------- answer revealed by its trace
# EXM145: a hidden answer that public information reveals before the next player decides.


def answers_revealed_by_traces(examined: ExaminedProgram) -> Iterator[Suspect]:
    """Players decide one after the other, each answer is laid where the others do not see it; and in the same round of
    the loop, before the next one decides, it is put into, or taken out of, something that all of them see.
    """
    sight = sight_of(examined.program)
    for function in examined.functions.values():
        for pc, i in enumerate(function.code):
            if not isinstance(i, m.Choose) or i.secret or i.who_is != "player" or not isinstance(i.who, m.Local):
                continue
            body = _behind(function, pc, i)
            if not any(_hides(examined, sight, one, i) for one in body):
                continue
            traces = [found for one in body for found in _shown(examined, sight, one, i)]
            for shown, written in traces[:1]:
                answer = function.slots[i.into].name
                yield Suspect(
                    "EXM145",
                    function.name,
                    f"{answer} in {shown}",
                    f"`{answer}` is hidden from the other players, but `{shown}`, which everyone sees, changes with it "
                    "before the next one is asked, and so tells it",
                    f"change `{shown}` when all have been asked, or ask all of them together (`each … at once`)",
                    kinds=(ast.Assign, ast.Move),
                    words=frozenset((written, answer)),
                )


def _behind(function: m.Function, pc: int, choice: m.Choose) -> tuple[m.Instr, ...]:
    """The instructions that are carried out with an answer, up to the end of a loop in which others get the same
    decision; none if there is no such loop, or if they do not follow one after the other."""
    found: list[m.Instr] = []
    for at in range(pc + 1, len(function.code)):
        i = function.code[at]
        if isinstance(i, m.Jump):
            if i.to > pc:
                return ()
            again = range(i.to, pc)
            named = (slots_stored(function.code[n]) for n in again)
            return tuple(found) if isinstance(choice.who, m.Local) and any(choice.who.slot in s for s in named) else ()
        if isinstance(i, m.Choose | m.Chance | m.Turn | m.JumpUnless) or choice.into in slots_stored(i):
            return ()
        found.append(i)
    return ()


def _hides(examined: ExaminedProgram, sight: DeclaredSight, i: m.Instr, choice: m.Choose) -> bool:
    """True if an instruction lays an answer down as something of who gave it that not everybody sees."""
    answer = m.Local(choice.into)
    match i:
        case m.SetField(name, (whose,), value) if whose == choice.who and value == answer:
            return not sight.everybody(examined.fields[name])
        case m.Move(m.MakeSet((piece,)), zone=name, index=(whose,)) if whose == choice.who and piece == answer:
            return not sight.everybody(_zone(examined, name))
        case _:
            return False


def _shown(examined: ExaminedProgram, sight: DeclaredSight, i: m.Instr, choice: m.Choose) -> Iterator[tuple[str, str]]:
    """The open things that an instruction changes by the answer itself, and what is written there."""
    answer = m.Local(choice.into)
    match i:
        case m.SetField(name, _, m.SetOp("union" | "minus", m.FieldGet(read), m.MakeSet((item,)))):
            if read == name and item == answer and sight.open(examined.fields[name]):
                yield name, name
        case m.SetField(name, _, value) if value == answer and sight.open(examined.fields[name]):
            yield name, name
        case m.Move(m.MakeSet((piece,)), zone=to) if piece == answer and isinstance(
            choice.source, m.ZoneGet | m.ZoneList
        ):
            if sight.open(_zone(examined, choice.source.zone)):
                yield choice.source.zone, to
        case _:
            pass


def _zone(examined: ExaminedProgram, name: str) -> m.Zone:
    return next(zone for zone in examined.program.zones if zone.name == name)


# ------------------------------------------------------------------------------------ secret revealed by a public field
# EXM155: a field that all see and that takes its value, or is set at all, from what lies hidden in a zone.

_DEEP = 6
"""Queries that call each other are followed so far."""


Keys = tuple[m.Expr, ...]


def fields_that_reveal_secrets(examined: ExaminedProgram) -> Iterator[Suspect]:
    """A field that all see is set to a value computed from the pieces in a zone that only its player, or no player,
    sees, or under a condition that asks for them; and players are asked behind it.

    How secrets go through the rules is found by the levels of :mod:`~rulewright.knowledge.secrets.public_flow`. What
    has been shown before, and what is laid open before the next question, is no secret any more; and players who have
    just answered may reveal the value of their answer to them.
    """
    sight = sight_of(examined.program)
    closed = {z.name for z in examined.program.zones if sight.levels(z, "back") <= {Level.NO_PLAYER, Level.OWNER}}
    public = {
        field.name
        for field in examined.program.fields
        if sight.open(field) and not field.is_internal and field.ty.universe != "Piece"
    }
    if not closed or not public:
        return
    secrets = _Secrets(examined, closed)
    behind = QuestionsBehind(examined.program)
    for function in examined.functions.values():
        for pc, i in instructions_of(function, (m.SetField, m.Call)):
            field, index = _set_by(examined, i, public)
            if not field:
                continue
            zone = next(secrets.behind(function, pc, i, index), "")
            if zone and behind.asks(function.name, pc) and not secrets.is_opened(zone, function, pc):
                place = statement_at(examined.program, function, pc)
                yield Suspect(
                    "EXM155",
                    function.name,
                    f"{field} from {zone}",
                    f"`{field}`, which everyone sees, depends on which pieces lie in `{zone}`, which not everyone "
                    "sees: it tells what lies there",
                    f"ask for what lies open, or say that `{field}` is `seen by` those who see `{zone}`",
                    kinds=(ast.Assign,),
                    words=frozenset((field,)),
                    span=place.span if place is not None and place.span.file else None,
                )


def _set_by(examined: ExaminedProgram, i: m.Instr, public: set[str]) -> tuple[str, Keys]:
    """The field of those that an instruction sets, itself or by what it calls that asks no player, with its keys."""
    match i:
        case m.SetField(field, index) if field in public:
            return field, index
        case m.Call():
            code = [one for f in examined.closure(i.function) for one in f.code]
            fields = [one.field for one in code if isinstance(one, m.SetField) and one.field in public]
            if fields and not any(isinstance(one, m.Choose | m.Chance) for one in code):
                return fields[0], i.args
        case _:
            pass
    return "", ()


def _handed(e: m.Expr, call: m.Call) -> m.Expr:
    """A parameter of what is called as it is known to who calls."""
    return call.args[e.slot] if isinstance(e, m.Local) and e.slot < len(call.args) else e


Read = tuple[str, Keys]
"""A zone that is read, with its keys."""


class _Secrets:
    """The zones with hidden pieces from which instructions work something out."""

    def __init__(self, examined: ExaminedProgram, closed: Iterable[str]) -> None:
        self._examined, self._closed = examined, frozenset(closed)
        sight = sight_of(examined.program)
        self._open = {zone.name for zone in examined.program.zones if sight.open(zone)}
        self.levels = public_levels(examined.program)

    def behind(self, function: m.Function, pc: int, i: m.Instr, index: Keys) -> Iterator[str]:
        """The zones that a write with these keys reveals something of."""
        levels = self.levels[function.name]
        secrets = [e for e in (i.value, *i.index) if levels.level(e) > OPEN] if isinstance(i, m.SetField) else []
        if pc in levels.dark:
            secrets += (e for e in upon_which(function, pc) if levels.level(e) > OPEN)
        way = set[tuple[str, int]]()
        for e in secrets:
            yield from self._behind(function, pc, e, index, way)

    def _behind(
        self, function: m.Function, pc: int, e: m.Expr, index: Keys, way: set[tuple[str, int]]
    ) -> Iterator[str]:
        """The zones that an expression reads, here or where the function was handed it, but for those of a player who
        has answered and to whom belongs what is set."""
        for zone, keys in self._read(function, e, way):
            if not any(key in index and self._has_answered(function.name, pc, key) for key in keys[:1]):
                yield zone
        levels = self.levels[function.name]
        handed = [slot for slot in range(function.params) if levels.level_of(slot) > OPEN]
        for slot in (slot for slot in handed if (function.name, slot) in way):
            for caller, at in self._calls.get(function.name, ()):
                calling = self._examined.functions[caller]
                call = calling.code[at]
                if isinstance(call, m.Call) and (caller, -1 - at) not in way:
                    way.add((caller, -1 - at))
                    keys = tuple(_handed(key, call) for key in index)
                    yield from self._behind(calling, at, call.args[slot], keys, way)

    def _read(self, function: m.Function, e: m.Expr, way: set[tuple[str, int]]) -> Iterator[Read]:
        """The zones that an expression reads, or from which its slots were given something."""
        yield from self._zones(e)
        levels = self.levels[function.name]
        for slot in sorted({node.slot for node in nodes(e) if isinstance(node, m.Local)}):
            if (function.name, slot) in way or levels.level_of(slot) == OPEN or self._is_laid_open(function, slot):
                continue
            way.add((function.name, slot))
            for i in definitions(function, slot):
                match i:
                    case m.SetLocal() | m.Append():
                        yield from self._read(function, i.value, way)
                    case m.Call(called, into=into) if into == slot:
                        finding = self._examined.functions[called]
                        for _, back in instructions_of(finding, (m.Return,)):
                            if isinstance(back, m.Return) and back.value is not None:
                                for zone, keys in self._read(finding, back.value, way):
                                    yield zone, tuple(_handed(key, i) for key in keys)
                    case _:
                        pass

    def _zones(self, e: m.Expr, depth: int = 0, seen: frozenset[m.Expr] = frozenset()) -> Iterator[Read]:
        """The zones of which pieces, and not only their number, are read; of those that are `seen` all know that they
        do not lie there."""
        if isinstance(counted(e), m.ZoneGet | m.ZoneList):
            return
        match e:
            case _ if isinstance(e, m.ZoneGet | m.ZoneList | m.Top) and e.zone in self._closed:
                yield e.zone, e.index
            case m.InZone(zones, piece):
                yield from ((zone, ()) for zone in zones if zone in self._closed)
                yield from self._zones(piece, depth, seen)
            case m.Contains(item=item) if item in seen:
                pass
            case m.CallQuery(name, args) if depth < _DEEP and name in self._examined.queries:
                for arg in args:
                    yield from self._zones(arg, depth, seen)
                query = self._examined.queries[name]
                given = {param.name: arg for param, arg in zip(query.params, args, strict=True)}
                yield from self._zones(put(query.body, given), depth + 1, seen)
            case _:
                binds = e.binds if isinstance(e, m.Fold) else ()
                seen |= {m.Var(bind.var) for bind in binds if self._lies_open(bind.source)}
                for child in children(e):
                    yield from self._zones(child, depth, seen)

    def _lies_open(self, e: m.Expr) -> bool:
        return isinstance(e, m.ZoneGet | m.ZoneList) and e.zone in self._open

    def _is_laid_open(self, function: m.Function, slot: int) -> bool:
        """True if what is in a slot is moved to where all see it, or shown, anywhere in the function. What is drawn is
        noted just before, in the same words."""
        named: set[m.Expr] = {m.Local(slot)}
        for i in definitions(function, slot):
            if isinstance(i, m.SetLocal):
                value = i.value.of if isinstance(i.value, m.ToSet) else i.value
                named |= {value} if isinstance(value, m.Top) else set()
        return any(self._opens(i) and not named.isdisjoint(nodes(i)) for i in function.code)

    def _opens(self, i: m.Instr) -> bool:
        return isinstance(i, m.Show) or (isinstance(i, m.Move) and i.zone in self._open)

    def _has_answered(self, name: str, pc: int, who: m.Expr, way: tuple[str, ...] = ()) -> bool:
        """True if a player may have decided before an instruction, here or in a caller of the function."""
        function = self._examined.functions[name]
        before = (function.code[at] for at in self._values.reached(name, pc))
        choosers = {i.who for i in before if isinstance(i, m.Choose) and i.who_is == "player"}
        if who in choosers or not isinstance(who, m.Local):
            return who in choosers
        if who.slot >= function.params:  # as it was in another loop over players
            return any(isinstance(one, m.Local) and one.slot >= function.params for one in choosers)
        if name in way:
            return False
        calls = [(caller, at, self._examined.functions[caller].code[at]) for caller, at in self._calls.get(name, ())]
        return bool(calls) and all(
            isinstance(i, m.Call) and self._has_answered(caller, at, i.args[who.slot], (*way, name))
            for caller, at, i in calls
        )

    # ------------------------------------------------------------------------------------------ what was shown

    def is_opened(self, zone: str, function: m.Function, pc: int) -> bool:
        """True if the pieces of a zone may have been shown before an instruction, or are laid open behind it before any
        player decides."""
        return self._is_shown_before(zone, function.name, pc) or self._is_opened_behind(zone, function, pc)

    @cached_property
    def _values(self) -> HiddenValues:
        return HiddenValues(self._examined.program)

    @cached_property
    def _calls(self) -> dict[str, list[tuple[str, int]]]:
        found: dict[str, list[tuple[str, int]]] = {}
        for function in self._examined.functions.values():
            for pc, i in instructions_of(function, (m.Call,)):
                if isinstance(i, m.Call):
                    found.setdefault(i.function, []).append((function.name, pc))
        return found

    def _is_shown_before(self, zone: str, name: str, pc: int) -> bool:
        if not any(self._shows(zone, f.code) for f in self._examined.functions.values()):
            return False
        seen, waiting = set[tuple[str, int]](), [(name, pc)]
        while waiting:
            where = waiting.pop()
            if where in seen:
                continue
            seen.add(where)
            name, pc = where
            code, before = self._examined.functions[name].code, self._values.reached(name, pc)
            if self._shows(zone, (code[at] for at in before)):
                return True
            below = self._values.below(name, before)
            if any(self._shows(zone, self._examined.functions[called].code) for called in below):
                return True
            if name != self._examined.program.main:
                callers = self._calls.get(name)
                if not callers:
                    return True  # whatever looks for it does so anywhere
                waiting += callers
        return False

    def _shows(self, zone: str, code: Iterable[m.Instr]) -> bool:
        return any(isinstance(i, m.Show) and self._may_be_of(i.what, zone) for i in code)

    def _may_be_of(self, what: m.Expr, zone: str) -> bool:
        """True if pieces may lie in a zone: it is named, or nothing but a slot is."""
        named = {name for name, _ in self._zones(what)}
        return zone in named or not named

    def _is_opened_behind(self, zone: str, function: m.Function, pc: int) -> bool:
        seen, waiting = set[int](), [pc + 1]
        while waiting:
            at = waiting.pop()
            if at in seen or not 0 <= at < len(function.code):
                continue
            seen.add(at)
            i = function.code[at]
            called = self._examined.closure(i.function) if isinstance(i, m.Call) else ()
            if any(self._lays_open(zone, one) for one in (i, *(one for f in called for one in f.code))):
                return True
            if not isinstance(i, m.Choose) and not any(isinstance(one, m.Choose) for f in called for one in f.code):
                waiting += successors(i, at)
        return False

    def _lays_open(self, zone: str, i: m.Instr) -> bool:
        return (
            isinstance(i, m.Show | m.Move) and self._opens(i) and any(zone == name for name, _ in self._zones(i.what))
        )
