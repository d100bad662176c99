"""The parts of a chain: the unit that is passed along, the stages, and the parameters that they declare."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from pycparser import c_ast

from cseq.c import parse, print_unit
from cseq.c.datamodel import ILP32, LP64, DataModel
from cseq.model.activity import Phase
from cseq.model.errors import UnsupportedError
from cseq.model.jobrecords import JobRecord
from cseq.model.origin import LineMap, Origin
from cseq.model.verdict import Caution, Level, Outcome
from cseq.pipeline.facts import Fact, Facts, Gives, Needs, Uses, declared
from cseq.pipeline.jobs import Journal, Pool
from cseq.pipeline.status import Event, PhaseBegan

T = TypeVar("T")
V_co = TypeVar("V_co", covariant=True)


class Unit:
    """A program between two translators: its C text, its line map and, where the stage had one, its tree.

    It is made from a tree, or from a text with its line map; the other form is made on demand.
    """

    def __init__(
        self, tree: c_ast.FileAST | None = None, text: str | None = None, linemap: LineMap | None = None
    ) -> None:
        if tree is None and (text is None or linemap is None):
            raise ValueError("a unit needs a tree, or a text with its line map")
        self._tree = tree
        self._text = text
        self._linemap = linemap

    @property
    def tree(self) -> c_ast.FileAST:
        """The tree; parsed from the text only if the previous stage had none."""
        if self._tree is None:
            self._tree = parse(self.text, linemap=self.linemap)
        return self._tree

    @property
    def text(self) -> str:
        """The C text, one statement per line."""
        if self._text is None:
            self._text, self._linemap = print_unit(self.tree)
        return self._text

    @property
    def linemap(self) -> LineMap:
        """The origin of each line of the text."""
        if self._linemap is None:
            self._text, self._linemap = print_unit(self.tree)
        return self._linemap

    def stamped(self) -> Unit:
        """The same program, parsed again from its text, with the line in that text noted in each origin.

        Line-map tables are made from it. Parsing again costs time, so it is done only for a table.
        """
        origins = [
            (origin or Origin("", 0))._replace(stages=(*(origin.stages if origin else ()), number))
            for number, origin in enumerate(self.linemap, 1)
        ]
        return Unit(text=self.text, linemap=LineMap(origins))


@dataclass(frozen=True, eq=False)
class Parameter(Generic[V_co]):
    """An option of a stage, whose value has the type V_co; the command line is built from these.

    type:    what converts a text to a value, or to each of the values if the option may be given several times.
    default: the value where none is given.
    options: the options on the command line; without any, the parameter can be set only in a chain file or the API.
    minimum: the least value of an integer or a float.
    choices: the values of a string; a function, so that they are looked up only when they are needed.
    check: called with a value that is given; raises ValueError with what is wrong with it.
    family: the only families of chains that take it, although chains of other families have the stage too.
    """

    name: str
    type: type[Any]
    default: V_co
    help: str
    options: tuple[str, ...] = ()
    metavar: str | None = None
    minimum: float | None = None
    choices: Callable[[], list[str]] | None = None
    multiple: bool = False
    check: Callable[[Any], object] | None = None
    family: str = ""

    def of(self, values: Mapping[str, Any]) -> V_co:
        """Its value in *values*, which are by name; the default where there is none."""
        value: V_co = values.get(self.name, self.default)
        return value


BITS = Parameter("bits", int, 64, "the data model: 32 (ILP32) or 64 (LP64)")
"""A parameter of the stage that reads the user's files. Other stages get the data model from the context."""


