"""Actions: a number for each answer that a player can ever give, the same in every position of a game.

Learning algorithms and their libraries want one finite set of actions, and in each position those that are legal. Each
question of the rules has a block of numbers: first for the members that it may offer, then for its words (``done``,
``pass``). Several things that are chosen together are questions one by one, and so are several actions, of which the
last is a word. The numbers follow from the program alone: from ruleset, variants, options and the number of players.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from typing import Any

from rulewright.diagnostics import listing
from rulewright.engine import Engine, State
from rulewright.foundation import dataclass
from rulewright.host import invalid_argument, whole
from rulewright.ir import NONE, HeldPieces
from rulewright.ir import model as m
from rulewright_lab.environment.piece_domain import ANYWHERE, PieceDomain
from rulewright_lab.environment.value_encoding import bounds


@dataclass(frozen=True, slots=True)
class Question:
    """A question of the rules, and the numbers of its answers."""

    name: str
    """The rule and the label, as :attr:`Decision.name`."""
    first: int
    """The number of its first answer."""
    count: int
    """The number of its answers, words included."""
    universe: str
    """The universe of its members: ``Int``, ``Piece``, a universe of the rules; empty if there are only words."""
    words: tuple[str, ...]
    """The words that may be answered; their numbers are the last ones."""
    cites: tuple[str, ...] = ()

    @property
    def last(self) -> int:
        """The number of its last answer."""
        return self.first + self.count - 1


@dataclass(frozen=True, slots=True)
class _Numbered:
    """A question with what its numbers stand for."""

    question: Question
    low: int
    """The least number that is offered, for a question about numbers."""
    pieces: PieceDomain | None

    @property
    def members(self) -> int:
        """The number of members."""
        return self.question.count - len(self.question.words)


class ActionSpace:
    """The actions of one game: see :attr:`rulewright.Game.actions`."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._blocks: list[_Numbered] = []
        self._at: dict[tuple[str, int], _Numbered] = {}
        self._build(engine.program)
        self.questions = tuple(block.question for block in self._blocks)
        """All questions, in the order of their numbers."""
        self.count = self.questions[-1].last + 1 if self.questions else 0
        """The number of actions."""
        self._firsts = [one.first for one in self.questions]

    def _build(self, program: m.Program) -> None:
        held: HeldPieces | None = None
        named: dict[object, _Numbered] = {}
        first = 0
        for function in program.functions:
            for pc, i in enumerate(function.code):
                if not isinstance(i, m.Choose):
                    continue
                words = tuple(extra.key for extra in i.extras)
                pieces, low, size = None, 0, 0
                if i.universe == "Piece":
                    held = held or HeldPieces(program)
                    offered = held.of(function.name, m.Local(i.into), "entity")
                    pieces = PieceDomain(self._engine, held.zones, i.source, offered)
                    size = pieces.size
                elif i.universe == "Int":
                    low, high = bounds(i.source, function.slots[i.into].ty)
                    size = high - low + 1
                elif i.universe:
                    size = self._engine.layout.sizes[i.universe]
                name = f"{function.name}.{i.label}"
                key = name, i.universe, low, size, words, i.source if pieces is not None else None
                if key not in named:
                    question = Question(name, first, size + len(words), i.universe, words, i.cites)
                    named[key] = _Numbered(question, low, pieces)
                    self._blocks.append(named[key])
                    first += question.count
                self._at[function.name, pc] = named[key]

    def places(self) -> Iterator[tuple[tuple[str, int], Question, int, int, PieceDomain | None]]:
        """For the engine: for each place in the rules that asks a player its question, the least member, how many
        members there are, and of pieces their numbers."""
        for place, block in self._at.items():
            yield place, block.question, block.low, block.members, block.pieces

    def question_of(self, state: State) -> Question | None:
        """The question to a player in a state; None where no player decides."""
        block = self._block(state)
        return None if block is None else block.question

    def _block(self, state: State) -> _Numbered | None:
        if not isinstance(state, State) or state.engine.program != self._engine.program:
            raise invalid_argument("the state", state, "it must be a state of this game")
        question = state.question
        return None if question is None or state.seat is None else self._at[question.function, question.pc]

    def legal(self, state: State) -> list[int]:
        """The numbers of the options of a state, in the order of :attr:`Decision.options`; none where no player
        decides. RulesetError for a position laid by hand that offers a piece which no game could."""
        block, decision = self._block(state), state.decision
        if block is None or decision is None:
            return []
        first, members = block.question.first, block.members
        options = [option for option in decision.options if not option.extra]
        if block.pieces is not None:
            loc = self._engine.layout.loc
            lying = (state.cells[loc + state.member(option)] for option in options)
            try:
                found = [first + n for n in block.pieces.numbers(lying, (option.value for option in options))]
            except KeyError:
                raise invalid_argument(
                    "the state", decision.name, "it offers a piece that no game from its beginning does"
                ) from None
        else:
            found = [first + option.value - block.low for option in options]
            if any(not first <= number < first + members for number in found):
                raise invalid_argument("the state", decision.name, f"it offers a number that is not from {block.low} to"
                            f" {block.low + members - 1}")  # fmt: skip
        return found + [first + members + option.value for option in decision.options if option.extra]

    def mask(self, state: State) -> bytearray:
        """For each action 1 if it is legal in a state, else 0; arrays can be made of it without copying."""
        found = bytearray(self.count)
        for action in self.legal(state):
            found[action] = 1
        return found

    def option(self, state: State, action: int) -> int:
        """The number of the option of a state that an action takes. RulesetError if it is not legal there."""
        legal = self.legal(state)
        whole("the action", action)
        if action not in legal:
            hint = "nobody is asked here" if not legal else f"legal are {listing(map(str, legal), 8)}"
            raise invalid_argument("the action", action, "it is not legal in this state", hint)
        return legal.index(action)

    def text(self, action: int) -> str:
        """An action in words: the question and the answer, such as ``turn.cell (1, 2)``."""
        data = self.data(action)
        if "word" in data:
            return f"{data['question']} {data['word']}"
        shown = str(data["member"])
        if data.get("ordinal"):
            shown += f" #{data['ordinal'] + 1}"
        return f"{data['question']} {shown}" + (f" in {data['zone']}" if data.get("zone") else "")

    def data(self, action: int) -> dict[str, Any]:
        """An action as plain data: ``question``, and either ``word`` or ``member``; of pieces ``zone`` too, the zone
        where the piece lies (left out where not all may know it), and ``ordinal``, its place among those offered there
        that look the same. The member is None for a piece whose face is not seen."""
        block = self._block_of(action)
        question, number = block.question, action - block.question.first
        if number >= block.members:
            return {"question": question.name, "word": question.words[number - block.members]}
        if block.pieces is None:
            member = number + block.low
            key = member if question.universe == "Int" else self._engine.layout.key(question.universe, member)
            return {"question": question.name, "member": key}
        piece = block.pieces.piece(number)
        layout = self._engine.layout
        shown = None if piece.kind == NONE else layout.key("Piece", piece.kind)
        where = {} if piece.zone == ANYWHERE else {"zone": layout.instances[piece.zone].name}
        return {"question": question.name, "member": shown, **where, "ordinal": piece.ordinal}

    def _block_of(self, action: int) -> _Numbered:
        whole("the action", action)
        if not 0 <= action < self.count:
            raise invalid_argument("the action", action, f"it is a number from 0 to {self.count - 1}")
        return self._blocks[bisect_right(self._firsts, action) - 1]

    def __len__(self) -> int:
        return self.count

    def __iter__(self) -> Iterator[int]:
        return iter(range(self.count))
