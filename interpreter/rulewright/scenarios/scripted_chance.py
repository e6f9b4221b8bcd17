"""Chance in a scenario: it gives what the ``chance`` lines say, and stands still where they say nothing."""

from __future__ import annotations

from collections import deque

from rulewright.ir.scenario_plan import Fate
from rulewright.scenarios.scenario_results import Failed, listed
from rulewright.scenarios.setup import Stage


class Fates:
    """The outcomes that are written down and have not come up yet."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.waiting: dict[str, deque[str]] = {}
        self.shuffles: dict[str, Fate] = {}

    def add(self, line: Fate) -> None:
        """Write down further outcomes."""
        self.waiting.setdefault(line.label, deque()).extend(line.keys)
        if line.order is not None:
            self.shuffles[line.label] = line
        self.decide()

    def nothing_left(self) -> None:
        """All outcomes that were written down must have come up."""
        for label, keys in self.waiting.items():
            if keys:
                raise Failed(f"chance was never asked for these outcomes of `{label}`: {', '.join(keys)}")

    def unscripted(self) -> str:
        """The throw at which the game stands, as nothing says what it gives; empty if it does not."""
        state = self.stage.state
        decision = state.decision if state is not None else None
        if decision is None or decision.who != "chance":
            return ""
        return f"chance decides `{decision.label}`, and no `chance` line says what it gives"

    def decide(self) -> None:
        """Let chance decide as long as it is asked and an outcome is written down."""
        stage = self.stage
        while stage.state is not None and (decision := stage.state.decision) is not None and decision.who == "chance":
            waiting = self.waiting.get(decision.label)
            if not waiting:
                return
            shuffle = self.shuffles.get(decision.label)
            key = self._swapped(shuffle, waiting, len(decision.options)) if shuffle else waiting.popleft()
            option = next((option for option in decision.options if key in stage.called(option)), None)
            if option is None:
                raise Failed(f"chance cannot give `{key}` for `{decision.label}`", key, listed(decision.options))
            stage.goes_on(stage.state.choose(option))

    def _swapped(self, shuffle: Fate, waiting: deque[str], places: int) -> str:
        """The position whose member a shuffle puts last of the first `places`, so that the scripted order comes out."""
        stage = self.stage
        assert stage.state is not None
        assert shuffle.order is not None
        members = list(stage.state.evaluate(shuffle.order))[:places]
        if len(waiting) < places:
            raise Failed(f"the order of `{shuffle.label}` has {len(shuffle.keys)} members", str(len(members)))
        wanted = waiting[places - 1]
        keys = [stage.layout.key(shuffle.universe, member) for member in members]
        if wanted not in keys:
            raise Failed(f"`{wanted}` cannot come there after `{shuffle.label}`", wanted, ", ".join(keys))
        if places == 2:
            waiting.clear()
        return str(keys.index(wanted))
