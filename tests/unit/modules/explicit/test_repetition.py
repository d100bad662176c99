"""What an infinite execution repeats is shown once."""

import pytest

from cseq.model.origin import Origin
from cseq.model.trace import Step, Thread
from cseq.modules.explicit.repetition import shortened


def steps(lines: str, begin: int = 1) -> list[Step]:
    """A step at each of the lines, in iterations that are counted."""
    return [
        Step(Thread(0, "main"), Origin("a.c", int(line), "main", iteration=(number,)))
        for number, line in enumerate(lines, begin)
    ]


@pytest.mark.parametrize(
    "before, again, left",
    [
        ("12", "3", ("12", "3", 3)),
        ("12", "3333", ("12", "3", 3)),
        ("1233", "33", ("12", "3", 3)),
        ("3434", "3434", ("", "34", 1)),
        ("434", "3434", ("4", "34", 2)),
        ("12", "34343", ("12", "34343", 3)),  # the first of the next turn is another one
        ("12", "", ("12", "", None)),
    ],
)
def test_the_first_turn_is_shown(before: str, again: str, left: tuple[str, str, int | None]) -> None:
    first, repeated = shortened(steps(before), steps(again, len(before) + 1))
    numbers = [step.origin.iteration[0] for step in repeated]
    lines = ["".join(str(step.origin.line) for step in part) for part in (first, repeated)]
    assert (*lines, numbers[0] if numbers else None) == left
