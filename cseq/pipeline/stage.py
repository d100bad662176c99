"""What a chain is made of: the unit that flows, stages, and the parameters that they declare."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from pycparser import c_ast

from cseq.base.errors import UnsupportedError
from cseq.base.linemap import LineMap, Origin
from cseq.base.verdict import Caution, Outcome
from cseq.c import parse, print_unit
from cseq.c.datamodel import ILP32, LP64, DataModel

if TYPE_CHECKING:
    from cseq.pipeline.session import Session


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


@dataclass(frozen=True)
class Parameter:
    """An option of a stage; the command line is built from these.

    options: as on the command line; without any, the parameter can only be set in a chain file or the API.
    minimum: the least value of an integer or a float.
    choices: the values of a string; a function, so that finding them costs nothing until they are shown.
    check: called with a value that is given; ValueError with what is wrong with it.
    family: the family of chains that takes it, where a chain of another family that has the stage does not.
    """

    name: str
    type: type
    default: Any
    help: str
    options: tuple[str, ...] = ()
    metavar: str | None = None
    minimum: float | None = None
    choices: Callable[[], list[str]] | None = None
    multiple: bool = False
    check: Callable[[Any], object] | None = None
    family: str = ""


@dataclass
class Context:
    """What the stages of one run share.

    values:   the parameters, by name.
    facts:    what stages give to later ones, by the names in their ``gives``.
    workdir:  folder for intermediate files; exists, and is removed after the run unless it is to be kept.
    progress: called with a phase's name when it begins.
    watcher:  called with what changes while the run goes on, for whoever watches: a word and a value, those of
        `cseq.pipeline.status.Status.report`. None where nobody does.
    warnings: what the stages had to say of the program so far.
    engine_seconds: the time that engines have taken so far, in all runs of the stages.
    tell:     called with a line for the user that cannot wait for the report.
    """

    values: dict[str, Any]
    workdir: Path
    facts: dict[str, Any] = field(default_factory=dict)
    progress: Callable[[str], None] = lambda phase: None
    times: dict[str, float] = field(default_factory=dict)
    warnings: list[Caution] = field(default_factory=list)
    engine_seconds: float = 0.0
    tell: Callable[[str], None] = lambda line: None
    watcher: Callable[[str, Any], None] | None = None

    def report(self, what: str, value: Any) -> None:
        """Say what has changed, if anybody watches."""
        if self.watcher is not None:
            self.watcher(what, value)

    def begin(self, phase: str, words: str) -> None:
        """A phase begins. words: what is done in it."""
        self.progress(phase)
        self.report("phase", words)

    def warn(self, message: str, origin: Origin | None = None) -> None:
        """Tell the user, once, that *message* holds of the program at *origin*; the run goes on."""
        place = None if origin is None else Origin(origin.file, origin.line, origin.column, origin.function)
        caution = Caution(message, place)
        if caution not in self.warnings:
            self.warnings.append(caution)

    @property
    def model(self) -> DataModel:
        """The data model that the run assumes."""
        return ILP32 if self.values.get("bits") == 32 else LP64


class Stage:
    """One step of a chain. Subclasses are Translator, Unparser and Wrapper.

    takes: the parameters it reads from ``context.values``.
    needs: the facts it reads from ``context.facts``.
    gives: the facts it leaves there.
    """

    takes: ClassVar[tuple[Parameter, ...]] = ()
    needs: ClassVar[tuple[str, ...]] = ()
    gives: ClassVar[tuple[str, ...]] = ()

    @classmethod
    def settle(cls, values: dict[str, Any], given: Collection[str]) -> None:
        """Put into *values* what follows from other parameters, before anything runs.

        given: the names of those that the user set. UsageError for values that do not go together.
        """

    def __init__(self, context: Context) -> None:
        self.context = context

    def parameter(self, name: str) -> Any:
        """The value of a declared parameter."""
        return self.context.values[name]

    def run(self, value: Any) -> Any:
        """Do the stage's work on what the stage before it made."""
        raise NotImplementedError

    def unsupported(self, construct: str, node: c_ast.Node | None) -> UnsupportedError:
        """The exception for a construct that this stage refuses; for ``raise``."""
        origin = getattr(node, "coord", None)
        return UnsupportedError(f"{construct} is not supported", origin if isinstance(origin, Origin) else None)


class Wrapper(Stage):
    """A stage that turns anything into anything: runs an engine, reads its answer, replays it."""


class Planner(Stage):
    """Decides which runs of a chain's stages it takes to answer what the user asked, and sums up their outcomes."""

    def plan(self, session: Session) -> Outcome:
        """Have *session* run the stages with values of the planner's choice. ``context.values`` is what was asked."""
        raise NotImplementedError

    def questions(self) -> dict[str, dict[str, Any]]:
        """The properties that are checked, in order: for each the values with which the stages first run.

        A parameter `only` of the planner is the name of the only one that it is to answer; empty for all.
        """
        return {"": self.context.values}

    def first(self) -> dict[str, Any]:
        """The values of the one run whose programs the user sees who only wants to look at those."""
        return self.context.values
