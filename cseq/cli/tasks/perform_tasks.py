"""Check each program in folders for itself: several at a time, with one line about each when it is done."""

import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from cseq.api import GRACE, run
from cseq.cli.console import warn
from cseq.cli.faults import explained
from cseq.cli.options import Arguments
from cseq.cli.outputs import FileOptions
from cseq.cli.perform import parameters
from cseq.cli.progress import progress
from cseq.cli.request import Request
from cseq.cli.tasks.programs_in_folders import FolderProgram, programs
from cseq.cli.tasks.task import Task
from cseq.cli.tasks.task_reports import Reporter, conclude
from cseq.cli.tasks.written_files import FOLDERS, make_folders, write_for
from cseq.cli.validation import check
from cseq.model.errors import CSeqError, UsageError
from cseq.model.taskresults import TaskEnd, TaskFailure, TaskResult
from cseq.model.verdict import Outcome
from cseq.options.cluster_options import CLUSTER
from cseq.options.properties import JOBS, MEMLIMIT
from cseq.pipeline.status import RunningTask
from cseq.process.job_slots import JobSlots, SharedSlots
from cseq.process.portfolio import Contender, contest
from cseq.process.processors import at_most
from cseq.report.text import tasklines

_SINGLE = ("tla", "save", "simulate", "resume")
"""Parameters whose values are files of one program."""

_ASKING = ("spec", "deadlock", "race", "memsafety", "overflow", "only")
"""Parameters that say what is checked."""

_RULES = {"excuse": True, "args_any": True}
"""Values of parameters by which answers are those that SV-COMP expects, as `lazy-cseq.py` has them."""


def perform_all(asked: Arguments) -> int:
    """Do what is *asked* with each program in folders, print it, and return the exit status. Raises CSeqError."""
    _check(asked)
    quiet = asked.printed.for_programs
    whole = any(name in asked.values for name in _ASKING)
    found = programs(asked.files, (lambda line: None) if quiet else (lambda line: warn([line])), whole)
    return perform_tasks(asked, list(_tasks(asked, found)))


Conclude = Callable[[Sequence[TaskResult], float, bool], int]
"""Called with the results, the seconds that all took, and whether the user has ended the run; the exit status."""


def perform_tasks(
    asked: Arguments,
    tasks: list[Task | TaskResult],
    judge: Callable[[TaskResult], TaskResult] = lambda result: result,
    conclude: Conclude | None = None,
) -> int:
    """Do the *tasks* as they are *asked* for, print what becomes of each, and return the exit status.

    judge: called with each result of a task before it is printed; its value takes the place of the result. conclude:
    reports on all of them; without it, that is done as for programs in folders. Raises CSeqError.
    """
    conclude = conclude or (lambda results, seconds, interrupted: _conclude(asked, results, seconds, interrupted))
    begun = time.monotonic()
    jobs = asked.values.get(JOBS.name)
    with (
        progress(not asked.printed.for_programs, None, asked.values.get(MEMLIMIT.name)) as view,
        at_most(jobs) as number,
        tempfile.TemporaryDirectory(prefix="cseq-", ignore_cleanup_errors=True) as folder,
    ):
        reporter = Reporter(asked.printed, tasks, view)
        at_a_time = number if asked.values.get(CLUSTER.name) is None else 1  # each has the whole cluster
        shared_slots = SharedSlots(
            JobSlots(Path(folder) / "slots", at_a_time), sum(isinstance(task, Task) for task in tasks)
        )
        working = _Tasks(tasks, asked, shared_slots, reporter, judge)
        try:
            working.run(Path(folder))
        except KeyboardInterrupt:
            conclude(working.results(), time.monotonic() - begun, True)
            raise
    return conclude(working.results(), time.monotonic() - begun, False)


def _conclude(asked: Arguments, results: Sequence[TaskResult], seconds: float, interrupted: bool) -> int:
    return conclude(asked.printed, (asked.command, *asked.words), results, seconds, interrupted)


def _check(asked: Arguments) -> None:
    """Raise UsageError for options that are about one program, and for folders that cannot be written."""
    written = asked.written
    others = [f"--{name.replace('_', '-')}" for name, value in vars(written).items() if value and name not in FOLDERS]
    single = [_option(asked, name) for name in _SINGLE if name in asked.values]
    if refused := [*asked.printed.program, *others, *single]:
        raise UsageError(f"{refused[0]} is about one program, and {asked.files[0]} is a folder of programs")
    make_folders(written, asked.files)


def _option(asked: Arguments, name: str) -> str:
    found = asked.chains.parameters().get(name)
    return max(found.options, key=len) if found is not None and found.options else f"--{name}"


# Tasks


def _tasks(asked: Arguments, found: list[FolderProgram]) -> Iterator[Task | TaskResult]:
    """A task for each program, or its result where there can be none. Raises UsageError where no option fits any."""
    first: UsageError | None = None
    made: list[Task | TaskResult] = []
    for program in found:
        only = program.wanted.name if program.wanted and len(program.inside.parts) > 1 and _is_split(program) else ""
        try:
            if program.fault is not None:
                raise program.fault
            made.append(_task(asked, program, only))
        except CSeqError as error:
            first = first or (error if isinstance(error, UsageError) else None)
            made.append(TaskResult(program.path, TaskEnd.FAILED, only, program.files, failure=failure_of(error)))
    if first is not None and not any(isinstance(task, Task) for task in made):
        raise first
    yield from made


def _is_split(program: FolderProgram) -> bool:
    """Whether a task definition is several tasks, one for each property."""
    return program.definition is not None and len(program.definition.wanted) > 1


