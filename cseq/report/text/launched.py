"""Lines about programs that other programs run: those that a command has started, and those in a debugger."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from cseq.report.words import clean

_MANY = 20


def summary(found: Sequence[Mapping[str, Any]], status: int) -> Iterator[str]:
    """The lines: how many programs were explored, and what is wrong with which.

    found: of each its ``program``, the exit ``status`` of the exploration, and a ``message``. status: how the program
    that has started them ended.
    """
    violated = [each for each in found if each["status"] == 1]
    failed = [each for each in found if each["status"] not in (0, 1)]
    count = f"{len(found)} program{'s' if len(found) != 1 else ''} explored"
    results = [f"{len(violated)} with a violation"] if violated else ["no violation"]
    results += [f"{len(failed)} without an answer"] if failed else []
    yield f"cseq: {count}: {', '.join(results)}"
    wrong = [*violated, *failed]
    yield from (f"  {clean(each['program'])}: {clean(each['message'])}" for each in wrong[:_MANY])
    if len(wrong) > _MANY:
        yield f"  and {len(wrong) - _MANY} more"
    if status != 0 and not wrong:
        yield f"cseq: the program that started {'them' if len(found) > 1 else 'it'} ended with exit status {status}"


def repeated(counts: Mapping[str, float]) -> str:
    """What became of a saved run. counts: the runs, by ``times``, ``same``, ``otherwise`` and ``diverged``."""
    times, same, otherwise, diverged = (int(counts[name]) for name in ("times", "same", "otherwise", "diverged"))
    passed = times - same - otherwise - diverged
    if times == 1:
        results = {
            "the run fails as it did": same,
            "the run fails in another way": otherwise,
            "the program does not follow the run": diverged,
            "the run does not fail any more": passed,
        }
        return f"cseq: {next(text for text, count in results.items() if count)}"
    parts = {
        "failed as the saved one did": same,
        "failed in another way": otherwise,
        "did not follow it": diverged,
        "did not fail": passed,
    }
    said = [f"{count} {text}" for text, count in parts.items() if count]
    return f"cseq: of {times} runs {', '.join(said)}"


def ended(end: int, races: int, expected: str) -> tuple[int, str]:
    """How a run in a debugger ended: an exit status, and a line.

    end: as the runtime says, 0 if it does not know. races: how many data races were noticed. expected: how the saved
    run ended.
    """
    name = _ENDS.get(end, "")
    if name == "diverged":
        return 3, "cseq: the program did not follow the run: is it the same program?"
    if races or end >= _LEAST_VIOLATION:
        return 1, "cseq: the run failed in the debugger as it did"
    return 0, f"cseq: the run did not fail in the debugger (it was saved as: {clean(expected)})"


_ENDS = {3: "diverged"}
_LEAST_VIOLATION = 10
