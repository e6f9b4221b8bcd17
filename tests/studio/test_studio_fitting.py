"""The table fits the window: question, first answers and board are in sight without scrolling, at every size; what is
chosen can be hit (the nearest answer is meant), no identifier is read, and axe finds nothing in either theme."""

from __future__ import annotations

from typing import Any

import pytest
from test_studio_browser import Visit, browser, check, server  # noqa: F401
from test_studio_server import Server

import rulewright as rw

SIZES = [(360, 640), (390, 844), (1366, 657), (1400, 900), (2560, 1440)]
ANSWERS_IN_SIGHT = 5
SMALLEST = 24
"""Pixels of a target, either way."""

MEASURED = """([most, smallest]) => {
  const wrong = [];
  const boxes = (selector) => [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility());
  const name = (one) => `${one.tagName} ${one.className.baseVal ?? one.className} ${one.textContent.slice(0, 30)}`;
  const inSight = (one) => {
    let room = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
    for (let over = one.parentElement; over; over = over.parentElement) {
      if (getComputedStyle(over).overflowY === "visible") continue;
      const box = over.getBoundingClientRect();
      room = { left: Math.max(room.left, box.left), top: Math.max(room.top, box.top),
        right: Math.min(room.right, box.right), bottom: Math.min(room.bottom, box.bottom) };
    }
    const box = one.getBoundingClientRect();
    const isIn = room.left - 1 <= box.left && room.top - 1 <= box.top;
    if (!isIn || box.right > room.right + 1 || box.bottom > room.bottom + 1)
      wrong.push(`${name(one)}: ${[box.left, box.top, box.right, box.bottom].map(Math.round)} is not in sight`);
  };
  boxes(".question h1").forEach(inSight);
  boxes(".question .choosable").slice(0, most).forEach(inSight);
  boxes(".board > svg").forEach(inSight);
  for (const one of boxes(".question h1, .question button, .held *, .news *, .log *"))
    if (/[a-z]_[a-z]/.test(one.textContent)) wrong.push(`${name(one)}: an identifier`);
  const middles = boxes(".board .choosable").map((one) => {
    const box = one.getBoundingClientRect();
    return [one.id, box.x + box.width / 2, box.y + box.height / 2];
  });
  middles.forEach(([id, x, y], at) => {
    const near = middles.slice(at + 1).find((other) => Math.hypot(other[1] - x, other[2] - y) < smallest / 2);
    if (near && !near[0].startsWith(id)) wrong.push(`${id} and ${near[0]} are near to each other`);
  });
  for (const one of boxes("button, summary, select, input:not([type=checkbox])")) {
    const box = one.getBoundingClientRect();
    if (one.type !== "range" && (box.width < smallest || box.height < smallest))
      wrong.push(`${name(one)}: ${Math.round(box.width)} x ${Math.round(box.height)} is small`);
  }
  return wrong;
}"""


@pytest.mark.parametrize(("questions", "each"), [(13, 4), pytest.param(30, 1, marks=pytest.mark.thorough)])
@pytest.mark.parametrize("ruleset", [folder.name for folder in rw.shipped_rulesets()])
def test_the_table_fits_the_window(browser: Any, server: Server, ruleset: str, questions: int, each: int) -> None:  # noqa: F811
    here = Visit(browser, server, {"width": 1400, "height": 900}, designs=False)
    here.start(ruleset, rw.playing.player_counts(rw.open_ruleset(ruleset))[0])
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    wrong = []
    for theme in ("dark", "light"):
        here.page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        check(here, axe, theme)
    for number in range(questions):
        if number % each == 0 or here.is_over:
            for width, height in SIZES:
                here.page.set_viewport_size({"width": width, "height": height})
                found = here.page.evaluate(MEASURED, [ANSWERS_IN_SIGHT, SMALLEST])
                wrong += [f"{width} x {height}, position {here.at}: {one}" for one in found]
        if here.is_over:
            break
        here.click(number * 7)
    here.close()
    assert wrong == []
