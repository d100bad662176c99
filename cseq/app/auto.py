"""Have the families of engines look for the answers at the same time, and take the first for each that is sound.

The policy: the stages that all families have in common run once. Each property is a question that the families work
on, each in its own process: the explicit search, and the symbolic search with growing bounds
(`modules/runs/deepening.py`). The deductive family takes part where there is a loop without a known bound, or an input,
and the property is one that it proves; it begins last. If one of them refuses the program or the property, or its
engine is not installed, the others answer. A program without inputs is likely to be small, so the explicit search of a
question runs alone for a moment. The first proof or replayed violation is the answer, and the others are stopped. If
there is none, the answer has the bounds of the symbolic family, and reports what the others did.

Questions share the processors (`cseq/process/portfolio.py`): as many searches run as there are cores, those of the next
question where there is room; and those that wait for others that do not end run beside them. So nothing is divided in
advance: the time limit applies to everything together, and time that one question does not need is there for the
others. Only the memory is divided, between all searches that there are; without a limit, the explicit ones together
get half of the available memory. A question for which a part of the memory was too little is asked again in the end.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from pathlib import Path
from typing import Any, TypeAlias

from cseq.app.families import Way
from cseq.backends.registry import backend
from cseq.base.errors import BackendError, CSeqError, MissingError, UsageError
from cseq.base.verdict import Attempt, Caution, Level, Outcome, Reason, Verdict
from cseq.c import build
from cseq.modules.analysis.properties import ERRORS, MEMLIMIT, TIMEOUT, UNREACH
from cseq.modules.analysis.vacuity import claims
from cseq.modules.analysis.worth_proving import is_worth_proving
from cseq.modules.library import lexicon
from cseq.modules.runs.answers import Answers, vacuously
from cseq.modules.runs.claimant import PROVABLE
from cseq.modules.runs.planner import ONLY
from cseq.modules.runs.prover import SIDE
from cseq.pipeline.session import Session
from cseq.pipeline.stage import Planner
from cseq.pipeline.status import EngineDone, EngineReported, Event, PropertyBegan
from cseq.process.portfolio import PATIENCE, Contender, contest
from cseq.process.run import available_memory
from cseq.report.ways_out import ways_out
from cseq.report.words import answer as in_words
from cseq.report.words import internal_error, places_cut
from cseq.report.words import searches as searched

_HEAD_START = 1.0
"""Seconds that the explicit search runs alone where the program has no inputs."""

_SEARCHES = 2
"""As many searches at least as there are families that find violations."""

_INPUT = "__VERIFIER_nondet"
"""How the names of functions that return inputs begin."""


def plan(session: Session, symbolic: Way, rivals: Sequence[Way]) -> Outcome:
    """The answers of whichever family has one first. *session* runs the stages. rivals: the explicit way first."""
    context = session.context
    limit = TIMEOUT.of(symbolic.values)
    end = None if limit is None else time.monotonic() + limit
    names = list(_planner(session, rivals[0]).questions())
    answers = Answers(context, names, _engine(symbolic))
    race = _Race(session, symbolic, rivals, names, answers, end)
    with answers.as_far_as_known():
        race.run()
    return answers.summed()


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
    """A level of bounds to report to the user at once."""

    level: Level


@dataclass(frozen=True)
class _Result:
    """The outcome of a family, and the seconds that its stages took, by name."""

    outcome: Outcome
    times: dict[str, float]


@dataclass(frozen=True)
class _Early:
    """An answer to which something may be added."""

    outcome: Outcome


_Message: TypeAlias = _InPhase | _Line | _Early | Event
"""A message of a family before it is done."""


@dataclass
class _Question:
    """One property, and what is known of it.

    folder: for intermediate files. ways: those that may lead to its answer. open: the number of engines that may still
    give one. delay: seconds that the symbolic family waits. results: outcomes or exceptions of the engines, in order of
    time. is_again: whether it is asked for the second time.
    """

    name: str
    folder: Path
    ways: list[Way]
    delay: float = _HEAD_START
    is_again: bool = False
    is_over: bool = False

    def __post_init__(self) -> None:
        self.open = len(self.ways)
        self.results: dict[str, Outcome | Exception] = {}


class _Race:
    """The race of a symbolic way and its rivals for the answers about the properties *names*.

    answers: where they go. end: when the time is up, in `time.monotonic` seconds; None for never.
    """

    def __init__(
        self,
        session: Session,
        symbolic: Way,
        rivals: Sequence[Way],
        names: list[str],
        answers: Answers,
        end: float | None,
    ) -> None:
        self._session = session
        self._context = session.context
        self._symbolic, self._explicit = symbolic, rivals[0]
        self._answers = answers
        self._end = end
        self._folder = session.context.workdir
        self._has_symbolic = backend(_engine(symbolic)).find() is not None
        self._proving = rivals[1:]
        searching = [self._explicit, symbolic] if self._has_symbolic else [self._explicit]
        several = len(names) > 1
        self._questions = [
            _Question(name, self._folder / name if several else self._folder, list(searching)) for name in names
        ]
        self._named = several
        self._whose: dict[str, tuple[_Question, str]] = {}  # the question and the engine of each contender
        self._phases: dict[str, str] = {}

    def run(self) -> None:
        """Find the answers. Raises CSeqError where no family has one for any property."""
        if not self._named:
            self._context.report(PropertyBegan(self._questions[0].name, 1, 1))
        known = _planner(self._session, self._explicit).vacuous(self._session) if self._named else {}
        for question in self._questions:
            if question.name in known:
                self._tell(question, vacuously(question.name, known[question.name], _engine(self._explicit)))
        if not self._claims():  # what the user did not ask for comes last
            self._questions.sort(key=lambda question: question.name == UNREACH)
        self._compete([question for question in self._questions if not question.is_over])
        for question in self._questions:
            if self._is_too_little(question):
                question.is_again, question.open = True, len(question.ways)
                self._compete([question])
        errors = []
        for question in self._questions:
            if not question.is_over:
                try:
                    self._conclude(question)
                except Exception as error:  # perhaps there is an answer for another property
                    errors.append((question, error))
        if len(errors) == len(self._questions):
            raise errors[0][1]
        for question, failure in errors:
            outcome = Outcome(Verdict.UNKNOWN, Reason.BACKEND, _words(failure), backend=_engine(self._symbolic))
            self._tell(question, outcome)

    # Contenders

    def _compete(self, questions: list[_Question]) -> None:
        cores = max(len(os.sched_getaffinity(0)), _SEARCHES)
        contest(self._contenders(questions), self._is_wanted, self._folder, self._hear, self._over, cores)

    def _contenders(self, questions: list[_Question]) -> Iterator[Contender[_Message, _Result]]:
        """The ways to an answer, for one question after the other."""
        for question in questions:
            question.folder.mkdir(parents=True, exist_ok=True)
            program = self._common(question)
            if _has_inputs(program):
                question.delay = 0.0
            if not question.is_again and question.name in PROVABLE and is_worth_proving(program.tree):
                question.ways += self._proving
                question.open = len(question.ways)
            for way in question.ways:
                engine = _engine(way)
                label = f"{question.name}: {engine}" if self._named else engine
                self._whose[label] = question, engine
                delay = self._delay(question, way)
                yield Contender(label, self._work(question, way), delay, question.name)

    def _delay(self, question: _Question, way: Way) -> float:
        """Seconds that *way* waits."""
        if way is self._explicit:
            return 0.0
        return question.delay if way is self._symbolic else question.delay + PATIENCE

    def _claims(self) -> bool:
        """Whether the program has assertions of its own, or there is nothing else to ask."""
        if not self._named:
            return True
        program = self._common(self._questions[0])
        users = [node for node in program.tree.ext if not lexicon.is_ours(node.coord)]
        return claims(users, ERRORS.of(self._explicit.values))

    def _work(self, question: _Question, way: Way) -> Callable[[Callable[[_Message], None]], _Result]:
        """What the process for *way* does."""

        def work(say: Callable[[_Message], None]) -> _Result:
            self._context.progress = lambda phase: say(_InPhase(phase))
            self._context.tell = lambda level, named: say(_Line(level))
            self._context.answered = lambda outcome: say(_Early(outcome))
            if self._context.watcher is not None:
                self._context.watcher = say
            outcome = self._planned(question, way)
            return _Result(outcome, self._context.times)

        return work

    def _common(self, question: _Question) -> Any:
        """The program after the last of the stages with which all families begin."""
        chains = [way.chain.names for way in (self._explicit, self._symbolic, *self._proving)]
        same = takewhile(lambda names: len(set(names)) == 1, zip(*chains, strict=False))
        values = _planner(self._session, self._explicit).questions()[question.name]
        return self._session.run(values, question.folder, [names[0] for names in same][-1])

    def _planned(self, question: _Question, way: Way) -> Outcome:
        """The outcome by *way*; runs in its own process."""
        changed: dict[str, object] = {ONLY.name: question.name}
        if self._end is not None:
            changed[TIMEOUT.name] = max(self._end - time.monotonic(), 0.0)
        share = self._share(question)
        memory = MEMLIMIT.of(way.values)
        if memory is not None:
            changed[MEMLIMIT.name] = max(memory // share, 1)
        elif way is self._explicit:
            searches = sum(not each.is_over for each in self._questions) or 1
            changed[MEMLIMIT.name] = max(available_memory() // 2 // searches, 1)
        if way in self._proving:
            changed[SIDE.name] = 1
        planner = _planner(self._session, replace(way, values={**way.values, **changed}))
        folder = question.folder / _engine(way) if len(question.ways) > 1 else question.folder
        folder.mkdir(parents=True, exist_ok=True)
        self._context.workdir = folder
        return planner.plan(self._session)

    def _share(self, question: _Question) -> int:
        """Into how many parts the memory is divided."""
        if question.is_again:
            return question.open
        return sum(each.open for each in self._questions if not each.is_over)

    # Answers

    def _hear(self, contender: str, message: _Message) -> None:
        match message:
            case _Line(level):
                self._context.tell(level, self._named)
            case _Early(outcome):
                question, engine = self._whose[contender]
                outcome.chosen, outcome.property = True, question.name
                question.results.setdefault(engine, outcome)
                self._answers.announce(outcome)
            case _InPhase(begun):
                self._phases[contender] = begun
                self._context.progress(", ".join(f"{name}: {phase}" for name, phase in self._phases.items()))
            case event:
                self._context.report(EngineReported(contender, event))

    def _is_wanted(self, contender: str, result: _Result) -> bool:
        if not _is_sound(result.outcome):
            return False
        self._take(contender, result)
        question, _ = self._whose[contender]
        for other, (about, _) in self._whose.items():
            if about is question:
                self._phases.pop(other, None)
                if self._named:
                    done = _words(result.outcome) if other == contender else "stopped"
                    self._context.report(EngineDone(other, done))
        self._conclude(question)
        return True

    def _over(self, contender: str, answer: _Result | Exception) -> None:
        question, engine = self._whose[contender]
        if engine not in question.results or question.is_again:
            self._take(contender, answer)
        question.open -= 1
        self._phases.pop(contender, None)
        self._context.report(EngineDone(contender, _words(answer.outcome if isinstance(answer, _Result) else answer)))
        if not question.open and not self._is_too_little(question) and _has_outcome(question):
            self._conclude(question)

    def _take(self, contender: str, answer: _Result | Exception) -> None:
        question, engine = self._whose[contender]
        if isinstance(answer, Exception):
            question.results[engine] = answer
            return
        question.results[engine] = answer.outcome
        for stage, seconds in answer.times.items():
            self._context.times[stage] = max(seconds, self._context.times.get(stage, 0.0))

    def _is_too_little(self, question: _Question) -> bool:
        """Whether more than its share of the memory might have given an answer."""
        if question.is_again or question.is_over or len(self._questions) == 1:
            return False
        outcomes = [result for result in question.results.values() if isinstance(result, Outcome)]
        return any(outcome.reason is Reason.MEMORY for outcome in outcomes)

    def _conclude(self, question: _Question) -> None:
        """Take the answer from what the engines say. Raises an exception of theirs where there is none."""
        if not self._has_symbolic and not _has_outcome(question):
            raise self._nobody(question.results[_engine(self._explicit)])
        self._tell(question, decided(question.results, _engine(self._symbolic)))

    def _tell(self, question: _Question, outcome: Outcome) -> None:
        question.is_over = True
        outcome.property = question.name
        self._answers.add(outcome)

    def _nobody(self, error: Any) -> Exception:
        """The error to raise where the explicit family refuses the program with *error*, and no other one searches."""
        if not isinstance(error, CSeqError):
            return error  # type: ignore[no-any-return]
        missing = f"the backend `{_engine(self._symbolic)}`, which may support it, is not installed"
        return MissingError(f"{error.message}; {missing}", error.origin)


def _has_inputs(program: Any) -> bool:
    """Whether the user's part of the *program*, a unit, calls functions that return inputs."""
    users = (node for node in program.tree.ext if not lexicon.is_ours(node.coord))
    return any(name.startswith(_INPUT) for node in users for name in build.names(node))


