"""``rulewright trace``: which statements of the rulebook the rules transcribe, and which they do not."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from rich.text import Text

import rulewright as rw
from rulewright_tools import arguments as arg
from rulewright_tools.console import Exit, out, plural, print_json, put
from rulewright_tools.error_boundary import guarded
from rulewright_tools.progress import working
from rulewright_tools.reports.pages.trace_page import trace_page
from rulewright_tools.reports.trace_report import Trace, report, trace_of
from rulewright_tools.vocabulary import named


class TraceFormat(StrEnum):
    """Formats of the trace."""

    TEXT = "text"
    JSON = "json"
    HTML = "html"


@guarded
def trace(
    path: arg.Ruleset,
    variants: arg.Variants = None,
    fail_under: arg.FailUnder = 0.0,
    format: Annotated[TraceFormat, named("--format")] = TraceFormat.TEXT,
) -> Exit:
    """Compare a ruleset with its rulebook: statements without a rule, rules without a statement, and the part covered.

    The figure counts normative statements that apply and do not merely repeat another one.

    In a ruleset that extends another one, rules that still hold stand for the statements that say the same here.

    Scenarios are examples, not rules: they do not count. All variants of a ruleset do, or those that are given by
    --variant.

    Examples:

      rulewright trace tic-tac-toe
      rulewright trace connect-four --fail-under 100
      rulewright trace baron --format html
    """
    with working("tracing"):
        ruleset, titles = rw.rulesets.with_variants(path, variants or ())
        found = trace_of(ruleset, titles if variants else ())
    if format is TraceFormat.JSON:
        print_json(report(found))
    elif format is TraceFormat.HTML:
        put(trace_page(report(found)))
    else:
        show(found)
    below = found.percent < fail_under
    return Exit.FINDINGS if below or found.unknown else Exit.FINE


def show(trace: Trace) -> None:
    """The trace for a person."""
    console = out()
    covered, missing = trace.having("covered"), trace.having("missing")
    total = len(covered) + len(missing)
    colour = "green" if not missing else "yellow"
    if not trace.rows:
        console.print(
            Text.assemble((trace.title, "bold"), ": no statement of a rulebook is listed that its rules could cite")
        )
        return
    figure = f" of {plural(total, 'applicable statement')} cited by a rule ({len(covered)} of {total})"
    console.print(Text.assemble((trace.title, "bold"), ": ", (f"{trace.percent:g} %", colour), figure))
    for row in missing:
        console.print(f"  without a rule   {row.statement.id}  {row.statement.statement}")
    for one in trace.unknown:
        console.print(f"  unknown id       {one.statement}  {one.file}:{one.line} in {one.rule}")
    for row in trace.having("not applicable"):
        console.print(f"  not applicable   {row.statement.id}  {row.reason}")
    for bare in trace.uncited:
        console.print(f"  cites nothing    {bare.word} {bare.rule}  {bare.file}:{bare.line}")
    shared = sum(1 for row in covered if all(one.same_as for one in row.rules))
    if shared:
        console.print(f"{shared} of these by rules of the extended ruleset, which says the same")
    examples = sum(1 for row in covered if row.examples)
    console.print(
        f"{examples} of these have a scenario; left out: {plural(len(trace.having('repeat')), 'repeat')}, "
        f"{len(trace.having('not applicable'))} not applicable, {len(trace.having('not normative'))} not normative",
    )
