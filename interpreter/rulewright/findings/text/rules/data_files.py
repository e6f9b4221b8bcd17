"""Lint rules about tables, maps and other files of data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from rulewright.data.json_positions import JsonPath, JsonText
from rulewright.data.manifest import FILE
from rulewright.data.paths import shown
from rulewright.data.ruleset import Ruleset
from rulewright.diagnostics import Span
from rulewright.diagnostics.suggestions import did_you_mean, listing
from rulewright.findings.text.analyses.rule_index import first_span
from rulewright.findings.text.analyses.uses import texts_in
from rulewright.findings.text.context import Finding, lint
from rulewright.findings.text.subject import Configuration, Subject
from rulewright.ir import model as m
from rulewright.syntax import ast

_ENOUGH = 3
"""So many rows make a custom."""


@lint("DAT031")
def missing_cell(subject: Subject) -> Iterator[Finding]:
    """The one row that leaves out a column which all others have: for no value one writes `null`."""
    seen: set[str] = set()
    for decl in subject.source.rules.decls.values():
        if not isinstance(decl, (ast.Piece, ast.EnumDecl)) or decl.table is None or decl.table in seen:
            continue
        seen.add(decl.table)
        table = subject.ruleset.table_of(decl)
        for column in table.columns:
            without = [number for number, row in enumerate(table.rows) if column not in row]
            if len(without) == 1 and len(table.rows) >= _ENOUGH:
                message = f"only this row gives no `{column}`"
                yield Finding(message, table.span(without[0]), "write `null` for none", path=table.path(without[0]))


@lint("DAT035")
def colour_without_effect(subject: Subject) -> Iterator[Finding]:
    """A kind of pieces whose colour the hints for drawing give twice: by an attribute, and by its name."""
    source = subject.ruleset.manifest.source
    draw = source.value.get("draw") if source is not None and isinstance(source.value, dict) else None
    if source is None or not isinstance(draw, dict):
        return
    colours, by = draw.get("colours"), draw.get("colour_by")
    if not isinstance(colours, dict) or not isinstance(by, dict):
        return
    above = {kind: game.compiler.world.ancestors(kind) for game in subject.games for kind in game.compiler.world.kinds}
    for word in colours:
        through = next((kind for kind in above.get(word, ()) if kind in by), None)
        if through is not None:
            message = f"`{word}` has two colours: that of its `{by[through]}` counts, this one does not"
            yield Finding(message, source.span(("draw", "colours", word), key=True), "leave out one of them")


@lint("DAT034")
def equal_colours(subject: Subject) -> Iterator[Finding]:
    """Two kinds of pieces, or two values of an enum, that the hints for drawing give one colour and nothing else."""
    source = subject.ruleset.manifest.source
    draw = source.value.get("draw") if source is not None and isinstance(source.value, dict) else None
    if source is None or not isinstance(draw, dict) or not isinstance(draw.get("colours"), dict):
        return
    by_attribute = _table(draw, "colour_by")
    kinds = {kind.name for game in subject.games for kind in game.program.kinds} - set(by_attribute)
    families = [tuple(sorted(kinds)), *dict.fromkeys(u.keys for game in subject.games for u in game.program.universes)]
    reported: set[str] = set()
    for family in families:
        first: dict[tuple[str, ...], str] = {}
        for word in family:
            look = _look(draw, word)
            if look is not None and word not in reported and (other := first.setdefault(look, word)) != word:
                reported.add(word)
                message = f"`{other}` and `{word}` have one colour: nobody can tell them apart"
                hint = "give one of them another colour, or a shape or label of its own"
                yield Finding(message, source.span(("draw", "colours", word), key=True), hint)


def _look(draw: Mapping[str, object], word: str) -> tuple[str, ...] | None:
    """The look that hints give to a word; None if they give it no colour."""
    colour = _table(draw, "colours").get(word)
    if not isinstance(colour, str):
        return None
    ground = draw.get("ground")
    tables = [_table(draw, name) for name in ("shapes", "labels", "badges")]
    tables += [_table(ground, name) for name in ("signs", "icons")] if isinstance(ground, dict) else []
    return (_plain(colour), *(str(table.get(word, "")) for table in tables))


def _table(holder: Mapping[str, object], name: str) -> dict[str, object]:
    held = holder.get(name)
    return held if isinstance(held, dict) else {}


def _plain(colour: str) -> str:
    """A colour in one spelling: ``#f00`` is ``#ff0000``."""
    short = len(colour) == 4 and colour.startswith("#")
    return ("#" + "".join(digit * 2 for digit in colour[1:]) if short else colour).lower().replace("gray", "grey")


