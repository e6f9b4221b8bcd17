"""Rules that are never reached, never end, or end the game in the wrong way."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.compiler.driver import MAIN
from rulewright.compiler.overlays.declaration_set import name_of
from rulewright.compiler.tree_walk import nodes
from rulewright.lint.doing import FlowAnalysis, blocks, rooted
from rulewright.lint.index import Index, in_all_games
from rulewright.lint.subject import Finding, Lint, Subject, lint
from rulewright.lint.truth import Truths, operands
from rulewright.syntax import ast
from rulewright.syntax.printer.expression_printer import print_expr

_LEAVE = (ast.Stop, ast.Return, ast.Win, ast.RankAll, ast.Forbid, ast.Obey)
_FAR = 30
"""How many statements below are looked at for another assignment."""
_SIMPLE = (ast.Assign, ast.Let, ast.Move, ast.Flip, ast.Show)

# ------------------------------------------------------------------------------------------ never reached


@lint("CTL117", "unreachable-statement")
def unreachable(subject: Subject) -> Iterator[Finding]:
    """Statements behind the point where the rules go elsewhere."""
    return in_all_games(subject, _unreachable)


def _unreachable(index: Index) -> Iterator[Finding]:
    flow = index.game.ask(FlowAnalysis)
    for inside in index.nodes.values():
        for block in blocks(inside):
            at = next((i for i, s in enumerate(block[:-1]) if flow.left(s)), None)
            if at is not None:
                yield Finding(f"this is never reached: {_why(block[at])}", block[at + 1].span)


def _why(s: ast.Stmt) -> str:
    line = f"in line {s.span.line}"
    match s:
        case ast.Win() | ast.RankAll():
            return f"the game is over {line}"
        case ast.Return():
            return f"`return` stands {line}"
        case ast.Stop():
            return f"`stop` stands {line}"
        case ast.Repeat():
            return f"the repetition {line} never stops"
        case ast.CallStatement():
            return f"nothing comes back from the call {line}"
    return f"every way leads elsewhere {line}"


# ------------------------------------------------------------------------------------ the end of the game


@lint("CTL104", "game-without-end")
def without_end(subject: Subject) -> Iterator[Finding]:
    """No rule that is ever run ends the game."""
    return in_all_games(subject, _without_end)


def _without_end(index: Index) -> Iterator[Finding]:
    flow = index.game.ask(FlowAnalysis)
    bodies = [flow.calls[n].body for n in flow.run()] + [d.body for d in flow.reacting]
    if not any(flow.finishes(body) for body in bodies):
        hint = "`finish with winner p`, or an `end`"
        yield Finding("no rule ends the game with a result", flow.calls[MAIN].span, hint=hint)


@lint("CTL119", "game-may-run-out")
def may_run_out(subject: Subject) -> Iterator[Finding]:
    """The game may come to the end of `play`, where nobody has won."""
    return in_all_games(subject, _may_run_out)


def _may_run_out(index: Index) -> Iterator[Finding]:
    flow = index.game.ask(FlowAnalysis)
    if flow.returns(MAIN) and not any(_without_end(index)):
        hint = "say who wins then: `finish with winner …`"
        yield Finding(f"the game may come to the end of `{MAIN}` without a result", flow.calls[MAIN].span, hint=hint)


@lint("CTL105", "not-all-ranked")
def not_all_ranked(subject: Subject) -> Iterator[Finding]:
    """A ranking at the end that leaves somebody out."""
    return in_all_games(subject, _not_all_ranked)


def _not_all_ranked(index: Index) -> Iterator[Finding]:
    for node in index.all_nodes():
        if isinstance(node, ast.RankAll):
            source = node.bind.source
            some = isinstance(source, (ast.Ranked, ast.SetOf, ast.ListOf)) or (
                isinstance(source, ast.Comprehension) and source.where is not None
            )
            if some or (isinstance(source, ast.Binary) and source.op == "except"):
                hint = "rank all, and let a first measure put the others last"
                yield Finding("not everybody gets a place in this ranking", node.span, hint=hint)


# ------------------------------------------------------------------------------------------- for nothing


@lint("CTL106", "set-twice")
def set_twice(subject: Subject) -> Iterator[Finding]:
    """Something that is set and set again before anybody could have read it."""
    return in_all_games(subject, _set_twice)


def _set_twice(index: Index) -> Iterator[Finding]:
    flow = index.game.ask(FlowAnalysis)
    watched = frozenset().union(*(flow.reads(d.when) for d in flow.reacting if not isinstance(d, ast.Reaction)))
    for decl in index.decls:
        asks = not (isinstance(decl, ast.Callable) and decl.word == "effect")
        for block in blocks(index.nodes.get(name_of(decl) or "", ())):
            for at, s in enumerate(block):
                if not (isinstance(s, ast.Assign) and s.op == "=") or index.acts(s.value):
                    continue
                name = rooted(s.target)
                if asks and name in watched:
                    continue  # a consequence looks at it in between
                again = _again(s, block[at + 1 : at + 1 + _FAR], flow)
                if again is not None:
                    said = f"`{print_expr(s.target)}` is set again in line {again.span.line}, and nobody has read it"
                    yield Finding(said, s.span)


def _again(first: ast.Assign, rest: tuple[ast.Stmt, ...], flow: FlowAnalysis) -> ast.Assign | None:
    name = rooted(first.target)
    keys = flow.reads(first.target) - {name, f"local {name}"}
    for s in rest:
        if not isinstance(s, _SIMPLE) or flow.index.acts(s):
            return None
        if isinstance(s, ast.Assign):
            read = flow.reads(s.value) | (flow.reads(s.target) - {name, f"local {name}"})
            if s.op != "=" and rooted(s.target) == name:
                return None
        else:
            read = flow.reads(s)
        if read & {name, f"local {name}"}:
            return None
        if isinstance(s, ast.Assign) and s.target == first.target:
            return s
        if flow.writes(s) & keys:
            return None
    return None


@lint("CTL120", "repetition-without-progress")
def no_progress(subject: Subject) -> Iterator[Finding]:
    """A repetition whose condition nothing in it can change."""
    return in_all_games(subject, _no_progress)


def _no_progress(index: Index) -> Iterator[Finding]:
    flow = index.game.ask(FlowAnalysis)
    follows = flow.follows()
    for node in index.all_nodes():
        if not isinstance(node, ast.Repeat) or any(isinstance(n, _LEAVE) for n in nodes(node.body)):
            continue
        if flow.finishes(node.body):
            continue
        changed = flow.writes(node.body) | follows
        if node.mode in ("until", "while") and node.value is not None:
            if index.acts(node.value) or index.has_parameter(node.value) or flow.reads(node.value) & changed:
                continue
            yield Finding(f"nothing in this repetition changes `{print_expr(node.value)}`", node.span)
        elif node.mode == "forever" and node.at_most is None:
            ends = [d for d in flow.reacting if isinstance(d, ast.End)]
            if ends and not any(flow.reads(d.when) & changed for d in ends):
                yield Finding("this never ends: nothing in it changes what an end of the game reads", node.span)


@lint("CTL121", "consequence-without-progress")
def consequence_stays(subject: Subject) -> Iterator[Finding]:
    """A consequence that cannot make its own condition false would follow for ever."""
    return in_all_games(subject, _consequence_stays)


def _consequence_stays(index: Index) -> Iterator[Finding]:
    flow = index.game.ask(FlowAnalysis)
    for decl in index.game.rules.all(ast.Consequence):
        if flow.finishes(decl.body):
            continue
        if not flow.reads(decl.when) & flow.writes(decl.body):
            said = f"`{decl.name}` changes nothing that its condition reads: it would follow for ever"
            yield Finding(said, decl.span)
        elif (kept := _keeps_true(decl, flow)) is not None:
            said = f"`{decl.name}` leaves its own condition true: it would follow for ever"
            yield Finding(said, kept.span)


def _keeps_true(decl: ast.Consequence, flow: FlowAnalysis) -> ast.Assign | None:
    """The one assignment of a consequence, if its condition holds still, or again, when it is done."""
    if len(decl.body) != 1 or not isinstance(one := decl.body[0], ast.Assign) or one.op != "=":
        return None
    value = flow.index.value_of(one.value)
    name = rooted(one.target)
    truths = Truths(flow.index)
    concerned = [p for p in operands(decl.when, "and") if name in flow.reads(p)]
    atoms = [truths.atom(p) for p in concerned]
    about = [a for a in atoms if a.subject.expr == one.target and a.subject.sense in ("value", "holds")]
    if value is None or not all(a.holds(value) for a in about):
        return None
    same = any([v for v in truths.tried([a]) or () if a.holds(v)] == [value] for a in about)
    return one if same or len(about) == len(atoms) else None


@lint("CTL123", "condition-never-changes")
def never_changes(subject: Subject) -> Iterator[Finding]:
    """An end or consequence that looks only at what no rule changes."""
    return in_all_games(subject, _never_changes)


def _never_changes(index: Index) -> Iterator[Finding]:
    flow = index.game.ask(FlowAnalysis)
    changed = flow.follows().union(*(flow.written_by(n) for n in flow.run()))
    decls: list[ast.End | ast.Consequence] = [*index.game.rules.all(ast.End), *index.game.rules.all(ast.Consequence)]
    for decl in decls:
        if not flow.reads(decl.when) & changed:
            said = f"no rule changes what `{decl.name}` looks at: it happens at once, or never"
            yield Finding(said, decl.span)


@lint("CTL118", "field-never-set")
def never_set(subject: Subject) -> Iterator[Finding]:
    """A field that keeps the value with which the game begins."""
    return in_all_games(subject, _never_set)


def _never_set(index: Index) -> Iterator[Finding]:
    flow = index.game.ask(FlowAnalysis)
    changed = flow.follows().union(*(flow.written_by(n) for n in flow.calls))
    spoken = {n.name for n in index.all_nodes() if isinstance(n, ast.Name)}
    for decl in index.game.rules.all(ast.FieldDecl):
        if decl.name in spoken and decl.name not in changed:
            hint = "what never changes is a `param`, or printed in a table"
            yield Finding(f"no rule ever sets `{decl.name}`", decl.span, hint=hint)


@lint("CTL122", "lasting-elsewhere")
def lasting_elsewhere(subject: Subject) -> Iterator[Finding]:
    """A field that lasts as long as a block, but is set or asked only outside of it."""
    return in_all_games(subject, _lasting_elsewhere)


def _lasting_elsewhere(index: Index) -> Iterator[Finding]:
    flow = index.game.ask(FlowAnalysis)
    asked_anywhere = frozenset().union(
        *(flow.reads(d) for d in index.decls if not isinstance(d, (ast.Callable, ast.FieldDecl, ast.Query, ast.Value)))
    )
    for name, field in index.world.fields.items():
        if field.lasting is None or name in asked_anywhere:
            continue
        inside = _extent(field.lasting, flow)
        within = {id(n) for body in inside for n in nodes(body)}
        uses = [n for d in flow.calls.values() for n in nodes(d.body)]
        sets = [n for n in uses if isinstance(n, ast.Assign) and rooted(n.target) == name]
        targets = {id(n) for s in sets for n in nodes(s.target)}
        asks = [
            n for n in uses
            if isinstance(n, ast.Name) and id(n) not in targets and (n.name == name or name in _through(n.name, flow))
        ]  # fmt: skip
        for kind, where in (("set", sets), ("asked", asks)):
            if where and not any(id(n) in within for n in where):
                said = f"`{name}` lasts as long as `{field.lasting}`, but it is {kind} only outside of it"
                yield Finding(said, field.decl.span)


def _through(name: str, flow: FlowAnalysis) -> frozenset[str]:
    """What a query or limits reads."""
    held = flow.queries.get(name) or flow.limits.get(name)
    return flow.reads(held) if held is not None else frozenset()


def _extent(block: str, flow: FlowAnalysis) -> list[object]:
    """All that happens between the beginning and the end of a procedure or step."""
    bodies: list[object] = []
    called: list[str] = []
    if block in flow.calls:
        called.append(block)
    for decl in (*flow.calls.values(), *flow.reacting):
        for step in nodes(decl.body):
            if isinstance(step, ast.Step) and step.label == block:
                bodies.append(step.body)
                called += flow.named(step.body)
    return bodies + [flow.calls[n].body for n in flow.reached(called)]


RULES: tuple[Lint, ...] = (
    unreachable,
    without_end,
    may_run_out,
    not_all_ranked,
    set_twice,
    no_progress,
    consequence_stays,
    never_changes,
    never_set,
    lasting_elsewhere,
)
