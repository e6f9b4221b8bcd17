"""From a save to cells and stack, with every name, key and bound checked, and every frame.

Each function on the stack is called by the one before it. The slots that surely, and those that perhaps, hold a value
at a place are found by definite assignment, as in compilers. A slot in which nothing was stored yet is 0, whatever its
type; a saved frame may have one only where that can be.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from rulewright.engine.cells.player_memory import Partition
from rulewright.engine.persistence.invalid_save import bad, shortened
from rulewright.engine.persistence.saving import place_name, value
from rulewright.engine.runtime.machine import Engine
from rulewright.engine.runtime.records import Mode
from rulewright.foundation.bit_sets import bits_of
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.host.budgets import DEEPEST
from rulewright.ir import model as m
from rulewright.ir.control_flow.control_flow_graph import EXIT, slots_stored, successors
from rulewright.ir.model import INT_MAX, NONE, FinishRank, FinishWin, Ty

SMALLEST = -INT_MAX
MOST_SEED = (1 << 64) - 1
_DIGITS = len(str(MOST_SEED))
MOST_DRAWS = 1 << 63
"""No game draws so often; the counter of a stream still has room above."""


def cells_from(engine: Engine, data: dict[str, Any]) -> list[int]:
    """The cells of a save."""
    layout = engine.layout
    program = engine.program
    C = list(layout.initial)
    C[layout.seed] = seed_from(data["seed"])
    same_names(data["streams"], layout.counters, "stream")
    for name, count in data["streams"].items():
        C[layout.counters[name]] = _within(count, 0, MOST_DRAWS, f"streams.{name}")
    C[layout.out] = _set(engine, "Player", data["out"], "out")
    _result(engine, C, data["result"])
    same_names(data["merged"], layout.merged, "merged universe")
    for name, groups in data["merged"].items():
        _merge(engine, C, name, groups)
    same_names(data["fields"], [f.name for f in program.fields], "field")
    for field in program.fields:
        place = layout.fields[field.name]
        given = data["fields"][field.name]
        # A list may hold a none if some rule stores such a list in the field.
        null = field.ty.optional or field.initial == NONE or ("field", field.name, 0) in engine.compiled.ctx.null
        if not field.index:
            write(engine, C, place.at, field.ty, given, field.name, null)
            continue
        rows = layout.row_keys(field.index)
        same_names(given, rows, f"key of `{field.name}`")
        for number, shown in enumerate(rows):
            write(engine, C, place.at + number * place.span, field.ty, given[shown], f"{field.name}[{shown}]", null)
    _pieces(engine, C, data["zones"])
    if layout.known >= 0:
        seats = layout.universes["Player"].keys
        same_names(data["known"], seats, "seat")
        for number, seat in enumerate(seats):
            _known(engine, C, number, data["known"][seat], f"known.{seat}")
    return C


def _known(engine: Engine, C: list[int], player: int, given: Any, what: str) -> None:
    """Read a player's knowledge of pieces they do not see: pieces alone, then classes of several, each in its order."""
    partition = Partition(engine.layout, C, player)
    alone = [entry for entry in _items(given, what) if not isinstance(entry, list)]
    classes = [entry for entry in given if isinstance(entry, list)]
    _set(engine, "Piece", [*alone, *(piece for entry in classes for piece in entry)], what)
    partition.known = _set(engine, "Piece", alone, what)
    partition.several = [_set(engine, "Piece", entry, what) for entry in classes]
    partition.write(C)
    player_memory = engine.compiled.ctx.support.player_memory
    before = C[engine.layout.memory]
    if player_memory is not None:
        player_memory.settle(C)
    if C[engine.layout.memory] != before:
        raise bad("SAV005", f"`{what}`: pieces that look alike or lie together cannot have changed places")


def seed_from(given: Any) -> int:
    """The 64 bits of a seed, which is a text."""
    if not isinstance(given, str) or not given.isdecimal() or not given.isascii() or len(given) > _DIGITS:
        raise bad("SAV005", f"the seed cannot be {shortened(given)}: it is a whole number of 64 bits, as a text")
    return _within(int(given), 0, MOST_SEED, "seed")


