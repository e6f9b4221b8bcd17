"""All that the compiler of a game knows, kept while an edit is tried, so that it can be as it was."""

from __future__ import annotations

from typing import Any

from rulewright.compiler.driver import Compiler


class Checkpoint:
    """All that relinking changes in a compiler."""

    def __init__(self, compiler: Compiler) -> None:
        context, sharing, queries = compiler.context, compiler.sharing, compiler.queries
        world, linker, lowering = compiler.world, compiler.linker, compiler.lowering
        self._compiler = compiler
        self._attributes = [
            (held, name, getattr(held, name))
            for held, names in (
                (compiler, ("ruleset", "rules", "answers", "linker")),
                (context, ("report", "streams", "numbered")),
                (world, ("reads", "asked", "in_property")),
                (sharing, ("rules",)),
                (queries, ("made",)),
                (lowering.ends, ("looked",)),
            )
            for name in names
        ]
        contents: tuple[dict[Any, Any], ...] = (
            *(world.universes, world.calls, world.query_decls, world.fields, world.zones, world.areas, world.parties),
            *(context.streams, sharing.made, sharing.units, queries.made, queries.signatures),
            *(lowering.events.calls, lowering.events.found, lowering.restrictions.declared),
            *(compiler.codes, compiler.cites),
            *(() if linker is None else (linker.does, linker.made, linker.depend.own)),
        )
        self._typed = context.typed.copy()
        self._contents = [(held, dict(held)) for held in contents]

    def restore(self) -> None:
        """Give the compiler back what it knew."""
        compiler = self._compiler
        compiler.forget_answers()
        for held, name, value in self._attributes:
            setattr(held, name, value)
        for known, before in self._contents:
            known.clear()
            known.update(before)
        compiler.context.typed = self._typed
        compiler.queries.in_progress.clear()
        compiler.lowering.reach()
        compiler.report.found.clear()
        compiler.report.errors = 0


__all__ = ["Checkpoint"]
