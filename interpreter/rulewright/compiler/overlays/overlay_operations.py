"""Overlays: changes that are laid over declarations."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import reduce
from itertools import takewhile
from typing import TypeGuard, TypeVar, cast

from rulewright.compiler.overlays.addresses import (
    Instead,
    addressed,
    addresses,
    extended,
    is_statement,
    is_value,
    label_of,
    labels,
    rewrite,
    told_apart,
    walk,
    with_entry,
    with_value,
)
from rulewright.compiler.overlays.declaration_set import Rules, name_of
from rulewright.compiler.tree_walk import nodes
from rulewright.data.component_tables import IN_RULES
from rulewright.data.rulebook import Rulebook
from rulewright.diagnostics.suggestions import listing, suggest
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.foundation.memo import made_once
from rulewright.syntax import ast, print_expr, print_file

WithRows = ast.EnumDecl | ast.Piece
WithBody = ast.Callable | ast.End | ast.Consequence | ast.Reaction


def has_rows(decl: ast.Clause) -> TypeGuard[WithRows]:
    """True for a declaration that is read from a component table."""
    return isinstance(decl, WithRows) and decl.table is not None


def same_table(a: WithRows, b: WithRows) -> bool:
    """True for two that are read from the same table: ``cards.json`` is ``cards.json#rows``."""
    return (a.table or "").removesuffix("#rows") == (b.table or "").removesuffix("#rows")


def kinds_above(rules: Rules, decl: WithRows) -> list[WithRows]:
    """A declaration, and the kinds of pieces that it is one of, the closest first."""
    found = [decl]
    while isinstance(decl, ast.Piece) and isinstance(above := rules.decls.get(decl.base or ""), ast.Piece):
        if any(above is one for one in found):
            break
        found.append(above)
        decl = above
    return found


def row_edit(op: ast.RowOp, kind: str, chain: Sequence[WithRows]) -> ast.RowEdit:
    """A change as it is kept; `chain` is the declaration that it names, with those that it is one of.

    It holds a copy: what is made of a clause must not keep it alive.
    """
    columns = [a.name for decl in reversed(chain) for a in decl.attributes if a.value is None]
    template = ""
    if isinstance(chain[0], ast.Piece):
        named = [decl.named for decl in chain if isinstance(decl, ast.Piece) and decl.named is not None]
        template = named[0] if named else kind.lower()
    return ast.RowEdit(replace(op), kind, template, tuple(dict.fromkeys(columns)), span=op.span)


def row_addresses(op: ast.RowOp) -> Iterator[str]:
    """Addresses of what a change writes, so that another one that writes the same can be found."""
    if isinstance(op, ast.AddRowOp):
        return
    key = "" if op.rows.key is None else f' "{op.rows.key}"'
    where = "" if op.rows.where is None else f" where {print_expr(op.rows.where)}"
    rows = f"row{key} of {op.rows.kind}{where}"
    if isinstance(op, ast.SetRowsOp):
        yield from dict.fromkeys(f"{rows}: {cell.column}" for cell in op.cells)
    else:
        yield rows


def with_edits(rules: Rules, decl: ast.Decl) -> ast.Decl:
    """A declaration that comes anew, with the changes that the rows of its table have had already."""
    if not has_rows(decl):
        return decl
    other = next((d for d in rules.decls.values() if has_rows(d) and d.edits and same_table(d, decl)), None)
    if other is None or other is decl:
        return decl
    return made_once(lambda: replace(decl, edits=other.edits), decl, other)


C = TypeVar("C", bound=ast.Clause)

_BELONG: Mapping[type[ast.Clause], str] = {
    ast.Option: "options are added to a choice",
    ast.Modifier: "modifiers are added to a `value`",
    ast.Case: "cases are added to a query that has some",
    ast.MoreArms: "arms are added to a `match`",
    ast.Unless: "exceptions are added to a restriction, by its label",
    ast.Forbid: "restrictions are added to a choice, to `limits`, or to a procedure or option as a whole",
}
"""Places where clauses can be added, by the kind of the first one."""

_PARTS = (ast.Many, ast.Modifier, ast.Case)
_FIXED = (ast.Game, ast.Players, ast.WithPlayers, ast.Variant, ast.Scenario, ast.Precedence)


