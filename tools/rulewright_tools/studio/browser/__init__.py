"""The host inside a browser: Pyodide runs it in a worker, which hands it texts and fetches texts from it."""

from __future__ import annotations

from rulewright_tools.studio.browser.worker_host import WorkerHost

__all__ = ["WorkerHost"]
