"""The step of the build that makes the tables of the parser, so that the first command need not make them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

STUDIO = Path("tools") / "rulewright_tools" / "studio"


class ParseTables(BuildHookInterface[Any]):
    """Writes ``grammar/tables.json``, for packages and for checkouts that are installed to be edited.

    Packages take the page of the studio as it was built: to build it needs Node, and files from elsewhere.
    """

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write the file."""
        root = Path(self.root)
        sys.path.insert(0, str(root / "interpreter"))
        from rulewright.syntax.tables.parse_tables import write_built_in

        write_built_in(root / "grammar")
        built = all((root / STUDIO / page / "index.html").is_file() for page in ("page", "site"))
        if version != "editable" and not built:
            self.app.display_warning("this package has no page for `rulewright studio`: `make studio` builds it before")
