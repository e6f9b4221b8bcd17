"""Completion: words of the language, names, members, labels, statements, titles."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace

from rulewright.compiler.symbols.static_types import BUILTINS
from rulewright.diagnostics import RulesetError
from rulewright.navigation.declared_types import name_of_type
from rulewright.navigation.file_symbols import FileSymbols
from rulewright.navigation.rename_data import piece_keys, place_keys
from rulewright.navigation.symbol_index import SymbolIndex, head_of
from rulewright.navigation.symbols import Declaration, Symbol, inside
from rulewright.navigation.syntax_context import Context, context_at, phrases
from rulewright.navigation.type_inference import COMPARING, TypeInference, argument_type, type_before
from rulewright.syntax import ast

_BLOCKS = {
    "PROCEDURE": "procedure ${1:name}(${2:p: Player})\n    $0",
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


_TYPES = ("Player", "Int", "Bool", "Text", "Piece", "Direction")
_PATH_HEADS = frozenset({"IN", "SET", "REMOVE", "UNCHANGED", "REPLACE", "BEFORE", "AFTER"})
"""Changes that begin with the path of what they change."""
_CALLABLE = frozenset({"effect", "procedure"})
_NEW_NAME = frozenset(
    {"LET", "VAR", "CHOOSES", "CHOOSE", "FORBID", "UNLESS", "OPTION", "STEP", "AS", "GAME", "PARAM", "ZONE", "FIELD",
     "QUERY", "MEASURE", "VALUE", "LIMITS", "EFFECT", "PROCEDURE", "REACTION", "CONSEQUENCE", "END",
     "INVARIANT", "PROPERTY", "WITNESS", "FOR", "EACH", "SEATED"}
)  # fmt: skip
"""Behind these a name is given, not used."""
_OPENING, _CLOSING = ("LPAR", "LSQB", "LBRACE"), ("RPAR", "RSQB", "RBRACE")
_PLACE_MEMBERS = ("neighbours",)
_PLAYER_MEMBERS = ("left", "right")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A completion candidate."""

    text: str
    kind: str
    """``word`` for a word of the language, ``statement``, or the word of its declaration."""
    detail: str = ""
    about: str = ""
    fits: bool = False
    """True if it has the type of what stands before it."""
    snippet: str = ""
    """The block that it begins, with places to fill in."""


@dataclass(frozen=True, slots=True)
class Completion:
    """All that can be written in place of a stretch of a line."""

    start: int
    """The column at which it would begin."""
    candidates: tuple[Candidate, ...]


def complete(index: SymbolIndex, file: FileSymbols, line: int, column: int) -> Completion:
    """All that can be written at a position."""
    context = context_at(file.text, line, column)
    found = dict.fromkeys(_Completer(index, file, context, line, column).candidates())
    start = context.start
    row = file.text.split("\n")[line - 1][: column - 1] if line <= file.text.count("\n") + 1 else ""
    if context.quoted and row.count('"') % 2 and "{" not in row.rpartition('"')[2]:
        start = row.rindex('"') + 2  # keys and titles are several words
    return Completion(start, tuple(found))


