"""Installs what `make demo` needs into the environment of this Python: the interpreter, and the command `rulewright`.

`pip install -e '.[cli]'` does the same, but downloads a build system into an environment of its own before, which takes
a third of the time. Here pip gets the requirements alone, and the two files that an editable installation consists of
are written under the names that it gives them, so that it replaces them when `make test` installs everything.
"""

from __future__ import annotations

import subprocess
import sys
import sysconfig
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
EXTRA = "cli"
COMMAND = """#!/bin/sh
exec "$(dirname "$0")/python" -m rulewright_tools "$@"
"""


def main(pip: list[str]) -> None:
    """Install with these words of pip, such as ``pip install --quiet``."""
    read = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    project, build = read["project"], read["tool"]["hatch"]["build"]
    wanted = [*project["dependencies"], *project["optional-dependencies"][EXTRA]]
    subprocess.run([sys.executable, "-m", *pip, *wanted], check=True)
    folders = [ROOT / name for name in build["dev-mode-dirs"]]
    Path(sysconfig.get_path("purelib"), "_rulewright.pth").write_text("\n".join(map(str, folders)), "utf-8")
    command = Path(sysconfig.get_path("scripts"), "rulewright")
    command.write_text(COMMAND, "utf-8")
    command.chmod(0o755)
    sys.path[:0] = map(str, folders)
    from rulewright.syntax.tables.parse_tables import write_built_in

    write_built_in(ROOT / "grammar")


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except subprocess.CalledProcessError as error:  # pip has said why
        sys.exit(error.returncode)
