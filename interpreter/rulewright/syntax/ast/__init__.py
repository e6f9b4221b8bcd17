"""The syntax tree of the rules language: what a designer wrote, with its places, comments and citations.

Every node is immutable and knows its :class:`~rulewright.diagnostics.Span`, which does not take part in
comparison: two trees are equal when they say the same. Nodes that stand on a line of their own (declarations,
statements, restrictions, modifiers, cases, overlay operations, scenario lines) are *clauses*: they also carry
:class:`Trivia`, the comments above and after them, and the rulebook statements they cite.
"""

from __future__ import annotations

from rulewright.syntax.ast.base import *
from rulewright.syntax.ast.components import *
from rulewright.syntax.ast.expressions import *
from rulewright.syntax.ast.overlays import *
from rulewright.syntax.ast.rules import *
from rulewright.syntax.ast.scenarios import *
from rulewright.syntax.ast.statements import *
from rulewright.syntax.ast.types import *
