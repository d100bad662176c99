"""A run of `cseq check --shared`: what the threads of programs share, and what protects it."""

from __future__ import annotations

import contextlib
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cseq.cli.console import style, warn, write
from cseq.cli.projects.check_words import CheckArguments
from cseq.cli.projects.project_tasks import asked_for, task_of
from cseq.cli.projects.shared_data import of_library, with_search
from cseq.cli.validation import check
from cseq.model.errors import CSeqError, UsageError
from cseq.model.taskresults import TaskEnd, TaskResult, counted
from cseq.model.verdict import Outcome, Verdict
from cseq.options.properties import RACE

if TYPE_CHECKING:
    from cseq.cli.options import Arguments
    from cseq.cli.projects.entry_points import Unit
    from cseq.cli.request import Request
    from cseq.model.sharing import Annotation, SharedData

_PATIENCE = 60
"""Seconds for the search for a data race among what is left over, if there is no --timeout."""

_ASKED = ("race", "deadlock", "memsafety", "overflow", "spec", "only")
"""Parameters that ask for properties: the question is about data races."""


@dataclass(frozen=True)
class SharedProgram:
    """A program. make: the request for it, with values of parameters.

    entries: of a library, the functions that any number of threads call. few: the request where there are only a few
    structures that these may be given, for a search.
    """

    name: str
    files: tuple[str, ...]
    make: Callable[[Mapping[str, Any]], Request]
    entries: tuple[str, ...] = ()
    few: Callable[[Mapping[str, Any]], Request] | None = None