@lint("DAT036")
def equal_names(subject: Subject) -> Iterator[Finding]:
    """Pieces that have one name and are not alike: as soon as both are offered, the game ends with RUN011.

    Those that begin in different zones may never meet, as the discs of two players; they are ignored.
    """
    reported: set[str] = set()
    declared = {decl.name: decl for decl in subject.source.rules.all(ast.Piece)}
    for game in subject.games:
        for kind, name, differ, more in _found(game.program):
            decl = declared.get(kind)
            if kind in reported or decl is None:
                continue
            reported.add(kind)
            others = (f"so it is with {more} more name{'s' * (more > 1)}",) if more else ()
            message = f"two pieces have the name `{name}` and differ in {differ}: no player could tell them apart"
            yield Finding(message, decl.span, "let `named` say what tells them apart", others)


def _found(program: m.Program) -> Iterator[tuple[str, str, str, int]]:
    """Of each kind with such pieces the first name, in what the pieces differ, and how many more names there are."""
    keys = next((u.keys for u in program.universes if u.name == "Piece"), ())
    pairs: dict[str, tuple[int, int]] = {}
    first: dict[tuple[str, object], int] = {}
    for piece, (key, begins) in enumerate(zip(keys, program.begins, strict=True)):
        other = first.setdefault((key, begins), piece)
        if program.alike[other] != program.alike[piece]:
            pairs.setdefault(key, (other, piece))
    of_kind: dict[str, list[str]] = {}
    for key, (_, piece) in pairs.items():
        kinds = [kind for kind in program.kinds if kind.members >> piece & 1]
        if kinds:
            of_kind.setdefault(min(kinds, key=lambda kind: kind.members.bit_count()).name, []).append(key)
    for kind, names in of_kind.items():
        yield kind, names[0], _differ(program, *pairs[names[0]]), len(names) - 1


def _differ(program: m.Program, one: int, other: int) -> str:
    """The attributes in which two pieces differ; without one their kinds do."""
    tables = [t for t in program.tables if t.universe == "Piece" and t.values[one] != t.values[other]]
    found = dict.fromkeys(table.name.rpartition(".")[2] for table in tables)
    return listing(found) if found else "their kinds"


_ASIDE = ("note", "source", "guess")
"""Columns that do not make two rows different."""


@lint("DAT029")
def equal_rows(subject: Subject) -> Iterator[Finding]:
    """Rows of a table of pieces that are the same: copies are counted, so the second one is probably a slip."""
    seen: set[str] = set()
    for decl in subject.source.rules.all(ast.Piece):
        if decl.table is None or decl.table in seen:
            continue
        seen.add(decl.table)
        table = subject.ruleset.table_of(decl)
        first: dict[str, int] = {}
        for number, row in enumerate(table.rows):
            content = repr(sorted((key, value) for key, value in row.items() if key not in _ASIDE))
            if content in first:
                message = "this row repeats an earlier one"
                other = f"the other one is on line {table.span(first[content]).line}"
                hint = "copies are written as `count`"
                yield Finding(message, table.span(number), hint, (other,), table.path(number))
            first.setdefault(content, number)


