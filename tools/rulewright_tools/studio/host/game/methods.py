"""Methods about the game of a page: it is begun, answered, looked at from all sides, and goes on with other rules."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import rulewright as rw
import rulewright_lab as lab
from rulewright_tools.studio.host.catalogue import Catalogue
from rulewright_tools.studio.host.failures import failure_data
from rulewright_tools.studio.host.files.folder import Folder
from rulewright_tools.studio.host.game.observer import ALL, AUTO, require_viewer
from rulewright_tools.studio.host.game.viewpoint import Viewpoint
from rulewright_tools.studio.host.messages import KEY, Answered, Deferred, ErrorCode, Method, Params, Refused
from rulewright_tools.studio.host.play import seats
from rulewright_tools.studio.host.play.games import Games
from rulewright_tools.studio.host.play.line_of_play import MOST_LINES, LineOfPlay, begun, loaded, opened, replayed
from rulewright_tools.studio.host.play.opening import Opened, Wanted, wanted_of
from rulewright_tools.studio.host.play.played_game import PlayedGame
from rulewright_tools.studio.host.play.seats import LINK, PERSON
from rulewright_tools.studio.host.play.thinking import Looking, Stop
from rulewright_tools.studio.host.rights import Link, Role

MOST = 20_000
"""Answers of agents after which they wait for a request to go on."""

ADVISER = "mcts:500"
"""The agent that gives hints, if the page names none."""


class GameMethods:
    """The game of one page."""

    def __init__(self, catalogue: Catalogue, games: Games, link: Link | None, stop: Stop) -> None:
        self._catalogue = catalogue
        self._folder = Folder(catalogue)
        self.games = games
        self.link = link
        """The link by which the page came; None is the owner's."""
        self.looking = Looking(stop)
        self.viewpoint: Viewpoint | None = None
        self.first_rules: dict[str, rw.Ruleset] = {}
        """Rulesets by their names, as they were when games of them were first begun here."""
        self._gives_forced = False
        """True if the only answer to a question of the page is given by itself."""
        self.shows = False
        """True if the request being carried out changes what is seen."""
        self.goes_on = False
        """True if the page goes on through answers of agents that were given before, after one of its own."""

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
            "game/forced": self._forced,
            "game/whyNot": self._why_not,
            "game/hint": self._hint,
            "game/open": self._open,
            "game/reload": self._reload,
        }

    @property
    def now(self) -> Viewpoint:
        """The viewpoint of the page.

        Raises:
            Refused: No game has begun.
        """
        before = self.viewpoint
        if before is None:
            raise Refused(ErrorCode.NOT_NOW, "no game has begun")
        if before.rules is not before.play.game:  # another page has changed them
            self.viewpoint = self._viewpoint(before.game, before.changes())
            self.viewpoint.observer.stay(before.observer)
        return self.viewpoint or before

    def look_at(self, game: PlayedGame) -> Answered:
        """Let the page look at a game from now on."""
        self.viewpoint = self._viewpoint(game)
        self.shows = True
        return {}

    def _viewpoint(self, game: PlayedGame, changes: Sequence[str] | None = None) -> Viewpoint:
        found = Viewpoint(game, self.link, changes)
        found.observer.gives_forced = self._gives_forced
        return found

    def _start(self, params: Params) -> Answered:
        name = params.text("ruleset")
        players = params.whole_or("players", 1, 64)
        variants = params.texts("variants") if "variants" in params else None
        options = params.words("options")
        seed = params.whole_or("seed", 0, 2**53 - 1)
        kinds, viewer = params.texts("seats"), params.text_or("viewer", AUTO)
        before = self.now.game if params.truth_or("keeps_seed") else None
        params.done()
        if before is not None and seed is not None:
            raise Refused(ErrorCode.PARAMS, "a game has the seed of the one before, or another one, not both")
        game = self._rules(name, players, variants, options)
        require_viewer(game, viewer)
        known = seed is not None or (before is not None and before.table.seed_known)
        if seed is None:
            seed = self.games.draw() if before is None else before.play.seed
        play = begun(game, seed, [PERSON if one == LINK else one for one in kinds])
        played = self._begin(name, play, viewer, options)
        played.table.seed_known = known
        for seat in (number for number, kind in enumerate(kinds) if kind == LINK):
            played.invite(Role.SEAT, seat, anew=False)
        self.plays_on()
        return {"seats": list(game.seats)}

    def _begin(self, name: str, play: LineOfPlay, viewer: str, options: dict[str, str]) -> PlayedGame:
        game = self.games.begun(name, play, options, viewer)
        self.look_at(game)
        game.moved()
        return game

    def _answer(self, params: Params) -> Answered:
        at, key = params.whole("at", 0, 2**31), params.text("key", KEY)
        params.done()
        self.now.answer(at, key)
        self.plays_on()
        return {}

    def _continue(self, params: Params) -> Answered:
        steps = params.whole_or("steps", 1, MOST)
        params.done()
        if not self.now.agent_to_move():
            raise Refused(ErrorCode.NOT_NOW, "no agent is asked here")
        self.plays_on(MOST if steps is None else steps)
        return {}

    def _undo(self, params: Params) -> Answered:
        params.done()
        self.now.back()
        return self._looks()

    def _redo(self, params: Params) -> Answered:
        params.done()
        self.now.forward()
        return self._looks()

    def _goto(self, params: Params) -> Answered:
        at = params.whole("at", 0, 2**31)
        params.done()
        self.now.jump_to(at)
        return self._looks()

    def _line(self, params: Params) -> Answered:
        number = params.whole("line", 0, MOST_LINES)
        params.done()
        self.now.take_line(number)
        return self._looks()

    def _look(self, params: Params) -> Answered:
        params.done()
        self.now.observer.sit_down()
        return self._looks()

    def _show(self, params: Params) -> Answered:
        """The whole position, for a page that does not have the base of the changes."""
        params.done()
        self.now.forget_sent()
        return self._looks()

    def _turn(self, params: Params) -> Answered:
        seat = params.text("seat")
        params.done()
        names, observer = self.now.play.game.seats, self.now.observer
        if seat not in names or not observer.turn_to(names.index(seat)):
            raise Refused(ErrorCode.NOT_NOW, f"`{seat[:40]}` has nothing to decide now")
        return self._looks()

    def _forced(self, params: Params) -> Answered:
        """Give the only answer to a question of this page by itself from now on, or leave it to the page."""
        self._gives_forced = params.truth_or("on")
        params.done()
        if self.viewpoint is not None:
            self.now.observer.gives_forced = self._gives_forced
            self.shows = True
            if self.now.observer.only_answer() is not None:
                self.plays_on()
        return {}

    def _why_not(self, params: Params) -> Deferred:
        key, id = params.text_or("key", most=KEY), params.text_or("thing")
        params.done()
        deferred = self.now.why_not(key, id)
        return Deferred(deferred.work, lambda found: self._without_paths(deferred.then(found)))

    def _without_paths(self, answer: Answered) -> Answered:
        """Reasons that name files as the page knows them, if it may read them."""
        for reason in answer["reasons"]:
            if reason["rule"] is not None:
                name = self._folder.name_of(Path(reason["rule"]["file"])) if self.link is None else None
                reason["rule"] = {**reason["rule"], "file": name} if name is not None else None
        return answer

    def _hint(self, params: Params) -> Deferred:
        word = params.text_or("agent", ADVISER)
        params.done()
        viewpoint = self.now
        viewpoint.require_answerer()
        agent = seats.agent_of(viewpoint.play.game, word)
        think = self.looking.thinking(self.looking.watchers(viewpoint.describer(word)))
        deferred = viewpoint.hint(agent, think)
        return Deferred(deferred.work, lambda found: {"agent": word, **deferred.then(found)})

    def _open(self, params: Params) -> Answered:
        """Begin a game in the middle: with a scenario, up to one of its lines, or with a save in a file. Who has a
        scenario knows its content: unless the page wishes otherwise it is opened for a viewer who sees everything."""
        wanted = wanted_of(self._folder, params)
        kinds, viewer = params.texts("seats"), params.text_or("viewer", ALL if wanted.save is None else AUTO)
        params.done()
        if wanted.save is not None:
            self._open_save(wanted, kinds, viewer)
            return {"failure": None}
        found, by = self._scenario(wanted.ruleset, wanted.text, wanted.until)
        require_viewer(found.game, viewer)
        play = opened(found.game, found.positions, self.games.draw(), kinds, by)
        self._begin(wanted.ruleset, play, viewer, found.options).table.seed_known = True
        # What a line expects and what is found instead may be hidden from some seats.
        failure = found.failure if self.now.is_open() else None
        return {"failure": None if failure is None else failure_data(failure, self._catalogue)}

    def _open_save(self, wanted: Wanted, kinds: Sequence[str], viewer: str) -> None:
        save = dict(wanted.save or {})
        players, variants, options = save.get("players"), save.get("variants"), save.get("options")
        if not (isinstance(players, int) and isinstance(variants, list) and isinstance(options, dict)):
            raise Refused(ErrorCode.NOT_NOW, "the save is damaged")
        setup = rw.playing.setup_choices(self._catalogue.opened(wanted.ruleset)[0])
        known = {one.name for one in setup.parameters}
        chosen = {name: value for name, value in options.items() if name in known and isinstance(value, str)}
        game = self._rules(wanted.ruleset, players, tuple(map(str, variants)), chosen)
        require_viewer(game, viewer)
        state = game.load(save)
        kinds = seats.kinds_of(game, kinds or [PERSON] * game.players)
        play = loaded(game, {"save": state.save(), "kinds": kinds})
        self._begin(wanted.ruleset, play, viewer, chosen).table.seed_known = True

    def _scenario(self, name: str, text: str, until: int | None) -> tuple[rw.playing.ScenarioGame, Opened]:
        """The game of a scenario with the rules as they are now."""
        found, by, ruleset = self.games.scenario(name, text, until)
        self.first_rules.setdefault(name, ruleset)
        return found, by

    def _reload(self, params: Params) -> Answered:
        """Go on with the rules as they are in the files now, and with the variants and parameters that are given."""
        chosen = params.texts("variants") if "variants" in params else None
        values = params.words("options") if "options" in params else None
        params.done()
        game, rules = self.now.game, self.now.play.game
        if (by := game.play.opened) is not None:
            if chosen is not None or values is not None:
                raise Refused(ErrorCode.NOT_NOW, f'the scenario "{by.title[:80]}" sets its variants itself')
            found, again = self._scenario(game.ruleset, by.text, by.until)
            return self._go_on(found.game, found.options, (), again)
        setup = rw.playing.setup_choices(self._catalogue.opened(game.ruleset)[0])
        variants = chosen if chosen is not None else tuple(one for one in rules.variants if one in setup.variants)
        names = {one.name for one in setup.parameters}
        options = values if values is not None else {n: value for n, value in game.options.items() if n in names}
        players = rules.players if rules.players in setup.players else None
        gone = [title for title in rules.variants if title not in setup.variants]
        gone += [name for name in game.options if name not in names]
        return self._go_on(self._rules(game.ruleset, players, variants, options), options, gone)

    def _go_on(
        self, rules: rw.Game, options: dict[str, str], gone: Sequence[str], by: Opened | None = None
    ) -> Answered:
        """Let the game go on with other rules.

        Returns: Its differences, as the page may see them.
        """
        before = self.now
        view, perspective, at, game = before.view(), before.perspective(), before.at, before.game
        play, number, kept = replayed(game.play, before.observer.at, rules, by)
        game.replace(play, options)
        after = self.viewpoint = self._viewpoint(game)
        after.observer.stay(before.observer)
        after.observer.look_at(number)
        self.shows = True
        changes = [f"`{name}` is gone" for name in gone]
        if kept and (
            not rules.has_secrets or perspective == after.perspective()
        ):  # else one would learn what another one saw
            changes += lab.divergence.differing_values(view, after.view())
        return {"kept": kept, "at": after.at, "of": at, "changes": changes}

    def _rules(
        self, name: str, players: int | None, variants: tuple[str, ...] | None, options: dict[str, str]
    ) -> rw.Game:
        game, ruleset = self.games.rules(name, players, variants, options)
        self.first_rules.setdefault(name, ruleset)
        return game

    def plays_on(self, steps: int = MOST) -> None:
        """After the response agents answer, until a person is to move; where no person plays, they wait for a
        request."""
        self.shows = self.goes_on = True
        game = self.now.game
        game.steps = steps if game.play.people or steps != MOST else 0

    def _looks(self) -> Answered:
        self.shows, self.goes_on = True, False
        return {}
