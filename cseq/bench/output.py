"""What a benchmark leaves: result files as BenchExec writes them, and lines on the terminal in its form."""

from __future__ import annotations

import os
import platform
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from xml.etree import ElementTree

from cseq.base.errors import UsageError
from cseq.bench.definition import Definition, Run, RunSet
from cseq.bench.measure import Measured
from cseq.bench.runs import Result, Tool
from cseq.bench.scores import CORRECT, ERROR, UNKNOWN, WRONG, Tally
from cseq.version import __version__

_DOCTYPE = (
    "<?xml version='1.0' encoding='utf-8'?>\n"
    '<!DOCTYPE result PUBLIC "+//IDN sosy-lab.org//DTD BenchExec result 3.12//EN" '
    '"https://www.sosy-lab.org/benchexec/result-3.12.dtd">\n'
)
_COLOURS = {CORRECT: "32;1", WRONG: "31;1", UNKNOWN: "33;1", ERROR: "35;1"}
_STATUS = 25
_EVERY = 10.0
"""After so many seconds at most, what is known is in the file."""


def stem(folder: Path, name: str, when: str) -> Path:
    """The path, without its end, of all files of a benchmark that began at *when*."""
    return folder / f"{name}.{when}"


def logs(base: Path) -> Path:
    """The folder for the outputs of the runs."""
    return base.with_name(f"{base.name}.logfiles")


class ResultFile:
    """The result file of one run set, in BenchExec's format.

    base: the path without its end. started: when the benchmark began.
    """

    def __init__(self, base: Path, definition: Definition, run_set: RunSet, tool: Tool, started: str) -> None:
        groups = run_set.groups
        self.name = ".".join(part for part in (run_set.name, *(groups if len(groups) == 1 else ())) if part)
        middle = f"{self.name}.".replace(os.sep, "-") if self.name else ""
        self.path = base.with_name(f"{base.name}.results.{middle}xml")
        self._logs = logs(base).name
        self._run_set = run_set
        self._results: dict[int, Result] = {}
        self._header = _header(definition, run_set, tool, started)
        self._header.set("name", self.name)
        if len(groups) == 1:
            self._header.set("block", groups[0])
        self._begin = time.monotonic()
        self._written = self._begin

    def resume(self) -> None:
        """Take over the results that the file has. Raises UsageError where they were got in another way."""
        if not self.path.exists():
            return
        try:
            root = ElementTree.parse(self.path).getroot()
        except ElementTree.ParseError as error:
            raise UsageError(f"{self.path}: cannot be gone on with: {error}") from None
        for name in ("toolmodule", "version", "options", "timelimit", "memlimit", "cpuCores"):
            if root.get(name) != self._header.get(name):
                was, now = root.get(name) or "none", self._header.get(name) or "none"
                raise UsageError(f"{self.path}: cannot be gone on with: {name} was {was}, and is {now}")
        known = {(e.get("name"), e.get("propertyFile"), e.get("expectedVerdict")): e for e in root.findall("run")}
        for run in self._run_set.runs:
            element = self._element(run)
            found = known.get((element.get("name"), element.get("propertyFile"), element.get("expectedVerdict")))
            result = _read(found) if found is not None else None
            if result is not None:
                self._results[id(run)] = result

    def result(self, run: Run) -> Result | None:
        """What *run* gave; None where it has not ended."""
        return self._results.get(id(run))

    def add(self, run: Run, result: Result) -> None:
        """Take note of a result. It is in the file a little later."""
        self._results[id(run)] = result
        if time.monotonic() - self._written > _EVERY:
            self.write("incomplete")

    def write(self, error: str = "") -> None:
        """Write the file. error: why it is not all."""
        root = ElementTree.Element(self._header.tag, self._header.attrib)
        root.extend(self._header)
        if error:
            root.set("error", error)
        root.set("endtime", _now())
        cputime = 0.0
        for run in self._run_set.runs:
            element = self._element(run)
            result = self._results.get(id(run))
            if result is not None:
                _fill(element, result)
                cputime += result.measured.cputime if result.measured else 0.0
            root.append(element)
        _column(root, "cputime", f"{cputime:.6f}s")
        _column(root, "walltime", f"{time.monotonic() - self._begin:.6f}s")
        ElementTree.indent(root)
        temporary = self.path.with_name(f"{self.path.name}.tmp")
        temporary.write_text(_DOCTYPE + ElementTree.tostring(root, "unicode") + "\n", encoding="utf-8")
        temporary.replace(self.path)
        self._written = time.monotonic()

    def tallies(self) -> Iterator[Tally]:
        """The sums by task set, where there are several, and that of all."""
        groups = self._run_set.groups
        name = self._run_set.name or "all"
        for group in groups if len(groups) > 1 else ():
            yield self._tally(f"{name}: {group}", group)
        yield self._tally(name, None)

    def _tally(self, name: str, group: str | None) -> Tally:
        tally = Tally(name)
        for run in self._run_set.runs:
            result = self._results.get(id(run))
            if result is not None and group in (None, run.group):
                cputime = result.measured.cputime if result.measured else 0.0
                tally.add(result.status, result.category, run.expected.verdict, cputime)
        return tally

    def _element(self, run: Run) -> ElementTree.Element:
        folder = self.path.parent
        element = ElementTree.Element("run", name=os.path.relpath(run.task.path, folder))
        element.set("files", f"[{', '.join(os.path.relpath(file, folder) for file in run.task.files)}]")
        own = run.options[len(self._run_set.options) :]
        if own:
            element.set("options", " ".join(own))
        element.set("logfile", f"{self._logs}/{run.log}")
        element.set("properties", run.expected.name)
        element.set("propertyFile", os.path.relpath(run.expected.property_file, folder))
        if str(run.expected):
            element.set("expectedVerdict", str(run.expected))
        return element


