"""A run of `cseq check`: what is known is reported, and the rest is checked."""

from __future__ import annotations

import hashlib
import itertools
import json
import os
import tempfile
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from cseq.cli.projects import ctest_listing
from cseq.cli.projects.answer_cache import NAME, Cache
from cseq.cli.projects.check_words import CheckArguments
from cseq.cli.projects.compile_database import database
from cseq.cli.projects.compiler_flags import shown
from cseq.cli.projects.ctest_listing import Test
from cseq.cli.projects.fingerprints import ENGINES, Contents, machine
from cseq.cli.projects.needed_units import Unit
from cseq.cli.projects.project_programs import ProjectProgram, distinct, from_mains, from_tests, of_function, of_main
from cseq.cli.projects.project_units import units_of
from cseq.cli.projects.source_comments import ANY, Remark, Remarks, remarks
from cseq.cli.projects.whole_files import write_whole
from cseq.cli.tasks.task_reports import Reporter, conclude
from cseq.model.errors import InputError, UsageError
from cseq.model.findings import Finding, Suppression, SuppressionKind
from cseq.model.origin import Origin
from cseq.model.taskresults import TaskEnd, TaskFailure, TaskResult
from cseq.model.verdict import Verdict
from cseq.report.text import tasklines

# Which findings of a run do not count: those that comments expect or ignore, and those in the baseline.


class FindingFilter:
    """Judges results. remarks: those in the files of each program, by its name. known: fingerprints of the baseline."""

    def __init__(self, remarks: Mapping[str, Sequence[Remark]], known: Collection[str]) -> None:
        self._remarks = remarks
        self._known = known
        self._met: set[Remark] = set()

    def judged(self, result: TaskResult) -> TaskResult:
        """*result* with its findings, and with excuses for those that do not count."""
        outcome = result.outcome
        if outcome is None or all(part.verdict is not Verdict.FALSE for part in outcome.all()):
            return result
        found = result.findings
        if not found:
            from cseq.report.sarif.sarifreport import findings

            found = tuple(findings(outcome, result.files))
        excuses = [excuse for one in found if (excuse := self._excuse(one, result)) is not None]
        return replace(result, findings=found, excuses=tuple(excuses))

    def _excuse(self, one: Finding, result: TaskResult) -> Suppression | None:
        places = {(shown(os.path.normpath(Path(file).absolute())), line) for file, line in one.places}
        about = [
            remark
            for remark in self._remarks.get(result.path, ())
            if remark.kind in (ANY, one.rule, one.claim) and (remark.file, remark.line) in places
        ]
        expected = [remark for remark in about if remark.expected]
        self._met.update(expected)
        if expected:
            return Suppression(one, SuppressionKind.EXPECTED)
        if about:
            return Suppression(one, SuppressionKind.IGNORED, about[0].reason)
        return Suppression(one, SuppressionKind.KNOWN) if one.fingerprint in self._known else None

    def unmet(self) -> list[Remark]:
        """What comments expect in the files of the programs, and none of them has."""
        every = {remark: None for remarks in self._remarks.values() for remark in remarks if remark.expected}
        return [remark for remark in every if remark not in self._met]


# The file of known findings: what is in it does not fail a run.

_FORMAT = 1


