"""INF321: options that depend on a secret."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.diagnostics import Span
from rulewright.foundation.memo import memoized_by_node
from rulewright.ir import model as m
from rulewright.lint.analyses.code_memo import memoized_by_code
from rulewright.lint.analyses.hidden_reads import Secret
from rulewright.lint.analyses.information_flow import asks_players, secrets_of
from rulewright.lint.analyses.program_index import ProgramIndex
from rulewright.lint.analyses.rule_index import first_span
from rulewright.lint.context import Finding, lint
from rulewright.lint.subject import Configuration, Subject


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
