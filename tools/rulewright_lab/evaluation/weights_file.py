"""Files of evaluations: JSON with the rules that they belong to."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any

from rulewright.data import JsonText, validate
from rulewright.diagnostics import Diagnostic, RulesetError, Span
from rulewright.engine import Engine
from rulewright.host import read_text, shown
from rulewright.ir import Program
from rulewright_lab.evaluation.derived_queries import derived_of
from rulewright_lab.evaluation.evaluation import Evaluation, Weight
from rulewright_lab.evaluation.features import features_of

SCHEMA = "evaluation"
VERSION = 1
OTHER_RULES = "RUN001"
_SHOWN = 6


def text_of(engine: Engine, evaluation: Evaluation, learnt: Mapping[str, Any]) -> str:
    """The text of a file: the rules, what it was learnt from, and all weights."""
    program = engine.program
    data = {
        "evaluation": VERSION,
        **_rules(program),
        "digest": program.digest,
        "learnt": dict(learnt),
        "kind": evaluation.kind,
        "intercept": evaluation.intercept,
        "low": evaluation.low,
        "high": evaluation.high,
        "weights": [{"feature": one.feature, "weight": one.weight, "scale": one.scale} for one in evaluation.weights],
    }
    return json.dumps(data, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def _rules(program: Program) -> dict[str, Any]:
    """The words by which people know rules."""
    return {
        "game": program.game,
        "players": program.players,
        "variants": list(program.variants),
        "options": dict(program.options),
    }


def read_evaluation(engine: Engine, file: str) -> Evaluation:
    """The evaluation in a file; RulesetError if it is damaged, or one for other rules: then the message names what
    differs."""
    path = Path(file)
    text = read_text(path)
    source = JsonText(text, shown(path))
    validate(source, SCHEMA)
    data: Any = source.value
    names = [one["feature"] for one in data["weights"]]
    is_derived = names == list(derived_of(engine).features)
    if data["digest"] != engine.program.digest or not (is_derived or names == list(features_of(engine).names)):
        raise _other_rules(engine, data, names, source.span())
    weights = tuple(Weight(one["feature"], float(one["weight"]), float(one["scale"])) for one in data["weights"])
    intercept, low, high = (float(data[key]) for key in ("intercept", "low", "high"))
    digest = blake2b(text.encode(), digest_size=16).hexdigest()
    return Evaluation(file, data["kind"], intercept, low, high, weights, digest, is_derived)


def _other_rules(engine: Engine, data: Mapping[str, Any], names: Sequence[str], where: Span) -> RulesetError:
    """The error about an evaluation for other rules."""
    program = engine.program
    here, there = _rules(program), {key: data[key] for key in _rules(program)}
    differ = list[str]()
    if here["game"] != there["game"]:
        differ.append(f"it is for the game `{there['game']}`, and this is `{here['game']}`")
    if here["players"] != there["players"]:
        differ.append(f"it is for {there['players']} players, and here are {here['players']}")
    if here["variants"] != there["variants"]:
        described = (", ".join(f"`{one}`" for one in side["variants"]) or "none" for side in (there, here))
        differ.append("its variants are {}, and here {}".format(*described))
    if here["game"] == there["game"]:
        differ += _options(there["options"], here["options"])
        known = features_of(engine).names
        gone, new = ([one for one in side if one not in other] for side, other in ((names, known), (known, names)))
        differ += [f"{word}: {_listed(some)}" for word, some in (("no longer there", gone), ("new", new)) if some]
    if not differ:
        differ.append("it has the same features and options, but the text of the rules has been changed since")
    return RulesetError(
        Diagnostic(
            OTHER_RULES,
            "this evaluation was learnt for other rules: " + "; ".join(differ),
            where,
            hint="learn it anew: rulewright learn RULESET -o FILE",
        )
    )


def _options(there: Mapping[str, str], here: Mapping[str, str]) -> list[str]:
    """The parameters that have other values."""
    found = []
    for name in sorted({*there, *here}):
        if there.get(name) != here.get(name):
            found.append(f"`{name}` was {there.get(name, 'not there')}, and here it is {here.get(name, 'not there')}")
    return found[:_SHOWN] + ([f"and {len(found) - _SHOWN} options more"] if len(found) > _SHOWN else [])


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(f"`{one}`" for one in names[:_SHOWN]) + more
