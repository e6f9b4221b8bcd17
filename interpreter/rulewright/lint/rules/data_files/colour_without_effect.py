"""DAT035: a kind with two colours."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.lint.context import Finding, lint
from rulewright.lint.subject import Subject


@lint("DAT035")
def colour_without_effect(subject: Subject) -> Iterator[Finding]:
    """A kind of pieces whose colour the hints for drawing give twice: by an attribute, and by its name."""
    source = subject.ruleset.manifest.source
    draw = source.value.get("draw") if source is not None and isinstance(source.value, dict) else None
    if source is None or not isinstance(draw, dict):
        return
    colours, by = draw.get("colours"), draw.get("colour_by")
    if not isinstance(colours, dict) or not isinstance(by, dict):
        return
    above = {kind: game.compiler.world.ancestors(kind) for game in subject.games for kind in game.compiler.world.kinds}
    for word in colours:
        through = next((kind for kind in above.get(word, ()) if kind in by), None)
        if through is not None:
            message = f"`{word}` has two colours: that of its `{by[through]}` counts, this one does not"
            yield Finding(message, source.span(("draw", "colours", word), key=True), "leave out one of them")
