"""Each newer slip is told at its line, and of the right version nothing is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from .newer_slips import NEWER_SLIPS
from .secret_slips import SECRET_SLIPS
from .slips import Slip
from .test_slips import NOTABLE, examined
from .test_slips import bazaar as bazaar

SLIPS = (*NEWER_SLIPS, *SECRET_SLIPS)


@pytest.mark.parametrize("slip", [slip for slip in SLIPS if slip.wrong], ids=lambda slip: slip.name)
def test_a_newer_slip_is_told(slip: Slip, bazaar: Path) -> None:
    found = examined(bazaar, slip.wrong)
    told = [one for one in found.findings if one.level is not NOTABLE or one.code == slip.code]
    assert [one.code for one in told] == [slip.code], found.findings
    span = told[0].span
    assert slip.line in Path(span.file).read_text().splitlines()[span.line - 1]


@pytest.mark.parametrize("slip", SLIPS, ids=lambda slip: slip.name)
def test_nothing_is_said_of_its_right_version(slip: Slip, bazaar: Path) -> None:
    found = examined(bazaar, slip.right)
    assert [one for one in found.findings if one.level is not NOTABLE or one.code == slip.code] == []
