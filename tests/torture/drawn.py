"""Drawing from a Hypothesis strategy as a function of bytes: so each input follows from its number."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st


class Drawn:
    """A strategy that is asked without a test, through the entrance that is meant for outside fuzzers."""

    def __init__(self, strategy: st.SearchStrategy[Any]) -> None:
        self._last: list[Any] = []
        draw = settings(database=None, deadline=None, suppress_health_check=list(HealthCheck))(
            given(strategy)(self._keep)
        )
        self._draw: Any = draw.hypothesis.fuzz_one_input

    def _keep(self, value: Any) -> None:
        self._last.append(value)

    def from_bytes(self, data: bytes) -> Any:
        """The value drawn; None if there were not enough bytes for it."""
        self._last.clear()
        self._draw(data)
        return self._last.pop() if self._last else None
