"""Finding one's way in a ruleset: what a word stands for, where that is declared, where else it is used.

    index = rw.navigation.Navigator().index(ruleset)
    symbols, span = index.at("game.rules", 12, 7)      # what stands there
    index.declared(symbols[0]), index.uses(symbols[0])

Everything is found in the text as it is, half written rules included: nothing is compiled for it.
"""

from __future__ import annotations

from rulewright.navigation.completion import Candidate, Completion, complete
from rulewright.navigation.explanations import citing, count_of, explain_symbol, explain_word
from rulewright.navigation.file_symbols import FileSymbols
from rulewright.navigation.rename import RenameError, renamable, rename
from rulewright.navigation.source_words import Words, words_of
from rulewright.navigation.symbol_index import Navigator, SymbolIndex
from rulewright.navigation.symbols import Declared, Symbol
from rulewright.syntax.lexer.token import Token

__all__ = [
    "Candidate",
    "Completion",
    "Declared",
    "FileSymbols",
    "Navigator",
    "RenameError",
    "Symbol",
    "SymbolIndex",
    "Token",
    "Words",
    "citing",
    "complete",
    "count_of",
    "explain_symbol",
    "explain_word",
    "renamable",
    "rename",
    "words_of",
]
