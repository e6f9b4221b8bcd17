"""Lint rules about variants and overlays."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulewright.compiler import player_counts, sources
from rulewright.compiler.overlays.declaration_set import Rules
from rulewright.compiler.overlays.layers import for_game
from rulewright.compiler.overlays.overlay_operations import Overlay
from rulewright.data.paths import shown
from rulewright.data.ruleset import Ruleset
from rulewright.diagnostics import Report, RulesetError, Span
from rulewright.findings.text.analyses.text_fixes import removal
from rulewright.findings.text.context import Finding, lint
from rulewright.findings.text.subject import Subject
from rulewright.syntax import ast
from rulewright.syntax.printer.expression_printer import print_expr


@lint("VAR410")
def overlay_without_effect(subject: Subject) -> Iterator[Finding]:
    """Changes that leave the rules as they are, with every number of players for which they are made."""
    rules = subject.source.rules
    effect = _Effects(subject.ruleset)
    for count in player_counts(rules):
        bare = for_game(rules, count, (), Report())
        bare.decls = dict(rules.decls)
        effect.lay(bare, (op for block in rules.by_count if count in block.counts for op in block.ops))
        for variant in rules.variants:
            effect.lay(for_game(rules, count, (), Report()), variant.ops)
    if subject.ruleset.base is not None:
        beneath = Rules(Report(), dict(sources(subject.ruleset.base).rules.decls))
        effect.lay(beneath, (op for op in rules.changes if not isinstance(op, ast.ExtendOp | ast.CasesForOp)))
    for (_, op), changed in effect.found.items():
        if not changed:
            yield Finding(f"this changes nothing: {_reason(op)}", op.span, fix=removal(op))
    for decl in rules.all(ast.Parameter):
        for other in decl.by_count:
            if other.value == decl.value:
                many = " or ".join(map(str, other.counts))
                yield Finding(f"`{decl.name}` has this value anyway, not only with {many} players", other.span)


def _reason(op: ast.OverlayOp) -> str:
    """The reason why a change makes no difference."""
    match op:
        case ast.AssignOp(path, value):
            return f"`{path}` is {print_expr(value)} already"
        case ast.ReplaceClauseOp(path):
            return f"`{path}` says just this already"
        case _:
            return "the rules say so already"


class _Effects:
    """Changes, and whether they have made a difference anywhere."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.found: dict[tuple[Span, ast.OverlayOp], bool] = {}

    def lay(self, rules: Rules, ops: Iterable[ast.OverlayOp]) -> None:
        """Lay changes over rules one by one, and note which of them make a difference."""
        overlay = Overlay(rules, "", beneath=dict(rules.decls))
        for op in ops:
            before = dict(rules.decls)
            overlay.apply(op)
            key = (op.span, op)
            made = isinstance(op, ast.UnchangedOp) or self._differ(before, rules.decls, op)
            self.found[key] = self.found.get(key, False) or made

    def _differ(self, before: dict[str, ast.Decl], after: dict[str, ast.Decl], op: ast.OverlayOp) -> bool:
        if before == after:
            return False
        if not isinstance(op, ast.RowOp):
            return True
        changed = [(before[name], decl) for name, decl in after.items() if before[name] is not decl]
        return any(self._rows(a) != self._rows(b) for a, b in changed)

    def _rows(self, decl: ast.Decl) -> object:
        """The rows of a declaration; what cannot be changed in them is reported elsewhere."""
        if not isinstance(decl, ast.EnumDecl | ast.Piece):
            return None
        try:
            table = self.ruleset.table_of(decl)
        except RulesetError:
            return object()
        return object() if table.findings else table.rows


@lint("VAR414")
def shadowed_file(subject: Subject) -> Iterator[Finding]:
    """Tables and maps that the rules beneath name, and that are read from this folder now: the whole file counts."""
    ruleset = subject.ruleset
    beneath: dict[str, Ruleset] = {}
    below = ruleset.base
    while below is not None:
        for name in below.named_files:
            beneath.setdefault(name, below)
        below = below.base
    for name, base in sorted(beneath.items()):
        path = ruleset.folder / name
        if path.is_file() and (base.folder / name).is_file():
            message = f"`{name}` is read in place of that of {base.title}, with all its rows"
            hint = "to change some rows, write `set row`, `add row` and `remove row` in the rules"
            yield Finding(message, Span(shown(path)), hint)


@lint("VAR411")
def untested_variant(subject: Subject) -> Iterator[Finding]:
    """Variants that no scenario plays, in a ruleset that has scenarios and whose manifest lists the variant's file."""
    scenarios = subject.source.rules.scenarios
    elsewhere = {file.path for file in subject.ruleset.files if not file.name}
    tried = {line.title for scenario in scenarios for line in scenario.lines if isinstance(line, ast.SVariant)}
    for variant in subject.source.rules.variants if scenarios else ():
        if variant.title not in tried and variant.span.file not in elsewhere:
            yield Finding(f'no scenario plays the variant "{variant.title}"', variant.span)
