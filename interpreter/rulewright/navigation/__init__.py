"""Finding one's way in a ruleset: what a word stands for, where that is declared, where else it is used.

    index = rw.navigation.Navigator().index(ruleset)
    symbols, span = index.at("game.rules", 12, 7)      # what stands there
    index.names_of(symbols[0]), index.references(symbols[0])

Everything is found in the text as it is, half written rules included: nothing is compiled for it.
"""

from __future__ import annotations

from rulewright.navigation.completion import Candidate, Completion, complete
from rulewright.navigation.file_symbols import FileSymbols
from rulewright.navigation.hover import citing, count_of, explain_symbol, explain_word
from rulewright.navigation.rename import RenameError, renamable, rename
from rulewright.navigation.source_tokens import SourceTokens, tokens_of
from rulewright.navigation.symbol_index import Navigator, SymbolIndex
from rulewright.navigation.symbols import Declaration, Symbol
from rulewright.syntax.lexer.token import Token

__all__ = [
    "Candidate",
    "Completion",
    "Declaration",
    "FileSymbols",
    "Navigator",
    "RenameError",
    "Symbol",
    "SymbolIndex",
    "Token",
    "SourceTokens",
    "citing",
    "complete",
    "count_of",
    "explain_symbol",
    "explain_word",
    "renamable",
    "rename",
    "tokens_of",
]