class SharedRun:
    """One run. given: the words of the command line. words: all of them. say: called with warnings. begun: when."""

    def __init__(self, given: CheckArguments, words: tuple[str, ...], say: Callable[[str], None], begun: float) -> None:
        self._given, self._words, self._say, self._begun = given, words, say, begun
        self._printing = given.printing

    def run(self) -> int:
        """Do it; returns the exit status. Raises CSeqError."""
        refused = ["--sarif"] if self._printing.sarif else []
        refused += [name for name in ("--junit", "--baseline", "--write-baseline") if name in self._given.values]
        if refused:
            raise UsageError(f"--shared and {refused[0]} cannot be combined")
        if self._printing.json and self._printing.quiet:
            raise UsageError("--json and --quiet cannot be combined")
        asked = self._asked()
        page = asked.written.html
        with self._programs(asked) as (programs, failed):
            results = [*failed]
            for program in programs:
                result = self._answered(program, asked.values, bool(failed) or len(programs) > 1)
                results.append(result)
                self._show(result)
        if page is not None:
            self._write_page(page, results)
        if (file := self._given.values.get("--annotate")) is not None:
            self._annotate(file, results)
        self._conclude(results)
        return counted(results).exit_status

    # What there is to look at

    def _asked(self) -> Arguments:
        if "--project" in self._given.values:
            return asked_for([*self._given.printed, *self._given.rest], self._words)
        from cseq.cli.options import asked

        found = asked(None, [*self._given.printed, *self._given.rest])
        assert not isinstance(found, str)  # the help was asked for before
        for file in found.files:
            if Path(file).is_dir():
                raise UsageError(f"--shared: {file} is a folder: name the files of one program, or use --project")
        return found

    @contextlib.contextmanager
    def _programs(self, asked: Arguments) -> Iterator[tuple[list[SharedProgram], list[TaskResult]]]:
        """The programs, and the results of those that cannot be read."""
        is_project = "--project" in self._given.values
        if not is_project and not asked.files:
            raise UsageError("--shared: no input file, and no --project")
        if "--entries" in self._given.values:
            with tempfile.TemporaryDirectory(prefix="cseq-", ignore_cleanup_errors=True) as folder:
                yield [self._library(asked, Path(folder))], []
            return
        if not is_project:
            files = tuple(asked.files)
            name = files[0] if len(files) == 1 else f"{files[0]} and {len(files) - 1} more"

            def request(values: Mapping[str, Any]) -> Request:
                made = _without_properties(asked, values).request(files)
                check(made)
                return made

            yield [SharedProgram(name, files, request)], []
            return
        from cseq.cli.projects.project_programs import distinct
        from cseq.cli.projects.project_run import ProjectRun

        found: list[SharedProgram] = []
        failed: list[TaskResult] = []
        with tempfile.TemporaryDirectory(prefix="cseq-", ignore_cleanup_errors=True) as folder:
            for program, place in distinct(ProjectRun(self._given, self._words, self._say, self._begun).programs()):
                if program.fault is not None:
                    failed.append(_failed(program.name, program.files, program.fault))
                    continue

                def make(values: Mapping[str, Any], program: Any = program, place: Any = place) -> Request:
                    return task_of(_without_properties(asked, values), program, place, Path(folder), {}).request

                found.append(SharedProgram(program.name, program.files, make))
            yield found, failed

    def _library(self, asked: Arguments, folder: Path) -> SharedProgram:
        """The program in which threads call the functions that --entries names. folder: for its files."""
        from cseq.cli.projects.entry_points import FEW, MANY, Unit, library

        bits = int(asked.values.get("bits", 64))
        common = [f"-I{each}" for each in asked.values.get("include", ())]
        common += [f"-D{each}" for each in asked.values.get("define", ())]
        if "--project" in self._given.values:
            units, bits = self._units()
        else:
            units = [Unit(file, ()) for file in asked.files]
        wanted = [each.strip() for each in self._given.values["--entries"].split(",") if each.strip()]
        made = [
            library([replace(each, words=(*common, *each.words)) for each in units], wanted, bits, objects)
            for objects in (MANY, FEW)
        ]
        for name, why in made[0].left_out:
            self._say(f"--entries: `{name}` is not called: {why}")
        requests = []
        for number, each in enumerate(made):
            paths = [folder / f"{number}_{place}_{Path(unit.path).name}" for place, unit in enumerate(units)]
            paths.append(folder / f"{number}_main.c")
            for path, text in zip(paths, each.texts, strict=True):
                path.write_text(text, encoding="utf-8", errors="surrogateescape")
            flags = [("-iquote", str(Path(unit.path).parent), *unit.words) for unit in units]
            requests.append(_requests(asked, [str(path) for path in paths], [*flags, ()], bits))
        name = units[0].path if len(units) == 1 else f"{units[0].path} and {len(units) - 1} more"
        return SharedProgram(name, tuple(each.path for each in units), requests[0], made[0].called, requests[1])

    def _units(self) -> tuple[list[Unit], int]:
        """The files of the project that define no main, and the data model."""
        from cseq.cli.projects.compiler_flags import shown
        from cseq.cli.projects.entry_points import Unit
        from cseq.cli.projects.project_run import ProjectRun

        every = ProjectRun(self._given, self._words, self._say, self._begun).units()
        found = {shown(each.path): each for each in reversed(every) if "main" not in each.symbols.defined}
        if not found:
            raise UsageError("--entries: all files in the compilation database define `main`")
        fault = next((each.fault for each in found.values() if each.fault is not None), None)
        if fault is not None:
            raise fault
        units = [Unit(path, each.words) for path, each in reversed(found.items())]
        return units, next(iter(found.values())).bits

    # Answers

    def _answered(self, program: SharedProgram, values: Mapping[str, Any], is_one_of_several: bool) -> TaskResult:
        """What is known of a program. Raises CSeqError if it is the only one and cannot be read."""
        begun = time.monotonic()
        try:
            outcome, parameters = self._outcome(program, values)
        except CSeqError as error:
            if not is_one_of_several:
                raise
            return _failed(program.name, program.files, error)
        return TaskResult(
            program.name,
            TaskEnd.ANSWERED,
            files=program.files,
            seconds=time.monotonic() - begun,
            outcome=outcome,
            parameters=parameters,
        )

    def _outcome(self, program: SharedProgram, values: Mapping[str, Any]) -> tuple[Outcome, Mapping[str, object]]:
        """The analysis, and a search where it leaves something over."""
        from cseq.cli.perform import executed, parameters
        from cseq.portfolio.families import MODULAR, Families

        families = Families()
        common = {name: value for name, value in values.items() if families.takes(MODULAR, name)}
        request = program.make({**common, "backend": "modular", "only": RACE})
        _, analysed = executed(request)
        assert isinstance(analysed, Outcome)
        if program.entries:
            analysed = of_library(analysed, program.entries)
        if analysed.verdict is Verdict.TRUE:
            return analysed, parameters(request)
        request = (program.few or program.make)({"timeout": _PATIENCE, **values, "only": RACE})
        _, searched = executed(request)
        assert isinstance(searched, Outcome)
        return with_search(analysed, searched), parameters(request)

    # Reports

    def _show(self, result: TaskResult) -> None:
        printed = self._printing
        outcome = result.outcome
        if printed.json or printed.quiet or outcome is None:
            return
        from cseq.report.text import sharingtable, terminal

        warn(str(caution) if caution.origin else f"{result.path}: {caution}" for caution in outcome.warnings)
        lines = [] if outcome.sharing is None else list(sharingtable.lines(result.path, outcome.sharing, style()))
        lines.append(terminal.answer_line(outcome, style(), named=False))
        if printed.cex and outcome.counterexample is not None:
            lines += terminal.counterexample(outcome.counterexample, outcome.violated, style())
        write("".join(f"{line}\n" for line in [*lines, ""]))

    def _conclude(self, results: Sequence[TaskResult]) -> None:
        from cseq.report.text import tasklines

        printed, seconds = self._printing, time.monotonic() - self._begun
        if printed.json:
            from cseq.report.json import jsonreport, tasksjson

            (only, *others) = results
            if "--project" in self._given.values or others or only.outcome is None:
                write(tasksjson.render(results, seconds))
            else:
                write(jsonreport.render(only.outcome, only.files, only.parameters))
            return
        for result in results:
            if printed.quiet:
                write(f"{tasklines.brief(result)}\n")
            elif result.outcome is None:
                write("".join(f"{line}\n" for line in tasklines.lines(result)))
        if not printed.quiet and len(results) > 1:
            write(f"{tasklines.summary(results, seconds)}\n")

    def _write_page(self, page: str, results: Sequence[TaskResult]) -> None:
        from cseq.cli.reproducing import write_file
        from cseq.report import words
        from cseq.report.page.sharedpage import render

        programs = [
            (each.path, each.outcome.sharing, words.answer(each.outcome))
            if each.outcome is not None
            else (each.path, None, str(each.failure))
            for each in results
        ]
        write_file("--html", page, render(programs, ("cseq", "check", *self._words)))

    def _annotate(self, file: str, results: Sequence[TaskResult]) -> None:
        """Write the patch, and say what is not in it."""
        from cseq.cli.projects.annotating import annotated
        from cseq.cli.reproducing import write_file

        data = [each.outcome.sharing for each in results if each.outcome is not None and each.outcome.sharing]
        annotations = list(dict.fromkeys(each for one in data for each in _agreed(one, data)))
        made = annotated(annotations, _texts({each.origin.file for each in annotations}))
        for each in made.left_out:
            self._say(f"--annotate: {each.annotation.origin}: `{each.annotation.name}` is left out: {each.why}")
        if not made.written:
            self._say("--annotate: nothing is always accessed under one lock that can be named")
        write_file("--annotate", file, made.patch, errors="surrogateescape")


