"""The declarations that hold for one game: all files together, with player counts and variants laid over them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import TypeVar

from rulewright.analysis.labels import label_of, labels, rewrite, walk
from rulewright.analysis.walking import nodes
from rulewright.diagnostics import Report
from rulewright.spelling import suggest
from rulewright.syntax import ast

D = TypeVar("D", bound=ast.Clause)


def name_of(decl: ast.Decl) -> str | None:
    """The name under which a declaration is known, if it has one."""
    match decl:
        case ast.Game() | ast.Players():
            return type(decl).__name__.lower()
        case ast.Precedence() | ast.ExtendOp() | ast.WithPlayers() | ast.Variant() | ast.Scenario():
            return None
        case _:
            return decl.name


@dataclass(slots=True)
class Rules:
    """The declarations by name, in the order written."""

    report: Report
    decls: dict[str, ast.Decl] = field(default_factory=dict)
    precedence: list[ast.Precedence] = field(default_factory=list)
    variants: list[ast.Variant] = field(default_factory=list)
    scenarios: list[ast.Scenario] = field(default_factory=list)
    by_count: list[ast.WithPlayers] = field(default_factory=list)
    first_values: dict[str, ast.Expr] = field(default_factory=dict)
    """Of parameters that an overlay has set: what they were before, which tells their type."""

    def all(self, kind: type[D]) -> list[D]:
        """All declarations of a kind."""
        return [d for d in self.decls.values() if isinstance(d, kind)]

    def add(self, decl: ast.Decl) -> None:
        """Take in a declaration; a second one of its name is an error."""
        match decl:
            case ast.Precedence():
                self.precedence.append(decl)
            case ast.Variant():
                self.variants.append(decl)
            case ast.Scenario():
                self.scenarios.append(decl)
            case ast.WithPlayers():
                self.by_count.append(decl)
            case ast.ExtendOp():
                pass
            case _:
                name = name_of(decl)
                assert name is not None
                if name in self.decls:
                    first = self.decls[name].span
                    self.report.error(
                        "REF007",
                        f"`{name}` is declared twice",
                        decl.span,
                        notes=(f"first declared at {first.file}:{first.line}",),
                    )
                else:
                    self.decls[name] = decl
                    self.unique_labels(decl, name)

    def unique_labels(self, decl: ast.Decl, name: str) -> None:
        """Report labels that stand twice in a declaration."""
        seen: dict[str, ast.Clause] = {}
        for clause in walk(decl):
            label = label_of(clause)
            if label is None:
                continue
            if label in seen and not _may_repeat(clause, seen[label]):
                self.report.error(
                    "REF010",
                    f"`{label}` is the label of two things in `{name}`",
                    clause.span,
                    notes=(f"the other stands in line {seen[label].span.line}",),
                )
            seen.setdefault(label, clause)


def _may_repeat(a: ast.Clause, b: ast.Clause) -> bool:
    # A binder may serve in two branches that never meet, and options of different choices may be called alike.
    return type(a) is type(b) and isinstance(a, (ast.Choose, ast.Option))


def collect(files: Iterable[ast.File], report: Report) -> Rules:
    """All declarations of some files; extensions (``in combat`` …) are applied when all are known."""
    rules = Rules(report)
    extensions: list[ast.ExtendOp] = []
    for file in files:
        for decl in file.decls:
            rules.add(decl)
            if isinstance(decl, ast.ExtendOp):
                extensions.append(decl)
    overlay = Overlay(rules, "the extension")
    for op in extensions:
        overlay.apply(op)
    return rules


_FIXED = (ast.Game, ast.Players, ast.WithPlayers, ast.Variant, ast.Scenario, ast.Precedence)


@dataclass(slots=True)
class Overlay:
    """Lays operations over rules, and knows which labels were written, to find conflicts."""

    rules: Rules
    title: str
    written: dict[str, str] = field(default_factory=dict)
    """Address to the title of the overlay that wrote it; shared along a chain of variants."""

    def apply(self, op: ast.OverlayOp) -> None:
        """Apply one operation; what it aims at must exist."""
        match op:
            case ast.AddDeclOp(ast.ExtendOp() as extension):
                self.apply(extension)
            case ast.AddDeclOp(decl) | ast.ReplaceDeclOp(decl) if isinstance(decl, _FIXED):
                self.rules.report.error("VAR404", "an overlay cannot change this", op.span)
            case ast.AddDeclOp(decl):
                self.rules.add(decl)
            case ast.ReplaceDeclOp(decl):
                name = name_of(decl)
                if name is None or name not in self.rules.decls:
                    self._vanished(name or "this", op)
                elif self._claim(name, op):
                    self._put(decl)
                    self.rules.unique_labels(decl, name)
            case ast.SetOp(path, value):
                self._set(path, value, op)
            case ast.RemoveOp(path):
                self._remove(path, op)
            case ast.ReplaceClauseOp(path, value):
                self._replace(path, value, op)
            case ast.ExtendOp(path, clauses):
                self._extend(path, clauses, op)
            case ast.InsertOp():
                self._insert(op)

    # ------------------------------------------------------------------------------------------ helpers

    def _claim(self, address: str, op: ast.Clause) -> bool:
        if address in self.written:
            other = self.written[address]
            whose = "this overlay twice" if other == self.title else f"`{other}` and `{self.title}`"
            self.rules.report.error("VAR402", f"`{address}` is written by {whose}", op.span)
            return False
        self.written[address] = self.title
        return True

    def _vanished(self, address: str, op: ast.Clause, known: Iterable[str] = ()) -> None:
        near = suggest(address, list(known) or list(self.rules.decls))
        self.rules.report.error(
            "VAR401",
            f"there is no `{address}` to change",
            op.span,
            hint=f"did you mean `{near}`?" if near else "",
        )

    def _target(self, path: ast.Path, op: ast.Clause) -> ast.Decl | None:
        decl = self.rules.decls.get(path.parts[0])
        if decl is None or len(path.parts) > 2:
            self._vanished(str(path), op)
            return None
        return decl

    def _put(self, decl: ast.Decl) -> None:
        name = name_of(decl)
        assert name is not None
        self.rules.decls[name] = decl

    def _labelled(self, decl: ast.Decl, path: ast.Path, op: ast.Clause) -> bool:
        known = labels(decl)
        if path.parts[1] in known:
            return True
        near = suggest(path.parts[1], list(known))
        self._vanished(str(path), op, [f"{path.parts[0]}.{near}"] if near else ["\0"])
        return False

    # --------------------------------------------------------------------------------------- operations

    def _set(self, path: ast.Path, value: ast.Expr, op: ast.Clause) -> None:
        decl = self._target(path, op)
        if decl is None:
            return
        if not isinstance(decl, ast.Parameter) or len(path.parts) > 1:
            self.rules.report.error(
                "VAR404", f"`set` changes parameters, and `{path}` is none", op.span, hint="use `replace`"
            )
        elif self._claim(str(path), op):
            self.rules.first_values.setdefault(decl.name, decl.value)
            self._put(replace(decl, value=value, by_count=()))

    def _remove(self, path: ast.Path, op: ast.Clause) -> None:
        decl = self._target(path, op)
        if decl is None or not self._claim(str(path), op):
            return
        if len(path.parts) == 1:
            del self.rules.decls[path.parts[0]]
        elif self._labelled(decl, path, op):
            label = path.parts[1]
            self._put(rewrite(decl, lambda c: () if label_of(c) == label else None))

    def _replace(self, path: ast.Path, value: ast.Expr | ast.Many, op: ast.Clause) -> None:
        decl = self._target(path, op)
        if decl is None or not self._claim(str(path), op):
            return
        if len(path.parts) == 1:
            if isinstance(decl, (ast.Query, ast.Value)) and not isinstance(value, ast.Many):
                changes: dict[str, object] = {"value": value}
                if isinstance(decl, ast.Query):
                    changes |= {"lets": (), "cases": ()}
                self._put(replace(decl, **changes))  # type: ignore[arg-type]
            elif isinstance(decl, (ast.Invariant, ast.Property, ast.Witness)) and not isinstance(value, ast.Many):
                self._put(replace(decl, condition=value))
            else:
                self._wrong(path, op)
            return
        label = path.parts[1]
        if label == "when" and isinstance(decl, (ast.End, ast.Consequence)) and not isinstance(value, ast.Many):
            self._put(replace(decl, when=value))
        elif self._labelled(decl, path, op):
            done = False

            def edit(clause: ast.Clause) -> tuple[ast.Clause, ...] | None:
                nonlocal done
                if label_of(clause) != label:
                    return None
                made = _with_value(clause, value)
                done = done or made is not None
                return None if made is None else (made,)

            self._put(rewrite(decl, edit))
            if not done:
                self._wrong(path, op)

    def _wrong(self, path: ast.Path, op: ast.Clause) -> None:
        self.rules.report.error(
            "VAR404", f"`{path}` cannot be replaced by this", op.span, hint="replace the whole declaration"
        )

    def _extend(self, path: ast.Path, clauses: tuple[ast.Clause, ...], op: ast.Clause) -> None:
        decl = self._target(path, op)
        if decl is None:
            return
        known = labels(decl)
        for clause in clauses:
            label = label_of(clause)
            if label is not None and label in known:
                self.rules.report.error(
                    "VAR402", f"`{path.parts[0]}` already has a `{label}`", clause.span, hint="use `replace`"
                )
                return
        if len(path.parts) > 1 and not self._labelled(decl, path, op):
            return
        made = _extended(decl, path.parts[1] if len(path.parts) > 1 else None, clauses)
        if made is None:
            self.rules.report.error("VAR404", f"`{path}` cannot be extended by these clauses", op.span)
        else:
            self._put(made)

    def _insert(self, op: ast.InsertOp) -> None:
        decl = self._target(op.path, op)
        if decl is None:
            return
        if len(op.path.parts) == 1:
            if not isinstance(decl, ast.Callable):
                self._wrong(op.path, op)
            elif op.where == "before":
                self._put(replace(decl, body=op.body + decl.body))
            elif op.where == "after":
                self._put(replace(decl, body=decl.body + op.body))
            else:
                self._put(replace(decl, body=op.body))
            return
        if not self._labelled(decl, op.path, op):
            return
        label = op.path.parts[1]
        if not _is_statement(decl, label):
            self._wrong(op.path, op)
            return
        if op.where == "replace step" and not self._claim(str(op.path), op):
            return

        def edit(clause: ast.Clause) -> tuple[ast.Clause, ...] | None:
            if label_of(clause) != label:
                return None
            if op.where == "before":
                return (*op.body, clause)
            if op.where == "after":
                return (clause, *op.body)
            return (replace(clause, body=op.body),) if isinstance(clause, ast.Step) else op.body

        self._put(made := rewrite(decl, edit))
        self.rules.unique_labels(made, op.path.parts[0])


def _is_statement(decl: ast.Decl, label: str) -> bool:
    """Whether what has a label stands where statements stand, and not among restrictions, options or modifiers."""
    blocks = (getattr(n, part, None) for n in nodes(decl) for part in ("body", "then", "otherwise"))
    return any(isinstance(c, ast.Clause) and label_of(c) == label for b in blocks if isinstance(b, tuple) for c in b)


def _with_value(clause: ast.Clause, value: ast.Expr | ast.Many) -> ast.Clause | None:
    match clause, value:
        case ((ast.Choose() | ast.Repeats()), ast.Many()):
            return replace(clause, many=value)
        case _, ast.Many():
            return None
        case ((ast.Forbid() | ast.Unless()), _):
            return replace(clause, condition=value)
        case ast.Modifier(), _:
            return replace(clause, value=value)
        case ast.Choose(), _:
            return replace(clause, source=value)
        case ast.Repeat(), _ if clause.value is not None:
            return replace(clause, value=value)
    return None


def _extended(decl: ast.Decl, label: str | None, clauses: tuple[ast.Clause, ...]) -> ast.Decl | None:
    restrictions = tuple(c for c in clauses if isinstance(c, (ast.Forbid, ast.Obey)))
    exceptions = tuple(c for c in clauses if isinstance(c, ast.Unless))
    modifiers = tuple(c for c in clauses if isinstance(c, ast.Modifier))
    cases = tuple(c for c in clauses if isinstance(c, ast.Case))
    if label is not None:
        done = False

        def edit(clause: ast.Clause) -> tuple[ast.Clause, ...] | None:
            nonlocal done
            if label_of(clause) != label:
                return None
            if isinstance(clause, (ast.Choose, ast.Option)) and len(restrictions) == len(clauses):
                done = True
                return (replace(clause, restrictions=clause.restrictions + restrictions),)
            if isinstance(clause, ast.Forbid) and len(exceptions) == len(clauses):
                done = True
                return (replace(clause, unless=(*clause.unless, *exceptions)),)
            return None

        made = rewrite(decl, edit)
        return made if done else None
    match decl:
        case ast.Value() if len(modifiers) == len(clauses):
            return replace(decl, modifiers=decl.modifiers + modifiers)
        case ast.Limits() if len(restrictions) == len(clauses):
            return replace(decl, restrictions=decl.restrictions + restrictions)
        case ast.Query(value=None) if len(cases) == len(clauses):
            return replace(decl, cases=cases + decl.cases)
        case ast.Callable() if len(restrictions) == len(clauses):
            return replace(decl, body=restrictions + decl.body)
    return None


def for_game(base: Rules, count: int, variants: Iterable[ast.Variant], report: Report) -> Rules:
    """The rules with what holds for this number of players and these variants; `base` is left as it is."""
    rules = Rules(
        report, dict(base.decls), list(base.precedence), list(base.variants), list(base.scenarios), list(base.by_count)
    )
    overlay = Overlay(rules, f"with {count} players")
    for block in base.by_count:
        if count in block.counts:
            for op in block.ops:
                overlay.apply(op)
    written: dict[str, str] = {}
    for variant in variants:
        overlay = Overlay(rules, variant.title, written)
        for op in variant.ops:
            overlay.apply(op)
    return rules
