"""The keys of options: stable words that answers, logs and scenarios use."""

from __future__ import annotations

from rulewright.engine.machine import Engine
from rulewright.engine.support import bits_of


class Keys:
    """Gives members their keys; pieces with the same key in several places get the place added."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.layout = engine.layout
        keys = self.layout.universes["Piece"].keys if "Piece" in self.layout.universes else ()
        self.pieces = keys
        by_key: dict[str, int] = {}
        for piece, key in enumerate(keys):
            by_key[key] = by_key.get(key, 0) | 1 << piece
        self.same = [by_key[key] for key in keys]

    def of(self, C: list[int], universe: str, member: int, legal: int | tuple[int, ...]) -> str:
        """The key of one member among all that may be chosen."""
        if universe != "Piece":
            return self.layout.key(universe, member)
        if isinstance(legal, tuple):
            mask = 0
            for other in legal:
                mask |= 1 << other
            legal = mask
        others = legal & self.same[member]
        if others == 1 << member:
            return self.pieces[member]
        together = self.engine.together(C, member, others & self.engine.alike[member])
        return self.pieces[member] + self._suffix(C, member, others & ~together)

    def _suffix(self, C: list[int], piece: int, others: int) -> str:
        """What tells a piece from others with the same key."""
        layout = self.layout
        loc = layout.loc
        apart = turned = sided = False
        for other in bits_of(others):
            if C[loc + other] != C[loc + piece]:
                apart = True
            else:
                turned = turned or (layout.down >= 0 and (C[layout.down] >> other ^ C[layout.down] >> piece) & 1 == 1)
                sided = sided or (layout.sided and C[layout.side + other] != C[layout.side + piece])
        words = f" in {layout.instances[C[loc + piece]].name}" if apart else ""
        if turned:
            words += " face down" if C[layout.down] >> piece & 1 else " face up"
        if sided:
            words += f" with {self.side(C, piece)} up"
        return words

    def side(self, C: list[int], piece: int) -> str:
        """The name of the side that is up, or nothing."""
        for kind in self.layout.program.kinds:
            if kind.sides and kind.members >> piece & 1:
                side = C[self.layout.side + piece]
                return kind.sides[side] if side < len(kind.sides) else ""
        return ""


def keys_of(engine: Engine) -> Keys:
    """The keys of an engine's pieces."""
    cache = engine.cache("keys")
    if not cache:
        cache[0] = Keys(engine)
    found: Keys = cache[0]
    return found
