"""VAR410: a change that changes nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulewright.compiler import player_counts, sources
from rulewright.compiler.overlays.declaration_set import Rules
from rulewright.compiler.overlays.layers import for_game
from rulewright.compiler.overlays.overlay_operations import Overlay
from rulewright.diagnostics import Report, Span
from rulewright.lint.analyses.text_fixes import removal
from rulewright.lint.context import Finding, Subject, lint
from rulewright.syntax import ast


@lint("VAR410")
def overlay_no_effect(subject: Subject) -> Iterator[Finding]:
    """Changes that leave the rules as they are, with every number of players for which they are made."""
    rules = subject.source.rules
    effect: dict[tuple[Span, ast.OverlayOp], bool] = {}
    for count in player_counts(rules):
        bare = for_game(rules, count, (), Report())
        bare.decls = dict(rules.decls)
        _lay(bare, (op for block in rules.by_count if count in block.counts for op in block.ops), effect)
        for variant in rules.variants:
            _lay(for_game(rules, count, (), Report()), variant.ops, effect)
    if subject.ruleset.base is not None:
        beneath = Rules(Report(), dict(sources(subject.ruleset.base).rules.decls))
        _lay(beneath, (op for op in rules.changes if not isinstance(op, ast.ExtendOp)), effect)
    for (_, op), changed in effect.items():
        if not changed:
            yield Finding("this changes nothing: the rules say so already", op.span, fix=removal(op))
    for decl in rules.all(ast.Parameter):
        for other in decl.by_count:
            if other.value == decl.value:
                many = " or ".join(map(str, other.counts))
                yield Finding(f"`{decl.name}` has this value anyway, not only with {many} players", other.span)


def _lay(rules: Rules, ops: Iterable[ast.OverlayOp], effect: dict[tuple[Span, ast.OverlayOp], bool]) -> None:
    """Lay changes over rules one by one, and note which of them make a difference."""
    overlay = Overlay(rules, "")
    for op in ops:
        before = dict(rules.decls)
        overlay.apply(op)
        key = (op.span, op)
        effect[key] = effect.get(key, False) or isinstance(op, ast.UnchangedOp) or rules.decls != before
