"""Analyses of numbers that a change counts or pays otherwise than it looks."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.examination.analyses.prices import required_prices
from rulewright.examination.examined_program import ExaminedProgram, conjuncts, disjuncts
from rulewright.examination.findings import Suspect
from rulewright.examination.options import options_of
from rulewright.examination.playing.program_words import new_instructions
from rulewright.examination.thresholds import Threshold, required_members
from rulewright.ir import model as m
from rulewright.ir.control_flow.control_flow_graph import reads_slot
from rulewright.ir.walk import nodes
from rulewright.syntax import ast

# --------------------------------------------------------------------------------------------------- query after change
# EXM148: a query, or a count, behind a change of the base on which it depends.


def queries_after_change(examined: ExaminedProgram, base: ExaminedProgram) -> Iterator[Suspect]:
    """A variant inserts statements behind one of the base that moves a thing, turns it over or sets something of it;
    they ask a query about that thing which depends on just that.
    """
    new = {name: frozenset(places) for name, places in new_instructions(examined.program, base.program).items()}
    for function in examined.functions.values():
        own = new[function.name]
        if function.name not in base.functions:
            continue
        for pc in sorted(own):
            at = pc
            while at in own and (at == pc or isinstance(function.code[at], m.Fired | m.Tell | m.JumpUnless)):
                at -= 1
            if at < 0 or at in own:
                continue
            before = function.code[at]
            change = _change(function, before)
            for query in _queries(function.code[pc]) if change else ():
                about = {node.slot for node in nodes(query.args) if isinstance(node, m.Local)}
                concerned = {node.slot for node in nodes(before) if isinstance(node, m.Local)}
                if about & concerned and examined.effects.reads(query) & examined.effects.writes(before):
                    yield Suspect(
                        "EXM148",
                        function.name,
                        query.query,
                        f"`{query.query}` is asked when {change} already, on which it depends: it goes by what is so "
                        "just now, not by what was before",
                        "if what was before is meant, put this before it: `before …` in the place of `after …`",
                        kinds=(ast.Let, ast.Assign, ast.Branch),
                        words=frozenset((query.query,)),
                    )


def _change(function: m.Function, i: m.Instr) -> str:
    """The change that an instruction makes of one thing, in words; empty if it makes none."""
    match i:
        case m.Move(m.MakeSet((m.Local(slot),)), zone=zone):
            return f"`{function.slots[slot].name}` was moved to `{zone}`"
        case m.Flip(m.MakeSet((m.Local(slot),))):
            return f"`{function.slots[slot].name}` was turned over (`flip`)"
        case m.SetField(name, (_, *_)):
            return f"`{name}` was changed"
        case _:
            return ""


def _queries(i: m.Instr) -> Iterator[m.CallQuery]:
    """The queries that an instruction asks to note something, to change a number by it, or to go on or not."""
    match i:
        case m.SetLocal(value=e) | m.SetField(value=e) | m.JumpUnless(condition=e):
            yield from (node for node in nodes(e) if isinstance(node, m.CallQuery))
        case _:
            pass


# ----------------------------------------------------------------------------------------------------- compared in loop
# EXM154: a loop in which each one is compared with all, while what is compared changes.


def compared_in_loops(examined: ExaminedProgram, base: ExaminedProgram) -> Iterator[Suspect]:
    """A loop asks for the most, the least, the sum or those that have it, of a field of all, and changes that field of
    one after the other: those who come later are compared with what the others have got before them. Where players
    decide in it, they take turns, and that is meant.
    """
    del base
    for function in examined.functions.values():
        for end, jump in enumerate(function.code):
            if not isinstance(jump, m.Jump) or jump.to > end:
                continue
            body = function.code[jump.to : end]
            named = {i.slot for i in body[:3] if isinstance(i, m.SetLocal) and isinstance(i.value, m.First | m.Item)}
            if not named or any(isinstance(i, m.Choose | m.Chance | m.Turn) for i in examined.carried_out(body)):
                continue
            changed = {
                i.field
                for i in body
                if isinstance(i, m.SetField) and any(m.Local(slot) in i.index for slot in named)
                if examined.fields[i.field].ty.kind == "int"
            }
            for name in sorted(changed):
                if any(_compares(examined, i, name) for i in body if isinstance(i, m.JumpUnless | m.SetField)):
                    yield Suspect(
                        "EXM154",
                        function.name,
                        name,
                        f"`{name}` of one after the other changes in this loop, which asks for it of all each time: "
                        "those who come later are compared with what has changed already",
                        "ask before the loop, and note it: `let …`",
                        kinds=(ast.Assign,),
                        words=frozenset((name,)),
                    )


def _compares(examined: ExaminedProgram, i: m.Instr, name: str) -> bool:
    """True if an instruction asks for the most, the least, or the sum of a field, itself or by a query."""
    evaluated = [i, *(examined.queries[node.query].body for node in nodes(i) if isinstance(node, m.CallQuery))]
    for e in evaluated:
        for node in nodes(e):
            match node:
                case m.Fold("max" | "min" | "sum", binds, _, body) if body is not None:
                    names, read = {one.var for one in binds}, body
                case m.Best(_, var, key):
                    names, read = {var}, key
                case _:
                    continue
            found = [inner for inner in nodes(read) if isinstance(inner, m.FieldGet) and inner.field == name]
            if any(isinstance(key, m.Var) and key.name in names for inner in found for key in inner.index):
                return True
    return False


# -------------------------------------------------------------------------------------------------------- counted pairs
# EXM127: a count of pairs, in which one thing may be counted several times.


def counted_pairs(examined: ExaminedProgram, _base: ExaminedProgram) -> Iterator[Suspect]:
    """Two things are counted together as often as they fit: one that fits with two others counts twice, and two that
    fit with each other are found from both sides.
    """
    for name, part in _parts(examined):
        for node in nodes(part):
            match node:
                case m.Fold("count", binds, where) if len(binds) > 1 and where is not None:
                    variables = [
                        bind.var
                        for bind in binds
                        if not _is_listed(bind.source) or _opposite(examined, bind.source, where)
                    ]
                    names = {one.name for one in nodes(where) if isinstance(one, m.Var)}
                    if len(variables) > 1 and set(variables) <= names:
                        pair = " and ".join(f"`{variable.rpartition('_')[0] or variable}`" for variable in variables)
                        yield Suspect(
                            "EXM127",
                            name,
                            " ".join(variable.rpartition("_")[0] for variable in variables),
                            f"{pair} are counted in pairs: one that fits with two counts twice, and what lies side by "
                            "side may be found from both",
                            "if each is to be counted once, write `count(d in … where some(c in … where …))`",
                            kinds=(ast.Aggregate, ast.Comprehension),
                            words=frozenset(variable.rpartition("_")[0] for variable in variables),
                        )
                case _:
                    pass


def _is_listed(e: m.Expr) -> bool:
    """True of members that are written one by one, as directions are."""
    return isinstance(e, m.Const | m.MakeSet)


def _opposite(examined: ExaminedProgram, e: m.Expr, where: m.Expr) -> bool:
    """True of directions of which two lead back to where one comes from."""
    graphs = {node.graph for node in nodes(where) if isinstance(node, m.Towards)}
    listed = {item.value for item in e.items if isinstance(item, m.Const)} if isinstance(e, m.MakeSet) else set[int]()
    if isinstance(e, m.Const) and e.value >= 0:
        listed = {n for n in range(e.value.bit_length()) if e.value >> n & 1}
    for graph in examined.program.graphs:
        if graph.name in graphs:
            for there, back in ((a, b) for a in listed for b in listed if max(a, b) < len(graph.towards)):
                steps = [(n, to) for n, to in enumerate(graph.towards[there]) if to != m.NONE]
                if steps and all(graph.towards[back][to] == n for n, to in steps):
                    return True
    return False


def _parts(examined: ExaminedProgram) -> Iterator[tuple[str, object]]:
    yield from ((query.name, query.body) for query in examined.program.queries)
    yield from ((f.name, i) for f in examined.functions.values() for i in f.code)


# ----------------------------------------------------------------------------------------------------------- kept price
# EXM122: an option requires an amount, and does not take it from the player to act.


def kept_prices(examined: ExaminedProgram, _base: ExaminedProgram) -> Iterator[Suspect]:
    """A number of something, or pieces in a zone of one's own, must be there for an option, which takes none of them.

    It may be a condition, a rank or a strength; if it is a price, it is not paid.
    """
    for one in required_prices(examined):
        if not one.paid and not one.by_another:
            yield _suspect(one.function, one.label, one.price.resource)
    for function in examined.functions.values():
        for option in options_of(function):
            for restriction in option.extra.restrictions:
                for part in disjuncts(restriction.condition):
                    zone = _empty_zone(part, option.question.who)
                    if zone is not None and not any(_takes(examined, i, zone) for i in (*option.own, *option.behind)):
                        yield _suspect(function.name, restriction.label, zone.zone)


def _suspect(function: str, label: str, name: str) -> Suspect:
    return Suspect(
        "EXM122",
        function,
        label,
        f"`{label}` asks for `{name}`, and nothing of it is taken here: who has it once has it for the next time, too",
        "if it is a price, take it where it is asked for",
        rule=label,
    )


def _empty_zone(e: m.Expr, who: m.Expr) -> m.ZoneGet | m.ZoneList | None:
    """The own zone of which a condition asks whether nothing lies there."""
    match required_members(e):
        case (m.ZoneGet() | m.ZoneList() as zone, 1, False) if zone.index[:1] == (who,):
            return zone
        case _:
            return None


def _takes(examined: ExaminedProgram, i: m.Instr, zone: m.ZoneGet | m.ZoneList) -> bool:
    """True if an instruction may take something out of a zone: a question or a call that looks into it may do so."""
    if isinstance(i, m.Call) and examined.functions[i.function].word == "system":
        return False
    looked = (one for one in examined.carried_out((i,)) for one in nodes(one))
    return any(isinstance(node, m.ZoneGet | m.ZoneList | m.Top) and node.zone == zone.zone for node in looked)


# --------------------------------------------------------------------------------------------------------- too few left
# EXM146: a pile that is looked at for one piece, and from which several are drawn then.


def too_few_left(examined: ExaminedProgram, _base: ExaminedProgram) -> Iterator[Suspect]:
    """A rule looks whether a pile has any pieces left, or some number of them, to fill it up or to go on, and then more
    than that are drawn from it: with a number between the two, fewer are drawn than written.
    """
    for function in examined.functions.values():
        for pc, i in enumerate(function.code):
            if not isinstance(i, m.JumpUnless) or i.to <= pc:
                continue
            for part in conjuncts(i.condition):
                required, inside = required_members(part), function.code[pc + 1 : i.to]
                if required is not None and required.reached:
                    yield from _drawn(function, inside, required)
                elif required is not None and _fills(inside, required.counted):
                    yield from _drawn(function, function.code[i.to :], required)
        for option in options_of(function):
            for restriction in option.extra.restrictions:
                for part in disjuncts(restriction.condition):
                    required = required_members(part)
                    if not restriction.unless and required is not None and not required.reached:
                        yield from _drawn(function, option.own, required)


def _fills(code: tuple[m.Instr, ...], pile: m.Expr) -> bool:
    """True if some instructions lay pieces on a pile."""
    return any(isinstance(i, m.Move) and isinstance(pile, m.ZoneGet | m.ZoneList) and i.zone == pile.zone for i in code)


def _drawn(function: m.Function, code: tuple[m.Instr, ...], required: Threshold) -> Iterator[Suspect]:
    """More pieces that are drawn from a pile than a condition makes sure of, by the instructions that follow one after
    the other."""
    pile, least = required.counted, required.least
    if not isinstance(pile, m.ZoneGet | m.ZoneList) or least < 1:
        return
    for i in code:
        match i:
            case m.Move(m.Top(zone, index, m.Const(count))) if (zone, index) == (pile.zone, pile.index):
                if count > least:
                    left = "only one" if (least, count) == (1, 2) else f"{least} to {count - 1}"
                    yield Suspect(
                        "EXM146",
                        function.name,
                        f"{count} from {zone}",
                        f"{count} are drawn from `{zone}`, and before it is asked whether there are fewer than {least}:"
                        f" with {left} left, fewer are drawn than it says",
                        f"ask for as many as are drawn: `size({zone}) < {count}`",
                        kinds=(ast.Draw,),
                        words=frozenset((zone, str(count))),
                    )
                return
            case m.Fired() | m.Tell() | m.Observe() | m.SetField() | m.SetLocal():
                pass
            case _:
                return


# ---------------------------------------------------------------------------------------------------- value from before
# EXM126: a stored number is compared behind what changes it.


def values_from_before(examined: ExaminedProgram, _base: ExaminedProgram) -> Iterator[Suspect]:
    """A number is stored under a name, what it was counted from changes, and only then it is compared, or handed on.

    Code that uses it before the change as well, or beside the new value, wants the old one.
    """
    for function in examined.functions.values():
        for pc, i in enumerate(function.code):
            name = function.slots[i.slot].name if isinstance(i, m.SetLocal) else ""
            if not isinstance(i, m.SetLocal) or not name.isidentifier() or function.slots[i.slot].ty.kind != "int":
                continue
            reads = examined.effects.reads(i.value)
            if not reads or reads_slot(i.value, frozenset((i.slot,))):
                continue
            changes = _changed_before_use(examined, function, pc, i, reads)
            if changes:
                yield Suspect(
                    "EXM126",
                    function.name,
                    name,
                    f"`{name}` is stored before `{changes}` changes what it is counted from, and used behind it: it is "
                    "the old value",
                    f"if the new one is meant, write `let {name} = …` behind the change",
                    kinds=(ast.Let,),
                    given=name,
                )


def _changed_before_use(
    examined: ExaminedProgram, function: m.Function, start: int, stored: m.SetLocal, reads: frozenset[str]
) -> str:
    """The field, zone or function that changes before a value is used for the first time; empty if none does."""
    slot, changed = frozenset((stored.slot,)), ""
    for i in function.code[start + 1 :]:
        if reads_slot(i, slot):
            return "" if any(node == stored.value for node in nodes(i)) else changed
        if isinstance(i, m.SetLocal) and i.slot == stored.slot:
            return ""
        for one in examined.carried_out((i,)):
            written = reads & examined.effects.writes(one)
            if written and not changed:
                by_name = isinstance(i, m.Call) and examined.functions[i.function].word != "system"
                changed = i.function if isinstance(i, m.Call) and by_name else sorted(written)[0].partition(" ")[2]
    return ""
