"""Examines both versions of each slip, in several processes."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

import rulewright as rw
from slips.collection import PairedSlip, ruleset_of
from slips.judging import Outcome, Said
from slips.record import Record


def run(
    slips: Sequence[PairedSlip],
    jobs: int,
    checked: bool,
    games: int | None,
    done: Callable[[Outcome], None],
    record: Record | None = None,
) -> list[Outcome]:
    """Examine each slip, in the order of the collection; `done` hears of each when it is ready.

    With `checked` the checker is asked as well, of the slip and of its right version. What the record knows is not
    examined again.
    """
    kept = record or Record()
    known = [one for one in map(kept.known, slips) if one is not None]
    found = {one.slip.key: one for one in known}
    for one in known:
        done(one)
    with ProcessPoolExecutor(jobs) as pool:
        waiting = [pool.submit(outcome, slip, checked, games) for slip in slips if slip.key not in found]
        try:
            for ready in as_completed(waiting):
                result = ready.result()
                kept.keep(result)
                found[result.slip.key] = result
                done(result)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return [found[slip.key] for slip in slips]


def outcome(slip: PairedSlip, checked: bool, games: int | None) -> Outcome:
    """Examine both versions of a slip."""
    begun = time.process_time()
    try:
        said = [_said(file, checked, games) for file in (slip.wrong, slip.right)]
    except rw.RulesetError as error:
        return Outcome(slip, (), (), time.process_time() - begun, str(error))
    return Outcome(slip, said[0], said[1], time.process_time() - begun)


def _said(file: Path, checked: bool, games: int | None) -> tuple[Said, ...]:
    look = rw.examination.examine
    of = ruleset_of(file)
    examined = look(of) if games is None else look(of, games=games, seconds=None)
    found = [
        Said(one.code, one.level.value, f"{one.message} {one.hint}", _line(one.span.file, one.span.line), one.key)
        for one in examined.findings
    ]
    if checked:
        for one in rw.check(rw.open_ruleset(of)):
            text = _line(one.span.file, one.span.line)
            if Path(one.span.file) == file:
                words = f"{one.message} {one.hint}"
                found.append(Said(one.code, one.severity.value, words, text, f"{one.code}/{text}"))
    return tuple(found)


def _line(file: str, number: int) -> str:
    lines = Path(file).read_text("utf-8").splitlines() if file else []
    return lines[number - 1].strip() if 0 < number <= len(lines) else ""


__all__ = ["outcome", "run"]
