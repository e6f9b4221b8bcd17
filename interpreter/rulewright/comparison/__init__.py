"""Two games beside each other: what they hold, which declarations correspond."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulewright.foundation.lazy import lazy_exports

if TYPE_CHECKING:
    from rulewright.comparison.diff.editions import Chosen as Chosen
    from rulewright.comparison.diff.editions import Side as Side

    __all__: list[str]
else:
    __getattr__, __dir__, __all__ = lazy_exports(__name__)
