"""All operators by their names."""

from __future__ import annotations

from rulewright.fuzzing.mutation.operators import (
    choice_operators,
    declaration_operators,
    expression_operators,
    order_operators,
)
from rulewright.fuzzing.mutation.operators.operator_api import Operator

OPERATORS: dict[str, Operator] = {
    **choice_operators.RESTRICTION_OPERATORS,
    **expression_operators.CONDITION_OPERATORS,
    **expression_operators.NUMBER_OPERATORS,
    **order_operators.OPERATORS,
    **choice_operators.CHOICE_OPERATORS,
    **expression_operators.PAYMENT_OPERATORS,
    **declaration_operators.OPERATORS,
}
