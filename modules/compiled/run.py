"""Run the program under many schedules, and judge what happens."""

import contextlib
import os
import time
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from cseq.model.activity import Activity, ActivityKind, Amount, Phase, phase
from cseq.model.errors import UsageError
from cseq.model.verdict import Outcome, Reason, Verdict
from cseq.modules.analysis.spurious import SPURIOUS
from cseq.modules.compiled import run_options, saved
from cseq.modules.compiled.build import BUILD
from cseq.modules.compiled.client.record import End, RequestFlag, Strategy
from cseq.modules.compiled.client.server import RunBatch, Server, ServerError
from cseq.modules.compiled.exploration import Exploration
from cseq.modules.compiled.programs import environment, failure, is_instrumented
from cseq.modules.compiled.replay import repeat
from cseq.modules.compiled.run_options import (
    BUILT,
    EARLY,
    ENGINE,
    EXHAUSTIVE,
    EXIT_STATUS,
    NAME,
    NO_RACE,
    REPEAT,
    RUN_TIME,
    RUNS,
    SAVE,
    SECONDS,
    STEPS,
    STRATEGY,
    TIME,
    TIMES,
    WEAK,
)
from cseq.modules.compiled.sameness import fails
from cseq.modules.compiled.schedule_search import Settings, Statistics, ViolatingRun
from cseq.modules.compiled.verdict import binary_at, judged, unviolated
from cseq.options.bounds import SEED
from cseq.options.environment import ARGUMENTS, INPUT, VARIABLES, variables, words
from cseq.options.properties import ALSO_DEADLOCK, ALSO_RACE, JOBS, TIMEOUT
from cseq.pipeline.facts import Uses
from cseq.pipeline.stage import Wrapper
from cseq.pipeline.status import PhaseBegan

_REST = (0.1, 2.0)
"""The part of the time, and the seconds if that is more, that are left for repeating a violation and telling it."""

_FEW_RUNS = 100
"""Fewer runs are not worth several processes."""


