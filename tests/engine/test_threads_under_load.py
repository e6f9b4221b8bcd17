"""Threads that load, check, play, imagine, compile and keep things at once, with several rulesets that nobody has seen
before: what each of them finds is what one thread alone finds. Deadlines and cancellation stop their own work only.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from shutil import copytree, ignore_patterns
from threading import Barrier, Event, get_ident

import pytest
from at_once import THREADS, _others_come, at_once  # noqa: F401  (a fixture)

import rulewright as rw
import rulewright_lab as lab
from rulewright.host.disk_cache import FOLDER
from sampling import sample, thorough

GAMES = Path(__file__).parents[1] / "games" / "imperfect"
SHIPPED = {folder.name: folder for folder in rw.shipped_rulesets()}
SOURCES = [SHIPPED["tic-tac-toe"], GAMES / "liars", GAMES / "leduc"]
SOURCES += [SHIPPED["carolus-magnus"], SHIPPED["baron"], SHIPPED["domaine"]][: sample(0, 3)]
ROUNDS = sample(2, 8)
MANY, FAR = 10**12, 3600.0
Results = dict[tuple[str, str], object]
Job = Callable[[Path, rw.Game], object]


def checked(folder: Path, _: rw.Game) -> object:
    """Findings, of the cache as without it, and in an editor."""
    found = [rw.check_folder(folder), rw.check(rw.open_ruleset(folder))]
    workspace = rw.Workspace(folder.parent)
    rules = folder / rw.open_ruleset(folder).manifest.rules[0]
    workspace.open(rules, rules.read_text("utf-8") + "\nquery nobody_asks() -> Int = 3\n")
    found.append(workspace.check(folder))
    return [[(d.code, d.message, d.span.line) for d in some] for some in found]


def played(folder: Path, shared: rw.Game) -> object:
    """Games by the Python engine, of the game that all have and of one of its own."""
    first = shared.playout(3, keep=True, check=True)
    second = rw.load(folder, engine="python").playout(3, keep=True, check=True)
    return [(one.answers, one.places, one.broken) for one in (first, second)]


def played_natively(folder: Path, shared: rw.Game) -> object:
    """Games by machine code, of the game that all have and of one of its own."""
    game = rw.Game(shared.program, shared.ruleset, "native")
    stepper, batch = game.stepper(5), game.batch(3)
    own = rw.load(folder, engine="native")
    many = [(one.playouts(6, threads=2).decisions, one.playouts(2, check=True).decisions) for one in (game, own)]
    sizes = [stepper.options]
    while stepper.options and len(sizes) < 60:
        sizes.append(stepper.apply(len(sizes) % stepper.options))
    batch.apply([min(0, size - 1) for size in batch.options])
    return many, sizes, list(batch.options), str(stepper.state().view(None))


def looked_at(_: Path, shared: rw.Game) -> object:
    """Views, refusals, imagined worlds, leaks, saves and searches."""
    state, dice = shared.start(2), rw.playing.Dice(1, "load")
    found: list[object] = []
    for number in range(3):
        if state.decision is None or state.decision.seat is None:
            break
        seat = state.decision.seat
        world = state.imagine(seat, number)
        found += [str(state.view(seat)), str(world.view(None)), shared.leaks(state, seat, number)]
        found += [
            [reason.text for reason in state.why_not("nothing").reasons],
            shared.load(state.save()) == state,
            str(state.history(seat)),
        ]
        state = state.choose(shared.pick(state, lab.agent(shared, "mcts:8"), dice))
    return found


def scripted(folder: Path, _: rw.Game) -> object:
    """Scenarios, with the plans and programs that they share."""
    results = rw.scenarios.run_scenarios(rw.scenarios.plans(rw.open_ruleset(folder)))
    return [(one.title, one.passed) for one in results]


JOBS: dict[str, Job] = {
    "check": checked,
    "play": played,
    "machine code": played_natively,
    "look": looked_at,
    "scenarios": scripted,
}


def copies(folder: Path, number: int) -> list[Path]:
    """Rulesets that are the same but for a word, so that nothing is known of them in any cache."""
    made = []
    for source in SOURCES:
        copytree(source, folder / source.name, ignore=ignore_patterns("__pycache__"))
        rules = folder / source.name / rw.open_ruleset(source).manifest.rules[0]
        text = rules.read_text("utf-8")
        rules.write_text(
            f"{text}\nquery of_round() -> Int = {number}\ninvariant of_rounds: of_round() is {number}\n", "utf-8"
        )
        made.append(folder / source.name)
    return made


def all_jobs(folders: list[Path], together: Barrier | None = None) -> Callable[[int], Results]:
    """All jobs with all rulesets: each thread in another order, or all of them the same job at the same time."""
    shared = {folder: rw.load(folder) for folder in folders}

    def work(number: int) -> Results:
        jobs = [(name, folder) for name in JOBS for folder in folders]
        Random(number if together is None else 0).shuffle(jobs)
        found: Results = {}
        for name, folder in jobs:
            if together is not None:
                together.wait(FAR)
            found[name, folder.name] = JOBS[name](folder, shared[folder])
        return found

    return work


@pytest.fixture
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache on disk in which nothing lies yet, and which all threads fill."""
    monkeypatch.setenv(FOLDER, str(tmp_path / "cache"))


