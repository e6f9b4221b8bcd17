"""Reading the lines of a file: tokens, clauses that go on in the next line, brackets, comments and citations.

The result is a list of :class:`Line`, each the head of a clause with its trivia. Nothing is raised: what is wrong
with the spelling is noted in a report, and the line is repaired as far as possible so that it brings no second finding.
"""

from __future__ import annotations

import re
import sys
from dataclasses import field

from rulewright.diagnostics import Diagnostic, Edit, Fix, Report, Span
from rulewright.foundation import limits
from rulewright.foundation.characters import UNSEEN, code_point
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.syntax.ast import Trivia
from rulewright.syntax.lexer.token_fixes import is_long, is_wrong, mend_token
from rulewright.syntax.lexer.tokens import Token, scanner, split_phrases
from rulewright.syntax.tables.parse_tables import ALWAYS_WRONG, INFIX, TRIVIA, words

TAB_WIDTH = 4

BLANK = "\n"
"""Stands for a blank line among comments."""

_PAIRS = {"RPAR": "LPAR", "RSQB": "LSQB", "RBRACE": "LBRACE"}
_OPENERS = frozenset(_PAIRS.values())
_BRACKETS = _OPENERS | _PAIRS.keys()
_APART = frozenset((*TRIVIA, "TAB"))
"""Types of tokens that are no part of a clause."""
_LOOKED_AT = frozenset((*ALWAYS_WRONG, "DOT", "TYPE"))
"""A line without tokens of these types and without long words goes to the parser as it is."""
_INFIX = INFIX | {"AND_THEN", "WHERE"}
LEADING = _INFIX | {"IS_EMPTY", "IS_NOT_EMPTY"}
"""A line that begins with one of these goes on with the clause above."""
_TRAILING = _INFIX | {"IN", "PLUS", "MINUS", "NOT", "COMMA", "HAS", "EQUAL", "PLUS_IS", "MINUS_IS", "ARROW"}
_COLON_GOES_ON = {"ADD", "INVARIANT", "PROPERTY", "WITNESS", "FORBID", "UNLESS", "REPLACE", "PARAM", "DIE", "ENUM",
                  "PARTY", "ZONE", "FIELD", "MAP", "CHANCE", "REFUSED", "OFFERED", "SEEN", "HIDDEN", "SET_ROW",
                  "ADD_ROW"}  # fmt: skip
"""Clauses whose colon is followed by content; after a block's head it would be a mistake."""


@dataclass(slots=True)
class Line:
    """The head of a clause: its tokens, from however many lines of the file, and what stands around them."""

    tokens: list[Token]
    indent: int
    gap: bool = False
    comments: list[str] = field(default_factory=list)
    behind: str | None = None
    cites: list[str] = field(default_factory=list)
    below: list[str] = field(default_factory=list)
    excused: bool = False
    """There is already a finding about this line: another one would be its consequence."""
    dead: bool = False
    """Not even worth a try."""

    @property
    def number(self) -> int:
        """The number of its first line."""
        return self.tokens[0].line

    @property
    def head(self) -> str:
        """The type of the first token."""
        return self.tokens[0].type

    def span(self, file: str) -> Span:
        """From the first to the last token."""
        return span_of(self.tokens[0], file).to(span_of(self.tokens[-1], file))

    def trivia(self) -> Trivia:
        """All that stands around it, without the inner lines."""
        return Trivia(tuple(self.comments), self.behind, tuple(self.cites), self.gap, tuple(self.below))


@dataclass(slots=True)
class Lines:
    """A file, read line by line."""

    lines: list[Line]
    below: tuple[str, ...]
    """Comments after the last clause."""


def span_of(token: Token, file: str) -> Span:
    """The span of a token."""
    return Span(file, token.line, token.column, token.line, token.end_column)


def unreserve_stop(tokens: list[Token]) -> list[Token]:
    """In scenarios and questions ``stop`` is an answer, and nothing else."""
    return [t.like("NAME", t.value) if t.type == "STOP" else t for t in tokens]


def comment_text(token: Token) -> str:
    """The text of a comment without its ``#`` and the space after that."""
    return str(token)[1:].removeprefix(" ").rstrip()