def _has_outcome(question: _Question) -> bool:
    return any(isinstance(result, Outcome) for result in question.results.values())


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
        if failed(result):
            answer.warnings.append(Caution(f"{engine}: {_words(result)}; please report it"))
        elif result is not answer and isinstance(result, Outcome) and result.reason is Reason.REPLAY:
            answer.warnings.append(Caution(f"{engine}: {_words(result)}"))
    return answer


def failed(result: Outcome | Exception) -> bool:
    """Whether an engine has no answer for a reason of ours or its own, which says nothing of the program.

    Refusals and missing programs are not failures, nor is an engine that ran out of time or memory.
    """
    if isinstance(result, Outcome):
        return result.reason is Reason.BACKEND
    return not isinstance(result, CSeqError) or (
        isinstance(result, BackendError) and not isinstance(result, MissingError)
    )


def _engine(way: Way) -> str:
    return str(way.values["backend"])


def _is_sound(outcome: Outcome) -> bool:
    """Whether *outcome* is a proof, or a violation that was replayed."""
    return outcome.verdict is not Verdict.UNKNOWN and not outcome.unreplayed


def _helping(result: Outcome) -> list[str]:
    ways = [way for way in ways_out(result) if not way.startswith("-b ")]  # the other one was asked as well
    return [f"what helps: {', '.join(ways)}"] if ways else []


def _words(result: Outcome | Exception) -> str:
    """The result of an engine that has no answer, in words."""
    if isinstance(result, Outcome):
        words, states = in_words(result), int(result.statistics.get("states", 0))
        if result.searches and result.reason in (Reason.MEMORY, Reason.TIMEOUT):
            words = f"{words} ({'; '.join(searched(result.searches))})"
        elif states and result.reason is not Reason.MEMORY:
            words = f"{words}; {states} states were explored" if states > 1 else f"{words}; 1 state was explored"
        return "; ".join([words, *places_cut(result.bounds)[:1], *_helping(result)])
    if isinstance(result, CSeqError):
        return str(result)
    return internal_error(result)
