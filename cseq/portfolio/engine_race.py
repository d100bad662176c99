"""Have the families of engines look for the answers at the same time, and take the first for each that is sound.

The policy: the stages that all families have in common run once. Each property is a question that the families work
on, each in its own process: the explicit search, and the symbolic search with growing bounds
(`modules/symbolic/iterative_deepening.py`). The deductive family takes part where there is a loop without a known
bound, or an input, and the property is one that it proves; it begins last. If one of them refuses the program or the
property, or its engine is not installed, the others answer. A program without inputs is likely to be small, so the
explicit search of a question runs alone for a moment.

Where the program asks for memory orders weaker than seq_cst, the family of execution graphs takes part, which has them.
A violation that another family finds is one under these orders, too; a proof of another family is not, so it is the
answer only if the execution graphs have none. They are not asked if it is certain that the program has only
sequentially consistent executions (`cseq/portfolio/robust.py`). A search of the explicit family for executions that are
not sequentially consistent takes part beside them: if it finds none, the proof of another family is the answer. The
first proof or replayed violation is the answer, and the others are stopped. If there is none, the answer has the bounds
of the symbolic family, and reports what the others did.

Where there are more processors than these searches use, further ones take part (`cseq/portfolio/further.py`): one
begins whenever a processor has been free for a moment, and its answer counts like others. A level of the symbolic
search that takes long is divided into parts, which are jobs of the same processors. No search waits for further ones:
when the families have no answer, there is none.

Questions share the processors (`cseq/process/portfolio.py`): as many searches run as there are cores, those of the
next question where there is room; and those that wait for others that do not end run beside them. So nothing is divided
in advance: the time limit applies to everything together, and time that one question does not need is there for the
others. Only the memory is divided, between all searches that there are; without a limit, the explicit ones together get
half of the available memory. A question for which a part of the memory was too little is asked again in the end.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from pathlib import Path
from typing import Any, TypeAlias

from cseq.backends.registry import backend
from cseq.c import build
from cseq.model.errors import CSeqError, MissingError, UsageError
from cseq.model.jobrecords import JobEnd, JobName, JobRecord
from cseq.model.verdict import Caution, Level, Outcome, Reason, Verdict
from cseq.modules.analysis.memory_orders import has_weaker
from cseq.modules.analysis.vacuity import claims
from cseq.modules.analysis.worth_proving import is_worth_proving
from cseq.modules.deductive.questions import PROVABLE
from cseq.modules.deductive.run import SIDE
from cseq.modules.library import lexicon
from cseq.modules.questions.answers import Answers, vacuously
from cseq.modules.questions.questions import ONLY
from cseq.options.memory_models import C11
from cseq.options.properties import DEADLOCK, ERRORS, JOBS, MEMLIMIT, PROPERTIES, RACE, TIMEOUT, UNREACH
from cseq.pipeline.jobs import ending
from cseq.pipeline.session import Session
from cseq.pipeline.stage import Planner
from cseq.pipeline.status import EngineDone, EngineReported, Event, JobsChanged, PropertyBegan
from cseq.portfolio.deciding import decided, failed, in_short, is_final
from cseq.portfolio.families import GRAPHS_ENGINES, MODULAR_ENGINES, Configuration
from cseq.portfolio.further import Entrant, further
from cseq.portfolio.robust import SECONDS, carry_over, has_only_sc, monitoring, shows_robustness
from cseq.process import processors
from cseq.process.portfolio import NOT_NOW, PATIENCE, Contender, contest
from cseq.process.run import available_memory

# The searches of the race, and how each ended.


class RaceLog:
    """What became of the entrants, by the names of their processes, and of the jobs of theirs.

    report: for the live view, which shows the number of further searches.
    """

    def __init__(self, report: Callable[[Event], None] = lambda event: None) -> None:
        self._report = report
        self._entering: dict[str, Entrant] = {}
        self._going: dict[str, tuple[Entrant, float]] = {}  # and when they began
        self._records: list[JobRecord] = []
        self._over = 0

    @property
    def is_entering(self) -> bool:
        """Whether it is not known yet of some further search if there is room for it."""
        return any(entrant.is_further for entrant in self._entering.values())

    @property
    def further(self) -> int:
        """How many further searches go on."""
        return sum(entrant.is_further for entrant, _ in self._going.values())

    def enter(self, label: str, entrant: Entrant) -> None:
        """*entrant* wants to take part."""
        self._entering[label] = entrant

    def leave(self, label: str) -> None:
        """It cannot take part."""
        self._entering.pop(label, None)

    def begin(self, label: str) -> None:
        """It begins."""
        self._going[label] = self._entering.pop(label), time.monotonic()
        self._tell()

    def add(self, record: JobRecord) -> None:
        """A job of one of them is over."""
        self._records.append(record)

    def end(self, label: str, end: JobEnd) -> None:
        """It has ended."""
        self._entering.pop(label, None)
        if label in self._going:
            entrant, begun = self._going.pop(label)
            self._records.append(JobRecord(entrant.name, end, time.monotonic() - begun))
            self._over += entrant.is_further
            self._tell()

    def stop(self, label: str) -> None:
        """It is stopped, if it has not ended, since there is an answer."""
        self.end(label, JobEnd.STOPPED)

    def jobs(self, question: str) -> tuple[JobRecord, ...]:
        """Everything that was done for the property *question*, in order of time; what goes on is stopped."""
        for label in list(self._going):
            self.stop(label)
        found = [record for record in self._records if record.name.property in (question, "")]
        return tuple(replace(record, name=replace(record.name, property=question)) for record in found)

    def _tell(self) -> None:
        running = tuple(entrant.name for entrant, _ in self._going.values() if entrant.is_further)
        if running or self._over:
            self._report(JobsChanged(running, self._over))


_HEAD_START = 1.0
"""Seconds that the explicit search runs alone where the program has no inputs."""

_SEARCHES = 2
"""As many searches at least as there are families that find violations."""

_MANY = 4
"""So many processors are many: the explicit search may use a half of them itself."""

_PAUSE = 0.2
"""Seconds between two looks for a processor that is free."""

_GRAPHS_SECONDS = 20.0
"""That the execution graphs may take where the user gives no limit: a proof of another family waits for them."""

_MONITOR = "robustness"
"""The name of the search for executions that are not sequentially consistent."""

_NATIVE = "native"
"""The explicit engine that has several searches."""

_MOST_AFAR = 8
"""The most further searches at a time on a cluster, each of which a process waits for here; tiles have the rest."""

_INPUT = "__VERIFIER_nondet"
"""How the names of functions that return inputs begin."""


def plan(session: Session, symbolic: Configuration, rivals: Sequence[Configuration]) -> Outcome:
    """The answers of whichever family has one first. *session* runs the stages. rivals: the explicit way first.

    If the only rival explores execution graphs, it is asked first, as it has counterexamples where stores are buffered.
    """
    context = session.context
    limit = TIMEOUT.of(symbolic.values)
    end = None if limit is None else time.monotonic() + limit
    if _engine(rivals[0]) in GRAPHS_ENGINES:
        return _in_turn(session, rivals[0], symbolic)
    names = list(_planner(session, rivals[0]).questions())
    answers = Answers(context, names, _engine(symbolic))
    race = _Race(session, symbolic, rivals, names, answers, end)
    with answers.as_far_as_known(race.so_far):
        race.run()
    found = answers.summed()
    for part in found.all():
        part.jobs = race.raced.jobs(part.property)
    return found


def _in_turn(session: Session, first: Configuration, symbolic: Configuration) -> Outcome:
    """The answer of *first*, which has half of the time for it, or that of the symbolic way."""
    context, now = session.context, time.monotonic()
    end = context.end
    results: dict[str, Outcome | Exception] = {}
    for way in (first, symbolic):
        context.end = end if way is symbolic else now + (_GRAPHS_SECONDS if end is None else (end - now) / 2)
        try:
            found = _planner(session, way).plan(session)
        except Exception as error:
            results[_engine(way)] = error
            continue
        results[_engine(way)] = found
        if found.verdict is not Verdict.UNKNOWN:
            break
    return decided(results, _engine(symbolic))


def _planner(session: Session, way: Configuration) -> Planner:
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
class _Began:
    """The message that the work begins."""


class _NoRoomError(Exception):
    """There is no processor for a further search, or nothing to search for."""


@dataclass(frozen=True)
class _Result:
    """The outcome of a family, and the seconds that its stages took, by name."""

    outcome: Outcome
    times: dict[str, float]


@dataclass(frozen=True)
class _Early:
    """An answer to which something may be added."""

    outcome: Outcome


@dataclass(frozen=True)
class _SoFar:
    """The answer if nothing is found any more: that of the levels that were completed."""

    outcome: Outcome


_Message: TypeAlias = _Began | _InPhase | _Line | _Early | _SoFar | JobRecord | Event
"""A message of a family before it is done."""


@dataclass
class _Question:
    """One property, and what is known of it.

    folder: for intermediate files. ways: those that may lead to its answer. open: the number of engines that may still
    give one. delay: seconds that the symbolic family waits. results: outcomes or exceptions of the engines, in order of
    time. checks: the ways on which a proof waits, as they say whether it is one under weaker memory orders. so_far:
    what the engines have found, by engine. failures: what went wrong in further searches, in words. is_again: whether
    it is asked for the second time. is_robust: whether sequential consistency has all executions.
    """

    name: str
    folder: Path
    ways: list[Configuration]
    delay: float = _HEAD_START
    is_again: bool = False
    is_over: bool = False
    is_robust: bool = False

    def __post_init__(self) -> None:
        self.open = len(self.ways)
        self.checks: list[Configuration] = []
        self.results: dict[str, Outcome | Exception] = {}
        self.so_far: dict[str, Outcome] = {}
        self.failures: list[str] = []

    @property
    def is_proved(self) -> bool:
        """Whether an engine has all that it can tell, and no violation."""
        return any(final.verdict is not Verdict.FALSE for final in self._finals())

    @property
    def is_violated(self) -> bool:
        """Whether an engine has found a violation; it may be looking for others."""
        return any(final.verdict is Verdict.FALSE for final in self._finals())

    def _finals(self) -> Iterator[Outcome]:
        return (result for result in self.results.values() if isinstance(result, Outcome) and is_final(result))

    def is_open_for(self, way: Configuration) -> bool:
        """Whether further searches of the family of *way* may find what it does not."""
        result = self.results.get(_engine(way))
        return result is None or (isinstance(result, Outcome) and result.reason in (Reason.MEMORY, Reason.TIMEOUT))


class _Race:
    """The race of a symbolic way and its rivals for the answers about the properties *names*.

    answers: where they go. end: when the time is up, in `time.monotonic` seconds; None for never.
    """

    def __init__(
        self,
        session: Session,
        symbolic: Configuration,
        rivals: Sequence[Configuration],
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
        engines = self._context.pool.engines if self._context.pool is not None else None
        engine = _engine(symbolic)
        self._has_symbolic = backend(engine).find() is not None if engines is None else engine in engines
        self._graphs = next((way for way in rivals if _engine(way) in GRAPHS_ENGINES), None)
        self._modular = next((way for way in rivals if _engine(way) in MODULAR_ENGINES), None)
        self._proving = [way for way in rivals[1:] if way is not self._graphs and way is not self._modular]
        searching = [self._explicit, symbolic] if self._has_symbolic else [self._explicit]
        several = len(names) > 1
        self._questions = [
            _Question(name, self._folder / name if several else self._folder, list(searching)) for name in names
        ]
        self._named = several
        self._whose: dict[str, tuple[_Question, Entrant]] = {}  # the question of each contender, and what it does
        self._width = self._context.pool.width if self._context.pool is not None else processors.count()
        self.raced = RaceLog(self._context.report)
        self._phases: dict[str, str] = {}
        self._has_only_sc: bool | None = None
        self._monitor: Configuration | None = None
        self._is_monitored = False

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
            outcome = Outcome(Verdict.UNKNOWN, Reason.BACKEND, in_short(failure), backend=_engine(self._symbolic))
            self._tell(question, outcome)

    # Contenders

    def _compete(self, questions: list[_Question]) -> None:
        source, pool = self._contenders(questions), self._context.pool

        def most() -> int:
            return max(pool.width if pool is not None else self._width, _SEARCHES)

        contest(source, self._is_wanted, self._folder, self._hear, self._over, most, pause=_PAUSE)

    def _contenders(self, questions: list[_Question]) -> Iterator[Contender[_Message, _Result] | None]:
        """The ways to an answer, for one question after the other; then further ones, where there is room."""
        for question in questions:
            question.folder.mkdir(parents=True, exist_ok=True)
            program = self._common(question)
            if _has_inputs(program):
                question.delay = 0.0
            if not question.is_again:
                if self._graphs is not None and has_weaker(program.tree, self._context.model):
                    question.is_robust = self._is_robust(self._graphs)
                    if not question.is_robust:
                        self._add_checks(question, self._graphs)
                if self._modular is not None and question.name in (RACE, DEADLOCK):
                    question.ways.append(self._modular)
                if question.name in PROVABLE and is_worth_proving(program.tree):
                    question.ways += self._proving
                question.open = len(question.ways)
            for way in question.ways:
                yield self._contender(question, self._entrant(question, way), self._delay(question, way))
                if way is self._explicit and self._monitor in question.checks:
                    yield self._contender(question, self._entrant(question, self._monitor), _HEAD_START)
        yield from self._further([question for question in questions if not question.is_again])

    def _add_checks(self, question: _Question, graphs: Configuration) -> None:
        """Have the execution graphs, and the monitor of robustness, look at the *question*."""
        if _is_for_graphs(question):
            question.ways.insert(1, graphs)
            question.checks.append(graphs)
        if self._monitor is None and _engine(self._explicit) == _NATIVE:
            self._monitor = monitoring(self._explicit)
        if self._monitor is not None and question.name in PROPERTIES:
            question.checks.append(self._monitor)

    def _is_robust(self, graphs: Configuration) -> bool:
        """Whether the program has only sequentially consistent executions."""
        if self._has_only_sc is None:
            self._has_only_sc = has_only_sc(self._session, graphs)
        return self._has_only_sc

    def _entrant(self, question: _Question, way: Configuration) -> Entrant:
        entrant = Entrant.of(way, question.name)
        if way is self._monitor:
            entrant = Entrant(way, JobName(_MONITOR, question.name), _MONITOR)
        seconds = _GRAPHS_SECONDS if way is self._graphs else SECONDS if way is self._monitor else None
        return replace(entrant, seconds=seconds) if self._end is None else entrant

    def _contender(self, question: _Question, entrant: Entrant, delay: float = 0.0) -> Contender[_Message, _Result]:
        label = f"{question.name}: {entrant.label}" if self._named else entrant.label
        self._whose[label] = question, entrant
        self.raced.enter(label, entrant)
        folder = question.folder
        if entrant.is_further:
            folder /= f"further-{len(self._whose)}"
        elif entrant.way is self._monitor or len(question.ways) > 1:
            folder /= entrant.label
        return Contender(label, self._work(question, entrant, folder), delay, question.name)

    def _further(self, questions: list[_Question]) -> Iterator[Contender[_Message, _Result] | None]:
        """Further searches for the answers to the *questions* in turn, each where a processor is free."""
        pool = self._context.pool
        if MEMLIMIT.of(self._symbolic.values) is not None and not self._spare():
            return  # the families have all of the memory
        explicit = self._explicit if _engine(self._explicit) == _NATIVE else None
        symbolic = self._symbolic if self._has_symbolic else None
        engine = backend(_engine(self._symbolic))
        path = engine.find() if self._has_symbolic else None
        solvers = engine.usable(path) if path is not None else []
        sources = [(question, further(question.name, explicit, symbolic, solvers)) for question in questions]
        ready = time.monotonic() + _HEAD_START + PATIENCE  # most programs have their answers by then
        while pool is not None:
            open_ = [ways for ways in (explicit, symbolic) if ways is not None]
            sources = [
                each
                for each in sources
                if not (each[0].is_over or each[0].is_proved) and any(map(each[0].is_open_for, open_))
            ]
            if not sources:
                return
            is_full = pool.is_far and self.raced.further >= min(pool.width // 2, _MOST_AFAR)
            if time.monotonic() < ready or self.raced.is_entering or is_full or not pool.has_room:
                yield NOT_NOW
                continue
            question, source = sources.pop(0)
            sources.append((question, source))
            yield self._contender(question, next(each for each in source if question.is_open_for(each.way)))

    def _delay(self, question: _Question, way: Configuration) -> float:
        """Seconds that *way* waits."""
        if way is self._explicit or way is self._modular:
            return 0.0
        if way is self._graphs:
            return _HEAD_START  # a violation that others find has a witness and a reproducer
        return question.delay if way is self._symbolic else question.delay + PATIENCE

    def _claims(self) -> bool:
        """Whether the program has assertions of its own, or there is nothing else to ask."""
        if not self._named:
            return True
        program = self._common(self._questions[0])
        users = [node for node in program.tree.ext if not lexicon.is_ours(node.coord)]
        return claims(users, ERRORS.of(self._explicit.values))

    def _work(
        self, question: _Question, entrant: Entrant, folder: Path
    ) -> Callable[[Callable[[_Message], None]], _Result]:
        """What the process for *entrant* does. folder: for its intermediate files."""

        def work(say: Callable[[_Message], None]) -> _Result:
            if question.is_violated if entrant.way in question.checks else question.is_proved:
                raise _NoRoomError
            if entrant.way is self._monitor and self._is_monitored:
                raise _NoRoomError  # that is known from another question
            processors_ = self._processors(entrant)
            has_room = self._context.pool is not None and self._context.pool.begin(processors_)
            if entrant.is_further:
                if not has_room:
                    raise _NoRoomError
                if self._context.pool is not None and not self._context.pool.is_far:
                    self._context.pool = None  # it has its processors
            say(_Began())
            self._context.noted = say
            self._context.progress = lambda phase: say(_InPhase(phase))
            self._context.tell = lambda level, named: say(_Line(level))
            self._context.answered = lambda outcome: say(_Early(outcome))
            self._context.interim = lambda outcome: say(_SoFar(outcome))
            if self._context.watcher is not None:
                self._context.watcher = say
            return _Result(self._planned(question, entrant, folder), self._context.times)

        return work

    def _common(self, question: _Question) -> Any:
        """The program after the last of the stages with which all families begin."""
        others = [way for way in (self._graphs, self._modular) if way is not None]
        chains = [way.chain.names for way in (self._explicit, self._symbolic, *self._proving, *others)]
        same = takewhile(lambda names: len(set(names)) == 1, zip(*chains, strict=False))
        values = _planner(self._session, self._explicit).questions()[question.name]
        return self._session.run(values, question.folder, [names[0] for names in same][-1])

    def _planned(self, question: _Question, entrant: Entrant, folder: Path) -> Outcome:
        """The outcome of *entrant*; runs in its own process."""
        way = entrant.way
        only = UNREACH if way is self._monitor else question.name
        changed: dict[str, object] = {ONLY.name: only, JOBS.name: self._processors(entrant)}
        left = None if self._end is None else max(self._end - time.monotonic(), 0.0)
        times = [seconds for seconds in (left, entrant.seconds) if seconds is not None]
        if times:
            changed[TIMEOUT.name] = min(times)
        memory = self._memory(question, entrant)
        if memory is not None:
            changed[MEMLIMIT.name] = max(memory, 1)
        if way in self._proving:
            changed[SIDE.name] = 1
        planner = _planner(self._session, replace(way, values={**way.values, **changed}))
        folder.mkdir(parents=True, exist_ok=True)
        self._context.workdir = folder
        return planner.plan(self._session)

    def _processors(self, entrant: Entrant) -> int:
        """How many processors *entrant* may use itself."""
        if entrant.way is not self._explicit or self._width < _MANY:
            return 1
        return max(self._width // 2 // (self._open() or 1), 1)

    def _spare(self) -> int:
        """How many processors there are that the families leave free."""
        return max(self._width - sum(len(question.ways) for question in self._questions), 0)

    def _open(self) -> int:
        """The number of questions that have no answer."""
        return sum(not question.is_over for question in self._questions)

    def _memory(self, question: _Question, entrant: Entrant) -> int | None:
        """The memory in megabytes for *entrant*; None for no limit."""
        memory = MEMLIMIT.of(entrant.way.values)
        if self._context.pool is not None and self._context.pool.is_far:
            return memory  # each worker has memory of its own
        if entrant.is_further:
            return (available_memory() // 4 // self._context.concurrent_runs if memory is None else memory // 2) // (
                self._spare() or 1
            )
        if memory is not None:
            if question.is_again:
                return memory // question.open
            share = sum(each.open for each in self._questions if not each.is_over)
            return memory // (2 * share if self._spare() else share)
        free = available_memory() // 2 // self._context.concurrent_runs
        return free // (self._open() or 1) if entrant.way in (self._explicit, self._monitor) else None

    # Answers

    def _hear(self, contender: str, message: _Message) -> None:
        question, entrant = self._whose[contender]
        match message:
            case _Began():
                self.raced.begin(contender)
            case JobRecord():
                self.raced.add(message)
            case _ if entrant.is_further or (entrant.way is self._monitor and not isinstance(message, _InPhase)):
                pass  # their number is shown, and not what each of them does
            case _Line(level):
                self._context.tell(level, self._named)
            case _Early(outcome):
                outcome.chosen, outcome.property = True, question.name
                question.results.setdefault(entrant.name.engine, outcome)
                self._answers.announce(outcome)
            case _SoFar(outcome):
                question.so_far[entrant.name.engine] = outcome
            case _InPhase(begun):
                self._phases[contender] = begun
                self._context.progress(", ".join(f"{name}: {phase}" for name, phase in self._phases.items()))
            case event:
                self._context.report(EngineReported(contender, event))

    def _is_wanted(self, contender: str, result: _Result) -> bool:
        question, mine = self._whose[contender]
        if mine.way is self._monitor:
            self._learn(shows_robustness(result.outcome))
            if not (question.is_robust and question.is_proved):
                return False
        elif not is_final(result.outcome) or self._is_preliminary(question, result.outcome):
            return False
        else:
            self._take(contender, result)
        self.raced.end(contender, ending(result.outcome))
        for other, (about, entrant) in self._whose.items():
            if about is question:
                self.raced.stop(other)
                self._phases.pop(other, None)
                if self._named and not entrant.is_further:
                    done = in_short(result.outcome) if other == contender else "stopped"
                    self._context.report(EngineDone(other, done))
        self._conclude(question)
        return True

    def _learn(self, is_robust: bool) -> None:
        """Note whether the monitor has shown that all executions are sequentially consistent."""
        self._is_monitored = True
        self._has_only_sc = is_robust
        for question in self._questions:
            question.is_robust |= is_robust
            question.checks = [] if is_robust else [way for way in question.checks if way is not self._monitor]

    @staticmethod
    def _is_preliminary(question: _Question, outcome: Outcome) -> bool:
        """Whether the *outcome* has to wait, since it is not known yet whether it is one for weak orders."""
        return bool(question.checks) and outcome.verdict is not Verdict.FALSE and outcome.memory_model != C11

    def _over(self, contender: str, answer: _Result | Exception) -> bool:
        question, entrant = self._whose[contender]
        if isinstance(answer, _NoRoomError):
            self.raced.leave(contender)
            return self._is_settled(question) and self._settle(question)
        result = answer.outcome if isinstance(answer, _Result) else answer
        self.raced.end(contender, ending(result))
        if entrant.is_further:
            if isinstance(result, Outcome) and is_final(result):
                self._take(contender, answer)  # the execution graphs have not ended yet
            elif failed(result):
                question.failures.append(f"{entrant.label}: {in_short(result)}; please report it")
            return False
        self._phases.pop(contender, None)
        self._context.report(EngineDone(contender, in_short(result)))
        if entrant.way is self._monitor:
            if isinstance(result, Exception):
                self._learn(is_robust=False)
            return self._is_settled(question) and self._settle(question)
        engine = entrant.name.engine
        if engine not in question.results or question.is_again:
            self._take(contender, answer)
        question.open -= 1
        if entrant.way in question.checks:
            question.checks.remove(entrant.way)
        return self._is_settled(question) and self._settle(question)

    @staticmethod
    def _is_settled(question: _Question) -> bool:
        """Whether nothing that may come changes the answer to the *question*."""
        return not question.checks if question.is_proved else not question.open

    def _settle(self, question: _Question) -> bool:
        """Give the answer, if more memory would not help, and end what still goes on."""
        is_enough = question.is_proved or not self._is_too_little(question)
        if is_enough and _has_outcome(question):
            self._conclude(question)
        for other, (about, _) in self._whose.items():
            if about is question:
                self.raced.stop(other)
        return True

    def _take(self, contender: str, answer: _Result | Exception) -> None:
        question, entrant = self._whose[contender]
        engine = entrant.name.engine
        if isinstance(answer, Exception):
            question.results[engine] = answer
            return
        question.results[engine] = answer.outcome
        for stage, seconds in answer.times.items():
            self._context.times[stage] = max(seconds, self._context.times.get(stage, 0.0))

    def _is_too_little(self, question: _Question) -> bool:
        """Whether more than its share of the memory might have given an answer."""
        has_all = len(self._questions) == 1 and not self._spare()
        if question.is_again or question.is_over or has_all:
            return False
        outcomes = [result for result in question.results.values() if isinstance(result, Outcome)]
        return any(outcome.reason is Reason.MEMORY for outcome in outcomes)

    def _conclude(self, question: _Question) -> None:
        """Take the answer from what the engines say. Raises an exception of theirs where there is none."""
        if not self._has_symbolic and not _has_outcome(question):
            raise self._nobody(question.results[_engine(self._explicit)])
        outcome = decided(question.results, _engine(self._symbolic))
        if question.is_robust:
            carry_over(outcome, question.name)
        outcome.warnings += [Caution(words) for words in dict.fromkeys(question.failures)]
        self._tell(question, outcome)

    def so_far(self, name: str) -> Outcome | None:
        """The answer for the property *name* if no engine finds more; None if none has completed anything."""
        question = next(each for each in self._questions if each.name == name)
        results = {**question.so_far, **question.results}
        if not any(isinstance(result, Outcome) and result.exit_status == 0 for result in results.values()):
            return None
        outcome = decided(results, _engine(self._symbolic))
        outcome.property = name
        if question.is_robust:
            carry_over(outcome, name)
        return outcome

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


def _is_for_graphs(question: _Question) -> bool:
    """Whether the execution graphs can answer the *question*."""
    from cseq.modules.graphs.questions import SUPPORTED

    return question.name in SUPPORTED


def _has_inputs(program: Any) -> bool:
    """Whether the user's part of the *program*, a unit, calls functions that return inputs."""
    users = (node for node in program.tree.ext if not lexicon.is_ours(node.coord))
    return any(name.startswith(_INPUT) for node in users for name in build.names(node))


def _has_outcome(question: _Question) -> bool:
    return any(isinstance(result, Outcome) for result in question.results.values())


def _engine(way: Configuration) -> str:
    return str(way.values["backend"])
