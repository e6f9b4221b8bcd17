"""Things that are made of themselves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def find_cycles(uses: Mapping[str, Sequence[str]]) -> list[list[str]]:
    """Cycles of names that use each other, each written from its first name to its last; each is reported once."""
    found: list[list[str]] = []
    done: set[str] = set()
    for start in uses:
        if start in done:
            continue
        path = [start]
        rest = [iter(uses[start])]
        while path:
            following = next(rest[-1], None)
            if following is None:
                done.add(path.pop())
                rest.pop()
            elif following in path:
                found.append(path[path.index(following) :])
            elif following in uses and following not in done:
                path.append(following)
                rest.append(iter(uses[following]))
    return found


def topological_order(uses: Mapping[str, Sequence[str]]) -> list[str]:
    """All names, each after those that it uses (but for cycles)."""
    found: dict[str, None] = {}
    for start in uses:
        seen = {start}
        todo = [(start, iter(uses[start]))]
        while todo:
            name, rest = todo[-1]
            following = next((n for n in rest if n in uses and n not in found and n not in seen), None)
            if following is None:
                found.setdefault(name)
                todo.pop()
            else:
                seen.add(following)
                todo.append((following, iter(uses[following])))
    return list(found)


def described(cycle: Sequence[str], verb: str) -> str:
    """```a` needs `b` needs `a```."""
    return f" {verb} ".join(f"`{name}`" for name in [*cycle, cycle[0]])
