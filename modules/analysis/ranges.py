"""Ranges of numbers: the values of inputs."""

from dataclasses import dataclass

MOST = 256
"""An input with more values than this is not branched over."""

Range = tuple[int, int]
"""The first and the last of consecutive numbers."""


@dataclass(frozen=True)
class Values:
    """The values to try: *ranges*, each with *step* between its numbers; or all subsets of the bits of a *mask*.

    is_cut: whether values that matter are left out because the user says so. is_sampled: whether others are left out.
    """

    ranges: tuple[Range, ...] = ()
    step: int = 1
    mask: int = 0
    is_cut: bool = False
    is_sampled: bool = False

    @property
    def count(self) -> int:
        """How many values there are."""
        if self.mask:
            return 1 << self.mask.bit_count()
        return sum((last - first) // self.step + 1 for first, last in self.ranges)


def joined(ranges: list[Range]) -> list[Range]:
    """*ranges*, which are in order, with adjacent ones merged."""
    found: list[Range] = []
    for range_ in ranges:
        follows = bool(found) and found[-1][1] + 1 == range_[0]
        found.append((found.pop()[0], range_[1]) if follows else range_)
    return found


def given_part(ranges: list[Range], given: Range | None) -> Values | None:
    """The part of *ranges* that lies in the range *given* by the user; None if the user gives none."""
    if given is None:
        return None
    left = [(max(a, given[0]), min(b, given[1])) for a, b in ranges if a <= given[1] and given[0] <= b]
    return Values(tuple(left), is_cut=left != ranges)


def small(values: Values) -> Values | None:
    """*values* if there are few enough to try each; else None."""
    return values if values.count <= MOST else None


def contains(outer: Range, inner: Range) -> bool:
    """Whether all numbers of the range *inner* are in *outer*."""
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def nearest(first: int, last: int) -> int:
    """The number of a range that is closest to 0."""
    return first if first > 0 else min(last, 0)
