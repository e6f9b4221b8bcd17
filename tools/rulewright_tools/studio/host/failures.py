"""The failure of a scenario as data for a page."""

from __future__ import annotations

from typing import Any

import rulewright as rw
from rulewright_tools.studio.host.catalogue import Catalogue
from rulewright_tools.studio.host.files.path_names import PathNames


def failure_data(failure: rw.scenarios.Failure, catalogue: Catalogue) -> dict[str, Any]:
    """The reason why a scenario does not hold, and its line."""
    names = PathNames(catalogue)
    return {
        "message": names.text(rw.characters.printable(failure.message)),
        "line": failure.span.line,
        "text": rw.characters.printable(failure.text),
        "expected": names.text(rw.characters.printable(failure.expected)),
        "found": names.text(rw.characters.printable(failure.found)),
    }
