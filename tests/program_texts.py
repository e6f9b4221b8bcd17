"""Expressions as text before and after passes: queries are lines `name(parameter, …) = …`."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import replace

import rulewright as rw
from node_text import read, written
from rulewright.ir import model as m
from rulewright.ir.transform.optimizer import Optimizer
from rulewright.ir.transform.passes import SHARED
from verifier import validate

QUERY = re.compile(r"(\w+)\((.*?)\) = (.*)")


def program_of(queries: str, game: str = "breakthrough") -> m.Program:
    """A shipped program with other queries, and no code that would ask for its own."""
    found = []
    for line in filter(None, map(str.strip, queries.splitlines())):
        name, params, body = QUERY.fullmatch(line).groups()  # type: ignore[union-attr]
        slots = tuple(m.Slot(param, m.INT) for param in params.split(", ") if param)
        found.append(m.QueryDef(name, slots, m.INT, read(body)))
    program = rw.load(game).program
    functions = tuple(replace(f, code=()) for f in program.functions)
    made = replace(program, queries=tuple(found), functions=functions, areas=(), assertions=())
    assert not [problem for problem in validate(made) if problem.startswith("query")]
    return made


def rewritten(text: str, queries: str = "", passes: Collection[str] = SHARED, game: str = "breakthrough") -> str:
    """The text of an expression after some passes."""
    optimizer = Optimizer(program_of(queries, game), passes)
    return written(optimizer.rewritten("test", read(text)))


__all__ = ["program_of", "rewritten"]
