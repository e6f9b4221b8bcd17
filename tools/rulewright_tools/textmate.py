"""``python -m rulewright_tools.textmate``: the colours of rules files, as a TextMate grammar for editors.

It is made from the words of the language, so that a new word is coloured as soon as the grammar has it:

    python -m rulewright_tools.textmate > tools/vscode/syntaxes/rulewright.tmLanguage.json
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

import rulewright as rw
from rulewright_tools.console import json_text, put

_LANGUAGE = "rulewright"

_LINE_START = r"^\s*"
_WORD_START = r"(?<!\w)(?<![^.]\.)"
"""Not inside a word, and not after a single dot, where any word is a name."""
_WORD_END = r"(?!\w)"
_OPERAND = r"[\w\"({\[-]"
"""The beginning of a value, name or text."""
_PUNCTUATION = "()[]{},:."

_CONTROL = re.compile("[\x00-\x1f]")

Role = rw.vocabulary.Role
Vocabulary = rw.vocabulary.Vocabulary
Word = rw.vocabulary.Word
Pattern = dict[str, object]


def textmate_grammar() -> dict[str, object]:
    """The grammar, ready to be written as JSON."""
    known = _readable(rw.vocabulary.vocabulary())
    name, kind = known.patterns["NAME"], known.patterns["TYPE"]
    return {
        "$schema": "https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json",
        "name": "Rulewright",
        "scopeName": f"source.{_LANGUAGE}",
        "fileTypes": ["rules"],
        "patterns": [
            _match("comment.line.number-sign", known.patterns["COMMENT"]),
            _match("entity.other.attribute-name.citation", known.patterns["CITE"]),
            _string(known),
            _declaration(known, name, kind),
            _starting(_reserved_among(known.having(Role.CLAUSE))),
            _starting(_contextual_among(known.having(Role.CLAUSE)), f"(?= +{_OPERAND}|$)"),
            _starting(known.having(Role.SCENARIO), f"(?= +{name})"),
            _match("support.function", f"{_WORD_START}{_any(known.having(Role.FUNCTION))}(?= *\\()"),
            _match("keyword.other", _word([word for word in known.having(Role.PARTICLE) if " " in word.text])),
            _match("constant.language", _word(known.having(Role.CONSTANT))),
            _match("keyword.operator.word", _word(known.having(Role.OPERATOR))),
            _match("keyword.other", _word(_reserved_among(known.having(Role.PARTICLE) + known.having(Role.FUNCTION)))),
            _match(
                "keyword.other", _meant(known, [word for word in known.words if Role.DECLARATION not in word.roles])
            ),
            _match("keyword.control", _word(_reserved_among(known.having(Role.CLAUSE)))),
            _match("storage.type", _word(_reserved_among(known.having(Role.DECLARATION)))),
            _match("entity.name.label", f"{_WORD_START}{name}(?= *:)"),
            _match("entity.name.function", f"{_WORD_START}{name}(?= *\\()"),
            _match("entity.name.type", f"{_WORD_START}{kind}"),
            _match("constant.numeric", f"(?<!\\w){known.patterns['INT']}"),
            _match("variable.other", f"(?<!\\w){name}"),
            _match("invalid.illegal", f"{known.patterns['DIFFERENT']}|{known.patterns['SAME']}"),
            _match("keyword.operator", _alternatives(sign for sign in known.signs if sign not in _PUNCTUATION)),
            _match("punctuation", _alternatives(_PUNCTUATION)),
        ],
    }


def _readable(known: Vocabulary) -> Vocabulary:
    """The vocabulary with control characters in patterns written by their numbers."""
    patterns = {name: _CONTROL.sub(lambda c: f"\\x{ord(c[0]):02x}", each) for name, each in known.patterns.items()}
    return replace(known, patterns=patterns)


def _declaration(known: Vocabulary, name: str, kind: str) -> Pattern:
    """The head of a declaration and the name that it declares."""
    prefix = _any(known.having(Role.PREFIX))
    heads = known.having(Role.DECLARATION)
    open_ended = f"{_any(_contextual_among(heads))}(?= +{_OPERAND}|$)"
    head = f"{_any(_reserved_among(heads))}|{open_ended}"
    return {
        "match": f"{_LINE_START}(?:({prefix}) +)?({head}){_WORD_END}(?: +(?:({kind})|(?!{_reserved(known)})({name})))?",
        "captures": {
            "1": _scope("keyword.control"),
            "2": _scope("storage.type"),
            "3": _scope("entity.name.type"),
            "4": _scope("entity.name.function"),
        },
    }


def _starting(words: list[Word], condition: str = "") -> Pattern:
    """Words that begin a line and mean something else, or nothing, inside it."""
    return {
        "match": f"{_LINE_START}({_any(words)}){_WORD_END}{condition}",
        "captures": {"1": _scope("keyword.control")},
    }


def _string(known: Vocabulary) -> Pattern:
    """A string; what stands in braces is put in from a column."""
    return {
        "match": known.patterns["STRING"],
        "name": f"string.quoted.double.{_LANGUAGE}",
        "captures": {"0": {"patterns": [_match("constant.other.placeholder", r"\{[a-z_][a-z0-9_]*\}")]}},
    }


def _match(scope: str, pattern: str) -> Pattern:
    return {**_scope(scope), "match": pattern}


def _scope(scope: str) -> dict[str, str]:
    return {"name": f"{scope}.{_LANGUAGE}"}


def _contextual_among(words: list[Word]) -> list[Word]:
    return [word for word in words if word.contextual]


def _reserved_among(words: list[Word]) -> list[Word]:
    return [word for word in words if not word.contextual]


def _meant(known: Vocabulary, words: list[Word]) -> str:
    """Words that may be names, inside a clause: before a value they have their meaning, before an operator none."""
    between = _reserved_among(known.having(Role.OPERATOR) + known.having(Role.PARTICLE))
    infix = _any([word for word in between if " " not in word.text])
    return f"{_word(_contextual_among(words))}(?= +(?!{infix}{_WORD_END}){_OPERAND})"


def _word(words: list[Word]) -> str:
    return f"{_WORD_START}{_any(words)}{_WORD_END}"


def _reserved(known: Vocabulary) -> str:
    """Words that cannot be a declared name."""
    words = _reserved_among([word for word in known.words if " " not in word.text])
    return _any([word for word in words if Role.SCENARIO not in word.roles]) + _WORD_END


def _any(words: Iterable[Word]) -> str:
    """One of several words, longer ones first."""
    return "(?:" + "|".join(word.pattern for word in sorted(words, key=lambda word: (-len(word.text), word.text))) + ")"


def _alternatives(texts: Iterable[str]) -> str:
    return "|".join(map(re.escape, texts))


if __name__ == "__main__":
    put(json_text(textmate_grammar()) + "\n")
