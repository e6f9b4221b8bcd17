"""Verdicts on what is said of a slip, made mechanically: its cause, a symptom, something misleading, or nothing."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

from slips.collection import PairedSlip

DESCRIPTIONS = ("EXM302", "EXM305")
"""Codes of what describes each answer and each field, in both versions: only the parts that differ are about a slip."""
_CHANCE = re.compile(r", given \d+ times in \d+ random games|, in \d+ % of them")


class Verdict(StrEnum):
    """Quality of an answer, the best first."""

    CAUSE = "cause"
    """It says the cause at its line;"""
    SYMPTOM = "symptom"
    """it says something else there, or the effect elsewhere;"""
    MISLEADING = "misleading"
    """it sends its reader somewhere else."""
    SILENT = "silent"


@dataclass(frozen=True, slots=True)
class Said:
    """A finding on one of the two versions."""

    code: str
    level: str
    text: str
    """Its message with its hint."""
    line: str
    """The text of the line at which it stands."""
    key: str

    @property
    def folded(self) -> bool:
        """True if it is shown only to those who ask for everything."""
        return self.level == "worth knowing"


@dataclass(frozen=True, slots=True)
class Outcome:
    """All that was said of a slip."""

    slip: PairedSlip
    of_wrong: tuple[Said, ...]
    of_right: tuple[Said, ...]
    seconds: float
    """Processor time of both."""
    failed: str = ""
    """The error that kept one of them from being examined."""

    @property
    def news(self) -> tuple[Said, ...]:
        """Findings on the slip only: what the right version is told, too, is not about it."""
        known = {one.key: one for one in self.of_right}
        found = list[Said]()
        for one in self.of_wrong:
            if one.key not in known:
                found.append(one)
            elif one.code in DESCRIPTIONS and (new := _new_parts(one.text, known[one.key].text)):
                found.append(replace(one, text=new))
        return tuple(found)

    @property
    def verdict(self) -> Verdict:
        """The best answer, as the reader finds it."""
        return best(self.slip, self.news)

    @property
    def false_alarms(self) -> tuple[Said, ...]:
        """Findings on the right version that are not known to be true."""
        return tuple(one for one in self.of_right if not one.folded and one.code not in self.slip.true_of_right)


def _new_parts(text: str, known: str) -> str:
    """The parts of a description that another one has not, whatever chance has made of the numbers of games."""
    several, others = (re.split(r"; |: ", _CHANCE.sub("", one)) for one in (text, known))
    return "; ".join(part for part in several if part not in others)


def judged(slip: PairedSlip, said: Said) -> Verdict:
    """A finding about a slip, judged by its line and its words."""
    text = f"{said.code} {said.text}".casefold()
    there = any(words in said.line for words in slip.lines)
    if there and any(word.casefold() in text for word in slip.cause):
        return Verdict.CAUSE
    if there or any(words in said.line or words.casefold() in text for words in slip.effect):
        return Verdict.SYMPTOM
    return Verdict.SILENT if said.folded else Verdict.MISLEADING


def best(slip: PairedSlip, news: Iterable[Said]) -> Verdict:
    """The best of several answers; what is folded is not misleading, as it is not shown."""
    order = list(Verdict)
    return min((judged(slip, said) for said in news), key=order.index, default=Verdict.SILENT)


def causes(outcome: Outcome) -> frozenset[str]:
    """The codes that tell the cause of a slip."""
    return frozenset(said.code for said in outcome.news if judged(outcome.slip, said) is Verdict.CAUSE)


__all__ = ["Outcome", "Said", "Verdict", "best", "causes", "judged"]