def _now() -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S%z")


def _header(definition: Definition, run_set: RunSet, tool: Tool, started: str) -> ElementTree.Element:
    root = ElementTree.Element(
        "result",
        benchmarkname=definition.name,
        date=started,
        starttime=_now(),
        tool=tool.name,
        version=tool.version,
        toolmodule=tool.module,
        generator=f"cseq-bench {__version__}",
        options=" ".join(run_set.options),
    )
    limits = definition.limits
    for name, value in (
        ("displayName", definition.display_name or None),
        ("memlimit", f"{limits.memory}B" if limits.memory else None),
        ("timelimit", f"{limits.cputime:g}s" if limits.cputime else None),
        ("cpuCores", str(limits.cores) if limits.cores else None),
    ):
        if value is not None:
            root.set(name, value)
    columns = ElementTree.SubElement(root, "columns")
    for title in ("status", "cputime", "walltime", *definition.columns):
        ElementTree.SubElement(columns, "column", title=title)
    system = ElementTree.SubElement(root, "systeminfo", hostname=platform.node())
    ElementTree.SubElement(system, "os", name=platform.platform())
    ElementTree.SubElement(system, "cpu", model=_processor(), cores=str(os.cpu_count() or 1))
    ElementTree.SubElement(system, "ram", size=f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES')}B")
    ElementTree.SubElement(system, "environment")
    return root


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "unknown")


def _column(element: ElementTree.Element, title: str, value: str, hidden: bool = False) -> None:
    column = ElementTree.SubElement(element, "column", title=title, value=value)
    if hidden:
        column.set("hidden", "true")


def _fill(element: ElementTree.Element, result: Result) -> None:
    measured = result.measured
    if measured is not None:
        _column(element, "cputime", f"{measured.cputime:.6f}s")
        _column(element, "memory", f"{measured.memory}B")
    _column(element, "status", result.status)
    if measured is not None:
        _column(element, "walltime", f"{measured.walltime:.6f}s")
    for title, value in result.columns.items():
        _column(element, title, "".join(c if c.isprintable() else " " for c in value))
    _column(element, "category", result.category, hidden=True)
    if measured is not None:
        _column(element, "exitstatus", str(measured.status), hidden=True)
        if measured.reason:
            _column(element, "terminationreason", measured.reason, hidden=True)


