"""The streams of chance: fixed forever, fair, and independent of each other."""

from __future__ import annotations

from collections import Counter

from rulewright.engine.random_numbers import GAMMA, Dice, draw, hash64, mix, stream_key


def test_the_generator_is_splitmix64() -> None:
    """The first numbers of SplitMix64 seeded with 0, as its authors publish them."""
    assert [mix(GAMMA * n) for n in (1, 2, 3)] == [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]
    assert hash64("") == 0xCBF29CE484222325
    assert hash64("a") == 0xAF63DC4C8601EC8C


def test_numbers_are_even_and_in_range() -> None:
    key, counter, seen = stream_key(7, hash64("die")), 0, Counter[int]()
    for _ in range(6000):
        number, counter = draw(key, counter, 6)
        seen[number] += 1
    assert sorted(seen) == list(range(6))
    assert all(880 < n < 1120 for n in seen.values())
    assert draw(key, 0, 1) == (0, 1)


def test_what_is_left_over_is_thrown_away() -> None:
    below = (1 << 63) + 1
    key = stream_key(1, hash64("wide"))
    counters = [draw(key, start, below)[1] - start for start in range(0, 400, 20)]
    assert max(counters) > 1
    assert all(draw(key, start, below)[0] < below for start in range(50))


def test_streams_differ() -> None:
    keys = {stream_key(seed, hash64(name)) for seed in range(20) for name in ("a", "b", "turn.roll")}
    assert len(keys) == 60


def test_pairs_are_numbers_one_after_the_other() -> None:
    for size in (1, 2, 6, 1 << 16, (1 << 31) + 1):
        one, pairs = Dice(5, "dice"), Dice(5, "dice")
        for _ in range(2):
            assert [a * size + b for a, b in pairs.pairs(size, 40)] == [one.below(size * size) for _ in range(40)]
            assert pairs.below(6) == one.below(6)


def test_numbers_in_random_order_are_the_same_each_time() -> None:
    for size in (0, 1, 2, 40, 600):
        found = [(tuple(dice.some(size, 30)), dice.below(1 << 40)) for dice in (Dice(5, "dice"), Dice(5, "dice"))]
        assert found[0] == found[1]
        assert sorted(set(found[0][0])) == sorted(found[0][0])