def _within(value: Any, low: int, high: int, what: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise bad("SAV005", f"`{what}` cannot be {shortened(value)}: it is a whole number from {low} to {high}")
    return value


def same_names(given: Any, known: Collection[str], what: str) -> None:
    """Raise :class:`Damage` unless an object has just these keys."""
    if not isinstance(given, dict):
        raise bad("SAV004", f"each {what} must be named, but there is {shortened(given)}")
    if given.keys() == set(known):
        return
    for name in given:
        if name not in known:
            raise bad("SAV004", f"there is no {what} {shortened(name)}")
    for name in known:
        if name not in given:
            raise bad("SAV004", f"the {what} `{name}` is missing")


def _items(given: Any, what: str) -> list[Any]:
    if not isinstance(given, list):
        raise bad("SAV004", f"`{what}` must be a list, but there is {shortened(given)}")
    return given


def _member(engine: Engine, universe: str, given: Any, what: str) -> int:
    """A member by its key, or (pieces, numbers) by number."""
    layout = engine.layout
    if universe in ("Int", ""):
        return _within(given, SMALLEST, INT_MAX, what)
    if universe == "Piece":
        return _within(given, 0, layout.pieces - 1, what)
    keys = ("false", "true") if universe == "Bool" else layout.universes[universe].keys
    if given not in keys:
        raise bad("SAV005", f"`{what}`: there is no {shortened(given)} in {universe}")
    return keys.index(given)


def _set(engine: Engine, universe: str, given: Any, what: str) -> int:
    result = 0
    for item in _items(given, what):
        one = 1 << _within(_member(engine, universe, item, what), 0, engine.compiled.ctx.support.limit - 1, what)
        if result & one:
            raise bad("SAV005", f"`{what}`: {shortened(item)} occurs twice")
        result |= one
    return result


def write(engine: Engine, cells: list[int], at: int, ty: Ty, given: Any, what: str, null: bool) -> None:
    """Write a value into a field or slot, checked against its type; `null`: whether it may be (or hold) a none."""
    if ty.kind == "list":
        items = [NONE if i is None and null else _member(engine, ty.universe, i, what) for i in _items(given, what)]
        if len(items) > ty.capacity:
            raise bad("SAV005", f"`{what}` holds at most {ty.capacity}")
        cells[at : at + 1 + ty.capacity] = [len(items), *items, *[0] * (ty.capacity - len(items))]
    elif ty.kind == "set":
        found = _set(engine, ty.universe, given, what)
        if found >> engine.layout.set_bits(ty):
            raise bad("SAV005", f"`{what}` cannot hold such members")
        cells[at] = found
    elif given is None and null:
        cells[at] = NONE
    elif given is None:
        raise bad("SAV005", f"`{what}` cannot be none")
    elif ty.kind == "bool":
        if not isinstance(given, bool):
            raise bad("SAV005", f"`{what}` cannot be {shortened(given)}: it is true or false")
        cells[at] = int(given)
    elif ty.kind == "entity":
        cells[at] = _member(engine, ty.universe, given, what)
    else:
        cells[at] = _within(given, ty.low, ty.high, what)


def _merge(engine: Engine, C: list[int], name: str, given: Any) -> None:
    """Join the regions of each group; no region is in two of them."""
    seen = 0
    for number, group in enumerate(_items(given, f"merged.{name}")):
        what = f"merged.{name}[{number}]"
        members = _set(engine, name, group, what)
        if members & seen or members.bit_count() < 2:
            raise bad("SAV005", f"`{what}`: a region is in another group, too, or alone")
        seen |= members
        first, *others = bits_of(members)
        for other in others:
            engine.compiled.ctx.support.join(C, name, first, other)


def _result(engine: Engine, C: list[int], given: Any) -> None:
    """The rule that ended the game, and the players' places."""
    if given is None:
        return
    layout = engine.layout
    finishes = [i for f in engine.program.functions for i in f.code if isinstance(i, FinishWin | FinishRank)]
    ends = {i.rule for i in finishes} | {f.name for f in engine.program.functions if f.word == "end"}
    if given["rule"] not in ends or given["rule"] not in engine.rule_names:
        raise bad("SAV004", f"there is no rule {shortened(given['rule'])} that ends the game")
    C[layout.rule] = 1 + engine.rule_names.index(given["rule"])
    seats = layout.universes["Player"].keys
    same_names(given["places"], seats, "seat")
    ranked = [layout.sizes[i.universe] for i in finishes if isinstance(i, FinishRank)]
    last = 1 + max((1, *ranked))
    for number, seat in enumerate(seats):
        C[layout.rank + number] = _within(given["places"][seat], 1, last, f"result.places.{seat}")
    _ranked_parties(engine, C, given.get("parties", {}), last)
    C[layout.ranks.stop - 1] = int(given.get("drawn", False))
    if layout.in_move >= 0:
        C[layout.in_move] = int(given.get("in_move", False))
    places = set(C[layout.rank : layout.rank + len(seats)])
    # Players are ranked without gaps; only parties, which may be empty, or a game without a winner, leave some.
    dense = all(i.universe == "Player" for i in finishes if isinstance(i, FinishRank))
    if dense and places not in ({2}, set(range(1, len(places) + 1))):
        raise bad("SAV005", f"`result.places`: a place is missing: {', '.join(str(place) for place in sorted(places))}")


def _ranked_parties(engine: Engine, C: list[int], given: Any, last: int) -> None:
    """The places of parties without players."""
    layout = engine.layout
    cells = {
        (universe, layout.universes[universe].keys[member]): number
        for number, (universe, member) in enumerate(
            layout.parties_without_players, layout.rank + layout.sizes["Player"]
        )
    }
    for universe, places in given.items():
        for party, place in places.items():
            if (universe, party) not in cells:
                raise bad("SAV004", f"there is no party {shortened(party)} of {shortened(universe)} that nobody plays")
            C[cells[universe, party]] = _within(place, 1, last, f"result.parties.{universe}.{party}")


def _pieces(engine: Engine, C: list[int], zones: Any) -> None:
    """Lay every piece where it is in the save; each must be somewhere, once."""
    layout = engine.layout
    names = {instance.name: number for number, instance in enumerate(layout.instances)}
    keys = layout.universes["Piece"].keys
    for instance in layout.instances:
        C[instance.at] = 0
        if instance.ordered:
            C[instance.at + 1 : instance.at + 1 + instance.capacity] = [0] * instance.capacity
    seen: set[int] = set()
    for name, entries in zones.items():
        if name not in names:
            raise bad("SAV004", f"there is no zone {shortened(name)}")
        number = names[name]
        instance = layout.instances[number]
        declared = engine.program.zones[instance.zone]
        if _gone(engine, C, zip(declared.index, instance.keys, strict=True)):
            raise bad("SAV005", f"`{name}`: the region has become part of another, and nothing can lie there")
        if len(entries) > instance.capacity and (declared.limited or instance.ordered):
            raise bad("SAV005", f"`{name}` holds at most {instance.capacity} pieces")
        for entry in entries:
            piece = _within(entry["piece"], 0, layout.pieces - 1, f"a piece in `{name}`")
            if keys[piece] != entry["key"]:
                raise bad("SAV005", f"`{name}`: piece {piece} is `{keys[piece]}`, not {shortened(entry['key'])}")
            if piece in seen:
                raise bad("SAV007", f"piece {piece} ({keys[piece]}) occurs twice")
            seen.add(piece)
            C[layout.loc + piece] = number
            if instance.ordered:
                C[instance.at] += 1
                C[instance.at + C[instance.at]] = piece
            else:
                C[instance.at] |= 1 << piece
            if "side" in entry:
                C[layout.side + piece] = _side(engine, piece, entry["side"])
            if entry.get("down"):
                if not instance.covered >> piece & 1:
                    what = f"no {keys[piece]}" if instance.faced else "nothing"
                    raise bad("SAV005", f"`{name}`: {what} lies face down there")
                C[layout.down] |= 1 << piece
    for piece in range(layout.pieces):
        if piece not in seen:
            raise bad("SAV007", f"piece {piece} ({keys[piece]}) is missing")


def _gone(engine: Engine, C: list[int], keys: Iterable[tuple[str, int]]) -> bool:
    """True if one of some keys is a region that was merged into another."""
    merged = engine.layout.merged
    return any(u in merged and not C[merged[u].alive] >> key & 1 for u, key in keys)


def _side(engine: Engine, piece: int, given: Any) -> int:
    for kind in engine.program.kinds:
        if kind.sides and kind.members >> piece & 1:
            return _within(given, 0, len(kind.sides) - 1, f"the side of piece {piece}")
    raise bad("SAV005", f"piece {piece} has no sides")


@dataclass(frozen=True, slots=True)
class Assigned:
    """For each instruction, before it: the slots that are assigned on every way there, and on some; as bit sets."""

    surely: tuple[int, ...]
    perhaps: tuple[int, ...]


def assigned(function: m.Function) -> Assigned:
    """A forward data-flow analysis. Where no way leads, all is sure and nothing is possible."""
    size = len(function.code) + 1
    everything = (1 << len(function.slots)) - 1
    parameters = (1 << function.params) - 1
    surely, perhaps = [everything] * size, [0] * size
    surely[0] = perhaps[0] = parameters
    todo, seen = [0], {0}
    while todo:
        at = todo.pop()
        if at == size - 1:
            continue
        for to, stored in _ways(function.code[at], at):
            before = surely[to], perhaps[to]
            surely[to] &= surely[at] | stored
            perhaps[to] |= perhaps[at] | stored
            if to not in seen or (surely[to], perhaps[to]) != before:
                seen.add(to)
                todo.append(to)
    return Assigned(tuple(surely), tuple(perhaps))


def _ways(i: m.Instr, at: int) -> list[tuple[int, int]]:
    """The successors of an instruction, and the slots that are stored on the way to each."""
    bits = sum(1 << slot for slot in slots_stored(i))
    # The first way is the one to the next instruction.
    return [(to, 0 if number else bits) for number, to in enumerate(successors(i, at)) if to != EXIT]


class Frames:
    """Puts the frames of a save on a stack, and looks whether the rules could have left them so."""

    def __init__(self, engine: Engine, mode: Mode) -> None:
        self.engine, self.mode = engine, mode
        self.compiled, self.program = engine.compiled, engine.program
        self.stack: list[int] = []
        self.base = 0
        """The position at which the locals of the last frame begin."""

    def build(self, given: list[Any]) -> None:
        """Put all frames on the stack."""
        called = self.program.main if self.mode.whole else given[0]["rule"]
        for number, frame in enumerate(given):
            where = f"frames[{number}]"
            if frame["rule"] != called:
                first = "the game begins with" if not number else f"at `{given[number - 1]['at']}` the rules call"
                raise bad("SAV006", f"`{where}` is the rule {shortened(frame['rule'])}, but {first} `{called}`")
            function = self.compiled.ctx.functions.get(called)
            if function is None:
                raise bad("SAV006", f"`{where}`: there is no rule {shortened(frame['rule'])}")
            pc = self._place(function, frame["at"], where)
            rest = self.program.functions[function].code[pc]
            if isinstance(rest, m.Call) != (number < len(given) - 1):
                waits = "asks, and nothing is called there" if not isinstance(rest, m.Call) else "calls another rule"
                raise bad("SAV006", f"`{where}`: `{called}` {waits} at {shortened(frame['at'])}")
            if isinstance(rest, m.Chance) and not self.mode.ask_chance:
                raise bad("SAV006", f"`{where}`: chance is not asked in this game")
            self._push(function, pc, frame["locals"], where)
            called = rest.function if isinstance(rest, m.Call) else ""

    def _place(self, function: int, at: Any, where: str) -> int:
        """The instruction with this name, at which the rules can rest."""
        places = self.engine.cache("places")
        if function not in places:
            # Where no way of the rules leads there is no code to go on with.
            places[function] = {
                place_name(self.engine, function, pc): pc for pc in self.compiled.suspension_points(function)
            }
        pc = places[function].get(at) if isinstance(at, str) else None
        if not isinstance(pc, int):
            name = self.program.functions[function].name
            raise bad("SAV006", f"`{where}`: the rule `{name}` cannot rest at {shortened(at)}")
        return pc

    def _push(self, function: int, pc: int, given: Any, where: str) -> None:
        declared = self.program.functions[function]
        offsets = self.compiled.offsets[function]
        self.stack += [function, pc, self.base]
        base = self.base = len(self.stack)
        self.stack += [0] * offsets[-1]
        if len(self.stack) > DEEPEST:
            raise bad("SAV006", f"`{where}`: the calls are nested too deeply")
        names = [f"{number} {slot.name}" for number, slot in enumerate(declared.slots)]
        same_names(given, names, f"local of `{declared.name}`")
        known = self._assigned(function)
        for number, (name, slot) in enumerate(zip(names, declared.slots, strict=True)):
            at = base + offsets[number]
            unset = value(self.engine, slot.ty, self.stack, at)
            what = f"{where}.locals[{name}]"
            if not known.surely[pc] >> number & 1 and given[name] == unset:
                continue
            # Pieces change names when a hidden state is dealt anew, those in unused slots with them.
            if not known.perhaps[pc] >> number & 1 and slot.ty.universe != "Piece":
                raise bad("SAV006", f"`{what}` is {shortened(given[name])}, but nothing was stored there yet")
            null = slot.ty.optional or ("slot", declared.name, number) in self.compiled.ctx.null
            write(self.engine, self.stack, at, slot.ty, given[name], what, null)

    def _assigned(self, function: int) -> Assigned:
        cache = self.engine.cache("assigned")
        if function not in cache:
            cache[function] = assigned(self.program.functions[function])
        found: Assigned = cache[function]
        return found