@dataclass(slots=True)
class Overlay:
    """Lays operations over rules, and knows which labels were written, to find conflicts."""

    rules: Rules
    title: str
    written: dict[str, str] = field(default_factory=dict)
    """Address to the title of the overlay that wrote it; shared along a chain of variants."""
    rulebook: Rulebook | None = None
    """The one that is cited, where it is another one than that of the rules beneath."""
    beneath: Mapping[str, ast.Decl] = field(default_factory=dict)
    """The declarations whose statements are numbered, where they have no label: those beneath all overlays."""

    def apply(self, op: ast.OverlayOp) -> None:
        """Apply one operation; what it aims at must exist."""
        match op:
            case ast.AddDeclOp(ast.ExtendOp() | ast.CasesForOp() as extension):
                self.apply(extension)
            case ast.AddDeclOp(decl) | ast.ReplaceDeclOp(decl) if isinstance(decl, _FIXED):
                self.rules.report.error("VAR404", "an overlay cannot change this", op.span)
            case ast.AddDeclOp(decl):
                self.rules.add(with_edits(self.rules, made_once(lambda: _cited(decl, op), decl, op)))
            case ast.ReplaceDeclOp(decl):
                decl = with_edits(self.rules, made_once(lambda: _cited(decl, op), decl, op))
                name = name_of(decl)
                if name is None or name not in self.rules.decls:
                    self._vanished(name or "this", op)
                elif self._claim(name, op):
                    self._put(decl, op)
                    self.rules.unique_labels(self.rules.decls[name], name)
            case ast.AssignOp(path, value):
                self._set(path, value, op)
            case ast.RemoveOp(path):
                self._remove(path, op)
            case ast.ReplaceClauseOp(path, value):
                self._replace(path, value, op)
            case ast.ExtendOp(path, clauses):
                self._extend(path, clauses, op)
            case ast.CasesForOp(values, ops):
                for own in reversed(ops):  # a case goes before those that are there
                    self._extend(own.path, self._for(values, own), own)
            case ast.InsertOp():
                self._insert(op)
            case ast.MoveOp():
                self._move(op)
            case ast.UnchangedOp(path):
                self._unchanged(path, op)
            case ast.SetRowsOp() | ast.AddRowOp() | ast.RemoveRowsOp():
                self._edit_rows(op)

    # ------------------------------------------------------------------------------------------ helpers

    def _claim(self, address: str, op: ast.Clause) -> bool:
        if address in self.written:
            other = self.written[address]
            whose = "this overlay twice" if other == self.title else f"`{other}` and `{self.title}`"
            hint = "" if other == self.title else f'where one cannot be played with the other: `excludes "{other}"`'
            self.rules.report.error("VAR402", f"`{address}` is changed by {whose}", op.span, hint=hint)
            return False
        self.written[address] = self.title
        return True

    def _vanished(self, address: str, op: ast.Clause, known: Iterable[str] = (), otherwise: str = "") -> None:
        near = suggest(address, list(known) or list(self.rules.decls)) if address not in self.beneath else None
        inside = (f"{name}.{address}" for name, decl in self.rules.decls.items() if address in labels(decl))
        near = near or next(inside, None)
        otherwise = self._taken_away(address) if address in self.beneath else otherwise
        self.rules.report.error(
            "VAR401",
            f"there is no `{address}` to change",
            op.span,
            hint=f"did you mean `{near}`?" if near else otherwise,
        )

    def _target(
        self, path: ast.Path, op: ast.Clause, otherwise: str = "", first: Collection[str] = ()
    ) -> ast.Decl | None:
        """The declaration that is changed; if there is none, `first` are the names that are likeliest meant."""
        decl = self.rules.decls.get(path.parts[0])
        if decl is None or (otherwise and len(path.parts) > 2):
            self._vanished(str(path), op, first if suggest(str(path), first) else (), otherwise)
            return None
        return decl

    def _parameters(self) -> list[str]:
        return [name for name, decl in self.rules.decls.items() if isinstance(decl, ast.Parameter)]

    def _put(self, decl: ast.Decl, *op: object) -> None:
        """Put a declaration in the place of that of its name; `op` is all from which it follows besides that one."""
        name = name_of(decl)
        assert name is not None
        before = self.rules.decls[name]
        self.rules.decls[name] = made_once(
            lambda: told_apart(decl, before), before, *(one for one in op if one is not None)
        )

    def _at(self, decl: ast.Decl, address: str) -> Callable[[ast.Clause], bool]:
        """A test for the clauses of a declaration that an address means."""
        return addressed(decl, address, self.beneath.get(name_of(decl) or ""))

    def _labelled(self, decl: ast.Decl, path: ast.Path, op: ast.Clause) -> bool:
        meant = self._at(decl, path.address)
        if any(meant(clause) for clause in walk(decl)):
            return True
        name, part = path.parts[0], path.address
        known = list(dict.fromkeys([*addresses(self.beneath.get(name, decl)), *labels(decl)]))
        word = part.rstrip("0123456789")
        alike = [one for one in known if one.rstrip("0123456789") == word] if word.endswith("_") else []
        near = None if alike else suggest(part, known)
        what = listing((f"{name}.{one}" for one in alike or known), 16) if known else "nothing in it that has a name"
        hint = f"did you mean `{name}.{near}`?" if near else f"there is {what}"
        hint = self._taken_away(str(path)) if part in known else hint
        self.rules.report.error("VAR401", f"there is no `{path}` to change", op.span, hint=hint)
        return False

    @staticmethod
    def _taken_away(address: str) -> str:
        return f"it stands in the rules beneath, but another change has taken `{address}` away"

    # --------------------------------------------------------------------------------------- operations

    def _set(self, path: ast.Path, value: ast.Expr, op: ast.Clause) -> None:
        *row, column = path.parts
        keyed = self.rules.decls.get(row[0]) if len(row) == 1 else None
        if isinstance(keyed, ast.Parameter):
            self._set_entry(keyed, path, value, op)
            return
        of_row = f'the row of a table is changed by `set row "{row[-1]}" of Type: {column} = value`' if row else ""
        decl = self._target(path, op, of_row, self._parameters())
        if decl is None:
            return
        if not isinstance(decl, ast.Parameter) or len(path.parts) > 1:
            self.rules.report.error(
                "VAR404", f"`set` changes parameters, and `{path}` is not one", op.span, hint="use `replace`"
            )
        elif self._claim(str(path), op):
            self.rules.first_values.setdefault(decl.name, decl.value)
            self._put(_rewritten(replace(decl, value=value, by_count=()), op), op)

    def _set_entry(self, decl: ast.Parameter, path: ast.Path, value: ast.Expr, op: ast.Clause) -> None:
        """Another value for one of the keys of a parameter, for every number of players."""
        key = decl.type.key.name if isinstance(decl.type, ast.KeyedType) else decl.key or ""
        enum = self.rules.decls.get(key)
        keys = enum.values if isinstance(enum, ast.EnumDecl) else ()
        written = (decl.value, *(other.value for other in decl.by_count))
        whole, *others = (with_entry(one, keys, path.parts[1], value, op.span) for one in written)
        if whole is None or None in others:
            hint = f"write `set {decl.name} =` and the value as a whole"
            self.rules.report.error("VAR404", f"`{decl.name}` has no `{path.parts[1]}` to set", op.span, hint=hint)
        elif self._claim(str(path), op):
            self.rules.first_values.setdefault(decl.name, decl.value)
            by_count = tuple(replace(b, value=v) for b, v in zip(decl.by_count, others, strict=True) if v is not None)
            self._put(_rewritten(replace(decl, value=whole, by_count=by_count), op), op)

    def _remove(self, path: ast.Path, op: ast.Clause) -> None:
        decl = self._target(path, op)
        if decl is None or not self._claim(str(path), op):
            return
        if len(path.parts) == 1:
            del self.rules.decls[path.parts[0]]
        elif self._labelled(decl, path, op):
            meant = self._at(decl, path.address)
            self._put(rewrite(decl, lambda c: () if meant(c) else None), op)

    def _replace(self, path: ast.Path, value: Instead, op: ast.Clause) -> None:
        decl = self._target(path, op)
        if decl is None or not self._claim(str(path), op):
            return
        if len(path.parts) == 1:
            if isinstance(decl, (ast.Query, ast.Value)) and not isinstance(value, _PARTS):
                changes: dict[str, object] = {"value": value}
                if isinstance(decl, ast.Query):
                    changes |= {"lines": ()}
                self._put(_rewritten(replace(decl, **changes), op), op)  # type: ignore[arg-type]
            elif isinstance(decl, (ast.Invariant, ast.Property, ast.Witness)) and not isinstance(value, _PARTS):
                self._put(_rewritten(replace(decl, condition=value), op), op)
            else:
                self._wrong(path, op, isinstance(decl, WithBody))
            return
        label = path.address
        if label == "when" and isinstance(decl, (ast.End, ast.Consequence)) and not isinstance(value, _PARTS):
            self._put(_rewritten(replace(decl, when=value), op), op)
        elif self._labelled(decl, path, op):
            done = False
            meant = self._at(decl, label)

            def edit(clause: ast.Clause) -> tuple[ast.Clause, ...] | None:
                nonlocal done
                if not meant(clause):
                    return None
                made = with_value(clause, value)
                done = done or made is not None
                return None if made is None else (_rewritten(made, op),)

            self._put(rewrite(decl, edit), op)
            if not done and isinstance(value, ast.Call | ast.Name):  # a call as the whole statement
                del self.written[str(path)]
                call = ast.CallStatement(value, span=op.span)
                self._insert(made_once(lambda: ast.InsertOp("replace", path, (call,), True, span=op.span), op))
            elif not done:
                self._wrong(path, op, _holds(decl, meant) or is_statement(decl, meant))

    def _wrong(self, path: ast.Path, op: ast.Clause, stands_alone: bool = False) -> None:
        step = f"write `replace {path}:` and the new line, or `replace {path}` and below it several"
        hint = step if stands_alone else "replace the whole declaration"
        self.rules.report.error("VAR404", f"`{path}` cannot be replaced by this", op.span, hint=hint)

    def _no_place(self, op: ast.InsertOp) -> None:
        where = "in place of" if op.where == "replace" else op.where
        message = f"no statement can stand {where} `{op.path}`, which is none itself"
        inside = len(op.path.parts) > 1
        hint = f"name a statement: `rulewright show … {op.path.parts[0]}` tells their addresses" if inside else ""
        self.rules.report.error("VAR404", message, op.span, hint=hint)

    def _for(self, values: tuple[ast.Expr, ...], own: ast.ExtendOp) -> tuple[ast.Clause, ...]:
        """The arm or case of a line in a block for some values."""
        (clause,) = own.clauses
        match clause:
            case ast.MoreArms((arm,)):
                return (replace(clause, arms=(replace(arm, values=values),)),)
            case ast.Case():
                decl = self.rules.decls.get(own.path.parts[0])
                subject = ast.Name(self._about(decl, values) if isinstance(decl, ast.Query) else "", span=own.span)
                tests: list[ast.Expr] = [replace(is_value(subject, value), span=own.span) for value in values]
                whole = reduce(lambda one, other: ast.Binary("or", one, other, span=own.span), tests)
                if clause.condition is not None:
                    whole = ast.Binary("and", whole, clause.condition, span=own.span)
                return (replace(clause, condition=whole),)
            case ast.Modifier():
                label = "_".join(value.name.lower() for value in values if isinstance(value, ast.Name | ast.TypeName))
                return (replace(clause, label=label or "own"),)
            case _:
                return own.clauses

    def _about(self, query: ast.Query, values: tuple[ast.Expr, ...]) -> str:
        """The parameter of a query that has some values: the first of such a kind, or of an enum with such a name, else
        the first."""
        names = {value.name for value in values if isinstance(value, ast.Name)}
        kinds = {value.name for value in values if isinstance(value, ast.TypeName)}
        held = ((p.name, nodes(p.type)) for p in query.params)
        of_kind = (
            name for name, inside in held if any(isinstance(n, ast.NamedType) and n.name in kinds for n in inside)
        )
        enums = [
            (param.name, self.rules.decls.get(param.type.name))
            for param in query.params
            if isinstance(param.type, ast.NamedType)
        ]
        known = (name for name, enum in enums if isinstance(enum, ast.EnumDecl) and not names.isdisjoint(enum.values))
        tables = (name for name, enum in enums if isinstance(enum, ast.EnumDecl) and enum.table is not None)
        return next(of_kind, None) or next(known, next(tables, query.params[0].name if query.params else ""))

    def _extend(self, path: ast.Path, clauses: tuple[ast.Clause, ...], op: ast.Clause) -> None:
        decl = self._target(path, op)
        if decl is None:
            return
        meant = self._at(decl, path.address) if len(path.parts) > 1 else None
        options = [c for c in walk(decl) if isinstance(c, ast.Option) and meant is not None and meant(c)]
        known = {label.rpartition(".")[2] for label in labels(options[0])} if options else set(labels(decl))
        for clause in clauses:
            label = label_of(clause)
            if label is not None and label in known:
                message = f"`{path.parts[0]}` already has a `{label}`"
                at = ast.Path((*(path.parts if options else path.parts[:1]), label))
                self.rules.report.error("VAR402", message, clause.span, hint=_replaced_instead(at, clause))
                return
        if meant is not None and not self._labelled(decl, path, op):
            return
        made = extended(decl, meant, clauses)
        if made is None:
            hint = next((words for kind, words in _BELONG.items() if isinstance(clauses[0], kind)), "")
            if isinstance(clauses[0], ast.Option):
                eithers = [one for one in addresses(decl) if one.startswith("either")]
                hint += f": `in {path.parts[0]}.{eithers[0]}`" if eithers else ""
            message = f"`{path}` cannot be extended by these clauses"
            self.rules.report.error("VAR404", message, op.span, hint=hint)
        else:
            self._put(made, op)
            self.rules.unique_labels(self.rules.decls[path.parts[0]], path.parts[0])

    def _insert(self, op: ast.InsertOp) -> None:
        decl = self._target(op.path, op)
        if decl is None:
            return
        if len(op.path.parts) == 1:
            if not isinstance(decl, WithBody):
                self._no_place(op)
            elif op.where == "before":
                self._put(replace(decl, body=op.body + decl.body), op)
            elif op.where == "after":
                self._put(replace(decl, body=decl.body + op.body), op)
            else:
                self._put(_rewritten(replace(decl, body=op.body), op), op)
            return
        if not self._labelled(decl, op.path, op):
            return
        meant = self._at(decl, op.path.address)
        if not is_statement(decl, meant) and not (op.where == "replace" and _holds(decl, meant)):
            self._no_place(op)
            return
        if op.where == "replace" and not self._claim(str(op.path), op):
            return

        def edit(clause: ast.Clause) -> tuple[ast.Clause, ...] | None:
            if not meant(clause):
                return None
            if op.where == "before":
                return (*op.body, clause)
            if op.where == "after":
                return (clause, *op.body)
            if isinstance(clause, ast.Option):
                count = sum(1 for _ in takewhile(lambda c: isinstance(c, ast.Restriction), op.body))
                first, rest = cast("tuple[ast.Restriction, ...]", op.body[:count]), op.body[count:]
                return (_rewritten(replace(clause, restrictions=first, body=rest, one_line=op.one_line), op),)
            if isinstance(clause, ast.Arm):
                return (_rewritten(replace(clause, body=op.body, one_line=op.one_line), op),)
            return (_rewritten(replace(clause, body=op.body), op),) if isinstance(clause, ast.Step) else op.body

        self._put(rewrite(decl, edit), op)
        self.rules.unique_labels(self.rules.decls[op.path.parts[0]], op.path.parts[0])

    def _move(self, op: ast.MoveOp) -> None:
        decl = self._target(op.path, op)
        if decl is None:
            return
        for path in (op.path, op.anchor):
            if len(path.parts) < 2 or path.parts[0] != op.path.parts[0]:
                message = f"`move` puts a statement of `{op.path.parts[0]}` before or after another one of it"
                self.rules.report.error("VAR404", message, op.span)
                return
            if not self._labelled(decl, path, op):
                return
        meant, anchor = self._at(decl, op.path.address), self._at(decl, op.anchor.address)
        moved = [c for c in nodes(decl) if isinstance(c, ast.Clause) and meant(c)]
        left = rewrite(decl, lambda c: () if meant(c) else None)
        if len(moved) > 1 or not is_statement(decl, meant) or not is_statement(left, anchor):
            self.rules.report.error("VAR404", f"`{op.path}` cannot be moved to `{op.anchor}`", op.span)
        elif self._claim(str(op.path), op):
            clause = _cited(self._translated(moved[0]), op) if op.trivia.cites else moved[0]

            def edit(other: ast.Clause) -> tuple[ast.Clause, ...] | None:
                if not anchor(other):
                    return None
                return (clause, other) if op.where == "before" else (other, clause)

            self._put(rewrite(left, edit), op, self.rulebook)

    def _unchanged(self, path: ast.Path, op: ast.UnchangedOp) -> None:
        decl = self._target(path, op)
        if decl is None:
            return
        if not op.trivia.cites:
            message = "`unchanged` only says which statements are transcribed here, and it cites none"
            self.rules.report.error("VAR404", message, op.span, hint="add them after it, such as `@RULE-3`")
        elif len(path.parts) == 1:
            self._put(_cited(self._translated(decl), op), op, self.rulebook)
        elif self._labelled(decl, path, op):
            meant = self._at(decl, path.address)
            made = rewrite(decl, lambda c: (_cited(self._translated(c), op),) if meant(c) else None)
            self._put(made, op, self.rulebook)

    def _edit_rows(self, op: ast.RowOp) -> None:
        kind = op.kind if isinstance(op, ast.AddRowOp) else op.rows.kind
        decl = self.rules.decls.get(kind)
        if decl is None:
            self._vanished(kind, op, [d.name for d in self.rules.decls.values() if has_rows(d)] or ["\0"])
        elif isinstance(decl, ast.Piece) and decl.table is None and isinstance(op, ast.AddRowOp):
            self._put(replace(decl, table=IN_RULES + kind), op)  # all its rows stand in the rules
            self._edit_rows(op)
        elif not has_rows(decl):
            message = f"{kind} has no table whose rows could be changed"
            hint = "`replace` the declaration" if isinstance(decl, ast.EnumDecl | ast.Piece) else ""
            self.rules.report.error("VAR404", message, op.span, hint=hint)
        elif all(self._claim(address, op) for address in row_addresses(op)):
            chain = kinds_above(self.rules, decl)
            edit = row_edit(op, kind, chain)
            for other in [d for d in self.rules.decls.values() if has_rows(d) and same_table(d, decl)]:
                self._put(replace(other, edits=(*other.edits, edit)), op, *chain)

    def _translated(self, clause: C) -> C:
        """The clause without citations of the other rulebook: its text is in the words of this one now."""
        if self.rulebook is None:
            return clause
        kept = tuple(cite for cite in clause.trivia.cites if cite in self.rulebook.by_id)
        return replace(clause, trivia=replace(clause.trivia, cites=kept))


