"""Games behind a report: those of its experiments, and some that are gone through once more, each part as far as time
allows."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import rulewright as rw
import rulewright_lab as lab
from rulewright_tools.progress import Working
from rulewright_tools.reports.experiment_progress import ExperimentProgress
from rulewright_tools.reports.game_report.plan import MOST, Plan
from rulewright_tools.reports.game_report.replays import Replay, replayed


class TimeIsOver(Exception):
    """No time is left for a part of the report."""


@dataclass(slots=True)
class Clock:
    """Time for a whole report, of which each part may take what the parts before it have left."""

    seconds: float | None
    begun: float = field(default_factory=time.monotonic)

    def check(self, part: float = 1.0) -> None:
        """Stop a part of the work that may go on until so much of all time is over."""
        if self.seconds is not None and time.monotonic() - self.begun > part * self.seconds:
            raise TimeIsOver


@dataclass(slots=True)
class Gathered:
    """Contents of a report, as far as they were found."""

    arms: tuple[lab.experiments.Arm, ...]
    plan: Plan
    seed: int
    standing: str
    main: lab.experiments.Results
    contest: lab.experiments.Results | None = None
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
    seconds: float | None,
) -> Gathered:
    """Play all that a report needs; what there is when time is over, or at Ctrl-C."""
    clock = Clock(seconds)
    measures = ["used", "answers", *([f"drama({standing})"] if standing else [])]
    main = lab.experiments.Experiment(arms, plan.games, seed, tuple(measures), MOST)
    found = Gathered(arms, plan, seed, standing, main.begin())
    parts: Sequence[tuple[str, Callable[[], None]]] = (
        ("games", lambda: _run(main, found.main, jobs, shown, clock, 0.5)),
        ("games that are gone through once more", lambda: _replay(found, shown, clock)),
        ("games that show skill and luck", lambda: _contest(found, jobs, shown, clock)),
    )
    for name, part in parts:
        try:
            clock.check()
            part()
        except TimeIsOver:
            found.missing.append(_missing(name, found))
        except KeyboardInterrupt:
            found.interrupted = True
            found.missing.append(_missing(name, found))
            break
    return found


def _missing(name: str, found: Gathered) -> str:
    had, wanted = {
        "games": (found.first.played, found.plan.games),
        "games that show skill and luck": (found.contest.arms[0].played if found.contest else 0, found.plan.rounds),
    }.get(name, (len(found.replays[-1]) if found.replays else 0, found.plan.kept))
    if not had:
        return f"There was no time for {name}: what they would show was not looked at."
    return f"Time allowed {had} of {wanted} {name}."


def _run(
    meant: lab.experiments.Experiment,
    results: lab.experiments.Results,
    jobs: rw.workers.Jobs,
    shown: Working,
    clock: Clock,
    part: float,
) -> None:
    progress = ExperimentProgress(shown, results, meant.games * len(meant.arms))

    def reached(games: int) -> None:
        progress.reached(games)
        clock.check(part)

    meant.run(results, jobs, reached)


def _contest(found: Gathered, jobs: rw.workers.Jobs, shown: Working, clock: Clock) -> None:
    """Skill and luck, from fewer games, as each of them takes several."""
    plan = found.plan
    measures = ["unfinished", "luck"]
    if plan.contest[0] and found.game.players > 1:
        measures.append(f"skill({', '.join(plan.contest)}) in {plan.rounds} rounds")
    if not found.standing and found.game.players > 1 and (watching := watched_by(plan)):
        measures.append(watching)
    meant = lab.experiments.Experiment(found.arms, plan.rounds or plan.kept, found.seed, tuple(measures), MOST)
    found.contest = meant.begin()
    _run(meant, found.contest, jobs, shown, clock, 1.0)


def watched_by(plan: Plan) -> str:
    """The measure of who leads if the rules have none: the chances that a search finds, some times a game."""
    middle = plan.contest[1]
    return f"drama({middle} every 4)" if middle.startswith("mcts:") else ""


def _replay(found: Gathered, shown: Working, clock: Clock) -> None:
    shown.at("games once more", found.plan.kept * len(found.arms))
    done = 0
    for arm in found.arms:
        found.replays.append([])
        for replay in replayed(arm, found.seed, found.plan.kept, MOST):
            found.replays[-1].append(replay)
            done += 1
            shown.reached(done)
            clock.check(0.75)


def without_seats(arm: lab.experiments.Arm, seats: tuple[str, ...]) -> lab.experiments.Arm:
    """The arm with other players."""
    return lab.experiments.Arm(arm.name, arm.game, seats, arm.look, arm.noise, arm.options)
