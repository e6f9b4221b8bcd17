"""Hidden information: options that tell a player what he may not see, and secrets that nothing comes of."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.diagnostics import NOWHERE, Severity, Span
from rulewright.ir import model as m
from rulewright.ir.dataflow.answer_flow import Answers
from rulewright.ir.dataflow.effects import EffectAnalysis
from rulewright.ir.walk import nodes
from rulewright.lint.index import Index
from rulewright.lint.secrets import Secret, Sight, own_and_unseen, secrets_of, unseen
from rulewright.lint.subject import Configuration, Finding, Lint, Subject, lint


def _rule_span(game: Configuration, name: str) -> Span:
    """Where a rule of the program stands, with its whole clause."""
    rule = next((r for r in game.program.rules if r.name == name), None)
    if rule is None:
        return NOWHERE
    at = (rule.file, rule.line, rule.column)
    clauses = [n.span for n in game.ask(Index).all_nodes() if (n.span.file, n.span.line, n.span.column) == at]
    return max(clauses, default=Span(rule.file, rule.line, rule.column, rule.line, rule.column))


def _first_span(game: Configuration, *names: str) -> Span:
    return next((span for span in (_rule_span(game, name) for name in names) if span != NOWHERE), NOWHERE)


@lint("INF321", "secret-in-options")
def secret_in_options(subject: Subject) -> Iterator[Finding]:
    """Options that depend on something which the player who is asked may not see."""
    told: set[tuple[Span, str]] = set()
    for game in subject.games:
        sight = Sight(game.program)
        for function in game.program.functions:
            for i in function.code:
                if not isinstance(i, m.Choose):
                    continue
                for secret in secrets_of(sight, i):
                    finding = _read(game, function.name, i, secret)
                    if (finding.span, finding.message) not in told:
                        told.add((finding.span, finding.message))
                        yield finding


def _read(game: Configuration, function: str, i: m.Choose, secret: Secret) -> Finding:
    choice = f"{function}.{i.label}" if i.label else function
    what = f"the {'number of pieces' if secret.facet == 'count' else 'pieces'} in" if secret.zone else "the value of"
    whose = " of others" if secret.others else ""
    message = f"who is asked `{choice}` may not see {what} `{secret.name}`{whose}, but what he is offered depends on it"
    hint = (
        f"`show` it to him first, or let `{secret.name}` be seen" if secret.zone else "it may not decide what he may do"
    )
    return Finding(message, _first_span(game, secret.label, choice, function), hint)


@lint("INF324", "secret-without-use", Severity.INFO)
def secret_without_use(subject: Subject) -> Iterator[Finding]:
    """Zones and fields that nobody sees and no rule reads: what goes there is never spoken of again."""
    idle: list[set[str]] = []
    for game in subject.games:
        program, depend = game.program, EffectAnalysis.of(game.program)
        read: frozenset[str] = frozenset()
        for function in program.functions:
            for i in function.code:
                read |= depend.reads(i)  # type: ignore[arg-type]
        for audience in (a for f in program.fields for a in f.audiences):
            read |= depend.reads(audience.by) if audience.by is not None else frozenset()
        for audience in (a for z in program.zones for a in z.audiences):
            read |= depend.reads(audience.by) if audience.by is not None else frozenset()
        asked = [n for f in program.functions for i in f.code for n in nodes(i) if isinstance(n, m.InZone)]
        named = {zone for n in asked for zone in n.zones}
        idle.append(
            {z.name for z in program.zones if unseen(z) and f"zone {z.name}" not in read and z.name not in named}
            | {f.name for f in program.fields if unseen(f) and f"field {f.name}" not in read}
        )
    for name in sorted(set.intersection(*idle)) if idle else ():
        span = _first_span(subject.games[0], name)
        message = f"nobody sees `{name}` and no rule reads it: what it holds never comes to light"
        yield Finding(message, span, "let somebody see it, use it in a rule, or leave it out")


@lint("INF325", "own-secret", Severity.INFO)
def own_secret(subject: Subject) -> Iterator[Finding]:
    """Zones and fields of a player that hide from them what they have put there themselves."""
    told: set[str] = set()
    for game in subject.games:
        for name, choice, zone in _own_secrets(game.program):
            if name not in told:
                told.add(name)
                what = "what they lay" if zone else "what they write"
                message = f"`{name}` hides from its owner {what} there with `{choice}`: they will remember it"
                yield Finding(message, _first_span(game, name), "let its owner see the face of it")


def _own_secrets(program: m.Program) -> Iterator[tuple[str, str, bool]]:
    """The name of a zone or field, a choice of its owner that goes there, and whether it is a zone."""
    mixed = _mixed(program)
    zones = {z.name: z for z in program.zones if not (_seen_by_owner(z) or z.faced or z.name in mixed)}
    fields = {f.name: f for f in program.fields if not _seen_by_owner(f)}
    if not zones and not fields:
        return
    answers, sight = Answers(program), Sight(program)
    for function in program.functions:
        for pc, i in enumerate(function.code):
            if not isinstance(i, m.Choose):
                continue
            for trace in answers.of(function.name, pc).which.traces:
                declared = (zones if trace.sort == "zone" else fields if trace.sort == "field" else {}).get(trace.name)
                if declared is None or not trace.index or trace.facet != "face":
                    continue
                if own_and_unseen(sight, i, declared, trace.index):
                    yield trace.name, f"{function.name}.{i.label}", trace.sort == "zone"


def _seen_by_owner(declared: m.Zone | m.Field) -> bool:
    """Whether it has no owner, or is seen by them or everybody as most such things are."""
    owners = [m.MakeSet((m.Var(binder),)) for binder in declared.binders]
    by = [a.by for a in declared.audiences if a.facet in ("face", "all")]
    return not owners or any(one in owners or (isinstance(one, m.Const) and one.value) for one in by)


def _mixed(program: m.Program) -> frozenset[str]:
    """The zones of which nobody can remember what lies where: those that are shuffled or drawn from."""
    depend = EffectAnalysis.of(program)
    found = {zone.name for zone in program.zones if zone.order == "bag"}
    for i in (i for function in program.functions for i in function.code):
        if isinstance(i, m.SwapItems):
            found.add(i.zone)
        elif isinstance(i, m.Chance) and i.universe == "Piece":
            found |= {token.removeprefix("zone ") for token in depend.reads(i.source)}
    return frozenset(found)


RULES: tuple[Lint, ...] = (secret_in_options, secret_without_use, own_secret)
