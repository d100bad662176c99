"""Control flow of a thread: steps of actions, which are merged into the edges of a template later."""

from __future__ import annotations

from dataclasses import dataclass, field

from cseq.model.origin import Origin
from cseq.modules.analysis.dataflow import reachable
from cseq.modules.deductive.encode.algebra import FALSE, TRUE
from cseq.modules.deductive.transitions import Action, Expression


@dataclass(eq=False)
class Statement:
    """A statement of a thread, which other threads do not interrupt.

    mover: whether it commutes with what other threads do meanwhile. waits: whether it may not be executed at all where
    it is reached, so that other threads may see what was done before. touches: whether it accesses what others can
    reach; this is found out later.
    """

    origin: Origin | None = None
    mover: bool = False
    waits: bool = False
    touches: bool = False


@dataclass(eq=False)
class FlowStep:
    """Actions, and where control goes after them: the first of *next* whose condition holds.

    first: whether the statement begins here. section: 1 if an atomic section begins, -1 if it ends, after the actions.
    cut: whether control may come back here.
    """

    statement: Statement
    first: bool = False
    actions: list[Action] = field(default_factory=list)
    next: list[tuple[Expression, FlowStep]] = field(default_factory=list)
    section: int = 0
    cut: bool = False


@dataclass
class Flow:
    """The steps of a thread: a graph whose edges have conditions."""

    entry: FlowStep

    def nodes(self) -> list[FlowStep]:
        """The steps that control may reach."""
        return reachable(lambda step: [after for _, after in self.leaving(step)], [self.entry])

    def leaving(self, step: FlowStep) -> list[tuple[Expression, FlowStep]]:
        """The conditions under which control goes from *step* to others, and these; without those that never hold."""
        return [(condition, after) for condition, after in step.next if condition != FALSE]


class Writer:
    """Writes steps one after the other."""

    def __init__(self) -> None:
        self.statement = Statement()
        self.entry = self.at = FlowStep(self.statement)

    def begin(self, statement: Statement) -> None:
        """Begin a statement."""
        self.statement = statement
        self.go_to(FlowStep(statement, first=True))

    def go_to(self, step: FlowStep, condition: Expression = TRUE) -> None:
        """Control goes from here to *step*, whose writing begins."""
        self.at.next.append((condition, step))
        self.at = step

    def new(self) -> FlowStep:
        """A step of the same statement, to which control goes later."""
        return FlowStep(self.statement)

    def dead(self) -> None:
        """Control does not get here."""
        self.at = FlowStep(self.statement)
