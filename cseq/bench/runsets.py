"""The run sets of a benchmark: those of its definition, or of tasks that the command line names.

Both are BenchExec's `Benchmark`, `RunSet` and `Run`. Three things differ from what BenchExec does itself: a task that
is at fault is left out and reported with its line, while BenchExec would run nothing; elements of a definition that
BenchExec would pass over are refused; and for tasks on the command line there is one run set per property.
"""

import contextlib
import glob
import logging
import os
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from benchexec import BenchExecException
from benchexec.benchexec import BenchExec
from benchexec.model import Benchmark, Run, RunSet, SourcefileSet, get_propertytag, load_task_definition_file
from benchexec.util import (
    expand_filename_pattern,
    parse_memory_value,
    parse_timespan_value,
    read_local_time,
    text_or_none,
)

from cseq.bench.benchexec_process import OPTIONS
from cseq.bench.taskfiles import TaskGroup, fault, listed
from cseq.model.errors import CSeqError, InputError, UsageError
from cseq.model.origin import Origin

_IN_RUN_DEFINITION = frozenset({"tasks", "option", "propertyfile", "requiredfiles", "resultfiles"})
_IN_BENCHMARK = _IN_RUN_DEFINITION | {"rundefinition", "columns", "require"}
_IN_TASKS = frozenset({"include", "includesfile", "exclude", "excludesfile", "option", "propertyfile", "requiredfiles"})
_NONE = "\0"
"""No set of tasks has this name: BenchExec is to read a definition without its tasks."""

_BARE = '<benchmark tool="cseq.benchexec_tool"><columns><column title="message">message</column></columns></benchmark>'
"""The definition where there is none."""


class CheckedRunSet(RunSet):  # type: ignore[misc]  # BenchExec has no annotations
    """A run set that leaves out tasks that are at fault. errors: what is wrong with them."""

    def __init__(self, element: ElementTree.Element, benchmark: Benchmark, index: int,
                 common: Sequence[ElementTree.Element] = ()) -> None:  # fmt: skip
        self.errors: list[CSeqError] = []
        self._complete = False
        super().__init__(element, benchmark, index, list(common))
        self._complete = True

    def should_be_executed(self) -> bool:
        """Always, once it is complete: until then BenchExec would warn of equal names of logs (see `name_logs`)."""
        return self._complete

    def get_task_def_files_from_xml(self, element: ElementTree.Element, base_dir: str) -> list[str]:
        """Those of one <tasks>. Raises UsageError for what BenchExec only warns of."""
        path = self.benchmark.benchmark_file
        _refuse_unknown(path, element, _IN_TASKS)
        chosen = get_propertytag(element)
        chosen = self.propertytag if chosen is None else chosen
        if chosen is None:
            raise UsageError(f"{path}: the run definition `{self.real_name or ''}` has no <propertyfile>")
        if len(expand_filename_pattern(text_or_none(chosen) or "", base_dir)) != 1:
            raise UsageError(f"{path}: the property file `{text_or_none(chosen)}` does not exist")
        for tag in ("include", "includesfile", "excludesfile"):
            for pattern in (text_or_none(child) or "" for child in element.findall(tag)):
                names = self.expand_filename_pattern(pattern, base_dir)
                if not names:
                    raise UsageError(f"{path}: `{pattern}` in <{tag}> matches no file")
                for name in names if tag != "include" else ():
                    listed(Path(name), logging.warning)
        found: list[str] = super().get_task_def_files_from_xml(element, base_dir)
        return found

    def create_run_for_input_file(self, input_file: str, *_: Any) -> Run:
        """Refuse what is no task definition: nothing is known of the verdict."""
        raise UsageError(f"{self.benchmark.benchmark_file}: `{input_file}` is not a task definition (.yml)")

    def create_run_from_task_definition(self, task_def_file: str, *rest: Any) -> Run | None:
        """The run, or None where the task does not have the property or is at fault."""
        error = fault(Path(task_def_file))
        if error:
            self.errors.append(error)
            return None
        try:
            return super().create_run_from_task_definition(task_def_file, *rest)
        except BenchExecException as refusal:
            self.errors.append(InputError(str(refusal), Origin(task_def_file, 1)))
            return None


class PropertyRunSet(CheckedRunSet):
    """Runs of tasks that were found by path, for the property *name* alone.

    The options of single run definitions hold for their own tasks, so these have only those of the whole benchmark.
    """

    def __init__(self, name: str, groups: Iterable[TaskGroup], benchmark: Benchmark, index: int) -> None:
        self._groups = list(groups)
        super().__init__(ElementTree.Element("rundefinition", name=name), benchmark, index)

    def extract_runs_from_xml(self, *_: Any) -> list[SourcefileSet]:
        """One set of tasks for each group that has the property."""
        sets = [SourcefileSet(group, group, list(self._runs(paths))) for group, paths in self._groups]
        return [one for one in sets if one.runs]

    def _runs(self, paths: Iterable[Path]) -> Iterator[Run]:
        for path in paths:
            for file in self._property_files(path):
                element = ElementTree.Element("propertyfile")
                element.text = glob.escape(os.path.relpath(file, self.benchmark.base_dir))
                run = self.create_run_from_task_definition(str(path), [], element, set())
                if run:
                    yield run

    def _property_files(self, path: Path) -> list[str]:
        """The files of the property that the task *path* has: one or none."""
        error = fault(path)
        if error:
            self.errors.append(error)
            return []
        listed = load_task_definition_file(str(path)).get("properties", [])
        names = [name for one in listed for name in expand_filename_pattern(one["property_file"], str(path.parent))]
        return [name for name in names if Path(name).stem == self.real_name]


