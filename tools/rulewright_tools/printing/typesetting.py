"""Typesetting: data of a prototype, put into the template by Typst, as PDF or as pictures of pages."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

_TEMPLATE = Path(__file__).with_name("prototype.typ")


def pdf(data: Mapping[str, Any]) -> bytes:
    """The pages as one PDF. No system fonts and no date: equal data, equal bytes."""
    import typst  # needs the extra `print`

    return typst.compile(_TEMPLATE.read_bytes(), ignore_system_fonts=True, format="pdf", sys_inputs=_inputs(data))


def pages(data: Mapping[str, Any], dots: float) -> list[bytes]:
    """Each page as PNG, with so many dots an inch."""
    import typst

    template, inputs = _TEMPLATE.read_bytes(), _inputs(data)
    found: bytes | list[bytes] = typst.compile(
        template, ignore_system_fonts=True, format="png", ppi=dots, sys_inputs=inputs
    )
    return found if isinstance(found, list) else [found]


def fits(data: Mapping[str, Any]) -> list[dict[str, Any]]:
    """All texts that had to fit into a box, each with the size that was taken, and whether it fits."""
    import typst

    template, inputs = _TEMPLATE.read_bytes(), _inputs(data)
    found = typst.query(template, "<fitted>", field="value", ignore_system_fonts=True, sys_inputs=inputs)
    return list(json.loads(found))


def _inputs(data: Mapping[str, Any]) -> dict[str, str]:
    return {"data": json.dumps(data, ensure_ascii=False)}
