"""Random programs, and what TLC says of the specifications that they are translated to.

    python -m tests.differential.specifications --seed 1 --count 100

The programs are those of `deductive`: half of them are finite, the threads of the others may go on for ever. Both have
references that enumerate all executions. Each is checked with the reduction, or without, by chance.
"""

import argparse
import random
import sys
import tempfile
from collections import Counter
from pathlib import Path

import cseq
from cseq.model.errors import UnsupportedError
from cseq.model.verdict import Outcome, Reason, Verdict
from tests.differential.deductive import Test, tests
from tests.differential.explicit import report

_SECONDS = 20.0
"""How long TLC may take for a program."""


def disagreement(test: Test, folder: Path, counts: Counter[str], options: dict[str, object]) -> str:
    """What is wrong with what TLC says of the program. options: more parameters of the chain."""
    name, text, violated = test
    path = folder / "program.c"
    path.write_text(text, encoding="utf-8")
    kind = f"{name.split()[0]}, {'violated' if violated else 'safe'}"
    try:
        found = cseq.verify(path, chain="tlc", timeout=_SECONDS, **{"property": "unreach-call"}, **options)
    except UnsupportedError as error:
        counts[f"refused: {error.message.split('`')[0]}"] += 1
        return ""
    counts[f"{kind}: {_said(found)}"] += 1
    if found.reason in (Reason.TIMEOUT, Reason.MEMORY):
        return ""
    if found.reason is Reason.REPLAY:
        return f"the program does not do what TLC says: {found.message}"
    if found.verdict is Verdict.TRUE and violated:
        return "missed"
    if found.verdict is Verdict.FALSE and not violated:
        return f"false alarm: {found.message}"
    return ""


def _said(found: Outcome) -> str:
    return found.verdict.value + (f" ({found.reason.value})" if found.reason is not None else "")


def main(arguments: list[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", type=int, default=0, help="the number of the first program")
    parser.add_argument("--count", type=int, default=100)
    options = parser.parse_args(arguments)
    counts: Counter[str] = Counter()
    wrong = 0
    try:
        for test in tests(options.seed, options.count, options.start, counts):
            reduced = random.Random(f"{options.seed}/{test[0]}").random() < 0.7
            with tempfile.TemporaryDirectory(prefix="cseq-specifications-") as folder:
                try:
                    message = disagreement(test, Path(folder), counts, {} if reduced else {"no_por": True})
                except Exception as error:  # whatever it is, it is a bug
                    message = f"{type(error).__name__}: {getattr(error, 'message', error)}"
            if message:
                wrong += 1
                print(
                    f"=== seed {options.seed}, {test[0]}{'' if reduced else ', no_por'}: {message}\n{test[1]}",
                    flush=True,
                )
    except KeyboardInterrupt:
        print("interrupted")
    return report(counts, wrong)


if __name__ == "__main__":
    sys.exit(main())