def load(path: Path | None, arguments: Sequence[str]) -> Benchmark:
    """The benchmark that the definition *path* describes, still without run sets.

    path: where it is None, there is a definition without tasks.
    arguments: those of BenchExec's command line. Raises InputError and UsageError.
    """
    config = BenchExec().create_argument_parser().parse_args([str(path or "tasks.xml"), *OPTIONS, *arguments])
    config.selected_sourcefile_sets = [_NONE]
    if path:
        root = _root(path)
        _refuse_unknown(path, root, _IN_BENCHMARK)
        _check_numbers(path, root)
        benchmark = _benchmark(path, config)
    else:
        with tempfile.TemporaryDirectory() as folder:
            bare = Path(folder) / "tasks.xml"
            bare.write_text(_BARE, encoding="utf-8")
            benchmark = _benchmark(bare, config)
        benchmark.base_dir = benchmark.benchmark_file = ""
    config.selected_sourcefile_sets = None
    benchmark.run_sets = []
    return benchmark


def _benchmark(path: Path, config: Any) -> Benchmark:
    with _explained(path):
        return Benchmark(str(path), config, config.start_time or read_local_time())


@contextlib.contextmanager
def _explained(path: Path) -> Iterator[None]:
    """Make an error of BenchExec's, in the definition *path*, one of ours, and leave out warnings that say less."""
    logger = logging.getLogger()
    logger.addFilter(_says_more)
    try:
        yield
    except (BenchExecException, SystemExit) as error:
        raise UsageError(f"{path}: {error}") from None
    finally:
        logger.removeFilter(_says_more)


def _says_more(record: logging.LogRecord) -> bool:
    """Whether a warning is not one of those: no tasks are called `_NONE`; a pattern matches no file (see `listed`)."""
    return record.funcName not in ("extract_runs_from_xml", "expand_filename_pattern")


def _root(path: Path) -> ElementTree.Element:
    try:
        root = ElementTree.parse(path).getroot()
    except ElementTree.ParseError as error:
        raise InputError(f"not XML: {str(error).partition(':')[0]}", Origin(str(path), error.position[0])) from None
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}") from None
    if root.tag != "benchmark":
        raise InputError(f"<{root.tag}> is not a benchmark definition (<benchmark>)", Origin(str(path), 1))
    return root


def _refuse_unknown(path: Path | str, element: ElementTree.Element, known: Iterable[str]) -> None:
    for child in element:
        if child.tag not in known:
            raise UsageError(f"{path}: <{child.tag}> in <{element.tag}> is not supported")


def _check_numbers(path: Path, root: ElementTree.Element) -> None:
    """Refuse limits and counts that BenchExec cannot read: it reports what Python says of them."""
    for name in ("threads", "cpuCores"):
        text = root.get(name, "1")
        if not text.isdigit() or int(text) == 0:
            raise UsageError(f"{path}: {name}=`{text}` is not a positive number")
    for name, parse, example in (
        ("timelimit", parse_timespan_value, "time, such as `60 s`"),
        ("hardtimelimit", parse_timespan_value, "time, such as `60 s`"),
        ("walltimelimit", parse_timespan_value, "time, such as `60 s`"),
        ("memlimit", parse_memory_value, "memory, such as `8 GB`"),
    ):
        text = root.get(name, "1")
        try:
            parse(text)
        except ValueError:
            raise UsageError(f"{path}: {name}=`{text}` is not a limit of {example}") from None


def of_definition(benchmark: Benchmark, selected: Sequence[str]) -> list[CheckedRunSet]:
    """The run sets of the definition of *benchmark*. selected: the names of those that are wanted; empty for all."""
    path = Path(benchmark.benchmark_file)
    root = _root(path)
    elements = root.findall("rundefinition")
    names = [element.get("name", "") for element in elements]
    for name in selected:
        if name not in names:
            raise UsageError(f"{path}: there is no run definition `{name}` (known: {', '.join(names)})")
    run_sets = []
    for index, element in enumerate(elements, 1):
        if not selected or element.get("name", "") in selected:
            _refuse_unknown(path, element, _IN_RUN_DEFINITION)
            with _explained(path):
                run_sets.append(CheckedRunSet(element, benchmark, index, root.findall("tasks")))
    return run_sets


def of_tasks(benchmark: Benchmark, groups: Sequence[TaskGroup], properties: Sequence[str]) -> list[CheckedRunSet]:
    """A run set for each of the *properties* (by name), with the tasks in *groups* that have it, if any."""
    return [PropertyRunSet(name, groups, benchmark, index) for index, name in enumerate(properties, 1)]


def name_logs(run_sets: Iterable[RunSet]) -> None:
    """Give the logs of tasks that have the same name, in several folders, a number: BenchExec would overwrite them."""
    taken: dict[str, int] = {}
    for run in (run for run_set in run_sets for run in run_set.runs):
        number = taken[run.log_file] = taken.get(run.log_file, 0) + 1
        if number > 1:
            run.log_file = f"{run.log_file.removesuffix('.log')}.{number}.log"
