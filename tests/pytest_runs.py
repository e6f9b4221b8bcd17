"""Runs of pytest in a folder, with the plugin for rulesets."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

from hypothesis.internal.conjecture import providers

PLUGIN = "rulewright_tools.pytest_plugin"
INSTALLED = any(one.value == PLUGIN for one in entry_points(group="pytest11"))
"""True if pytest finds the plugin by itself."""


def run_pytest(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """A run of pytest with these words; Hypothesis reads no sources, as in the tests of this project."""
    plugins = (__name__, *(() if INSTALLED else (PLUGIN,)))
    options = (*(f"-p{one}" for one in plugins), "-pno:cacheprovider", *words)
    here = str(Path(__file__).parent)
    code = f"import sys; sys.path.insert(0, {here!r}); import pytest; sys.exit(pytest.main(sys.argv[1:]))"
    return subprocess.run(
        [sys.executable, "-c", code, *options], cwd=folder, capture_output=True, text=True, timeout=250
    )


def pytest_configure() -> None:
    """Keep Hypothesis from reading all modules that are loaded, where this module is a plugin."""
    if hasattr(providers, "_get_local_constants"):
        setattr(providers, "_get_local_constants", lambda: providers._local_constants)  # noqa: B010
