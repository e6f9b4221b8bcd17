"""A page without a browser: asks a host, and compares every message with the schema."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any
from unittest.mock import patch

from jsonschema import Draft202012Validator

import rulewright as rw
from rulewright_tools.studio.host import PROTOCOL, Catalogue, Host, Message

SCHEMA = json.loads((Path(__file__).parents[2] / "schemas" / "studio.schema.json").read_text("utf-8"))
PATIENCE = 1_500
"""Seconds after which tests take something for lost that is waited for; they are many, for computers are busy."""

METHODS = SCHEMA["$defs"]["methods"]["properties"]


@cache
def validator(pointer: str) -> Draft202012Validator:
    """Validates what one definition of the schema describes."""
    return Draft202012Validator({"$defs": SCHEMA["$defs"], "$ref": f"#/$defs/{pointer}"})


def params_of(method: str) -> Draft202012Validator:
    return validator(f"methods/properties/{method.replace('/', '~1')}/properties/params")


def printed(job: Any) -> str:
    """The text that a job has printed."""
    return "".join(piece["text"] for piece in job["pieces"])


def require_valid(message: Message, method: str = "") -> None:
    """Fails if the page could not rely on a message that a host has sent."""
    if "error" in message:
        validator("failure").validate(message)
    elif "result" in message:
        validator("response").validate(message)
        if method:
            pointer = f"methods/properties/{method.replace('/', '~1')}/properties/result"
            validator(pointer).validate(message["result"])
    else:
        validator("notification").validate(message)
        pointer = f"notifications/properties/{message['method'].replace('/', '~1')}"
        validator(pointer).validate(message["params"])


class Failed(Exception):
    """The host has answered with an error."""

    def __init__(self, error: Message) -> None:
        super().__init__(error["message"])
        self.error = error


class Page:
    """One client of a host of its own."""

    def __init__(self, host: Host | None = None) -> None:
        self.host = host if host is not None else Host(Catalogue.of([]))
        self.shown: Message = {}
        """The position that is to be seen now."""
        self.log: list[Message] = []
        """All lines of the log, put together."""
        self.seen: list[Message] = []
        """All positions that were shown."""
        self.told: Message = {}
        """The board as it was sent, in parts."""
        self._number, self._layers, self._things = 0, list[Any](), list[Any]()
        self.stopped: Message | None = None
        self.table: Message = {}
        """The table as the page knows it."""
        self.moved: Message = {}
        """The game in which the people of the table go on."""
        self.thinking: list[Message] = []
        """Progress of agents that were thinking."""
        self._asked = 0

    def ask(self, method: str, **params: Any) -> Any:
        """The result of a request; Failed if it is refused."""
        self._asked += 1
        request = {"jsonrpc": "2.0", "id": self._asked, "method": method, "params": params}
        first, *others = self.host.handle(request)
        require_valid(first, method)
        assert first["id"] == self._asked
        for message in others:
            if self._asked % 3 == 1:  # they are large
                require_valid(message)
            self.take(message)
        if "error" in first:
            raise Failed(first["error"])
        return first["result"]

    def take(self, message: Message) -> None:
        if message["method"] == "game/thinking":
            self.thinking.append(message["params"])
            return
        if message["method"] == "game/stopped":
            self.stopped = message["params"]["error"]
            return
        if message["method"] == "table/changed":
            self.table = message["params"]
            return
        if message["method"] == "table/moved":
            self.moved = message["params"]
            return
        self.shown = {**message["params"], "board": self._whole(message["params"]["board"])}
        self.seen.append(self.shown)
        log = self.shown["log"]
        assert log["from"] <= len(self.log)
        self.log[log["from"] :] = log["lines"]

    def _whole(self, told: Message) -> Message:
        """The board as a whole, put together of what is sent and what was sent before."""
        if told["base"] is None:
            self._layers, self._things = [[] for _ in told["layers"]], []
        assert told["base"] in (None, self._number)
        self.told, self._number = told, told["number"]
        before = self._layers + [[]] * len(told["layers"])
        self._layers = [joined_parts(had, layer) for had, layer in zip(before, told["layers"], strict=False)]
        self._things = joined_parts(self._things, told["things"])
        assert told["frame"].count("</g>") == len(told["layers"])
        pieces = told["frame"].split("</g>")
        drawn = (between + "".join(layer) + "</g>" for between, layer in zip(pieces, self._layers, strict=False))
        return {"svg": "".join(drawn) + pieces[-1], "things": self._things}

    @property
    def question(self) -> Any:
        return self.shown["question"]

    @property
    def options(self) -> list[str]:
        return [option["key"] for option in self.question["options"]]

    def answer(self, key: str) -> None:
        self.ask("game/answer", at=self.shown["at"], key=key)

    def play(self, most: int, pick: Callable[[int, int], int] = lambda number, size: number % size) -> int:
        """Answers up to so many questions; the number of those that were asked."""
        for number in range(most):
            if self.question is None:
                return number
            if self.question["covered"]:
                self.ask("game/look")
            self.answer(self.options[pick(number, len(self.options))])
        return most


def joined_parts(before: list[Any], told: list[Any]) -> list[Any]:
    """All parts, of which some are told as runs of those before."""
    found: list[Any] = []
    for one in told:
        if isinstance(one, list):
            first, count = one
            assert count > 0
            assert 0 <= first <= first + count <= len(before)
            found += before[first : first + count]
        else:
            found.append(one)
    return found


def hello() -> Message:
    return {"jsonrpc": "2.0", "id": 0, "method": "hello", "params": {"protocol": PROTOCOL}}


def shipped() -> list[str]:
    return [folder.name for folder in rw.shipped_rulesets()]


@contextmanager
def counted_keys() -> Iterator[None]:
    """Keys of links that are the same each time."""
    drawn = count()
    with patch("secrets.token_urlsafe", lambda size: f"key-{next(drawn)}"):
        yield
