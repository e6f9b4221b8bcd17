"""Finding one's way in a ruleset: what a word stands for, where that is declared, where else it is used.

    index = rw.navigation.Navigator().index(ruleset)
    symbols, span = index.at("game.rules", 12, 7)      # what stands there
    index.names_of(symbols[0]), index.references(symbols[0])

Everything is found in the text as it is, half written rules included: nothing is compiled for it.
"""

from __future__ import annotations

from rulewright.navigation.call_hierarchy import Calls, callable_at, incoming_calls, outgoing_calls
from rulewright.navigation.completion import Candidate, Completion, complete
from rulewright.navigation.declared_types import name_of_type
from rulewright.navigation.file_symbols import FileSymbols
from rulewright.navigation.hover import citing, count_of, explain_symbol, explain_word
from rulewright.navigation.indentation import indent_of_new_line, indent_of_word
from rulewright.navigation.overlay_changes import OverlayChange, changes, changes_of, replaced_by, values_for_counts
from rulewright.navigation.refactoring import (
    Proposal,
    cite_here,
    cite_statement,
    extract_query,
    make_parameter,
    new_scenario,
)
from rulewright.navigation.rename import RenameError, renamable, rename
from rulewright.navigation.selection import selections
from rulewright.navigation.symbol_index import Navigator, SymbolIndex
from rulewright.navigation.symbols import Declaration, Symbol
from rulewright.navigation.syntax_context import SourceTokens, tokens_of
from rulewright.navigation.type_inference import TypeInference
from rulewright.syntax.lexer.tokens import Token
