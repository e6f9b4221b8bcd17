"""EXM148: something that is asked, or counted, behind a change of the base on which it depends."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.examination.examined_program import ExaminedProgram
from rulewright.examination.findings import Suspect
from rulewright.examination.playing.program_words import new_instructions
from rulewright.ir import model as m
from rulewright.ir.walk import nodes
from rulewright.syntax import ast


def asked_behind(examined: ExaminedProgram, base: ExaminedProgram) -> Iterator[Suspect]:
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
            told = _told(function, before)
            for query in _asked(function.code[pc]) if told else ():
                about = {node.slot for node in nodes(query.args) if isinstance(node, m.Local)}
                concerned = {node.slot for node in nodes(before) if isinstance(node, m.Local)}
                if about & concerned and examined.effects.reads(query) & examined.effects.writes(before):
                    yield Suspect(
                        "EXM148",
                        function.name,
                        query.query,
                        f"`{query.query}` is asked when {told} already, on which it depends: it goes by what is so "
                        "just now, not by what was before",
                        "if what was before is meant, put this before it: `before …` in the place of `after …`",
                        kinds=(ast.Let, ast.Assign, ast.Branch),
                        words=frozenset((query.query,)),
                    )


def _told(function: m.Function, i: m.Instr) -> str:
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


def _asked(i: m.Instr) -> Iterator[m.CallQuery]:
    """The queries that an instruction asks to note something, to change a number by it, or to go on or not."""
    match i:
        case m.SetLocal(value=e) | m.SetField(value=e) | m.JumpUnless(condition=e):
            yield from (node for node in nodes(e) if isinstance(node, m.CallQuery))
        case _:
            pass


__all__ = ["asked_behind"]
