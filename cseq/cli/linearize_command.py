"""The command `cseq linearize`: whether what a data structure returns to several threads has a sequential order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cseq.cli.console import write
from cseq.model.errors import UsageError

if TYPE_CHECKING:
    from cseq.cli.options import Command

_ABOUT = """Check whether a data structure is linearizable, and that its operations neither crash nor block for ever.

FILES are C files with the code of the data structure, or one specification *.cseq. CSeq generates small programs in
which several threads call the operations, and explores each program under all schedules. The results of the calls have
to be the results of some sequential order of the calls. In this order, a call that returned before another call began
comes first.

Exit status: 0 no violation found, 1 violation, 2 the input or the command line is at fault, 3 no verdict."""

_OWN = frozenset(
    {"--cex", "--explain", "--json", "--sarif", "--quiet", "--html", "--reproducer", "--save-test", "--keep", "--help"}
)
"""Those of our own options that the command has."""

_OPTIONS: tuple[tuple[str, str | None, str, bool], ...] = (
    ("--header", "FILE", "A header with the declarations that the calls need.", True),
    ("--new", "DECLARATION", "An object that the calls share, such as 'struct queue *q = queue_new(4)'.", True),
    (
        "--op",
        "CALL",
        "An operation, such as 'queue_push(q, {1..2})'; `by NAME` at its end: only one thread calls it.",
        True,
    ),
    ("--type", "TYPE", "Find the operations on TYPE, such as 'struct queue', in the headers.", False),
    ("--setup", "STATEMENT", "A statement of main before the threads start.", True),
    ("--teardown", "STATEMENT", "A statement of main after the threads have ended; leaks are then reported.", True),
    ("--invariant", "EXPR", "A condition that holds before the threads start, and after they have ended.", True),
    ("--model", "FILE", "A C file that implements the operations; the sequential orders are run with it.", True),
    ("--consistency", "NAME", "The condition on results: linearizable (the default), sequential or quiescent.", False),
    ("--race", None, "Also look for data races.", False),
    (
        "--lock-free",
        None,
        "Also require that the other threads can finish if one thread stops at any point.",
        False,
    ),
    ("--no-memsafety", None, "Do not look for invalid memory accesses, invalid frees and leaks.", False),
    ("--list-scenarios", None, "Print the scenarios, and stop.", False),
    ("--save-scenario", "FILE", "Write the program that shows the violation to FILE.", False),
    ("--yes", None, "With --type: do not ask whether the specification is right.", False),
)


def command() -> Command:
    """The command with its options."""
    import click

    from cseq.cli.options import command_with, options_of, own_option, own_options
    from cseq.modules.frontend.merger.merger import HEADERS, MACROS
    from cseq.options.memory_models import C11, SC
    from cseq.options.properties import JOBS, MEMLIMIT
    from cseq.pipeline.stage import BITS

    options: list[click.Parameter] = []
    for name, value, text, several in _OPTIONS:
        kind: dict[str, Any] = {"is_flag": True} if value is None else {"metavar": value, "multiple": several}
        options.append(click.Option([name, "own_" + name.strip("-").replace("-", "_")], **kind, help=text))
    numbers = (("--threads", "threads of the largest scenarios"), ("--calls", "calls of each thread in these"))
    for name, text in numbers:
        help_ = f"{text[:1].upper()}{text[1:]} (without both: 2 threads with 3 calls, and 3 with 2)."
        options.append(
            click.Option([name, f"own_{name.strip('-')}"], type=click.IntRange(min=1), metavar="N", help=help_)
        )
    options.append(
        click.Option(["--time", "own_time"], type=click.FloatRange(min=0, min_open=True), metavar="SEC",
                     help="Seconds after which no further scenario is begun (default: 60).")
    )  # fmt: skip
    options += options_of([HEADERS, MACROS, BITS, JOBS, MEMLIMIT])
    options += [own_option(names, value, text) for names, value, text in own_options() if names[-1] in _OWN]
    options.append(
        click.Option(["--memory-model", "own_memory_model"], type=click.Choice([SC, C11]), metavar="NAME",
                     help="The memory model: c11 (the default where the memory orders of the structure may make a "
                     "difference) or sc.")
    )  # fmt: skip
    files = click.Argument(["own_files"], nargs=-1, metavar="[FILES]...")
    return command_with("cseq linearize", _ABOUT, options, [files])


def linearize_command(words: list[str]) -> int:
    """Do what `cseq linearize` is asked for in *words*; returns the exit status. Raises CSeqError."""
    from cseq.cli.options import parsed

    found = parsed(command(), words)
    if isinstance(found, str):
        return write(found)
    own, values = found
    volumes = [name for name in ("json", "sarif", "quiet") if own.get(name)]
    if len(volumes) > 1:
        raise UsageError(f"--{volumes[0]} and --{volumes[1]} cannot be combined")
    if own.get("save_test") and not own.get("save_scenario"):
        raise UsageError("--save-test takes --save-scenario FILE: that program is what the test is made of")
    from cseq.cli.linearize.structures import structure_of
    from cseq.modules.linearizability.structure import check

    structure = structure_of(own, values)
    check(structure)
    from cseq.cli.linearize.checking import StructureCheck

    return StructureCheck(structure, own, values).perform()