def read_lines(text: str, file: str, report: Report, first: int = 1, most: int = sys.maxsize) -> Lines:
    """Read a whole text, or one that begins on the line `first` of its file; findings go to `report`.

    After more than `most` findings the rest is not read.
    """
    reader = _Reader(file, report)
    suspect = _hidden(text) is not None
    scan = scanner().scan
    for number, line in enumerate(text.split("\n"), first):
        tokens = scan(line, number)
        if suspect:
            reader.look(tokens)
        reader.take(tokens)
        if len(report.found) > most:
            break
    return reader.finish()


@dataclass(slots=True)
class _Comment:
    indent: int
    text: str


class _Reader:
    """Joins the lines of a file to clauses and hands comments to the clauses they belong to."""

    def __init__(self, file: str, report: Report) -> None:
        self.file = file
        self.report = report
        self.lines: list[Line] = []
        self.pending: list[_Comment | None] = []  # None is a blank line
        self.cites: list[Token] = []  # on lines of their own above the first clause
        self.brackets: list[Token] = []
        self.open: list[Line] = []  # the last clause on each level of indentation
        self.in_scenario = False
        self.tabs: list[Token] = []
        self.tail: list[str] = []

    def look(self, tokens: list[Token]) -> None:
        """Report invisible characters in texts and comments."""
        for token in tokens:
            if token.type not in ("STRING", "COMMENT") or (found := _hidden(token.value)) is None:
                continue
            start = span_of(token, self.file)
            column = start.column + found.start()
            span = Span(self.file, start.line, column, start.line, column + 1)
            message = f"the character {code_point(found[0])} does not belong to the language"
            self.report.error("SYN010", message, span, hint="it cannot be seen: leave it out")

    # ------------------------------------------------------------------ one line of the file

    def take(self, tokens: list[Token]) -> None:
        """Take the tokens of one line of the file."""
        if _APART.isdisjoint([t.type for t in tokens]):
            if tokens:
                self._start_or_go_on(tokens, tokens[0].column - 1)
            else:
                self.pending.append(None)
            return
        code = [t for t in tokens if t.type not in TRIVIA]
        cites = [t for t in tokens if t.type == "CITE"]
        comments = [t for t in tokens if t.type == "COMMENT"]
        leading = code[:1] if code and code[0].type == "TAB" else []
        self.tabs += [t for t in code if t.type == "TAB"]
        code = [t for t in code if t.type != "TAB"]
        if not code:
            self._trivia_only(cites, comments)
            return
        indent = code[0].column - 1 + sum(len(t) for t in leading) * (TAB_WIDTH - 1)
        self._start_or_go_on(code, indent)
        line = self.lines[-1]
        line.excused |= bool(leading)
        line.cites += [t.value[1:] for t in cites]
        for comment in comments:
            if line.behind is None:
                line.behind = comment_text(comment)
            else:
                line.comments.append(comment_text(comment))

    def _trivia_only(self, cites: list[Token], comments: list[Token]) -> None:
        if self.lines:
            self.lines[-1].cites += [t.value[1:] for t in cites]
        else:
            self.cites += cites
        for comment in comments:
            self.pending.append(_Comment(comment.column - 1, comment_text(comment)))
        if not cites and not comments:
            self.pending.append(None)

    def _start_or_go_on(self, code: list[Token], indent: int) -> None:
        code, excused = self._mended(code)
        if self.lines and self._goes_on(self.lines[-1], code, indent):
            line = self.lines[-1]
            code = split_phrases(code, line.tokens)
            line.tokens += code
            line.comments += [c.text for c in self.pending if c is not None]
            self.pending = []
        else:
            self._close_brackets()
            code = split_phrases(code, [], scenario=self.in_scenario and indent > 0)
            line = Line(code, indent, cites=[t.value[1:] for t in self.cites])
            self.cites = []
            self._place_comments(line)
            self.lines.append(line)
        line.excused |= excused
        self._count_brackets(line, code)
        if len(line.tokens) > limits.CLAUSE_TOKENS:
            hint = "put what it lists into a table"
            self._kill(line, "SYN005", "this clause is too long", line.tokens[0], hint)

    def _goes_on(self, line: Line, code: list[Token], indent: int) -> bool:
        first, last = code[0].type, line.tokens[-1].type
        if self.brackets:
            return indent > line.indent or first in _PAIRS
        if indent <= line.indent:
            return False
        if first in LEADING or (last in _TRAILING and len(line.tokens) > 1):
            return True
        if first in ("WHILE", "UNTIL"):  # behind a source
            return any(token.type == "FOR" for token in line.tokens)
        if first == "WHEN":  # in a scenario this is a clause
            return line.head != "SCENARIO"
        if first == "OTHERWISE":  # below `match` this is an arm
            return line.head not in ("MATCH", "QUERY", "MEASURE")
        if last == "COLON" and line.head in _COLON_GOES_ON:
            return True
        if first in ("PLUS", "MINUS"):  # `- 1` goes on with the line above, `-1` is a case of its own
            return len(code) > 1 and code[1].column != code[0].end_column
        return first == "ELSE" and len(code) > 1 and code[1].type not in ("IF", "COLON")

    def _mended(self, code: list[Token]) -> tuple[list[Token], bool]:
        """The tokens as the parser wants them, and whether there was something to complain about."""
        if _LOOKED_AT.isdisjoint([t.type for t in code]) and not is_long(code):
            return code, False
        tokens: list[Token] = []
        found: Diagnostic | None = None
        compared = False
        for number, token in enumerate(code):
            previous = tokens[-1] if tokens else None
            if previous is not None and previous.type == "DOT" and token.value.isidentifier():
                token = token.like("NAME", token.value)  # after a dot any word may stand
            elif is_wrong(token):
                # Behind one comparison no other can assign: so the line is looked through once, however long it is.
                assigns = token.type == "SAME" and not compared and _is_assignment(tokens, code)
                compared |= token.type == "SAME" and not assigns
                touches = _touches(code, number)
                replacement, finding = mend_token(token, span_of(token, self.file), assigns, touches)
                found = found or finding
                tokens += replacement
                continue
            tokens.append(token)
        if not tokens:  # nothing is left of the line, but it must stand somewhere
            tokens = [code[0].like("STRANGE", code[0].value)]
        if found is not None:
            self.report.extend([found])
        return tokens, found is not None

    # ------------------------------------------------------------------ brackets

    def _count_brackets(self, line: Line, code: list[Token]) -> None:
        for token in code:
            if token.type not in _BRACKETS:
                continue
            if token.type in _OPENERS:
                self.brackets.append(token)
                if len(self.brackets) == limits.BRACKETS + 1:
                    self._kill(
                        line,
                        "SYN004",
                        f"brackets are nested deeper than {limits.BRACKETS} levels",
                        token,
                        "split this into several queries",
                    )
            elif not self.brackets:
                self._kill(line, "SYN009", f"this `{token}` closes nothing", token, "leave it out")
            else:
                opened = self.brackets.pop()
                if opened.type != _PAIRS[token.type]:
                    wanted = {v: k for k, v in _PAIRS.items()}[opened.type]
                    message = f"`{opened}` is closed by `{token}`"
                    self._kill(line, "SYN009", message, token, f"`{words()[wanted]}` is expected")

    def _close_brackets(self) -> None:
        if self.brackets:
            self._kill(self.lines[-1], "SYN009", f"this `{self.brackets[-1]}` is never closed", self.brackets[-1], "")
            self.brackets = []

    def _kill(self, line: Line, code: str, message: str, token: Token, hint: str) -> None:
        if not line.excused:
            self.report.error(code, message, span_of(token, self.file), hint=hint)
        line.excused = line.dead = True

    # ------------------------------------------------------------------ comments

    def _place_comments(self, line: Line | None) -> None:
        """Hand the comments since the last clause to the blocks that end here, the rest to `line`."""
        limit, target = (line.indent if line else 0), (line.comments if line else None)
        rest: list[str] = []
        ceiling, blank, gap = limits.RULES_CHARACTERS, False, False
        for item in self.pending:
            if item is None:
                blank = True
                continue
            owner = None
            if not rest and not gap:
                ceiling = min(ceiling, item.indent)
                owner = next((o for o in reversed(self.open) if limit < o.indent <= ceiling), None)
            if owner is not None:
                ceiling = owner.indent
                owner.below += [BLANK, item.text] if blank else [item.text]
            elif blank and not rest:
                gap = True
                rest.append(item.text)
            else:
                rest += [BLANK, item.text] if blank else [item.text]
            blank = False
        self.pending = []
        if line is None or target is None:
            self.tail = ([BLANK] if gap and self.lines else []) + rest
            return
        if blank and rest:
            rest.append(BLANK)
        line.gap = gap or (blank and not rest)
        target[:0] = rest
        self._open(line)

    def _open(self, line: Line) -> None:
        if line.indent == 0:
            self.in_scenario = line.head == "SCENARIO"
        while self.open and self.open[-1].indent > line.indent:
            self.open.pop()
        same = bool(self.open) and self.open[-1].indent == line.indent
        inner = line.head == "ELSE" or (line.head == "THEN" and not self.in_scenario)
        if same and inner:  # `else` belongs to the clause above, and so do comments at its end
            return
        if same:
            self.open.pop()
        self.open.append(line)

    # ------------------------------------------------------------------ the end

    def finish(self) -> Lines:
        """Close what is open and give the lines."""
        self._close_brackets()
        self._place_comments(None)
        if self.tabs:
            self._tell_tabs()
        if self.cites:
            where = span_of(self.cites[0], self.file)
            self.report.error("SYN001", f"`{self.cites[0]}` belongs to no clause: there is none in this file", where)
        return Lines(self.lines, tuple(self.tail))

    def _tell_tabs(self) -> None:
        first = span_of(self.tabs[0], self.file)
        edits = tuple(Edit(span_of(t, self.file), " " * TAB_WIDTH * len(t.value)) for t in self.tabs)
        lines = len({t.line for t in self.tabs})
        self.report.error(
            "SYN003",
            "this line contains a tab",
            first,
            hint="use four spaces",
            notes=(f"there are tabs on {lines} lines",) if lines > 1 else (),
            fix=Fix("replace the tabs with spaces", edits),
        )


