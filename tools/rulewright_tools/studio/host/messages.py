"""Messages as JSON-RPC 2.0 has them: requests that are read, responses, errors and notifications that are made."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import rulewright as rw

PROTOCOL = 1
"""The version of the messages; pages of another version are refused with a message."""

Message = dict[str, Any]

LONGEST = 200
"""Letters of a word that a page may send; keys of options may be longer."""

KEY = 4_000
"""Letters of the key of an option."""

MANY = 200
"""Entries of a list or object that a page may send."""


class ErrorCode(IntEnum):
    """Codes of errors: those of JSON-RPC below zero, those of the studio above."""

    PARSE = -32700
    INVALID = -32600
    UNKNOWN = -32601
    PARAMS = -32602
    INTERNAL = -32603
    RULES = 1
    """An error of the rules, or a refusal by them; the findings are in the data."""
    STOPPED = 2
    """The time was up, or the page has cancelled it."""
    NOT_NOW = 3
    """A request that is not possible in this position."""
    CHANGED = 4
    """A file was changed from elsewhere; its present content is in the data."""


class Refused(Exception):
    """A request that cannot be carried out; the message is for the person at the page."""

    def __init__(self, code: ErrorCode, message: str, data: Message | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.data = data


@dataclass(frozen=True, slots=True)
class Request:
    """A request, or a notification if it has no id."""

    method: str
    params: Params
    id: str | int | None


def parsed(text: str | bytes) -> object:
    """The message in a text; Refused if it is not JSON."""
    try:
        found: object = json.loads(text)
        whole = _is_text(json.dumps(found, ensure_ascii=False))
    except (ValueError, RecursionError) as error:
        raise Refused(ErrorCode.PARSE, f"this is not JSON: {error}"[:LONGEST]) from None
    if not whole:
        raise Refused(ErrorCode.PARSE, "this is not JSON: half of a letter (a surrogate) stands alone")
    return found


def text_of(message: object) -> str:
    """The text of a message, which can be sent whatever is in it: halves of letters are written as escapes."""
    text = json.dumps(message, ensure_ascii=False, separators=(",", ":"))
    return text if _is_text(text) else json.dumps(message, separators=(",", ":"))


def _is_text(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def request_of(message: object) -> Request:
    """The request that a message is; Refused if it is none."""
    if not isinstance(message, dict):
        raise Refused(ErrorCode.INVALID, "a request is an object; several at once are sent one by one")
    if message.get("jsonrpc") != "2.0" or not isinstance(message.get("method"), str):
        raise Refused(ErrorCode.INVALID, 'a request has "jsonrpc": "2.0" and a method')
    if unknown := sorted(set(message) - {"jsonrpc", "id", "method", "params"}):
        raise Refused(ErrorCode.INVALID, f"a request has no {_shown(unknown[0])}")
    if "id" in message and id_of(message) is None:
        raise Refused(ErrorCode.INVALID, "the id of a request is a short text or a whole number")
    params = message.get("params", {})
    if not isinstance(params, dict):
        raise Refused(ErrorCode.INVALID, "the params of a request are an object")
    return Request(message["method"], Params(params), id_of(message))


def id_of(message: object) -> str | int | None:
    """The id of a request, if it has one that may be sent back."""
    found = message.get("id") if isinstance(message, dict) else None
    if (number := _whole(found)) is not None:
        return number if abs(number) < 2**53 else None
    return found if isinstance(found, str) and len(found) <= LONGEST else None


def response(id: str | int, result: Mapping[str, Any]) -> Message:
    """The answer to a request."""
    return {"jsonrpc": "2.0", "id": id, "result": dict(result)}


def failure(id: str | int | None, error: Message) -> Message:
    """The answer to a request that could not be carried out."""
    return {"jsonrpc": "2.0", "id": id, "error": error}


def notification(method: str, params: Mapping[str, Any]) -> Message:
    """A message to the page without a request."""
    return {"jsonrpc": "2.0", "method": method, "params": dict(params)}


def error_of(error: Exception) -> Message:
    """An exception as data for the page."""
    if isinstance(error, rw.RulesetError):
        found = list(error.diagnostics)
        message = found[0].message if found else str(error)
        return {"code": int(ErrorCode.RULES), "message": message, "data": rw.reporting.to_json(found)}
    if isinstance(error, rw.Stopped):
        return {"code": int(ErrorCode.STOPPED), "message": error.diagnostic.message}
    if isinstance(error, Refused):
        data = {"code": int(error.code), "message": str(error)}
        return data if error.data is None else {**data, "data": error.data}
    if isinstance(error, RecursionError):
        return {"code": int(ErrorCode.RULES), "message": "the rules are nested too deeply"}
    if isinstance(error, MemoryError):
        return {"code": int(ErrorCode.STOPPED), "message": "there is not enough memory for this"}
    return {"code": int(ErrorCode.INTERNAL), "message": f"error inside Rulewright ({type(error).__name__})"}


class Params:
    """The parameters of a request, read one by one; what has not been read when all is done is refused."""

    def __init__(self, given: Mapping[str, Any]) -> None:
        self._given = given
        self._read: set[str] = set()

    def __contains__(self, name: str) -> bool:
        return name in self._given

    def done(self) -> None:
        """Refused if there are more."""
        if unknown := sorted(set(self._given) - self._read):
            raise Refused(ErrorCode.PARAMS, f"there is no parameter {_shown(unknown[0])} here")

    def text(self, name: str, most: int = LONGEST) -> str:
        """A text that must be there."""
        found = self._take(name)
        if not isinstance(found, str) or not 0 < len(found) <= most:
            raise _wrong(name, f"a text of {most} letters at most")
        return found

    def text_or(self, name: str, default: str = "", most: int = LONGEST) -> str:
        """A text, or the default."""
        return self.text(name, most) if name in self._given else default

    def content(self, name: str, most: int) -> str:
        """The content of a file, which may be empty."""
        found = self._take(name)
        if not isinstance(found, str) or len(found) > most:
            raise _wrong(name, f"a text of {most} letters at most")
        if not found.isascii() and any("\ud800" <= letter <= "\udfff" for letter in found):
            raise _wrong(name, "a text without halves of letters")
        return found

    def whole(self, name: str, low: int, high: int) -> int:
        """A whole number that must be there."""
        found = _whole(self._take(name))
        if found is None or not low <= found <= high:
            raise _wrong(name, f"a whole number from {low} to {high}")
        return found

    def whole_or(self, name: str, low: int, high: int) -> int | None:
        """A whole number, if it is there."""
        return self.whole(name, low, high) if name in self._given else None

    def truth_or(self, name: str, default: bool = False) -> bool:
        """A truth value, or the default."""
        found = self._take(name) if name in self._given else default
        if not isinstance(found, bool):
            raise _wrong(name, "true or false")
        return found

    def wholes(self, name: str, most: int) -> tuple[int, ...]:
        """A list of so many whole numbers at most; none if it is not there."""
        found = self._take(name) if name in self._given else []
        numbers = [_whole(one) for one in found] if isinstance(found, list) else [None]
        if len(numbers) > most or not all(one is not None and 0 <= one < most for one in numbers):
            raise _wrong(name, f"a list of whole numbers below {most}")
        return tuple(one for one in numbers if one is not None)

    def id(self, name: str) -> str | int:
        """The id of a request."""
        found = id_of({"id": self._take(name)})
        if found is None:
            raise _wrong(name, "the id of a request")
        return found

    def texts(self, name: str) -> tuple[str, ...]:
        """A list of texts; none if it is not there."""
        found = self._take(name) if name in self._given else []
        if not isinstance(found, list) or len(found) > MANY or not all(map(_is_word, found)):
            raise _wrong(name, f"a list of {MANY} short texts at most")
        return tuple(found)

    def words(self, name: str) -> dict[str, str]:
        """An object of texts; none if it is not there."""
        found = self._take(name) if name in self._given else {}
        if not isinstance(found, dict) or len(found) > MANY or not all(map(_is_word, (*found, *found.values()))):
            raise _wrong(name, f"an object of {MANY} short texts at most")
        return dict(found)

    def _take(self, name: str) -> Any:
        self._read.add(name)
        if name not in self._given:
            raise Refused(ErrorCode.PARAMS, f"the parameter `{name}` is missing")
        return self._given[name]


def _whole(value: object) -> int | None:
    """A whole number as JSON has it, where 1.0 is one, too."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _is_word(value: object) -> bool:
    return isinstance(value, str) and 0 < len(value) <= LONGEST


def _wrong(name: str, wanted: str) -> Refused:
    return Refused(ErrorCode.PARAMS, f"the parameter `{name}` must be {wanted}")


def _shown(word: object) -> str:
    return f"`{str(word)[:40]}`"


Answered = dict[str, Any]
"""The result of a method."""


@dataclass(frozen=True, slots=True)
class Deferred:
    """A result that takes its time, and is worked out of what stays as it is: others go on with the game meanwhile."""

    work: Callable[[], Any]
    """Works it out, without the game."""
    then: Callable[[Any], Answered]
    """Makes the result of what was worked out, with the game."""


Method = Callable[[Params], Answered | Deferred]
"""Carries out a request. The host names the methods of each of its parts."""