def _agreed(one: SharedData, every: Sequence[SharedData]) -> Iterator[Annotation]:
    """The annotations that hold in *every* program that shares what is annotated."""
    for annotation in one.annotations:
        key = annotation.kind, annotation.name, annotation.origin
        for other in every:
            known = {(each.kind, each.name, each.origin): each for each in other.annotations}
            is_shared = any((each.name, each.origin) == key[1:] for each in other.objects)
            if known.get(key, None if is_shared else annotation) != annotation:
                break
        else:
            yield annotation


def _texts(files: Iterable[str]) -> dict[str, str]:
    """The texts of the files that can be read."""
    found: dict[str, str] = {}
    for file in sorted(files):
        with contextlib.suppress(OSError):
            found[file] = Path(file).read_text(encoding="utf-8", errors="surrogateescape")
    return found


def _without_properties(asked: Arguments, values: Mapping[str, Any]) -> Arguments:
    """*asked* with these *values* of parameters. No files are written for each program."""
    from cseq.cli.outputs import FileOptions

    kept = {name: value for name, value in values.items() if name == "only" or name not in _ASKED}
    own = {name: value for name, value in asked.own.items() if name not in vars(FileOptions())}
    return replace(asked, values=kept, own=own)


def _requests(
    asked: Arguments, paths: Sequence[str], flags: Sequence[tuple[str, ...]], bits: int
) -> Callable[[Mapping[str, Any]], Request]:
    """What makes the requests for the files at *paths*, each with its *flags*."""
    from cseq.modules.frontend.merger.merger import UNIT_FLAGS, UnitFlags

    units = tuple(UnitFlags(path, each) for path, each in zip(paths, flags, strict=True))

    def request(values: Mapping[str, Any]) -> Request:
        made = _without_properties(asked, values).request(paths, **{UNIT_FLAGS.name: units, "bits": bits})
        check(made)
        return made

    return request


def _failed(name: str, files: tuple[str, ...], error: Exception) -> TaskResult:
    from cseq.cli.tasks.perform_tasks import failure_of

    return TaskResult(name, TaskEnd.FAILED, files=files, failure=failure_of(error))
