"""Beginnings of blocks, with places to fill in: ``$1`` and ``${2:text}`` as editors write them."""

from __future__ import annotations

from collections.abc import Iterator

_BLOCKS = {
    "PROCEDURE": "procedure ${1:name}(${2:p: Player})\n    $0",
    "PHASE": "phase ${1:name}\n    $0",
    "EFFECT": "effect ${1:name}(${2:p: Player})\n    $0",
    "QUERY": "query ${1:name}(${2:p: Player}) -> ${3:Int} = $0",
    "MEASURE": "measure ${1:name}(${2:p: Player}) = $0",
    "VALUE": "value ${1:name}(${2:p: Player}) -> ${3:Int} = ${4:0}\n    ${5:label}: + ${6:1} when $0",
    "LIMITS": "limits ${1:name}(${2:p: Player})\n    forbid ${3:label}: $0",
    "ZONE": "zone ${1:name}[${2:Player}]: set of ${3:Piece}, seen by ${0:everyone}",
    "FIELD": "field ${1:name}[${2:Player}]: ${3:Int} = ${0:0}",
    "PIECE": 'piece ${1:Name} from "${2:pieces.json}"\n    ${3:attribute}: ${4:Int}\n    named "{${3:attribute}}"$0',
    "REACTION": "reaction ${1:name} after ${2:event}, by ${3:p}\n    $0",
    "CONSEQUENCE": "consequence ${1:name} for ${2:p} in ${3:players} when ${4:condition}\n    $0",
    "END": "end ${1:name} when ${2:condition}\n    finish ranking ${3:p} in players by ${0:points(p)}",
    "INVARIANT": "invariant ${1:name}: $0",
    "VARIANT": 'variant "${1:Title}" of ${2:game}\n    set ${3:parameter} = $0',
    "SCENARIO": 'scenario "${1:title}"\n    players ${2:anna, bert}\n    start ${3:turn(anna)}\n    then $0',
    "EACH": "each ${1:p} in ${2:players}\n    $0",
    "REPEAT": "repeat until ${1:condition}, at most ${2:100} times\n    $0",
    "IF": "if ${1:condition}\n    $0",
    "MATCH": "match ${1:value}\n    ${2:case}: $0\n    otherwise: ${3:stop}",
    "STEP": "step ${1:name}\n    $0",
    "OPTION": "option ${1:name}\n    $0",
    "CHOOSES": "chooses ${1:x} from ${2:set}\n    forbid ${3:label}: $0",
}
"""By the word with which a block begins, or which its first line has."""


def snippets(accepted: frozenset[str]) -> Iterator[tuple[str, str]]:
    """The words of blocks that can begin here, and the blocks."""
    for terminal, text in _BLOCKS.items():
        if terminal in accepted:
            yield text.split(" ", 1)[0], text


__all__ = ["snippets"]