class CompiledRun(Wrapper):
    """in: a list with the path of a program that has our runtime. out: the outcome.

    FALSE for a violation that a run had, and has again when it is repeated; TRUE if all schedules were explored.
    """

    takes = (
        ENGINE, BUILT, ARGUMENTS, INPUT, VARIABLES, ALSO_DEADLOCK, ALSO_RACE, NO_RACE, EXIT_STATUS, STRATEGY, RUNS,
        TIME, TIMEOUT, SEED, JOBS, EXHAUSTIVE, WEAK, EARLY, SPURIOUS, STEPS, RUN_TIME, SAVE,
        REPEAT, TIMES,
    )  # fmt: skip
    build = Uses(BUILD, None)

    @classmethod
    def settle(cls, values: dict[str, object], given: Collection[str]) -> None:
        """Refuse values that cannot be combined, and a file that cannot be written."""
        run_options.check(values)

    def run(self, value: list[str]) -> Outcome:
        """Look for a violation, and repeat it. Raises UsageError for a program without our runtime."""
        self._program = str(Path(value[0]).absolute())
        if not is_instrumented(self._program):
            raise UsageError(f"{value[0]} was not compiled by cseq-cc or cseq-c++")
        self._binary = binary_at(self._program, self.build is not None)
        self._arguments = words(self.parameter(ARGUMENTS) or "")
        self._expected = run_options.expected_status(self.parameter(EXIT_STATUS))
        repeated = self.parameter(REPEAT)
        try:
            with self._servers() as servers:
                if repeated is not None:
                    return self._repeated(servers[0], saved.read(repeated))
                outcome = self._explored(servers)
        except ServerError as error:
            raise failure(value[0], error) from None
        if self.parameter(SAVE) is not None and outcome.verdict is not Verdict.FALSE:
            self.context.warn("--save: nothing is written: no violation was found")
        return outcome

    @contextlib.contextmanager
    def _servers(self) -> Iterator[list[Server]]:
        """Processes of the program that make runs, as many as there are to be at the same time."""
        processors = sorted(os.sched_getaffinity(0))
        few = self.parameter(REPEAT) is not None or self.parameter(EXHAUSTIVE)
        few = few or (self.parameter(RUNS) or _FEW_RUNS) < _FEW_RUNS
        count = self.parameter(JOBS) or (1 if few else len(processors))
        given = self.parameter(VARIABLES)
        outside = environment(variables(given) if given else None)
        command = [self._program, *self._arguments]
        with contextlib.ExitStack() as stack:
            yield [
                stack.enter_context(
                    Server(
                        command,
                        outside,
                        self.context.workdir,
                        cpu=processors[number % len(processors)],
                        stdin=self.parameter(INPUT),
                    )
                )
                for number in range(count)
            ]

    # Looking for a violation

    def _explored(self, servers: Sequence[Server]) -> Outcome:
        self.context.begin("runs", phase(ActivityKind.SEARCHING, NAME))
        settings = Settings(
            run_options.strategies(self.parameter(STRATEGY)), self.parameter(RUNS),
            time.monotonic() + self._seconds(), self.parameter(SEED), self._flags(), self.parameter(STEPS),
            self.parameter(RUN_TIME), self._expected, races=not self.parameter(NO_RACE),
        )  # fmt: skip
        exploration = Exploration(servers, settings, self._binary, Path.cwd(), self._hear)
        if self.parameter(EXHAUSTIVE):
            explored = exploration.exhaust()
        else:
            first = servers[0].recorded(self._order())
            if len(first.threads) == 1 and first.end is End.EXITED and not fails(first, self._expected):
                outcome = unviolated(1, (Strategy.RUN,), self._binary)  # there is no other schedule
                outcome.output = first.output
                return outcome
            explored = exploration.search()
            if explored.found is None:
                explored.outcome.output = first.output
        if explored.found is not None:
            self._save(servers[0], explored.found)
        return explored.outcome

    def _hear(self, statistics: Statistics) -> None:
        """Report the progress of a search."""
        if self.context.watcher is not None:
            found = [(Amount.RUNS, statistics.runs), (Amount.SCHEDULES, statistics.distinct)]
            found += [(Amount.RACES, statistics.races)] if statistics.races else []
            amounts = tuple((what, float(number)) for what, number in found)
            self.context.report(PhaseBegan(Phase((("", Activity(ActivityKind.SEARCHING, amounts)),), NAME)))

    # What the user wants

    def _order(self) -> RunBatch:
        """A run without preemptions, with the user's limits."""
        steps, seconds = self.parameter(STEPS), min(self.parameter(RUN_TIME), self._seconds())
        return RunBatch(1, Strategy.RUN, self.parameter(SEED), self._flags(), steps=steps, seconds=seconds)

    def _seconds(self) -> float:
        """How long the search may take."""
        chosen = self.parameter(TIME)
        left = self.context.left(self.parameter(TIMEOUT))
        if chosen is None:
            bounded = left is not None or self.parameter(RUNS) is not None or self.parameter(EXHAUSTIVE)
            chosen = float("inf") if bounded else SECONDS
        return chosen if left is None else min(chosen, left - min(max(left * _REST[0], _REST[1]), left / 2))

    def _flags(self) -> RequestFlag:
        """How runs are made."""
        wanted = {
            RequestFlag.WEAK: self.parameter(WEAK),
            RequestFlag.EARLY: self.parameter(EARLY),
            RequestFlag.SPURIOUS: self.parameter(SPURIOUS),
        }
        flags = RequestFlag(0)
        for flag, is_wanted in wanted.items():
            flags |= flag if is_wanted else RequestFlag(0)
        return flags

    # Repeating a run

    def _repeated(self, server: Server, run: saved.SavedRun) -> Outcome:
        """Repeat a saved run; the outcome is that of the repetition."""
        self.context.begin("replay", phase(ActivityKind.REPLAYING))
        self._expected = run.status
        found = repeat(server, run, self.parameter(TIMES))
        if found.same or found.otherwise:
            hangs = run.hangs and found.same > 0
            outcome = judged(found.shown, self._binary, self._expected, Path.cwd(), hangs=hangs)
        elif found.diverged:
            outcome = Outcome(Verdict.UNKNOWN, Reason.DIVERGED, backend=NAME, binary=self._binary)
        else:
            outcome = unviolated(found.times, (), self._binary)
        counts = {"times": found.times, "same": found.same, "otherwise": found.otherwise, "diverged": found.diverged}
        outcome.statistics = {name: float(number) for name, number in counts.items()}
        outcome.output = found.shown.output
        return outcome

    def _save(self, server: Server, found: ViolatingRun) -> None:
        """Write the run where the user wants it."""
        name = self.parameter(SAVE)
        if name is None:
            return
        given, stdin = self.parameter(VARIABLES), self.parameter(INPUT)
        run = saved.SavedRun(
            program=self._program,
            digest=saved.digest(self._program),
            arguments=tuple(self._arguments),
            folder=str(Path.cwd()),
            environment=variables(given) if given else saved.mattering(),
            whole_environment=bool(given),
            stdin=None if stdin is None else str(Path(stdin).absolute()),
            sources=self.build.sources if self.build else (),
            options=self.build.options if self.build else (),
            flags=saved.flag_names(found.order.flags),
            steps=found.order.steps,
            seconds=found.order.seconds,
            sites=tuple(saved.place(site, server.modules) for site in found.order.sites),
            choices=tuple(found.order.choices),
            end=found.recorded.end.name.lower(),
            detail=found.recorded.detail,
            races=tuple(
                (saved.place(race.first.pc, server.modules), saved.place(race.second.pc, server.modules))
                for race in found.recorded.races
            ),
            status=self._expected,
            hangs=found.hang,
            model=self.build.model if self.build else None,
        )
        try:
            Path(name).write_text(run.text(), encoding="utf-8")
        except OSError as error:
            self.context.warn(f"--save: {name}: cannot be written: {error.strerror}")
