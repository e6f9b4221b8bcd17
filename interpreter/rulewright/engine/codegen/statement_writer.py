"""Writing Python statements: lines with their origin, temporaries, loops over members, steps that are paid."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rulewright.engine.codegen.codegen_context import CACHED, Context
from rulewright.engine.codegen.value_ranges import BIG, N, V, bits, number
from rulewright.engine.meter import WORK
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.ir import model as m

Origin = tuple[str, int]
"""Function and instruction (or query and -1) that a line was made from."""

OPERATIONS = 32
"""Operations without a loop that one step pays for."""
WORDS = 9
"""A set of ``2 ** WORDS`` bits costs one operation more than a small one, wherever it is a value."""
COPIED = 5
"""So does a list of ``2 ** COPIED`` items."""


@dataclass(slots=True)
class Opened:
    """A loop that is being written: where its head stands, and where it is paid for."""

    line: int
    indent: int
    charge: int


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
        self.called_in_loop = False
        self.cells = "C"
        self.env: dict[str, V] = {}
        self.slots: tuple[tuple[int, m.Slot], ...] = ()
        self.function = ""
        self.asked: dict[tuple[object, ...], V] = {}
        self.temps = 0
        self.opened: list[Opened] = []
        self.levels: dict[str, int] = {}
        """For each variable within how many of the opened loops it has its value."""
        self._all_opened: list[Opened] = []
        self.heavy = True
        """True if passes and calls are counted: what is written could take more than an instruction may cost."""
        self.operations = 0
        """Operations that run once in each pass of the innermost loop (or of the function), so far."""

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
        """An indented block; what was asked inside is forgotten after it."""
        self.line(header)
        self.indent += 1
        asked = self.asked
        self.asked = dict(asked)
        length = len(self.lines)
        yield
        if len(self.lines) == length:
            self.line("pass")
        self.asked = asked
        self.indent -= 1

    def finish(self, name: str, params: tuple[str, ...]) -> None:
        """Put the lines into the source as a function."""
        self.source.lines.append(f"def {name}({', '.join(params)}):")
        self.source.origins.append(self.origin)
        self.source.lines.extend(self.lines or [" pass"])
        self.source.origins.extend(self.origins or [self.origin])

    # ------------------------------------------------------------------------------------------ expressions

    def words(self, v: V) -> int:
        """The operations that a set costs because of its length."""
        return min(v.bits, self.ctx.support.limit) >> WORDS if v.kind == "s" else 0

    def insert_before(self, loop: Opened, text: str) -> None:
        """One statement in front of a loop that is being written."""
        at = loop.line
        self.lines.insert(at, " " * loop.indent + text)
        self.origins.insert(at, self.origin)
        for other in self._all_opened:
            if other.line >= at:
                other.line += 1
            if other.charge >= at:
                other.charge += 1

    def inner(self) -> Writer:
        """A writer for a function that is called here and sees what is known here, but for the variables."""
        inner = Writer(self.ctx, self.source, self.params, self.origin)
        inner.called_in_loop = self.called_in_loop or self.loops > 0
        inner.heavy = self.heavy
        inner.cells, inner.slots, inner.function = self.cells, self.slots, self.function
        return inner

    @contextmanager
    def passes(self, header: str, count: str = "") -> Iterator[int]:
        """The body of a real loop of this many passes, paid for before it begins; gives its level."""
        charge = len(self.lines)
        if count and self.heavy:
            self.count(count)
        loop = Opened(len(self.lines), self.indent, charge)
        self.opened.append(loop)
        self._all_opened.append(loop)
        self.loops += 1
        before, self.operations = self.operations, 0
        with self.inside(header):
            yield len(self.opened)
        weight = 1 + self.operations // OPERATIONS
        self.operations = before + 1
        if count and weight > 1 and self.heavy:
            steps = str(int(count) * weight) if count.isdigit() else f"({count}) * {weight}"
            self.lines[loop.charge] = f"{' ' * loop.indent}R[{WORK}] -= {steps}"
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

    def count(self, code: str) -> None:
        """Count passes and calls, where that is needed."""
        if not self.heavy:
            return
        self.line(f"R[{WORK}] -= {code}")
        if self.loops or self.called_in_loop:
            self.line(f"if R[{WORK}] < 0: over(R)")

    def members_count(self, v: V) -> None:
        """Count one for each member of a set or list that is held."""
        self.count(f"len({v.code})" if v.kind == "l" else f"({v.code}).bit_count()")

    def charge(self, at: int) -> None:
        """Let what has been written since the line `at` pay at that line for what runs once."""
        if not self.heavy:
            return
        steps = 1 + self.operations // OPERATIONS
        lines = [f"R[{WORK}] -= {steps}", f"if R[{WORK}] < 0: over(R)"]
        self.lines[at:at] = [" " + line for line in lines]
        self.origins[at:at] = [self.origin] * len(lines)

    @contextmanager
    def loop(self, source: V, var: str) -> Iterator[V]:
        """A loop over the members of a set or list, with `var` bound to the member."""
        name = self.temp()
        low = rest = ""
        mask = source.constant if source.kind != "l" else None
        if source.kind == "l":
            source = self.hold(source)
            count = f"len({source.code}) + 1"
            member = number(name, -BIG * BIG, BIG * BIG, source.null)
            header = f"for {name} in {source.code}:"
        elif mask is not None and mask >= 0:
            count = str(mask.bit_count() + 1)
            member = V(name, "n", False, 0, max(0, mask.bit_length() - 1), living=source.living)
            header = f"for {name} in {self.ctx.members(mask)}:"
        elif source.bits <= CACHED:
            count = str(max(1, source.bits))
            member = V(name, "n", False, 0, max(0, source.bits - 1), living=source.living)
            header = f"for {name} in {self.ctx.bit_table(source.bits)}[{source.code}]:"
        else:
            rest, low = self.temp(), self.temp()
            self.line(f"{rest} = {source.code}")
            count = f"{rest}.bit_count() + 1"
            member = V(name, "n", False, 0, source.bits - 1, living=source.living, bit=low)
            header = f"while {rest}:"
        with self.passes(header, count) as level, self.binding(var, member, level):
            self.operations += 1
            if rest:
                self.operations += 3 * self.words(source)
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
