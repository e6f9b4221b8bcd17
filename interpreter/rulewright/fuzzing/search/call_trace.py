"""The procedure that counts as one turn."""

from __future__ import annotations

from rulewright.ir import model as m


def turn_of(program: m.Program) -> str:
    """The procedure that counts as one turn: what the manifest calls a move, else the outermost procedure of a player.

    Empty if there is none.
    """
    if program.move:
        return program.move
    functions = {f.name: f for f in program.functions}
    seen, waiting = {program.main}, [program.main]
    while waiting:
        function = functions[waiting.pop(0)]
        params = function.slots[: function.params]
        if function.word == "procedure" and len(params) == 1 and params[0].ty.universe == "Player":
            return function.name
        for i in function.code:
            if isinstance(i, m.Call) and i.function not in seen:
                seen.add(i.function)
                waiting.append(i.function)
    return ""
