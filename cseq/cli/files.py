"""The files that a run writes in addition to its report: the page, the reproducer, the test, witnesses."""

import contextlib
import time
from collections.abc import Callable
from pathlib import Path

from cseq.cli.reproducing import say_none, write_file, write_reproducer, write_test
from cseq.cli.request import Request
from cseq.model.errors import UsageError
from cseq.model.verdict import Outcome
from cseq.process.deadline import TimeUpError, alarm, undisturbed


def is_graphml(name: str) -> bool:
    """Whether a witness in the file *name* is GraphML."""
    return name.lower().endswith(".graphml")


_LEAST = 0.3
"""Seconds that there are for each kind of file, however late it is."""


def write_all(request: Request, outcome: Outcome, end: float | None = None) -> None:
    """Write the requested files. Raises UsageError for a file that cannot be written, after writing the others.

    end: when there is no time left to make them, in `time.monotonic` seconds; None for never.
    """
    with contextlib.ExitStack() as last:  # if one cannot be written, the others still are
        last.callback(_in_time, end, "--witness", write_witnesses, request, outcome)
        last.callback(_in_time, end, "--save-test", write_test, request, outcome)
        last.callback(_in_time, end, "--reproducer", write_reproducer, request, outcome)
        last.callback(_in_time, end, "--coverage", write_coverage, request, outcome)
        _in_time(end, "--html", write_page, request, outcome)


def _in_time(
    end: float | None, option: str, writer: Callable[[Request, Outcome], None], request: Request, outcome: Outcome
) -> None:
    """Have *writer* write the file for *option* before the *end*, or say that there is none."""
    try:
        with alarm(None if end is None else max(end, time.monotonic() + _LEAST)):
            writer(request, outcome)
    except TimeUpError:
        say_none(request, option, "the time limit is over")


def write_page(request: Request, outcome: Outcome) -> None:
    """Write the page for `--html`. Raises UsageError if it cannot be written."""
    if request.written.html is None:
        return
    from cseq.report.page import htmlreport

    why = htmlreport.refusal(outcome)
    if why is not None:
        say_none(request, "--html", why)
        return
    text = htmlreport.render(outcome, list(request.files), (request.command, *request.words))
    write_file("--html", request.written.html, text)


def write_coverage(request: Request, outcome: Outcome) -> None:
    """Write the lines for `--coverage`. Raises UsageError if they cannot be written."""
    if (name := request.values.get("coverage")) is None:
        return
    from cseq.report import lcov

    covered = next((part.coverage for part in outcome.all() if part.coverage is not None), None)
    if covered is None:
        say_none(request, "--coverage", "only a search for violations of unreach-call that finds none has one")
    else:
        write_file("--coverage", name, lcov.render(covered))


def write_witnesses(request: Request, outcome: Outcome) -> None:
    """Write the witnesses for `--witness`. Raises UsageError for one that cannot be written, after the others."""
    if not request.written.witness:
        return
    from cseq.report.witness import graphmlwitness, waypoints, yamlwitness

    why = waypoints.refusal(outcome)
    if why is not None:
        say_none(request, "--witness", why)
        return
    values = request.values
    specification = Path(values["spec"]).read_text(encoding="utf-8") if values.get("spec") else ""
    run = waypoints.WitnessTask(
        files=request.files,
        specification=specification.strip(),
        bits=values.get("bits", 64),
        command=(request.command, *request.words),
        include=tuple(values.get("include", ())),
    )
    failed = []
    for name in request.written.witness:
        try:
            text = (graphmlwitness if is_graphml(name) else yamlwitness).render(outcome, run)
            with undisturbed():
                Path(name).write_text(text, encoding="utf-8", errors="backslashreplace")
        except OSError as error:
            failed.append(f"--witness: {name}: cannot be written: {error.strerror}")
    if failed:
        raise UsageError("; ".join(failed))