_LISTS = ("shows", "hides", "stacks")
_BY_NAME = ("colours", "labels", "shapes", "colour_by", "badges", "markers", "beside", "figures")
_PRINTED = ("pieces", "tokens", "tracks")
"""Tables of hints whose keys are words of the rules; those for a prototype on paper."""
_NAMING = (("tint",), ("rim",), ("ground", "field"), ("walls", "field"), ("walls", "mark"), ("links", "field"))


_HIDDEN = "(hidden)"
"""An answer that a reader may not know, in words for answers."""


@lint("DAT033")
def unknown_hint(subject: Subject) -> Iterator[Finding]:
    """Hints of the ruleset's own manifest about what no game of it has."""
    source = subject.ruleset.manifest.source
    if source is None or not isinstance(source.value, dict):
        return
    if isinstance(draw := source.value.get("draw"), dict):
        yield from _in_drawing(subject, source, draw)
    if worded := list(_of_questions(source.value)):
        yield from _about_questions(subject, source, worded)


def _about_questions(
    subject: Subject, source: JsonText, worded: Sequence[tuple[JsonPath, str, bool]]
) -> Iterator[Finding]:
    questions: dict[str, set[str]] = {}
    for game in subject.games:
        for name, answers in _questions(game):
            questions.setdefault(name, set()).update(answers)
    actions = {answer for answers in questions.values() for answer in answers}
    for way, word, is_key in worded:
        name, _, answer = word.partition(" ")
        span = source.span(way, key=is_key)
        if "." not in name:
            if name not in actions:
                yield Finding(f"no answer is called `{name}`", span, did_you_mean(name, sorted(actions)))
        elif name not in questions:
            yield Finding(f"the rules ask nothing called `{name}`", span, did_you_mean(name, sorted(questions)))
        elif answer and answer not in questions[name] and not answer.lstrip("-").isdecimal():
            hint = did_you_mean(answer, sorted(questions[name]))
            yield Finding(f"nobody can answer `{name}` with `{answer}`", span, hint)


def _questions(game: Configuration) -> Iterator[tuple[str, set[str]]]:
    """The decisions of players and of chance, with the answers that have names."""
    keys = {universe.name: universe.keys for universe in game.program.universes}
    for function in game.program.functions:
        for i in function.code:
            if isinstance(i, m.Choose | m.Chance):
                words = {extra.key for extra in i.extras} if isinstance(i, m.Choose) else set()
                yield f"{function.name}.{i.label}", {*words, *keys.get(i.universe, ()), _HIDDEN}


@lint("DAT037")
def question_without_words(subject: Subject) -> Iterator[Finding]:
    """Questions that a manifest with sentences for players has none for, or no words for what is chosen."""
    manifest, seen = subject.ruleset.manifest, set[str]()
    if not manifest.asks and not manifest.log.answers:
        return
    for game in subject.games:
        if game.part is not None:  # a file of variants has no manifest
            continue
        choices = ((f, i) for f in game.program.functions for i in f.code if isinstance(i, m.Choose))
        for function, i in choices:
            name = f"{function.name}.{i.label}"
            if name.endswith(".react") or name in seen:
                continue
            seen.add(name)
            span = first_span(game, name, function.name)
            if name not in manifest.asks:
                hint = f'`"asks": {{"{name}": "…{{player}}…?"}}` in the manifest'
                yield Finding(f"players are asked `{name}` by its name in the rules", span, hint)
            elif i.universe and name not in manifest.log.answers:
                hint = f'`"answers": {{"{name}": "… {{answer}}"}}` in the `log` of the manifest'
                yield Finding(f"the log has answers to `{name}` by its name in the rules", span, hint)


