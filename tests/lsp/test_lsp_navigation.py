"""The language server explains words, finds declarations and uses, completes and renames."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import rulewright as rw

from .lsp_client import Client, asked, edited, places


@pytest.fixture
def scenarios(folder: Path) -> Path:
    return folder / "pond" / "scenarios" / "turns.rules"


# -------------------------------------------------------------------------------------------------------- help


@pytest.mark.parametrize(
    ("marked", "parts"),
    [
        ("forb^id just_chosen", ["forbid label: condition", "`forbid label: condition` refuses an option"]),
        ("draw pebbles_a_^stone", ["- 2 players: `2`\n- 3 players: `3`", 'changed by variant "Deep pond"']),
        ("    p cho^oses stone", ["who chooses name from set where condition"]),
        ("query poi^nts", ["query points(p: Player) -> Int"]),
        ("some^thing = single", ["let something", "type `Stone or none`"]),
        ("sin^gle({s in", ["the first, the last, the only one, or none"]),
        ("tur^n(p)\n", ["procedure turn(p: Player)", "`@P-3` In turn each player chooses"]),
        ("forbid just_chosen: stone is last  @P^-4", ["They may not choose the stone", "1 rule and 3 scenarios cite"]),
        ("on[st^one]\n    move", ["p chooses stone from Stone", "choice of `turn`"]),
        ("enum Colour: gr^ey", ["enum Colour: grey, gold", "value of `Colour`"]),
        ("pebble.wor^th", ["worth: 1..3"]),
    ],
)
def test_help(client: Client, game: Path, marked: str, parts: list[str]) -> None:
    text = game.read_text("utf-8")
    if "some^thing" in marked or "sin^gle" in marked:
        text = text.replace(
            "    last = stone\n", "    let something = single({s in Stone where s is last})\n    last = something\n"
        )
        client.change(game, text, wait=False)
    found = client.request("textDocument/hover", asked(game, marked, text))["contents"]["value"]
    assert [part for part in parts if part not in found] == []


def test_no_help_for_signs_and_numbers(client: Client, game: Path) -> None:
    assert client.request("textDocument/hover", asked(game, "map Pond: ring of ^6 Stone")) is None
    assert client.request("textDocument/hover", asked(game, "ring of 6 Stone ^ @P-1")) is None


# ------------------------------------------------------------------------------------------------------- ways


@pytest.mark.parametrize(
    ("marked", "found"),
    [
        ("tur^n(p)\n", [("game.rules", 37, "turn")]),
        ("forbid just_chosen: sto^ne is", [("game.rules", 38, "stone")]),
        ("every(s in Stone where ^s is not last", [("game.rules", 40, "s")]),
        ("every(s in Stone has on[^s]", [("game.rules", 45, "s")]),
        ("ring of 6 St^one", [("game.rules", 16, "Stone")]),
        ("pebble.wor^th", [("game.rules", 12, "worth")]),
    ],
)
def test_definitions(client: Client, game: Path, marked: str, found: list[tuple[str, int, str]]) -> None:
    assert places(client.request("textDocument/definition", asked(game, marked))) == found


def test_the_definition_of_a_citation_is_the_statement(client: Client, game: Path, folder: Path) -> None:
    (found,) = client.request("textDocument/definition", asked(game, "forbid just_chosen: stone is last  @P^-4"))
    book = folder / "pond" / "rulebook.json"
    assert found["uri"] == book.as_uri()
    assert '"P-4"' in book.read_text("utf-8").split("\n")[found["range"]["start"]["line"]]


def test_references(client: Client, game: Path, scenarios: Path) -> None:
    about = {**asked(game, "forbid just_cho^sen"), "context": {"includeDeclaration": True}}
    assert places(client.request("textDocument/references", about)) == [
        ("game.rules", 39, "just_chosen"),
        ("deep-pond.rules", 4, "just_chosen"),
        ("turns.rules", 8, "just_chosen"),
    ]
    about["context"] = {"includeDeclaration": False}
    assert len(client.request("textDocument/references", about)) == 2
    client.open(scenarios)
    player = {**asked(scenarios, "wins r^ed"), "context": {"includeDeclaration": True}}
    assert [line for _, line, _ in places(client.request("textDocument/references", player))] == [21, 24, 25, 26]
    highlights = client.request("textDocument/documentHighlight", asked(scenarios, "wins r^ed"))
    assert len(highlights) == 4
    client.close(scenarios)


def test_symbols_of_a_file_and_of_all(client: Client, game: Path) -> None:
    uri = {"textDocument": {"uri": game.as_uri()}}
    outline = {one["name"]: one for one in client.request("textDocument/documentSymbol", uri)}
    assert [child["name"] for child in outline["Pebble"]["children"]] == ["colour", "worth"]
    turn = outline["turn"]["children"]
    assert [child["name"] for child in turn] == ["stone", "pebble"]
    (forbid,) = turn[0]["children"]
    assert forbid["name"] == "just_chosen"
    assert [child["name"] for child in forbid["children"]] == ["nothing_else"]
    found = [one["name"] for one in client.request("workspace/symbol", {"query": "jstchsn"})]
    assert found == ["just_chosen"]


def test_folding(client: Client, game: Path) -> None:
    text = "# one\n# two\n" + game.read_text("utf-8")
    client.change(game, text)
    found = client.request("textDocument/foldingRange", {"textDocument": {"uri": game.as_uri()}})
    rows = text.split("\n")
    assert found[0] == {"startLine": 0, "endLine": 2, "kind": "comment"}
    folded = {rows[one["startLine"]].strip() for one in found[1:]}
    assert {"procedure play", "repeat", "each p in players", "procedure setup"} <= folded


# ------------------------------------------------------------------------------------------------- completion


def labels(client: Client, path: Path, old: str, new: str) -> list[str]:
    """All that can be written at the ``^`` in the text that stands for another one, in the order of an editor."""
    text = path.read_text("utf-8")
    assert old in text
    marked = text.replace(old, new, 1)
    before = marked[: marked.index("^")]
    client.change(path, marked.replace("^", "", 1), wait=False)
    where = {"line": before.count("\n"), "character": len(before) - before.rfind("\n") - 1}
    about = {"textDocument": {"uri": path.as_uri()}, "position": where}
    items = client.request("textDocument/completion", about)
    return [one["label"] for one in sorted(items, key=lambda one: one["sortText"])]


@pytest.mark.parametrize(
    ("old", "new", "wanted", "unwanted"),
    [
        ("    last = stone", "    last = stone\n    ^", ["p", "stone", "move", "turn", "last"], ["forbid_", "s"]),
        (
            "    last = stone",
            "    last = st^",
            ["stone", "gold", "single", "none"],
            ["turn", "move", "nothing_is_lost"],
        ),
        ("move pebble to", "move pebble.^ to", ["colour", "worth"], ["stone", "left"]),
        ("@P-4", "@P^", ["@P-1", "@P-4"], ["stone"]),
        ("zone bag: bag of Pebble", "zone bag: ^", ["bag of", "set of"], ["Pebble"]),
        ("field last: Stone", "field last: ^", ["Stone", "Int", "set of"], ["stone"]),
        ("    last = stone", "    var other: ^", ["Stone", "Int", "set of"], ["stone"]),
        ("    last = stone", "    var other: set of Stone = {}\n    other += ^", ["stone", "last"], ["turn"]),
        ("procedure setup", "^\nprocedure setup", ["procedure", "zone", "scenario"], ["draw", "last"]),
        ("p chooses pebble", "p ^", ["chooses", "may", "rolls"], ["move"]),
        ("p chooses pebble", "let ^", [], ["stone", "turn", "last"]),
        ("is not empty\n", "is not empty\n        forbid early: ^\n", ["stone", "p", "points", "not"], ["turn"]),
    ],
)
def test_completion(client: Client, game: Path, old: str, new: str, wanted: list[str], unwanted: list[str]) -> None:
    found = labels(client, game, old, new)
    assert [one for one in wanted if one not in found] == []
    assert [one for one in unwanted if one in found] == []


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ("because turn.just_chosen", "because turn.^", ["pebble", "stone", "just_chosen", "nothing_else"]),
        ('variant "Deep pond"', 'variant "^', ["Deep pond"]),
        ('variant "Deep pond"', "variant ^", ['"Deep pond"']),
        (
            'from "the stone chosen last is refused"',
            'from "^',
            [
                "in a deep pond a stone may be chosen again",
                "the stone chosen last is refused",
                "unless there are pebbles nowhere else",
                "who has pebbles of more worth wins",
            ],
        ),
        ('when red: stone = "2"', "when ^", ["blue", "red"]),
        ('when red: stone = "2"', "when red: ^", ["pebble", "stone"]),
    ],
)
def test_completion_in_scenarios(client: Client, scenarios: Path, old: str, new: str, found: list[str]) -> None:
    client.open(scenarios)
    assert labels(client, scenarios, old, new) == found
    client.close(scenarios)


def test_completion_in_a_drawing(client: Client, scenarios: Path) -> None:
    client.open(scenarios)
    line = 'when red: stone = "2"'
    assert "draw" in labels(client, scenarios, line, "dr^")
    assert {"last", "bag", "on"} <= set(labels(client, scenarios, line, "draw ^"))
    assert "with" in labels(client, scenarios, line, "draw on[place] ^")
    assert "red" in labels(client, scenarios, line, "draw last[place] with X = ^")
    client.close(scenarios)


# ----------------------------------------------------------------------------------------------------- rename


def renamed(client: Client, path: Path, marked: str, new: str) -> dict[Path, str]:
    """The files that a new name changes."""
    edit = client.request("textDocument/rename", {**asked(path, marked), "newName": new})
    files = {Path(uri.removeprefix("file://")): edits for uri, edits in edit["changes"].items()}
    return {file: edited(file.read_text("utf-8"), edits) for file, edits in files.items()}


@pytest.mark.parametrize(
    ("marked", "new", "files"),
    [
        ("procedure tu^rn", "take", {"game.rules", "deep-pond.rules", "turns.rules", "ruleset.json"}),
        ("procedure tu^rn", "draw", {"game.rules", "deep-pond.rules", "turns.rules", "ruleset.json"}),
        ("p chooses sto^ne", "piece", {"game.rules", "turns.rules"}),
        ("enum Colour: gr^ey", "open", {"game.rules", "turns.rules", "pieces.json", "ruleset.json"}),
        ("    col^our: Colour", "before", {"game.rules", "pieces.json"}),
        ("forbid just_cho^sen", "again", {"game.rules", "deep-pond.rules", "turns.rules"}),
        ("p chooses sto^ne", "rock", {"game.rules", "turns.rules"}),
        ("place Sto^ne", "Boulder", {"game.rules"}),
        ("param pebbles_a_^stone", "density", {"game.rules", "deep-pond.rules"}),
        ("every(^s in Stone where s is not last", "other", {"game.rules"}),
        ("enum Colour: gr^ey", "silver", {"game.rules", "turns.rules", "pieces.json", "ruleset.json"}),
        ("    col^our: Colour", "tint", {"game.rules", "pieces.json"}),
        ("pebble.wor^th for", "price", {"game.rules", "pieces.json"}),
    ],
)
def test_a_new_name(client: Client, game: Path, tmp_path: Path, marked: str, new: str, files: set[str]) -> None:
    """Nothing is found afterwards, all scenarios pass, and the old name is nowhere."""
    changed = renamed(client, game, marked, new)
    assert {file.name for file in changed} == files
    home = game.parent
    for file in sorted(home.rglob("*.*")):
        target = tmp_path / file.relative_to(home)
        target.parent.mkdir(exist_ok=True)
        target.write_text(changed.get(file, file.read_text("utf-8")), "utf-8")
    ruleset = rw.open_ruleset(tmp_path)
    assert rw.check(ruleset) == []
    assert all(rw.scenarios.run_scenario(plan).passed for plan in rw.scenarios.plans(ruleset))
    assert any(new in text for text in changed.values())


def test_a_local_is_renamed_in_its_scope_only(client: Client, game: Path) -> None:
    (text,) = renamed(client, game, "every(^s in Stone where s is not last", "t").values()
    assert "every(t in Stone where t is not last has on[t] is empty)" in text
    assert "every(s in Stone has on[s] is empty)" in text


@pytest.mark.parametrize(
    ("marked", "new", "why"),
    [
        ("procedure tu^rn", "play", "`play` is a word of the language"),
        ("procedure tu^rn", "Take", "small letters"),
        ("procedure tu^rn", "match", "`match` is a word of the language"),
        ("procedure tu^rn", "size", "`size` is a word of the language"),
        ("p chooses sto^ne", "pebble", "`pebble` is taken: it stands at"),
        ("enum Colour: gr^ey", "gold", "`gold` is taken: it is declared at"),
        ("enum Colour: gr^ey", "stone", "`stone` is taken: it stands at"),
        ("enum Colour: gr^ey", "grey pebble", "small letters"),
        ("    wor^th: 1..3", "colour", "`colour` is taken: it is declared at"),
        ("    wor^th: 1..3", "count", "`count` is a word of the language"),
        ("is last  @P^-4", "P-9", "rulebook index"),
        ("^# ", "x", "no name here"),
    ],
)
def test_a_name_that_cannot_be(client: Client, game: Path, marked: str, new: str, why: str) -> None:
    where = asked(game, "^game pond") if marked == "^# " else asked(game, marked)
    answer = client.answer("textDocument/rename", {**where, "newName": new})
    assert why in answer["error"]["message"]


# ----------------------------------------------------------------------------------------------- presentation


def test_semantic_tokens(client: Client, game: Path) -> None:
    data = client.request("textDocument/semanticTokens/full", {"textDocument": {"uri": game.as_uri()}})["data"]
    names = client.capabilities["semanticTokensProvider"]["legend"]["tokenTypes"]
    rows = game.read_text("utf-8").split("\n")
    found: dict[str, set[str]] = {}
    row = start = 0
    for below, across, length, kind, _ in zip(*[iter(data)] * 5, strict=True):
        row, start = row + below, across if below else start + across
        found.setdefault(rows[row][start : start + length], set()).add(names[kind])
    assert found["turn"] == {"function"}
    assert found["stone"] == {"label"}
    assert found["Pebble"] == {"class"}
    assert found["grey"] == {"enumMember"}
    assert found["worth"] == {"property"}
    assert found["chooses"] == {"keyword"}
    assert found["@P-4"] == {"decorator"}


def test_links_hints_and_lenses(client: Client, game: Path, folder: Path, scenarios: Path) -> None:
    home = folder / "pond"
    of_game = {"textDocument": {"uri": game.as_uri()}}
    (link,) = client.request("textDocument/documentLink", of_game)
    assert link["target"] == (home / "pieces.json").as_uri()
    of_manifest = {"textDocument": {"uri": (home / "ruleset.json").as_uri()}}
    assert len(client.request("textDocument/documentLink", of_manifest)) == 5
    everything = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
    hints = client.request("textDocument/inlayHint", {**of_game, "range": everything})
    assert "They may not choose the stone" in json.dumps(hints)
    of_scenarios = {"textDocument": {"uri": scenarios.as_uri()}}
    lenses = [one["command"] for one in client.request("textDocument/codeLens", of_scenarios)]
    titles = ["the stone chosen last is refused", "unless there are pebbles nowhere else"]
    assert [one["arguments"] for one in lenses[::2][:2]] == [[str(home), title] for title in titles]
    assert [one["command"] for one in lenses[:2]] == ["rulewright.test", "rulewright.playScenario"]
    assert lenses[1] == {
        "title": "Play from here",
        "command": "rulewright.playScenario",
        "arguments": [str(home), titles[0]],
    }
    book = {"textDocument": {"uri": (home / "rulebook.json").as_uri()}}
    cited = [one["command"]["title"] for one in client.request("textDocument/codeLens", book)]
    assert cited[3] == "1 rule and 3 scenarios cite this"
    lenses = [one["command"] for one in client.request("textDocument/codeLens", of_game)]
    assert [one["command"] for one in lenses[:2]] == ["rulewright.play", "rulewright.test"]
    changed = [one for one in lenses if one["title"] == 'changed by variant "Deep pond"']
    assert [[place["range"]["start"]["line"] + 1 for place in one["arguments"][2]] for one in changed] == [[3], [4]]


def test_hints_of_numbers_and_of_changes(client: Client, game: Path, folder: Path) -> None:
    everything = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}

    def hints(path: Path) -> list[tuple[int, str]]:
        found = client.request("textDocument/inlayHint", {"textDocument": {"uri": path.as_uri()}, "range": everything})
        return [(one["position"]["line"] + 1, one["label"]) for one in found]

    assert (35, "= 2 with 2, 3 with 3") in hints(game)
    deep = folder / "pond" / "variants" / "deep-pond.rules"
    assert hints(deep) == [
        (3, "instead of: 2, 3 with 3 players"),
        (4, "instead of: forbid just_chosen: stone is last"),
    ]
