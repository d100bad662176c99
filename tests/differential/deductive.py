"""Random programs: no proof without bounds is accepted of one that has a violation, and their transition systems have
the errors of the programs.

    python -m tests.differential.deductive --seed 1 --count 100

Half of the programs are those of `explicit`, which are finite; the others are those of `endless`, whose threads may go
on for ever. Both have references that enumerate all executions. The system that is built of a program is executed
(`tests/support/interpreter.py`): it must not miss a violation. Errors that the program does not have are counted, since
a system may allow more than the program does. Of some programs a proof is looked for.
"""

import argparse
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cseq import api
from cseq.model.errors import UnsupportedError
from cseq.modules.analysis.spurious import WEAK_FAILS
from cseq.modules.deductive.encode.builder import SYSTEM
from cseq.modules.deductive.proof_strategies import search_proof
from cseq.modules.deductive.transitions import System
from cseq.pipeline.chain import load
from cseq.pipeline.stage import Context
from cseq.portfolio.families import Configuration
from tests.differential import endless, explicit, fuzz
from tests.differential.reference import Undefined, to_c
from tests.support.interpreter import explore, walk

_STATES = 8_000

Test = tuple[str, str, bool]
"""A name, the program as C, and whether it has a violation."""

UNSUITABLE = frozenset({"misuse", "struct", "copy", "bitfield", "functionpointer", "exit", "fail", "recursion"})
"""Features of generated programs that are often refused, and left out of three programs in four."""


class _Watcher(api.Observer):
    """Keeps the system, and ends the run when it is there."""

    def __init__(self) -> None:
        self.system: System | None = None

    def seen(self, name: str, output: Any, context: Context) -> None:
        """The stage *name* is done."""
        if name == "builder":
            self.system = context.facts[SYSTEM]

    def made(self, name: str, output: Any) -> Any:
        """Nothing after the system."""
        return None if name == "builder" else output


def built(text: str, folder: Path, **values: Any) -> System:
    """The transition system of a C program. Raises UnsupportedError. values: of the chain's parameters."""
    chain = load("horn")
    chain.planner = None
    path = folder / "program.c"
    path.write_text(text)
    watcher = _Watcher()
    settled = chain.values({WEAK_FAILS.name: True, **values})
    api.run(Configuration(chain, settled), [path], observer=watcher, printing=True)
    assert watcher.system is not None
    return watcher.system


def finite(seed: int, count: int, start: int, counts: Counter[str]) -> Iterator[Test]:
    """Programs in which everything comes to an end, or is cut off after a violation."""
    for number in range(start, start + count):
        rng = random.Random(f"{seed}/{number}")
        features = fuzz.features_of(rng) - (UNSUITABLE if rng.random() < 0.75 else set())
        program = fuzz.Generator(rng, features, rng.choice(range(2, 6))).program()
        if not fuzz.is_well_formed(program):
            continue
        for test, expected in explicit.tests_of(program, rng, counts):
            if expected.violated or not expected.cut:
                yield f"finite {number}", to_c(test), expected.violated


def unending(seed: int, count: int, start: int, counts: Counter[str]) -> Iterator[Test]:
    """Programs whose loops need not end."""
    for number, program in endless.programs(seed, count, start, size=2):
        try:
            for test, violated in endless.tests_of(program, random.Random(number)):
                yield f"endless {number}", test.to_c(), violated
        except endless.TooBig:
            counts["dropped: TooBig"] += 1


def disagreement(test: Test, folder: Path, counts: Counter[str], seconds: float = 0.0, seed: int = 1) -> str:
    """What is wrong with what is said of the program. seconds: for a proof; 0 for none."""
    name, text, violated = test
    kind = f"{name.split()[0]}, {'violated' if violated else 'safe'}"
    try:
        system = built(text, folder)
    except UnsupportedError as error:
        counts[f"refused: {error.message.split('`')[0]}"] += 1
        return ""
    counts[kind] += 1
    found = explore(system, _STATES, most=5)
    if violated and not found.errors and not found.complete:
        found.errors |= walk(system, seed, walks=40, steps=80).errors
    counts[f"{kind}: the system {_said(bool(found.errors), found.complete)}"] += 1
    if found.evaluated:
        return f"the system evaluates {', '.join(sorted(found.evaluated))}"
    if violated and not found.errors and found.complete:
        return "the system misses the violation"
    if seconds > 0 or (violated and not found.errors):
        end = time.monotonic() + max(seconds, 2.0)
        proved = search_proof(system, folder, end).accepted is not None
        counts[f"{kind}: {'proved' if proved else 'not proved'}"] += 1
        if proved and violated:
            return "a proof of a program with a violation"
        if proved and found.errors:
            return "a proof of a system with an error"
    return ""


def _said(has_error: bool, is_complete: bool) -> str:
    return "has an error" if has_error else "has none" if is_complete else "has none as far as it was executed"


def tests(seed: int, count: int, start: int, counts: Counter[str]) -> Iterator[Test]:
    """Programs of both kinds."""
    for number in range(start, start + count):
        source = finite if number % 2 else unending
        try:
            yield from source(seed, 1, number, counts)
        except Undefined:
            counts["dropped: Undefined"] += 1


def main(arguments: list[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", type=int, default=0, help="the number of the first program")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--proofs", type=int, default=5, help="look for a proof of one test of so many; 0 for none")
    parser.add_argument("--seconds", type=float, default=3.0, help="for a proof")
    parser.add_argument("--imprecise", action="store_true", help="show programs whose systems have errors of their own")
    options = parser.parse_args(arguments)
    counts: Counter[str] = Counter()
    wrong, done = 0, 0
    try:
        for test in tests(options.seed, options.count, options.start, counts):
            done += 1
            seconds = options.seconds if options.proofs and done % options.proofs == 0 else 0.0
            with tempfile.TemporaryDirectory(prefix="cseq-deductive-") as folder:
                before = (
                    counts["finite, safe: the system has an error"] + counts["endless, safe: the system has an error"]
                )
                try:
                    message = disagreement(test, Path(folder), counts, seconds)
                except Exception as error:  # whatever it is, it is a bug
                    message = f"{type(error).__name__}: {error}"
                after = (
                    counts["finite, safe: the system has an error"] + counts["endless, safe: the system has an error"]
                )
            if not message and options.imprecise and after > before:
                print(f"=== seed {options.seed}, {test[0]}: imprecise\n{test[1]}", flush=True)
            if message:
                wrong += 1
                print(f"=== seed {options.seed}, {test[0]}: {message}\n{test[1]}", flush=True)
    except KeyboardInterrupt:
        print("interrupted")
    return explicit.report(counts, wrong)


if __name__ == "__main__":
    sys.exit(main())
