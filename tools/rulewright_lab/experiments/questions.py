"""Questions about one arm that a file of an experiment asks instead of a comparison: an aim, or what moves measures."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rulewright.diagnostics import Diagnostic, RulesetError
from rulewright.foundation import dataclass
from rulewright_lab.experiments.arms import Arm
from rulewright_lab.experiments.balance.swept_parameters import Swept, swept_of
from rulewright_lab.experiments.balance.targets import Target
from rulewright_lab.experiments.experiment import Experiment
from rulewright_lab.experiments.experiment_file import Source, placed, read_source

AIM, SENSITIVITY = "aim", "sensitivity"


@dataclass(frozen=True, slots=True)
class Question:
    """An aim, or none: then what moves the measures is asked."""

    aim: Target | None
    swept: Swept
    samples: int | None = None
    games: int | None = None
    """Games of a point, if that is said."""


def read_question(path: str | Path, experiment: Experiment) -> Question | None:
    """The question in a file with an experiment, about its only arm; None if arms are to be compared.

    RulesetError with the place of what is wrong.
    """
    source = read_source(Path(path))
    data: Mapping[str, Any] = source.value  # type: ignore[assignment]
    asked = [key for key in (AIM, SENSITIVITY) if key in data]
    if not asked:
        return None
    if len(asked) > 1 or len(experiment.arms) > 1:
        span = source.span((asked[-1],), key=True)
        hint = "leave one arm and one question; compare others in another file"
        raise RulesetError(Diagnostic("DAT013", f"`{asked[-1]}` asks about one arm, and nothing else", span, hint=hint))
    (arm,), key = experiment.arms, asked[0]
    row = data[key]
    swept = _swept(source, arm, key, row["over"])
    if key == SENSITIVITY:
        return Question(None, swept, row.get("samples"), row.get("games"))
    with placed(source, (AIM, "measure")):
        Target.of(row["measure"], 0.0, arm)
    with placed(source, (AIM, "value")):
        return Question(Target.of(row["measure"], row["value"], arm), swept)


def _swept(source: Source, arm: Arm, key: str, over: Mapping[str, Any]) -> Swept:
    found = {}
    for name, written in over.items():
        with placed(source, (key, "over", name)):
            found[name] = swept_of(arm, name, written)
    return found
