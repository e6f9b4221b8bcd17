"""Games behind a report: those of its experiments, and some that are gone through once more, each part as far as time
allows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import rulewright as rw
import rulewright_lab as lab
from rulewright_tools.progress import Working
from rulewright_tools.reports.experiment_progress import ExperimentProgress
from rulewright_tools.reports.game_report.plan import MOST, Clock, Plan
from rulewright_tools.reports.game_report.replays import Replay, replayed
from rulewright_tools.reports.html.parts import Html

GAMES, REPLAYS, CONTEST, LUCK = 0.6, 0.7, 0.8, 0.88
"""The parts of the time at whose end each part of the work ends; the page is drawn in the rest."""


@dataclass(slots=True)
class Gathered:
    """Contents of a report, as far as they were found."""

    arms: tuple[lab.experiments.Arm, ...]
    plan: Plan
    seed: int
    standing: str
    clock: Clock
    main: lab.experiments.Results
    contest: lab.experiments.Results | None = None
    """Rounds between a strong and a middle agent."""
    luck: lab.experiments.Results | None = None
    replays: list[list[Replay]] = field(default_factory=list)
    """For each arm the games that were gone through once more."""
    missing: list[str] = field(default_factory=list)
    """Sentences about parts for which there was no time."""
    interrupted: bool = False

    @property
    def game(self) -> rw.Game:
        """The game that the report is about."""
        return self.arms[0].game

    @property
    def first(self) -> lab.experiments.ArmResults:
        """The games of it."""
        return self.main.arms[0]


def gather(
    arms: tuple[lab.experiments.Arm, ...],
    plan: Plan,
    seed: int,
    standing: str,
    jobs: rw.workers.Jobs,
    shown: Working,
    clock: Clock,
) -> Gathered:
    """Play all that a report needs; what there is when time is over, or at Ctrl-C."""
    measures = ["used", "answers", "turns", *([plan.lead] if plan.lead else [])]
    main = lab.experiments.Experiment(arms, plan.games, seed, tuple(measures), MOST)
    found = Gathered(arms, plan, seed, standing, clock, main.begin())
    parts: Sequence[tuple[str, float, Callable[[], None]]] = (
        ("games", GAMES, lambda: _run(main, found.main, jobs, shown, clock.ends(GAMES))),
        ("games that are gone through once more", REPLAYS, lambda: _replay(found, shown)),
        ("rounds of the contest", CONTEST, lambda: _contest(found, jobs, shown)),
        ("games that show luck", LUCK, lambda: _luck(found, jobs, shown)),
    )
    for name, until, part in parts:
        try:
            with clock.until(until):
                part()
        except rw.Stopped:
            found.missing += _missing(name, found)
        except KeyboardInterrupt:
            found.interrupted = True
            found.missing += _missing(name, found)
            break
    return found


def drawn(found: Gathered, name: str, part: Callable[[], Html]) -> Html:
    """A part of the page for which games are played once more; nothing if there is no time for it."""
    try:
        with found.clock.until(1):
            return part()
    except rw.Stopped:
        found.missing.append(f"There was no time for {name}.")
        return Html("")


def _missing(name: str, found: Gathered) -> list[str]:
    """Sentences about what there was no time for; none if time ended with the last game."""
    plan = found.plan
    had, wanted = {
        "games": (found.first.played, plan.games),
        "rounds of the contest": (_played(found.contest), plan.rounds),
        "games that show luck": (_played(found.luck), plan.luck_games),
    }.get(name, (len(found.replays[-1]) if found.replays else 0, plan.kept))
    if not had:
        return [f"There was no time for {name}: what they would show was not looked at."]
    return [f"Time allowed {had} of {wanted} {name}."] if had < wanted else []


def _played(results: lab.experiments.Results | None) -> int:
    return min(one.played for one in results.arms) if results is not None else 0


def _run(
    meant: lab.experiments.Experiment,
    results: lab.experiments.Results,
    jobs: rw.workers.Jobs,
    shown: Working,
    ends: float,
) -> None:
    progress = ExperimentProgress(shown, results, meant.games * len(meant.arms), ends)
    meant.run(results, jobs, progress.reached)


def _contest(found: Gathered, jobs: rw.workers.Jobs, shown: Working) -> None:
    """Play for skill: rounds between two agents, in games of all arms."""
    plan = found.plan
    if not plan.contest[0] or found.game.players < 2:
        return
    arms = tuple(without_seats(arm, ("random",)) for arm in found.arms)
    skill = f"skill({', '.join(plan.contest)}) in {plan.rounds} rounds"
    meant = lab.experiments.Experiment(arms, plan.rounds, found.seed, ("unfinished", skill), MOST)
    found.contest = meant.begin()
    _run(meant, found.contest, jobs, shown, found.clock.ends(CONTEST))


def _luck(found: Gathered, jobs: rw.workers.Jobs, shown: Working) -> None:
    """Play for luck: each game with two more."""
    plan = found.plan
    arms = tuple(without_seats(arm, plan.luck_seats) for arm in found.arms)
    meant = lab.experiments.Experiment(arms, plan.luck_games, found.seed, ("unfinished", "luck"), MOST)
    found.luck = meant.begin()
    _run(meant, found.luck, jobs, shown, found.clock.ends(LUCK))


def _replay(found: Gathered, shown: Working) -> None:
    shown.at("games once more", found.plan.kept * len(found.arms))
    done = 0
    for arm in found.arms:
        found.replays.append([])
        for replay in replayed(arm, found.seed, found.plan.kept, MOST):
            found.replays[-1].append(replay)
            done += 1
            shown.reached(done)


def without_seats(arm: lab.experiments.Arm, seats: tuple[str, ...]) -> lab.experiments.Arm:
    """The arm with other players."""
    return lab.experiments.Arm(arm.name, arm.game, seats, arm.look, arm.noise, arm.options)