def _holds(decl: ast.Decl, meant: Callable[[ast.Clause], bool]) -> bool:
    """True if what is meant is an option or arm, whose statements can be replaced."""
    return any(isinstance(clause, ast.Option | ast.Arm) and meant(clause) for clause in walk(decl))


def _replaced_instead(path: ast.Path, clause: ast.Clause) -> str:
    """Advice for a clause whose label is there already."""
    if not isinstance(clause, ast.Modifier | ast.Forbid | ast.Unless):
        return "use `replace`"
    instead = replace(clause, label="") if isinstance(clause, ast.Modifier) else clause.condition
    return f"write `{print_file(ast.File((ast.ReplaceClauseOp(path, instead),))).strip()}`"


def _cited(clause: C, op: ast.Clause) -> C:
    """The clause with what the overlay cites, too."""
    if not op.trivia.cites:
        return clause
    return replace(clause, trivia=replace(clause.trivia, cites=(*op.trivia.cites, *clause.trivia.cites)))


def _rewritten(clause: C, op: ast.Clause) -> C:
    """A clause with another content: it stands where the overlay wrote it, and cites what is cited there."""
    inner = tuple(cite for _, trivia in clause.trivia.inner for cite in trivia.cites)
    return replace(clause, span=op.span, trivia=replace(clause.trivia, cites=(*op.trivia.cites, *inner)))