def _task(asked: Arguments, program: FolderProgram, only: str) -> Task:
    """The task of *program*. Raises UsageError where the options do not fit it."""
    more: dict[str, object] = {}
    definition, wanted = program.definition, program.wanted
    if definition is not None and definition.bits is not None and "bits" not in asked.values:
        more["bits"] = definition.bits
    if wanted is not None:
        more["spec"] = wanted.spec
    expected = wanted.expected if wanted is not None else definition.expected if definition is not None else {}
    request = asked.request(program.files, **more)
    request = replace(
        request, printed=replace(request.printed, stop_on_violation=False), written=FileOptions(), named=program.path
    )
    if definition is not None:
        request = request.having(**{name: value for name, value in _RULES.items() if name not in asked.values})
    check(request)
    return Task(program.path, program.inside, request, only, expected)


def failure_of(error: Exception) -> TaskFailure:
    """Why a task that ended with *error* has no outcome."""
    if isinstance(error, CSeqError):
        return TaskFailure(error.message, error.origin, error.exit_status)
    message, status = explained(error, command="")
    return TaskFailure(message, None, status)


class _Tasks:
    """The tasks, each in a process of its own. Those that cannot begin are results already."""

    def __init__(
        self,
        tasks: list[Task | TaskResult],
        asked: Arguments,
        shared_slots: SharedSlots,
        reporter: Reporter,
        judge: Callable[[TaskResult], TaskResult],
    ) -> None:
        self._all = tasks
        self._tasks = {task.label: task for task in tasks if isinstance(task, Task)}
        self._asked, self._shared_slots, self._reporter, self._judge = asked, shared_slots, reporter, judge
        self._begun: dict[str, float] = {}
        self._results: dict[str, TaskResult] = {}

    def run(self, folder: Path) -> None:
        """Do the tasks. folder: for temporary files."""
        for task in self._all:
            if isinstance(task, TaskResult):
                self._reporter.show(task)
        stops = self._asked.printed.stop_on_violation
        contest(self._contenders(stops), self._is_wanted, folder, over=self._over, most=self._shared_slots.slots.count,
                patience=None)  # fmt: skip

    def results(self) -> list[TaskResult]:
        """What is known of each task now, in the order of the tasks."""
        return [task if isinstance(task, TaskResult) else self._result(task) for task in self._all]

    def _result(self, task: Task) -> TaskResult:
        stopped = TaskResult(task.path, TaskEnd.STOPPED, task.only, task.request.files, task.expected)
        return self._results.get(task.label, stopped)

    def _contenders(self, stops: bool) -> Iterator[Contender[None, Outcome]]:
        for label, task in self._tasks.items():
            self._begun[label] = time.monotonic()
            self._tell()
            yield Contender(label, self._work(task), question="" if stops else label)

    def _work(self, task: Task) -> Callable[[Callable[[None], None]], Outcome]:
        """What the process for *task* does."""
        written, outside = self._asked.written, tempfile.gettempdir()

        def work(say: Callable[[None], None]) -> Outcome:
            request = _with_share(task.request, self._shared_slots)
            if written.reproducer is not None:
                request = request.having(moves=True)
            keep = Path(written.keep) / task.inside if written.keep is not None else None
            limit = request.values.get("timeout")
            end = None if limit is None else time.monotonic() + limit + GRACE
            outcome = run(request.way, request.files, rivals=request.rivals, keep=keep, shared_slots=self._shared_slots)
            if not isinstance(outcome, Outcome):
                raise UsageError(f"the chain {request.way.chain.path} ends without a verdict")
            if outcome.kept is not None and keep is None:  # for the report of a bug; what is in our folder goes
                outcome.kept = str(shutil.move(outcome.kept, outside))
            write_for(task, request, outcome, written, end)
            return outcome

        return work

    def _is_wanted(self, label: str, outcome: Outcome) -> bool:
        task = self._tasks[label]
        self._take(
            TaskResult(
                task.path,
                TaskEnd.ANSWERED,
                task.only,
                task.request.files,
                task.expected,
                task.as_expected(outcome),
                time.monotonic() - self._begun[label],
                outcome,
                parameters=parameters(task.request),
            ),
            label,
        )
        return self._asked.printed.stop_on_violation and self._results[label].exit_status == 1

    def _over(self, label: str, answer: Outcome | Exception) -> None:
        if isinstance(answer, Outcome):
            return  # taken already
        task = self._tasks[label]
        seconds = time.monotonic() - self._begun[label]
        failure = failure_of(answer)
        self._take(
            TaskResult(
                task.path,
                TaskEnd.FAILED,
                task.only,
                task.request.files,
                task.expected,
                seconds=seconds,
                failure=failure,
            ),
            label,
        )

    def _take(self, result: TaskResult, label: str) -> None:
        result = self._judge(result)
        self._results[label] = result
        self._shared_slots.over()
        self._reporter.show(result)
        self._tell()

    def _tell(self) -> None:
        running = [
            RunningTask(tasklines.name(self._result(self._tasks[label])), since)
            for label, since in self._begun.items()
            if label not in self._results
        ]
        self._reporter.changed(tuple(running), self.results())


def _with_share(request: Request, shared_slots: SharedSlots) -> Request:
    """*request* with its share of the processors and of the memory."""
    shared: dict[str, object] = {} if CLUSTER.of(request.values) is not None else {JOBS.name: shared_slots.share()}
    memory = MEMLIMIT.of(request.values)
    if memory is not None:
        shared[MEMLIMIT.name] = max(memory // shared_slots.width, 1)
    return request.having(**shared)
