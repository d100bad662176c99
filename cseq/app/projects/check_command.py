"""The command `cseq check`: check the programs of a project as it is built."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from cseq.app.console import warn, write
from cseq.app.outputs import Printed
from cseq.base.errors import UsageError

if TYPE_CHECKING:
    import click

    from cseq.app.options import Command

_ABOUT = """Check the programs of a project, which its compilation database describes.

The database is the file compile_commands.json that CMake, Meson and Bear write. Each test that ctest lists is a
program, or else each file with a main; or one program is chosen. What has not changed since the last run is not checked
again. All options of `cseq` that say what is checked, and how, may be given, too.

Exit status: 0 no violation found, 1 violation, 2 the project or the command line is at fault, 3 no verdict."""

_OPTIONS = (
    ("--project", "DATABASE", "The compilation database, or the folder that it is in."),
    ("--entry", "FUNCTION", "Check a program that calls FUNCTION, which has no parameters, and nothing else."),
    ("--main", "FILE", "Check the program whose main is in FILE."),
    ("--junit", "FILE", "Write the results to FILE as JUnit XML, for continuous integration."),
    ("--baseline", "FILE", "Do not fail because of findings that are in FILE."),
    ("--write-baseline", "FILE", "Write all findings to FILE, for --baseline."),
    ("--no-cache", None, "Check everything again, and keep nothing for the next run."),
)  # fmt: skip

_PRINTING = ("--cex", "--explain", "--json", "--sarif", "-q", "--quiet", "-v", "--verbose")
_SHORT = {"-q": "quiet", "-v": "verbose"}


@dataclass
class Given:
    """The words of the command line. values: of our own options. printed: those about what is printed. rest: others."""

    values: dict[str, str] = field(default_factory=dict)
    printed: list[str] = field(default_factory=list)
    rest: list[str] = field(default_factory=list)

    def path(self, option: str) -> Path | None:
        """The value of *option*, which is a path."""
        return Path(self.values[option]) if option in self.values else None

    @property
    def printing(self) -> Printed:
        """What is printed."""
        names = {_SHORT.get(word, word.removeprefix("--")) for word in self.printed}
        return Printed(
            cex="cex" in names,
            explain="explain" in names,
            json="json" in names,
            sarif="sarif" in names,
            quiet="quiet" in names,
            verbose="verbose" in names,
        )


def split(words: Sequence[str]) -> Given:
    """The *words* by whom they are for. Raises UsageError for options of ours without a value, or given twice.

    A run that has all answers does not know the other options: to load what declares them takes longer than the rest.
    """
    takes = {name: value is not None for name, value, _ in _OPTIONS}
    found = Given()
    rest = iter(words)
    for word in rest:
        name, equals, value = word.partition("=")
        if word in _PRINTING:
            found.printed.append(word)
        elif name not in takes or (equals and not takes[name]):
            found.rest.append(word)
        elif name in found.values:
            raise UsageError(f"{name} is given twice")
        elif takes[name] and not equals:
            given = next(rest, None)
            if given is None:
                raise UsageError(f"option '{name}' requires an argument")
            found.values[name] = given
        else:
            found.values[name] = value
    return found


def command() -> Command:
    """The command with its options, for the help."""
    import click

    from cseq.app.options import Command, own_option, own_options

    names = {*_PRINTING, "--help", "--html", "--witness", "--keep", "--stop-on-violation"}
    options: list[click.Option] = [
        click.Option([name], **({"is_flag": True} if value is None else {"metavar": value}), help=text)
        for name, value, text in _OPTIONS
    ]
    options += [own_option(each, value, text) for each, value, text in own_options() if each[-1] in names]
    made = Command("cseq check", params=list(options), help=_ABOUT, add_help_option=False,
                   context_settings={"max_content_width": 100})  # fmt: skip
    made.sections = {"Options": list(options)}
    return made


def check_command(words: list[str]) -> int:
    """Do what `cseq check` is asked for in *words*; returns the exit status. Raises CSeqError."""
    if any(word in ("-h", "--help") for word in words):
        import click

        shown = command()
        return write(shown.get_help(click.Context(shown, info_name="cseq check", max_content_width=100)) + "\n")
    given = split(words)
    if "--project" not in given.values:
        raise UsageError("no compilation database: --project build/compile_commands.json")
    if "--entry" in given.values and "--main" in given.values:
        raise UsageError("--entry and --main do not go together")
    from cseq.app.projects.project_run import ProjectRun

    begun = time.monotonic()
    quiet = given.printing.for_programs
    return ProjectRun(given, tuple(words), (lambda line: None) if quiet else (lambda line: warn([line])), begun).run()
