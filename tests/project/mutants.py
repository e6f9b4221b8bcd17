"""Mutants of the interpreter, and which sets of tests notice them: the evidence behind `make test`.

    python tests/project/mutants.py plant COPY --mutants 80 --seed 1   a copy of the project that holds all mutants
    python tests/project/mutants.py reach COPY                         all tests once: which of them reach which mutant
    python tests/project/mutants.py kill COPY --seconds 600            each mutant with the tests that reach it
    python tests/project/mutants.py table COPY                         mutants that are killed by the quick set, by all

All mutants stand in one copy as *schemata* (R. H. Untch, A. J. Offutt, M. J. Harrold, 1993): each mutated function
begins with ``if mutant(7): …``, and the environment says which one is alive, so that processes which tests begin are
mutated, too. A function that is reached writes the test that runs. A mutant is tried with tests that reach its function
alone, those of the quick set first, the quickest of them before the others, until one fails.
"""

from __future__ import annotations

import argparse
import ast
import copy
import json
import os
import random
import shutil
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
LEFT_OUT = shutil.ignore_patterns(".git", ".venv", "node_modules", "build", "__pycache__", ".*_cache", ".hypothesis")
SWITCH = '''"""The switch of planted mutants: which one is alive, and who reaches them."""

import os

ALIVE, LOG = int(os.environ.get("PLANTED_ALIVE", "0")), os.environ.get("PLANTED_LOG", "")
SEEN = set()


def mutant(number):
    if LOG:
        test = os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" ")[0]
        if (number, test) not in SEEN:
            SEEN.add((number, test))
            with open(LOG, "a") as file:
                file.write(f"{number}\\t{test}\\n")
    return number == ALIVE
'''
COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.BitOr: ast.BitAnd, ast.BitAnd: ast.BitOr,
    ast.FloorDiv: ast.Mult, ast.LShift: ast.RShift, ast.RShift: ast.LShift,
}  # fmt: skip
Function = ast.FunctionDef


def functions(tree: ast.Module) -> Iterator[Function]:
    """Functions and methods, but for those inside functions."""
    waiting: list[ast.stmt] = list(tree.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.FunctionDef):
            yield node
        elif isinstance(node, ast.ClassDef):
            waiting += node.body


def mutations(function: Function) -> Iterator[str]:
    """Mutate the function in place, once for each step; what is done is undone before the next one."""
    for node in [node for statement in function.body for node in ast.walk(statement)]:
        line = getattr(node, "lineno", 0)
        if isinstance(node, ast.Compare) and type(node.ops[0]) in COMPARISONS:
            before = node.ops[0]
            node.ops[0] = COMPARISONS[type(before)]()
            yield f"{line}: {type(before).__name__} becomes {type(node.ops[0]).__name__}"
            node.ops[0] = before
        elif isinstance(node, ast.BinOp | ast.AugAssign) and type(node.op) in OPERATORS:
            was = node.op
            node.op = OPERATORS[type(was)]()
            yield f"{line}: {type(was).__name__} becomes {type(node.op).__name__}"
            node.op = was
        elif isinstance(node, ast.BoolOp):
            old = node.op
            node.op = ast.Or() if isinstance(old, ast.And) else ast.And()
            yield f"{line}: {type(old).__name__} becomes {type(node.op).__name__}"
            node.op = old
        elif isinstance(node, ast.If | ast.IfExp):
            test = node.test
            node.test = ast.UnaryOp(ast.Not(), test)
            yield f"{line}: the condition is negated"
            node.test = test
        elif isinstance(node, ast.Constant) and type(node.value) is int and node.value < 100:
            node.value += 1
            yield f"{line}: {node.value - 1} becomes {node.value}"
            node.value -= 1
        elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
            node.value = not node.value
            yield f"{line}: {not node.value} becomes {node.value}"
            node.value = not node.value
        if isinstance(node, ast.If | ast.For | ast.While | ast.With):
            for number, statement in enumerate(node.body):
                if isinstance(statement, ast.Expr | ast.AugAssign | ast.Continue | ast.Break):
                    node.body[number] = ast.Pass()
                    yield f"{statement.lineno}: {type(statement).__name__} is left out"
                    node.body[number] = statement


def plant(into: Path, count: int, seed: int) -> None:
    """Copy the project, with one mutant in each of `count` functions that are drawn at random, by their lines."""
    shutil.copytree(ROOT, into, ignore=LEFT_OUT, symlinks=True)
    dice = random.Random(seed)
    top = into / "interpreter"
    (top / "planted_mutants.py").write_text(SWITCH)
    trees = {path: ast.parse(path.read_text("utf-8")) for path in sorted((top / "rulewright").rglob("*.py"))}
    places = [(path, function) for path, tree in trees.items() for function in functions(tree)]
    weights = [len(list(ast.walk(function))) for _, function in places]
    planted: list[dict[str, object]] = []
    taken = set[int]()
    while len(planted) < count:
        [number] = dice.choices(range(len(places)), weights)
        path, function = places[number]
        ways = sum(1 for _ in mutations(function))
        if number in taken or not ways:
            continue
        taken.add(number)
        chosen = dice.randrange(ways)
        for way, what in enumerate(mutations(function)):
            if way == chosen:
                mutated = copy.deepcopy(function.body)
                chosen_one = what
        begin = 1 if ast.get_docstring(function) is not None else 0
        head = ast.parse(f"if __import__('planted_mutants').mutant({len(planted) + 1}):\n    pass").body[0]
        assert isinstance(head, ast.If)
        head.body = [*mutated[begin:], ast.Return()]
        function.body.insert(begin, head)
        where = f"{path.relative_to(into)}:{chosen_one}"
        planted.append({"number": len(planted) + 1, "where": where, "function": function.name})
        path.write_text(ast.unparse(ast.fix_missing_locations(trees[path])) + "\n", "utf-8")
    (into / "mutants.json").write_text(json.dumps(planted, indent=1))


