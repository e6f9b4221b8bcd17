"""Things that are made of themselves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def circles(uses: Mapping[str, Sequence[str]]) -> list[list[str]]:
    """Circles of names that use each other, each written from its first name to its last; none is told twice."""
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


def around(circle: Sequence[str], verb: str) -> str:
    """```a` needs `b` needs `a```."""
    return f" {verb} ".join(f"`{name}`" for name in [*circle, circle[0]])