class _Completer:
    def __init__(self, index: SymbolIndex, file: FileSymbols, context: Context, line: int, column: int) -> None:
        self.index, self.file, self.context = index, file, context
        self.line, self.column = line, column
        self.types = TypeInference(index)

    def candidates(self) -> Iterator[Candidate]:
        before = self.context.before
        last = before[-1].type if before else ""
        if self.context.partial.startswith("@"):
            for id, statement in self.index.ruleset.statements.items():
                yield Candidate(f"@{id}", "statement", statement.section, statement.statement)
        elif self.context.quoted:
            yield from self._in_quotes()
        elif self._at_column():
            yield from self._row_columns()
        elif last == "DOT":
            yield from self._members()
        else:
            if "STRING" in self.context.accepted and last == "VARIANT":
                yield from self._symbols("variant", quoted=True)
            if "NAME" in self.context.accepted:
                yield from self._names(last)
            if "TYPE" in self.context.accepted and not self._begins_path(last):
                yield from self._types()
            for text in phrases(self.context.accepted):
                yield Candidate(text, "word")
            for word, text in snippets(self.context.accepted):
                yield Candidate(word, "snippet", snippet=text)

    def _in_quotes(self) -> Iterator[Candidate]:
        """Inside quotes: a title of a variant or scenario, an attribute in a template, the key of a piece or place."""
        row = self.file.text.split("\n")[self.line - 1][: self.column - 1]
        before, _, inner = row.rpartition('"')
        if row.count('"') % 2 == 0:
            return
        words = before.split()
        if words[-1:] == ["variant"] or words == ["from"]:
            titled = "scenario" if words == ["from"] else "variant"
            for kind, name in self.index.by_name:
                if kind == titled:
                    yield Candidate(name, titled)
        elif words in (["set", "row"], ["set", "rows"], ["remove", "row"], ["remove", "rows"]):
            yield from self._row_keys()
        elif words in (["named"], ["back", "shows"]):
            if "{" in inner and "}" not in inner.rpartition("{")[2]:
                yield from self._attributes_here()
        elif words and words[0] not in ("scenario", "variant") and "from" not in words[-1:]:
            players = [one.symbol.name for one in self._locals("player")]
            found = {"piece": piece_keys(self.index, players), "place": place_keys(self.index)}
            # Behind the name of a zone or field stands a place, and behind `put` a piece.
            kinds = ("place", "piece") if before.rstrip().endswith("[") else ("piece", "place")
            for number, kind in enumerate(kinds):
                yield from (Candidate(key, kind, "key", fits=not number) for key in found[kind])

    def _attributes_here(self) -> Iterator[Candidate]:
        """The attributes of the piece or place in whose declaration the clause stands."""
        for owner in self.types.declared.bases(self._owner_above()):
            yield from self._symbols("attribute", owner=owner)

    def _columns(self) -> Iterator[Candidate]:
        """The columns of the table of the declaration that are not attributes yet."""
        for one in self.index.declared_as(self._owner_above()):
            if isinstance(one.node, ast.Piece | ast.EnumDecl) and one.node.table is not None:
                known = {attribute.name for attribute in one.node.attributes} | {"name", one.node.name.lower()}
                with suppress(RulesetError, OSError):
                    columns = self.index.ruleset.table(one.node.table, one.node.span).columns
                    yield from (Candidate(name, "attribute", "column") for name in columns if name not in known)

    def _at_column(self) -> bool:
        """True where a change of rows names a column in which it sets something."""
        before = self.context.before
        behind = before[-1].type in ("COLON", "COMMA") if before else False
        types = [t.type for t in before]
        inside = sum(types.count(sign) for sign in _OPENING) > sum(types.count(sign) for sign in _CLOSING)
        return behind and types[0] in ("SET_ROW", "ADD_ROW") and not inside

    def _row_columns(self) -> Iterator[Candidate]:
        """The columns of the table whose rows are changed."""
        kind = next((t.value for t in self.context.before if t.type == "TYPE"), "")
        found: dict[str, Candidate] = {}
        for owner in self.index.kinds_above(kind):
            for made in self._symbols("attribute", owner=owner):
                found.setdefault(made.text, made)
        for one in self.index.declared_as(kind):
            if isinstance(one.node, ast.Piece | ast.EnumDecl) and one.node.table is not None:
                with suppress(RulesetError, OSError):
                    for name in (*self.index.ruleset.table(one.node.table, one.node.span).columns, "count"):
                        found.setdefault(name, Candidate(name, "attribute", "column"))
        yield from found.values()

    def _row_keys(self) -> Iterator[Candidate]:
        """The names of rows: the values of enums that stand in tables, and the keys of pieces."""
        for one in self._all("value"):
            if isinstance(one.node, ast.EnumDecl) and one.node.table is not None:
                yield self._candidate(one)
        yield from (Candidate(key, "piece", "key") for key in piece_keys(self.index, []))

    # ---------------------------------------------------------------------------------------------- behind a dot

    def _members(self) -> Iterator[Candidate]:
        before = self.context.before
        holder = before[-2] if len(before) > 1 else None
        root = holder.value if holder is not None else ""
        if self._is_path():
            yield from self._symbols("label", owner=root)
            return
        type = type_before(self.types, before[:-1], self._locals())
        known = self.types.declared.members(type)
        owners = self.types.declared.bases(name_of_type(type))
        # What is only known of a narrower kind can be asked, too, where the rules know that it is of that kind.
        narrower = [s.name for s, of in self.index.declarations.items() if isinstance(of[0].node, ast.Piece)]
        narrower = (
            [name for name in narrower if name_of_type(type) in self.types.declared.bases(name)]
            if known is not None
            else []
        )
        for declared in self._all("attribute"):
            if known is None or declared.symbol.owner in (*owners, *narrower):
                made = self._candidate(declared)
                yield replace(made, fits=True) if declared.symbol.owner in owners else made
        names = known if known is not None else dict.fromkeys((*_PLACE_MEMBERS, *_PLAYER_MEMBERS))
        yield from (Candidate(name, "attribute") for name in names)

    def _is_path(self) -> bool:
        before = self.context.before
        if before[0].type in _PATH_HEADS and len(before) <= 4:
            return True
        return any(t.type == "BECAUSE" for t in before[-4:]) or (
            before[0].type == "PROPERTY" and any(t.type == "EACH" for t in before[-4:])
        )

    # ------------------------------------------------------------------------------------------------------ names

    def _types(self) -> Iterator[Candidate]:
        yield from (Candidate(name, "type") for name in _TYPES)
        for one in self._all("declaration"):
            if one.symbol.name[:1].isupper():
                yield self._candidate(one)

    def _names(self, last: str) -> Iterator[Candidate]:
        context = self.context
        scenario = context.head == "SCENARIO"
        if self.context.indent and context.head in ("PIECE", "ENUM") and not context.before:
            yield from self._columns()
        elif scenario and last in ("WHEN", "REFUSED", "OFFERED", "SEEN", "HIDDEN", "WINS", "PAYOFF", "OUT"):
            yield from map(self._candidate, self._locals("player"))
        elif scenario and last in ("COLON", "COMMA") and context.before[0].type in _ANSWERING:
            yield from (c for c in self._symbols("label") if c.kind in _ASKED)
        elif last == "STOP":
            owner = self.index.owner(self.file, self.line, self.column) or self._owner_above()
            yield from self._symbols("label", owner=owner)
        elif last in ("LASTING",) or (last in ("AFTER", "COMMA") and context.head == "END" and len(context.before) > 3):
            yield from (c for c in self._symbols("declaration") if c.kind in _CALLABLE)
        elif self._begins_path(last):
            yield from self._symbols("declaration")
        elif last == "OBEY":
            yield from (c for c in self._symbols("declaration") if c.kind == "limits")
        elif context.before and context.before[0].type == "PRECEDENCE":
            yield from (c for c in self._symbols("declaration") if c.kind in ("reaction", "consequence"))
        elif last not in _NEW_NAME:
            if (
                context.before
                and context.before[0].type in ("SET_ROW", "REMOVE_ROW")
                and "EQUAL" not in (t.type for t in context.before)
            ):
                yield from self._row_columns()
            yield from self._values()

    def _begins_path(self, last: str) -> bool:
        """True where ``declaration.label`` begins."""
        return last == "BECAUSE" or (last in _PATH_HEADS and len(self.context.before) == 1)

    def _values(self) -> Iterator[Candidate]:
        """Names of all that has a value, or can be done."""
        at_start = "MOVE" in self.context.accepted and "IF" in self.context.accepted
        done = at_start or any(t.type in ("START", "THEN") for t in self.context.before[-1:])
        fitting = self._fitting()
        for one in self._locals():
            yield self._fit(self._candidate(one), one.symbol, fitting)
        for one in self._all("declaration"):
            if one.word in _VALUED or (done and one.word in _CALLABLE):
                yield self._fit(self._candidate(one), one.symbol, fitting)
            elif one.word in ("area", "merged"):
                yield Candidate(one.symbol.name.lower(), "query", head_of(self.index, one))
        if not at_start:
            for one in self._all("value"):
                yield self._fit(self._candidate(one), one.symbol, fitting)
            yield from (Candidate(name, "function") for name in BUILTINS)
            yield from (Candidate(name, "function") for name in ("everyone", "box"))

    def _fitting(self) -> str:
        """The name of the type that fits: of what stands before `is`, `=`, `in` or the like, or of the parameter or key
        that is written; empty if it is unknown."""
        before = list(self.context.before)
        if before and before[-1].type in ("LPAR", "LSQB", "COMMA"):
            return name_of_type(argument_type(self.types, before))
        while before and before[-1].type in ("NOT", "IN"):
            before.pop()
        if not before or (before[-1].type not in COMPARING and len(before) == len(self.context.before)):
            return ""
        before = before[:-1] if before[-1].type in COMPARING else before
        return name_of_type(type_before(self.types, before, self._locals()))

    def _fit(self, made: Candidate, symbol: Symbol, wanted: str) -> Candidate:
        """A candidate, marked if it has a type."""
        fits = bool(wanted) and wanted == name_of_type(self.types.of_symbol(symbol))
        return replace(made, fits=True) if fits else made

    def _locals(self, kind: str = "") -> list[Declaration]:
        """The locals that can be used here, also at the end of a block that is just being written."""
        found: dict[str, Declaration] = {}
        for one in self.file.declared:
            if one.scope is None or (kind and one.symbol.kind != kind):
                continue
            if inside(one.scope, self.line, self.column) or self._goes_on(one):
                found[one.symbol.name] = one
        if not found:
            found = {d.symbol.name: d for d in self.index.locals_at(self.file, self.line, self.column)}
        return list(found.values())

    def _goes_on(self, one: Declaration) -> bool:
        """True if this line, indented as it is, continues the block in which a name is given."""
        scope = one.scope or one.whole
        if not self.context.first_line <= scope.line < self.line:
            return False
        same = one.word in ("let", "var", "choice", "draw")
        return scope.column - 1 < self.context.indent + same

    def _owner_above(self) -> str:
        """The declaration in which the clause stands, by its first line."""
        tops = [d for d in self.file.declared if d.whole.line == self.context.first_line]
        return tops[0].symbol.name if tops else ""

    # ----------------------------------------------------------------------------------------------------- tables

    def _all(self, kind: str) -> Iterator[Declaration]:
        return (places[0] for symbol, places in self.index.declarations.items() if symbol.kind == kind)

    def _symbols(self, kind: str, owner: str = "", *, quoted: bool = False) -> Iterator[Candidate]:
        for one in self._all(kind):
            if not owner or one.symbol.owner == owner:
                made = self._candidate(one)
                yield Candidate(f'"{made.text}"', made.kind, made.detail) if quoted else made

    def _candidate(self, one: Declaration) -> Candidate:
        return Candidate(one.symbol.name, one.word, head_of(self.index, one), "\n".join(one.comments))


_VALUED = frozenset({"param", "zone", "field", "query", "measure", "value"})
"""Declarations whose names have a value."""
_ASKED = frozenset({"choice", "option", "draw", "repetition"})
"""Labels that are answered."""
_ANSWERING = frozenset({"WHEN", "CHANCE", "REFUSED", "OFFERED"})
