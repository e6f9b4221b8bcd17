"""Views of what lies under a game: state, rules in use, the rulebook beside them, plans; and what stays hidden."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from studio_page import Failed, Message, Page, shipped

import rulewright as rw
from rulewright.engine.native import profile
from rulewright_tools.studio.host import Catalogue, Host
from rulewright_tools.studio.host.messages import ErrorCode

ENDLESS = """game endless
players 2
field score: Int = 0
procedure play
    repeat
        each p in players
            turn(p)
procedure turn(p: Player)
    p chooses n from {1 .. 3}
    repeat
        score = n - n
end done when score > 3
    finish with winner players
"""


def begun(ruleset: str, answers: int = 0, seats: tuple[str, ...] = ("person", "first"), viewer: str = "auto") -> Page:
    page = Page()
    page.ask("game/start", ruleset=ruleset, seed=1, seats=list(seats), viewer=viewer)
    page.play(answers)
    return page


def times(told: Message) -> dict[str, int]:
    return {one["rule"]: one["times"] for one in told["used"]}


def test_the_state_is_the_view_of_the_seat_and_all_of_it_where_it_is_asked_for() -> None:
    page, game = begun("leduc-poker"), rw.load("leduc-poker")
    own = page.ask("inspect/state")
    assert own["state"] == json.loads(json.dumps(game.start(1).view(0)))
    assert (own["seat"], own["hides"], own["may_see_all"]) == ("first", True, True)
    everything = page.ask("inspect/state", scope="all")
    assert everything["state"] == json.loads(json.dumps(game.start(1).view(None)))
    assert everything["state"] != own["state"]


def test_what_one_of_several_people_may_not_see_is_told_nobody() -> None:
    page = begun("leduc-poker", 1, seats=("person", "person"))
    assert page.question["covered"]
    hidden = page.ask("inspect/state")
    assert not hidden["may_see_all"]
    assert hidden["seat"] is None  # nobody has said yet that they sit there
    assert "key" not in json.dumps(hidden["state"]["zones"])
    with pytest.raises(Failed) as caught:
        page.ask("inspect/state", scope="all")
    assert caught.value.error["code"] == ErrorCode.NOT_NOW
    page.play(20, lambda number, size: 0)
    assert page.shown["result"] is not None
    page.ask("inspect/state", scope="all")  # the game is over
    assert begun("tic-tac-toe", seats=("person", "person")).ask("inspect/state", scope="all")["may_see_all"]
    assert begun("leduc-poker", seats=("person", "person"), viewer="all").ask("inspect/state")["may_see_all"]


def test_rules_in_use_are_those_that_the_engine_counts() -> None:
    page = begun("carolus-magnus", 5)
    told = page.ask("inspect/state")
    game = rw.load("carolus-magnus")
    fired = game.new_fired()
    state = game.start(1, fired=fired)
    for entry in page.host._game.now.state.log:
        if entry.who in game.seats:
            state = state.choose(entry.key, by=entry.who)
    assert told["complete"]
    assert times(told) == {name: count for name, count in zip(game.rule_names, fired, strict=True) if count}
    page.ask("game/goto", at=page.shown["at"] - 1)
    before = times(page.ask("inspect/state"))
    assert {one["rule"]: one["latest"] for one in told["used"]} == {
        rule: count - before.get(rule, 0) for rule, count in times(told).items()
    }


def test_where_something_is_hidden_only_questions_count_of_which_the_viewer_has_heard() -> None:
    told = begun("leduc-poker", 1).ask("inspect/state")
    assert not told["complete"]
    assert set(times(told)) == {"bet_round"}  # and not what was dealt


def test_rules_are_told_with_their_lines_and_statements() -> None:
    page = begun("carolus-magnus", 4)
    told = page.ask("inspect/state")
    assert told["asking"] is not None
    for one in (*told["used"], told["asking"]):
        text = page.ask("files/read", name=one["file"])["text"].splitlines()
        assert 0 < one["line"] <= len(text)
        assert set(one["cites"]) <= set(told["statements"])


def test_the_trace_is_that_of_the_command_with_the_uses_in_this_game() -> None:
    page = begun("carolus-magnus", 5)
    told = page.ask("inspect/trace")
    assert told["covered"] == told["applicable"] > 50
    assert told["percent"] == 100
    sections = dict.fromkeys(one["section"] for one in told["statements"])
    rows = [row for name in sections for row in page.ask("inspect/statements", section=name)["statements"]]
    assert sorted(one["id"] for one in rows) == sorted(one["id"] for one in told["statements"])
    cited = {rule["rule"]: rule["times"] for one in rows for rule in one["rules"]}
    used = times(page.ask("inspect/state"))
    counted = {rule: count for rule, count in cited.items() if count is not None}
    assert counted
    assert counted == {rule: used.get(rule, 0) for rule in counted}
    headings = {one["id"]: one["times"] for one in told["statements"]}
    for one in rows:
        times_of_rules = [rule["times"] for rule in one["rules"] if rule["times"] is not None]
        assert headings[one["id"]] == (sum(times_of_rules) if times_of_rules else None)
    assert len(json.dumps(told)) < len(json.dumps(rows)) / 3
    with pytest.raises(Failed, match="has no section `nothing`"):
        page.ask("inspect/statements", section="nothing")


def test_a_plan_tells_the_cost_and_what_is_looked_for_afterwards() -> None:
    page = begun("carolus-magnus")
    assert page.ask("inspect/plan")["costs"] == []
    whole = page.ask("inspect/plan", costs=True)
    assert whole["counted"]
    assert whole["rule"] is None
    assert sum(one["share"] for one in whole["costs"]) > 0.5
    asking = page.ask("inspect/state")["asking"]["rule"]
    plan = page.ask("inspect/plan", rule=asking)["rule"]
    assert plan["rule"] == asking
    assert any(one["asked"] for one in plan["wakes"])
    with pytest.raises(Failed, match="has no rule `nothing`"):
        page.ask("inspect/plan", rule="nothing")


def test_nothing_is_compiled_for_what_is_looked_for_afterwards(monkeypatch: pytest.MonkeyPatch) -> None:
    page = begun("carolus-magnus")
    asking = page.ask("inspect/state")["asking"]["rule"]
    with monkeypatch.context() as patched:
        patched.setattr(profile, "profile", None)
        told = page.ask("inspect/plan", rule=asking)
    assert (told["counted"], told["games"], told["costs"]) == (False, 0, [])
    plan = page.ask("inspect/plan", rule=asking, costs=True)["rule"]
    assert plan["costs"]
    for same in ("word", "file", "line", "reads", "writes", "asks", "calls", "wakes", "woken"):
        assert told["rule"][same] == plan[same]
    assert page.ask("inspect/plan", rule=asking)["counted"]  # it stays


@pytest.mark.parametrize("ruleset", shipped())
def test_no_path_of_this_computer_is_told(ruleset: str) -> None:
    page = begun(ruleset, 3)
    for method in ("inspect/state", "inspect/trace"):
        told = json.dumps(page.ask(method))
        assert str(Path(rw.shipped_rulesets()[0]).parent.absolute()) not in told
        assert '"file": null' not in told


def test_rules_without_end_use_up_the_budget_of_a_plan(tmp_path: Path) -> None:
    (tmp_path / "game.rules").write_text(ENDLESS, "utf-8")
    manifest = {"name": "endless", "title": "Endless", "rules": ["game.rules"], "seats": {"2": ["anna", "bert"]}}
    (tmp_path / "ruleset.json").write_text(json.dumps(manifest), "utf-8")
    page = Page(Host(Catalogue.of([tmp_path], shipped=False), limits=lambda: rw.Limits(seconds=2.0)))
    page.ask("game/start", ruleset=tmp_path.name, seed=1, seats=["person", "person"])
    with pytest.raises(Failed) as caught:
        page.ask("inspect/plan", costs=True)
    assert caught.value.error["code"] in (ErrorCode.STOPPED, ErrorCode.RULES)
    assert page.ask("inspect/state")["at"] == 0


@pytest.mark.parametrize("method", ["inspect/state", "inspect/trace", "inspect/plan"])
def test_without_a_game_there_is_nothing_to_inspect(method: str) -> None:
    with pytest.raises(Failed, match="no game"):
        Page().ask(method)


def test_a_refusal_names_its_file_as_pages_know_it() -> None:
    page = begun("carolus-magnus")
    told = page.ask("game/whyNot", key="nothing of that name")
    rules = [reason["rule"] for reason in told["reasons"] if reason["rule"] is not None]
    assert rules
    for rule in rules:
        assert rule["line"] <= len(page.ask("files/read", name=rule["file"])["text"].splitlines())
