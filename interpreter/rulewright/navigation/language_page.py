"""The first lines of what the page of the language says about a word."""

from __future__ import annotations

import re
from functools import cache

from rulewright.compiler.symbols.builtins import BUILTINS
from rulewright.files import read_text
from rulewright.resources import share
from rulewright.syntax.tables.parse_tables import words

LONGEST = 420
"""Characters of a page that are shown."""
SECTIONS = {
    "Game and players": "GAME PLAYERS TEAMS_OF SEATED PARTY",
    "Parameters": "PARAM",
    "Enums": "ENUM",
    "Pieces": "PIECE NAMED BACK_SHOWS SIDES BEGINS",
    "Dice": "DIE",
    "Maps": "PLACE EDGE EDGES MAP GRID WITH_DIAGONALS RING_OF HEXES_FROM HEXES_OF_RADIUS HEXES_IN_RHOMBUS "
    "HEXES_IN_TRIANGLE GRAPH_FROM GROWING_HEXES_OF",
    "Areas and regions": "AREA MERGED JOINED_ACROSS MERGE",
    "Zones": "ZONE SET_OF STACK_OF BAG_OF ROW_OF FACED FACE_SEEN_BY BACK_SEEN_BY COUNT_SEEN_BY SEEN_BY",
    "Fields": "FIELD LASTING LIST_OF",
    "Earlier positions": "POSITIONS_OF",
    "Values and operators": "AND OR NOT IS IS_A IS_NOT_A IS_EMPTY IS_NOT_EMPTY IN ROUNDED_UP ROUNDED_DOWN TRUE FALSE "
    "CLOCKWISE_FROM EXCEPT",
    "None": "NONE OR_ELSE",
    "Sets and counting": "COUNT SUM MAX MIN SOME NO FIRST EVERY HAS BEST SORTED REACH WITHIN ACROSS WHERE",
    "Queries": "QUERY OTHERWISE",
    "What would be": "AND_THEN",
    "Values with modifiers": "VALUE BECOMES AT_LEAST",
    "Effects and procedures": "EFFECT PROCEDURE PHASE OPEN LET VAR RETURN DO_NOTHING",
    "Moving pieces": "MOVE DRAW FLIP SHOW SHUFFLE FACE_UP FACE_DOWN ON_TOP AT_BOTTOM",
    "Telling": "TELLS",
    "Swapping": "SWAP",
    "Choices": "CHOOSES CHOOSE MAY FROM THEN LEADING_ON",
    "Restrictions": "FORBID UNLESS OBEY LIMITS",
    "Choosing several": "UP_TO EXACTLY ANY_NUMBER_OF ANY_NUMBER AS_MANY_AS_POSSIBLE_OF AT_MOST",
    "Either": "EITHER OPTION",
    "As often as you like": "REPEATS",
    "Branches": "IF ELSE MATCH",
    "Repetition": "REPEAT UNTIL WHILE TIMES EACH BY DESCENDING AT_ONCE ORDER_CHOSEN_BY STOP",
    "Steps": "STEP",
    "Chance": "ROLLS CHANCE",
    "Consequences": "CONSEQUENCE FOR",
    "Ends": "END FINISH_WITH_WINNER FINISH_RANKING",
    "Reactions": "REACTION DURING INSTEAD_OF PRECEDENCE PROCEED",
    "Variants": "VARIANT SET REMOVE REPLACE ADD UNCHANGED BEFORE AFTER WITH",
    "Rows of tables": "SET_ROW ADD_ROW REMOVE_ROW",
    "Scenarios": "SCENARIO PUT GIVEN START WHEN REFUSED OFFERED SEEN HIDDEN WINS OUT BECAUSE",
    "What must always hold": "INVARIANT PROPERTY WITNESS ALWAYS",
}
"""The words of the language by the headings under which the page explains them."""


def about_word(terminal: str) -> str:
    """The first lines about a word of the language, by the name of its terminal; empty for small words."""
    heading = next((heading for heading, named in SECTIONS.items() if terminal in named.split()), None)
    parts = _sections().get(heading or "", [])
    mentioned = re.compile(rf"`[^`]*\b{re.escape(words().get(terminal, terminal.lower()))}\b[^`]*`")
    found = next((part for part in parts if mentioned.search(part)), None)
    return _clipped(found or next(iter(parts), ""))


def about_builtin(name: str) -> str:
    """The line about a function of the language; empty for other names."""
    if name not in BUILTINS:
        return ""
    for row in _page().split("\n"):
        cells = [cell.strip() for cell in row.strip().strip("|").split(" | ")]
        if row.startswith("| `") and len(cells) == 2 and re.search(rf"`{name}\(", cells[0]):
            return f"{cells[0]}: {cells[1]}"
    return f"`{name}(…)`"


@cache
def _page() -> str:
    page = share("language.md")
    return read_text(page) if page.is_file() else ""


@cache
def _sections() -> dict[str, list[str]]:
    """The paragraphs, points and rows of tables under each heading."""
    found: dict[str, list[str]] = {}
    for heading, body in re.findall(r"^#+ (.+)\n((?:(?!#+ ).*\n?)*)", _without_examples(_page()), re.MULTILINE):
        # Each point of a list and each row of a table is a part of its own.
        parts = re.split(r"\n\n+|\n(?=- |\|)", body.strip())
        prose = [" ".join(part.split("\n")).removeprefix("- ") for part in parts if part and part[0] != "|"]
        rows = [part.strip("| ").split(" | ") for part in parts if part.startswith("| `")]
        found[heading] = prose + [f"{row[0].strip()}: {row[1].strip()}" for row in rows if len(row) > 1]
    return found


def _without_examples(page: str) -> str:
    return re.sub(r"^```.*?^```$", "", page, flags=re.MULTILINE | re.DOTALL)


def _clipped(text: str) -> str:
    """The beginning of a text, up to the end of a sentence if one is near; links are only their words."""
    text = re.sub(r"\[([^\]]+)\]\([^)]+\)", r"\1", text)
    if len(text) <= LONGEST:
        return text
    part = text[:LONGEST]
    end = part.rfind(". ")
    return part[: end + 1] if end > LONGEST // 2 else f"{part.rstrip()}…"


__all__ = ["SECTIONS", "about_builtin", "about_word"]
