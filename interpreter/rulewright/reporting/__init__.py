"""Findings as text for people, as JSON for programs.

text = to_text(diagnostics, colour=True)     # errors as a compiler shows them, with the line and carets
data = to_json(diagnostics)                  # schemas/diagnostics.schema.json
page = explain("REF001")                     # docs/diagnostics/REF001.md
all  = catalogue()                           # every code with its title and severity
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulewright.foundation.lazy import lazy_exports

if TYPE_CHECKING:
    from rulewright.diagnostics import Edit as Edit
    from rulewright.diagnostics.codes import GROUPS as GROUPS
    from rulewright.diagnostics.codes import QUIET as QUIET
    from rulewright.diagnostics.codes import Code as Code
    from rulewright.diagnostics.codes import group_of as group_of
    from rulewright.reporting.jsonform import to_json as to_json
    from rulewright.reporting.order import count as count
    from rulewright.reporting.order import in_order as in_order
    from rulewright.reporting.order import summary as summary
    from rulewright.reporting.pages import catalogue as catalogue
    from rulewright.reporting.pages import catalogue_table as catalogue_table
    from rulewright.reporting.pages import codes as codes
    from rulewright.reporting.pages import explain as explain
    from rulewright.reporting.pages import page_file as page_file
    from rulewright.reporting.pages import title as title
    from rulewright.reporting.pages import word as word
    from rulewright.reporting.text import render as render
    from rulewright.reporting.text import to_text as to_text

    __all__: list[str]
else:
    __getattr__, __dir__, __all__ = lazy_exports(__name__)
