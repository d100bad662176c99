"""Steps merged into edges: what no other thread can notice, or what commutes, is one step (Lipton, CACM 1975)."""

from collections import Counter
from dataclasses import dataclass

from cseq.model.origin import Origin
from cseq.modules.analysis.dataflow import reachable
from cseq.modules.deductive import transitions as ts
from cseq.modules.deductive.encode.algebra import FALSE, TRUE
from cseq.modules.deductive.encode.flow import Flow, FlowStep

_MOST_PATHS = 16
"""The maximum number of edges that leave a location."""
_MOST_STEPS = 4000
"""The maximum length of all paths from a location together."""


@dataclass(frozen=True)
class _Path:
    """A way from a location: what is done on it, where it leads, and how deep in atomic sections that is.

    origin: of the first statement that does something.
    """

    actions: tuple[ts.Action, ...]
    end: FlowStep | None
    depth: int
    origin: Origin | None


class _TooManyError(Exception):
    """Too many paths leave a location. The argument is a step where many of them meet."""


class Merger:
    """Merges the steps of one thread. sections: the locations inside of atomic sections."""

    def __init__(self, template: ts.Template, flow: Flow) -> None:
        self.template = template
        self._flow = flow
        self._cut: set[int] = set()
        self._alone = _alone(flow) if template.number == 0 else set()
        self._meets = Counter(id(after) for step in flow.nodes() for _, after in step.next)
        self.sections: set[int] = set()

    def merge(self) -> None:
        """Make the template's locations and edges."""
        while True:
            try:
                self._all()
                return
            except _TooManyError as error:
                self._cut.add(id(error.args[0]))

    def _all(self) -> None:
        template = self.template
        template.locations.clear()
        template.edges.clear()
        self.sections.clear()
        self._numbers: dict[tuple[int, int], int] = {}
        self._pending: list[tuple[FlowStep, int]] = []
        template.start = self._location(self._flow.entry, 0)
        while self._pending:
            step, depth = self._pending.pop()
            source = self._numbers[id(step), depth]
            for path in self._paths(step, depth):
                target = self._location(path.end, path.depth)
                if path.actions or target != source:
                    template.edges.append(ts.Edge(source, target, path.actions, path.origin))

    def _location(self, step: FlowStep | None, depth: int) -> int:
        key = (id(step) if step is not None else 0, depth if step is not None else 0)
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self._numbers)
            self.template.locations[number] = ts.Location(number, step.statement.origin if step is not None else None)
            if step is not None:
                self._pending.append((step, depth))
                if depth:
                    self.sections.add(number)
        return number

    def _paths(self, start: FlowStep, depth: int) -> list[_Path]:
        found: list[_Path] = []
        arrivals: Counter[int] = Counter()
        steps: dict[int, FlowStep] = {}
        length = 0
        pending: list[tuple[FlowStep, int, bool, tuple[ts.Action, ...] | None, Origin | None]] = [
            (start, depth, False, None, None)
        ]
        while pending:
            step, depth, touched, done, origin = pending.pop()
            actions = done or ()
            if done is not None:
                if step.cut or id(step) in self._cut or (depth == 0 and touched and _stops(step)):
                    found.append(_Path(actions, step, depth, origin))
                    continue
                if self._meets[id(step)] > 1:
                    arrivals[id(step)] += 1
                    steps[id(step)] = step
            length += 1
            if origin is None and (step.actions or len(step.next) > 1):
                origin = step.statement.origin
            actions = (*actions, *step.actions)
            creates = any(isinstance(action, ts.Create) for action in step.actions)
            # Where a section ends, others run again, and may notice what was done before the path began inside of it.
            ends = depth == 1 and step.section < 0
            touched = touched or creates or ends or (step not in self._alone and _touches(step))
            depth = max(depth + step.section, 0)
            if any(action == ts.Assume(FALSE) for action in step.actions):
                continue
            if not step.next:
                found.append(_Path(actions, None, depth, origin))
            for condition, after in step.next:
                more = () if condition == TRUE else (ts.Assume(condition),)
                pending.append((after, depth, touched, (*actions, *more), origin))
            if len(found) + len(pending) > _MOST_PATHS or length > _MOST_STEPS:
                many = [one for one in arrivals if arrivals[one] > 1]
                if many:
                    raise _TooManyError(steps[max(many, key=lambda one: arrivals[one])])
        return found


def _alone(flow: Flow) -> set[FlowStep]:
    """The steps of main that are executed before there is another thread."""
    steps = flow.nodes()
    creating = [step for step in steps if any(isinstance(action, ts.Create) for action in step.actions)]
    created = [after for step in creating for _, after in flow.leaving(step)]
    together = reachable(lambda step: [after for _, after in flow.leaving(step)], created)
    return set(steps).difference(together)


def _stops(step: FlowStep) -> bool:
    """Whether others may run before *step*, if they may notice what was done before."""
    statement = step.statement
    return step.first and (statement.waits or (statement.touches and not statement.mover))


def _touches(step: FlowStep) -> bool:
    if step.statement.touches and not step.statement.mover:
        return True
    return any(map(_writes_shared, step.actions))


def _writes_shared(action: ts.Action) -> bool:
    variable: ts.Variable | None = ts.written(action)
    return variable is not None and variable.is_shared
