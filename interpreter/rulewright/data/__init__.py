"""The data of a ruleset beside its rules: manifest, component tables, maps, rulebook index and rulings.

Each file a person edits is checked by a schema, and everything read from it knows where it stands.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulewright.foundation.lazy import lazy_exports

if TYPE_CHECKING:
    from rulewright.data.json_positions import JsonPath as JsonPath
    from rulewright.data.json_positions import JsonText as JsonText
    from rulewright.data.json_positions import read_json as read_json
    from rulewright.data.opening import opened as opened
    from rulewright.data.ruleset import Ruleset as Ruleset
    from rulewright.data.schema_checks import validate as validate
    from rulewright.data.toml_positions import TomlText as TomlText
    from rulewright.data.toml_positions import read_toml as read_toml

    __all__: list[str]
else:
    __getattr__, __dir__, __all__ = lazy_exports(__name__)
