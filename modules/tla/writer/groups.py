"""The statements of a program in groups, each with an operator that selects one of them by the program counter."""

from collections.abc import Sequence
from dataclasses import dataclass

from cseq.modules.tla.spec import Specification, Statement
from cseq.modules.tla.writer.names import fresh

_MOST = 24
"""The most statements in a group. TLC tries one after the other, so that groups of many would take time."""


@dataclass(frozen=True)
class Group:
    """Statements of the function *start*, in their order.

    title: the function's name, with the number of the part where it has several. operator: selects a statement.
    labels: the set of the labels. forget: what becomes of a frame. All three are names of definitions.
    """

    start: str
    title: str
    statements: Sequence[Statement]
    operator: str
    labels: str
    forget: str


def grouped(specification: Specification, taken: set[str]) -> list[Group]:
    """The statements of each function, in parts where there are many. taken: names; those of the groups are added."""
    by_start: dict[str, list[Statement]] = {}
    for statement in specification.statements:
        by_start.setdefault(statement.start, []).append(statement)
    return [group for start, found in by_start.items() for group in _parts(start, found, taken)]


def _parts(start: str, statements: Sequence[Statement], taken: set[str]) -> list[Group]:
    count = -(-len(statements) // _MOST)
    size = -(-len(statements) // count)
    groups = []
    for number in range(count):
        suffix, title = (start, start) if count == 1 else (f"{start}_{number + 1}", f"{start}, part {number + 1}")
        names = (fresh(f"{stem}_{suffix}", taken) for stem in ("Statement", "Statements", "Forget"))
        groups.append(Group(start, title, statements[number * size : (number + 1) * size], *names))
    return groups
