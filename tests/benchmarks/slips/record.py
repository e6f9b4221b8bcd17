"""A file of what was said of slips: an interrupted run goes on from it, and it is judged anew without examining."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict
from pathlib import Path

from slips.collection import PairedSlip
from slips.judging import Outcome, Said


class Record:
    """Findings on slips, by the words of both versions: a slip that was changed since is examined again."""

    def __init__(self, file: Path | None = None) -> None:
        self._file = file
        self._known: dict[str, dict[str, object]] = {}
        if file is not None and file.exists():
            for line in file.read_text("utf-8").splitlines():
                kept = json.loads(line)
                self._known[kept["slip"]] = kept

    def known(self, slip: PairedSlip) -> Outcome | None:
        """Give what was said of a slip, if it is as it was then."""
        kept = self._known.get(_key(slip))
        if kept is None:
            return None
        wrong, right = (tuple(Said(**one) for one in _list(kept[name])) for name in ("wrong", "right"))
        return Outcome(slip, wrong, right, float(str(kept["seconds"])))

    def keep(self, outcome: Outcome) -> None:
        """Append an outcome; one that failed is tried again."""
        if self._file is None or outcome.failed:
            return
        said = {name: list(map(asdict, of)) for name, of in (("wrong", outcome.of_wrong), ("right", outcome.of_right))}
        self._file.parent.mkdir(parents=True, exist_ok=True)
        with self._file.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps({"slip": _key(outcome.slip), "seconds": outcome.seconds, **said}) + "\n")


def _key(slip: PairedSlip) -> str:
    return f"{slip.key} {hashlib.sha256(slip.wrong.read_bytes() + slip.right.read_bytes()).hexdigest()[:16]}"


def _list(given: object) -> list[dict[str, str]]:
    return list(given) if isinstance(given, list) else []


__all__ = ["Record"]
