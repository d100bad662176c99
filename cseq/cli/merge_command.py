"""The command `cseq merge`: one answer from the reports of a list of jobs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cseq.cli.console import style, warn, write
from cseq.model.errors import BackendError, UsageError

if TYPE_CHECKING:
    from cseq.cli.joblists.combining import MergedReport, MissingReport
    from cseq.cli.options import Command

_ABOUT = """Combine FILES, the reports of jobs of --job-list, or all reports in a folder, into one answer.

A property is violated if it is violated in any report. It is proved if any report proves it, or if the tiles of one
level cover all schedules and the answers of the tiles have no other bound. Reports about different programs or
questions, or by different versions of CSeq, are refused.

Exit status: 0 no violation found, 1 violation, 2 the reports or the command line are at fault, 3 no verdict."""

_OWN = frozenset({"--cex", "--json", "--quiet", "--help"})
"""Those of our own options that the command has."""


def command() -> Command:
    """The command with its options."""
    import click

    from cseq.cli.options import command_with, own_option, own_options

    options = [own_option(names, value, text) for names, value, text in own_options() if names[-1] in _OWN]
    files = click.Argument(["own_files"], nargs=-1, metavar="FILES...")
    return command_with("cseq merge", _ABOUT, options, [files])


def merge_command(words: list[str]) -> int:
    """Do what `cseq merge` is asked for in *words*; returns the exit status. Raises CSeqError."""
    from cseq.cli.joblists.mergedreport import report, warnings
    from cseq.cli.options import parsed

    found = parsed(command(), words)
    if isinstance(found, str):
        return write(found)
    own, _ = found
    names = list(own.pop("files", ()))
    if not names:
        raise UsageError("no report to merge (`cseq merge --help` lists the options)")
    volumes = [name for name in ("json", "quiet", "cex") if own.get(name)]
    if len(volumes) > 1:
        raise UsageError(f"--{volumes[0]} and --{volumes[1]} cannot be combined")
    answer = merged(names)
    if own.get("json"):
        write(json.dumps(report(answer), indent=2) + "\n")
    elif own.get("quiet"):
        write(f"{answer.verdict.value}\n")
    else:
        warn(warnings(answer))
        write(_text(answer, steps=bool(own.get("cex"))))
    return answer.exit_status


def merged(names: Sequence[str]) -> MergedReport:
    """The answer that the files, or folders of files, called *names* make together. Raises CSeqError."""
    from cseq.cli.joblists.combining import MissingReport, merge
    from cseq.cli.joblists.jobreports import NoReportError, Report, check_together, read

    reports: list[Report] = []
    lost: list[MissingReport] = []
    for path, job in _files(names).items():
        if job and not path.exists():
            lost.append(MissingReport(str(path), "none", job))
            continue
        try:
            reports.append(read(path))
        except NoReportError as error:
            lost.append(MissingReport(str(path), str(error), job))
    check_together(reports)
    if not reports:
        raise BackendError(f"there is no report: {_first(lost)}")
    return merge(reports, lost)


def _first(lost: Sequence[MissingReport]) -> str:
    from cseq.report.text.merged import without

    return without(lost[0].place, lost[0].why, len(lost) - 1)


def _files(names: Sequence[str]) -> dict[Path, str]:
    """The files to read, each once, with the command lines of their jobs where these are known."""
    from cseq.cli.joblists.rowfiles import expected

    found: dict[Path, str] = {}
    seen: set[Path] = set()
    jobs: dict[Path, dict[str, str]] = {}
    for name in names:
        path = Path(name)
        listed = expected(path) if path.is_dir() else {}
        inside = sorted({*path.glob("*.json"), *(path / job for job in listed)}) if path.is_dir() else [path]
        if not inside:
            raise UsageError(f"{name}: there is no report in this folder")
        for file in inside:
            if file.resolve() not in seen:
                seen.add(file.resolve())
                if file.parent not in jobs:
                    jobs[file.parent] = expected(file.parent)
                job = jobs[file.parent].get(file.name, "")
                found[file] = job if path.is_dir() or file.exists() else ""
    return found


def _text(answer: MergedReport, steps: bool) -> str:
    from cseq.cli.joblists.mergedreport import answer_line, shown
    from cseq.report.text import merged as text
    from cseq.report.text.terminal import counterexample

    lost = [(each.place, each.why, each.command) for each in answer.lost]
    lines = list(text.lines([answer_line(each) for each in answer.answers], lost, steps))
    for each in answer.answers:
        found: Any = shown(each.by) if steps and each.by is not None else None
        if found is not None:
            lines += counterexample(found, None, style())
    return "".join(f"{line}\n" for line in lines)
