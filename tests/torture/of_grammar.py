"""Rules that are derived from the grammar itself, and trees that Hypothesis draws."""

from __future__ import annotations

import random
import re
from collections import defaultdict
from functools import cache, lru_cache

import seeds  # noqa: F401 - makes the helpers of other tests found
import syntax_strategies
import texts
from drawn import Drawn
from kinds import Kind, Outcome
from lark.grammar import NonTerminal, Rule, Symbol
from of_rules import read
from syntax_helpers import lark

from rulewright.syntax import ast, keywords, parse, print_file

IN, OUT, END = "_INDENT", "_DEDENT", "_NL"
BYTES = 2000
ALIKE = 4
"""Inputs that begin with the same tree, because drawing takes longer than reading."""
FREE = {
    "NAME": ("a", "b", "card", "p", "worth", "turn", "play", "x_1", "stop", "count"),
    "TYPE": ("Player", "Card", "Cell", "Int", "Bool", "Direction"),
    "INT": ("0", "1", "2", "3", "17", "1024", "999999999999999"),
    "STRING": ('"a"', '"a b"', '"t.json"', '"t.csv#rows"', '""', '"{a} {b}"'),
}


class Grammar(Kind):
    """Texts as ``grammar/rules.lark`` has them."""

    name = "grammar"
    weight = 320
    about = "texts that are derived at random from the grammar are parsed, and formatted if they are right"

    def prepare(self) -> None:
        """Read the grammar."""
        self.attempt(self.make(random.Random(1)))

    def make(self, rng: random.Random) -> str:
        """Some declarations, one below the other."""
        derivation = Derivation(rng)
        for _ in range(rng.choice((1, 1, 1, 2))):
            derivation.of(rng.choice(("decl", "decl", "decl", "change")), rng.choice((4, 6, 6, 7, 8, 9, 12)))
        return lines_of(derivation.tokens)

    def attempt(self, made: str) -> Outcome:
        """Parse and format."""
        return read(made)


class Trees(Kind):
    """Trees of rules, printed, and changed a little after that."""

    name = "trees"
    weight = 80
    about = "trees that Hypothesis draws are printed and read again; half of them after a change of the text"

    def prepare(self) -> None:
        """Make the strategy."""
        begun(1, 0)

    def numbered(self, seed: int, number: int) -> str | ast.File:
        """A tree, and then its text with changes."""
        file = begun(seed, number // ALIKE)
        if file is not None and number % ALIKE == 0:
            return file
        text = "" if file is None else print_file(file)
        return texts.mild(text, random.Random(f"{seed} {self.name} {number}"), [text, "a\n"])

    def attempt(self, made: str | ast.File) -> Outcome:
        """Parse and format."""
        if isinstance(made, str):
            return read(made)
        text = print_file(made)
        result = parse(text)
        assert result.diagnostics == (), result.diagnostics
        assert result.file == made, f"not read as it was written:\n{text}"
        return read(text)

    def told(self, made: str | ast.File) -> str:
        """The text of it."""
        return made if isinstance(made, str) else print_file(made)


@lru_cache(maxsize=4)
def begun(seed: int, number: int) -> ast.File | None:
    """A tree; None if that could not be drawn."""
    file: ast.File | None = files().from_bytes(random.Random(f"{seed} trees begun {number}").randbytes(BYTES))
    return file


@cache
def files() -> Drawn:
    """Trees of whole files."""
    return Drawn(syntax_strategies.files)


@cache
def rules() -> dict[str, list[Rule]]:
    """The rules of the grammar by what they make, those that end soonest first."""
    found: dict[str, list[Rule]] = defaultdict(list)
    for rule in lark().rules:
        found[rule.origin.name].append(rule)
    depths = _depths(found)
    return {name: sorted(each, key=lambda rule: _depth(rule, depths)) for name, each in found.items()}


def _depth(rule: Rule, depths: dict[str, int]) -> int:
    return max((depths.get(s.name, 99) for s in rule.expansion if isinstance(s, NonTerminal)), default=0)


def _depths(found: dict[str, list[Rule]]) -> dict[str, int]:
    """The least number of steps for each name."""
    depths: dict[str, int] = {}
    for depth in range(1, 99):
        new = {name: depth for name, each in found.items()
               if name not in depths and any(_depth(rule, depths) < depth for rule in each)}  # fmt: skip
        depths |= new
        if len(depths) == len(found):
            break
    return depths


class Derivation:
    """Tokens that follow from the grammar; deep down the shortest way is taken."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.most = rng.choice((20, 20, 40, 40, 40, 80, 600) if rng.random() < 0.2 else (20, 40))
        """Tokens after which it is brought to an end."""
        self.tokens: list[str] = []

    def of(self, name: str, depth: int) -> None:
        """Derive a name."""
        each = rules()[name]
        rule = each[0] if depth <= 0 or len(self.tokens) > self.most else self.rng.choice(each)
        for symbol in rule.expansion:
            if isinstance(symbol, NonTerminal):
                self.of(symbol.name, depth - 1)
            else:
                self.tokens.append(self.word(symbol))

    def word(self, terminal: Symbol) -> str:
        """The text for a token."""
        name = terminal.name
        if name in (IN, OUT, END):
            return str(name)
        return self.rng.choice(FREE[name]) if name in FREE else written()[name]


@cache
def written() -> dict[str, str]:
    """Each token that always looks the same, as it is written."""
    words = {name: word for word, name in keywords().items()}
    for terminal in lark().terminals:
        if terminal.name not in words and terminal.name not in FREE:
            text = re.sub(r"\\b|\(\?[!=<].*?\)", "", terminal.pattern.value)
            words[terminal.name] = text.replace(" +", " ").replace("an?", "a").replace("\\", "")
    return words


def lines_of(tokens: list[str]) -> str:
    """Lines with the depth that the beginnings and ends of blocks give them."""
    depth, lines, words = 0, [], []
    for token in tokens:
        if token in (IN, OUT):
            depth += 1 if token == IN else -1
        elif token == END:
            lines.append("    " * depth + " ".join(words))
            words = []
        else:
            words.append(token)
    return "\n".join((*lines, " ".join(words))) + "\n"