_HIDDEN = re.compile(rf"(?![\n\t]){UNSEEN.pattern}")
_hidden = _HIDDEN.search


def _gives_no_value_yet(tokens: list[Token]) -> bool:
    """True if what stands last in a line that gives values has none yet, and is in no brackets and no condition."""
    depth = 0
    for token in reversed(tokens):
        depth += (token.type in _PAIRS) - (token.type in _OPENERS)
        if depth < 0 or (depth == 0 and token.type in ("EQUAL", "WHERE", "IF")):
            return False
        if depth == 0 and token.type == "COMMA":
            break
    return True


def _touches(code: list[Token], number: int) -> tuple[bool, bool]:
    """True for the side, before and behind, on which a token stands without a blank."""
    here, at = code[number], (code[number - 1] if number else None, *code[number + 1 : number + 2])
    before = at[0] is not None and (at[0].line, at[0].end_column) == (here.line, here.column)
    return before, any((one.line, one.column) == (here.line, here.end_column) for one in at[1:] if one is not None)


_GIVING = frozenset({
    "PARAM", "SET", "GIVEN", "OFFERED", "REFUSED", "CHANCE", "LET", "VAR", "FIELD", "QUERY", "MEASURE", "VALUE",
})  # fmt: skip
"""Words at the beginning of lines that give something a value."""


def _is_assignment(tokens: list[Token], code: list[Token]) -> bool:
    """True where ``==`` was meant as ``=``: behind what is assigned at the beginning of a line, such as ``control[f]``,
    and in lines that give a value to something, such as ``param`` or the answers of a scenario."""
    head = [t.type for t in tokens[:4]]
    if head and (head[0] in _GIVING or (head[0] == "WHEN" and "COLON" in head)):
        return _gives_no_value_yet(tokens)
    if any(t.type in ("WHEN", "OTHERWISE") for t in code):
        return False
    opened = sum((t.type in _OPENERS) - (t.type in _PAIRS) for t in tokens)
    plain = {"NAME", "DOT", "COMMA", "INT", "LSQB", "RSQB"}
    return bool(tokens) and tokens[0].type == "NAME" and opened == 0 and all(t.type in plain for t in tokens)
