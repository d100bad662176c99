"""What a chain is made of: the unit that flows, stages, and the parameters that they declare."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from pycparser import c_ast

from cseq.base.activity import Phase
from cseq.base.errors import UnsupportedError
from cseq.base.linemap import LineMap, Origin
from cseq.base.verdict import Caution, Level, Outcome
from cseq.c import parse, print_unit
from cseq.c.datamodel import ILP32, LP64, DataModel
from cseq.pipeline.facts import Fact, Facts, Gives, Needs, Uses, declared
from cseq.pipeline.status import Event, PhaseBegan

T = TypeVar("T")
V_co = TypeVar("V_co", covariant=True)


class Unit:
    """A program between two translators: its C text, its line map and, where the stage had one, its tree.

    Make it from a tree, or from a text with its line map; the other form is made when somebody asks.
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
        """The tree; parsed from the text only when the stage before had none."""
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
        """The same program, read back from its text, with the line in that text noted in each origin.

        What a line-map table is made from; parsing again is the price, paid only where a table is wanted.
        """
        origins = [
            (origin or Origin("", 0))._replace(stages=(*(origin.stages if origin else ()), number))
            for number, origin in enumerate(self.linemap, 1)
        ]
        return Unit(text=self.text, linemap=LineMap(origins))


@dataclass(frozen=True, eq=False)
class Parameter(Generic[V_co]):
    """An option of a stage, whose value has the type V_co; the command line is built from these.

    type:    what makes a value of a text, or, of one that may be given several times, each of its values.
    default: the value where none is given.
    options: as on the command line; without any, the parameter can only be set in a chain file or the API.
    minimum: the least value of an integer or a float.
    choices: the values of a string; a function, so that finding them costs nothing until they are shown.
    check: called with a value that is given; ValueError with what is wrong with it.
    family: the family of chains that takes it, where a chain of another family that has the stage does not.
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
        """Its value among *values*, which are by name; the default where there is none."""
        value: V_co = values.get(self.name, self.default)
        return value


BITS = Parameter("bits", int, 64, "the data model: 32 (ILP32) or 64 (LP64)")
"""Of the stage that reads the user's files; all others know the data model from the context."""


@dataclass
class Context:
    """What the stages of one run share.

    values:   the parameters, by name. Stages read them with `Stage.parameter`.
    facts:    what stages leave for later ones. Stages have them as attributes, see `cseq.pipeline.facts`.
    workdir:  folder for intermediate files; exists, and is removed after the run unless it is to be kept.
    progress: called with a phase's name when it begins.
    watcher:  called with each event while the run goes on, for whoever watches. None where nobody does.
    warnings: what the stages had to say of the program so far.
    engine_seconds: the time that engines have taken so far, in all runs of the stages.
    tell:     called with a level that is completed, and whether its property is to be named: for the user, to whom
              that cannot wait for the report.
    """

    values: dict[str, object]
    workdir: Path
    facts: Facts = field(default_factory=Facts)
    progress: Callable[[str], None] = lambda phase: None
    times: dict[str, float] = field(default_factory=dict)
    warnings: list[Caution] = field(default_factory=list)
    engine_seconds: float = 0.0
    tell: Callable[[Level, bool], None] = lambda level, named: None
    watcher: Callable[[Event], None] | None = None

    def report(self, event: Event) -> None:
        """Say what has changed, if anybody watches."""
        if self.watcher is not None:
            self.watcher(event)

    def begin(self, name: str, phase: Phase) -> None:
        """A phase begins. name: the one that `progress` is called with."""
        self.progress(name)
        self.report(PhaseBegan(phase))

    def warn(self, message: str, origin: Origin | None = None) -> None:
        """Tell the user, once, that *message* holds of the program at *origin*; the run goes on."""
        place = None if origin is None else Origin(origin.file, origin.line, origin.column, origin.function)
        caution = Caution(message, place)
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

    What it needs of earlier stages and gives to later ones are its attributes, see `cseq.pipeline.facts`.

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
        """Put into *values* what follows from other parameters, before anything runs.

        given: the names of those that the user set. UsageError for values that do not go together.
        """

    def __init__(self, context: Context) -> None:
        self.context = context

    def parameter(self, parameter: Parameter[T]) -> T:
        """The value of a *parameter* that the stage takes. Raises LookupError for others."""
        if parameter not in self.takes:
            raise LookupError(f"{type(self).__name__} does not take the parameter `{parameter.name}`")
        return parameter.of(self.context.values)

    def run(self, value: Any) -> Any:
        """Do the stage's work on what the stage before it made."""
        raise NotImplementedError

    def unsupported(self, construct: str, node: c_ast.Node | None) -> UnsupportedError:
        """The exception for a construct that this stage refuses; for ``raise``."""
        origin = getattr(node, "coord", None)
        return UnsupportedError(f"{construct} is not supported", origin if isinstance(origin, Origin) else None)


class Wrapper(Stage):
    """A stage that turns anything into anything: runs an engine, reads its answer, replays it."""


class Runner(Protocol):
    """Runs the stages of a chain: what a planner has of `cseq.pipeline.session.Session`."""

    def run(self, values: dict[str, object], folder: Path | None = None, until: str | None = None) -> Any:
        """The output of the last stage that ran with *values*; see `Session.run`."""


class Planner(Stage):
    """Decides which runs of a chain's stages it takes to answer what the user asked, and sums up their outcomes."""

    def plan(self, session: Runner) -> Outcome:
        """Have *session* run the stages with values of the planner's choice. ``context.values`` is what was asked."""
        raise NotImplementedError

    def questions(self) -> dict[str, dict[str, object]]:
        """The properties that are checked, in order: for each the values with which the stages first run.

        A parameter `only` of the planner is the name of the only one that it is to answer; empty for all.
        """
        return {"": self.context.values}

    def first(self) -> dict[str, object]:
        """The values of the one run whose programs the user sees who only wants to look at those."""
        return self.context.values