def run(copy_of: Path, arguments: list[str], seconds: float | None = None, **environment: str) -> int | None:
    """The exit code of pytest in a copy; None if it took longer than `seconds`."""
    paths = os.pathsep.join(str(copy_of / name) for name in ("interpreter", "tools"))
    command = [sys.executable, "-m", "pytest", "-q", "--no-header", "-p", "no:cacheprovider", *arguments]
    env = {**os.environ, **environment, "PYTHONPATH": paths}
    with (copy_of / "output.txt").open("w") as out:
        try:
            return subprocess.run(command, cwd=copy_of, env=env, stdout=out, stderr=out, timeout=seconds).returncode
        except subprocess.TimeoutExpired:
            return None


def reach(copy_of: Path) -> None:
    """Run all tests with no mutant alive: tests that fail so are left out later, and each test's time is kept."""
    run(copy_of, ["--junitxml=times.xml"], PLANTED_LOG=str(copy_of / "reached.tsv"))


def times(copy_of: Path) -> tuple[dict[str, float], set[str]]:
    """The seconds of each test function, all its parameters together, and those that fail without a mutant."""
    seconds, failing = dict[str, float](), set[str]()
    for case in ET.parse(copy_of / "times.xml").iter("testcase"):
        *folders, module = (case.get("classname") or "").split(".")
        name = f"{'/'.join([*folders, module])}.py::{(case.get('name') or '').partition('[')[0]}"
        seconds[name] = seconds.get(name, 0.0) + float(case.get("time") or 0)
        if case.find("failure") is not None or case.find("error") is not None:
            failing.add(name)
    return seconds, failing


def is_quick(test: str) -> bool:
    """True if a test belongs to the quick set, which `tests/slow.txt` does not list."""
    lines = (ROOT / "tests" / "slow.txt").read_text("utf-8").splitlines()
    left = {line for line in lines if line and not line.startswith("#")}
    file = test.partition("::")[0]
    return left.isdisjoint([test, file, *(str(folder) for folder in Path(file).parents)])


def kill(copy_of: Path, seconds: float, jobs: int) -> None:
    """Try each mutant with the tests that reach it, at most `seconds` of their time; results go into `kills.jsonl`."""
    took, failing = times(copy_of)
    reached: dict[int, set[str]] = {}
    for line in (copy_of / "reached.tsv").read_text().splitlines():
        number, _, test = line.partition("\t")
        reached.setdefault(int(number), set()).add(test.partition("[")[0])
    record = copy_of / "kills.jsonl"
    done = {json.loads(line)["number"] for line in record.read_text().splitlines()} if record.exists() else set()
    for planted in json.loads((copy_of / "mutants.json").read_text()):
        number = planted["number"]
        if number in done:
            continue
        known = [test for test in sorted(reached.get(number, ())) if test in took and test not in failing]
        tests = sorted(known, key=lambda test: took[test])
        begun = time.monotonic()
        result: dict[str, Any] = {**planted, "reached_by": len(tests), "quick": False, "all": False, "tried": 0.0}
        for part in ("quick", "all"):
            chosen, total = [], 0.0
            for test in tests:
                if is_quick(test) is (part == "quick") and total + took[test] <= seconds:
                    chosen.append(test)
                    total += took[test]
            result["tried"] += total
            code = (
                run(copy_of, ["-x", f"-n{jobs}", *chosen], 3 * total + 120, PLANTED_ALIVE=str(number)) if chosen else 0
            )
            if code != 0:
                result[part] = result["all"] = True
                break
        with record.open("a") as file:
            file.write(json.dumps(result) + "\n")
        print(f"{number:>3} {'quick' if result['quick'] else 'all' if result['all'] else '-':<6}"
              f"{time.monotonic() - begun:>6.0f} s  {planted['where']}", flush=True)  # fmt: skip


def table(copy_of: Path) -> None:
    """Print the numbers of mutants that are reached, and that are killed by the quick set, and by all tests."""
    found = [json.loads(line) for line in (copy_of / "kills.jsonl").read_text().splitlines()]
    quick, every = sum(one["quick"] for one in found), sum(one["all"] for one in found)
    print(f"{len(found)} mutants, {sum(one['reached_by'] > 0 for one in found)} reached by a test")
    print(f"killed by the quick set {quick}, by all tests {every}: {quick / max(every, 1):.1%}")
    for one in found:
        if one["all"] and not one["quick"]:
            print(f"  by others only: {one['where']}")


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("step", choices=["plant", "reach", "kill", "table"])
    parser.add_argument("copy", type=Path)
    parser.add_argument("--mutants", type=int, default=80)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=600.0, help="of tests for a mutant, quick ones and all others")
    parser.add_argument("--jobs", type=int, default=2)
    chosen = parser.parse_args()
    into = chosen.copy.resolve()
    if chosen.step == "plant":
        plant(into, chosen.mutants, chosen.seed)
    elif chosen.step == "reach":
        reach(into)
    elif chosen.step == "kill":
        kill(into, chosen.seconds, chosen.jobs)
    else:
        table(into)


if __name__ == "__main__":
    main()
