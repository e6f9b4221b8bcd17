"""Chance in a scenario: it gives what the ``chance`` lines say, and stands still where they say nothing."""

from __future__ import annotations

from collections import deque

from rulewright.engine import Decision, Shuffle, living, shuffle_of
from rulewright.ir.scenario_plan import Fate
from rulewright.play.scenarios.scenario_results import Failed, listed
from rulewright.play.scenarios.setup import Stage


class Fates:
    """The outcomes that are written down and have not come up yet."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.waiting: dict[str, deque[str]] = {}
        self.orders: list[Fate] = []
        """The shuffles that are still to come."""
        self.running: Fate | None = None
        """The shuffle that is going on."""

    def add(self, line: Fate) -> None:
        """Write down further outcomes."""
        if line.shuffle:
            self.orders.append(line)
        else:
            self.waiting.setdefault(line.label, deque()).extend(line.keys)
        self.decide()

    def nothing_left(self) -> None:
        """All outcomes that were written down must have come up."""
        for label, keys in self.waiting.items():
            if keys:
                raise Failed(f"chance was never asked for these outcomes of `{label}`: {', '.join(keys)}")
        for order in self.orders:
            raise Failed(f"chance was never asked for these outcomes of `{order.label}`: {', '.join(order.keys)}")

    def unscripted(self) -> str:
        """The throw at which the game stands for want of an outcome; empty if it does not."""
        state = self.stage.state
        decision = state.decision if state is not None else None
        if state is None or decision is None or decision.who != "chance":
            return ""
        shuffle = shuffle_of(state)
        decided = decision.label if shuffle is None else f"shuffle {self._named(shuffle)}"
        return f"chance decides `{decided}`, and no `chance` line says what it gives"

    def decide(self) -> None:
        """Let chance decide as long as there is a throw and an outcome is written down."""
        stage = self.stage
        while stage.state is not None and (decision := stage.state.decision) is not None and decision.who == "chance":
            shuffle = shuffle_of(stage.state)
            key = self._next(decision) if shuffle is None else self._swapped(shuffle)
            if key is None:
                return
            option = next((option for option in decision.options if key in stage.called(option)), None)
            if option is None:
                raise Failed(f"chance cannot give `{key}` for `{decision.label}`", key, listed(decision.options))
            stage.goes_on(stage.state.choose(option))

    def _next(self, decision: Decision) -> str | None:
        waiting = self.waiting.get(decision.label)
        return waiting.popleft() if waiting else None

    def _swapped(self, shuffle: Shuffle) -> str | None:
        """The position whose member a shuffle puts last of those without a place, so that the scripted order comes out;
        None if nothing is scripted."""
        name, places = self._named(shuffle), shuffle.left
        keys = [self.stage.layout.key(shuffle.universe, member) for member in shuffle.members]
        if places == len(shuffle.members) or self.running is None:
            self.running = next((order for order in self.orders if self._meant(order, shuffle)), None)
            if self.running is None:
                return None
            self.orders.remove(self.running)
            if len(self.running.keys) != len(shuffle.members):
                message = f"the order of `{name}` has {len(self.running.keys)} members"
                raise Failed(message, str(len(shuffle.members)), str(len(self.running.keys)))
            for wanted in self.running.keys:
                if self.running.keys.count(wanted) > keys.count(wanted):
                    raise Failed(f"`{wanted}` cannot come there after `shuffle {name}`", wanted, ", ".join(keys))
        return str(keys[:places].index(self.running.keys[places - 1]))

    def _meant(self, order: Fate, shuffle: Shuffle) -> bool:
        """True if a line sets the order of this shuffle."""
        if order.label != f"shuffle {shuffle.name}":
            return False
        if order.index is None:
            return True
        state = self.stage.here
        keys = tuple(int(state.evaluate(part)) for part in order.index)
        return living(state, shuffle.index, keys) == shuffle.keys

    def _named(self, shuffle: Shuffle) -> str:
        """The name of what is shuffled, with its keys."""
        layout = self.stage.layout
        keys = ", ".join(layout.key(u, k) for u, k in zip(shuffle.index, shuffle.keys, strict=True))
        return f"{shuffle.name}[{keys}]" if keys else shuffle.name
