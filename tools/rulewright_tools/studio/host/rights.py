"""Rights: the methods that each kind of link may use, looked up in one place, before a request is carried out."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class Role(StrEnum):
    """The kinds of links by which a page may come."""

    OWNER = "owner"
    """The link that the server has printed: everything, all games and the files of rulesets."""
    HOST = "host"
    """Manages one game, and plays its seats that have no links."""
    SEAT = "seat"
    """Plays one seat of one game."""
    ONLOOKER = "onlooker"
    """Looks at what all may see of one game."""


@dataclass(frozen=True, slots=True)
class Link:
    """A link to one game: who has its key may do what its role may."""

    key: str
    to: Role
    seat: int | None = None
    """The seat by number, if the link is for one."""

    @staticmethod
    def drawn(to: Role, seat: int | None = None) -> Link:
        """A new link with a key that cannot be guessed (144 bits)."""
        return Link(secrets.token_urlsafe(18), to, seat)


_OWNER = frozenset({Role.OWNER})
_MANAGING = _OWNER | {Role.HOST}
_PLAYING = _MANAGING | {Role.SEAT}
_ALL = _PLAYING | {Role.ONLOOKER}

RIGHTS: Mapping[str, frozenset[Role]] = {
    "hello": _ALL,
    "cancel": _ALL,
    "ruleset": _OWNER,
    "game/start": _OWNER,
    "game/answer": _PLAYING,
    "game/continue": _MANAGING,
    "game/undo": _ALL,
    "game/redo": _ALL,
    "game/goto": _ALL,
    "game/line": _MANAGING,
    "game/look": _MANAGING,
    "game/show": _ALL,
    "game/turn": _MANAGING,
    "game/forced": _PLAYING,
    "game/whyNot": _ALL,
    "game/hint": _MANAGING,
    "game/open": _OWNER,
    "game/reload": _OWNER,
    "games/list": _OWNER,
    "games/open": _OWNER,
    "games/delete": _OWNER,
    "games/copy": _OWNER,
    "table/links": _MANAGING,
    "table/invite": _MANAGING,
    "table/revoke": _MANAGING,
    "table/settle": _MANAGING,
    "table/person": _PLAYING,
    "table/seat": _MANAGING,
    "table/takeBack": _PLAYING,
    "table/agree": _PLAYING,
    "table/rematch": _MANAGING,
    "table/feedback": _PLAYING,
    "rules/compare": _OWNER,
    "files/list": _OWNER,
    "files/read": _OWNER,
    "files/write": _OWNER,
    "files/newVariant": _OWNER,
    "files/takeVariant": _OWNER,
    "jobs/start": _OWNER,
    "jobs/stop": _OWNER,
    "jobs/list": _OWNER,
    "jobs/moments": _OWNER,
    "jobs/curves": _OWNER,
    "jobs/keep": _OWNER,
    "jobs/write": _OWNER,
    "inspect/state": _OWNER,
    "inspect/plan": _OWNER,
    "inspect/trace": _OWNER,
    "inspect/statements": _OWNER,
    "scenarios/propose": _OWNER,
    "scenarios/text": _OWNER,
    "scenarios/keep": _OWNER,
}
"""The roles that may use each method."""
