"""The command `cseq check`: check the programs of a project as it is built."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from cseq.cli.console import warn, write
from cseq.cli.projects.check_words import OPTIONS, PRINTING, split
from cseq.model.errors import UsageError

if TYPE_CHECKING:
    import click

    from cseq.cli.options import Command

_ABOUT = """Check the programs of a project, which its compilation database describes.

The database is the file compile_commands.json that CMake, Meson and Bear write. The programs are the tests that ctest
lists, or else the files with a main; or one program is selected. Unchanged programs are not checked again. All options
of `cseq` about properties and engines are supported.

With --shared it shows what the threads of these programs share, and what protects it; the files of one program may be
given instead of a database.

Exit status: 0 no violation found, 1 violation, 2 the project or the command line is at fault, 3 no verdict."""


def command() -> Command:
    """The command with its options, for the help."""
    import click

    from cseq.cli.options import command_with, own_option, own_options

    names = {*PRINTING, "--help", "--html", "--witness", "--keep", "--stop-on-violation"}
    options: list[click.Option] = [
        click.Option([name], **({"is_flag": True} if value is None else {"metavar": value}), help=text)
        for name, value, text in OPTIONS
    ]
    options += [own_option(each, value, text) for each, value, text in own_options() if each[-1] in names]
    return command_with("cseq check", _ABOUT, options)


def check_command(words: list[str]) -> int:
    """Do what `cseq check` is asked for in *words*; returns the exit status. Raises CSeqError."""
    if any(word in ("-h", "--help") for word in words):
        import click

        shown = command()
        return write(shown.get_help(click.Context(shown, info_name="cseq check", max_content_width=100)) + "\n")
    given = split(words)
    begun = time.monotonic()
    quiet = given.printing.for_programs
    say = (lambda line: None) if quiet else (lambda line: warn([line]))
    if "--shared" in given.values:
        from cseq.cli.projects.shared_run import SharedRun

        return SharedRun(given, tuple(words), say, begun).run()
    for name in ("--annotate", "--entries"):
        if name in given.values:
            raise UsageError(f"{name} is for --shared")
    if "--project" not in given.values:
        raise UsageError("no compilation database: --project build/compile_commands.json")
    if "--entry" in given.values and "--main" in given.values:
        raise UsageError("--entry and --main cannot be combined")
    from cseq.cli.projects.project_run import ProjectRun

    return ProjectRun(given, tuple(words), say, begun).run()
