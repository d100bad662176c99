"""The result files and the lines on the terminal: BenchExec's, and going on with those of an earlier benchmark."""

import os
import time
from datetime import datetime
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from benchexec.model import Benchmark, Run, RunSet
from benchexec.outputhandler import TIME_PRECISION, OutputHandler
from benchexec.systeminfo import SystemInfo
from benchexec.util import TIMESTAMP_FILENAME_FORMAT, format_number, read_local_time

from cseq.model.errors import UsageError
from cseq.version import __version__

_EVERY = 10.0
"""After so many seconds at most a result is in the file. BenchExec takes a minute; what is not there is not resumed."""


def last_start(folder: Path, name: str) -> datetime | None:
    """When the last benchmark called *name* began whose results are in *folder*."""
    stamps = [path.name.removeprefix(f"{name}.").partition(".results.")[0] for path in folder.glob(f"{name}.*.xml")]
    found = []
    for stamp in stamps:
        try:
            found.append(datetime.strptime(stamp, TIMESTAMP_FILENAME_FORMAT))
        except ValueError:
            continue  # a file of another benchmark, whose name begins in the same way
    return max(found, default=None)


class ResultFiles(OutputHandler):  # type: ignore[misc]  # BenchExec has no annotations
    """BenchExec's files: one for each run set, and a text for all of them.

    resume: take over the results that the files of *benchmark* have already.
    Raises UsageError if they were obtained in another way.
    """

    def __init__(self, benchmark: Benchmark, resume: bool = False) -> None:
        self.benchmark = benchmark
        self._earlier: dict[RunSet, dict[tuple[str | None, ...], ElementTree.Element]] = {}
        if resume:
            self._earlier = {run_set: self._read(run_set) for run_set in benchmark.run_sets}
        system = SystemInfo()
        system.environment = {}  # results are published, and the environment may hold secrets
        super().__init__(benchmark, system, benchmark.config)
        self.results_per_rundefinition = True
        self.xml_header.set("generator", f"cseq-bench {__version__}")  # BenchExec measures in another way

    @property
    def paths(self) -> list[Path]:
        """The result files that there are."""
        return [Path(name) for name in self.xml_file_names]

    def get_filename(self, runSetName: str | None, fileExtension: str) -> str:
        """The path of a file; a folder in the name of a run set is no folder there."""
        return str(super().get_filename((runSetName or "").replace(os.sep, "-"), fileExtension))

    def runs_to_xml(self, runSet: RunSet, runs: list[Run], blockname: str | None = None) -> ElementTree.Element:
        """The tree of the file, at the beginning with what is taken over: so the first file that is written has it."""
        earlier = self._earlier.pop(runSet, {})
        for run in runs:
            run.xml.set("logfile", os.path.relpath(run.log_file, self.benchmark.config.output_path))
            found = earlier.get(_key(run.xml))
            if found is not None:
                self._take_over(run, found)
        root: ElementTree.Element = super().runs_to_xml(runSet, runs, blockname)
        return root

    def output_after_run(self, run: Run) -> None:
        """Take note of the result of *run*. It is in the file a little later."""
        super().output_after_run(run)
        run_set = run.runSet
        if time.monotonic() - run_set.xml_file_last_modified_time > _EVERY:
            self._write_rough_result_xml_to_file(run_set.xml, run_set.xml_file_name)
            run_set.xml_file_last_modified_time = time.monotonic()

    def create_output_line(self, runSet: RunSet, sourcefile: str, status: str, cputime_delta: str, walltime_delta: str,
                           host: str | None, *columns: Any) -> str:  # fmt: skip
        """A line of the text. The host is known, and empty: BenchExec would write "None"."""
        return str(
            super().create_output_line(runSet, sourcefile, status, cputime_delta, walltime_delta, host or "", *columns)
        )

    def end(self, run_set: RunSet, walltime: float) -> None:
        """All runs of *run_set* have ended, or it is interrupted. walltime: how long it took, in seconds."""
        cputime = sum(run.values.get("cputime") or 0.0 for run in run_set.runs)
        self.output_after_run_set(run_set, cputime=cputime, walltime=walltime, end_time=read_local_time())

    def conclude(self) -> None:
        """All run sets have ended: print the statistics, also into the text."""
        text = str(self.statistics)
        print(text)
        self.txt_file.append(text)

    def _read(self, run_set: RunSet) -> dict[tuple[str | None, ...], ElementTree.Element]:
        """The runs with a result in the file of *run_set*."""
        path = Path(self.get_filename(run_set.name, "xml"))
        if not path.exists():
            return {}
        try:
            root = ElementTree.parse(path).getroot()
        except ElementTree.ParseError as error:
            raise UsageError(f"{path}: cannot be resumed: {error}") from None
        for name, now in self._conditions(run_set).items():
            was = root.get(name) or "none"
            if was != now:
                raise UsageError(f"{path}: cannot be resumed: {name} was {was}, and is {now}")
        return {_key(run): run for run in root.findall("run") if run.find("column[@title='status']") is not None}

    def _conditions(self, run_set: RunSet) -> dict[str, str]:
        """Under which conditions the runs are carried out: attributes of the file."""
        benchmark, limits = self.benchmark, self.benchmark.rlimits
        return {
            "toolmodule": benchmark.tool_module,
            "version": benchmark.tool_version or "none",
            "options": " ".join(run_set.options) or "none",
            "timelimit": f"{limits.cputime}s" if limits.cputime else "none",
            "memlimit": f"{limits.memory}B" if limits.memory else "none",
            "cpuCores": str(limits.cpu_cores or "none"),
        }

    def _take_over(self, run: Run, element: ElementTree.Element) -> None:
        """Give *run* the result in *element*, and count it."""
        found = {column.get("title", ""): column for column in element.findall("column")}
        run.status, run.category = (found.pop(name).get("value", "") for name in ("status", "category"))
        for column in run.columns:
            column.value = found.pop(column.title).get("value", "") if column.title in found else ""
        for title, column in found.items():
            value = column.get("value", "")
            timed = title in ("cputime", "walltime")
            run.values[f"@{title}" if column.get("hidden") else title] = float(value[:-1]) if timed else value
        times = [format_number(run.values.get(name), TIME_PRECISION) for name in ("cputime", "walltime")]
        run.resultline = self.create_output_line(
            run.runSet, run.identifier, run.status, *times, run.values.get("host"), run.columns
        )
        self.add_values_to_run_xml(run)
        self.statistics.add_result(run)


def _key(run: ElementTree.Element) -> tuple[str | None, ...]:
    """What tells the <run> *run* apart from others of its run set."""
    return run.get("name"), run.get("propertyFile"), run.get("expectedVerdict")
