"""Optional dependencies: which extra of the package brings which library, and the one sentence for those it lacks."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

EXTRAS = {
    "typer": ("cli", "the command line"),
    "rich": ("cli", "the command line"),
    "hypothesis": ("fuzz", "fuzzing"),
    "allpairspy": ("fuzz", "fuzzing with all variants"),
    "drawsvg": ("draw", "drawing pictures"),
    "typst": ("print", "printing prototypes"),
    "altair": ("html", "the pictures of HTML reports"),
    "vl_convert": ("html", "the pictures of HTML reports"),
    "choix": ("ratings", "ratings of agents"),
    "pyarrow": ("parquet", "tables in Parquet"),
    "scipy": ("experiments", "the statistics of experiments"),
    "SALib": ("sensitivity", "the sensitivity of measures"),
    "optuna": ("aim", "the search for values of parameters"),
    "z3": ("positions", "laying positions"),
    "distributed": ("cluster", "work on a cluster"),
    "sklearn": ("learning", "learning from games"),
    "junitparser": ("reports", "reports for JUnit"),
    "pygls": ("edit", "the language server"),
    "watchfiles": ("edit", "watching files"),
    "starlette": ("studio", "the studio"),
    "uvicorn": ("studio", "the studio"),
    "websockets": ("studio", "the studio"),
}
"""For each library its extra, and what it is for."""


def require(library: str) -> None:
    """Fail before any work is done if a library is missing; the error boundary names the extra that brings it."""
    import_module(library)


def require_pictures() -> None:
    """Fail before any work is done if the pictures of HTML reports cannot be drawn."""
    for library in ("altair", "vl_convert", "drawsvg"):
        require(library)


def missing_extra(error: ModuleNotFoundError) -> str | None:
    """The sentence that names the missing extra; nothing if the module belongs to none of them."""
    library = (error.name or "").partition(".")[0]
    if library not in EXTRAS:
        return None
    extra, purpose = EXTRAS[library]
    return f"{purpose} needs `{library}`, which is not installed: {install_command(extra)}"


def install_command(extra: str) -> str:
    """The command that installs an extra for this Python: in a checkout from there, as `pip` would look elsewhere."""
    root = Path(__file__).resolve().parents[2]
    if (root / "pyproject.toml").is_file():
        return f"{sys.executable} -m pip install -e '{root}[{extra}]'"
    return f"pip install 'rulewright[{extra}]'"
