"""Constraints of points: equalities, bounds and disequalities."""

from random import Random

from cseq.modules.deductive.regions import Hull, Region, total


def test_one_point_is_given_by_its_coordinates() -> None:
    hull = Hull()
    assert hull.join((3, -1))
    assert hull.equations() == [(((1, 0),), 3), (((1, 1),), -1)]
    assert not hull.join((3, -1))


def test_the_equations_of_a_line_remain() -> None:
    hull = Hull()
    for x in (0, 1, 5):
        hull.join((x, 2 * x + 1, 7))
    assert [({index: factor for factor, index in terms}, value) for terms, value in hull.equations()] == [
        ({0: -2, 1: 1}, 1),
        ({2: 1}, 7),
    ]
    assert hull.join((5, 12, 7))
    assert hull.equations() == [(((1, 2),), 7)]


def test_equations_hold_of_all_points_and_there_are_enough() -> None:
    random = Random(1)
    for dimension in range(1, 6):
        directions = [[random.randint(-3, 3) for _ in range(5)] for _ in range(dimension)]
        hull, points, grown = Hull(), [], 0
        for _ in range(20):
            factors = [random.randint(-4, 4) for _ in directions]
            point = tuple(sum(f * d[i] for f, d in zip(factors, directions, strict=True)) + i for i in range(5))
            points.append(point)
            grown += hull.join(point)
        assert all(total(terms, point) == value for terms, value in hull.equations() for point in points)
        assert len(hull.equations()) == 5 - (grown - 1)


def test_bounds_are_the_least_thresholds() -> None:
    region = Region([((1, 0),), ((-1, 0),)], [-5, 0, 4, 9], [])
    assert region.is_empty
    assert region.join((3,))
    assert region.bounds() == [(((1, 0),), 4), (((-1, 0),), 0)]
    assert region.join((4,))  # no longer one point
    assert not region.join((0,))
    assert region.join((100,))
    assert region.bounds() == [(((-1, 0),), 0)]


def test_disequalities_end_with_the_first_zero() -> None:
    difference = ((1, 0), (-1, 1))
    region = Region([], [], [difference])
    region.join((1, 2))
    region.join((5, 2))
    region.join((0, 7))
    assert region.nonzero() == [(difference, 0)]
    assert region.join((4, 4))
    assert region.nonzero() == []
