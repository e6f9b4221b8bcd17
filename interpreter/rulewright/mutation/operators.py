"""All operators by their names."""

from __future__ import annotations

from rulewright.mutation import choosing, conditions, declaring, numbers, ordering, restricting
from rulewright.mutation.alterations import Operator

OPERATORS: dict[str, Operator] = {
    **restricting.OPERATORS,
    **conditions.OPERATORS,
    **numbers.OPERATORS,
    **ordering.OPERATORS,
    **choosing.OPERATORS,
    **declaring.OPERATORS,
}
