"""Lint rules about hidden information."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from rulewright.compiler.tree_walk import named_in
from rulewright.diagnostics import NOWHERE, Span
from rulewright.findings.text.analyses.control_flow import flow_of
from rulewright.findings.text.analyses.declaration_nodes import nodes_of
from rulewright.findings.text.analyses.hidden_reads import Secret
from rulewright.findings.text.analyses.mentions import mentions
from rulewright.findings.text.analyses.option_secrets import (
    Telling,
    asks_players,
    betraying,
    own_and_unseen,
    secrets_of,
)
from rulewright.findings.text.analyses.program_index import ProgramIndex, memoized_by_code
from rulewright.findings.text.analyses.rule_index import first_span
from rulewright.findings.text.context import Finding, lint
from rulewright.findings.text.subject import Configuration, Subject
from rulewright.foundation.memo import memoized_by_node
from rulewright.ir import model as m
from rulewright.ir.dataflow.effects import NOTHING, asks_location, instructions_of
from rulewright.ir.declared_sight import DeclaredSight, Level, sight_of
from rulewright.ir.rule_places import declared
from rulewright.ir.walk import nodes
from rulewright.knowledge.answers.answer_flow import Answers
from rulewright.knowledge.secrets.hidden_values import correlated_fields
from rulewright.knowledge.secrets.public_flow import public_lines
from rulewright.syntax import ast


@lint("INF329")
def correlated_secret(subject: Subject) -> Iterator[Finding]:
    """Hidden fields that hold what follows from other secrets: an agent that searches draws each value by itself, if no
    invariant relates them."""
    reported: set[str] = set()
    hint = "say what always holds in an `invariant`: worlds that break it are thrown away"
    for index in (game.ask(ProgramIndex) for game in subject.games):
        for name in _correlated(index):
            if name not in reported and not _is_bound(index.game, name):
                reported.add(name)
                message = f"`{name}` holds what follows from secrets: who looks ahead imagines each value by itself"
                yield Finding(message, first_span(index.game, name), hint)


def _is_bound(game: Configuration, name: str) -> bool:
    """True if an invariant reads a field."""
    flow = game.ask(flow_of)
    conditions = (d.condition for d in game.rules.decls.values() if isinstance(d, ast.Invariant))
    return any(name in flow.reads(mentions(condition)) for condition in conditions)


@memoized_by_code
def _correlated(index: ProgramIndex) -> tuple[str, ...]:
    """The hidden fields whose values are neither revealed by the rules nor just chosen or drawn."""
    if not any(index.concerns(f.name) for f in index.program.fields):
        return ()
    idle = {f.name for f in filter(sight_of(index.program).seen_by_none, index.program.fields)} - index.read_by_rules[0]
    return tuple(name for name in correlated_fields(index.program) if name not in idle)


@lint("INF327")
def traceable_piece(subject: Subject) -> Iterator[Finding]:
    """Fields that get a piece which was chosen by its name, and reveal to those who do not see it where its back
    lies."""
    reported: set[str] = set()
    for index in (game.ask(ProgramIndex) for game in subject.games):
        for name, choice in _named(index):
            if name not in reported:
                reported.add(name)
                message = f"`{name}` tells where the piece lies that was named with `{choice}`, and not which it is"
                hint = "`face seen by everyone` tells which it is, wherever it lies; or keep what is printed on it"
                yield Finding(message, first_span(index.game, name), hint)


@memoized_by_code
def _named(index: ProgramIndex) -> tuple[tuple[str, str], ...]:
    """The name of each such field, and a choice whose answer goes there."""
    fields = {f.name for f in index.program.fields if index.concerns(f.name) and _shows_backs(f)}
    hidden = _hidden(index.program, index.visibility().public) if fields else 0
    if not hidden:
        return ()
    kinds = frozenset(kind.name for kind in index.program.kinds if kind.members & hidden)
    answers: Answers | None = None
    found = []
    for function in index.program.functions:
        for pc, i in instructions_of(function, (m.Choose,)):
            if i.universe == "Piece" and _by_name(index, i, kinds):
                answers = answers or Answers(index.program)
                traces = answers.of(function.name, pc).which.sinks
                names = dict.fromkeys(trace.name for trace in traces if trace.sort == "field")
                found += [(name, f"{function.name}.{i.label}") for name in names if name in fields]
    return tuple(found)


def _shows_backs(field: m.Field) -> bool:
    """True if a field mentions pieces and does not name them to all who see it."""
    over_pieces = "Piece" in field.index or field.ty.universe == "Piece"
    return over_pieces and any(audience.facet == "all" for audience in field.audiences)


def _hidden(program: m.Program, public: Collection[str]) -> int:
    """The pieces that may lie where not everybody sees their faces: in zones that are not public."""
    members = {kind.name: kind.members for kind in program.kinds}
    found = 0
    for zone in program.zones:
        if zone.name not in public:
            for kind in zone.kinds or members:
                found |= members[kind]
    return found


def _by_name(index: ProgramIndex, i: m.Choose, hidden: frozenset[str]) -> bool:
    """True if a choice is one of all pieces of a kind that may lie hidden, wherever they lie."""
    expressions = [e for e in (i.source, i.where) if e is not None]
    read = NOTHING.union(*map(index.effects.reads, expressions))
    if asks_location(read) or any(token.startswith("zone ") for token in read):
        return False
    return not hidden.isdisjoint(_kinds(index, expressions))


def _kinds(index: ProgramIndex, expressions: list[m.Expr]) -> Iterator[str]:
    """The kinds of pieces of which expressions speak as a whole, through queries, too."""
    parts, seen = list(expressions), set[str]()
    for e in parts:  # which grows meanwhile
        for node in nodes(e):
            if isinstance(node, m.Kind):
                yield node.name
            elif isinstance(node, m.CallQuery) and node.query not in seen and (query := index.query(node.query)):
                seen.add(node.query)
                parts.append(query.body)


@lint("INF325")
def own_secret(subject: Subject) -> Iterator[Finding]:
    """Zones and fields of a player that hide from them what they have put there themselves."""
    reported: set[str] = set()
    for index in (game.ask(ProgramIndex) for game in subject.games):
        for name, choice, zone in _own_secrets(index):
            if name not in reported:
                reported.add(name)
                what = "what they put" if zone else "what they store"
                message = f"`{name}` hides from its owner {what} there with `{choice}`: they will remember it"
                yield Finding(message, first_span(index.game, name), "let its owner see the face of it")


@memoized_by_code
def _own_secrets(index: ProgramIndex) -> tuple[tuple[str, str, bool], ...]:
    """The name of each such zone or field, a choice of its owner that goes there, and whether it is a zone."""
    return tuple(_put(index))


def _put(index: ProgramIndex) -> Iterator[tuple[str, str, bool]]:
    program = index.program
    sight = sight_of(program)
    fields = {f.name: f for f in program.fields if "Player" in f.index and not _seen_by_owner(f, sight)}
    zones = {z.name: z for z in program.zones if "Player" in z.index and not (_seen_by_owner(z, sight) or z.faced)}
    fields = {name: field for name, field in fields.items() if index.concerns(name)}
    zones = {name: zone for name, zone in zones.items() if index.concerns(name)}
    mixed = _mixed(index) if zones else frozenset()
    zones = {name: zone for name, zone in zones.items() if name not in mixed}
    if not zones and not fields:
        return
    answers = Answers(program)
    for function in program.functions:
        for pc, i in enumerate(function.code):
            if not isinstance(i, m.Choose):
                continue
            for trace in answers.of(function.name, pc).which.sinks:
                declared = (zones if trace.sort == "zone" else fields if trace.sort == "field" else {}).get(trace.name)
                if declared is None or not trace.index or trace.facet != "face":
                    continue
                if own_and_unseen(index, i, trace.name, trace.index):
                    yield trace.name, f"{function.name}.{i.label}", trace.sort == "zone"


def _seen_by_owner(declared: m.Zone | m.Field, sight: DeclaredSight) -> bool:
    """True if it has no owner, or is seen by them or everybody as most such things are."""
    seen = {Level.OWNER, Level.SEATS, Level.EVERYBODY}
    return not declared.binders or not seen.isdisjoint(sight.levels(declared))


def _mixed(index: ProgramIndex) -> frozenset[str]:
    """The zones whose order cannot be remembered: those that are shuffled or drawn from."""
    program = index.program
    found = {zone.name for zone in program.zones if zone.order == "bag"}
    for i in (i for function in program.functions for i in function.code):
        if isinstance(i, m.SwapItems):
            found.add(i.zone)
        elif isinstance(i, m.Chance) and i.universe == "Piece":
            found |= {token.removeprefix("zone ") for token in index.effects.reads(i.source)}
    return frozenset(found)


@lint("INF321")
def secret_in_options(subject: Subject) -> Iterator[Finding]:
    """Options that depend on something which the player to act may not see."""
    reported: set[tuple[Span, str]] = set()
    for index in (game.ask(ProgramIndex) for game in subject.games):
        for function, i, secret in _secrets(index):
            finding = _read(index.game, function, i, secret)
            if (finding.span, finding.message) not in reported:
                reported.add((finding.span, finding.message))
                yield finding


@memoized_by_code
def _secrets(index: ProgramIndex) -> tuple[tuple[str, m.Choose, Secret], ...]:
    """The functions, the choices in them, and what their options depend on."""
    asking = (f for f in index.program.functions if asks_players(f) and index.concerns(f.name, *_restrictions(f)))
    return tuple((function.name, i, secret) for function in asking for i, secret in secrets_of(function, index))


@memoized_by_node
def _restrictions(function: m.Function) -> frozenset[str]:
    """The names of the restrictions of its choices: a finding may be reported at one of them."""
    choices = (i for i in function.code if isinstance(i, m.Choose))
    held = (several for i in choices for several in (i.restrictions, *(extra.restrictions for extra in i.extras)))
    return frozenset(one.label for several in held for one in several)


def _read(game: Configuration, function: str, i: m.Choose, secret: Secret) -> Finding:
    choice = f"{function}.{i.label}" if i.label else function
    what = f"the {'number of pieces' if secret.facet == 'count' else 'pieces'} in" if secret.zone else "the value of"
    whose = " of others" if secret.others else ""
    message = f"the options of `{choice}` depend on {what} `{secret.name}`{whose}, which the asked player may not see"
    hint = (
        f"`show` it to them first, or let them see `{secret.name}`"
        if secret.zone
        else "it must not decide what they may do"
    )
    return Finding(message, first_span(game, secret.label, choice, function), hint)


@lint("INF326")
def unseen_log_line(subject: Subject) -> Iterator[Finding]:
    """Lines of ``tells`` that contain a secret, or depend on one: the log leaves them out."""
    found: dict[Span, str] = {}
    for index in (game.ask(ProgramIndex) for game in subject.games if _has_lines(game)):
        for name, line in _silent(index):
            found |= dict.fromkeys(_written(index.game, name, line), name)
    hint = "tell it where it is seen by all, or leave out what is hidden; a piece may be named by its key"
    for span, name in found.items():
        message = f"no player hears this line of `{name}`: it would tell what is hidden from some of them"
        yield Finding(message, span, hint)


def _has_lines(game: Configuration) -> bool:
    """True if there are lines that findings are wanted about."""
    return any(isinstance(line_of_log, ast.Tell) for decl in game.decls for line_of_log in nodes_of(decl, ast.Tell))


@memoized_by_code
def _silent(index: ProgramIndex) -> tuple[tuple[str, m.Tell], ...]:
    """The lines that are left out of the log, and the functions in which they stand."""
    public = public_lines(index.program)
    lines = ((f.name, pc, i) for f in index.program.functions for pc, i in instructions_of(f, (m.Tell,)))
    return tuple((name, i) for name, pc, i in lines if not public.may_be_public((name, pc)))


def _written(game: Configuration, name: str, line: m.Tell) -> list[Span]:
    """The places where a line may stand: those in its own declaration, if they are found there."""
    decls = game.rules.decls
    own = [decls[name]] if name in decls else list(decls.values())
    return [
        line_of_log.span for decl in own for line_of_log in nodes_of(decl, ast.Tell) if line_of_log.words == line.words
    ]


@lint("INF324")
def secret_without_use(subject: Subject) -> Iterator[Finding]:
    """Zones and fields that no player sees and no rule reads: what goes there is lost."""
    first: dict[str, Configuration] = {}
    used: set[str] = set()
    for index in (game.ask(ProgramIndex) for game in subject.games):
        declared = {zone.name for zone in index.program.zones} | {field.name for field in index.program.fields}
        used |= declared - _idle(index)
        for name in _idle(index):
            first.setdefault(name, index.game)
    for name in sorted(first.keys() - used):
        span = first_span(first[name], name)
        message = f"nobody sees `{name}` and no rule reads it: its contents have no effect"
        yield Finding(message, span, "let somebody see it, use it in a rule, or leave it out")


@memoized_by_code
def _idle(index: ProgramIndex) -> frozenset[str]:
    """The zones and fields of a game that no player sees and nothing reads."""
    sight = sight_of(index.program)
    zones = {z.name for z in index.program.zones if sight.seen_by_none(z) and index.concerns(z.name)}
    fields = {f.name for f in index.program.fields if sight.seen_by_none(f) and index.concerns(f.name)}
    if not zones and not fields:
        return frozenset()
    read_fields, read_zones = index.read_by_rules
    return frozenset(zones - read_zones - index.inside) | (fields - read_fields)


@lint("INF328")
def revealing_decision(subject: Subject) -> Iterator[Finding]:
    """Questions and draws of which it depends on something hidden whether they come."""
    reported: set[tuple[Span, str]] = set()
    for index in (game.ask(ProgramIndex) for game in subject.games):
        for function, i, secret in _questions(index):
            function = declared(function)
            reactions = _reactions(function, index.game)
            question, comes, hint = _described(function, i, index, reactions)
            read = (
                f"the {'number of pieces' if secret.facet == 'count' else 'pieces'} in"
                if secret.zone
                else "the value of"
            )
            message = f"whether {comes} depends on {read} `{secret.name}`, which not everybody sees"
            finding = Finding(message, first_span(index.game, question, function), hint)
            window = first_span(index.game, question) == NOWHERE and reactions
            if (key := (finding.span, secret.name if window else message)) not in reported:
                reported.add(key)
                yield finding


def _described(
    function: str, i: Telling, index: ProgramIndex, reactions: Sequence[ast.Reaction]
) -> tuple[str, str, str]:
    """Words for what comes: its name, what happens, and what one writes instead."""
    named = i.at if isinstance(i, m.Call) else i.label
    question = f"{function}.{named}" if named else function
    if isinstance(i, m.Chance) or (isinstance(i, m.Call) and not index.asks(i.function)):
        hint = "let chance draw in any case, before the condition, and use what it gives only where it counts"
        return question, f"chance draws for `{question}`", hint
    hint = "ask whoever might, with only `pass` where nothing is possible: `asked anyway`, or `may choose`"
    if any(decl.chooser is not None for decl in reactions) and all(decl.by is None for decl in reactions):
        hint = (
            "what happens by itself shows it anyway: say so with `# allow INF328: why`, or let a player react, `by p`"
        )
    return question, f"`{question}` is asked", hint


def _reactions(event: str, game: Configuration) -> list[ast.Reaction]:
    return [decl for decl in game.rules.all(ast.Reaction) if event in named_in(decl.event)]


@memoized_by_code
def _questions(index: ProgramIndex) -> tuple[tuple[str, Telling, Secret], ...]:
    """The functions, what asks or draws in them, and on what it depends."""
    functions = (f for f in index.program.functions if index.concerns(f.name))
    return tuple((f.name, i, secret) for f in functions for i, secret in betraying(f, index))