def known_findings(path: Path) -> Collection[str]:
    """The fingerprints in the baseline *path*. Raises InputError, with the place, where it is none."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(f"--baseline: {path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InputError("not a text file", Origin(str(path), 1)) from None
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise InputError(f"not JSON: {error.msg[:1].lower()}{error.msg[1:]}", Origin(str(path), error.lineno)) from None
    wrong = InputError("not a baseline, as --write-baseline writes it", Origin(str(path), 1))
    if not isinstance(data, dict) or data.get("cseq_baseline") != _FORMAT or not isinstance(data.get("findings"), list):
        raise wrong
    found = [one.get("fingerprint") if isinstance(one, dict) else None for one in data["findings"]]
    if not all(isinstance(each, str) and each for each in found):
        raise wrong
    return frozenset(map(str, found))


def check_baseline(path: Path) -> None:
    """Raise UsageError if *path* cannot become a baseline, or is another file."""
    folder = path.absolute().parent
    if path.is_dir() or not folder.is_dir():
        raise UsageError(f"--write-baseline: {path} cannot be written")
    if path.is_file() and path.stat().st_size:
        try:
            known_findings(path)
        except InputError:
            raise UsageError(f"--write-baseline: {path}: is not a baseline, and is not overwritten") from None


def write_baseline(path: Path, findings: Iterable[Finding]) -> None:
    """Write the *findings* to the baseline *path*, whole or not at all. Raises UsageError if that is not possible."""
    listed = {one.fingerprint: {"fingerprint": one.fingerprint, "rule": one.rule, "said": one.said} for one in findings}
    data = {"cseq_baseline": _FORMAT, "findings": sorted(listed.values(), key=lambda one: (one["rule"], one["said"]))}
    try:
        mode = path.stat().st_mode & 0o777 if path.exists() else 0o644
        write_whole(path, f"{json.dumps(data, indent=2)}\n".encode(), mode)
    except OSError as error:
        raise UsageError(f"--write-baseline: {path}: cannot be written: {error.strerror}") from None


if TYPE_CHECKING:
    from cseq.cli.outputs import PrintOptions
    from cseq.cli.tasks.task import Task

_WRITING = ("--keep", "--html", "--witness", "--reproducer", "--dump-all", "--linemap-json", "--job-list", "--save")
"""Options that write what is not kept: with them, everything is checked again."""

_TESTS = "tests"


class ProjectRun:
    """One run. given: the words of the command line. words: all of them. say: called with warnings. begun: when."""

    def __init__(self, given: CheckArguments, words: tuple[str, ...], say: Callable[[str], None], begun: float) -> None:
        self._given, self._words, self._say, self._begun = given, words, say, begun
        self._database = Path(given.values["--project"])
        self._contents = Contents()
        self._machine = machine()
        self._folder = self._build_folder()
        self._cache = Cache(None if "--no-cache" in given.values else self._folder / NAME, say)
        self._remarks: dict[str, Remarks] = {}
        self._suite = shown(str(self._database.absolute()))

    def run(self) -> int:
        """Do it; returns the exit status. Raises CSeqError."""
        self._check_files()
        baseline = self._given.path("--baseline")
        known = known_findings(baseline) if baseline is not None else frozenset()
        programs = list(distinct(self.programs()))
        self._warn_of_assertions([program for program, _ in programs])
        keys = {program.name: self._key(program, place) for program, place in programs}
        ready = {program.name: result for program, _ in programs
                 if (result := self._ready(program, keys[program.name])) is not None}  # fmt: skip
        judge = FindingFilter({program.name: self._about(program) for program, _ in programs}, known)
        if len(ready) == len(programs):
            results = [judge.judged(ready[program.name]) for program, _ in programs]
            reporter = Reporter(self._given.printing, results, None)
            for result in results:
                reporter.show(result)
            return self._conclude(self._given.printing, judge, results)
        return self._checked(programs, ready, keys, judge)

    # What there is to check

    def _build_folder(self) -> Path:
        found = self._database.resolve()
        return found if found.is_dir() else found.parent

    def _check_files(self) -> None:
        """Raise UsageError for files that cannot be written, and options that cannot be combined."""
        made, printing = self._given.path("--write-baseline"), self._given.printing
        if made is not None:
            check_baseline(made)
        junit = self._given.path("--junit")
        if junit is not None and (junit.is_dir() or not junit.absolute().parent.is_dir()):
            raise UsageError(f"--junit: {junit} cannot be written")
        if junit is not None and junit.suffix != ".xml" and junit.is_file() and junit.stat().st_size:
            raise UsageError(f"--junit: {junit}: is not overwritten, since it does not end with .xml")
        reports = [f"--{name}" for name in ("json", "sarif", "quiet", "verbose") if getattr(printing, name)]
        if len(reports) > 1:
            raise UsageError(f"{reports[0]} and {reports[1]} cannot be combined")

    def programs(self) -> list[ProjectProgram]:
        """The programs. Raises CSeqError where there are none."""
        given = self._given.values
        units = self.units()
        if "--entry" in given:
            return [self._without_fault(of_function(units, given["--entry"], self._say))]
        if "--main" in given:
            return [self._without_fault(of_main(units, given["--main"], self._say))]
        found = from_tests(units, self._tests(), self._say, self._folder) or from_mains(units, self._say)
        if not found:
            raise InputError(
                f"{self._database}: no file in the compilation database defines `main`; \
--entry FUNCTION checks a function"
            )
        return found

    def units(self) -> list[Unit]:
        """The files of the database. Raises CSeqError."""
        own = list(_preprocessing(self._given.rest))
        return units_of(database(self._database), own, self._cache, self._machine, self._contents)

    @staticmethod
    def _without_fault(program: ProjectProgram) -> ProjectProgram:
        if program.fault is not None:
            raise program.fault
        return program

    def _tests(self) -> list[Test]:
        """The tests of the build folder; as in the last run, if what says which there are is the same."""
        if not (self._folder / ctest_listing.NAME).is_file():
            return []
        table = self._cache.table(_TESTS, self._machine)
        try:
            if table and all(self._contents.digest(path) == digest for path, digest in table["files"]):
                return [Test(str(name), tuple(map(str, words)), bool(off)) for name, words, off in table["tests"]]
        except (KeyError, TypeError, ValueError):
            self._cache.broken(_TESTS)
        found = ctest_listing.listed(self._folder)
        if all(test.command for test in found):  # else it is known once the project is built
            files = [str(path) for path in ctest_listing.files(self._folder)]
            data = [[test.name, list(test.command), test.disabled] for test in found]
            table = {"files": [[path, self._contents.digest(path)] for path in files], "tests": data}
            self._cache.keep_table(_TESTS, self._machine, table)
        return found

    def _warn_of_assertions(self, programs: Sequence[ProjectProgram]) -> None:
        """Say that some assertions are no code at all."""
        off = [shown(unit.path) for program in programs for unit in program.units if unit.no_assertions]
        if off:
            more = f" and {len(set(off)) - 1} more" if len(set(off)) > 1 else ""
            self._say(f"{off[0]}{more}: compiled with -DNDEBUG, so `assert` checks nothing there (a Debug build does)")

    def _about(self, program: ProjectProgram) -> list[Remark]:
        return [remark for each in self._remarks_of(program) for remark in each.remarks]

    def _remarks_of(self, program: ProjectProgram) -> Iterator[Remarks]:
        """The comments in the files of *program*. Raises InputError for one that cannot be read."""
        for path in dict.fromkeys(path for unit in program.units for path in (unit.path, *unit.symbols.reads)):
            if path not in self._remarks:
                text = self._contents.marked(path).decode("utf-8", "replace")
                is_user_s = bool(text) and not path.startswith("/usr/")
                self._remarks[path] = remarks(shown(path), text) if is_user_s else Remarks()
            yield self._remarks[path]

    # What is known

    def _key(self, program: ProjectProgram, place: PurePath) -> str:
        """A hash of all that the answer about *program* depends on."""
        digest = self._contents.digest
        units = [
            [shown(unit.path), unit.words, unit.bits, [(path, digest(path)) for path in unit.symbols.reads]]
            for unit in program.units
        ]
        rest = self._given.rest
        named = [word.partition("=")[2] or word for word in rest]
        files = [(name, digest(name)) for name in named if Path(name).is_file()]
        what = [self._machine, program.name, str(place), program.arguments, program.calls, units, rest, files]
        return hashlib.sha256(json.dumps(what).encode("utf-8", "surrogateescape")).hexdigest()

    def _question(self, program: ProjectProgram) -> str:
        """What stays the same from run to run: a new answer takes the place of the one before."""
        return json.dumps([str(Path.cwd()), program.name, program.calls, self._given.rest])

    def _ready(self, program: ProjectProgram, key: str) -> TaskResult | None:
        """The result for *program* without checking it, if there is one."""
        if program.fault is not None:
            failure = TaskFailure(program.fault.message, program.fault.origin, program.fault.exit_status)
            return TaskResult(program.name, TaskEnd.FAILED, files=program.files, failure=failure)
        rest = self._given.rest
        if any(word.partition("=")[0] in _WRITING for word in rest) or not _engines(rest) <= ENGINES:
            return None
        found = self._cache.answer(self._question(program), key)
        return None if found is None else replace(found, cached=True, findings=found.findings, excuses=())

    # What is not known

    def _checked(
        self,
        programs: Sequence[tuple[ProjectProgram, PurePath]],
        ready: dict[str, TaskResult],
        keys: dict[str, str],
        judge: FindingFilter,
    ) -> int:
        """Check the programs that have no result yet. The arguments after them are by the names of programs."""
        from cseq.cli.projects.project_tasks import asked_for, task_of
        from cseq.cli.tasks.perform_tasks import failure_of, perform_tasks
        from cseq.modules.frontend.merger.merger import UNIT_FLAGS

        asked = asked_for([*self._given.printed, *self._given.rest], self._words)
        by_name = {program.name: program for program, _ in programs}

        def judged(result: TaskResult) -> TaskResult:
            program = by_name[result.path]
            values = {name: value for name, value in result.parameters.items() if name != UNIT_FLAGS.name}
            result = judge.judged(replace(result, files=program.files, parameters=values))
            if not result.cached:
                self._cache.keep_answer(self._question(program), keys[program.name], result)
            return result

        with tempfile.TemporaryDirectory(prefix="cseq-", ignore_cleanup_errors=True) as folder:
            tasks: list[Task | TaskResult] = []
            first: UsageError | None = None
            for program, place in programs:
                known = ready.get(program.name)
                if known is not None:
                    tasks.append(judge.judged(known))
                    continue
                bounds = {name: value for each in self._main_remarks(program) for name, value, _ in each.bounds}
                try:
                    tasks.append(task_of(asked, program, place, Path(folder), bounds))
                except (InputError, UsageError) as error:
                    first = first or (error if isinstance(error, UsageError) else None)
                    tasks.append(
                        TaskResult(program.name, TaskEnd.FAILED, files=program.files, failure=failure_of(error))
                    )
            if first is not None and all(isinstance(task, TaskResult) for task in tasks):
                raise first
            return perform_tasks(
                asked, tasks, judged,
                lambda results, seconds, interrupted: self._conclude(asked.printed, judge, results, interrupted),
            )  # fmt: skip

    def _main_remarks(self, program: ProjectProgram) -> Iterator[Remarks]:
        """The comments in the file with main."""
        every = list(self._remarks_of(program))
        if every:
            yield self._remarks[program.units[0].path]

    # The end

    def _conclude(
        self, printed: PrintOptions, judge: FindingFilter, results: Sequence[TaskResult], interrupted: bool = False
    ) -> int:
        """Print the summary, write the files, and return the exit status."""
        seconds = time.monotonic() - self._begun
        stopped = interrupted or any(result.end is TaskEnd.STOPPED for result in results)
        results = [*results, *(_failed(remark) for remark in ([] if stopped else judge.unmet()))]
        reporter = Reporter(printed, results, None)
        for result in results:
            if result.end is TaskEnd.FAILED and result.exit_status == 1:
                reporter.show(result)
        status = conclude(printed, ("cseq", "check", *self._words), results, seconds, interrupted)
        junit, made = self._given.path("--junit"), self._given.path("--write-baseline")
        if junit is not None:
            from cseq.cli.reproducing import write_file
            from cseq.report.junitreport import render

            write_file("--junit", str(junit), render(results, seconds, self._suite))
        if made is not None and not interrupted:
            write_baseline(made, [one for result in results for one in result.findings])
            if lacking := [result.path for result in results if _has_no_answer(result)]:
                more = f" and {len(lacking) - 1} more" if len(lacking) > 1 else ""
                self._say(f"--write-baseline: {made} has nothing about {lacking[0]}{more}: there is no answer")
        return status


def _has_no_answer(result: TaskResult) -> bool:
    """Whether the violations of a program are not known, or not all that it was asked about."""
    outcome = result.outcome
    if outcome is None:
        return result.exit_status != 1  # what a comment expects is no program
    return any(part.exit_status == 3 for part in outcome.all())


def _failed(remark: Remark) -> TaskResult:
    """The result that says that nothing is where *remark* expects it."""
    failure = TaskFailure(tasklines.unmet(remark.kind), None, status=1)
    return TaskResult(str(remark.origin), TaskEnd.FAILED, files=(remark.file,), failure=failure)


def _engines(words: Sequence[str]) -> set[str]:
    """The engines that are named in *words*."""
    after = {value for word, value in itertools.pairwise(words) if word in ("-b", "--backend")}
    joined = {word.partition("=")[2] for word in words if word.startswith("--backend=")}
    return {*after, *joined, *(word[2:] for word in words if word.startswith("-b") and len(word) > 2)}


def _preprocessing(words: Sequence[str]) -> Iterator[str]:
    """The options for the preprocessor among *words*."""
    rest = iter(words)
    for word in rest:
        if word in ("-I", "-D"):
            yield from (word, next(rest, ""))
        elif word.startswith(("-I", "-D")):
            yield word
