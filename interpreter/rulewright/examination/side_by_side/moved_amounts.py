"""EXM204: by how much the rules of a change move fields and pieces, and where a rule of the base moves others than it
did."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from rulewright.diagnostics import RulesetError
from rulewright.examination.examined_program import ExaminedProgram
from rulewright.examination.findings import Suspect
from rulewright.examination.side_by_side.amount_counter import MOST as LARGEST
from rulewright.examination.side_by_side.amount_counter import OTHERS, OWN, TOO_MANY, AmountCounter, Moved
from rulewright.examination.side_by_side.pair import MOST, Pair
from rulewright.play.game import Game

ENOUGH = 30
"""A rule that was used less often is not spoken of."""
FEW = 3
"""Amounts that are told one by one."""

Amounts = Counter[int]
Profile = dict[tuple[str, int], Amounts]
"""The things that a rule moves, and whose, by which amounts; changes by nothing are left out."""


def moved_amounts(pairs: Sequence[Pair]) -> Iterator[Suspect]:
    """For each rule of the change what it moves; for those of the base what they do not move any more, or by other
    amounts, so that it is seen what the statements of a change come to."""
    told = set[str]()
    for pair in pairs:
        counters = AmountCounter(pair.game.program), AmountCounter(pair.base.program)
        if any(counter.size > TOO_MANY for counter in counters):
            continue
        here, there = _played(pair, pair.game), _played(pair, pair.base)
        if here is None or there is None:
            return  # whoever plays the game is told
        new = pair.brought & here.named
        for rule in sorted(here.named):
            if rule in told or here.uses[rule] < ENOUGH:
                continue
            if rule in there.named:
                touched = there.uses[rule] >= ENOUGH and _is_touched(pair, rule, *counters)
                differences = _differences(rule, here, there) if touched else []
                seen = f"{here.uses[rule]} uses, {there.uses[rule]} in the base"
                what = f"since this change, in `{rule}`: {', '.join(differences)} ({seen})"
            else:
                differences = [
                    _said(*key, amounts, key[0] in here.zones) for key, amounts in sorted(here.of(rule).items())
                ]
                what = f"`{rule}`: {', '.join(differences)} ({here.uses[rule]} uses in {here.games} random games)"
                differences = differences if rule in new else []
            if differences:
                told.add(rule)
                yield Suspect("EXM204", rule.partition(".")[0], rule, what, HINT, rule=rule)


HINT = "compare it with what the rules should say"


class _Moves:
    """The moves of some games."""

    def __init__(self, named: frozenset[str], zones: frozenset[str]) -> None:
        self.named, self.zones = named, zones
        """The options, consequences, reactions, and what else has statements that move something."""
        self.uses, self.games = Counter[str](), 0
        self.moved = Counter[tuple[Moved, int]]()

    def of(self, rule: str) -> Profile:
        """The things that a rule has moved, with the amounts."""
        found: Profile = {}
        for (moved, amount), times in self.moved.items():
            if moved.rule == rule and amount:
                found.setdefault((moved.thing, moved.whose), Amounts())[amount] += times
        return found

    def rises_or_falls(self, thing: str, sign: int, rules: frozenset[str]) -> bool:
        """True if one of some rules makes a thing grow, or less."""
        return any(moved.thing == thing and moved.rule in rules and amount * sign > 0 for moved, amount in self.moved)


def _played(pair: Pair, game: Game) -> _Moves | None:
    """The moves in the games of a program; None if its games end in errors."""
    counter = AmountCounter(game.program)
    counting = Game(counter.counting(), game.ruleset, game.backend)
    found = _Moves(counter.rules, counter.zones)
    try:
        for seed in pair.budget.seeds():
            fired = counting.new_fired()
            played = counting.playout(seed, fired=fired, most=MOST)
            found.uses.update(dict(zip(counting.rule_names, fired, strict=True)))
            found.moved += counter.read(played)
            found.games += 1
    except RulesetError:
        return None
    return found


def _is_touched(pair: Pair, rule: str, mine: AmountCounter, theirs: AmountCounter) -> bool:
    """True if the change touches a rule or what it uses: others may move other amounts because games go otherwise."""
    (words, used), others = mine.statements(rule), theirs.statements(rule)
    if (words, used) != others:
        return True
    examined, queries = ExaminedProgram(pair.game.program), {q.name: q for q in pair.base.program.queries}
    below = {name for one in used for name in examined.used_by(one)}
    changed = {name for name in below if name in examined.queries and queries.get(name) != examined.queries[name]}
    return bool(changed | (below & pair.changed_functions))


def _differences(rule: str, here: _Moves, there: _Moves) -> list[str]:
    """The differences of what a rule moves, in words.

    That it does not move something any more is said only if nothing that the base has not does it in its place: the
    statement may stand in an option below this one now.
    """
    mine, theirs, found = here.of(rule), there.of(rule), list[str]()
    elsewhere = (here.named - there.named, there.named - here.named)
    for thing, whose in sorted({*mine, *theirs}):
        now, before = mine.get((thing, whose), Amounts()), theirs.get((thing, whose), Amounts())
        is_zone, owner = thing in here.zones, _owner(thing, whose)
        for sign in (1, -1):
            word = _word(sign, is_zone)
            mine_so, theirs_so = _signed(now, sign), _signed(before, sign)
            if not mine_so and theirs_so.total() >= ENOUGH and not here.rises_or_falls(thing, sign, elsewhere[0]):
                found.append(f"{owner} never {word}{' anything' if is_zone else ''} (base: {_by(theirs_so, is_zone)})")
            elif not theirs_so and mine_so.total() >= ENOUGH and not there.rises_or_falls(thing, sign, elsewhere[1]):
                found.append(f"{owner} {word} {_by(mine_so, is_zone)} (base: never)")
            elif _are_others(mine_so, theirs_so):
                found.append(f"{owner} {word} {_by(mine_so, is_zone)} (base: {_by(theirs_so, is_zone)})")
    return found


def _are_others(mine: Amounts, theirs: Amounts) -> bool:
    """True of amounts that are few on both sides, and none the same."""
    enough = mine.total() >= ENOUGH and theirs.total() >= ENOUGH
    return enough and max(len(mine), len(theirs)) <= FEW and not mine.keys() & theirs.keys()


def _signed(amounts: Mapping[int, int], sign: int) -> Amounts:
    """The amounts of one direction, as sizes."""
    return Amounts({abs(amount): times for amount, times in amounts.items() if amount * sign > 0})


def _said(thing: str, whose: int, amounts: Amounts, is_zone: bool) -> str:
    """A move in words."""
    ways = [(_word(sign, is_zone), found) for sign in (1, -1) if (found := _signed(amounts, sign))]
    told = [f"{word} {_by(found, is_zone)}" for word, found in ways]
    both = " or ".join(told)
    return f"{_owner(thing, whose)} {both.replace('always ', '') if len(told) > 1 else both}"


def _word(sign: int, is_zone: bool) -> str:
    """The word for a change; of a zone only what comes there is counted, and not what leaves."""
    return "gets" if is_zone else "grows" if sign > 0 else "falls"


def _owner(thing: str, whose: int) -> str:
    """A thing with whose it is; players of the rule are those whom it is about."""
    return f"{'own ' if whose == OWN else ''}`{thing}`{' of others' if whose == OTHERS else ''}"


def _by(amounts: Amounts, is_zone: bool) -> str:
    """The amounts in words; the largest may be more."""
    words, by = [f"{one}{' or more' if one == LARGEST else ''}" for one in sorted(amounts)], "" if is_zone else "by "
    if len(words) == 1:
        return f"always {by}{words[0]}"
    return f"{by}{words[0]} to {words[-1]}" if len(words) > FEW else f"{by}{', '.join(words[:-1])} or {words[-1]}"


__all__ = ["moved_amounts"]
