"""Two editions of one game: what is played otherwise, and nothing else."""

from __future__ import annotations

import rulewright as rw

CHECKS = {"invariant", "property", "witness"}


def test_english_and_german_edition() -> None:
    found = rw.compare("domaine", "loewenherz")
    played = [(d.address, d.kind, d.notes) for d in found.differences if d.word not in CHECKS]
    assert played == [
        ("leave_out", "changed", ("allowed → forbidden",)),  # D1, D2: all borders and knights that a card shows
        ("deserter_chooser", "changed", ("actor → owner",)),  # D3: who picks the knight that deserts
        ("win_over.leaves", "moved", ("now after `step comes`",)),  # D4: the new knight comes first
    ]
    assert all(not d.players for d in found.differences)
    assert found.players == ((2, 2), (3, 3), (4, 4))


def test_each_difference_cites_both_rulebooks() -> None:
    found = rw.compare("domaine", "loewenherz")
    for difference in found.differences:
        for edition, wording in ((found.old, difference.old), (found.new, difference.new)):
            assert wording is None or all(edition.words(id) for id in wording.cites), difference.address
    first = found.differences[0]
    assert first.old is not None
    assert first.new is not None
    assert first.old.cites
    assert first.new.cites
    assert not set(first.old.cites) & set(first.new.cites)


def test_an_edition_beside_what_it_extends() -> None:
    assert rw.compare("loewenherz").differences == rw.compare("domaine", "loewenherz").differences
