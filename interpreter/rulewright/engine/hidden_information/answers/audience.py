"""The players who may know an answer: at once, and once the rules have shown it.

What an answer goes to is known from the program (`answer_flow`), the observers of that when the answer is given
(`observers_at_answer`), those of what is done next afterwards (`observers_after_answer`).
"""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.engine.evaluator.evaluated_program import Question
from rulewright.engine.hidden_information.answers.changes_since import slots_since
from rulewright.engine.hidden_information.answers.observers_after_answer import WithheldAnswer
from rulewright.engine.hidden_information.answers.observers_at_answer import AnswerObservers, answers_of, everyone
from rulewright.engine.runtime.canonical_form import Frame, frames
from rulewright.engine.runtime.machine import Engine
from rulewright.engine.runtime.simultaneous_node import is_decided_at_once
from rulewright.foundation.bit_sets import bits_of
from rulewright.ir import model as m
from rulewright.ir.declared_sight import hides_anything, tells_apart
from rulewright.ir.model import NONE
from rulewright.knowledge.answers.answer_flow import Answer
from rulewright.knowledge.answers.decided_branches import Kinds
from rulewright.knowledge.answers.unobserved_paths import option_code, options


def audience(
    engine: Engine,
    cells: list[int],
    stack: list[int],
    question: Question,
    player: int | None,
    value: int,
    extra: bool,
    known_before: int = 0,
) -> tuple[tuple[str, ...] | None, WithheldAnswer | None, int]:
    """The seats that may know an answer, found before it is carried out; None: all, as in games without secrets. With
    it the answer, if there are others who may see it go, and the players who see where it goes, as a set.

    `player` is the one who gives it, `value` a member, or (`extra`) one of the words beside them. `known_before` are
    those who may know it in any case.
    """
    if not has_secrets(engine):
        return None, None, -1
    held = list(frames(engine, stack))
    given = list(stack)
    if not extra:
        given[held[-1].base + question.into] = value
    is_piece = question.instr.universe == "Piece" and not extra and value != NONE
    kinds = frozenset(kind.name for kind in engine.program.kinds if kind.members >> value & 1) if is_piece else None
    answer = _answer(engine, question.function, question.pc, kinds)
    seers = AnswerObservers(engine, cells, given, held, answer, kinds, player)
    words = question.instr.extras if isinstance(question.instr, m.Choose) else ()
    known = seers.audience(None, (words[value].to,)) if extra else seers.audience(value)
    shown = 0 if seers.aloud else known
    known |= known_before if player is None else known_before | 1 << player
    withheld = None
    if seers.possible & ~known:
        withheld = WithheldAnswer(tuple(held), answer, kinds, player, value, known)
    return seats_of(engine, known), withheld, shown


def has_secrets(engine: Engine) -> bool:
    """True if anything in the game is not seen by all."""
    return engine.once("any secrets", hides_anything)


def has_hidden_information(engine: Engine) -> bool:
    """True if there is anything in a game that not all know, were it only what others decide at the same time."""
    return has_secrets(engine) or _decides_at_once(engine)


def has_private_information(engine: Engine) -> bool:
    """True if a player may know anything that another does not, were it only what they have decided meanwhile."""
    return engine.once("private information", tells_apart) or _decides_at_once(engine)


def _decides_at_once(engine: Engine) -> bool:
    def found(program: m.Program) -> bool:
        places = ((f.name, pc) for f in program.functions for pc in range(len(f.code)))
        return any(is_decided_at_once(engine, place) for place in places)

    return engine.once("anything decided at once", found)


def observers_of_answer(
    engine: Engine, cells: list[int], stack: list[int], held: Sequence[Frame], pc: int, player: int, by_word: bool
) -> int:
    """The players who may know what was answered to a question of the last of some frames, as a set; `by_word`: which
    of its words, or that it was none of them."""
    frame = held[-1]
    function = engine.program.functions[frame.function]
    i = function.code[pc]
    assert isinstance(i, m.Choose)
    value = stack[frame.base + engine.compiled.offsets[frame.function][i.into]]
    observers = _observers_at(engine, cells, stack, held, pc, player, value if i.universe == "Piece" else NONE)
    if by_word:
        taken = [to for to in options(function, pc) if frame.pc in option_code(function, pc, to)]
        return observers.audience(None, taken) | 1 << player
    return observers.audience(value) | 1 << player


def observers_of_chosen_piece(
    engine: Engine, cells: list[int], stack: list[int], held: Sequence[Frame], pc: int, player: int | None, piece: int
) -> int:
    """The players, as a set, who learn from what the rules do with a piece that it was the answer to a question of the
    last of some frames. Where it lies now does not count, as it may have come there since; nor do locals that were set
    since, whose values no player knew at the answer."""
    return _observers_at(engine, cells, stack, held, pc, player, piece).observers_of_piece(
        piece, slots_since(engine, held[-1], pc)
    )


def _observers_at(
    engine: Engine, cells: list[int], stack: list[int], held: Sequence[Frame], pc: int, player: int | None, piece: int
) -> AnswerObservers:
    frame = held[-1]
    kinds = frozenset(kind.name for kind in engine.program.kinds if kind.members >> piece & 1) if piece >= 0 else None
    answer = _answer(engine, engine.program.functions[frame.function].name, pc, kinds)
    return AnswerObservers(
        engine, cells, stack, [*held[:-1], Frame(frame.function, pc, frame.base)], answer, kinds, player
    )


def _answer(engine: Engine, function: str, pc: int, kinds: Kinds) -> Answer:
    known = engine.cache("answers")
    if (function, pc, kinds) not in known:
        known[function, pc, kinds] = answers_of(engine).of(function, pc, kinds)
    found: Answer = known[function, pc, kinds]
    return found


def seats_of(engine: Engine, players: int) -> tuple[str, ...] | None:
    """The keys of some players; None: all of them."""
    if not everyone(engine) & ~players:
        return None
    keys = engine.layout.universes["Player"].keys
    return tuple(keys[p] for p in bits_of(players))
