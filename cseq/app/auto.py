"""Have two families of engines look for the answer at the same time, and take the first that is sound.

The policy: the stages that both families have in common run once. If the explicit family then refuses the program or
the property, the symbolic one answers alone; if the symbolic engine is not installed, the explicit one does. Otherwise
both go on, each in its own processes: the explicit search, and the symbolic search with growing bounds
(`modules/runs/deepening.py`). A program without inputs is likely to be small, so the explicit search runs alone for a
moment. The first proof or replayed violation is the answer, and the other family is stopped. If neither has one, the
answer has the bounds of the symbolic family, and reports what the other one explored.

The time limit applies to everything together. The memory is divided; without a limit, the explicit search gets half of
the available memory. Several properties are answered one after the other.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import takewhile
from pathlib import Path
from typing import Any, TypeAlias

from cseq.app.families import Way
from cseq.backends.registry import backend
from cseq.base.errors import BackendError, CSeqError, UsageError
from cseq.base.verdict import Attempt, Caution, Level, Outcome, Reason, Verdict, summed
from cseq.modules.analysis.properties import MEMLIMIT, TIMEOUT
from cseq.modules.runs.planner import ONLY
from cseq.pipeline.session import Session
from cseq.pipeline.stage import Planner, Wrapper
from cseq.pipeline.status import EngineDone, EngineReported, Event, PropertyBegan
from cseq.process.portfolio import Contender, contest
from cseq.process.run import available_memory
from cseq.report.words import answer as in_words
from cseq.report.words import internal_error

_HEAD_START = 1.0
"""Seconds that the explicit search runs alone where the program has no inputs."""

_CHOICE = "__CSEQ_choose("
"""The function that a step program calls to choose one of several values."""


def plan(session: Session, symbolic: Way, explicit: Way) -> Outcome:
    """The answer of whichever family has one first. *session* runs the stages."""
    context = session.context
    begun = time.monotonic()
    folder = context.workdir
    limit = TIMEOUT.of(symbolic.values)
    names = list(_planner(session, explicit).questions())
    parts = []
    tell = context.tell
    for position, name in enumerate(names):
        context.report(PropertyBegan(name, position + 1, len(names)))
        now = time.monotonic()
        end = None if limit is None else now + (begun + limit - now) / (len(names) - position)
        question = _Question(session, (symbolic, explicit), name, folder / name if len(names) > 1 else folder, end)
        if len(names) > 1:
            context.tell = partial(_tell_named, tell)
        parts.append(question.answer())
    context.workdir, context.tell = folder, tell
    return summed(parts)


def _tell_named(tell: Callable[[Level, bool], None], level: Level, _: bool) -> None:
    """Report a level with the name of its property."""
    tell(level, True)


def _planner(session: Session, way: Way) -> Planner:
    """The planner of *way*, ready to plan; the session is set to the stages of *way*."""
    if way.chain.planner is None:
        raise UsageError(f"the chain {way.chain.path} has no planner")
    session.use(way.chain)
    session.context.values = way.values
    return way.chain.planner(session.context)


@dataclass(frozen=True)
class _InPhase:
    """The message that a phase of this name has begun."""

    name: str


@dataclass(frozen=True)
class _Line:
    """A level of bounds to report to the user at once. named: with the name of its property."""

    level: Level
    named: bool


@dataclass(frozen=True)
class _Result:
    """The outcome of a family, and the seconds that its stages took, by name."""

    outcome: Outcome
    times: dict[str, float]


_Message: TypeAlias = _InPhase | _Line | Event
"""A message of a family before it is done."""


class _Question:
    """The question whether the property *name* holds.

    ways: the symbolic way and the explicit one. folder: for intermediate files.
    end: when the time is up, in `time.monotonic` seconds; None for never.
    """

    def __init__(self, session: Session, ways: tuple[Way, Way], name: str, folder: Path, end: float | None) -> None:
        self._session = session
        self._context = session.context
        self._symbolic, self._explicit = ways
        self._name = name
        self._folder = folder
        self._end = end
        self._phases: dict[str, str] = {}
        self._is_alone = False

    def answer(self) -> Outcome:
        """Find the answer. Raises CSeqError where no family can."""
        self._run(self._common())
        symbolic = _engine(self._symbolic)
        installed = backend(symbolic).find() is not None
        try:
            program = self._run(self._last()).text
        except Exception as error:  # even a bug of ours in one family is no reason not to ask the other
            if installed:
                return decided({_engine(self._explicit): error, **self._alone(self._symbolic)}, symbolic)
            raise self._nobody(error) from error
        if not installed:
            return decided(self._alone(self._explicit), symbolic)
        return decided(self._both(delay=0.0 if _CHOICE in program else _HEAD_START), symbolic)

    def _run(self, until: str) -> Any:
        """The program that the explicit family makes, after the stage *until*."""
        values = _planner(self._session, self._explicit).questions()[self._name]
        return self._session.run(values, self._folder, until)

    def _common(self) -> str:
        """The last of the stages with which both families begin."""
        pairs = zip(self._symbolic.chain.names, self._explicit.chain.names, strict=False)
        same = takewhile(lambda pair: pair[0] == pair[1], pairs)
        return [name for name, _ in same][-1]

    def _last(self) -> str:
        """The last stage of the explicit family that makes a program."""
        values = _planner(self._session, self._explicit).questions()[self._name]
        stages = self._explicit.chain.chosen(values)
        return [name for name, stage in stages if not issubclass(stage, Wrapper)][-1]

    def _nobody(self, error: Exception) -> Exception:
        """The error to raise where the explicit family refuses the program with *error*, and it is the only family."""
        if not isinstance(error, CSeqError):
            return error
        missing = f"the backend `{_engine(self._symbolic)}`, which may support it, is not installed"
        return BackendError(f"{error.message}; {missing}", error.origin)

    def _alone(self, way: Way) -> dict[str, Outcome | Exception]:
        return {_engine(way): self._planned(way, self._folder, 1)}

    def _both(self, delay: float) -> dict[str, Outcome | Exception]:
        """The results of both families, in order of time: outcomes or exceptions.

        delay: seconds that the symbolic family waits.
        """
        contenders: list[Contender[_Message, _Result]] = [
            Contender(_engine(self._explicit), lambda say: self._result(self._explicit, say)),
            Contender(_engine(self._symbolic), lambda say: self._result(self._symbolic, say), delay),
        ]
        self._folder.mkdir(parents=True, exist_ok=True)
        answers = contest(contenders, lambda _, result: _is_sound(result.outcome), self._folder, self._hear, self._over)
        results: dict[str, Outcome | Exception] = {}
        for name, result in answers.items():
            if isinstance(result, Exception):
                results[name] = result
                continue
            results[name] = result.outcome
            for stage, seconds in result.times.items():
                self._context.times[stage] = max(seconds, self._context.times.get(stage, 0.0))
        return results

    def _result(self, way: Way, say: Callable[[_Message], None]) -> _Result:
        """The result of one family, and the times of its stages; runs in its own process."""
        self._context.progress = lambda phase: say(_InPhase(phase))
        self._context.tell = lambda level, named: say(_Line(level, named))
        if self._context.watcher is not None:
            self._context.watcher = say
        outcome = self._planned(way, self._folder / _engine(way), 1 if self._is_alone else 2)
        return _Result(outcome, self._context.times)

    def _hear(self, engine: str, message: _Message) -> None:
        match message:
            case _Line(level, named):
                self._context.tell(level, named)
            case _InPhase(begun):
                self._phases[engine] = begun
                self._context.progress(", ".join(f"{name}: {phase}" for name, phase in self._phases.items()))
            case event:
                self._context.report(EngineReported(engine, event))

    def _over(self, engine: str, answer: _Result | Exception) -> None:
        self._is_alone = True
        self._phases.pop(engine, None)
        self._context.report(EngineDone(engine, _words(answer.outcome if isinstance(answer, _Result) else answer)))

    def _planned(self, way: Way, folder: Path, share: int) -> Outcome:
        """The outcome by *way*, with this *share* of the memory."""
        changed: dict[str, object] = {ONLY.name: self._name}
        if self._end is not None:
            changed[TIMEOUT.name] = max(self._end - time.monotonic(), 0.0)
        memory = MEMLIMIT.of(way.values)
        if memory is not None:
            changed[MEMLIMIT.name] = max(memory // share, 1)
        elif way is self._explicit:
            changed[MEMLIMIT.name] = available_memory() // 2
        planner = _planner(self._session, replace(way, values={**way.values, **changed}))
        folder.mkdir(parents=True, exist_ok=True)
        self._context.workdir = folder
        self._context.engine_seconds = 0.0
        outcome = planner.plan(self._session)
        return outcome


def decided(results: Mapping[str, Outcome | Exception], symbolic: str) -> Outcome:
    """The answer from the *results* of the engines, in order of time: outcomes or exceptions.

    symbolic: the engine of the symbolic family. Raises its exception where there is no outcome.
    """
    outcomes = [result for result in results.values() if isinstance(result, Outcome)]
    if not outcomes:
        failures = {engine: result for engine, result in results.items() if isinstance(result, Exception)}
        raise failures.get(symbolic) or next(iter(failures.values()))
    sound = [outcome for outcome in outcomes if _is_sound(outcome)]
    # A replayed execution exists, even if the other engine claims a proof.
    answer = max(
        sound or outcomes, key=lambda o: (o.verdict is Verdict.FALSE, o.exit_status == 0, o.backend == symbolic)
    )
    answer.chosen = True
    answer.attempts = [Attempt(engine, _words(result)) for engine, result in results.items() if result is not answer]
    for outcome in sound:
        if outcome.verdict is not answer.verdict:
            what = f"{outcome.backend} says {outcome.verdict.value}, and {answer.backend} {answer.verdict.value}"
            answer.warnings.append(Caution(f"{what}: one of them is wrong; please report it"))
    for engine, result in results.items():
        if isinstance(result, Exception) and not isinstance(result, CSeqError):
            answer.warnings.append(Caution(f"{engine}: {_words(result)}; please report it"))
    return answer


def _engine(way: Way) -> str:
    return str(way.values["backend"])


def _is_sound(outcome: Outcome) -> bool:
    """Whether *outcome* is a proof, or a violation that was replayed."""
    return outcome.verdict is not Verdict.UNKNOWN and not outcome.unreplayed


def _words(result: Outcome | Exception) -> str:
    """The result of an engine that has no answer, in words."""
    if isinstance(result, Outcome):
        words, states = in_words(result), int(result.statistics.get("states", 0))
        return words if result.reason is Reason.MEMORY or not states else f"{words}; {states} states were explored"
    if isinstance(result, CSeqError):
        return str(result)
    return internal_error(result)
