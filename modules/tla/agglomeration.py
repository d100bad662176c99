"""Which statements of a specification end a step: what others can notice, less what the user wants in one step.

*Safe* agglomeration makes one step of statements that no other thread can notice, and of those that Lipton's argument
allows (`cseq/modules/analysis/movers.py`). *Semantic* agglomeration does so for objects that one thread at a time
reaches. Both are the stepper's: it has a place before each statement where others may run. The *unsafe* one is the
user's: the statements on some lines become one step. What others would do in between is lost, so that the specification
is an abstraction, and no verdict about it is TRUE.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from pycparser import c_ast

from cseq.model.claims import Cut, Limit
from cseq.model.errors import UnsupportedError, UsageError
from cseq.model.origin import Origin
from cseq.modules.explicit.encode.step_program import Steps
from cseq.modules.tla.pragmas import regions
from cseq.modules.tla.spec import Question, Specification, Statement
from cseq.pipeline.stage import Parameter


class Lines(NamedTuple):
    """Lines of a file, both ends included. The file may be named without its folders."""

    file: str
    first: int
    last: int

    def __str__(self) -> str:
        return f"{self.file}:{self.first}-{self.last}"

    def has(self, file: str, line: int) -> bool:
        """Whether they include this *line* of this *file*."""
        return self.first <= line <= self.last and (file == self.file or file.endswith(f"/{self.file}"))

    def calls(self, origin: Origin | None) -> int | None:
        """How many calls deep a statement with this *origin* is when it comes to these lines; None if it does not."""
        if origin is None:
            return None
        deep = next((number for number, call in enumerate(origin.path) if self.has(call.file, call.line)), None)
        return len(origin.path) if deep is None and self.has(origin.file, origin.line) else deep


def read(text: str) -> Lines:
    """The lines in *text*, which is of the form ``x.c:10-20``. ValueError, with the reason, if it is not."""
    file, _, numbers = text.strip().rpartition(":")
    first, dash, last = numbers.partition("-")
    if not file or not dash or not first.isdecimal() or not last.isdecimal():
        raise ValueError(f"`{text}` is not of the form FILE:LINE-LINE")
    if not 0 < int(first) <= int(last):
        raise ValueError(f"`{text}` has no lines: the first has to be at least 1, and the last not before it")
    return Lines(file, int(first), int(last))


AGGLOMERATE: Parameter[Sequence[str]] = Parameter(
    "agglomerate", str, (),
    "make one step of the statements on these lines, even if others could notice: an abstraction",
    ("--agglomerate",), "FILE:LINE-LINE", multiple=True, check=read,
)  # fmt: skip


@dataclass(frozen=True)
class Agglomeration:
    """What ends a step. visible, loops, merged, cuts: as in `cseq.modules.tla.spec.Question`."""

    visible: frozenset[str]
    loops: frozenset[str] = frozenset()
    merged: frozenset[str] = frozenset()
    cuts: tuple[str, ...] = ()

    def of(self, question: Question) -> Question:
        """The same *question*, with what ends a step; a label that it wants to be visible is not merged."""
        merged = self.merged - question.visible
        return replace(question, loops=self.loops - question.visible, merged=merged, cuts=self.cuts)


def agglomeration(
    specification: Specification, steps: Steps, reduced: bool = True, wanted: Iterable[str] = ()
) -> Agglomeration:
    """What ends a step of *specification*.

    steps: of the step program of the same program. reduced: whether statements that no thread notices are one step with
    what comes before them. wanted: texts of lines, for `read`; those with a pragma are added.
    Raises UsageError for lines without a statement, and UnsupportedError for those of an atomic section.
    """
    visible, loops = _of_places(specification, steps) if reduced else (_labels(specification.statements), frozenset())
    merged: set[str] = set()
    cuts: list[str] = []
    for lines, must in [
        *((read(text), True) for text in wanted),
        *((lines, False) for lines in _pragmas(specification)),
    ]:
        found = _on(specification.statements, lines)
        if not found:
            if must:
                raise UsageError(f"--agglomerate: no thread executes a statement at {lines}")
            continue
        merged |= _inner(found, lines)
        visible |= _labels(statement for statement in found if statement.label not in merged)
        cuts.append(Cut(Limit.MERGED, subject=str(lines)).key)
    return Agglomeration(visible - merged, loops - merged, frozenset(merged), tuple(cuts))


def _labels(statements: Iterable[Statement]) -> frozenset[str]:
    return frozenset(statement.label for statement in statements)


def _of_places(specification: Specification, steps: Steps) -> tuple[frozenset[str], frozenset[str]]:
    """The labels before which there are places, and those of loops at which threads seldom stop.

    A place that is before none of the statements could be anywhere: then others may run before every statement.
    """
    places = [place for place in steps.places if place is not None and place.node is not None]
    often = {id(place.node) for place in places if not place.seldom}
    if not often <= {id(each.node) for each in specification.statements}:
        return _labels(specification.statements), frozenset()
    seldom = {id(place.node) for place in places if place.seldom and isinstance(place.node, c_ast.While)}
    visible = _labels(each for each in specification.statements if id(each.node) in often)
    return visible, _labels(each for each in specification.statements if id(each.node) in seldom) - visible


def _pragmas(specification: Specification) -> list[Lines]:
    return [
        Lines(file, first, last)
        for file, lines in specification.sources.items()
        for first, last in regions(lines, file)
    ]


def _on(statements: Sequence[Statement], lines: Lines) -> list[Statement]:
    """The statements on *lines*, with those of the functions that are called there."""
    found = [statement for statement in statements if lines.calls(statement.origin) is not None]
    inside = next((statement for statement in found if statement.in_section), None)
    if inside is not None:
        raise UnsupportedError("agglomeration of an atomic section, which is one step already,", inside.origin)
    return found


def _inner(found: Collection[Statement], lines: Lines) -> set[str]:
    """The labels of the statements that do not come first on *lines*, each time that control comes there."""
    firsts: dict[object, str] = {}
    for statement in found:
        assert statement.origin is not None
        way = (statement.start, statement.origin.path[: lines.calls(statement.origin)])
        firsts.setdefault(way, statement.label)
    return {statement.label for statement in found} - set(firsts.values())
