"""Benchmark definitions as BenchExec has them: an XML file that says which tool runs on which tasks, and how.

Of BenchExec's format there are: limits, options, property files (with a filter on the expected verdict), run
definitions, task sets with their lists and patterns, columns, and the variables in all these. Elements that only say
what BenchExec is to copy or to require are passed over.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from xml.etree import ElementTree

from cseq.base.errors import CSeqError, InputError, UsageError
from cseq.base.linemap import Origin
from cseq.bench.measure import Limits
from cseq.bench.tasks import Expected, Task, expanded, listed, read

_SECONDS = {"": 1, "s": 1, "min": 60, "h": 3600, "d": 86400}
_BYTES = {"b": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9, "tb": 10**12,
          "kib": 2**10, "mib": 2**20, "gib": 2**30, "tib": 2**40}  # fmt: skip
_PASSED_OVER = frozenset({"resultfiles", "requiredfiles", "require", "columns", "rundefinition", "tasks", "option",
                          "propertyfile"})  # fmt: skip
_IN_TASKS = frozenset({"include", "includesfile", "exclude", "excludesfile", "option", "propertyfile", "requiredfiles"})


@dataclass
class Run:
    """One run of the tool. group: the task set that it belongs to. log: the name of the file for its output."""

    task: Task
    expected: Expected
    options: list[str]
    group: str
    log: str = ""


@dataclass
class RunSet:
    """The runs of a run definition. name: empty where it has none. options: those that all its runs have."""

    name: str
    runs: list[Run] = field(default_factory=list)
    options: list[str] = field(default_factory=list)

    @property
    def groups(self) -> list[str]:
        """The names of the task sets, in order."""
        return list(dict.fromkeys(run.group for run in self.runs))


@dataclass
class Definition:
    """What is to be run.

    tool: the tool-info module. columns: title → what the tool-info module is asked for. errors: what is wrong with
    single tasks, which are left out. warnings: what matches no file.
    """

    name: str
    tool: str
    path: Path | None = None
    display_name: str = ""
    limits: Limits = field(default_factory=Limits)
    jobs: int = 1
    options: list[str] = field(default_factory=list)
    columns: dict[str, str] = field(default_factory=dict)
    run_sets: list[RunSet] = field(default_factory=list)
    errors: list[CSeqError] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    def name_logs(self) -> None:
        """Name them as BenchExec does, but give tasks of the same name in several folders a number."""
        taken: dict[str, int] = {}
        for run_set in self.run_sets:
            for run in run_set.runs:
                name = ".".join(part for part in (run_set.name, run.task.path.name) if part)
                number = taken[name] = taken.get(name, 0) + 1
                run.log = f"{name}.log" if number == 1 else f"{name}.{number}.log"

    def read(self, path: Path) -> Task | None:
        """The task in the file *path*; where it is at fault None, and one error more."""
        try:
            return read(path)
        except InputError as error:
            self.errors.append(error)
            return None


def seconds(text: str) -> float:
    """A span of time such as ``60 s`` or ``15 min`` in seconds. Raises UsageError for anything else."""
    return _quantity(text, _SECONDS, "time")


def bytes_(text: str) -> int:
    """An amount of memory such as ``8 GB`` in bytes. Raises UsageError for anything else."""
    return int(_quantity(text, _BYTES, "memory"))


def _quantity(text: str, units: dict[str, int], what: str) -> float:
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([a-z]*)\s*", text, re.IGNORECASE)
    if match is None or match[2].lower() not in units or float(match[1]) <= 0:
        example = "60 s" if units is _SECONDS else "8 GB"
        raise UsageError(f"`{text}` is no limit of {what}, such as `{example}`")
    return float(match[1]) * units[match[2].lower()]


def load(path: Path, selected: Sequence[str] = (), tasks: bool = True) -> Definition:
    """The definition in the XML file *path*.

    selected: the names of the run definitions that are wanted; all where none is named. tasks: look for them.
    Raises InputError and UsageError.
    """
    root = _root(path)
    tool = root.get("tool")
    if not tool:
        raise UsageError(f"{path}: <benchmark> names no tool")
    limits = Limits(
        cputime=seconds(root.attrib["timelimit"]) if "timelimit" in root.attrib else None,
        walltime=seconds(root.attrib["walltimelimit"]) if "walltimelimit" in root.attrib else None,
        memory=bytes_(root.attrib["memlimit"]) if "memlimit" in root.attrib else None,
        cores=_count(path, root, "cpuCores"),
    )
    definition = Definition(
        path.stem, tool, path, root.get("displayName", ""), limits, _count(path, root, "threads") or 1
    )
    definition.columns = {
        column.get("title") or column.text or "": column.text or "" for column in root.findall("columns/column")
    }
    definition.options = _options(root)
    _known(path, root, _PASSED_OVER)
    names = [element.get("name", "") for element in root.findall("rundefinition")]
    for name in selected:
        if name not in names:
            raise UsageError(f"{path}: there is no run definition `{name}` (known: {', '.join(names)})")
    for number, name in enumerate(names):
        if name in names[:number]:
            raise UsageError(f"{path}: there are two run definitions `{name}`")
    for element in root.findall("rundefinition"):
        if not selected or element.get("name", "") in selected:
            definition.run_sets.append(_run_set(definition, root, element, tasks))
    return definition


def _root(path: Path) -> ElementTree.Element:
    try:
        root = ElementTree.parse(path).getroot()
    except ElementTree.ParseError as error:
        raise InputError(f"no XML: {str(error).partition(':')[0]}", Origin(str(path), error.position[0])) from None
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}") from None
    if root.tag != "benchmark":
        raise InputError(f"<{root.tag}> is no benchmark definition, which is a <benchmark>", Origin(str(path), 1))
    return root


def _count(path: Path, root: ElementTree.Element, name: str) -> int | None:
    text = root.get(name)
    if text is None:
        return None
    if not text.isdigit() or int(text) == 0:
        raise UsageError(f"{path}: {name}=`{text}` is no number of processors")
    return int(text)


def _known(path: Path, element: ElementTree.Element, known: Iterable[str]) -> None:
    for child in element:
        if child.tag not in known:
            raise UsageError(f"{path}: <{child.tag}> in <{element.tag}> is not supported")


def _options(element: ElementTree.Element) -> list[str]:
    words: list[str] = []
    for option in element.findall("option"):
        words += [word for word in (option.get("name"), (option.text or "").strip()) if word]
    return words


def _run_set(definition: Definition, root: ElementTree.Element, element: ElementTree.Element, tasks: bool) -> RunSet:
    assert definition.path is not None
    path = definition.path
    _known(path, element, _PASSED_OVER - {"rundefinition", "columns", "require"})
    run_set = RunSet(element.get("name", ""), options=[*definition.options, *_options(element)])
    for number, group in enumerate([*root.findall("tasks"), *element.findall("tasks")] if tasks else []):
        _known(path, group, _IN_TASKS)
        chosen = next((e for one in (group, element, root) if (e := one.find("propertyfile")) is not None), None)
        if chosen is None:
            raise UsageError(f"{path}: the run definition `{run_set.name}` has no <propertyfile>")
        property_file = _property_file(path, chosen)
        for file in _task_files(path, group, definition.warnings.append):
            task = definition.read(file)
            expected = task.expected(property_file) if task else None
            if task and expected and chosen.get("expectedverdict", str(expected)) in _verdicts(expected):
                # All runs of the set get the same file, as BenchExec has it.
                expected = expected._replace(property_file=property_file)
                name = group.get("name") or str(number)
                run_set.runs.append(Run(task, expected, [*run_set.options, *_options(group)], name))
    return run_set


def _verdicts(expected: Expected) -> tuple[str, str]:
    """How a filter may name a verdict."""
    return str(expected) or "unknown", str(expected._replace(subproperty=None)) or "unknown"


def _property_file(path: Path, element: ElementTree.Element) -> Path:
    pattern = (element.text or "").strip()
    found_ = expanded(pattern, path.parent)
    if len(found_) != 1:
        raise UsageError(f"{path}: the property file `{pattern}` is not there")
    return found_[0]


def _task_files(path: Path, group: ElementTree.Element, warn: Callable[[str], None]) -> list[Path]:
    """The task-definition files of a task set, each once, in the order in which they are named."""
    files: dict[Path, None] = {}
    for element in group.findall("include"):
        files.update(dict.fromkeys(_matches(path, element)))
    for element in group.findall("includesfile"):
        for name in _matches(path, element):
            files.update(dict.fromkeys(listed(name, warn)))
    dropped = {file for element in group.findall("exclude") for file in _matches(path, element, 0)}
    for element in group.findall("excludesfile"):
        dropped.update(file for name in _matches(path, element) for file in listed(name, warn))
    kept = [file for file in files if file not in dropped]
    for file in kept:
        if file.suffix != ".yml":
            raise UsageError(f"{path}: `{file}` is no task definition (.yml)")
    return kept


def _matches(path: Path, element: ElementTree.Element, least: int = 1) -> list[Path]:
    pattern = (element.text or "").strip()
    found_ = expanded(pattern, path.parent)
    if len(found_) < least:
        raise UsageError(f"{path}: `{pattern}` in <{element.tag}> matches no file")
    return found_


def with_tasks(definition: Definition, groups: Iterable[tuple[str, Task]], properties: Sequence[str]) -> Definition:
    """*definition* with other tasks: a run set for each of the *properties*, by name, that any of the tasks has.

    groups: each task with the name of its group. The options of single run definitions are for their own tasks.
    """
    run_sets = {name: RunSet(name, options=list(definition.options)) for name in properties}
    for group, task in groups:
        for expected in task.properties:
            if expected.name in run_sets:
                run_set = run_sets[expected.name]
                run_set.runs.append(Run(task, expected, run_set.options, group))
    return replace(definition, run_sets=[run_set for run_set in run_sets.values() if run_set.runs])


def substituted(words: Iterable[str], values: dict[str, str]) -> list[str]:
    """*words* with each ``${name}`` that *values* has."""
    return [re.sub(r"\$\{(\w+)\}", lambda match: values.get(match[1], match[0]), word) for word in words]
