"""Mutants of shipped rulesets that machine code finds: the half of the planted faults that is kept as a regression."""

from __future__ import annotations

import pytest

import rulewright as rw
from rulewright.data.opening import opened
from rulewright.findings.fuzzing import Setting
from rulewright.findings.fuzzing.search.exploration import Explorers
from rulewright.findings.mutation.baseline import Original
from rulewright.findings.mutation.kill_check import explored
from sampling import thorough

FOUND = {
    "carolus-magnus": {
        "can_return/swap-cases/1": "property/reserves_are_filled_up",
        "choose_discs.only_taken_left/negation/1": "property/numbers_differ",
        "choose_discs.taken/comparison/1": "error/RUN007/choose_discs.disc",
        "choose_discs.taken/drop-restriction/1": "property/numbers_differ",
        "crest_changes/and-or/1": "error/RUN006/crest_changes",
        "crest_changes/drop-consequence/1": "invariant/leader_has_the_crest",
        "lacking/plus-minus/1": "error/RUN003/take_knights",
        "regions_join/drop-consequence/1": "invariant/neighbours_differ",
        "regions_join/drop-where/2": "invariant/built_up",
        "round/drop-statement/4": "error/RUN007/choose_discs.disc",
        "take_freely.knight/may/1": "property/reserves_are_filled_up",
    },
    "domaine": {
        "annexation.cut_off/comparison/1": "invariant/lines_hold",
        "build/drop-limits/1": "error/RUN007/found.s",
        "build/off-by-one/2": "invariant/nobody_stands_alone",
        "cover/plus-minus/3": "error/RUN002/cover",
        "found.s/drop-limits/1": "error/RUN007/found.t",
        "found.t/may/1": "error/RUN002/found",
        "idle_borders/drop-consequence/1": "invariant/no_marker_within",
        "turn.refill/drop-statement/1": "property/hands_are_full",
        "turned_row/plus-minus/1": "error/RUN002/cover",
    },
    "loewenherz": {
        "all_in_line/only-left/1": "invariant/lines_hold",
        "ally.nobody_beside/and-or/1": "error/RUN007/ally.friend",
        "build/drop-limits/1": "error/RUN007/found.s",
        "castles_each/off-by-one/1": "invariant/nobody_stands_alone",
        "knight_ground.wrong_ground/negation/1": "invariant/on_good_ground",
        "monopolies/comparison/1": "invariant/track_is_right",
        "needed_distance/quantity/1": "error/RUN007/found.s",
        "perform.deserter/drop-case/1": "error/RUN007/perform.task",
    },
    "baron": {
        "nothing_to_take/and-or/1": "property/all_tiles_are_laid",
        "put_down/drop-limits/1": "error/RUN007/lay.c",
        "site.occupied/drop-restriction/1": "error/RUN003/extend",
    },
}
"""For each ruleset its mutants, and the first that is found to be wrong with each."""
PORTIONS = 48
"""Portions of 32,768 answers: one and a half million, two seconds of machine code."""


@pytest.mark.parametrize("name", ["carolus-magnus", *(pytest.param(one, marks=thorough) for one in list(FOUND)[1:])])
def test_planted_faults_are_found(name: str) -> None:
    ruleset, _ = opened(name, ())
    mutants = {one.id: one for one in Original(ruleset).mutants}
    found = dict[str, str]()
    for mutant in FOUND[name]:
        game = rw.load(mutants[mutant].applied(ruleset), 2)
        machine = Explorers().of(game, frozenset())
        assert machine is not None
        first = explored(game, machine, Setting(2), 0, PORTIONS)
        found[mutant] = "" if first is None else first.trouble.label
    assert found == FOUND[name]
