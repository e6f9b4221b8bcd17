"""``rulewright explain``: the page of a diagnostic."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.markdown import Markdown

from rulewright import reporting
from rulewright_tools.console import Exit, Trouble, out
from rulewright_tools.guard import guarded


@guarded
def explain(
    code: Annotated[str, typer.Argument(metavar="CODE", help="Code of a diagnostic, as REF001.")],
) -> Exit:
    """Explain a diagnostic: what it means, why it is one, and how to mend it.

    Example:

      rulewright explain REF001
    """
    text = reporting.explain(code)
    if text is None:
        near = [known for known in reporting.codes() if known[:3] == code.strip().upper()[:3]]
        hint = f"; there are {', '.join(near)}" if near else ""
        raise Trouble(f"there is no page for {code}{hint}")
    console = out()
    if console.is_terminal:
        console.print(Markdown(text))
    else:
        console.print(text, markup=False, end="")
    return Exit.FINE
