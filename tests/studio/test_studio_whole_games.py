"""Whole games of the five large rulesets in a browser, against agents, in both themes and both widths.

With the environment variable RULEWRIGHT_PICTURES, a folder, a picture is taken now and then, to be looked at.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from test_studio_browser import MOST, NARROW, WIDE, Visit, browser, server

__all__ = ["browser", "server"]  # fixtures

GAMES = ("baron", "carolus-magnus", "domaine", "kings-and-things", "loewenherz")
PICTURES = os.environ.get("RULEWRIGHT_PICTURES", "")
EVERY = 25
"""Answers between two pictures."""
LOOKS = [("light", WIDE), ("dark", NARROW), ("dark", WIDE), ("light", NARROW)]


@pytest.fixture(params=range(len(LOOKS)), ids=["wide-light", "narrow-dark", "wide-dark", "narrow-light"])
def looked_at(request: pytest.FixtureRequest, browser: Any, server: Any) -> Iterator[Visit]:
    theme, size = LOOKS[request.param]
    here = Visit(browser, server, size, theme)
    yield here
    here.close()


@pytest.mark.thorough
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("ruleset", GAMES)
def test_a_whole_game_against_an_agent(looked_at: Visit, ruleset: str, request: pytest.FixtureRequest) -> None:
    here, page = looked_at, looked_at.page
    here.start(ruleset, seats=["person", "random"])
    for number in range(MOST):
        if here.is_over:
            break
        if number % EVERY == EVERY - 1 or number < 3:
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), number
            picture(page, request, number)
        here.click(number * 7)
    assert here.is_over
    picture(page, request, MOST)
    assert page.locator(".standings li").count() > 0
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def picture(page: Any, request: pytest.FixtureRequest, number: int) -> None:
    if PICTURES:
        name = request.node.name.split("[")[1].rstrip("]")
        page.screenshot(path=Path(PICTURES) / f"{name}-{number:04}.png", full_page=True)
