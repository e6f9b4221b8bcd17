"""A construct that a pass does not know is named by mypy, not dropped silently.

In a copy of the package each family of nodes gets one more member, and each set of words one more word. mypy must then
find an error in every pass that goes through this family or these words.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from sampling import thorough

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "interpreter" / "rulewright"

OPTIONS = ("--no-error-summary", "--follow-imports", "silent", "--cache-dir", os.devnull)

FAMILIES: dict[str, tuple[str, str, str, set[str]]] = {
    "statement": (
        "syntax/ast/statements.py",
        "class ForgottenStatement(Clause)",
        "StateChange = Assign",
        {"syntax/printer/statement_printer.py", "compiler/lowering/statement_lowering.py"},
    ),
    "statement with a block": (
        "syntax/ast/statements.py",
        "class ForgottenBlock(Clause)",
        "BlockStatement = If",
        {"compiler/lowering/choices/possibility.py", "compiler/lowering/statement_lowering.py"},
    ),
    "expression": (
        "syntax/ast/expressions.py",
        "class ForgottenExpression(Node)",
        "Operation = Binary",
        {"syntax/printer/expression_printer.py", "compiler/lowering/expressions/expression_lowering.py"},
    ),
    "declaration": (
        "syntax/ast/overlays.py",
        "class ForgottenDeclaration(Clause)",
        "Thing = (\n    Game",
        {"syntax/printer/printer.py", "compiler/overlays/declaration_set.py"},
    ),
    "change in a variant": (
        "syntax/ast/overlays.py",
        "class ForgottenChange(Clause)",
        "Change = AssignOp",
        {
            "syntax/printer/printer.py", "compiler/overlays/overlay_operations.py",
            "compiler/overlays/layers.py",
        },
    ),
    "scenario line": (
        "syntax/ast/scenarios.py",
        "class ForgottenLine(Clause)",
        "ScenarioLine = (\n    SPlayers",
        {"compiler/scenarios/scenario_compiler.py"},
    ),
    "instruction": (
        "ir/instructions.py",
        "class ForgottenInstruction",
        "StateChange = SetField",
        {
            "ir/dataflow/effects.py", "ir/dataflow/nullability.py", "ir/dataflow/piece_flow.py", "ir/step_costs.py",
            "ir/control_flow/function_shape.py", "knowledge/answers/answer_flow.py",
            "knowledge/secrets/secret_flow.py", "knowledge/secrets/unobserved_moves.py",
            "compiler/turn_independence.py",
        },
    ),
    "instruction that stores something": (
        "ir/instructions.py",
        "class ForgottenStore",
        "LocalChange = SetLocal",
        {
            "ir/control_flow/control_flow_graph.py", "knowledge/secrets/hidden_values.py",
            "engine/hidden_information/observations/known_slots.py", "compiler/turn_independence.py",
        },
    ),
    "instruction that leads elsewhere": (
        "ir/instructions.py",
        "class ForgottenTransfer",
        "Transfer = Jump",
        {"ir/control_flow/control_flow_graph.py", "compiler/lowering/function_builder.py"},
    ),
    "computation": (
        "ir/expressions/scalars.py",
        "class ForgottenComputation",
        "Scalar = (\n    Const",
        {"ir/walk.py", "ir/dataflow/nullability.py", "ir/step_costs.py", "knowledge/answers/answer_flow.py"},
    ),
    "read of the state": (
        "ir/expressions/state_reads.py",
        "class ForgottenRead",
        "StateRead = (\n    Alive",
        {
            "ir/reads.py", "ir/walk.py", "ir/dataflow/nullability.py", "ir/step_costs.py",
        },
    ),
    "step of a plan": (
        "ir/scenario_plan.py", "class ForgottenStep(Line)", "Step = Put", {"play/scenarios/scenario_runner.py"},
    ),
}  # fmt: skip
"""For each family where it stands, the head of a new member, the union it comes into, the passes that must see it."""

WORDS: dict[str, tuple[str, str, set[str]]] = {
    "forgotten_infix": (
        "syntax/ast/expressions.py",
        "BinaryOp = Literal[",
        {
            "compiler/lowering/expressions/operators.py", "navigation/type_inference.py",
            "findings/text/rules/conditions.py",
        },
    ),
    "forgotten_prefix": (
        "syntax/ast/expressions.py",
        "UnaryOp = Literal[",
        {"compiler/lowering/expressions/operators.py", "navigation/type_inference.py"},
    ),
    "forgotten_comparison": (
        "syntax/ast/expressions.py",
        "CompareOp = Literal[",
        {"compiler/lowering/expressions/operators.py", "data/table_edits.py"},
    ),
    "forgotten_aggregate": (
        "syntax/ast/expressions.py", "AggregateKind = Literal[", {"navigation/type_inference.py"},
    ),
    "forgotten_arithmetic": (
        "ir/arithmetic.py",
        "ArithOp = Literal[",
        {"ir/arithmetic.py", "engine/native/lowering/expressions/scalar_lowering.py"},
    ),
    "forgotten_test": (
        "ir/comparison.py",
        "CmpOp = Literal[",
        {"ir/comparison.py", "engine/native/lowering/expressions/sets/mask_filters.py"},
    ),
    "forgotten_fold": (
        "ir/folds.py",
        "FoldKind = Literal[",
        {
            "ir/folds.py", "engine/evaluator/folds.py",
            "engine/native/lowering/expressions/sets/fold_lowering.py",
        },
    ),
}  # fmt: skip
"""For each new word where it stands, the literal it comes into, and the passes that must see it. Tables by words are
looked at in `test_word_tables`."""


def passes() -> set[str]:
    return set().union(*(names for *_, names in (*FAMILIES.values(), *WORDS.values())))


def test_the_passes_exist() -> None:
    assert [name for name in sorted(passes()) if not (PACKAGE / name).exists()] == []
    for file, mark in [(file, union) for file, _, union, _ in FAMILIES.values()] + [w[:2] for w in WORDS.values()]:
        assert mark in (PACKAGE / file).read_text("utf-8"), file


@pytest.fixture
def errors(tmp_path: Path) -> list[str]:
    """The errors of mypy in the copy.

    It begins with nothing: as what all import is another one there, it would make use of next to nothing that it knows
    of the package.
    """
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    copy = tmp_path / "interpreter" / "rulewright"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    # The façade names every module there is, and no pass needs it: without it a third less is read.
    (copy / "__init__.py").write_text('"""Nothing is brought along."""\n', "utf-8")
    for file, head, union, _ in FAMILIES.values():
        path = copy / file
        text = path.read_text("utf-8")
        assert union in text, file
        declared = f'@dataclass(frozen=True, slots=True)\n{head}:\n    """Nobody knows it."""\n\n\n'
        first, _, last = union.rpartition(" ")
        path.write_text(text.replace(union, f"{declared}{first} {name_in(head)} | {last}"), "utf-8")
    for word, (file, literal, _) in WORDS.items():
        path = copy / file
        path.write_text(path.read_text("utf-8").replace(literal, f'{literal}"{word}", ', 1))
    # Only the passes are checked: of what they import mypy then reads no function bodies.
    checked = sorted(f"interpreter/rulewright/{name}" for name in passes())
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}  # mypy looks there, too
    run = subprocess.run(
        [sys.executable, "-m", "mypy", *OPTIONS, *checked],
        cwd=tmp_path, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    return run.stdout.splitlines()


def name_in(head: str) -> str:
    return head.split()[1].split("(")[0]


@thorough
@pytest.mark.long
@pytest.mark.timeout(1800)
def test_mypy_names_the_passes(errors: list[str]) -> None:
    """One test for all families: mypy is run once."""
    wanted = {name_in(head): names for _, head, _, names in FAMILIES.values()} | {
        w: held[2] for w, held in WORDS.items()
    }
    for name, names in wanted.items():
        named = {line.split(":")[0].removeprefix("interpreter/rulewright/") for line in errors if name in line}
        assert names <= named, "\n".join([name, *errors])
