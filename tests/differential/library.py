"""Every function that a header declares, called once in each family: each call has an answer, or is refused by name.

    python -m tests.differential.library --backend native --backend horn

The functions are those of the shipped headers, and those of the system's that are known. A call is right
(`tests.programs.calls`), so no answer is a violation; an engine that fails is an error, and so is what is neither
answered nor named. Functions of the thread library, which need objects in a certain state, are in
tests/programs/test_calls.py.
"""

import argparse
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import cseq
from cseq.model.claims import Limit
from cseq.model.errors import CSeqError, InputError
from cseq.model.verdict import Reason, Verdict
from cseq.modules.library import primitives
from cseq.pthread_stubs import INCLUDE
from tests.programs import calls

BACKENDS = ("native", "cbmc", "horn", "spin", "tlc", "graphs")

_ENDS = frozenset({"abort", "exit", "_exit", "_Exit", "quick_exit", "err", "errx", "verr", "verrx", "raise", "kill"})
"""Functions after which nothing is executed."""


def functions() -> list[str]:
    """The functions that are called, by name."""
    text = "\n".join(path.read_text(encoding="utf-8") for path in INCLUDE.rglob("*.h"))
    shipped = {match[1] for match in re.finditer(r"^\w[\w *]*?\b(\w+)\(.*\);$", text, re.MULTILINE)}
    threads = {name for name in shipped if name in primitives.PRIMITIVES or name.startswith(("pthread_", "__"))}
    found = {name for name in {*shipped, *calls.known()} - threads - _ENDS if calls.has_call(name)}
    ordinary = {*calls.modelled(), *calls.others()}
    return sorted(found, key=lambda name: (name not in ordinary, name))


def answers(names: Sequence[str], backend: str, folder: Path) -> Iterator[tuple[str, str, str]]:
    """How *backend* answers for each of the functions *names*, and what is wrong with that; empty if nothing is.

    Functions of which a single program proves that nothing is wrong are not looked at one by one.
    """
    answer, wrong = _answered(names, backend, folder)
    if len(names) == 1 or answer == "TRUE":
        yield from ((name, answer, wrong) for name in names)
    else:
        middle = len(names) // 2
        yield from answers(names[:middle], backend, folder)
        yield from answers(names[middle:], backend, folder)


def _answered(names: Sequence[str], backend: str, folder: Path) -> tuple[str, str]:
    path = folder / "program.c"
    path.write_text(calls.program(names), encoding="utf-8")
    try:
        outcome = cseq.verify(path, backend=backend, timeout=60)
    except InputError as error:
        return "refused", "" if error.origin is not None and "support" in error.message else str(error)
    except CSeqError as error:
        return "failed", str(error)
    if outcome.verdict is Verdict.FALSE:
        return "FALSE", str(outcome.violated)
    if outcome.verdict is Verdict.TRUE:
        return "TRUE", ""
    limits = {bound.cut.limit for bound in outcome.bounds}
    if Limit.UNSUPPORTED in limits or "not followed" in outcome.message:
        return "cut", ""
    named = outcome.bounds or outcome.reason is Reason.UNPROVED
    return "UNKNOWN", "" if named else f"{outcome.reason}: {outcome.message}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Call each function; print what is wrong, and how many calls are answered how."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--backend", choices=BACKENDS, action="append")
    parser.add_argument("--only", default="", help="a regular expression that the name has to match")
    parser.add_argument("--show", action="store_true", help="print each answer")
    parser.add_argument("--together", type=int, default=16, help="how many functions a program calls at first")
    given = parser.parse_args(arguments)
    wrong = 0
    for backend in given.backend or BACKENDS:
        counts: Counter[str] = Counter()
        names = [name for name in functions() if re.search(given.only, name)]
        with tempfile.TemporaryDirectory() as folder:
            for first in range(0, len(names), given.together):
                for name, answer, what in answers(names[first : first + given.together], backend, Path(folder)):
                    counts[answer] += 1
                    wrong += bool(what)
                    if what or given.show:
                        print(f"{backend}: {name}: {answer} {what}", flush=True)
        print(f"{backend}: {sum(counts.values())} functions: {dict(counts)}", flush=True)
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