@dataclass
class Context:
    """The state that the stages of one run share.

    values:   the parameters, by name. Stages read them with `Stage.parameter`.
    facts:    what stages give to later stages. Stages have them as attributes, see `cseq.pipeline.facts`.
    workdir:  folder for intermediate files; exists, and is removed after the run unless it is to be kept.
    progress: called with a phase's name when it begins.
    watcher:  called with each event of the run; None if there is no watcher.
    warnings: what the stages have reported about the program so far.
    end:      when the time for the present question is over, in `time.monotonic` seconds; None for never.
    tell:     called with each completed level, and whether to name its property, to show the level to the user at
             once instead of in the report.
    interim:  called with the answer for a property that holds if nothing is found after a completed level.
    answered: called with the answer for a property when it is known, if others are still looked for.
    pool:     has jobs done at the same time; None where everything is done one after the other.
    jobs:     what has been done so far as jobs. noted: called with each of them when it is over.
    concurrent_runs: how many runs of other programs there are at the same time, with this one; they share the memory.
    journal:  remembers what has been done, for a later run; None if this is not wanted.
    program:  a hash of what the user's files say, once they have been read: the same for the same program on each
             machine. Empty for compiled programs.
    """

    values: dict[str, object]
    workdir: Path
    facts: Facts = field(default_factory=Facts)
    progress: Callable[[str], None] = lambda phase: None
    times: dict[str, float] = field(default_factory=dict)
    warnings: list[Caution] = field(default_factory=list)
    end: float | None = None
    tell: Callable[[Level, bool], None] = lambda level, named: None
    interim: Callable[[Outcome], None] = lambda outcome: None
    watcher: Callable[[Event], None] | None = None
    answered: Callable[[Outcome], None] = lambda outcome: None
    pool: Pool | None = None
    jobs: list[JobRecord] = field(default_factory=list)
    noted: Callable[[JobRecord], None] = lambda record: None
    concurrent_runs: int = 1
    journal: Journal | None = None
    program: str = ""

    def left(self, limit: float | None) -> float | None:
        """The seconds that are left for the present question; None where there is no *limit*, the user's.

        If the time limit has not begun, it begins now.
        """
        if self.end is None and limit is not None:
            self.end = time.monotonic() + limit
        return None if self.end is None else max(self.end - time.monotonic(), 0.0)

    def report(self, event: Event) -> None:
        """Pass *event* to the watcher, if there is one."""
        if self.watcher is not None:
            self.watcher(event)

    def note(self, record: JobRecord) -> None:
        """A job is over."""
        self.jobs.append(record)
        self.noted(record)

    def begin(self, name: str, phase: Phase) -> None:
        """Begin a phase. name: the argument for `progress`."""
        self.progress(name)
        self.report(PhaseBegan(phase))

    def warn(self, message: str, origin: Origin | None = None, *, strengthens: bool = False, of: str = "") -> None:
        """Warn the user, once, of *message* about the program at *origin*; the run goes on.

        strengthens, of: as in `Caution`.
        """
        place = None if origin is None else Origin(origin.file, origin.line, origin.column, origin.function)
        caution = Caution(message, place, strengthens, of)
        if caution not in self.warnings:
            self.warnings.append(caution)

    @property
    def bits(self) -> int:
        """The bits of a pointer."""
        return BITS.of(self.values)

    @property
    def model(self) -> DataModel:
        """The data model that the run assumes."""
        return ILP32 if self.bits == 32 else LP64


class Stage:
    """One step of a chain. Subclasses are Translator, Unparser and Wrapper.

    The facts that it needs from earlier stages and gives to later ones are attributes, see `cseq.pipeline.facts`.

    takes: the parameters that it reads.
    needs, uses, gives: the facts among its attributes.
    """

    takes: ClassVar[tuple[Parameter[object], ...]] = ()
    needs: ClassVar[tuple[Fact[Any], ...]] = ()
    uses: ClassVar[tuple[Fact[Any], ...]] = ()
    gives: ClassVar[tuple[Fact[Any], ...]] = ()

    def __init_subclass__(cls) -> None:
        if named := [name for name in ("needs", "uses", "gives") if name in vars(cls)]:
            raise TypeError(f"`{named[0]}` follows from the attributes of a stage that are facts")
        cls.needs, cls.uses, cls.gives = (declared(cls, kind) for kind in (Needs, Uses, Gives))

    @classmethod
    def settle(cls, values: dict[str, object], given: Collection[str]) -> None:
        """Set in *values* what follows from other parameters, before anything runs.

        given: the names of the parameters that the user set. Raises UsageError for values that cannot be combined.
        """

    def __init__(self, context: Context) -> None:
        self.context = context

    def parameter(self, parameter: Parameter[T]) -> T:
        """The value of a *parameter* that the stage takes. Raises LookupError for others."""
        if parameter not in self.takes:
            raise LookupError(f"{type(self).__name__} does not take the parameter `{parameter.name}`")
        return parameter.of(self.context.values)

    def run(self, value: Any) -> Any:
        """Do the stage's work on *value*, the output of the previous stage."""
        raise NotImplementedError

    def unsupported(self, construct: str, node: c_ast.Node | None) -> UnsupportedError:
        """The exception to raise for a construct that this stage refuses."""
        origin = getattr(node, "coord", None)
        return UnsupportedError(f"{construct} is not supported", origin if isinstance(origin, Origin) else None)


class Wrapper(Stage):
    """A stage whose input and output can be anything: it runs an engine, reads its answer, or replays it."""


class Runner(Protocol):
    """The part of `cseq.pipeline.session.Session` that planners use: it runs the stages of a chain."""

    context: Context

    @property
    def is_ours(self) -> bool:
        """Whether all stages of the chain come with CSeq."""

    @property
    def paths(self) -> list[str]:
        """The user's files."""

    def run(self, values: dict[str, object], folder: Path | None = None, until: str | None = None) -> Any:
        """The output of the last stage that ran with *values*; see `Session.run`."""

    def takes(self, parameter: Parameter[Any], values: dict[str, object]) -> bool:
        """Whether a stage that runs with *values* takes *parameter*."""


class Planner(Stage):
    """Decides which runs of a chain's stages answer the user's question, and sums up their outcomes."""

    def plan(self, session: Runner) -> Outcome:
        """Have *session* run the stages with values that the planner chooses. ``context.values`` are the user's."""
        raise NotImplementedError

    def questions(self) -> dict[str, dict[str, object]]:
        """The properties that are checked, in order, each with the values of the first run of the stages.

        The planner's parameter `only` names the only property to answer; empty for all.
        """
        return {"": self.context.values}

    def vacuous(self, session: Runner) -> dict[str, str]:
        """The properties that nothing in the program can violate, and why, in words; nothing where that is unknown."""
        return {}

    def first(self) -> dict[str, object]:
        """The values of the run whose programs are shown, if the user asks for programs only."""
        return self.context.values
