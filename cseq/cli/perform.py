"""Do what one call of the command line asks for."""

import contextlib
import time
from typing import Any

from cseq.api import run
from cseq.cli.console import say, style, warn, write
from cseq.cli.files import write_all
from cseq.cli.intermediate import Programs
from cseq.cli.progress import Progress, progress
from cseq.cli.request import Request
from cseq.model.errors import UsageError
from cseq.model.verdict import Level, Outcome
from cseq.pipeline.stage import Unit
from cseq.pipeline.status import Event

_LATEST = 1.3
"""Seconds after the time limit in which files may be written."""


def perform(request: Request) -> int:
    """Run, print, write, and return the exit status. Raises CSeqError."""
    if request.written.job_list is not None:
        from cseq.cli.joblists.rowfiles import write_rows

        return write_rows(request)
    limit = request.values.get("timeout")
    end = None if limit is None else time.monotonic() + limit + _LATEST
    programs, result = executed(request)
    if isinstance(result, Outcome):
        programs.write_maps()
        return reported(request, result, end)
    if isinstance(result, Unit):
        text, before = programs.printed(result)
        programs.write_maps(before)
        return write(text)
    raise UsageError(f"the chain {request.way.chain.path} ends with neither a verdict nor a program")


def reported(request: Request, outcome: Outcome, end: float | None = None) -> int:
    """Print the report, write the files, and return the exit status. end: as for `write_all`."""
    if not request.printed.for_programs:
        warn(str(caution) for caution in outcome.warnings)
    write(rendered(request, outcome))
    write_all(request, outcome, end)
    return outcome.exit_status


def executed(request: Request) -> tuple[Programs, Any]:
    """Run the stages; returns the observed programs and the output of the last stage."""
    if request.written.reproducer is not None or request.written.save_test is not None:
        request = request.having(moves=True)
    if request.printed.cex:
        request = request.having(show_cut=True)
    values = request.values
    wanted = not request.printed.for_programs
    with progress(wanted, values.get("timeout"), values.get("memlimit"), request.tells) as view:
        programs = _ProgressObserver(request, view)
        result = run(
            request.way,
            request.files,
            rivals=request.rivals,
            keep=request.written.keep,
            observer=programs,
            printing=request.last is not None,
        )
    return programs, result


class _ProgressObserver(Programs):
    """Observes programs, and reports the progress of the run in the live view and on standard output."""

    def __init__(self, request: Request, view: Progress | None) -> None:
        super().__init__(request)
        self._tells = request.tells
        self._is_for_programs = request.printed.for_programs
        self._view = view
        self.watches = view is not None

    def tell(self, level: Level, named: bool) -> None:
        """Print the result of a level at once, unless only the report is wanted."""
        if self._tells:
            from cseq.report import words

            with self._view.aside() if self._view is not None else contextlib.nullcontext():
                write(f"{words.level(level, named)}\n")

    def answered(self, outcome: Outcome) -> None:
        """Print the answer for one property at once, on standard error, unless only the report is wanted."""
        if not self._is_for_programs:
            from cseq.report.text.terminal import answer_line

            with self._view.aside() if self._view is not None else contextlib.nullcontext():
                say(answer_line(outcome))

    def changed(self, event: Event) -> None:
        """Show *event* in the live view."""
        if self._view is not None:
            self._view.status.report(event)


def rendered(request: Request, outcome: Outcome) -> str:
    """The report about *outcome*, in the form that the user wants."""
    printed = request.printed
    if printed.quiet:
        return f"{outcome.verdict.value}\n"
    if printed.json:
        from cseq.report.json import jsonreport

        return jsonreport.render(outcome, request.files, parameters(request))
    if printed.sarif:
        from cseq.report.sarif import sarifreport

        return sarifreport.render(outcome, request.files, (request.command, *request.words))
    from cseq.report.text import terminal

    steps = printed.cex or request.values.get("simulate") is not None
    return terminal.render(outcome, style(), steps=steps, details=printed.verbose, explained=printed.explain)


def parameters(request: Request) -> dict[str, Any]:
    """The values of the parameters for the report."""
    if not request.rivals:
        return request.values
    from cseq.portfolio.families import AUTO

    values = {name: value for rival in request.rivals for name, value in rival.values.items()}
    return {**values, **request.values, "auto": False, "backend": AUTO}
