"""Messages about lines that do not fit offer something else than what is written; words that cannot be names."""

from __future__ import annotations

import random

import pytest
from suggestions import PART, offers_what_stands_there
from syntax_helpers import HERE, corpus

import rulewright as rw
from rulewright.syntax import parse
from rulewright.syntax.tables.parse_tables import reserved_words
from sampling import sample

TEXTS = [path.read_text("utf-8") for path in (*corpus(), *sorted((HERE / "mistakes").glob("*.rules")))]
BLOCKS = [block for text in TEXTS for block in ("\n" + text).split("\n\n") if block.strip() and "\t" not in block]


def slipped(rng: random.Random) -> str:
    """A block with a word or sign too many, too few, twice, or from elsewhere; the line may go on behind its end."""
    lines = rng.choice(BLOCKS).strip("\n").split("\n")
    at = rng.randrange(len(lines))
    indent = lines[at][: len(lines[at]) - len(lines[at].lstrip())]
    parts = PART.findall(lines[at])
    others = PART.findall(rng.choice(rng.choice(BLOCKS).strip("\n").split("\n")))
    where = rng.randrange(len(parts) + 1)
    match rng.randrange(5):
        case 0:
            parts.insert(where, rng.choice(others or ["x"]))
        case 1:
            del parts[where : where + 1]
        case 2:
            parts[where : where + 1] = parts[where : where + 1] * 2
        case 3:
            parts[where : where + 1] = others[:1]
        case _:
            parts += [",", *others]
    lines[at] = indent + " ".join(parts)
    return "\n".join(lines) + "\n"


def test_nothing_is_offered_that_stands_there() -> None:
    rng = random.Random(7)
    hints = 0
    for _ in range(sample(400, 60_000)):
        text = slipped(rng)
        for found in parse(text, "here.rules").diagnostics:
            assert offers_what_stands_there(text, found) == "", (text, found)
            hints += found.hint.startswith("it is written")
    assert hints > 20  # otherwise nothing was compared


@pytest.mark.parametrize(
    ("line", "hint", "after"),
    [
        (
            "given on[c] = a for c in {(0, 0), (1, 1)}, turns = 2  # why",
            "write `given turns = 2` on a line of its own",
            "given on[c] = a for c in {(0, 0), (1, 1)}\n    given turns = 2  # why",
        ),
        (
            "given on[c] = a for c in S, d in T where c is d, turns = f(1, 2), deals = 3",
            "write `given turns = f(1, 2), deals = 3` on a line of its own",
            "given on[c] = a for c in S, d in T where c is d\n    given turns = f(1, 2), deals = 3",
        ),
        (
            "given on[c] = a for c in S, b[d] = 2 for d in T",
            "write `given b[d] = 2 for d in T` on a line of its own",
            "given on[c] = a for c in S\n    given b[d] = 2 for d in T",
        ),
        (
            'put "x" in land[c] for c in S, "y" in box',
            'write `put "y" in box` on a line of its own',
            'put "x" in land[c] for c in S\n    put "y" in box',
        ),
        ("given on[c] = a for c in S, turns[c] = 2", "write `, turns[c] = 2` before `for`", ""),
    ],
)
def test_what_is_behind_for(line: str, hint: str, after: str) -> None:
    text = f'scenario "s"\n    players anna, bert\n    {line}\n    start play\n'
    (found,) = parse(text, "here.rules").diagnostics
    assert (found.code, found.message, found.hint) == ("SYN001", "what is behind `for` ends the line", hint)
    if after:
        assert found.fix is not None
        mended = rw.fixing.apply(text, found.fix.edits)
        assert mended == text.replace(line, after)
        assert parse(mended, "here.rules").diagnostics == ()
    else:
        assert found.fix is None


NAMED = {
    "field": "field {}: Int = 0",
    "keyed field": "field {}[Player]: 0..9 = 0",
    "parameter of a ruleset": "param {} = 3",
    "query": "query {}(p: Player) -> Int = 3",
    "parameter of a query": "query f(a: Player, {}: Player) -> Int = 3",
    "parameter of a procedure": "procedure p({}: Player)\n    stop",
    "procedure": "procedure {}\n    stop",
    "let": "procedure p\n    let {} = 3",
    "each": "procedure p\n    each {} in players\n        stop",
    "choice": "procedure p\n    p chooses {} from Cell where on[a] is b",
    "permitted choice": "procedure p\n    p may choose {} from Cell",
    "either": "procedure p\n    p chooses either as {}\n        option a: stop",
    "option": "procedure p\n    p chooses either\n        option {}: stop",
    "dice": "procedure p\n    p rolls 2 Die as {}",
    "drawn": "procedure p\n    draw 2 from deck to hand as {}",
    "restriction": "procedure p\n    p chooses x from Cell\n        forbid {}: x is 3",
    "end": "end {} when x is 3\n    finish with winner p",
    "binder of an end": "end a for {} in players when x is 3\n    finish with winner p",
    "member": "enum Mood: a, {}, calm",
    "counted": "query f -> Int = count({} in Cell where on[x])",
    "summed": "query f -> Int = sum(x for {} in Cell)",
    "rounds": 'scenario "s"\n    given x[c] = 1 for {} in Cell\n    start play',
    "answer": 'scenario "s"\n    start play\n    when anna: {} = 3',
    "refused": 'scenario "s"\n    start play\n    refused anna: {} = 3',
    "offered": 'scenario "s"\n    start play\n    offered anna: {} = {{3}}',
    "step": "procedure p\n    step {}\n        stop",
}


@pytest.mark.parametrize("kind", NAMED)
def test_words_of_the_language_are_no_names(kind: str) -> None:
    """Such a word is a name where one is declared or asked, or it is said that it is none."""
    assert parse(NAMED[kind].format("some_name") + "\n", "here.rules").diagnostics == ()
    for word in sorted({*reserved_words(), "to", "start", "in"}):
        for found in parse(NAMED[kind].format(word) + "\n", "here.rules").diagnostics[:1]:
            said = f"{found.message}; {found.hint}"
            assert f"`{word}` is a word of the language" in said, (word, found)
            assert "choose another name" in said, (word, found)
