"""The plot of the simulation as SVG: time to the first bug and efficiency, over the number of workers."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from benchmarks.scale.workers import Expected

WIDTH, HEIGHT = 860, 380
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7")
"""Of Okabe and Ito, which the colour-blind can tell apart."""

_TIMES = {1: "1 s", 60: "1 min", 600: "10 min", 3600: "1 h", 86400: "1 d", 864000: "10 d"}


@dataclass(frozen=True)
class Panel:
    """A part of the plot. left, top, width, height: its place. x, y: logarithmic axes, or not, from least to most."""

    left: float
    x: tuple[float, float]
    y: tuple[float, float]
    logarithmic: bool
    top: float = 40
    width: float = 330
    height: float = 260

    def point(self, x: float, y: float) -> tuple[float, float]:
        """The place of a value."""
        across = _share(x, self.x, True)
        up = _share(y, self.y, self.logarithmic)
        return self.left + across * self.width, self.top + (1 - up) * self.height

    def frame(self, title: str, xs: Iterable[float], ys: Mapping[float, str]) -> list[str]:
        """Its frame, title and axes. xs: the workers. ys: value → its text."""
        bottom, right = self.top + self.height, self.left + self.width
        lines = [
            _text(self.left, self.top - 14, title, "start", "bold"),
            f'<rect x="{self.left}" y="{self.top}" width="{self.width}" height="{self.height}" fill="none" '
            'stroke="#888"/>',
            _text((self.left + right) / 2, bottom + 38, "workers (one core each)"),
        ]
        for x in xs:
            at, _ = self.point(x, self.y[0])
            lines += [
                _line([(at, bottom), (at, bottom + 5)], "#888"),
                _text(at, bottom + 19, f"{x:,}".replace(",", " ")),
            ]
        for y, text in ys.items():
            _, at = self.point(self.x[0], y)
            lines += [
                _line([(self.left, at), (right, at)], "#ddd"),
                _text(self.left - 7, at + 4, text, "end"),
            ]
        return lines

    def curve(self, points: Sequence[tuple[float, float]], colour: str, dashes: str = "") -> list[str]:
        """A line through *points*, which are values, with a dot at each unless it has *dashes*."""
        places = [self.point(x, y) for x, y in points]
        dots = [] if dashes else [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in places]
        return [_line(places, colour, dashes), *dots]


def drawn(found: Mapping[int, Sequence[Expected]]) -> str:
    """The plot. found: number of tiles → what to expect of each number of workers."""
    workers = [each.workers for each in next(iter(found.values()))]
    ends = min(workers), max(workers)
    firsts = [each.first for row in found.values() for each in row]
    times = Panel(70, ends, (min(firsts) / 2, max(firsts) * 2), True)
    shares = Panel(490, ends, (0.0, 1.0), False)
    ticks = {float(y): text for y, text in _TIMES.items() if times.y[0] <= y <= times.y[1]}
    percents = {share / 100: f"{share} %" for share in range(0, 101, 20)}
    parts = [
        *times.frame("Expected time to the only bug", workers, ticks),
        *shares.frame("Efficiency of the complete answer", workers, percents),
    ]
    alone = min(row[0].first for row in found.values())
    parts += times.curve([(each, alone * ends[0] / each) for each in ends], "#888", "5 4")
    choices: tuple[tuple[Panel, Callable[[Expected], float]], ...] = (
        (times, lambda each: each.first),
        (shares, lambda each: each.efficiency),
    )
    for panel, value in choices:
        for row, colour in zip(found.values(), COLOURS, strict=False):
            parts += panel.curve([(each.workers, value(each)) for each in row], colour)
    for number, (count, colour) in enumerate(zip(found, COLOURS, strict=False)):
        at = 70 + 170 * number
        mean = found[count][0].plan.mean
        parts += [_line([(at, 362), (at + 22, 362)], colour), _text(at + 28, 366, _legend(count, mean), "start")]
    parts += [_line([(750, 362), (772, 362)], "#888", "5 4"), _text(778, 366, "ideal", "start")]
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
        'font-family="sans-serif" font-size="12">'
    )
    return "\n".join([head, f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>', *parts, "</svg>"]) + "\n"


def _legend(count: int, mean: float) -> str:
    return f"{count:,} tiles of {mean:.0f} s".replace(",", " ")


def _share(value: float, ends: tuple[float, float], logarithmic: bool) -> float:
    low, high, at = (math.log(each) for each in (*ends, value)) if logarithmic else (*ends, value)
    return (at - low) / (high - low)


def _line(places: Sequence[tuple[float, float]], colour: str, dashes: str = "") -> str:
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    return f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1.5"{dashed}/>'


def _text(x: float, y: float, text: str, anchor: str = "middle", weight: str = "normal") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-weight="{weight}" fill="#222">{text}</text>'
