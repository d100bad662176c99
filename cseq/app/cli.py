"""The command line: reads what is wanted, has it done, and turns errors into one line and an exit status.

Start-up time is part of every run, so modules that a command does not need are not imported.
"""

from __future__ import annotations

import contextlib
import io
import signal
import sys
from collections.abc import Iterator, Sequence
from typing import Any

from cseq.app.collection import without_collection
from cseq.base.errors import CSeqError, UsageError


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line with *arguments*, by default those of the process; returns the exit status.

    Raises nothing: errors become a line on standard error.
    """
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


def explained(error: BaseException, verbose: bool = False, command: str = "cseq") -> tuple[str, int]:
    """The line that reports *error* to the user, and the exit status.

    command: what a line without a place begins with; empty for nothing.
    """
    name = f"{command}: " if command else ""
    begin = f"{name}error: " if command else ""
    match error:
        case KeyboardInterrupt():
            return f"{name}interrupted", 130
        case CSeqError():
            return f"{f'{error.origin}: error: ' if error.origin else begin}{error.message}", error.exit_status
        case RecursionError():
            return f"{begin}the program is nested too deeply", 3
        case MemoryError():
            return f"{begin}out of memory", 3
        case OSError():
            place = f"{error.filename}: " if error.filename is not None else ""
            return f"{begin}{place}{error.strerror or error}", 3
        case ModuleNotFoundError():
            return f"{begin}{error}; in a checkout, `make setup` installs what is needed", 3
    # A bug in CSeq, which must not look like a bug in the user's program.
    from cseq.report.words import internal_error

    advice = "please report it" if verbose else "please report it with what --verbose shows"
    return f"{name}{internal_error(error)} ({advice})", 3


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
    from cseq.app.console import write

    if words[:1] == ["doctor"]:
        return _doctor(words[1:])
    if words[:1] == ["run"]:
        from cseq.app.run_command import run_command

        return run_command(words[1:])
    if words[:1] == ["replay"]:
        from cseq.app.replay_command import replay_command

        return replay_command(words[1:])
    if "--version" in words:
        from cseq.version import __version__

        return write(f"cseq {__version__}\n")
    from cseq.app.options import read
    from cseq.pipeline.chain import load

    chain = chosen_chain(words)
    request = read(load(chain) if chain is not None else None, words)
    if isinstance(request, str):
        return write(request)
    from cseq.app.perform import perform

    return perform(request)


def _doctor(words: list[str]) -> int:
    from cseq.app.console import write

    if words and words[0] in ("-h", "--help"):
        return write(
            "Usage: cseq doctor\n\n  List every engine and tool that CSeq knows, and how to get those missing here.\n"
        )
    if words:
        raise UsageError(f"`cseq doctor` takes no argument, such as `{words[0]}`")
    from cseq.app.doctor import doctor, render

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
