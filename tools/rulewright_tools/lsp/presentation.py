"""Things shown in and between the lines: colours, links, the words of citations, commands."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from lsprotocol import types

import rulewright as rw
from rulewright_tools.lsp.asking import file_at, index_of
from rulewright_tools.lsp.library import Library
from rulewright_tools.lsp.positions import lines_of, range_of, to_units, uri_of
from rulewright_tools.lsp.server import RulewrightServer

TOKENS = [
    "keyword", "class", "enumMember", "property", "function", "variable", "parameter", "label", "string", "number",
    "comment", "operator", "decorator",
]  # fmt: skip
MODIFIERS = ["declaration", "readonly"]
_OF_KIND = {
    "label": "label",
    "value": "enumMember",
    "attribute": "property",
    "player": "parameter",
    "local": "variable",
}
_OF_WORD = {
    "query": "function",
    "value": "function",
    "effect": "function",
    "procedure": "function",
    "phase": "function",
    "limits": "function",
    "reaction": "function",
    "consequence": "function",
    "end": "function",
    "param": "parameter",
}
LONGEST = 60
"""Characters of a statement that are shown behind its id."""


def add_presentation(server: RulewrightServer) -> None:
    """Offer what is shown beside the text."""
    legend = types.SemanticTokensLegend(TOKENS, MODIFIERS)

    @server.feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, legend)
    async def semantic_tokens(params: types.SemanticTokensParams) -> types.SemanticTokens | None:
        return await server.ask(coloured, params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_LINK)
    async def document_links(params: types.DocumentLinkParams) -> list[types.DocumentLink] | None:
        return await server.ask(links, params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_INLAY_HINT)
    async def inlay_hints(params: types.InlayHintParams) -> list[types.InlayHint] | None:
        return await server.ask(hints, params.text_document.uri, params.range)

    @server.feature(types.TEXT_DOCUMENT_CODE_LENS)
    async def code_lenses(params: types.CodeLensParams) -> list[types.CodeLens] | None:
        return await server.ask(lenses, params.text_document.uri)


# ---------------------------------------------------------------------------------------------------- colours


def coloured(library: Library, uri: str) -> types.SemanticTokens | None:
    """The kind of each word of a file, as the protocol packs them."""
    found = file_at(library, uri)
    if found is None:
        return None
    index, file = found
    lines = lines_of(file.text)
    names = {(d.name.line, d.name.column) for d in file.declared}
    data: list[int] = []
    row = start = 0
    for token in file.words.tokens:
        kind = _colour(index, file, token)
        if kind is None:
            continue
        line = lines[token.line - 1]
        begin, end = to_units(line, token.column), to_units(line, token.end_column)
        below = token.line - 1 - row
        declares = (token.line, token.column) in names
        data += [below, begin if below else begin - start, end - begin, TOKENS.index(kind), int(declares)]
        row, start = token.line - 1, begin
    return types.SemanticTokens(data)


def _colour(
    index: rw.navigation.SymbolIndex, file: rw.navigation.FileSymbols, token: rw.navigation.Token
) -> str | None:
    match token.type:
        case "COMMENT":
            return "comment"
        case "CITE":
            return "decorator"
        case "STRING":
            return "string"
        case "INT":
            return "number"
        case "TYPE":
            return "class"
        case "NAME":
            symbols = index.meanings(file, token)
            if not symbols:
                return "variable"
            places = index.declarations.get(symbols[0])
            word = places[0].word if places else ""
            if symbols[0].kind == "declaration":
                return _OF_WORD.get(word, "class" if word in ("area", "merged") else "variable")
            return "parameter" if word == "param" else _OF_KIND.get(symbols[0].kind, "variable")
        case _:
            return "keyword" if token.value[:1].isalpha() else None


# ------------------------------------------------------------------------------------------------------ links


def links(library: Library, uri: str) -> list[types.DocumentLink]:
    """The files that a rules file or a manifest names."""
    found = index_of(library, uri)
    if found is None:
        return []
    index, path = found
    file = index.files.get(str(path))
    made = _in_rules(index, file) if file is not None else _in_manifest(index, path)
    return [types.DocumentLink(range_of(span, library.lines(path)), uri_of(to)) for span, to in made if to.is_file()]


def _in_rules(index: rw.navigation.SymbolIndex, file: rw.navigation.FileSymbols) -> Iterator[tuple[rw.Span, Path]]:
    for token in file.words.tokens:
        clause, at = file.words.clause(token)
        if token.type == "STRING" and at and clause[at - 1].type in ("FROM", "HEXES_FROM", "GRAPH_FROM"):
            span = rw.Span(file.path, token.line, token.column + 1, token.line, token.end_column - 1)
            ruleset: rw.Ruleset | None = index.ruleset
            name = token.value.strip('"').partition("#")[0]
            while ruleset is not None:
                if (ruleset.folder / name).is_file():
                    yield span, ruleset.folder / name
                    break
                ruleset = ruleset.base


def _in_manifest(index: rw.navigation.SymbolIndex, path: Path) -> Iterator[tuple[rw.Span, Path]]:
    manifest = index.ruleset.manifest
    if path.parent != Path(os.path.abspath(index.ruleset.folder)) or path.name != "ruleset.json":
        return
    for key in ("rules", "variants", "scenarios"):
        for number, name in enumerate(getattr(manifest, key)):
            yield manifest.span(key, number), path.parent / name
    for key in ("rulebook", "rulings"):
        if name := getattr(manifest, key):
            yield manifest.span(key), path.parent / name


# ------------------------------------------------------------------------------------------------------ hints


def hints(library: Library, uri: str, where: types.Range) -> list[types.InlayHint]:
    """The beginning of the cited statement behind each line that cites only one."""
    found = file_at(library, uri)
    if found is None:
        return []
    index, file = found
    lines = lines_of(file.text)
    cites: dict[int, list[rw.navigation.Token]] = {}
    for token in file.words.apart:
        if token.type == "CITE" and where.start.line <= token.line - 1 <= where.end.line:
            cites.setdefault(token.line, []).append(token)
    made = []
    for row, tokens in cites.items():
        statement = index.ruleset.statements.get(tokens[0].value.removeprefix("@"))
        if len(tokens) == 1 and statement is not None:
            at = types.Position(row - 1, to_units(lines[row - 1], len(lines[row - 1]) + 1))
            made.append(types.InlayHint(at, _clipped(statement.statement), padding_left=True))
    return made


def _clipped(text: str) -> str:
    text = rw.characters.printable(text)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1].rstrip()}…"


# ----------------------------------------------------------------------------------------------------- lenses


def lenses(library: Library, uri: str) -> list[types.CodeLens]:
    """Commands above scenarios, variants and the game; above the statements of a rulebook those who cite them."""
    found = index_of(library, uri)
    if found is None:
        return []
    index, path = found
    file = index.files.get(str(path))
    lines = library.lines(path)
    if file is not None:
        return [types.CodeLens(range_of(span, lines), command) for span, command in _runs(index, file)]
    return [types.CodeLens(range_of(span, lines), command) for span, command in _cited(library, index, path)]


def _runs(index: rw.navigation.SymbolIndex, file: rw.navigation.FileSymbols) -> Iterator[tuple[rw.Span, types.Command]]:
    """Run a scenario; play the game, or the variant."""
    folder = os.path.abspath(index.ruleset.folder)
    for one in file.declared:
        if one.symbol.kind == "scenario":
            yield one.head, types.Command("Run scenario", "rulewright.test", arguments=[folder, one.symbol.name])
        elif one.symbol.kind == "variant":
            yield one.head, types.Command("Play variant", "rulewright.play", arguments=[folder, one.symbol.name])
    game = next((clause for clause in file.words.clauses if clause[0].type == "GAME"), None)
    if game is not None:
        span = rw.Span(file.path, game[0].line, game[0].column, game[-1].line, game[-1].end_column)
        yield span, types.Command("Play", "rulewright.play", arguments=[folder])
        yield span, types.Command("Run all scenarios", "rulewright.test", arguments=[folder])


def _cited(library: Library, index: rw.navigation.SymbolIndex, path: Path) -> Iterable[tuple[rw.Span, types.Command]]:
    """``2 rules and 1 scenario cite this``, with the places."""
    book = index.ruleset.rulebook
    for statement in book.statements if book is not None else ():
        span = index.statement_span(statement.id)
        if span is None or os.path.abspath(span.file) != str(path):
            return
        rules, examples = rw.navigation.citing(index, statement.id)
        title = rw.navigation.count_of(rules, examples)
        places = [
            types.Location(uri_of(one.name.file), range_of(one.name, library.lines(one.name.file)))
            for one in (*rules, *examples)
        ]
        start = types.Position(span.line - 1, 0)
        arguments = [uri_of(path), start, places]
        yield span, types.Command(title, "editor.action.showReferences" if places else "", arguments=arguments)
