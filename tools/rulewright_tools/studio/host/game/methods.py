"""Methods about the game: it is begun, answered, gone through, saved and taken up."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import rulewright as rw
import rulewright_lab as lab
from rulewright_tools.studio.host.catalogue import Catalogue
from rulewright_tools.studio.host.failures import failure_data
from rulewright_tools.studio.host.files.folder import Folder
from rulewright_tools.studio.host.game import seats
from rulewright_tools.studio.host.game.line_of_play import MOST_LINES, begun, loaded, opened, replayed
from rulewright_tools.studio.host.game.onlooker import ALL, AUTO
from rulewright_tools.studio.host.game.opening import Opened, Wanted, opened_game, wanted_of
from rulewright_tools.studio.host.game.seats import PERSON
from rulewright_tools.studio.host.game.table import Table
from rulewright_tools.studio.host.game.thinking import Looking, Stop, Think
from rulewright_tools.studio.host.messages import KEY, Answered, ErrorCode, Method, Params, Refused
from rulewright_tools.studio.host.stores import Saved, Store

MOST = 20_000
"""Answers of agents after which they wait for a request to go on."""

ADVISER = "mcts:500"
"""The agent that gives hints, if the page names none."""


class GameMethods:
    """The game of one page."""

    def __init__(self, catalogue: Catalogue, store: Store, draw: Callable[[], int], stop: Stop) -> None:
        self._catalogue = catalogue
        self._folder = Folder(catalogue)
        self._store = store
        self.looking = Looking(stop)
        self._draw = draw
        """Draws the seed of a game for which none is given."""
        self.table: Table | None = None
        self.first_rules: dict[str, rw.Ruleset] = {}
        """Rulesets by their names, as they were when games of them were first begun here."""
        self.steps = 0
        """Answers that agents may give before they wait."""
        self.shows = False
        """True if the request being carried out changes what is seen."""
        self.changes = 0
        """The number of changes of the game so far: as long as it stays, so does its snapshot."""

    @property
    def methods(self) -> dict[str, Method]:
        """Methods by their names."""
        return {
            "game/start": self._start,
            "game/answer": self._answer,
            "game/continue": self._continue,
            "game/undo": self._undo,
            "game/redo": self._redo,
            "game/goto": self._goto,
            "game/line": self._line,
            "game/look": self._look,
            "game/show": self._show,
            "game/turn": self._turn,
            "game/whyNot": self._why_not,
            "game/hint": self._hint,
            "game/save": self._save,
            "game/saves": self._saves,
            "game/load": self._load,
            "game/open": self._open,
            "game/reload": self._reload,
        }

    def begin(self) -> None:
        """Forget what the request before has led to."""
        self.steps, self.shows = 0, False

    @property
    def now(self) -> Table:
        """The table.

        Raises:
            Refused: No game has begun.
        """
        if self.table is None:
            raise Refused(ErrorCode.NOT_NOW, "no game has begun")
        return self.table

    def saved(self) -> Saved:
        """The game with all that is needed to go on."""
        return _saved(self.now)

    def take_up(self, saved: Saved) -> None:
        """Go on with a saved game."""
        name, by, kept = saved["ruleset"], None, saved.get("opened")
        if kept is None:
            game = self._load_game(name, saved["players"], tuple(saved["variants"]), saved["options"])
        else:
            found, by = self._opened(name, kept["text"], kept["until"])
            game = found.game
        self.table = Table(name, loaded(game, saved, by), saved["viewer"], saved["options"])

    def _start(self, params: Params) -> Answered:
        name = params.text("ruleset")
        players = params.whole_or("players", 1, 64)
        variants = params.texts("variants") if "variants" in params else None
        options = params.words("options")
        seed = params.whole_or("seed", 0, 2**53 - 1)
        kinds, viewer = params.texts("seats"), params.text_or("viewer", AUTO)
        params.done()
        game = self._load_game(name, players, variants, options)
        play = begun(game, self._draw() if seed is None else seed, kinds)
        self.table = Table(name, play, viewer, options)
        self._plays_on()
        return {"seats": list(game.seats)}

    def _answer(self, params: Params) -> Answered:
        at, key = params.whole("at", 0, 2**31), params.text("key", KEY)
        params.done()
        table = self.now
        if at != table.at:
            raise Refused(ErrorCode.NOT_NOW, "the game has gone on since: this is an earlier question")
        table.require_answerer()
        table.play.answer(key)
        self._plays_on()
        return {}

    def _continue(self, params: Params) -> Answered:
        steps = params.whole_or("steps", 1, MOST)
        params.done()
        if not self.now.play.agent_to_move():
            raise Refused(ErrorCode.NOT_NOW, "no agent is asked here")
        self._plays_on(MOST if steps is None else steps)
        return {}

    def _undo(self, params: Params) -> Answered:
        params.done()
        self.now.play.back()
        return self._moved()

    def _redo(self, params: Params) -> Answered:
        params.done()
        self.now.play.forward()
        return self._moved()

    def _goto(self, params: Params) -> Answered:
        at = params.whole("at", 0, 2**31)
        params.done()
        self.now.jump_to(at)
        return self._moved()

    def _line(self, params: Params) -> Answered:
        number = params.whole("line", 0, MOST_LINES)
        params.done()
        self.now.take_line(number)
        return self._moved()

    def _look(self, params: Params) -> Answered:
        params.done()
        self.now.onlooker.sit_down()
        return self._moved()

    def _show(self, params: Params) -> Answered:
        """The whole position, for a page that does not have the base of the changes."""
        params.done()
        self.now.forget_sent()
        self.shows = True
        return {}

    def _turn(self, params: Params) -> Answered:
        seat = params.text("seat")
        params.done()
        table = self.now
        if seat not in table.play.game.seats or not table.play.turn_to(table.play.game.seats.index(seat)):
            raise Refused(ErrorCode.NOT_NOW, f"`{seat[:40]}` has nothing to decide now")
        return self._moved()

    def _why_not(self, params: Params) -> Answered:
        key, id = params.text_or("key", most=KEY), params.text_or("thing")
        params.done()
        answer = self.now.why_not(key, id)
        for reason in answer["reasons"]:
            if reason["rule"] is not None:
                name = self._folder.name_of(Path(reason["rule"]["file"]))
                reason["rule"] = {**reason["rule"], "file": name} if name is not None else None
        return answer

    def _hint(self, params: Params) -> Answered:
        word = params.text_or("agent", ADVISER)
        params.done()
        table = self.now
        table.require_answerer()
        agent = seats.agent_of(table.play.game, word)
        return {"agent": word, "answers": table.hint(agent, self._looked_at(table, word))}

    def step(self) -> None:
        """Let the agent that is to move answer."""
        table = self.now
        table.play.step(self._looked_at(table))

    def _looked_at(self, table: Table, agent: str = "") -> Think:
        """Thoughts of an agent at which the page looks."""

        describe = table.describer(agent)

        def think(search: rw.playing.Search, state: rw.State, dice: rw.playing.Dice) -> rw.playing.PositionAnalysis:
            return self.looking.analysed(search, state, dice, describe)

        return think

    def _save(self, params: Params) -> Answered:
        name = params.text("name")
        params.done()
        self._store.put(name, _saved(self.now))
        return {"names": self._store.names()}

    def _saves(self, params: Params) -> Answered:
        params.done()
        return {"names": self._store.names()}

    def _load(self, params: Params) -> Answered:
        name = params.text("name")
        params.done()
        saved = self._store.get(name)
        if saved is None:
            raise Refused(ErrorCode.NOT_NOW, f"there is no saved game `{name[:40]}`")
        self.take_up(saved)
        return self._moved()

    def _open(self, params: Params) -> Answered:
        """Begin a game in the middle: with a scenario, up to one of its lines, or with a save in a file. Who has a
        scenario knows its content: unless the page wishes otherwise it is opened for a viewer who sees everything."""
        wanted = wanted_of(self._folder, params)
        kinds, viewer = params.texts("seats"), params.text_or("viewer", ALL if wanted.save is None else AUTO)
        params.done()
        if wanted.save is not None:
            self._open_save(wanted, kinds, viewer)
            return {**self._moved(), "failure": None}
        found, by = self._opened(wanted.ruleset, wanted.text, wanted.until)
        play = opened(found.game, found.positions, self._draw(), kinds, by)
        self.table = table = Table(wanted.ruleset, play, viewer, found.options)
        self._moved()
        # What a line expects and what is found instead may be hidden from some seats.
        failure = found.failure if table.is_open() else None
        return {"failure": None if failure is None else failure_data(failure, self._catalogue)}

    def _open_save(self, wanted: Wanted, kinds: Sequence[str], viewer: str) -> None:
        save = dict(wanted.save or {})
        players, variants, options = save.get("players"), save.get("variants"), save.get("options")
        if not (isinstance(players, int) and isinstance(variants, list) and isinstance(options, dict)):
            raise Refused(ErrorCode.NOT_NOW, "the save is damaged")
        setup = rw.playing.setup_choices(self._catalogue.opened(wanted.ruleset)[0])
        known = {one.name for one in setup.parameters}
        chosen = {name: value for name, value in options.items() if name in known and isinstance(value, str)}
        game = self._load_game(wanted.ruleset, players, tuple(map(str, variants)), chosen)
        state = game.load(save)
        kinds = seats.kinds_of(game, kinds or [PERSON] * game.players)
        whole = {"save": state.save(), "at": 2**31, "kinds": kinds}
        self.table = Table(wanted.ruleset, loaded(game, whole), viewer, chosen)

    def _opened(self, name: str, text: str, until: int | None) -> tuple[rw.playing.ScenarioGame, Opened]:
        """The game of a scenario with the rules as they are now."""
        ruleset = self._catalogue.opened(name)[0]
        found = opened_game(ruleset, text, until)
        self.first_rules.setdefault(name, ruleset)
        return found

    def _reload(self, params: Params) -> Answered:
        """Go on with the rules as they are in the files now, and with the variants and parameters that are given."""
        chosen = params.texts("variants") if "variants" in params else None
        values = params.words("options") if "options" in params else None
        params.done()
        before = self.now
        game = before.play.game
        if (by := before.play.opened) is not None:
            return self._reload_opened(before, by, chosen is not None or values is not None)
        setup = rw.playing.setup_choices(self._catalogue.opened(before.ruleset)[0])
        variants = chosen if chosen is not None else tuple(one for one in game.variants if one in setup.variants)
        names = {one.name for one in setup.parameters}
        options = values if values is not None else {n: value for n, value in before.options.items() if n in names}
        players = game.players if game.players in setup.players else None
        again = self._load_game(before.ruleset, players, variants, options)
        play, kept = replayed(before.play, again)
        self.table = Table(before.ruleset, play, before.onlooker.word, options)
        self.table.onlooker.stay(before.onlooker)
        self._moved()
        gone = [title for title in game.variants if title not in setup.variants]
        gone += [name for name in before.options if name not in names]
        return {"kept": kept, **self._changes(before, self.table, kept, gone)}

    def _reload_opened(self, before: Table, by: Opened, chooses: bool) -> Answered:
        if chooses:
            raise Refused(ErrorCode.NOT_NOW, f'the scenario "{by.title[:80]}" sets its variants itself')
        found, again = self._opened(before.ruleset, by.text, by.until)
        play, kept = replayed(before.play, found.game, again)
        self.table = Table(before.ruleset, play, before.onlooker.word, found.options)
        self.table.onlooker.stay(before.onlooker)
        self._moved()
        return {"kept": kept, **self._changes(before, self.table, kept, ())}

    def _changes(self, before: Table, after: Table, kept: bool, gone: Sequence[str]) -> Answered:
        """Differences of a game that goes on with other rules, as the page may see them."""
        changes = [f"`{name}` is gone" for name in gone]
        same = not after.play.game.has_secrets or before.onlooker.sight() == after.onlooker.sight()
        if kept and same:  # else one would learn what another one saw
            changes += lab.divergence.differing_values(before.view(), after.view())
        return {"at": after.at, "of": before.at, "changes": changes}

    def _load_game(
        self, name: str, players: int | None, variants: tuple[str, ...] | None, options: dict[str, str]
    ) -> rw.Game:
        ruleset, chosen = self._catalogue.opened(name)
        variants = chosen if variants is None else variants
        known = rw.playing.setup_choices(ruleset).variants
        if strange := [title for title in variants if title not in known]:
            # A title that ends in `.rules` would be taken for a file.
            raise Refused(ErrorCode.PARAMS, f"there is no variant `{strange[0][:40]}`")
        game = rw.load(ruleset, players, variants, options)
        self.first_rules.setdefault(name, ruleset)
        return game

    def _plays_on(self, steps: int = MOST) -> None:
        """After the response agents answer, until a person is to move; where no person plays, they wait for a
        request."""
        self._moved()
        self.steps = steps if self.now.play.people or steps != MOST else 0

    def _moved(self) -> Answered:
        self.shows = True
        self.changes += 1
        return {}


def _saved(table: Table) -> Saved:
    """A game with all that is needed to go on."""
    game = table.play.game
    return {
        "ruleset": table.ruleset,
        "viewer": table.onlooker.word,
        "players": game.players,
        "variants": list(game.variants),
        "options": dict(table.options),
        **table.play.saved(),
    }
