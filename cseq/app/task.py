"""What one call of the command line asks for, and doing it."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from cseq.base.errors import UsageError

if TYPE_CHECKING:
    from cseq.app.families import Way
    from cseq.app.progress import Progress
    from cseq.base.verdict import Outcome
    from cseq.pipeline.chain import Chain
    from cseq.pipeline.stage import Context, Unit
    from cseq.report.text.terminal import Style

SEQUENTIALIZER = "sequentializer"
CHECKER = "checker"
"""The stages whose output is for any verifier: the last of them that runs."""

INSTRUMENTER = "instrumenter"
"""The stage whose output is for one verifier."""

_REPORTS = frozenset({"--json", "--sarif"})
"""The options that print a report for programs."""

_SOURCES = frozenset({".c", ".h", ".i"})
"""How files are called that may be read without being on the command line."""


def write(text: str) -> int:
    """Put *text* on standard output; returns 0. A reader that has gone away does not matter.

    Raises UsageError when the text cannot be written.
    """
    if sys.stdout is None:
        raise UsageError("standard output is closed")
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        _drop_output()
    except OSError as error:
        _drop_output()
        raise UsageError(f"standard output cannot be written: {error.strerror}") from None
    return 0


def _drop_output() -> None:
    """Send what is still buffered nowhere, or the interpreter would complain of it when it ends."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@dataclass
