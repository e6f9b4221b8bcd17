"""Moments to confirm: the fewest in which rules do something else than their likeliest neighbours would."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path

from rulewright.compiler import OptionValue, sources
from rulewright.compiler.lowering.sharing import UnitCache
from rulewright.data.opening import opened
from rulewright.data.ruleset import Ruleset
from rulewright.diagnostics import RulesetError
from rulewright.engine import Dice
from rulewright.findings.confirmation.census import Census, Use
from rulewright.findings.confirmation.covering import Candidate, cover, others
from rulewright.findings.confirmation.episodes import Episode
from rulewright.findings.confirmation.laying import at_limits, laid_apart, reached_apart
from rulewright.findings.confirmation.moments import SHOWN, Moment, answered, moment
from rulewright.findings.confirmation.neighbours import fails, neighbours, of_numbers, played, scenarios_of, weight
from rulewright.findings.confirmation.pool import elsewhere, ordered, pool, reaching, to_the_end
from rulewright.findings.confirmation.separation import Separator
from rulewright.findings.confirmation.shrinking import shrunk
from rulewright.findings.mutation.mutants import Mutant
from rulewright.host.api_arguments import whole
from rulewright.play.game import Game
from rulewright.play.loading import load
from rulewright.play.narration.words import Wording
from rulewright.play.playing import player_counts

GAMES, SECONDS, MOST = 20, 30.0, 12


@dataclass(frozen=True, slots=True)
class Confirmation:
    """The moments of a variant, or of a ruleset, in the order in which they are shown."""

    title: str
    variants: tuple[str, ...]
    players: int
    moments: tuple[Moment, ...]
    same: tuple[Mutant, ...]
    """Neighbours that do the same in all episodes, those aside whose rules are used in none."""
    tried: int
    """Neighbours that were played."""
    left: int
    """Neighbours for which there was no time."""
    partial: bool
    """True if time has ended any part of the search: another machine may show other moments."""
    proved: int
    """Neighbours by which a scenario of the rules fails: no moment is about them."""
    census: tuple[Use, ...]
    """The uses of the rules that are changed, in these games."""
    games: int
    episodes: int
    seconds: float
    """Seconds of the processor."""

    def data(self) -> dict[str, object]:
        """The moments as plain data."""
        return {
            "title": self.title,
            "variants": list(self.variants),
            "players": self.players,
            "moments": [one.data() for one in self.moments],
            "same": [
                {"rule": one.rule, "file": one.span.file, "line": one.span.line, "now": one.before, "then": one.after}
                for one in self.same
            ],
            "uses": [one.data() for one in self.census],
            "tried": self.tried,
            "left": self.left,
            "proved": self.proved,
            "games": self.games,
            "partial": self.partial,
        }


def confirm(
    ruleset: str | Path | Ruleset,
    players: int | None = None,
    variants: Iterable[str] = (),
    options: Mapping[str, OptionValue] | None = None,
    games: int = GAMES,
    seconds: float | None = SECONDS,
    most: int = MOST,
    seed: int = 0,
    progress: Callable[[str], None] | None = None,
    show: Callable[[Moment], None] | None = None,
) -> Confirmation:
    """The moments to confirm of what variants change, or of a whole ruleset.

    `games` are played, and their episodes by the rules and by each neighbour; `seconds` of the processor are used at
    most (None: as many as it takes). The same seed and number of games give the same moments unless it is `partial`.
    `progress` is called with what is done, `show` with each moment as soon as it is found: the first one is chosen
    among the first games and neighbours.

    RulesetError if the rules cannot be played.
    """
    whole("the number of games", games, least=1)
    whole("the number of moments", most, least=1)
    found_in, titles = opened(ruleset, variants)
    game = load(found_in, players if players is not None else _count(found_in), titles, options)
    made = neighbours(game)
    taken = {one.title for one in sources(game.ruleset).rules.scenarios}
    numbers = player_counts(found_in) if players is None and of_numbers(found_in, made) else ()
    rest = [one for one in numbers if one != game.players]
    whole_time, each = (None, None) if seconds is None else (seconds * (1 - OTHERS * len(rest)), seconds * OTHERS)
    search = _Search(game, options or {}, seed, whole_time, progress, show, taken)
    found = search.confirmation(made, games, max(1, most - OF_OTHERS * len(rest)))
    for number in rest:
        try:
            other = load(found_in, number, titles, options)
        except RulesetError:
            continue
        search = _Search(other, options or {}, seed, each, progress, show, taken)
        search.note = (f"with {number} players",)
        more = search.of_numbers(min(games, OTHER_GAMES), min(OF_OTHERS, most - len(found.moments)))
        found = replace(
            found,
            moments=(*found.moments, *more),
            partial=found.partial or search.cut,
            games=found.games + search.games,
            seconds=found.seconds + search.spent,
        )
    return found


def _count(ruleset: Ruleset) -> int | None:
    """Three players where so many can play: with two, all others are the one who comes next."""
    counts = player_counts(ruleset)
    return 3 if 3 in counts else None


OTHERS, OF_OTHERS, OTHER_GAMES = 0.1, 2, 6
"""The part of the time for another number of players, the moments that are shown of it at most, and the games."""

POOL, AIMED, NEIGHBOURS, REACHING, LAYING = 0.15, 0.25, 0.6, 0.65, 0.72
"""The parts of the time after which no further game, flight or neighbour is begun, nor a flight or laid position for
neighbours that have not differed."""

FIRST_GAMES, FIRST_NEIGHBOURS = 1, 6
"""The games and neighbours among which the first moment is chosen."""

FILLED = 8
"""Moments are added until there are so many: some in which what is changed meets other rules."""

ENOUGH, TRIED = 12, 40
"""A neighbour is played until it has differed in so many episodes, and in about so many at first: in those in which its
rule is used, and in others."""


class _Search:
    """The episodes so far, and the neighbours that differ in them."""

    def __init__(
        self,
        game: Game,
        options: Mapping[str, OptionValue],
        seed: int,
        seconds: float | None,
        progress: Callable[[str], None] | None,
        show: Callable[[Moment], None] | None,
        titles: set[str],
    ) -> None:
        self.game, self.options, self.seed, self.seconds = game, options, seed, seconds
        self.progress, self.show, self.titles = progress, show, titles
        self.cut = False
        """True once time has ended a part of the search."""
        self.note: tuple[str, ...] = ()
        """Lines that stand above the position of each moment."""
        self.begun = time.process_time()
        self.episodes: list[Episode] = []
        self.games = 0
        self.census = Census()
        self.units = UnitCache()
        self.scenarios = scenarios_of(game, self.units)
        self.proved = 0
        self.passed_over = set[str]()
        """Neighbours that are no other game, or that a scenario tells apart."""
        self.separators: dict[str, tuple[Mutant, Separator]] = {}
        self.parted: dict[str, dict[int, int]] = {}
        self.chosen: list[Candidate] = []
        self.moments: list[Moment] = []

    @property
    def spent(self) -> float:
        return time.process_time() - self.begun

    def over(self, share: float) -> bool:
        """True if a part of the time is over: then what follows depends on the machine."""
        over = self.seconds is not None and self.spent > share * self.seconds
        self.cut |= over
        return over

    def describe(self, what: str) -> None:
        if self.progress is not None:
            self.progress(what)

    def of_numbers(self, games: int, most: int) -> tuple[Moment, ...]:
        """Moments of clauses that say something else for other numbers of players."""
        self.play(range(games))
        for one in of_numbers(self.game.ruleset, neighbours(self.game)):
            if self.over(NEIGHBOURS):
                break
            self.describe(f"neighbours with {self.game.players} players")
            self.compare(one, 0)
        self.state_numbers()
        self.choose(most)
        return tuple(self.moments)

    def confirmation(self, made: Sequence[Mutant], games: int, most: int) -> Confirmation:
        """Play, compare, choose."""
        self.play(range(min(games, FIRST_GAMES)))
        for one in made[:FIRST_NEIGHBOURS]:
            self.compare(one, 0)
        self.choose(1)
        early = len(self.episodes)
        self.play(range(FIRST_GAMES, games))
        names = frozenset(self.game.rule_names)
        rules = dict.fromkeys(name for one in made for name in (one.rule, one.name) if name in names)
        self.describe("positions in which the rules are used")
        self.episodes += elsewhere(self.game, self.episodes, list(rules), self.seed)
        reached = reaching(self.game, self.episodes, list(rules), self.seed, lambda: self.over(AIMED))
        self.episodes += ordered(reached)
        tried = 0
        for number, one in enumerate(made):
            if number >= FIRST_NEIGHBOURS and self.over(NEIGHBOURS):
                break
            self.describe(f"neighbour {number + 1} of {len(made)}")
            self.compare(one, early if number < FIRST_NEIGHBOURS else 0)
            tried += 1
        self.search_for_others(made)
        self.state_numbers()
        self.choose(most)
        self.fill(made, min(most, FILLED))
        used = frozenset[str]().union(*(one.used for one in self.episodes))
        same = [
            one
            for name, (one, separator) in self.separators.items()
            if not self.parted[name]
            and (separator.changed is None or separator.measures or not separator.changed.isdisjoint(used))
        ]
        return Confirmation(
            self.game.title, self.game.program.variants, self.game.players, tuple(self.moments), tuple(same), tried,
            len(made) - tried, self.cut, self.proved, self.census.of(rules, Wording(self.game).text), self.games,
            len(self.episodes), self.spent,
        )  # fmt: skip

    def search_for_others(self, made: Sequence[Mutant]) -> None:
        """Episodes in which those differ that have not yet: games are led to what they change, then positions are
        laid."""
        alike = [one for one in made if one.id in self.parted and not self.parted[one.id]]
        for one in alike:
            if not self.over(REACHING):
                self.compare(one, 0, len(self.episodes))
        alike = [one for one in alike if not self.parted[one.id]]
        changed = [self.separators[one.id][1].changed or frozenset() for one in alike]
        rules = dict.fromkeys(name for names in changed for name in sorted(names))
        self.extend(reaching(self.game, self.episodes, list(rules), self.seed, lambda: self.over(REACHING)), alike)
        if alike:
            self.extend(to_the_end(self.game, self.seed), alike)
        others = [separator.other for _, separator in self.separators.values()]
        self.extend(at_limits(self.game, self.episodes, others, Dice(self.seed, "limits")), made)
        for one in alike:
            if self.over(LAYING):
                return
            if not self.parted[one.id]:
                self.describe(f"laying positions for {one.rule}")
                other = self.separators[one.id][1].other
                found = list(laid_apart(self.game, other, self.episodes, Dice(self.seed, one.id)))
                self.extend(found or reached_apart(self.game, other, self.seed), alike)

    def state_numbers(self) -> None:
        """Let those differ at the beginning of a game, by the numbers that the rules have, that differ nowhere else."""
        main = self.game.program.main
        starts = (n for n, one in enumerate(self.episodes) if one.opening.function == main and not one.before)
        begun = next((n for n in starts if Candidate(n, 0) not in self.chosen), None)
        for name, (_, separator) in self.separators.items():
            if begun is not None and not self.parted[name] and separator.state_numbers():
                self.parted[name][begun] = 0

    def extend(self, found: Iterable[Episode], several: Sequence[Mutant]) -> None:
        """Play some more episodes by some neighbours."""
        first = len(self.episodes)
        self.episodes += ordered(found)
        for one in several if len(self.episodes) > first else ():
            if one.id in self.parted and not self.over(LAYING):
                self.compare(one, first)

    def play(self, numbers: range) -> None:
        """Play some more games."""
        self.describe("games")
        found, count = pool(self.game, numbers, self.seed, lambda: self.over(POOL), self.census)
        self.episodes += found
        self.games += count

    def compare(self, one: Mutant, first: int, tried: int = TRIED) -> None:
        """Play the episodes from one on by a neighbour: `tried` of those that use its rule, and of the others."""
        if one.id not in self.separators:
            if one.id in self.passed_over:
                return
            other = played(self.game, one, self.units, self.options)
            if other is not None and fails(other, self.scenarios, self.units):
                self.proved += 1
                other = None
            if other is None:
                self.passed_over.add(one.id)
                return
            self.separators[one.id], self.parted[one.id] = (one, Separator(self.game, other)), {}
        _, separator = self.separators[one.id]
        parts = self.parted[one.id]
        for number in self.near(one, separator, first, tried):
            if len(parts) >= ENOUGH:
                return
            difference = separator.first_difference(self.episodes[number])
            if difference is not None and difference.state is not None:
                parts[number] = difference.step

    def near(self, one: Mutant, separator: Separator, first: int, tried: int) -> list[int]:
        """The episodes, from one on, in which a neighbour is played: first those in which its rule is used, then some
        of the others in which what it changes is."""
        changed = separator.changed if not separator.measures else None
        where = [
            number
            for number in range(first, len(self.episodes))
            if changed is None or not changed.isdisjoint(self.episodes[number].used)
        ]
        own = [number for number in where if one.rule in self.episodes[number].used]
        rest = [number for number in where if one.rule not in self.episodes[number].used]
        return [*own[:: 1 + len(own) // tried], *rest[:: 1 + len(rest) // tried]]

    def choose(self, most: int) -> None:
        """Choose moments until there are so many."""
        weights = {name: weight(self.separators[name][0]) for name in self.parted}
        for one in cover(self.episodes, self.parted, weights, most, self.chosen):
            names = [n for n, parts in self.parted.items() if parts.get(one.episode, one.step + 1) <= one.step]
            names.sort(key=lambda name: (-self.parted[name][one.episode], -weights[name]))
            self.show_one(one, [self.separators[name] for name in names])

    def fill(self, made: Sequence[Mutant], most: int) -> None:
        """Choose moments in which what is changed meets other rules, until there are so many."""
        about = {name: one for one in reversed(made) for name in (one.rule, one.name)}
        changed = frozenset(about) & frozenset(self.game.rule_names)
        for one in others(self.episodes, changed, self.chosen, most - len(self.moments)):
            used = self.episodes[one.episode].used & changed
            self.show_one(one, [], about[min(used)])

    def title(self, rule: str) -> str:
        """A title that no scenario has: the clause, and a number."""
        name = rule.replace('"', "")
        title = next(title for number in count(1) if (title := f"{name} {number}") not in self.titles)
        self.titles.add(title)
        return title

    def show_one(self, one: Candidate, parted: Sequence[tuple[Mutant, Separator]], about: Mutant | None = None) -> None:
        """Make a moment, unless another one shows the same."""
        small = shrunk(self.game, self.episodes[one.episode], one.step, [separator for _, separator in parted[:SHOWN]])
        self.chosen.append(one)
        main = about if about is not None else parted[0][0]
        small, step = answered(small, one.step, parted)
        found = moment(self.game, small, step, main, parted, self.title(main.rule), self.options)
        found = replace(found, position=(*self.note, *found.position))
        if any(found.key == known.key for known in self.moments):
            return
        self.moments.append(found)
        if self.show is not None:
            self.show(found)
