"""The stepper's description of a step program."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import IntEnum
from typing import Any

from pycparser import c_ast

from cseq.c import build
from cseq.model.claims import Cut
from cseq.model.coverage import Point
from cseq.model.origin import Origin
from cseq.model.verdict import Bound
from cseq.modules.library import lexicon
from cseq.pipeline.facts import Fact
from cseq.pipeline.translator import user_name

AT = "__cs_at"
"""The place where each thread goes on; 0 if it does not exist, or has ended."""

SET = "__CSEQ_set"
"""The type of a set of threads (`backends/explorer/interface.h`)."""

RUN = "__cs_run_"
"""The prefix of the names of the functions that make transitions."""

REACHES = "__CSEQ_reaches"
"""The call by which a program notes that an execution has reached a point of it."""

REPORTING = ("__CSEQ_at", lexicon.SHOW)
"""The calls by which a traced program reports what it does."""


class Label(IntEnum):
    """The meanings of a program's labels, by how their names begin; the numbers are those of the step program."""

    END = 1
    PROGRESS = 2
    ACCEPT = 4


@dataclass(frozen=True)
class ControlPlace:
    """A place where a thread can stand: before the statement at origin. start: the start function.

    entry: whether it is the beginning of the start function. labels: the user's labels before the statement. node: the
    statement in the tree that the stepper takes, the very object; the loop, for the place at the end of its body; the
    function, where a thread ends without a statement; None for an entry. seldom: whether threads mostly go on past it,
    and stop only where an assumption does not hold or a loop takes long.
    """

    start: str
    origin: Origin | None = None
    entry: bool = False
    labels: tuple[str, ...] = ()
    node: Any = field(default=None, compare=False, repr=False)
    seldom: bool = False


@dataclass(frozen=True)
class PlaceFrame:
    """The frame of a thread that stands at one of the places *first* to *last*. type: the tag of its struct.

    locals: its members that pointers can lead to, each with the one that says whether its life has ended, or "".
    """

    type: str
    first: int
    last: int
    is_main: bool
    locals: dict[str, str]


@dataclass
class Steps:
    """A step program.

    most_threads: including main. starts: the start functions, main first. places: by number; 0 is none.
    bounds: what the program cuts off, if an execution gets there. keys: the maximum number of keys of thread-specific
    data that it creates, according to its text. reads_results: whether it reads the return values of threads.
    frames: those that have members. creates_for_ever: whether it creates threads in a loop that nothing leaves.
    makes_numbers: whether it makes numbers of addresses. compares_addresses: whether it may compare those of
    different objects. guesses_addresses: whether it compares pointers, some of which are made of constants.
    compares_literals: the files and lines where it compares pointers to literals that may overlap.
    computes_identifiers: the files and lines where it computes with identifiers of threads. reads_pointers: where it
    reads bytes of pointers as numbers. renews_locals: whether main may take the addresses of a local in several lives
    of it. has_layout: whether it depends on where objects lie in memory. wide: whether sets of threads are wide
    (`cseq.modules.explicit.encode.thread_sets`). points: those of which it notes that an
    execution reaches them, as far as they are still there. marks: what it notes that an execution has reached, with its
    number; for an assumption, whether it has got past it.
    """

    most_threads: int
    starts: list[str]
    places: list[ControlPlace | None] = field(default_factory=lambda: [None])
    bounds: dict[Cut, Bound] = field(default_factory=dict)
    keys: int = 0
    reads_results: bool = False
    frames: list[PlaceFrame] = field(default_factory=list)
    creates_for_ever: bool = False
    makes_numbers: bool = False
    points: Iterable[Point] = ()
    marks: dict[tuple[Point, bool], int] = field(default_factory=dict)
    compares_addresses: bool = False
    guesses_addresses: bool = False
    compares_literals: set[tuple[str, int]] = field(default_factory=set)
    computes_identifiers: set[tuple[str, int]] = field(default_factory=set)
    reads_pointers: set[Origin] = field(default_factory=set)
    renews_locals: bool = False
    has_layout: bool = False
    wide: bool = False

    @property
    def uses_addresses(self) -> bool:
        """Whether its behaviour may depend on where objects lie in memory, or on thread identifiers."""
        return (
            self.makes_numbers
            or self.compares_addresses
            or self.guesses_addresses
            or bool(self.computes_identifiers)
            or bool(self.compares_literals)
        )

    def place(self, place: ControlPlace) -> int:
        """Add *place* and return its number."""
        self.places.append(place)
        return len(self.places) - 1

    def mark(self, point: Point, passed: bool = False) -> c_ast.FuncCall:
        """The statement that notes that an execution has reached *point*, or got past it."""
        return build.call(REACHES, build.number(self.marks.setdefault((point, passed), len(self.marks))))

    def comes_to(self, node: c_ast.Node) -> None:
        """The statement *node* is next: it is that of places that were added at the labels before it."""
        if isinstance(node, c_ast.Label | c_ast.EmptyStatement | c_ast.Decl | c_ast.Compound):
            return
        for number in range(len(self.places) - 1, 0, -1):
            place = self.places[number]
            if place is None or not isinstance(place.node, c_ast.Label):
                break
            self.places[number] = replace(place, node=node)


STEPS = Fact[Steps]("steps")


def labels_hook(steps: Steps) -> str:
    """C text to append to the step program: the function that returns the labels at which a thread stands, see `Label`.

    A label applies to all places of the statement after it: a wait has several.
    """
    named: dict[tuple[str, Origin], int] = {}
    for place in steps.places:
        if place is not None and place.labels and place.origin is not None:
            kinds = {kind for kind in Label for label in place.labels if is_label(label, kind)}
            key = (place.start, place.origin.plain())
            named[key] = named.get(key, 0) | sum(kinds)
    sets = [
        named.get((place.start, place.origin.plain()), 0) if place and place.origin else 0 for place in steps.places
    ]
    return (
        f"static const unsigned char __cs_labels[] = {{ {', '.join(map(str, sets))} }};\n"
        "unsigned int __CSEQ_labels(unsigned int thread) { return __cs_labels[__CSEQ_place(thread)]; }\n"
    )


def is_label(name: str, kind: Label) -> bool:
    """Whether the label *name* is of the given kind."""
    return (user_name(name) or "").startswith(kind.name.lower())


def entry_name(start: str) -> str:
    """The name of the constant for the place where the start function *start* begins."""
    return f"__cs_entry_of_{start}"
