"""Writing Python statements: lines with their origin, temporaries, loops over members, steps that are paid."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rulewright.engine.codegen.codegen_context import CACHED, Context
from rulewright.engine.codegen.value_ranges import BIG, N, V, bits, number
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.ir import model as m

Origin = tuple[str, int]
"""Function and instruction (or query and -1) that a line was made from."""


@dataclass(slots=True)
class Opened:
    """A loop that is being written: where its head stands."""

    line: int
    indent: int


@dataclass(slots=True)
class CodeText:
    """Lines of generated Python with what they came from."""

    lines: list[str]
    origins: list[Origin]

    def text(self) -> str:
        """The whole source."""
        return "\n".join(self.lines) + "\n"


class Writer:
    """Writes one function, line by line."""

    def __init__(self, ctx: Context, source: CodeText, params: tuple[str, ...], origin: Origin) -> None:
        self.ctx = ctx
        self.source = source
        self.params = params
        """Parameters that every function made from this one gets too: ``C``, ``R``, perhaps ``S``, ``B``, ``D``."""
        self.origin = origin
        self.lines: list[str] = []
        self.origins: list[Origin] = []
        self.indent = 1
        self.loops = 0
        self.cells = "C"
        self.env: dict[str, V] = {}
        self.slots: tuple[tuple[int, m.Slot], ...] = ()
        self.function = ""
        self.available: dict[tuple[object, ...], V] = {}
        self.temps = 0
        self.opened: list[Opened] = []
        self.levels: dict[str, int] = {}
        """For each variable within how many of the opened loops it has its value."""
        self._all_opened: list[Opened] = []

    # ------------------------------------------------------------------------------------------ lines

    def line(self, text: str) -> None:
        """One statement."""
        self.lines.append(" " * self.indent + text)
        self.origins.append(self.origin)

    def temp(self) -> str:
        """A new name."""
        self.temps += 1
        return f"t{self.temps}"

    def hold(self, v: V) -> V:
        """The value in a variable, so that it can be written more than once."""
        if v.atomic:
            return v
        name = self.temp()
        self.line(f"{name} = {v.code}")
        return v.named(name)

    @contextmanager
    def inside(self, header: str) -> Iterator[None]:
        """An indented block; values that became available inside are forgotten after it."""
        self.line(header)
        self.indent += 1
        available = self.available
        self.available = dict(available)
        length = len(self.lines)
        yield
        if len(self.lines) == length:
            self.line("pass")
        self.available = available
        self.indent -= 1

    def finish(self, name: str, params: tuple[str, ...]) -> None:
        """Put the lines into the source as a function."""
        self.source.lines.append(f"def {name}({', '.join(params)}):")
        self.source.origins.append(self.origin)
        self.source.lines.extend(self.lines or [" pass"])
        self.source.origins.extend(self.origins or [self.origin])

    # ------------------------------------------------------------------------------------------ expressions

    def insert_before(self, loop: Opened, text: str) -> None:
        """One statement in front of a loop that is being written."""
        at = loop.line
        self.lines.insert(at, " " * loop.indent + text)
        self.origins.insert(at, self.origin)
        for other in self._all_opened:
            if other.line >= at:
                other.line += 1

    def inner(self) -> Writer:
        """A writer for a function that is called here and sees what is known here, but for the variables."""
        inner = Writer(self.ctx, self.source, self.params, self.origin)
        inner.cells, inner.slots, inner.function = self.cells, self.slots, self.function
        return inner

    @contextmanager
    def passes(self, header: str) -> Iterator[int]:
        """The body of a real loop; gives its level."""
        loop = Opened(len(self.lines), self.indent)
        self.opened.append(loop)
        self._all_opened.append(loop)
        self.loops += 1
        with self.inside(header):
            yield len(self.opened)
        self.loops -= 1
        self._all_opened.pop()
        self.opened.pop()

    @contextmanager
    def binding(self, var: str, v: V, level: int) -> Iterator[None]:
        """A variable bound to a value."""
        before, old_level = self.env.get(var), self.levels.get(var, 0)
        self.env[var], self.levels[var] = v, level
        yield
        self.levels[var] = old_level
        if before is None:
            del self.env[var]
        else:
            self.env[var] = before

    def condition(self, v: V) -> str:
        """A value as something Python takes as a truth; none is not true."""
        return f"{v.code} == 1" if v.kind == "n" and v.null else v.code

    # ------------------------------------------------------------------------------------------ loops

    def pay(self, steps: int | str) -> None:
        """Pay here and now, and stop if nothing is left."""
        self.line(f"R.budget -= {steps}")
        self.line("if R.budget < 0: spent(R)")

    @contextmanager
    def loop(self, source: V, var: str) -> Iterator[V]:
        """A loop over the members of a set or list, with `var` bound to the member."""
        name = self.temp()
        low = rest = ""
        mask = source.constant if source.kind != "l" else None
        if source.kind == "l":
            source = self.hold(source)
            member = number(name, -BIG * BIG, BIG * BIG, source.null)
            header = f"for {name} in {source.code}:"
        elif mask is not None and mask >= 0:
            member = V(name, "n", False, 0, max(0, mask.bit_length() - 1), living=source.living)
            header = f"for {name} in {self.ctx.members(mask)}:"
        elif source.bits <= CACHED:
            member = V(name, "n", False, 0, max(0, source.bits - 1), living=source.living)
            header = f"for {name} in {self.ctx.bit_table(source.bits)}[{source.code}]:"
        else:
            rest, low = self.temp(), self.temp()
            self.line(f"{rest} = {source.code}")
            member = V(name, "n", False, 0, source.bits - 1, living=source.living, bit=low)
            header = f"while {rest}:"
        with self.passes(header) as level, self.binding(var, member, level):
            if rest:
                self.line(f"{low} = {rest} & -{rest}")
                self.line(f"{rest} ^= {low}")
                self.line(f"{name} = {low}.bit_length() - 1")
            yield member

    # ------------------------------------------------------------------------------------------ addresses

    def present(self, nulls: list[str]) -> str:
        """The condition that none of these is none."""
        return " and ".join(f"{code} >= 0" for code in nulls)

    def unless_null(self, code: str, nulls: list[str], otherwise: str = N) -> str:
        """The code, or something else if one of the variables is none."""
        return f"({code} if {self.present(nulls)} else {otherwise})" if nulls else code

    def single_bit(self, v: V) -> str:
        """The set of one value that is not none."""
        if v.low >= 0 and v.high < self.ctx.support.limit:
            return v.shift
        self.ctx.helper("bit")
        return f"bit({v.code})"

    def empty(self) -> V:
        """The empty set."""
        return bits("0", 0)
