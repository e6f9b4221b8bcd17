"""All operators by their names."""

from __future__ import annotations

from rulewright.fuzzing.mutation.operators import (
    choice_operators,
    condition_operators,
    declaration_operators,
    number_operators,
    order_operators,
    payment_operators,
    restriction_operators,
)
from rulewright.fuzzing.mutation.operators.operator_api import Operator

OPERATORS: dict[str, Operator] = {
    **restriction_operators.OPERATORS,
    **condition_operators.OPERATORS,
    **number_operators.OPERATORS,
    **order_operators.OPERATORS,
    **choice_operators.OPERATORS,
    **payment_operators.OPERATORS,
    **declaration_operators.OPERATORS,
}