def _read(element: ElementTree.Element) -> Result | None:
    """The result in *element*; None where there is none."""
    found = {column.get("title", ""): column.get("value", "") for column in element.findall("column")}
    if not found.get("status"):
        return None
    measured = None
    if "exitstatus" in found:
        measured = Measured(
            int(found["exitstatus"]),
            float(found["walltime"].removesuffix("s")),
            float(found["cputime"].removesuffix("s")),
            int(found["memory"].removesuffix("B")),
            found.get("terminationreason"),
        )
    ours = {"status", "category", "exitstatus", "terminationreason", *asdict(measured or Measured(0, 0, 0, 0, None))}
    columns = {title: value for title, value in found.items() if title not in ours}
    return Result(found["status"], found["category"], measured, columns)


class Lines:
    """Lines on the terminal, and in the text file of a benchmark, about the runs of one run set."""

    def __init__(self, run_set: RunSet, name: str, alone: bool) -> None:
        paths = [str(run.task.path) for run in run_set.runs]
        self._skipped = _common(paths)
        self._width = max([20, *(len(path) - self._skipped for path in paths)]) + 4
        self._alone = alone  # one run at a time: its name is there while it runs
        self._colour = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
        count = len(paths)
        title = f" '{name}'" if name else ""
        print(f"\nexecuting run set{title}     ({count} file{'s' if count != 1 else ''})", flush=True)

    def _name(self, run: Run) -> str:
        return str(run.task.path)[self._skipped :].ljust(self._width)

    def begin(self, run: Run) -> None:
        """A run has begun."""
        if self._alone:
            print(f"{time.strftime('%H:%M:%S')}   {self._name(run)}", end="", flush=True)

    def end(self, run: Run, result: Result) -> None:
        """A run has ended."""
        status = result.status.ljust(_STATUS)
        if self._colour and result.category in _COLOURS:
            status = f"\x1b[{_COLOURS[result.category]}m{status}\x1b[m"
        line = f"{status}{_times(result)}"
        print(line if self._alone else f"{time.strftime('%H:%M:%S')}   {self._name(run)}{line}", flush=True)

    def line(self, run: Run, result: Result | None) -> str:
        """The line for the text file."""
        if result is None:
            return self._name(run).rstrip()
        return f"{self._name(run)}{result.status.ljust(_STATUS)}{_times(result, 12)}"


def _common(paths: list[str]) -> int:
    """The length of the folder that all *paths* lie in, with the separator behind it; 0 where there is none."""
    try:
        folder = os.path.commonpath([os.path.dirname(path) for path in paths])  # noqa: PTH120
    except ValueError:  # no paths, or those of some are absolute
        return 0
    return len(folder) + 1 if folder else 0


def _times(result: Result, width: int = 8) -> str:
    measured = result.measured
    return f"{measured.cputime:{width}.2f}{measured.walltime:{width}.2f}" if measured else ""


def statistics(tally: Tally) -> str:
    """The sum of everything, in BenchExec's form."""
    true, false = tally.count(CORRECT, True), tally.count(CORRECT, False)
    wrong_true, wrong_false = tally.count(WRONG, True), tally.count(WRONG, False)
    return "\n".join(
        [
            "",
            f"Statistics:{tally.runs:>15} Files",
            f"  correct:          {true + false:>6}",
            f"    correct true:   {true:>6}",
            f"    correct false:  {false:>6}",
            f"  incorrect:        {wrong_true + wrong_false:>6}",
            f"    incorrect true: {wrong_true:>6}",
            f"    incorrect false:{wrong_false:>6}",
            f"  unknown:          {tally.unknown:>6}",
            f"  Score:            {tally.score:>6} (max: {tally.most})",
            "",
        ]
    )