class Task:
    """One run of a chain, and what to print of it.

    files: the user's files. values: of the chain's parameters. given: the names of those that the user set.
    words: those of the command line. rival: another way to the answer, where CSeq chooses the engine.
    The rest is as its options say.
    Raises UsageError, when made, for what does not go together.
    """

    chain: Chain
    files: list[str]
    values: dict[str, Any]
    given: frozenset[str] = frozenset()
    cex: bool = False
    explain: bool = False
    json: bool = False
    sarif: bool = False
    quiet: bool = False
    verbose: bool = False
    keep: str | None = None
    seq_only: bool = False
    linemap: bool = False
    linemap_json: str | None = None
    dump_after: str | None = None
    dump_all: str | None = None
    witness: tuple[str, ...] = ()
    html: str | None = None
    reproducer: str | None = None
    words: tuple[str, ...] = ()
    rival: Way | None = None
    _programs: list[str] = field(default_factory=list)
    _maps: dict[str, dict[str, Any]] = field(default_factory=dict)
    _view: Progress | None = None

    command: ClassVar[str] = "cseq"
    """What runs it."""

    def __post_init__(self) -> None:
        if not self.files:
            raise UsageError("no input file (`cseq --help` lists the options)")
        prints = {
            "--json": self.json,
            "--sarif": self.sarif,
            "--seq-only": self.seq_only,
            "--linemap": self.linemap,
            "--dump-after": self.dump_after is not None,
        }
        alone = ["--sarif", "--quiet"] if self.sarif and self.quiet else []
        for chosen in ([name for name, wanted in prints.items() if wanted], self._volumes(), alone):
            if len(chosen) > 1:
                raise UsageError(f"{chosen[0]} and {chosen[1]} do not go together")
        printing = [name for name, wanted in prints.items() if wanted and name not in _REPORTS]
        if self.witness:
            self._check_witnesses(printing)
        for option, stage in (
            ("--dump-after", self.dump_after),
            ("--seq-only", self._last() if self.seq_only else None),
        ):
            if stage is not None and stage not in self.chain.names:
                known = ", ".join(self.chain.names)
                raise UsageError(f"{option}: the chain {self.chain.path.stem} has no stage `{stage}` (it has {known})")
        if self.linemap_json is not None:
            self._writable("--linemap-json", Path(self.linemap_json))
        if self.html is not None:
            self._check_file("--html", self.html, printing)
        if self.reproducer is not None:
            self._check_file("--reproducer", self.reproducer, printing)
            for values in (self.values, self.rival.values if self.rival is not None else {}):
                values["moves"] = True

    def _check_witnesses(self, printing: list[str]) -> None:
        """UsageError for witnesses that cannot be, and for those that would overwrite what they are about."""
        if printing:
            raise UsageError(f"{printing[0]} and --witness do not go together")
        read = [*self.files, *([self.values["spec"]] if self.values.get("spec") else [])]
        for name in self.witness:
            for file in read:
                with contextlib.suppress(OSError):
                    if Path(name).samefile(file):
                        raise UsageError(f"--witness: {name}: is an input file, which is not overwritten")
            if is_graphml(name) and len(self.files) > 1:
                raise UsageError(f"--witness: {name}: GraphML is for a program in one file; YAML can have several")

    def _check_file(self, option: str, name: str, printing: list[str]) -> None:
        """UsageError where *option* cannot write the file *name*, or would overwrite something else with it."""
        if printing:
            raise UsageError(f"{printing[0]} and {option} do not go together")
        before = [("--linemap-json", self.linemap_json), ("--html", self.html)]
        for other, written in [*before, *(("--witness", witness) for witness in self.witness)]:
            if other != option and written is not None and Path(written).absolute() == Path(name).absolute():
                raise UsageError(f"{other} and {option} name the same file")
        self._writable(option, Path(name))

    def _writable(self, option: str, path: Path) -> None:
        """UsageError where what *option* asks for cannot go to *path*, as far as can be said before it does."""
        for file in [*self.files, *([self.values["spec"]] if self.values.get("spec") else [])]:
            with contextlib.suppress(OSError):
                if path.samefile(file):
                    raise UsageError(f"{option}: {path}: is an input file, which is not overwritten")
        is_ours = option == "--reproducer" and _is_reproducer(path)
        if path.suffix in _SOURCES and path.is_file() and not is_ours:
            raise UsageError(f"{option}: {path}: looks like a file of a program, which is not overwritten")
        folder = path.absolute().parent
        if path.is_dir() or not folder.is_dir() or not os.access(path if path.exists() else folder, os.W_OK):
            raise UsageError(f"{option}: {path} cannot be written")

    @property
    def _is_read_by_programs(self) -> bool:
        """Whether the report is all that is wanted: it has the warnings in it, or they are not wanted."""
        return self.quiet or self.json or self.sarif

    def _volumes(self) -> list[str]:
        return [name for name, wanted in (("--quiet", self.quiet), ("--verbose", self.verbose)) if wanted]

    def perform(self) -> int:
        """Run, print, and return the exit status. Raises CSeqError."""
        from cseq.app.api import run
        from cseq.app.progress import progress
        from cseq.base.verdict import Outcome
        from cseq.pipeline.stage import Unit

        wanted = not self._is_read_by_programs
        with progress(wanted, self.values.get("timeout"), self.values.get("memlimit"), self._tells()) as view:
            self._view = view
            result = run(
                self.chain,
                self.files,
                self.values,
                keep=self.keep,
                after=self._after,
                tell=self._tell,
                watcher=view.status.report if view is not None else None,
                printing=self._last() is not None,
                look=self._look if self.linemap_json is not None else None,
                rival=self.rival,
            )
        if isinstance(result, Outcome):
            self._write_maps()
            if not self._is_read_by_programs:
                _warn(result)
            write(self._report(result))
            with contextlib.ExitStack() as last:  # one that cannot be written is no reason to leave out the others
                last.callback(self._write_witnesses, result)
                last.callback(self._write_reproducer, result)
                self._write_page(result)
            return result.exit_status
        if isinstance(result, Unit):
            text, before = self._program(result)
            self._write_maps(before)
            return write(text)
        raise UsageError(f"the chain {self.chain.path} ends with neither a verdict nor a program")

    def _say_none(self, option: str, why: object) -> None:
        """Say why *option* writes nothing, where people read."""
        if not self._is_read_by_programs:
            _say([f"{option}: nothing is written: {why}"])

    def _write_page(self, outcome: Outcome) -> None:
        """Write what `--html` asks for. Raises UsageError for a file that cannot be written."""
        if self.html is None:
            return
        from cseq.report.page import htmlreport

        why = htmlreport.refusal(outcome)
        if why is not None:
            self._say_none("--html", why)
            return
        text = htmlreport.render(outcome, self.files, (self.command, *self.words))
        _write_file("--html", self.html, text)

    def _write_reproducer(self, outcome: Outcome) -> None:
        """Write what `--reproducer` asks for. Raises UsageError for a file that cannot be written."""
        if self.reproducer is None:
            return
        from cseq.app.progress import working
        from cseq.reproducer.making import CannotReproduceError, Source, reproducer

        values = self.values
        source = Source(
            tuple(self.files), tuple(values.get("include", ())), tuple(values.get("define", ())), values["bits"]
        )
        try:
            with working(not self._is_read_by_programs, "reproducer", "compiling it, and running it a few times"):
                text = reproducer(outcome, source).text
        except CannotReproduceError as error:
            self._say_none("--reproducer", error)
            return
        _write_file("--reproducer", self.reproducer, text, errors="surrogateescape")

    def _write_witnesses(self, outcome: Outcome) -> None:
        """Write what `--witness` asks for. Raises UsageError for a file that cannot be written, behind the others."""
        if not self.witness:
            return
        from cseq.report.witness import graphmlwitness, waypoints, yamlwitness

        why = waypoints.refusal(outcome)
        if why is not None:
            self._say_none("--witness", why)
            return
        specification = Path(self.values["spec"]).read_text(encoding="utf-8") if self.values.get("spec") else ""
        run = waypoints.Run(
            files=tuple(self.files),
            specification=specification.strip(),
            bits=self.values.get("bits", 64),
            command=(self.command, *self.words),
            include=tuple(self.values.get("include", ())),
        )
        failed = []
        for name in self.witness:
            try:
                text = (graphmlwitness if is_graphml(name) else yamlwitness).render(outcome, run)
                Path(name).write_text(text, encoding="utf-8", errors="backslashreplace")
            except OSError as error:
                failed.append(f"--witness: {name}: cannot be written: {error.strerror}")
        if failed:
            raise UsageError("; ".join(failed))

    def _tell(self, line: str) -> None:
        """Say at once what cannot wait for the report; it is said nowhere where only the report is wanted."""
        if self._tells():
            with self._view.aside() if self._view is not None else contextlib.nullcontext():
                write(f"{line}\n")

    def _tells(self) -> bool:
        return not self._is_read_by_programs and (self.rival is None or self.verbose)

    def _last(self) -> str | None:
        """The stage behind which to stop; None to go on to the end."""
        if self.linemap:
            return self._last_translator()
        if not self.seq_only:
            return self.dump_after
        if "backend" in self.given:
            return INSTRUMENTER
        checked = any(self.values.get(option) for option in ("memsafety", "overflow"))
        return CHECKER if checked and CHECKER in self.chain.names else SEQUENTIALIZER

    def _last_translator(self) -> str:
        from cseq.pipeline.stage import Wrapper

        makers = [name for name, stage in self.chain.stages if not issubclass(stage, Wrapper)]
        if not makers:
            raise UsageError(f"--linemap: no stage of the chain {self.chain.path} makes a program")
        return makers[-1]

    def _after(self, name: str, value: Any) -> Any:
        """See what the stage *name* made; None ends the run."""
        from cseq.pipeline.stage import Unit

        last = name == self._last()
        if isinstance(value, Unit):
            self._programs.append(name)
            if self.dump_all is not None:
                self._dump(Path(self.dump_all), name, value)
        elif last:
            raise UsageError(f"the stage `{name}` does not make a program that could be printed")
        if last:
            return None
        return value.stamped() if self.linemap and isinstance(value, Unit) else value

    def _dump(self, folder: Path, name: str, unit: Unit) -> None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            path = folder / f"{len(self._programs):02}-{name}.c"
            path.write_text(unit.text, encoding="utf-8", errors="backslashreplace")
        except OSError as error:
            raise UsageError(f"--dump-all: {error.filename or folder}: cannot be written: {error.strerror}") from None

    def _look(self, name: str, value: Any, context: Context) -> None:
        """Keep the line map of the program that is printed, or that the engine gets."""
        from cseq.pipeline.stage import Unit
        from cseq.report.json import linemapjson

        if isinstance(value, Unit) and name == (self._last() or INSTRUMENTER):
            self._maps[context.values.get("property", "")] = linemapjson.program(value, context)

    def _write_maps(self, before: int = 0) -> None:
        """Write the line maps that were kept. before: so many lines stand in front of the program."""
        if self.linemap_json is None:
            return
        from cseq.report.json import linemapjson

        try:
            text = linemapjson.render(list(self._maps.values()), self.files, self.values, before)
            Path(self.linemap_json).write_text(text, encoding="utf-8")
        except OSError as error:
            raise UsageError(f"--linemap-json: {self.linemap_json}: cannot be written: {error.strerror}") from None

    def _program(self, unit: Unit) -> tuple[str, int]:
        """The text for a chain that ended, or was ended, with a program, and how many lines stand in front of that."""
        if self.linemap:
            from cseq.report.text import linemaptable

            return linemaptable.render(unit, self._programs), 0
        text = unit.text if unit.text.endswith("\n") else unit.text + "\n"
        if not self.seq_only:
            return text, 0
        from cseq.backends.base import backend
        from cseq.report.text import seqprogram

        if "backend" in self.given:
            header = seqprogram.instructions(self.files, self.values)
        else:
            header = seqprogram.header(text, self.files, self.values)
        text = seqprogram.readable(text, backend(self.values["backend"]).dialect.names)
        return header + text, header.count("\n")

    def _report(self, outcome: Outcome) -> str:
        if self.quiet:
            return f"{outcome.verdict.value}\n"
        if self.json:
            from cseq.report.json import jsonreport

            return jsonreport.render(outcome, self.files, self._parameters())
        if self.sarif:
            from cseq.report.sarif import sarifreport

            return sarifreport.render(outcome, self.files, (self.command, *self.words))
        from cseq.report.text import terminal

        steps = self.cex or self.values.get("simulate") is not None
        return terminal.render(outcome, _style(), steps=steps, details=self.verbose, explained=self.explain)

    def _parameters(self) -> dict[str, Any]:
        """The values of the parameters that are reported."""
        if self.rival is None:
            return self.values
        from cseq.app.families import AUTO

        return {**self.rival.values, **self.values, "auto": False, "backend": AUTO}


