"""The export of the studio: a folder with a page that needs no server, with Python and the rules in it."""

from __future__ import annotations

from rulewright_tools.studio.export.site import export_site

__all__ = ["export_site"]
