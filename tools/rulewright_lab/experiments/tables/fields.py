"""Fields of tables: their names, types and what they mean, as Frictionless Table Schema has them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from rulewright.foundation import dataclass

Kind = Literal["string", "integer", "number", "boolean"]


@dataclass(frozen=True, slots=True)
class Field:
    """A column of a table."""

    name: str
    kind: Kind
    about: str
    unit: str = ""
    choices: tuple[str, ...] = ()
    required: bool = False
    """True if every row has a value."""

    def data(self) -> dict[str, object]:
        """Field of a Table Schema."""
        limits: dict[str, object] = {"required": True} if self.required else {}
        if self.choices:
            limits["enum"] = list(self.choices)
        found: dict[str, object] = {"name": self.name, "type": self.kind, "description": self.about}
        if self.unit:
            found["unit"] = self.unit
        return found | ({"constraints": limits} if limits else {})


STATUS = ("finished", "unfinished", "failed")
ARM = Field("arm", "integer", "The number of the arm, from 0; their names are among the properties.", required=True)
_LOW = Field("low", "number", "The lower end of the 95 % interval.")
_HIGH = Field("high", "number", "The upper end of the 95 % interval.")
_DIFFERENCE = (
    Field("difference", "number", "The mean less that of arm 0, over games of equal seeds; empty for arm 0."),
    Field("difference_low", "number", "The lower end of its 95 % interval."),
    Field("difference_high", "number", "The upper end of its 95 % interval."),
)
MEASURES = (
    Field("measure", "string", "The name of the measure or estimate.", required=True),
    Field(
        "kind", "string", "A mean over games, or an estimate from many games together.", "", ("mean", "estimate"), True
    ),
    Field("unit", "string", "The unit of its values.", required=True),
    ARM,
    Field("games", "integer", "The games of which it says something.", required=True),
    Field("mean", "number", "The mean over these games, or the estimate."),
    _LOW,
    _HIGH,
    Field("spread", "number", "The standard deviation of single games."),
    Field("least", "number", "The lowest value of a game."),
    Field("most", "number", "The highest value of a game."),
    *_DIFFERENCE,
    Field("pairs", "integer", "The games of equal seeds that are compared."),
    Field("effect", "number", "The size of the effect; empty where nothing varies."),
    Field("effect_kind", "string", "Its kind: Cohen's d or Cohen's h."),
    Field("certain", "boolean", "True if the difference is no chance, however many are compared (Holm)."),
    Field("adjusted_p", "number", "The chance of such a difference between equal arms, corrected for all comparisons."),
)
CURVES = (
    Field("curve", "string", "The name of the curve.", required=True),
    ARM,
    Field("index", "integer", "How many times the rule has been used and is over.", required=True),
    Field("games", "integer", "The games that have come so far.", required=True),
    Field("mean", "number", "The mean over these games."),
    _LOW,
    _HIGH,
    *_DIFFERENCE,
    Field("pairs", "integer", "The games of equal seeds that are compared."),
)
ANSWERS = (
    ARM,
    Field("question", "string", "The name of the question.", required=True),
    Field("option", "string", "The option.", required=True),
    Field("games", "integer", "The games in which it was offered beside another one.", required=True),
    Field("offered", "integer", "The decisions at which it was.", required=True),
    Field("taken", "integer", "The decisions at which it was taken.", required=True),
    Field("share", "number", "The part of these decisions."),
    _LOW,
    _HIGH,
)
SEED = Field("seed", "integer", "The seed of the game.", required=True)


def game_fields(units: Mapping[str, str]) -> tuple[Field, ...]:
    """The fields of the table of games, with a column for each measure of any arm."""
    return (
        ARM,
        SEED,
        Field("status", "string", "Whether it is over, was stopped, or a rule has failed.", "", STATUS, True),
        Field("ending", "string", "The rule that has ended it."),
        *(Field(name, "number", "Empty where it says nothing.", unit) for name, unit in units.items()),
    )
