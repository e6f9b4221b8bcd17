"""Colours that the system forces on pages: what can be chosen, and where the keyboard is, stays to be seen."""

from __future__ import annotations

from typing import Any

import pytest
from test_studio_browser import NARROW, WIDE, Visit, browser, server

__all__ = ["browser", "server"]

STYLE = "(one) => { const s = getComputedStyle(one); return { ...s, border: s.borderTopWidth, paint: s.stroke }; }"


@pytest.mark.parametrize(("theme", "size"), [("light", WIDE), ("dark", NARROW)], ids=["wide-light", "narrow-dark"])
def test_choices_and_focus_are_seen_in_forced_colours(
    browser: Any, server: Any, theme: str, size: dict[str, int]
) -> None:
    here = Visit(browser, server, size, theme)
    page = here.page
    page.emulate_media(forced_colors="active", color_scheme=theme)
    here.start("domaine", seed=3, seats="person")
    cell = page.locator(".board .choosable").first
    free, plain = (page.locator(f".board .thing{which}").first.evaluate(STYLE) for which in (".choosable", ".refused"))
    assert free["paint"] not in ("none", plain["paint"])
    assert free["strokeWidth"] == "5px"
    before = page.locator(".board").screenshot()
    page.keyboard.press("Tab")  # what follows is told to be of the keyboard
    cell.focus()
    assert page.locator(".board").screenshot() != before
    for number in range(30):
        if page.locator(".question > .refusals button").count():
            break
        here.click(number * 7)
    answer, refused = (page.locator(f".question button.{kind}").first for kind in ("choosable", "refused"))
    colour = answer.evaluate("(one) => getComputedStyle(one).color")
    shown = answer.evaluate(STYLE)
    assert (shown["border"], refused.evaluate(STYLE)["border"]) == ("3px", "0px")
    assert refused.evaluate("(one) => getComputedStyle(one).color") != colour
    page.keyboard.press("Tab")
    answer.focus()
    focused = answer.evaluate(STYLE)
    assert (focused["outlineStyle"], focused["outlineWidth"]) == ("solid", "3px")
    assert focused["outlineColor"] != page.evaluate("getComputedStyle(document.body).backgroundColor")
    here.close()
