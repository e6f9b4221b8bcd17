"""The games of a host or a server: begun, opened by name, and kept before a page learns of a change."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable, Mapping
from itertools import count

import rulewright as rw
from rulewright_tools.studio.host.catalogue import Catalogue
from rulewright_tools.studio.host.messages import ErrorCode, Refused
from rulewright_tools.studio.host.play.line_of_play import LineOfPlay, loaded
from rulewright_tools.studio.host.play.opening import Opened, opened_game
from rulewright_tools.studio.host.play.played_game import PlayedGame, Table, table_of
from rulewright_tools.studio.host.play.strength import Strengths
from rulewright_tools.studio.host.stores import MOST, Saved, Store

SEEDS = 2**32
"""Seeds that are drawn are below this, so that they can be read out and written down."""

PICTURES = 24
"""Games of a list that have pictures: those that were changed last."""

LONGEST = 40
"""Letters of the name of a game before its number."""


def _drawn() -> int:
    return random.SystemRandom().randrange(SEEDS)


class Games:
    """All games, by their names. Those at which pages look are held in memory; several threads may use them as long
    as each game is used by one at a time."""

    def __init__(self, catalogue: Catalogue, store: Store, draw: Callable[[], int] = _drawn) -> None:
        self._catalogue = catalogue
        self._store = store
        self.draw = draw
        """Draws the seed of a game for which none is given."""
        self.strengths = Strengths()
        self._held: dict[str, PlayedGame] = {}
        self._rules: dict[tuple[object, ...], rw.Game] = {}
        """Rules that games have in common, the last used last."""

    # ------------------------------------------------------------------------------------------ games

    def begun(self, ruleset: str, play: LineOfPlay, options: Mapping[str, str], viewer: str) -> PlayedGame:
        """A new game, which is not kept yet."""
        known = {*self._store.names(), *self._held}
        if len(known) >= MOST:
            raise Refused(ErrorCode.NOT_NOW, f"no more than {MOST} games are kept: delete some of them")
        word = re.sub("[^a-z0-9]+", "-", ruleset.lower()).strip("-")[:LONGEST] or "game"
        name = next(one for number in count(1) if (one := f"{word}-{number}") not in known)
        table = table_of(None, len(play.game.seats))
        table.questions = play.game.ruleset.manifest.feedback
        game = PlayedGame(name, ruleset, play, options, viewer, table)
        self._held[name] = game
        return game

    def held(self, name: str) -> PlayedGame | None:
        """A game, if it is held in memory."""
        return self._held.get(name)

    def opened(self, name: str) -> PlayedGame:
        """A game by its name; Refused if there is none."""
        found = self._held.get(name)
        if found is None:
            saved = self._store.get(name)
            if saved is None:
                raise Refused(ErrorCode.NOT_NOW, f"there is no game `{name[:40]}`")
            found = self._held[name] = self._loaded(name, saved)
        return found

    def copy(self, game: PlayedGame, label: str) -> PlayedGame:
        """A game like another one, as it is now, without its links: all seats of people are played where it is opened.
        Those who sit at a table with secrets learn that they are known."""
        if game.has_guests and game.play.game.has_secrets and game.play.end.result is None:
            game.table.has_seen = True
            game.changes += 1
        saved = game.saved()
        play = self._loaded(game.name, saved)
        again = self.begun(game.ruleset, play.play, game.options, game.viewer)
        again.table = Table(game.table.people, label, has_seen=game.table.has_seen, seed_known=game.table.seed_known,
                            questions=game.table.questions)  # fmt: skip
        self.keep(again)
        return again

    def keep(self, game: PlayedGame) -> None:
        """Keep a game as it is now, before a page learns of it."""
        if game.is_deleted:
            raise Refused(ErrorCode.NOT_NOW, "this game was deleted")
        summary = {**game.summary(), "changed": time.time_ns() / 1e9}
        self._store.put(game.name, game.saved(), summary, game.events)
        game.events = []

    def take_picture(self, game: PlayedGame, picture: str) -> None:
        """Keep the picture of a game for lists."""
        if not game.is_deleted:
            self._store.put_picture(game.name, picture)

    def let_go(self, name: str) -> None:
        """Hold a game no longer: no page looks at it, and all that has happened is kept."""
        self._held.pop(name, None)

    def delete(self, name: str) -> None:
        """Forget a game."""
        self._store.delete(name)
        if (held := self._held.pop(name, None)) is not None:
            held.is_deleted = True

    def listed(self) -> list[Saved]:
        """The summaries of all games, the last changed first."""
        summaries = self._store.summaries()
        pictures = self._store.pictures([*summaries][:PICTURES])
        return [{"game": name, **one, "picture": pictures.get(name)} for name, one in summaries.items()]

    # ------------------------------------------------------------------------------------------ rules

    def rules(
        self, name: str, players: int | None, variants: tuple[str, ...] | None, options: Mapping[str, str]
    ) -> tuple[rw.Game, rw.Ruleset]:
        """The rules of a game as they are in the files now, and the ruleset."""
        ruleset, chosen = self._catalogue.opened(name)
        variants = chosen if variants is None else variants
        known = rw.playing.setup_choices(ruleset).variants
        if strange := [title for title in variants if title not in known]:
            # A title that ends in `.rules` would be taken for a file.
            raise Refused(ErrorCode.PARAMS, f"there is no variant `{strange[0][:40]}`")
        key = (name, ruleset.digest, players, variants, tuple(sorted(options.items())))
        game = self._rules.pop(key, None)
        self._rules[key] = game = rw.load(ruleset, players, variants, options) if game is None else game
        if len(self._rules) > _SHARED:
            del self._rules[next(iter(self._rules))]
        return game, ruleset

    def scenario(self, name: str, text: str, until: int | None) -> tuple[rw.playing.ScenarioGame, Opened, rw.Ruleset]:
        """The game of a scenario with the rules as they are now."""
        ruleset = self._catalogue.opened(name)[0]
        return (*opened_game(ruleset, text, until), ruleset)

    def _loaded(self, name: str, saved: Saved) -> PlayedGame:
        ruleset, by, kept = saved["ruleset"], None, saved.get("opened")
        if kept is None:
            game = self.rules(ruleset, saved["players"], tuple(saved["variants"]), saved["options"])[0]
        else:
            found, by, _ = self.scenario(ruleset, kept["text"], kept["until"])
            game = found.game
        table = table_of(saved.get("table"), len(game.seats))
        return PlayedGame(name, ruleset, loaded(game, saved, by), saved["options"], saved["viewer"], table)


_SHARED = 64
"""Rules that are kept for several games."""
