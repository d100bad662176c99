"""Sets of states by linear constraints: the strongest ones of given forms that hold of some points.

A `Region` is all linear equations that hold of its points (their affine hull: Karr, Acta Informatica 1976), upper
bounds of given sums, and which of given sums are never zero. A sum of variables is a tuple of (coefficient, index).
"""

from bisect import bisect_left
from collections.abc import Sequence
from fractions import Fraction
from math import gcd, lcm

Point = tuple[int, ...]
Sum = tuple[tuple[int, int], ...]
"""Coefficients, and indices of coordinates."""


def total(terms: Sum, point: Point) -> int:
    """The value of a sum."""
    return sum(coefficient * point[index] for coefficient, index in terms)


class Hull:
    """The affine hull of points with integer coordinates."""

    def __init__(self) -> None:
        self._origin: Point = ()
        self._rows: dict[int, list[Fraction]] = {}  # directions in reduced echelon form, by the place of their first 1
        self._equations: list[tuple[Sum, int]] | None = None

    def join(self, point: Point) -> bool:
        """Take in a point; whether it was outside."""
        if not self._origin:
            self._origin = point
            return True
        row = [Fraction(new - old) for new, old in zip(point, self._origin, strict=True)]
        for pivot, other in self._rows.items():
            if row[pivot]:
                factor = row[pivot]
                row = [left - factor * right if right else left for left, right in zip(row, other, strict=True)]
        first = next((index for index, entry in enumerate(row) if entry), None)
        if first is None:
            return False
        row = [entry / row[first] if entry else entry for entry in row]
        for pivot, other in self._rows.items():
            if other[first]:
                factor = other[first]
                self._rows[pivot] = [
                    left - factor * right if right else left for left, right in zip(other, row, strict=True)
                ]
        self._rows[first] = row
        self._equations = None
        return True

    def equations(self) -> list[tuple[Sum, int]]:
        """Sums and the values that they have at all points: a basis of all such equations."""
        if self._equations is None:
            self._equations = [self._equation(index) for index in range(len(self._origin)) if index not in self._rows]
        return self._equations

    def _equation(self, free: int) -> tuple[Sum, int]:
        entries = {free: Fraction(1)} | {pivot: -row[free] for pivot, row in self._rows.items() if row[free]}
        scale = lcm(*(entry.denominator for entry in entries.values()))
        whole = {index: int(entry * scale) for index, entry in entries.items()}
        common = gcd(*whole.values())
        terms = tuple((coefficient // common, index) for index, coefficient in sorted(whole.items()))
        return terms, total(terms, self._origin)


class Region:
    """The strongest constraints that hold of the points that it has taken in.

    bounded: the sums that it has an upper bound of, which is one of *thresholds* (in ascending order), or none.
    unequal: the sums of which it says whether they are never *0*.
    """

    def __init__(self, bounded: Sequence[Sum], thresholds: Sequence[int], unequal: Sequence[Sum]) -> None:
        self._bounded = bounded
        self._thresholds = thresholds
        self._hull = Hull()
        self._highest = [-1] * len(bounded)
        self._unequal = list(unequal)
        self.is_empty = True

    def join(self, point: Point) -> bool:
        """Take in a point; whether it violated a constraint."""
        changed = self._hull.join(point) or self.is_empty
        self.is_empty = False
        for number, terms in enumerate(self._bounded):
            if self._highest[number] < len(self._thresholds):
                needed = bisect_left(self._thresholds, total(terms, point))
                if needed > self._highest[number]:
                    self._highest[number] = needed
                    changed = True
        unequal = [terms for terms in self._unequal if total(terms, point)]
        if len(unequal) < len(self._unequal):
            self._unequal = unequal
            changed = True
        return changed

    def equations(self) -> list[tuple[Sum, int]]:
        """Sums, and what they are equal to."""
        return self._hull.equations()

    def bounds(self) -> list[tuple[Sum, int]]:
        """Sums, and what they are at most."""
        return [
            (terms, self._thresholds[highest])
            for terms, highest in zip(self._bounded, self._highest, strict=True)
            if highest < len(self._thresholds)
        ]

    def nonzero(self) -> list[tuple[Sum, int]]:
        """Sums, and zero, which they never are."""
        return [(terms, 0) for terms in self._unequal]
