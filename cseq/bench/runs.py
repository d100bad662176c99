"""Carry out the runs of a definition, several at a time, and say what each of them gave."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from cseq.base.errors import BackendError, UsageError
from cseq.bench.definition import Definition, Run, RunSet, substituted
from cseq.bench.measure import Limits, Measured, Measurement
from cseq.bench.scores import category
from cseq.bench.toolinfo import BaseTool2, UnsupportedFeatureException, exit_code

_UNSPECIFIC = ("done", "ERROR", "unknown")
_SIGNALS = {signal.SIGABRT: "ABORTED", signal.SIGSEGV: "SEGMENTATION FAULT", signal.SIGTERM: "KILLED"}
_REASONS = {"cputime": "TIMEOUT", "walltime": "TIMEOUT", "memory": "OUT OF MEMORY"}
_HEAD_LINES = 6
"""So many lines of a log are in front of the output."""


@dataclass(frozen=True)
class Result:
    """What a run gave. columns: titles → values, of those that the definition asks for."""

    status: str
    category: str
    measured: Measured | None = None
    columns: dict[str, str] = field(default_factory=dict)


class Tool:
    """A tool that is there. module: its tool-info module; info: what that module says; path: the program."""

    def __init__(self, module: str, info: Any, path: str) -> None:
        self.module = module
        self.info = info
        self.path = path
        self.name = str(info.name())
        self.version = str(info.version(path) or "")
        self.environment: dict[str, str] = dict(info.environment(path).get("newEnv", {}))

    def command(self, run: Run, options: list[str], limits: Limits) -> list[str]:
        """The command line for *run*. Raises UnsupportedFeatureException where the tool cannot do it."""
        whole = int(limits.cputime) if limits.cputime is not None else None
        walltime = int(limits.walltime) if limits.walltime is not None else None
        rlimits = BaseTool2.ResourceLimits(whole, whole, walltime, limits.memory, limits.cores)
        task = BaseTool2.Task(
            [str(file) for file in run.task.files], None, str(run.expected.property_file), run.task.options
        )
        words: list[str] = self.info.cmdline(self.path, list(options), task, rlimits)
        return words


class Runner:
    """Runs *tool* on the tasks of *definition*. logs: the folder for their outputs. values: those of variables."""

    def __init__(self, definition: Definition, tool: Tool, logs: Path, values: dict[str, str]) -> None:
        self._definition = definition
        self._tool = tool
        self._logs = logs
        self._values = values
        self._running: set[Measurement] = set()
        self._slots: SimpleQueue[list[int]] = SimpleQueue()
        for cores in self._processors():
            self._slots.put(cores)

    def _processors(self) -> list[list[int]]:
        """Those for each of the runs that go on at a time; none where there is no limit to them."""
        jobs, cores = self._definition.jobs, self._definition.limits.cores
        if cores is None:
            return [[] for _ in range(jobs)]
        known = sorted(os.sched_getaffinity(0))
        if jobs * cores > len(known):
            raise UsageError(f"{jobs} runs at a time on {cores} processors each are more than the {len(known)} here")
        return [known[job * cores : (job + 1) * cores] for job in range(jobs)]

    def run(self, run_set: RunSet, runs: Iterable[Run], begun: Callable[[Run], None],
            ended: Callable[[Run, Result], None]) -> None:  # fmt: skip
        """Carry out *runs*; *begun* and *ended* are called when each does so, *ended* by the caller's thread alone.

        What interrupts the wait kills what is running.
        """
        waiting = list(reversed(list(runs)))
        going: dict[Future[Result], Run] = {}
        with ThreadPoolExecutor(self._definition.jobs) as pool:
            try:
                while waiting or going:
                    while waiting and len(going) < self._definition.jobs:
                        run = waiting.pop()
                        begun(run)
                        going[pool.submit(self._result, run_set, run)] = run
                    for future in wait(going, return_when=FIRST_COMPLETED).done:
                        ended(going.pop(future), future.result())
            except BaseException:
                for measurement in list(self._running):
                    measurement.stop()
                raise

    def _result(self, run_set: RunSet, run: Run) -> Result:
        log = self._logs / run.log
        values = {
            **self._values,
            "rundefinition_name": run_set.name,
            "taskdef_name": run.task.path.name,
            "taskdef_path": str(run.task.path.parent),
            "taskdef_path_abs": str(run.task.path.parent.absolute()),
        }
        limits = self._definition.limits
        try:
            command = self._tool.command(run, substituted(run.options, values), limits)
        except UnsupportedFeatureException as error:
            log.write_text(f"{error}\n", encoding="utf-8")
            return Result("ERROR (unsupported task)", category("ERROR", run.expected))
        cores = self._slots.get()
        measurement = Measurement(command, log, limits, self._tool.environment, cores)
        self._running.add(measurement)
        try:
            measured = measurement.run()
        except BackendError as error:  # for want of memory, say; the others may do better
            with log.open("a", encoding="utf-8") as file:
                file.write(f"{error}\n")
            return Result("ERROR (not measured)", category("ERROR", run.expected))
        finally:
            self._running.discard(measurement)
            self._slots.put(cores)
        return self._judged(run, command, measured, log)

    def _judged(self, run: Run, command: list[str], measured: Measured, log: Path) -> Result:
        lines = log.read_text(encoding="utf-8", errors="replace").splitlines(keepends=True)[_HEAD_LINES:]
        output = BaseTool2.RunOutput(lines)
        code = exit_code(measured.status)
        said = str(self._tool.info.determine_result(BaseTool2.Run(command, code, output, measured.reason)))
        status = judged(said, code.value, code.signal, measured, self._definition.limits)
        columns = {
            title: str(self._tool.info.get_value_from_output(output, asked) or "")
            for title, asked in self._definition.columns.items()
        }
        return Result(status, category(status, run.expected), measured, columns)


def judged(said: str, value: int | None, signal_: int | None, measured: Measured, limits: Limits) -> str:
    """The status of a run of which the tool-info module *said* something.

    value, signal_: how the process ended. A verdict that came too late is none: it is named behind the reason.
    """
    if said in _UNSPECIFIC:
        if signal_:
            said = _SIGNALS.get(signal.Signals(signal_), f"KILLED BY SIGNAL {signal_}")
        elif value and said != "unknown":
            said = f"ERROR ({value})"
    late = (limits.cputime is not None and measured.cputime > limits.cputime) or (
        limits.walltime is not None and measured.walltime > limits.walltime
    )
    status = _REASONS.get(measured.reason or "", "TIMEOUT" if late else "")
    if not status:
        return said
    worth_saying = said not in (*_UNSPECIFIC, status, "KILLED", "KILLED BY SIGNAL 9")
    return f"{status} ({said})" if worth_saying else status
