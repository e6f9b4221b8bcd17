"""Limits on the size of a ruleset, all in one place.

Within these sizes `check` needs a few seconds and a few hundred megabytes; what is larger is refused by name, with the
number that was found, before time or memory are spent on it. The numbers are far above what printed games need, and
``docs/guide/limits.md`` lists them all.
"""

# ------------------------------------------------------------------------------------------------------- files

FILE_BYTES = 10 * 1024 * 1024
"""The bytes of one file."""
FILES = 500
"""The files that a manifest lists: rules, variants and scenarios."""
EXTENDED = 8
"""The rulesets of a chain in which each extends the next."""

# -------------------------------------------------------------------------------------------------- data files

JSON_DEPTH = 64
"""The lists and objects of a JSON file that are nested in each other; data of a game needs five."""
JSON_VALUES = 60_000
"""The values and keys of one JSON file."""
TABLE_CELLS = 60_000
"""The cells of one CSV file."""
DATA_FINDINGS = 20
"""The findings about one data file; more help nobody."""

# ------------------------------------------------------------------------------------------------- rules as text

RULES_CHARACTERS = 500_000
"""The characters of one rules file."""
ALL_CHARACTERS = 1_500_000
"""The characters of all rules files of a ruleset."""
ALL_TOKENS = 240_000
"""The words and signs of all rules files of a ruleset, as they are counted before a file is read."""
CLAUSE_TOKENS = 3_000
"""The words and signs of one clause."""
BRACKETS = 64
"""The brackets that are nested in each other."""
BLOCKS = 32
"""The blocks that are nested in each other."""
EXPRESSION_DEPTH = 100
"""The operators and calls of an expression that are nested in each other, chains included."""
NAME = 80
"""The letters of a name."""
TEXT = 500
"""The characters between two quotes."""
DIGITS = 15
"""The digits of a number."""
SYNTAX_FINDINGS = 100
"""The findings about one rules file; the rest of the file is not read."""

# ------------------------------------------------------------------------------------------------ rules as a whole

DECLARATIONS = 4_000
"""The declarations of a ruleset, those of the rulesets it extends included."""
NODES = 40_000
"""The words, operators and clauses of all declarations, as the parser counts them."""
CLAUSES = 3_500
"""The clauses of one declaration."""
VARIANTS = 100
"""The variants of a ruleset."""
SCENARIOS = 2_000
"""The scenarios of a ruleset."""
CHANGES = 2_000
"""The changes that overlays make: those of variants, numbers of players and an extending ruleset."""

# ------------------------------------------------------------------------------------------------------- games

PLAYERS = 64
"""The players of a game."""
KINDS = 500
"""The kinds of pieces."""
PIECES = 4_096
"""The pieces of a game."""
PRINTED = 60_000
"""The attributes of all rows of a kind of pieces, computed ones included."""
ATTRIBUTES = 100
"""The attributes of a kind of pieces, inherited ones included."""
PLACES = 1_024
"""The places of one map."""
LAID = 126
"""The places that may be laid on a growing map: its lattice then has 128 times 128."""
ALL_PLACES = 4_096
"""The places of all maps of a game; of a growing map those that may be laid."""
MAPS = 8
"""The maps of a game."""
STATE_CELLS = 1 << 18
"""The cells of a state: what fields and zones hold."""
NUMBER_IN_A_SET = 1_023
"""The greatest number in a set of numbers."""
LISTED = 1 << 20
"""The items that a list may have room for which is collected from its sources: as many as all of them together."""
LIST = 4_096
"""The items of such a list, if a variable of a rule keeps it."""
DICE = 32
"""The dice that are rolled together."""
RESTRICTIONS = 1_000
"""The restrictions of one choice, those it obeys included."""
HELD = 100_000
"""The greatest `at most` of a zone."""
CALLS = 200
"""The procedures and effects of which each calls the next."""
ASKS = 1_000
"""The queries, values, limits, procedures and effects of which each asks the next."""

# ------------------------------------------------------------------------------------------------------- checking

GAMES_EFFORT = 300_000
"""The nodes of all games that are checked, for each number of players, alone and with each variant."""
SCENARIOS_EFFORT = 800_000
"""The nodes of all games that scenarios ask for, for each of their numbers of players, variants and options."""
GAME_EFFORT = 100
"""The effort that any game takes besides its rules, in nodes."""
SUPPRESSIONS = 1_000
"""The comments and entries of the manifest that suppress findings."""
FINDINGS = 500
"""The findings that are told about a ruleset."""
GAME_FINDINGS = 100
"""The findings about one game after which it is not looked at further."""
GUESSED = 400
"""The names among which a misspelt one is looked for."""
