"""A game for those who play it: loading, playing, the model behind its pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulewright.foundation.lazy import lazy_exports

if TYPE_CHECKING:
    from rulewright.play.game import Game as Game
    from rulewright.play.loading import load as load
    from rulewright.play.narration import story as story
    from rulewright.play.pictures import drawing as drawing

    __all__: list[str]
else:
    __getattr__, __dir__, __all__ = lazy_exports(__name__)
