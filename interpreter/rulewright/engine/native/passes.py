"""Passes of the optimiser by name. Each can be left out; then the machine code does more, and the games are the same.

This is the list of them; what each does stands in its own file.
"""

from __future__ import annotations

from rulewright.diagnostics.suggestions import did_you_mean, listing
from rulewright.host.api_arguments import invalid_argument, text
from rulewright.ir.transform.passes import FIRST, Pass

Passes = frozenset[str]
"""The names of passes that are made."""


PASSES = (
    *FIRST,
    Pass(
        "value-sets",
        "a field with few values is kept as the set of keys of each value, too",
        "engine/native/memory_map.py",
    ),
    Pass(
        "shifts",
        "a step on a grid is taken for a whole set of places",
        "engine/native/lowering/expressions/sets/mask_filters.py",
    ),
    Pass(
        "ways",
        "a way that a flood has found is looked at first when it is asked again",
        "engine/native/lowering/expressions/flood_goals.py",
    ),
    Pass(
        "components",
        "what a flood has found out holds for all places to which it came",
        "engine/native/lowering/expressions/known_values.py",
    ),
    Pass(
        "journal",
        "of an imagined effect only what it stores is put back",
        "engine/native/lowering/write_journal.py",
    ),
    Pass("memo", "the results of queries that ask for areas are kept", "engine/native/lowering/memo_tables.py"),
    Pass(
        "areas",
        "areas are kept, and one flood finds the result for all their places",
        "engine/native/lowering/area_functions.py",
    ),
    Pass(
        "occupants",
        "of a zone that holds one piece at most, which one is kept, too",
        "engine/native/memory_map.py",
    ),
    Pass(
        "area-changes",
        "areas are kept when an edge changes: two are joined, one is cut, or nothing has become of it",
        "engine/native/lowering/area_functions.py",
    ),
    Pass(
        "taken-from",
        "a piece that is moved invalidates only those results that depend on such pieces, or on where it was",
        "engine/native/lowering/instructions/invalidation.py",
    ),
    Pass(
        "grown-maps",
        "the places of a growing map are kept, as a list, too",
        "engine/native/lowering/area_functions.py",
    ),
    Pass(
        "conditions",
        "an end or consequence that was false is asked for only where it could have become true",
        "engine/native/lowering/instructions/condition_lowering.py",
    ),
    Pass(
        "unrolling",
        "each of a few known members has its own code",
        "engine/native/lowering/expressions/sets/fold_lowering.py",
    ),
    Pass(
        "hoisting",
        "what a loop does not change is worked out before it",
        "engine/native/lowering/expressions/known_values.py",
    ),
    Pass(
        "levels",
        "the best by a printed value are taken from the set of each value",
        "engine/native/lowering/expressions/sets/set_lowering.py",
    ),
    Pass(
        "answers",
        "games at random are answered where they ask, without leaving the function",
        "engine/native/lowering/instructions/question_lowering.py",
    ),
    Pass(
        "sharing",
        "conditions of words that stand with many questions are written once",
        "engine/native/lowering/instructions/condition_lowering.py",
    ),
    Pass(
        "openings",
        "what happens before the first question is done once, not in each game",
        "engine/native/lowering/driver/step_functions.py",
    ),
    Pass("ranges", "no test of a bound that is known to hold", "engine/native/lowering/program_facts.py"),
)
"""The passes: those over the program, and those of the machine code."""
ALL: Passes = frozenset(one.name for one in PASSES)


def parsed(wanted: str) -> Passes:
    """The passes that a text names: ``all``, ``none``, ``-memo,-areas`` (all but these), ``masks,shifts`` (only these).

    ArgumentError if there is no such pass.
    """
    found: set[str] | None = None
    for word in text("the passes", wanted).replace(" ", "").split(","):
        name = word.removeprefix("-")
        if found is None:
            found = set(ALL) if word == "all" or word != name else set()
        if word in ("all", "none"):
            found = set(ALL) if word == "all" else set()
        elif name not in ALL:
            hint = did_you_mean(name, ALL) or f"there is {listing(one.name for one in PASSES)}"
            raise invalid_argument(
                "the passes", wanted, f"there is no pass `{name}`" if name else "a name is missing", hint
            )
        elif word != name:
            found.discard(name)
        else:
            found.add(name)
    return frozenset(found or ())


def written(passes: Passes) -> str:
    """The shortest text that names some passes."""
    on = [one.name for one in PASSES if one.name in passes]
    off = [f"-{one.name}" for one in PASSES if one.name not in passes]
    if not on or not off:
        return "none" if off else "all"
    return ",".join(on if len(on) < len(off) else off)
