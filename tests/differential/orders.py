"""Random programs, and what partial orders say of them.

    python -m tests.differential.orders --seed 1 --count 100

compares `--encoding partial-order` with a reference that runs the threads of a small program in every order
(`exhaustive`), with each CBMC that is installed (``--cbmc`` takes one). The programs are those of `explicit`.
"""

import argparse
import os
import random
import re
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import cseq
from cseq.backends.base import engines_folder
from cseq.model.errors import UnsupportedError
from cseq.model.verdict import Reason, Verdict
from cseq.report.words import message
from tests.differential import explicit, fuzz
from tests.differential.exhaustive import Everything
from tests.differential.reference import Program, to_c

_UNWIND = 6  # of loops, as in the reference
_LOST = re.compile(r"`.*?`")


def engines() -> list[Path]:
    """The CBMCs that were provided."""
    found = (engines_folder() / f"cbmc-{version}" / "bin" / "cbmc" for version in ("6.6", "5.12"))
    return [path for path in found if path.is_file()]


def said(text: str, engine: Path, timeout: float = 30) -> tuple[str, str]:
    """The verdict on a program, or ``refused``, ``limit`` or ``bug: …``; and the words that go with it."""
    before = os.environ.get("CSEQ_CBMC")
    os.environ["CSEQ_CBMC"] = str(engine)
    values: dict[str, Any] = {"encoding": "partial-order", "unwind": _UNWIND, "recursion": _UNWIND, "timeout": timeout}
    with tempfile.TemporaryDirectory(prefix="cseq-orders-") as folder:
        path = Path(folder) / "program.c"
        path.write_text(text)
        try:
            outcome = cseq.verify(path, backend="cbmc", **values)
        except UnsupportedError as error:
            return "refused", _LOST.sub("`…`", error.message)
        except Exception as error:  # whatever it is, it is a bug
            return f"bug: {type(error).__name__}", getattr(error, "message", str(error))
        finally:
            if before is None:
                del os.environ["CSEQ_CBMC"]
            else:
                os.environ["CSEQ_CBMC"] = before
    if outcome.reason is Reason.REPLAY:
        return "bug: replay", message(outcome)
    if outcome.reason in (Reason.TIMEOUT, Reason.MEMORY):
        return "limit", ""
    return outcome.verdict.value, message(outcome)


def disagreement(program: Program, expected: Everything, engine: Path, counts: Counter[str]) -> str:
    """What is wrong with what CSeq says of *program*; empty where nothing is."""
    if expected.cut and not expected.violated:
        counts["dropped: cut"] += 1
        return ""
    verdict, words = said(to_c(program), engine)
    counts[f"refused: {words}" if verdict == "refused" else f"violated {expected.violated}: {verdict}"] += 1
    if verdict.startswith("bug"):
        return f"{verdict}: {words}"
    if verdict in ("refused", "limit"):
        return ""
    if verdict == Verdict.TRUE.value and expected.violated:
        return "wrong proof"
    if verdict == Verdict.FALSE.value and not expected.violated:
        return "false alarm"
    return "missed" if expected.violated and verdict != Verdict.FALSE.value else ""


def main(arguments: list[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", type=int, default=0, help="the number of the first program")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--size", type=int, default=6, help="statements per thread, at most and roughly")
    parser.add_argument("--cbmc", type=Path, help="the only CBMC that is compared")
    options = parser.parse_args(arguments)
    counts: Counter[str] = Counter()
    wrong = 0
    chosen = [options.cbmc] if options.cbmc else engines()
    try:
        for number, program in fuzz.programs(options.seed, options.count, options.start, options.size):
            rng = random.Random(f"{options.seed}/{number}/tests")
            for test, expected in explicit.tests_of(program, rng, counts):
                engine = chosen[counts["programs"] % len(chosen)]
                counts["programs"] += 1
                found = disagreement(test, expected, engine, counts)
                if found:
                    wrong += 1
                    print(f"=== seed {options.seed}, program {number}, {engine}: {found}\n{to_c(test)}", flush=True)
    except KeyboardInterrupt:
        print("interrupted")
    return explicit.report(counts, wrong)


if __name__ == "__main__":
    sys.exit(main())
