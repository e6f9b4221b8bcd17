"""A construct that a pass does not know is named by mypy, not dropped silently.

In a copy of the package each family of nodes gets one more member. mypy must then find an error in every pass that
goes through this family.
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
        {"ir/dataflow/effects.py", "ir/dataflow/answer_flow.py", "ir/dataflow/nullability.py"},
    ),
    "instruction that leads elsewhere": (
        "ir/instructions.py",
        "class ForgottenTransfer",
        "Transfer = Jump",
        {"ir/dataflow/control_flow.py", "compiler/lowering/function_builder.py"},
    ),
    "computation": (
        "ir/expressions/scalars.py",
        "class ForgottenComputation",
        "Scalar = (\n    Const",
        {"ir/walk.py", "ir/dataflow/nullability.py"},
    ),
    "read of the state": (
        "ir/expressions/state_reads.py",
        "class ForgottenRead",
        "StateRead = (\n    Alive",
        {"ir/dataflow/effects.py", "ir/walk.py", "ir/dataflow/nullability.py"},
    ),
    "step of a plan": (
        "ir/scenario_plan.py", "class ForgottenStep(Line)", "Step = Put", {"scenarios/scenario_runner.py"},
    ),
}  # fmt: skip


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
    # Only the passes are checked: of what they import mypy then reads no function bodies.
    passes = sorted({f"interpreter/rulewright/{name}" for *_, names in FAMILIES.values() for name in names})
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}  # mypy looks there, too
    run = subprocess.run(
        [sys.executable, "-m", "mypy", *OPTIONS, *passes],
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
    for family, (_, head, _, passes) in FAMILIES.items():
        named = {line.split(":")[0].removeprefix("interpreter/rulewright/") for line in errors if name_in(head) in line}
        assert passes <= named, "\n".join([family, *errors])