def _write_file(option: str, name: str, text: str, errors: str = "backslashreplace") -> None:
    """Write what *option* asks for to the file *name*. Raises UsageError where that cannot be."""
    try:
        Path(name).write_text(text, encoding="utf-8", errors=errors)
    except OSError as error:
        raise UsageError(f"{option}: {name}: cannot be written: {error.strerror}") from None


def _is_reproducer(path: Path) -> bool:
    """Whether the file *path*, if there is one, is empty or was made by `--reproducer`."""
    try:
        with path.open("rb") as file:
            text = file.read(1 << 16)
    except OSError:
        return False
    return not text or b"\n#define CSEQ_THREADS " in text


def is_graphml(name: str) -> bool:
    """Whether a witness in the file *name* is GraphML."""
    return name.lower().endswith(".graphml")


def _warn(outcome: Outcome) -> None:
    """Say the warnings on standard error."""
    _say(str(caution) for caution in outcome.warnings)


def _say(warnings: Iterable[str]) -> None:
    """Say *warnings* on standard error, one line each."""
    from cseq.report.words import clean

    with contextlib.suppress(OSError, ValueError):
        for warning in warnings:
            print(f"warning: {clean(warning)}", file=sys.stderr, flush=True)


def _style() -> Style:
    """Colours and the width for a terminal, neither for anything else."""
    from cseq.report.text.terminal import PLAIN, Style

    if sys.stdout is None or not sys.stdout.isatty():
        return PLAIN
    dull = bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"
    return Style(colour=not dull, width=shutil.get_terminal_size().columns)
