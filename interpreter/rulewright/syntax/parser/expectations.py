"""Expected constructs at a place, in words rather than tokens."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from rulewright.diagnostics import Diagnostic
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.syntax.lalr.machine import Machine, machine
from rulewright.syntax.lexer.logical_lines import Line
from rulewright.syntax.lexer.tokens import Token, scenario_words
from rulewright.syntax.tables.parse_tables import INFIX, words

_OR = " — or"
"""Parts the forms of a construct that has several; where one stands may be told between it and a colon."""
_BLANKS = {"a", "field", "game", "limits", "number", "piece", "place", "procedure", "stack", "value", "zone"}
"""Words of the language that stand in forms for something else."""
_PART = re.compile(r'"[^"]*"|\w+|->|[^\w\s]')


def still_to_write(forms: str, written: Sequence[Token], accepted: set[str]) -> str:
    """The forms that say more than what is written: all of them, if none is written as a whole.

    Otherwise those that can still be gone on with, as the parser accepts what is missing of them.
    """
    each = forms.split(_OR)
    texts = list(_texts(written, nested="(" in forms or "[" in forms))
    left = [_left(form.partition(": ")[2] if place else form, texts) for place, form in enumerate(each)]
    if () not in left:
        return forms
    following = {words()[type].split()[0] for type in accepted if type in words()}
    open = [form for form, rest in zip(each, left, strict=True) if rest and (not rest[0] or rest[0] in following)]
    return _OR.join(open).removeprefix(": ").strip()


def _texts(written: Sequence[Token], nested: bool) -> Iterator[str]:
    """The words and signs of some tokens; those within brackets are left out unless `nested`."""
    depth = 0
    for token in written:
        depth -= token in (")", "]", "}")
        if nested or depth == 0:
            yield from (token,) if token.type == "STRING" else token.split()
        depth += token in ("(", "[", "{")


def _left(form: str, texts: Sequence[str]) -> tuple[str, ...] | None:
    """The rest of a form: words, or an empty text for what stands for something else; None if it is another form."""
    parts = _parts(form)
    at = 0
    filled = False
    for text in texts:
        if at < len(parts) and parts[at] == text:
            at, filled = at + 1, False
        elif at < len(parts) and not parts[at]:
            at, filled = at + 1, True
        elif at < len(parts) and not filled:
            return None
    return parts[at:]


@lru_cache(maxsize=256)
def _parts(form: str) -> tuple[str, ...]:
    """The words and signs of a form, with an empty text for each stretch that stands for something else."""
    known = {word for phrase in (*words().values(), *scenario_words()) for word in phrase.split()}
    found = _PART.findall(form)
    parts: list[str] = []
    for place, text in enumerate(found):
        is_set = text == "set" and found[place + 1 : place + 2] != ["of"]
        stands = place > 0 and (text in _BLANKS or is_set)
        part = "" if text not in known or stands or text.isdecimal() else text
        if part or parts[-1:] != [""]:
            parts.append(part)
    return tuple(parts)


_BEHIND_VALUES = INFIX | {
    "IS_EMPTY", "IS_NOT_EMPTY", "IN", "NOT", "PLUS", "MINUS", "IF", "DOT", "LSQB", "LPAR", "ROUNDED_UP", "ROUNDED_DOWN",
}  # fmt: skip
_OPERAND = {"NAME", "INT", "LPAR", "LBRACE", "NONE"}
_BEFORE_CONDITION = {"WHEN", "WHERE", "IF", "UNTIL", "WHILE", "HAS", "AND", "OR", "NOT"}
_LABELLED = {"FORBID", "UNLESS", "INVARIANT", "PROPERTY", "WITNESS"}
_BLOCKS = (
    ({"MOVE", "IF", "EACH"}, "a statement"),
    ({"ZONE", "FIELD"}, "a declaration"),
    ({"GIVEN", "START"}, "a line of a scenario"),
    ({"REMOVE", "ADD"}, "a change (`set`, `remove`, `replace`, `add`, `in`, `before` or `after`)"),
    ({"CHOOSES", "ROLLS"}, "`=`, `chooses`, `may choose`, `rolls` or `repeats`"),
    ({"SET_OF", "LIST_OF"}, "a type"),
    ({"SET_OF", "STACK_OF"}, "`set of`, `stack of`, `bag of` or `row of`"),
    ({"RING_OF", "GRID"}, "the shape of a map"),
    ({"AT_LEAST", "BECOMES"}, "`+`, `-`, `times`, `becomes`, `at least` or `at most`"),
    ({"INSTEAD_OF", "DURING"}, "`before`, `after`, `instead of` or `during`"),
)
_LINES_OF = {
    "VALUE": "a modifier (`label: + value when condition`)",
    **dict.fromkeys(("QUERY", "MEASURE"), "a case (`value when condition`, or `value otherwise`)"),
    "PIECE": "an attribute (`name: type`), `named`, `back shows`, `sides` or `begins in`",
    "PLACE": "an attribute (`name: type`) or `named`",
    "EDGE": "an attribute (`name: type`) or `named`",
    "ENUM": "an attribute (`name: type`)",
    "MATCH": "a value to compare with",
    "IN": "a restriction, an exception, a modifier, a case, an option, or `match` with more arms",
}
_KINDS = {
    "NAME": "a name",
    "TYPE": "a type (with a capital letter)",
    "INT": "a number",
    "STRING": 'a text in quotes ("…")',
    "_NL": "the end of the line",
    "_INDENT": "an indented block",
}
FORMS = {
    "GAME": "game name",
    "PLAYERS": "players 2 to 4",
    "PARTY": "party Type: players, name",
    "PARAM": "param name = value, value with 3 players",
    "ENUM": 'enum Type: name, name — or: enum Type from "table.json"',
    "DIE": "die Type: 1 to 6",
    "PIECE": 'piece Type is a Type from "table.json"',
    "PLACE": "place Type",
    "EDGE": "edge Type",
    "MAP": "map Type: grid 8 by 8 of Place — or: hexes of radius 4 of Place, hexes in rhombus 9 by 9 of Place, "
    'hexes from "map.json" of Place, corners of Map of Place',
    "AREA": "area Type of Place, joined across border where condition",
    "MERGED": "merged Type of Place",
    "ZONE": "zone name[index: Type]: set of Piece, at most number, seen by players",
    "FIELD": "field name[index: Type]: type = value, lasting block, seen by players",
    "QUERY": "query name(parameter: type) -> type = value",
    "MEASURE": "measure name(player: Player) = number",
    "VALUE": "value name(parameter: type) -> type = value",
    "LIMITS": "limits name(parameter: type)",
    "EFFECT": "effect name(parameter: type)",
    "PROCEDURE": "procedure name(parameter: type), open order",
    "REACTION": "reaction name after event(a, b), by p with m in set where condition",
    "PRECEDENCE": "precedence name, name",
    "CONSEQUENCE": "consequence name for x in set when condition",
    "END": "end name for x in set when condition, after block",
    "INVARIANT": "invariant name for x in set: condition",
    "PROPERTY": "property name always for x in set: condition",
    "WITNESS": "witness name: condition",
    "WITH": "with 3 or 4 players",
    "VARIANT": 'variant "Title" of game',
    "IN": "in declaration",
    "SCENARIO": 'scenario "Title"',
    "NAMED": 'named "{attribute} text"',
    "BACK_SHOWS": 'back shows "{attribute} text"',
    "SIDES": "sides name, name",
    "BEGINS": "begins in zone",
    "FORBID": "forbid label: condition",
    "UNLESS": "unless label: condition",
    "OBEY": "obey limits(a, b)",
    "LET": "let name = value",
    "VAR": "var name = value",
    "MOVE": "move piece to zone — or: move number of set to zone, move field from a to b",
    "DO_NOTHING": "do nothing",
    "DRAW": 'draw number from zone to zone as name — or in a scenario: draw zone[place] with X = "piece"',
    "FLIP": "flip piece face up — or: flip piece to side",
    "SHOW": "show piece to player",
    "TELLS": 'tells "{player} does something"',
    "SHUFFLE": "shuffle zone",
    "MERGE": "merge region with region",
    "FINISH": "finish with winner player — or: finish ranking p in players by value, finish with nobody winning, "
    "finish paying value for p in players, finish with a draw",
    "REWARD": "reward player: number",
    "IF": "if condition — or: if condition then statement",
    "MATCH": "match value",
    "EACH": "each x in set where condition by value",
    "REPEAT": "repeat until condition, repeat while condition, repeat number times",
    "STEP": "step label",
    "OPTION": "option label — or: option label: statement",
    "CHOOSES": "who chooses name from set where condition",
    "MAY": "who may choose name from set where condition",
    "EITHER": "who chooses either",
    "ROLLS": "who rolls number Die as name",
    "REPEATS": "who repeats up to number times",
    "SET": "set path = value — or: replace param name = value, value with 3 players",
    "REMOVE": "remove path",
    "REPLACE": "replace path: value, replace path: statement — or statements below: replace path",
    "UNCHANGED": "unchanged path",
    "SET_ROW": 'set row "name" of Type: column = value, value with 3 players',
    "ADD_ROW": "add row to Type: column = value, column = value",
    "REMOVE_ROW": 'remove row "name" of Type — or: remove rows of Type where condition',
    "PUT": 'put number "piece" in zone — or: put "piece" in zone on top',
    "GIVEN": "given field = value",
    "START": "start procedure(a, b)",
    "WHEN": "when player: choice = answer, label",
    "CHANCE": "chance: name = value — or: chance: stack[key] = [piece, piece]",
    "REFUSED": "refused player: choice = answer because declaration.label",
    "OFFERED": "offered player: choice = {answer, answer}",
    "SEEN": "seen player: value, value",
    "HIDDEN": "hidden player: value, value",
    "WINS": "wins player, player — or: wins nobody",
    "PAYOFF": "payoff player: number, player: number",
    "OUT": "out player, player",
}
"""The form of each construct."""


_WRITTEN = "it is written: "
_WITHIN = {"OPTION", "FORBID", "UNLESS", "MATCH"}
"""The additions to a part of a declaration."""

_ROWS = {(head, word): f"{head}_ROW" for head in ("SET", "ADD", "REMOVE") for word in ("row", "rows")}
"""Changes of rows, by their first two words."""


@lru_cache(maxsize=1)
def declarations() -> frozenset[str]:
    """The tokens with which a declaration can begin."""
    return frozenset(machine().accepts(machine().first)) - {"$END"}


def opener(lines: list[Line], index: int, indent: int) -> str:
    """The head of the block in which a line stands."""
    above = [line for line in lines[:index] if line.indent < indent]
    return above[-1].head if above else ""


def expected(accepted: set[str], head: str, previous: Token | None) -> str:
    """The constructs expected here, in words. `head` begins the line, or, at its beginning, the block."""
    for marks, text in _BLOCKS:
        if marks <= accepted:
            return text
    if previous is None and head in _LINES_OF:
        return _LINES_OF[head]
    if accepted >= _OPERAND and not accepted & {"AND", "DOT"}:
        return _operand(head, previous)
    left = accepted - _BEHIND_VALUES if "DOT" in accepted or "AND" in accepted else accepted
    if "NAME" in left and previous is not None and previous.type in ("FORBID", "UNLESS", "OPTION", "STEP"):
        return "a label"
    left = left - {"_DEDENT", "$END"}
    ends = "_NL" in left
    texts = sorted({_KINDS.get(name) or f"`{words()[name]}`" for name in left if name in _KINDS or name in words()})
    if ends:
        texts = [t for t in texts if t != _KINDS["_NL"]]
        texts = [*texts[:3], _KINDS["_NL"]]
    if not texts:
        return "something else"
    shown = texts[:5]
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} or {shown[-1]}"


def _operand(head: str, previous: Token | None) -> str:
    if previous is None:
        return "a value"
    if previous.type in _BEFORE_CONDITION or (previous.type == "COLON" and head in _LABELLED):
        return "a condition"
    if previous.type in ("FROM", "IN", "WITHIN"):
        return "a set or a list"
    return "a value"


def form_hint(tokens: Sequence[Token], position: int, accepted: set[str]) -> str:
    """The form of the construct on this line, which cannot go on at a position, if it tells more than stands there."""
    forms = _forms(tokens)
    if forms.startswith(_WRITTEN):
        left = still_to_write(forms.removeprefix(_WRITTEN), tokens[:position], accepted)
        return _WRITTEN + left if left else ""
    return forms


def _forms(tokens: Sequence[Token]) -> str:
    types = [t.type for t in tokens]
    head = "FINISH" if str(tokens[0]).startswith("finish") else types[0]
    if head == "ADD" and len(types) > 1 and types[1] in _WITHIN:
        return f"without `{tokens[0]}`, below `in declaration.label`"
    if len(types) > 1 and (head, str(tokens[1])) in _ROWS:
        head = _ROWS[head, str(tokens[1])]
    if head in ("ADD", "REPLACE") and len(types) > 1 and types[1] in FORMS:
        return f"{_WRITTEN}{tokens[0]} {FORMS[types[1]]}"
    if head not in FORMS:  # the subject comes first, then the word
        head = next((t for t in ("EITHER", "CHOOSES", "MAY", "ROLLS", "REPEATS") if t in types), head)
    return f"{_WRITTEN}{FORMS[head]}" if head in FORMS else ""


@dataclass(slots=True)
class SyntaxFailure:
    """The place where the parser could not go on."""

    machine: Machine
    lines: list[Line]
    index: int
    """Of the line; the number of lines at the end of the declaration."""
    position: int
    """Of the token in the line; -1 in what frames it; the number of tokens at the end of the line."""
    stack: list[int]
    """The states of the parser where the line begins."""
    before: list[str]
    """The tokens that frame the line: _INDENT and _DEDENT."""

    def machine_before_line(self) -> tuple[list[int], str | None]:
        """The states before the first token, and the framing token that does not fit, if one does not."""
        stack = list(self.stack)
        for name in self.before:
            before = list(stack)
            if not self.machine.step(stack, name):
                return before, name
        return stack, None

    def stack_at(self, position: int) -> list[int]:
        """The states before a token of the line (which must fit so far)."""
        stack, _ = self.machine_before_line()
        for token in self.lines[self.index].tokens[:position]:
            self.machine.step(stack, token.type)
        return stack

    def fits(self, types: list[str]) -> bool:
        """True if the line, if it consisted of these tokens, would fit, with a block below it if there is one."""
        return self.progress(types) > len(types)

    def progress(self, types: list[str]) -> int:
        """The number of these tokens that fit; more than there are if the line as a whole does."""
        stack, _ = self.machine_before_line()
        for count, name in enumerate([*types, "_NL"]):
            if not self.machine.step(stack, name):
                return count
        following = self.lines[self.index + 1] if self.index + 1 < len(self.lines) else None
        if following is not None and following.indent > self.lines[self.index].indent:
            return len(types) + self.machine.run(stack, ["_INDENT"])
        return len(types) + (self.machine.accepts(stack) != {"_INDENT"})


@dataclass(slots=True)
class LineFit:
    """The error of a line, and the way to go on."""

    diagnostic: Diagnostic
    line: int
    tokens: list[Token] | None = None
    """The tokens of the line as they were probably meant."""
    blockless: bool = False
    """A head without its block: what follows may have been meant as one."""
    word: str = ""
    """A reserved word that was used as a name, here and perhaps in other lines."""
