"""Tiles: each sequence of places is in exactly one, and the names of tiles say whether they cover everything."""

from collections.abc import Iterator, Sequence
from itertools import pairwise, product

import pytest

from cseq.modules.symbolic.encode.sequentializer.tiles import Context, Range, Tile, missing, ranges

PLANS = [
    [(0, 2)],
    [(0, 0), (0, 0)],
    [(0, 2), (1, 2), (0, 2), (1, 2), (0, 2)],
    [(0, 3), (1, 1), (2, 2), (0, 3)],
    [(0, 1), (1, 3), (1, 3), (1, 3), (0, 1)],
]


def contexts(plan: Sequence[tuple[int, int]]) -> list[Context]:
    return [Context(*each) for each in plan]


def sequences(plan: Sequence[Context]) -> Iterator[tuple[int, ...]]:
    """All places at which the contexts may be switched out."""
    for places in product(*(range(context.labels + 1) for context in plan)):
        threads = {context.thread for context in plan}
        of_each = ([p for p, context in zip(places, plan, strict=True) if context.thread == t] for t in threads)
        if all(before <= after for own in of_each for before, after in pairwise(own)):
            yield places


def has(found: list[Range] | None, places: tuple[int, ...]) -> bool:
    return found is not None and all(
        within.least <= place <= within.most for within, place in zip(found, places, strict=True)
    )


@pytest.mark.parametrize("parts", [1, 2, 4, 8, 32])
@pytest.mark.parametrize("plan", PLANS)
def test_each_sequence_of_places_is_in_exactly_one_tile(plan: list[tuple[int, int]], parts: int) -> None:
    made = contexts(plan)
    found = [ranges(Tile(number, parts), made) for number in range(parts)]
    for places in sequences(made):
        assert sum(has(each, places) for each in found) == 1


@pytest.mark.parametrize("plan", PLANS)
def test_no_tile_is_empty_while_another_can_be_cut(plan: list[tuple[int, int]]) -> None:
    made = contexts(plan)
    for parts in (2, 4, 8, 32):
        for tile in (Tile(number, parts) for number in range(parts)):
            whole, (low, high) = ranges(tile, made), (ranges(half, made) for half in tile.halves())
            if whole is not None and any(within.least < within.most for within in whole):
                assert any(has(low, places) for places in sequences(made))
                assert any(has(high, places) for places in sequences(made))
            else:
                assert (low, high) == (whole, None)


@pytest.mark.parametrize("plan", PLANS)
def test_the_places_of_a_thread_never_decrease(plan: list[tuple[int, int]]) -> None:
    made = contexts(plan)
    for found in filter(None, (ranges(Tile(number, 16), made) for number in range(16))):
        for thread in {context.thread for context in made}:
            own = [within for context, within in zip(made, found, strict=True) if context.thread == thread]
            assert all(one.least <= two.least and one.most <= two.most for one, two in pairwise(own))


def test_a_range_has_as_many_bits_as_its_places_differ_in() -> None:
    assert [Range(4, 7).bits, Range(4, 4).bits, Range(3, 4).bits, Range(0, 5).bits] == [2, 0, 3, 3]


@pytest.mark.parametrize(
    "text, wrong",
    [
        ("3", "K/N is expected"),
        ("a/4", "K/N is expected"),
        ("-1/4", "K/N is expected"),
        ("1/3", "3 is not a power of two"),
        ("0/0", "0 is not a power of two"),
        ("4/4", "the parts are numbered from 0 to 3"),
    ],
)
def test_what_is_no_tile(text: str, wrong: str) -> None:
    with pytest.raises(ValueError, match=wrong):
        Tile.read(text)


def test_a_tile_is_named_as_it_is_read() -> None:
    assert str(Tile.read("5/16")) == "5/16"
    assert Tile.read("5/16").path == [0, 1, 0, 1]
    assert Tile.read("0/1").is_whole


def test_the_halves_of_a_tile() -> None:
    assert Tile(1, 4).halves() == (Tile(2, 8), Tile(3, 8))


def tiles(*names: str) -> list[Tile]:
    return [Tile.read(name) for name in names]


@pytest.mark.parametrize(
    "have, lack",
    [
        ([], ["0/1"]),
        (["0/1"], []),
        (["0/2", "2/4", "6/8", "7/8"], []),
        (["1/2", "0/4", "1/4", "0/8"], []),
        (["0/2", "5/8"], ["4/8", "3/4"]),
        (["1/4", "1/2"], ["0/4"]),
        (["1/16"], ["0/16", "1/8", "1/4", "1/2"]),
    ],
)
def test_what_is_missing_for_a_cover(have: list[str], lack: list[str]) -> None:
    assert missing(tiles(*have)) == tiles(*lack)


def test_many_small_tiles_are_a_cover() -> None:
    assert not missing(Tile(number, 4096) for number in range(4096))
    assert missing(Tile(number, 4096) for number in range(4096) if number != 7) == [Tile(7, 4096)]
