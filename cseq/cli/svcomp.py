"""``lazy-cseq.py``, the command for competitions: one line with the verdict, and nothing else.

BenchExec's tool-info module `lazycseq` calls it. The words TRUE, FALSE and UNKNOWN appear in its output only at the
beginning of that line, whatever the program under test is called or contains.
"""

import contextlib
import re
import sys
from collections.abc import Sequence
from dataclasses import replace

from cseq.cli.console import write
from cseq.cli.files import write_witnesses
from cseq.cli.options import read
from cseq.cli.perform import executed
from cseq.cli.reproducing import write_reproducer, write_test
from cseq.cli.request import Request
from cseq.cli.svcomp_rules import decisive, reported
from cseq.model.claims import Kind
from cseq.model.errors import UsageError
from cseq.model.verdict import Outcome, Verdict
from cseq.pipeline.chain import Chain
from cseq.portfolio.collection import without_collection

_VERDICTS = re.compile("|".join(verdict.value for verdict in Verdict))
_MISUSE = "--misuse"

_HELP = """\
Usage: lazy-cseq.py [--spec FILE] --input FILE [OPTION]...

  Check one property of a C program, without a time limit, and print one line, which begins with
  TRUE, FALSE(PROPERTY) or UNKNOWN. An explicit-state search and a symbolic search with growing
  bounds run at the same time, until there is an answer.

  --spec FILE    the property file, as in SV-COMP
  --input FILE   the C file (several times: files that make one program)
  --32, --64     the data model, ILP32 or LP64 (the default)
  --misuse       misuse of the thread library counts as a violation of unreach-call
  --version      the version

  The other options are the options of `cseq`, except those that print something else.
  Exit status: 0 no violation found, 1 violation, 2 the input or the command line is at fault,
  3 no verdict, 130 stopped by a signal.
"""

_PRINTING = ("cex", "json", "sarif", "html", "quiet", "verbose", "seq_only", "linemap", "dump_after", "ir")


def perform(request: Request, misuse: bool = False) -> int:
    """Run, print the line, and return the exit status, which is 1 only for a violation that the line reports.

    misuse: misuse of the thread library counts as a violation.
    """
    programs, outcome = executed(request)
    if not isinstance(outcome, Outcome):
        raise UsageError(f"the chain {request.way.chain.path} ends without a verdict")
    programs.write_maps()
    verdict = reported(outcome, misuse)
    write(line(outcome, misuse))
    try:
        write_reproducer(request, outcome)
        write_test(request, outcome)
    finally:  # a reproducer that cannot be written is no reason to leave out the witness, which is for one verdict
        is_lost = verdict is outcome.verdict and not _has_written_witnesses(request, outcome)
    if is_lost:
        return 2
    return 3 if outcome.exit_status == 1 and verdict is not Verdict.FALSE else outcome.exit_status


def _has_written_witnesses(request: Request, outcome: Outcome) -> bool:
    """Write the witnesses that are asked for; whether that was possible. If not, standard error says why."""
    try:
        write_witnesses(request, outcome)
    except UsageError as error:
        _say(error.message)
        return False
    except Exception as error:  # a bug of ours; the verdict has been printed already
        _say(f"--witness: internal error: {type(error).__name__}: {error}")
        return False
    return True


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command with *arguments*, by default those of the process; returns the exit status."""
    from cseq.cli.faults import explained
    from cseq.cli.main import interruptible

    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        with interruptible(), without_collection(ends=arguments is None):
            return _main(words)
    except (KeyboardInterrupt, Exception) as error:
        message, status = explained(error, command="")
        try:
            write(_line(Verdict.UNKNOWN, message))
        except UsageError:
            return status or 3  # the message cannot be written
        return status


def _main(words: list[str]) -> int:
    from cseq.cli.main import chosen_chain
    from cseq.pipeline.chain import load

    if "--version" in words:
        from cseq.version import __version__

        return write(f"{__version__}\n")
    if "--help" in words or "-h" in words:
        return write(_HELP)
    given = [word for word in words if word != _MISUSE]
    name = chosen_chain(given)
    chain = load(name) if name is not None else None
    request = _read(chain, given)
    if not request.rivals and "auto" in request.values:  # the symbolic family by itself
        request = _read(chain, ["--auto", *given])
    misuse = _MISUSE in words
    any_ = request.values.get("args") is None  # no rule says that there are no arguments
    return perform(request.having(excuse=not misuse, args_any=any_, first=True), misuse)


def _read(chain: Chain | None, words: list[str]) -> Request:
    """The request in *words*. Raises UsageError for options that print anything but the line."""
    request = read(chain, [*words], "lazy-cseq.py")
    assert isinstance(request, Request)  # it is a text only if --help is among the words
    for name in _PRINTING:
        if getattr(request.printed, name, False) or getattr(request.written, name, False):
            raise UsageError(f"--{name.replace('_', '-')} is not an option of lazy-cseq.py, which prints one line")
    return replace(request, printed=replace(request.printed, quiet=True))


def line(outcome: Outcome, misuse: bool = False) -> str:
    """The line that reports *outcome*, with a newline at its end.

    misuse: misuse of the thread library, which no property of SV-COMP is about, counts as a violation too.
    """
    from cseq.report import words

    part, verdict = decisive(outcome), reported(outcome, misuse)
    if part.violated is None or part.verdict is not Verdict.FALSE:
        return _line(verdict, words.answer(part))
    if verdict is Verdict.UNKNOWN:
        what = {Kind.MISUSE: "the thread library is misused: ", Kind.CRASH: "the program crashes: "}
        return _line(verdict, f"{what.get(part.violated.claim.kind, '')}{words.answer(part)}")
    property_ = part.violated.part or part.property
    return _line(verdict, words.answer(part), f"({property_})" if property_ else "")


def _line(verdict: Verdict, message: str, property_: str = "") -> str:
    """One line of output."""
    return f"{verdict.value}{property_}: {_without_verdicts(message)}\n"


def _say(message: str) -> None:
    """One line on standard error."""
    with contextlib.suppress(OSError, ValueError):
        print(f"lazy-cseq.py: {_without_verdicts(message)}", file=sys.stderr, flush=True)


def _without_verdicts(message: str) -> str:
    from cseq.report.words import clean

    return _VERDICTS.sub(lambda word: word[0].lower(), clean(" ".join(message.split())))
