"""The steps of the build: the tables of the parser, which the first command then finds, and the page of the studio."""

from __future__ import annotations

import shutil
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PAGE = Path("tools") / "rulewright_tools" / "studio" / "page"


class ParseTables(BuildHookInterface[Any]):
    """Writes ``grammar/tables.json``, for packages and for checkouts that are installed to be edited, and builds the
    page of the studio for packages.
    """

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write the file; nothing depends on it, so a checkout that cannot be written to is no failure."""
        root = Path(self.root)
        sys.path.insert(0, str(root / "interpreter"))
        from rulewright.syntax.tables.parse_tables import grammar_text, made
        from rulewright.syntax.tables.stored_tables import BUILT_IN, built_in_text

        grammar = grammar_text()
        with suppress(OSError):
            (root / "grammar" / BUILT_IN).write_text(built_in_text(made(grammar), grammar), "utf-8")
        if version != "editable":
            self._build_page(root)

    def _build_page(self, root: Path) -> None:
        """Build the page unless that was done already; without Node the package has none, and says so."""
        npm = shutil.which("npm")
        if (root / PAGE / "index.html").is_file():
            return
        if npm is None:
            self.app.display_warning("without Node this package has no page for `rulewright studio`")
            return
        for words in (("ci", "--no-audit", "--no-fund"), ("run", "build")):
            subprocess.run([npm, *words], cwd=root / "tools" / "studio", check=True)
