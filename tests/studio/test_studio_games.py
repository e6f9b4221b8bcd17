"""Games that pages play with a host: whatever is asked of whomever, every message is as its schema says."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from studio_page import Failed, Page, shipped

import rulewright as rw
from rulewright_tools.studio.host import Catalogue, Host
from sampling import thorough

GAMES = [
    pytest.param(name, count, marks=thorough if number else ())
    for name in shipped()
    for number, count in enumerate(rw.playing.player_counts(rw.open_ruleset(name)))
]
"""Every game with every number of players; each day with the smallest."""


@pytest.mark.parametrize(("ruleset", "players"), GAMES)
def test_thirty_answers_of_every_ruleset(ruleset: str, players: int) -> None:
    page = Page()
    page.ask("game/start", ruleset=ruleset, players=players, seed=3, seats=["person"] * players)
    answered = page.play(30, lambda number, size: number * 7 % size)
    assert answered == 30 or page.shown["result"] is not None
    for shown in page.seen[::3]:
        drawn = shown["board"]["svg"]
        ids = {element.get("id") for element in ET.fromstring(drawn).iter()} if drawn else set()
        things = [thing["id"] for thing in shown["board"]["things"]]
        assert len(things) == len(set(things))
        assert set(things) <= ids
        held = {p["id"] for holder in shown["holders"] for pile in holder["piles"] for p in pile["pieces"]}
        elements = {*things, *held, *(holder["id"] for holder in shown["holders"])}
        names = [one["name"] for holder in shown["holders"] for pile in holder["piles"] for one in pile["pieces"]]
        names += [thing["name"] for thing in shown["board"]["things"]]
        for option in (shown["question"] or {"options": []})["options"]:
            assert set(option["things"]) <= elements
            # What lies on the board, or in sight beside it, is found there.
            if not option["things"] and not option["word"] and shown["question"]["sort"] != "other":
                assert not any(option["label"] in name for name in names), option


def test_the_log_is_that_of_the_library() -> None:
    page = Page()
    page.ask("game/start", ruleset="carolus-magnus", seed=5, seats=["person", "person"])
    page.play(40)
    game = rw.load("carolus-magnus")
    state = game.start(5)
    for number in range(40):
        assert state.decision is not None
        state = state.choose(number % len(state.decision.options))
    # A narration of the whole puts what follows on each other into one line; what happened to pieces is told alike.
    told = [line.text for line in rw.narration.story(game, state, rw.playing.PUBLIC) if line.kind == "pieces"]
    assert [line["text"] for line in page.log if line["kind"] == "pieces"] == told
    assert page.log[-1]["at"] == 40
    assert page.shown["at"] == page.shown["last"] == 40


def test_back_forward_and_another_way() -> None:
    page = Page()
    page.ask("game/start", ruleset="connect-four", seed=1)
    assert not page.shown["can_undo"]
    for key in ("3", "2", "4"):
        page.answer(key)
    end, told = page.shown, list(page.log)
    page.ask("game/undo")
    assert (page.shown["at"], page.shown["last"]) == (4, 6)
    assert len(page.log) < len(told)
    page.ask("game/redo")
    assert page.shown["board"] == end["board"]
    assert page.log == told
    page.ask("game/goto", at=0)
    assert not page.log
    page.ask("game/goto", at=4)
    page.answer("0")
    assert page.shown["last"] == 6
    with pytest.raises(Failed, match="nothing to do again"):
        page.ask("game/redo")
    # A position in which an agent is asked waits until it is told to go on, and then goes the same way.
    page.ask("game/goto", at=1)
    assert page.question["by_agent"]
    assert not page.question["options"]
    page.ask("game/continue")
    assert page.shown["at"] == 2
    with pytest.raises(Failed, match="no agent"):
        page.ask("game/continue")


def test_a_refusal_quotes_the_rulebook() -> None:
    page = Page()
    page.ask("game/start", ruleset="domaine", seed=2)
    offered = {id for option in page.question["options"] for id in option["things"]}
    ids = [thing["id"] for thing in page.shown["board"]["things"] if thing["kind"] == "place"]
    told = [page.ask("game/whyNot", thing=id) for id in ids if id not in offered]
    assert all(not one["allowed"] for one in told)
    (statement,) = {cite["statement"] for one in told[:1] for reason in one["reasons"] for cite in reason["cites"]}
    assert statement
    assert all(reason["rule"]["line"] > 0 for reason in told[0]["reasons"])
    assert page.ask("game/whyNot", thing=next(iter(offered)))["allowed"]
    with pytest.raises(Failed, match="nothing of that name"):
        page.ask("game/whyNot", thing="place-9999")


def test_a_piece_that_lies_elsewhere_is_not_possible() -> None:
    """Knights of all colours lie everywhere; only those in the middle are offered, and none beside is said to be."""
    page = Page()
    page.ask("game/start", ruleset="carolus-magnus", seed=7, seats=["person", "person"])
    for _ in range(60):
        if page.question["sort"] == "piece" and "knight" in page.options[0]:
            break
        page.answer(page.options[0])
    offered = {id for option in page.question["options"] for id in option["things"]}
    held = [one for holder in page.shown["holders"] for pile in holder["piles"] for one in pile["pieces"]]
    knights = [one["id"] for one in held if "knight" in one["name"]]
    assert offered < set(knights)
    for id in knights:
        assert page.ask("game/whyNot", thing=id)["allowed"] == (id in offered)


def test_an_answer_to_an_earlier_question_is_refused() -> None:
    page = Page()
    page.ask("game/start", ruleset="tic-tac-toe", seed=1)
    page.answer("(1, 1)")
    with pytest.raises(Failed, match="an earlier question"):
        page.ask("game/answer", at=0, key="(0, 0)")
    with pytest.raises(Failed, match="not an option"):
        page.answer("(1, 1)")
    assert page.shown["at"] == 2


def test_agents_alone_wait_for_the_word() -> None:
    page = Page()
    page.ask("game/start", ruleset="tic-tac-toe", seats=["random", "first"], seed=4)
    assert page.shown["at"] == 0
    page.ask("game/continue", steps=2)
    assert page.shown["at"] == 2
    page.ask("game/continue", steps=1000)
    assert page.shown["result"] is not None


def test_a_hint_is_an_answer() -> None:
    page = Page()
    page.ask("game/start", ruleset="tic-tac-toe", seats=["person", "person"], seed=1)
    for key in ("(0, 0)", "(1, 0)", "(0, 1)", "(1, 1)"):
        page.answer(key)
    best = page.ask("game/hint", agent="mcts:200")["answers"][0]
    assert best["key"] == "(0, 2)"
    assert best["chance"] == 1


def test_a_game_that_was_kept_goes_on() -> None:
    page = Page()
    page.ask("game/start", ruleset="carolus-magnus", players=3, variants=["Short reign"], seed=9, viewer="all",
             seats=["person", "random", "random"])  # fmt: skip
    page.play(12)
    before = page.shown
    name = page.ask("games/copy", label="evening")["game"]
    page.ask("game/start", ruleset="tic-tac-toe")
    page.ask("games/open", game=name)
    once = ("log", "statements", "game")  # these are sent once, or differ
    assert [page.shown[part] for part in before if part not in once] == [
        before[part] for part in before if part not in once
    ]
    page.ask("game/undo")
    with pytest.raises(Failed, match="no game"):
        page.ask("games/open", game="morning")
    names = [one["game"] for one in page.ask("games/list")["games"]]
    assert {name, "tic-tac-toe-1"} <= {*names}
    page.ask("games/delete", game="tic-tac-toe-1")
    assert "tic-tac-toe-1" not in [one["game"] for one in page.ask("games/list")["games"]]


@pytest.mark.parametrize("ruleset", shipped())
def test_every_game_can_be_kept(ruleset: str) -> None:
    """Also with parameters that are lists, and in the middle of any rule."""
    page = Page()
    page.ask("game/start", ruleset=ruleset, seed=2)
    page.play(9, lambda number, size: number * 5 % size)
    at, board = page.shown["at"], page.shown["board"]
    page.ask("games/open", game=page.ask("games/copy", label="kept")["game"])
    assert (page.shown["at"], page.shown["board"]) == (at, board)


def test_what_a_page_may_not_name(tmp_path: Path) -> None:
    """Agents that read files or start programs, rulesets and variants by their paths."""
    page = Page()
    for word in ("pipe:touch x", "learnt:/etc/passwd", "mcts:10:learnt:/etc/passwd", "human", ""):
        with pytest.raises(Failed):
            page.ask("game/start", ruleset="tic-tac-toe", seats=["person", word])
    variants = tmp_path / "more.rules"
    variants.write_text('variant "A" of tic_tac_toe\n', "utf-8")
    for strange in (str(variants), "../x.rules"):
        with pytest.raises(Failed, match="no variant"):
            page.ask("game/start", ruleset="tic-tac-toe", variants=[strange])
    for strange in (str(tmp_path), "../rulesets/tic-tac-toe", "/etc"):
        with pytest.raises(Failed, match="no ruleset"):
            page.ask("game/start", ruleset=strange)


def test_rules_that_never_rest_do_not_keep_the_host(tmp_path: Path) -> None:
    """A deadline stops an agent that thinks too long; the position stays, and the host answers on."""
    limits = [rw.Limits()]
    host = Host(Catalogue.of([]), limits=lambda: limits[-1])
    page = Page(host)
    page.ask("game/start", ruleset="carolus-magnus", seats=["person", "person"], seed=2)  # compiled, whatever it takes
    limits.append(rw.Limits(seconds=2))
    page.ask("game/start", ruleset="carolus-magnus", seats=["person", "mcts:100000000"], seed=2)
    while page.stopped is None and page.question["answerable"]:
        page.answer(page.options[0])
    assert page.stopped is not None
    assert page.stopped["code"] == 2
    limits.append(rw.Limits())
    page.ask("game/goto", at=0)
    assert page.shown["at"] == 0


def test_a_file_of_variants_stands_for_its_ruleset(tmp_path: Path) -> None:
    file = tmp_path / "quick.rules"
    file.write_text('variant "Quick hands" of carolus_magnus\n    set dice = 2\n', "utf-8")
    page = Page(Host(Catalogue.of([file])))
    told = page.ask("hello", protocol=1)
    assert (told["opens"], told["rulesets"][0]["title"]) == ("quick", "Carolus Magnus: quick.rules")
    assert page.ask("ruleset", ruleset="quick")["chosen"] == ["Quick hands"]
    page.ask("game/start", ruleset="quick")
    assert page.shown["variants"] == ["Quick hands"]
    name = page.shown["game"]
    page.ask("game/start", ruleset="quick", variants=[])
    assert page.shown["variants"] == []
    page.ask("games/open", game=name)
    assert page.shown["variants"] == ["Quick hands"]


def test_variants_that_exclude_each_other_are_named_with_each(tmp_path: Path) -> None:
    file = tmp_path / "two.rules"
    heads = ('"Quick" of carolus_magnus', '"Slow" of carolus_magnus, excludes "Quick"')
    file.write_text("".join(f"variant {head}\n    set dice = 2\n" for head in heads), "utf-8")
    page = Page(Host(Catalogue.of([file])))
    assert page.ask("ruleset", ruleset="two")["excludes"] == {"Slow": ["Quick"], "Quick": ["Slow"]}


def test_rules_with_errors_are_described(tmp_path: Path) -> None:
    folder = tmp_path / "broken"
    folder.mkdir()
    (folder / "ruleset.json").write_text('{"name": "broken", "title": "<script>", "rules": ["a.rules"]}', "utf-8")
    (folder / "a.rules").write_text("game broken\nplayers 2\n", "utf-8")
    page = Page(Host(Catalogue.of([folder])))
    (first, *_) = page.ask("hello", protocol=1)["rulesets"]
    assert (first["name"], first["title"]) == ("broken", "<script>")
    for rules in ("game broken\nplayers 2\nprocedure main\n    set nothing = 1\n", "game broken\nplayers\n"):
        (folder / "a.rules").write_text(rules, "utf-8")
        with pytest.raises(Failed) as failed:
            page.ask("game/start", ruleset="broken")
        assert failed.value.error["code"] == 1
        assert failed.value.error["data"]["diagnostics"][0]["span"]["line"] > 1
    findings = page.ask("ruleset", ruleset="broken")["findings"]["diagnostics"]
    assert any(finding["severity"] == "error" for finding in findings)


@thorough
def test_questions_and_supplies_in_words() -> None:
    """The kind of what is chosen is told, counts are set apart, and what is written beside a piece says what it is."""
    page = Page()
    page.ask("game/start", ruleset="baron", seed=3, seats=["person", "person"])
    assert page.question["text"] == "Which tile does red take?"
    names = {pile["name"]: [piece["name"] for piece in pile["pieces"]] for pile in page.shown["holders"][-1]["piles"]}
    assert all(re.fullmatch(r"[a-z ]+, price \d+", name) for name in names["display"]), names
    assert re.fullmatch(r"\d+ \N{MULTIPLICATION SIGN} face down", names["supply"][0])
    page.ask("game/start", ruleset="loewenherz", seed=3, seats=["person", "person"])
    assert page.question["text"].startswith("Wohin stellt ")
    table = page.shown["holders"][-1]["piles"]
    assert any("\N{MULTIPLICATION SIGN} verdeckt" in piece["name"] for pile in table for piece in pile["pieces"])
    for name in ("domaine", "loewenherz"):
        page.ask("game/start", ruleset=name, seed=3, seats=["person", "person"])
        page.play(60, lambda number, size: 0)
        facts = [fact["value"] for holder in page.shown["holders"] for fact in holder["facts"]]
        assert not any("_" in value for value in facts), facts
