"""Carry out the runs of a benchmark, several at a time.

BenchExec's own executor needs cgroups, and keeps its queue and its workers in global variables.
"""

import os
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchexec.model import Benchmark, Run, RunSet
from benchexec.result import CATEGORY_ERROR
from benchexec.tools.template import BaseTool2, ToolNotFoundException, UnsupportedFeatureException
from benchexec.util import ProcessExitCode, read_local_time

from cseq.bench.benchexec_process import CHECKOUT
from cseq.bench.measure import Measured, Measurement
from cseq.bench.resultfiles import ResultFiles
from cseq.model.errors import UsageError
from cseq.process.portfolio import Contender, contest


def find_tool(benchmark: Benchmark, folder: str | None) -> None:
    """Find the program of the tool of *benchmark* and ask for its version.

    It is looked for in *folder* if that is given, else in the checkout of CSeq, on PATH and in the current folder.
    Raises UsageError if it is not found.
    """
    places: list[dict[str, Any]] = [{"tool_directory": folder}] if folder else [{"use_path": True, "use_current": True}]
    if not folder and (CHECKOUT / "modules").is_dir():
        places.insert(0, {"tool_directory": str(CHECKOUT)})
    message = ""
    for place in places:
        try:
            benchmark.executable = benchmark.tool.executable(BaseTool2.ToolLocator(**place))
        except ToolNotFoundException as error:
            message = str(error).splitlines()[0]
        else:
            benchmark.tool_version = str(benchmark.tool.version(benchmark.executable) or "")
            return
    raise UsageError(f"the tool is not installed: {message}")


class Runner:
    """Carries out the runs of *benchmark*, whose tool has been found, and hands their results to *files*."""

    def __init__(self, benchmark: Benchmark, files: ResultFiles) -> None:
        self._benchmark = benchmark
        self._files = files
        self._folder = Path(benchmark.working_directory())
        self._environment = dict(benchmark.environment().get("newEnv", {}))
        self._slots = self._processors()
        self._taken: dict[str, list[int]] = {}  # by the name of the run

    def _processors(self) -> list[list[int]]:
        """The processors of each run that goes on at a time; none if there is no limit to them."""
        jobs, cores = self._benchmark.num_of_threads, self._benchmark.rlimits.cpu_cores
        if cores is None:
            return [[] for _ in range(jobs)]
        known = sorted(os.sched_getaffinity(0))
        if jobs * cores > len(known):
            raise UsageError(f"{jobs} runs at a time on {cores} processors each are more than the {len(known)} here")
        return [known[job * cores : (job + 1) * cores] for job in range(jobs)]

    def carry_out(self, run_set: RunSet) -> None:
        """Carry out what is not done yet. If that is interrupted, what is running is killed, and the files say so."""
        begin = time.monotonic()
        self._files.output_before_run_set(run_set, read_local_time())
        missing = [run for run in run_set.runs if not run.status]
        if len(missing) < len(run_set.runs):
            print(f"{len(run_set.runs) - len(missing)} are done already")
        try:
            self._carry_out(missing)
        except BaseException:
            self._files.set_error("interrupted", run_set)
            raise
        finally:
            self._files.end(run_set, time.monotonic() - begin)

    def _carry_out(self, runs: Sequence[Run]) -> None:
        named = {str(number): run for number, run in enumerate(runs)}

        def over(name: str, measured: Measured | Exception) -> None:
            run = named[name]
            self._slots.append(self._taken.pop(name))
            if isinstance(measured, Measured):
                give_result(run, measured)
            else:  # for want of memory, say; the others may do better
                _fail(run, "ERROR (not measured)", measured)
            self._files.output_after_run(run)

        with tempfile.TemporaryDirectory(prefix="cseq-bench-", ignore_cleanup_errors=True) as folder:
            jobs = self._benchmark.num_of_threads
            contest(self._contenders(named), lambda *_: False, Path(folder), over=over, most=jobs, patience=None)

    def _contenders(self, named: Mapping[str, Run]) -> Iterator[Contender[None, Measured]]:
        """One for each run that can be carried out; each has processors of its own."""
        for name, run in named.items():
            self._files.output_before_run(run)
            try:
                command = run.cmdline()
            except UnsupportedFeatureException as error:
                _fail(run, "ERROR (unsupported task)", error)
                self._files.output_after_run(run)
                continue
            cores = self._taken[name] = self._slots.pop()
            limits, log = self._benchmark.rlimits, Path(run.log_file)
            measurement = Measurement(command, log, limits, self._environment, cores, self._folder)
            yield Contender(name, measurement.run, question=name)


def give_result(run: Run, measured: Measured) -> None:
    """Give *run*, which has ended, the status, the category and the columns that BenchExec sees in it."""
    values = {
        "exitcode": ProcessExitCode.from_raw(measured.status),
        "walltime": round(measured.walltime, 6),
        "cputime": round(measured.cputime, 6),
        "memory": measured.memory,
    }
    run.set_result(values | ({"terminationreason": measured.reason} if measured.reason else {}))
    for column in run.columns:  # BenchExec fails for characters that XML does not allow
        column.value = "".join(c if c.isprintable() else " " for c in str(column.value or ""))


def _fail(run: Run, status: str, error: Exception) -> None:
    """Give *run*, which cannot be carried out, a status; its log says why."""
    with Path(run.log_file).open("a", encoding="utf-8") as file:
        file.write(f"{error}\n")
    run.status, run.category = status, CATEGORY_ERROR
