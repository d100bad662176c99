"""Compare CBMC's own support for threads with the reference on random programs, as a third opinion on both.

    python -m tests.differential.third_opinion --seed 1 --count 200

The programs are those of fuzz.py with only the features that CBMC claims to support for threads. CBMC has no bound
on context switches, so the reference gets as many rounds as are enough. Prints each program on which the two differ,
with what CSeq says at the same number of rounds; the exit status is 0, since it is not CSeq that is judged here.
"""

import argparse
import random
import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from cseq.backends.cbmc import BACKEND
from tests.differential.fuzz import Bounds, said, tests_of
from tests.differential.generate import Generator
from tests.differential.reference import Program, TooBig, Undefined, explore, is_well_formed, to_c

FEATURES = (
    "array", "types", "if", "while", "for", "do", "switch", "break", "return", "mutex", "atomic", "call", "choose",
    "assume", "join", "local", "effects", "logic", "ternary", "cast", "static", "shadow", "localarray", "struct",
    "assert",
)  # fmt: skip

_MEANINGS = """
void __VERIFIER_assume(int holds) { __CPROVER_assume(holds); }
void __VERIFIER_atomic_begin(void) { __CPROVER_atomic_begin(); }
void __VERIFIER_atomic_end(void) { __CPROVER_atomic_end(); }
void reach_error(void) { __CPROVER_assert(0, "reach_error"); }
"""


def opinion(text: str, unwind: int, limit: float) -> str:
    """What CBMC says of the multi-threaded program itself: ``FALSE``, ``safe`` or ``limit``, or its own words."""
    path = BACKEND.find()
    assert path is not None, "CBMC is not installed (setup/provide-cbmc)"
    with tempfile.TemporaryDirectory(prefix="third-") as folder:
        program = Path(folder) / "program.c"
        program.write_text(text + _MEANINGS)
        command = [str(path), str(program), "--no-standard-checks", "--unwind", str(unwind + 1)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=limit, check=False)
        except subprocess.TimeoutExpired:
            return "limit"
    if done.returncode in (0, 10):
        return "FALSE" if done.returncode else "safe"
    said_last = re.sub(r"\(at: .*", "", (done.stderr.strip().splitlines() or done.stdout.splitlines())[-1])
    return f"refused: {said_last[:90]}"


def programs(seed: int, count: int, size: int) -> list[Program]:
    """Random programs with a few of the features each."""
    found = []
    for number in range(count):
        rng = random.Random(f"third/{seed}/{number}")
        features = {feature for feature in FEATURES if rng.random() < 0.35}
        program = Generator(rng, features, rng.choice(range(2, size + 1))).program()
        if is_well_formed(program):
            found.append(program)
    return found


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--unwind", type=int, default=2)
    parser.add_argument("--size", type=int, default=5)
    parser.add_argument("--limit", type=float, default=20.0, help="seconds per program for CBMC")
    options = parser.parse_args()
    bounds = Bounds(options.rounds, options.unwind, 64)
    counts: Counter[str] = Counter()
    for number, program in enumerate(programs(options.seed, options.count, options.size)):
        for test in tests_of(program, bounds, random.Random(f"{options.seed}/{number}"), counts):
            try:
                expected = "FALSE" if explore(test, options.rounds, options.unwind, 64).violated else "safe"
            except (Undefined, TooBig) as error:
                counts[f"dropped: {type(error).__name__}"] += 1
                continue
            third = opinion(to_c(test), options.unwind, options.limit)
            counts[f"reference {expected}, CBMC {third}"] += 1
            if third in ("FALSE", "safe") and third != expected:
                print(f"=== seed {options.seed}, program {number}: reference {expected}, CBMC {third},", flush=True)
                print(f"    CSeq with {options.rounds} rounds {said(to_c(test), bounds)[0]}\n{to_c(test)}", flush=True)
    for what, times in sorted(counts.items()):
        print(f"{times:6} {what}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