def _of_questions(manifest: Mapping[str, object]) -> Iterator[tuple[JsonPath, str, bool]]:
    """Names of questions in a manifest, each with its place; True for the key of an entry."""
    asks, log = manifest.get("asks"), manifest.get("log")
    yield from ((("asks", name), name, True) for name in (asks if isinstance(asks, dict) else ()))
    if isinstance(log, dict):
        yield from ((("log", "answers", name), name, True) for name in log.get("answers", ()))
        hides = enumerate(log.get("hides", ()))
        yield from ((("log", "hides", number), str(name), False) for number, name in hides if "." in str(name))


def _in_drawing(subject: Subject, source: JsonText, draw: Mapping[str, object]) -> Iterator[Finding]:
    known = {word for game in subject.games for word in _words(game)}
    used = {text for name, part in draw.items() if name != "colours" for text in texts_in(part)}
    for way, word, is_key in _named(draw):
        if word not in known and not (way[1] == "colours" and word in used):
            hint = did_you_mean(word, sorted(known))
            yield Finding(f"the rules have nothing called `{word}`", source.span(way, key=is_key), hint)


def _words(game: Configuration) -> Iterator[str]:
    """All words by which a hint can mean something in a game."""
    yield from game.rules.decls
    for universe in game.program.universes:
        yield universe.name
        for key in universe.keys:
            yield from (key, *key.split())
    for kind in game.program.kinds:
        yield from (kind.name, kind.name.lower(), *kind.sides, *(f"({side})" for side in kind.sides))
    for table in game.program.tables:
        yield table.name.rpartition(".")[2]


def _named(draw: Mapping[str, object]) -> Iterator[tuple[JsonPath, str, bool]]:
    """Words that hints are about, each with its place; True for the key of an entry."""
    for way in _NAMING:
        held: object = draw
        for step in way:
            held = held.get(step) if isinstance(held, dict) else None
        if isinstance(held, str):
            yield ("draw", *way), held, False
    for part in _LISTS:
        listed = draw.get(part)
        for number, word in enumerate(listed if isinstance(listed, list) else ()):
            yield ("draw", part, number), str(word), False
    printed = draw.get("print")
    tables: list[tuple[JsonPath, object]] = [(("draw", part), draw.get(part)) for part in _BY_NAME]
    tables += [(("draw", "print", part), printed.get(part)) for part in _PRINTED if isinstance(printed, dict)]
    for above, table in tables:
        yield from (((*above, word), word, True) for word in (table if isinstance(table, dict) else ()))


_DEEPEST = 3
"""Folders in folders; what lies deeper is not looked for."""
_READ = (".rules", ".json", ".csv")


@lint("DAT030")
def unused_file(subject: Subject) -> Iterator[Finding]:
    """Rules and data in the folder that neither the manifest nor the rules name. A file of variants that was given is
    used, and so is what it names beside it."""
    ruleset = subject.ruleset
    named = {FILE, *_manifest_files(ruleset)}
    given = {*ruleset.beside, *map(shown, ruleset.data_beside)}
    for path in _files(ruleset.folder, _DEEPEST):
        name = path.relative_to(ruleset.folder).as_posix()
        if path.suffix in _READ and name not in named and shown(path) not in given:
            yield Finding(f"`{name}` is not used: neither the rules nor a manifest name it", Span(shown(path)))


def _files(folder: Path, deepest: int) -> Iterator[Path]:
    """The files of a ruleset, without hidden ones and those of other rulesets."""
    with suppress(OSError):
        for path in sorted(folder.iterdir()):
            if path.name.startswith((".", "_")):
                continue
            if path.is_file():
                yield path
            elif deepest and path.is_dir() and not path.is_symlink() and not (path / FILE).is_file():
                yield from _files(path, deepest - 1)


def _manifest_files(ruleset: Ruleset) -> Iterator[str]:
    manifest = ruleset.manifest
    yield from (*manifest.rules, *manifest.variants, *manifest.scenarios, manifest.rulebook, manifest.rulings)
    at: Ruleset | None = ruleset
    while at is not None:  # a file of one's own is also read in place of one that the rules beneath name
        yield from at.named_files
        at = at.base
