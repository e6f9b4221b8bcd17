"""The process of an agent of an entry point: ``python -m rulewright_lab.agents.entry_point_host NAME ARGUMENT``.

The entry point is a function; called with the argument, it gives a function from a question to the number or key of an
option.
"""

from __future__ import annotations

import json
import sys
from importlib.metadata import entry_points

GROUP = "rulewright.agents"


def main(name: str, argument: str = "") -> None:
    """Answer one question after the other."""
    (found, *_) = entry_points(group=GROUP, name=name)
    answers, sys.stdout = sys.stdout, sys.stderr  # what the agent prints is no answer
    choose = found.load()(argument)
    for line in sys.stdin:
        answers.write(json.dumps({"option": choose(json.loads(line))}) + "\n")
        answers.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
