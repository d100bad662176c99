"""The command line: reads what is wanted, has it done, and turns errors into one line and an exit status.

Start-up time is part of every run, so modules that a command does not need are not imported.
"""

import contextlib
import io
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from typing import Any

from cseq.cli.bytecode import keep_bytecode
from cseq.cli.faults import explained
from cseq.model.errors import CSeqError, UsageError
from cseq.portfolio.collection import without_collection


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line with *arguments*, by default those of the process; returns the exit status.

    Raises nothing: errors become a line on standard error.
    """
    if arguments is None:  # the process is ours
        keep_bytecode()
    words = list(sys.argv[1:] if arguments is None else arguments)
    verbose = "-v" in words or "--verbose" in words
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        with interruptible(), without_collection(ends=arguments is None):
            return _main(words)
    except (KeyboardInterrupt, Exception) as error:
        ours = isinstance(error, (KeyboardInterrupt, CSeqError))
        return _fail(*explained(error, verbose), trace=verbose and not ours)


def _fail(message: str, status: int, trace: bool = False) -> int:
    """Print one line on standard error, after the trace of the current exception if that is wanted."""
    if sys.stderr is None:
        return status
    from cseq.report.words import clean

    with contextlib.suppress(OSError):
        if trace:
            import traceback

            traceback.print_exc()
        print(clean(" ".join(message.split("\n"))), file=sys.stderr, flush=True)
    return status


@contextlib.contextmanager
def interruptible() -> Iterator[None]:
    """Make the signals that ask to stop raise KeyboardInterrupt, once: the clean-up is not interrupted again."""

    def interrupt(*_: Any) -> None:
        for number in stopping:
            signal.signal(number, signal.SIG_IGN)
        raise KeyboardInterrupt

    before: dict[int, Any] = {}
    stopping: list[int] = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]
    with contextlib.suppress(ValueError):  # not the main thread: others handle the signals
        for number in stopping:
            if signal.getsignal(number) is not signal.SIG_IGN:  # as under nohup
                before[number] = signal.signal(number, interrupt)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _main(words: list[str]) -> int:
    from cseq.cli.console import write

    if words[:1] == ["doctor"]:
        return _doctor(words[1:])
    if words[:1] == ["run"]:
        from cseq.cli.run_command import run_command

        return run_command(words[1:])
    if words[:1] == ["check"]:
        from cseq.cli.projects.check_command import check_command

        return check_command(words[1:])
    if words[:1] == ["merge"]:
        from cseq.cli.merge_command import merge_command

        return merge_command(words[1:])
    if words[:1] == ["linearize"]:
        from cseq.cli.linearize_command import linearize_command

        return linearize_command(words[1:])
    if words[:1] == ["cluster"]:
        from cseq.cli.cluster_command import cluster_command

        return cluster_command(words[1:])
    if words[:1] == ["replay"]:
        from cseq.cli.replay_command import replay_command

        return replay_command(words[1:])
    if "--version" in words:
        from cseq.version import __version__

        return write(f"cseq {__version__}\n")
    from cseq.cli.options import asked
    from cseq.cli.validation import check
    from cseq.pipeline.chain import load

    chain = chosen_chain(words)
    found = asked(load(chain) if chain is not None else None, words)
    if isinstance(found, str):
        return write(found)
    if any(os.path.isdir(file) for file in found.files):  # noqa: PTH112
        from cseq.cli.tasks.perform_tasks import perform_all
        from cseq.cli.tasks.programs_in_folders import are_folders

        if are_folders(found.files):
            return perform_all(found)
    request = found.request(found.files)
    check(request)
    from cseq.cli.perform import perform

    return perform(request)


def _doctor(words: list[str]) -> int:
    from cseq.cli.console import write

    if words and words[0] in ("-h", "--help"):
        return write(
            "Usage: cseq doctor\n\n  List every engine and tool that CSeq knows, and how to get those missing here.\n"
        )
    if words:
        raise UsageError(f"`cseq doctor` takes no argument, such as `{words[0]}`")
    from cseq.portfolio.doctor import doctor, render

    return write(render(doctor()) + "\n")


def chosen_chain(words: list[str]) -> str | None:
    """The value of ``--chain``, which must be known before the options are; None where it is not given."""
    chosen = None
    for number, word in enumerate(words):
        if word == "--":
            break
        if word == "--chain" and number + 1 < len(words):
            chosen = words[number + 1]
        elif word.startswith("--chain="):
            chosen = word.removeprefix("--chain=")
    return chosen
