"""The line-map table: for each line of the last program, the line of every earlier program that it comes from."""

from collections.abc import Iterator, Sequence

from cseq.model.origin import Origin
from cseq.pipeline.stage import Unit
from cseq.report.words import clean

_NONE = "-"


def render(unit: Unit, stages: Sequence[str]) -> str:
    """The table, with a final newline: one row per line of *unit*, one column per stage, and the place in the source.

    unit:   the output of the last of *stages*.
    stages: the stages that made a program, in order; the outputs of all but the last were stamped (`Unit.stamped`).
    """
    columns = list(reversed(stages))
    widths = [max(len(name), 6) for name in columns]
    header = [f"{name:>{width}}" for name, width in zip(columns, widths, strict=True)]
    rows = ["  ".join([*header, "source"])]
    for numbers, place in _rows(unit, len(stages)):
        cells = [f"{number or _NONE:>{width}}" for number, width in zip(numbers, widths, strict=True)]
        rows.append("  ".join([*cells, place]))
    return "\n".join(rows) + "\n"


def _rows(unit: Unit, stages: int) -> Iterator[tuple[list[int], str]]:
    for number in range(1, len(unit.text.splitlines()) + 1):
        origin = unit.linemap[number]
        # A line that a stage invented is stamped from that stage on, so the missing numbers are at the front.
        earlier = origin.stages[::-1] if origin else ()
        yield [number, *earlier, *[0] * (stages - 1 - len(earlier))], _place(origin)


def _place(origin: Origin | None) -> str:
    return clean(str(origin)) if origin and origin.file else _NONE
