"""Options of questions, with the instructions that each of them carries out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rulewright.ir import model as m


@dataclass(frozen=True, slots=True)
class OptionCode:
    """An option of a question: its own instructions, and those behind the question."""

    extra: m.Extra
    own: tuple[m.Instr, ...]
    behind: tuple[m.Instr, ...]


def options_of(function: m.Function) -> Iterator[OptionCode]:
    """The options of all questions of a function, in the order in which they stand."""
    code = function.code
    for i in code:
        if not isinstance(i, m.Choose):
            continue
        starts = sorted(extra.to for extra in i.extras)
        ends = [code[to - 1] for to in starts[1:] if 0 < to <= len(code)]
        joined = max((end.to for end in ends if isinstance(end, m.Jump)), default=len(code))
        for extra in i.extras:
            later = [to for to in starts if to > extra.to]
            own = code[extra.to : later[0] if later else joined]
            yield OptionCode(extra, own, code[joined:] if joined > extra.to else code[extra.to :])