@thorough
@pytest.mark.timeout(3600)
@pytest.mark.usefixtures("_own_cache", "_others_come")
def test_threads_under_load_find_what_one_thread_finds(tmp_path: Path) -> None:
    expected = all_jobs(copies(tmp_path / "alone", 0))(0)
    assert all(expected[name, "tic-tac-toe"] for name in JOBS)
    for number in range(1, ROUNDS + 1):
        together = Barrier(THREADS) if number % 2 else None
        for thread, found in enumerate(at_once(all_jobs(copies(tmp_path / f"round {number}", number), together))):
            assert not isinstance(found, str), f"round {number}, thread {thread}: {found}"
            wrong = [job for job in expected if found[job] != expected[job]]
            assert not wrong, f"round {number}, thread {thread}: {wrong}"


HEAD = """game deadlines
players 2
field score: Int = 0
end done when score < 0
    finish with winner players
procedure play
    p_turn(first(players))
procedure p_turn(p: Player)
    p chooses n from {1 .. 3}
"""
ENDLESS = "    repeat\n        score = 0\n"
SHORT = "    repeat 2000 times\n        score = score + n\n    score = 0 - 1\n"


def game_of(folder: Path, rules: str, engine: str) -> rw.Game:
    """A game of one question, after which comes what the rules say."""
    folder.mkdir(parents=True)
    (folder / "game.rules").write_text(HEAD + rules, "utf-8")
    (folder / "ruleset.json").write_text(
        '{"name": "deadlines", "title": "Deadlines", "rules": ["game.rules"]}', "utf-8"
    )
    return rw.load(folder, engine=engine)  # type: ignore[arg-type]


class Broken:
    """A wish to stop that cannot be asked."""

    def is_set(self) -> bool:
        raise KeyError("nobody knows")


@pytest.mark.parametrize("engine", ["python", "native"])
def test_limits_stop_the_work_of_their_own_thread(tmp_path: Path, engine: str) -> None:
    """Half of the threads would never end: their deadline, their event, or the fault of their event ends each of them,
    while the others play under a deadline that is far away, or under none."""
    endless, short = game_of(tmp_path / "endless", ENDLESS, engine), game_of(tmp_path / "short", SHORT, engine)
    wanted = Event()
    limits = {
        0: rw.Limits(seconds=0.1, steps=MANY),
        1: rw.Limits(cancel=wanted, seconds=FAR, steps=MANY),
        2: rw.Limits(cancel=Broken(), steps=MANY),
        3: rw.Limits(seconds=FAR),
        4: rw.Limits(cancel=Event()),
    }

    def work(number: int) -> object:
        game, games = (endless, 1) if number < 3 else (short, sample(20, 2000))
        results = set()
        try:
            with rw.limited(limits.get(number, rw.Limits())):
                for seed in range(games):
                    stepper = game.stepper(seed)
                    results.add((stepper.apply(seed % 3), stepper.places))
        finally:
            if number == 0:
                wanted.set()  # whoever waits for this is stopped as well, and nobody else
        return sorted(results)

    for _ in range(sample(2, 100)):
        wanted.clear()
        stopped, cancelled, fault, *others = at_once(work)
        assert ("RUN016" in str(stopped), "RUN017" in str(cancelled)) == (True, True)
        assert fault == "KeyError: 'nobody knows'"
        assert others == [[(0, (1, 1))]] * (THREADS - 3)


class Slow:
    """A wish to stop of which nobody hears for long, but the thread that runs."""

    def __init__(self) -> None:
        self.runs, self.asked, self.answers = 0, Event(), Event()

    def is_set(self) -> bool:
        if get_ident() == self.runs:
            return self.answers.is_set()
        self.asked.set()
        return self.answers.wait(60)


def test_a_host_that_answers_late_holds_up_no_deadline(tmp_path: Path) -> None:
    endless, slow = game_of(tmp_path / "endless", ENDLESS, "native"), Slow()

    def work(number: int) -> object:
        if not number:
            slow.runs = get_ident()
            with rw.limited(rw.Limits(cancel=slow, steps=MANY)):
                return endless.stepper(number).apply(0)
        assert slow.asked.wait(60)
        try:
            with rw.limited(rw.Limits(seconds=0.1, steps=MANY)):
                return endless.stepper(number).apply(0)
        except rw.Stopped as stopped:
            return str(stopped), slow.answers.is_set()
        finally:
            slow.answers.set()

    cancelled, stopped = at_once(work, 2)
    assert "RUN017" in str(cancelled)
    assert stopped == ("[RUN016] stopped at the deadline, after 0.1 seconds", False)
