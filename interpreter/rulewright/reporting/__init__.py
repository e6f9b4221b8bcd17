"""How findings are told: as text for people, as JSON for programs, as SARIF for editors and forges.

text = to_text(diagnostics, colour=True)     # errors as a compiler shows them, with the line and carets
data = to_json(diagnostics)                  # schemas/diagnostics.schema.json
data = to_sarif(diagnostics)                 # SARIF 2.1.0
page = explain("REF001")                     # docs/diagnostics/REF001.md
all  = catalogue()                           # every code with its title and severity
"""

from rulewright.diagnostics.codes import GROUPS, Code
from rulewright.reporting.catalogue import catalogue, catalogue_table, word
from rulewright.reporting.jsonform import to_json
from rulewright.reporting.order import count, in_order, summary
from rulewright.reporting.pages import codes, explain, title
from rulewright.reporting.sarif import to_sarif
from rulewright.reporting.text import render, to_text

__all__ = [
    "GROUPS",
    "Code",
    "catalogue",
    "catalogue_table",
    "codes",
    "count",
    "explain",
    "in_order",
    "render",
    "summary",
    "title",
    "to_json",
    "to_sarif",
    "to_text",
    "word",
]
