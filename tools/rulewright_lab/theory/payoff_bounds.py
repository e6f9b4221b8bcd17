"""Bounds of payoffs and of their sum, as far as they follow from the rules alone.

Games that are played for places are worth -1 to 1, and 0 in all but where everybody has won or everybody has lost; so
it is looked at the statements that end the game whether they can make that happen. Where rules pay, the bounds of what
they pay at the ends are found (intervals; P. Cousot and R. Cousot, *Abstract interpretation*, POPL 1977). Answers may
be too wide, never too narrow.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.foundation import dataclass
from rulewright.ir import PAID, PAYOFF, Interval, Program, interval, reachable_instructions
from rulewright.ir import model as m


@dataclass(frozen=True, slots=True)
class End:
    """A statement that ends the game, in its function."""

    function: m.Function
    at: int

    @property
    def instruction(self) -> m.FinishWin | m.FinishRank:
        """The statement itself."""
        found = self.function.code[self.at]
        assert isinstance(found, m.FinishWin | m.FinishRank)
        return found


def ends(program: Program) -> Iterator[End]:
    """All statements that end the game and can be reached in their functions."""
    for function in program.functions:
        for at in sorted(reachable_instructions(function)):
            if at < len(function.code) and isinstance(function.code[at], m.FinishWin | m.FinishRank):
                yield End(function, at)


def pays(program: Program) -> bool:
    """True if the rules say what is paid."""
    return any(field.name == PAID for field in program.fields)


def sums(program: Program) -> frozenset[int] | None:
    """The sums that the payoffs of a game played for places can have; None where the rules leave it open."""
    if pays(program):
        return None
    eliminates = any(isinstance(i, m.Eliminate) for function in program.functions for i in function.code)
    found: set[int] = set()
    for end in ends(program):
        one = _sums_of(program, end, eliminates)
        if one is None:
            return None
        found |= one
    return frozenset(found) if found else None


def _sums_of(program: Program, end: End, eliminates: bool) -> frozenset[int] | None:
    players, instruction = program.players, end.instruction
    if isinstance(instruction, m.FinishRank):
        everybody = instruction.source == m.Alive(instruction.universe) and not eliminates
        alone = instruction.universe == "Player" or _parties(program, instruction.universe)
        return frozenset({0}) if everybody and alone else None
    if instruction.drawn:
        return frozenset({0})
    match instruction.players:
        case m.Const(0) if not instruction.universe:
            return frozenset({-players})
        case m.Const(mask):
            return _won_by(mask.bit_count(), players)
        case m.Alive("Player") if not eliminates:
            return frozenset({players})
        case m.MakeSet((who,)) if _is_there(program, end.function, who):
            return _won_by(1, players)
        case m.Attr(table, who) if table == f"{instruction.universe}.members":
            there = _is_there(program, end.function, who) and _parties(program, instruction.universe)
            return frozenset({0}) if there else None
        case _:
            return None


def _won_by(winners: int, players: int) -> frozenset[int]:
    """The sum where so many have won together."""
    return frozenset({0 if 0 < winners < players else players if winners else -players})


def _parties(program: Program, universe: str) -> bool:
    """True if each of these parties has players, and none has all."""
    held = next((table.values for table in program.tables if table.name == f"{universe}.members"), ())
    everybody = (1 << program.players) - 1
    return bool(held) and all(isinstance(one, int) and one not in (0, everybody) for one in held)


def _is_there(program: Program, function: m.Function, who: m.Expr) -> bool:
    """True if a player is surely named."""
    match who:
        case m.Const(value):
            return value != m.NONE
        case m.Local(slot):
            return not function.slots[slot].ty.optional
        case m.Attr(name, of):
            values = next(table.values for table in program.tables if table.name == name)
            return m.NONE not in values and _is_there(program, function, of)
        case m.FieldGet(field):
            return not next(one for one in program.fields if one.name == field).ty.optional
        case _:
            return False


def bounds(program: Program) -> Interval | None:
    """The least and the highest payoff of a player; None if that does not follow from the rules: they pay on the way,
    or amounts that have no bounds."""
    if not pays(program):
        return -1, 1
    low = high = 0  # who is left out gets nothing
    for function in program.functions:
        for at in reachable_instructions(function):
            if at < len(function.code) and _is_payment(function.code[at]):
                amount = _amount(program, function, at)
                if amount is None:
                    return None
                low, high = min(low, amount[0]), max(high, amount[1])
    return low, high


def _is_payment(instruction: m.Instr) -> bool:
    return isinstance(instruction, m.SetField) and instruction.field == PAID


def _amount(program: Program, function: m.Function, at: int) -> Interval | None:
    """The bounds of what a payment at the end of the game adds, which each player gets once at most."""
    payment = function.code[at]
    assert isinstance(payment, m.SetField)
    value = payment.value
    if not isinstance(value, m.Arith) or value.op != "add" or not isinstance(value.right, m.Local):
        return None
    slot = value.right.slot
    if function.slots[slot].name != PAYOFF:
        return None
    stored = [i.value for i in function.code if isinstance(i, m.SetLocal) and i.slot == slot]
    found = [_number(program, function, one) for one in stored]
    known = [one for one in found if one is not None]
    if not known or len(known) < len(found):
        return None
    return min(low for low, _ in known), max(high for _, high in known)


def _number(program: Program, function: m.Function, value: m.Expr) -> Interval | None:
    """The bounds of a number, from its expression and from the types of what it reads."""
    match value:
        case m.LetIn(body=body):
            return _number(program, function, body)
        case m.FieldGet(field):
            return _within(next(one for one in program.fields if one.name == field).ty)
        case m.CallQuery(query):
            return _within(next(one for one in program.queries if one.name == query).ty)
        case m.Local(slot):
            return _within(function.slots[slot].ty)
        case _:
            return interval(value, lambda part: _number(program, function, part))


def _within(ty: m.Ty) -> Interval | None:
    """The declared bounds of a number, if it has both."""
    if ty.kind != "int" or ty.optional or ty.low <= -m.INT_MAX or ty.high >= m.INT_MAX:
        return None
    return ty.low, ty.high
