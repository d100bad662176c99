"""Check the claim that so many rounds cover all schedules, on random programs.

    python -m tests.differential.completeness --seed 1 --count 100

The reference tells which values a program's observations have within K rounds, and within many. Where CSeq says TRUE
for K rounds, many more must show nothing new. Prints each program for which they do, and exits with status 1.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator

from tests.differential import contention, fuzz
from tests.differential.reference import Program, TooBig, Undefined, explore, to_c

MANY = 6
"""Rounds: more than random programs of this size ever need, and a fraction of the static bound."""


def values(program: Program, rounds: int, unwind: int) -> tuple[bool, dict[str, set[int]]]:
    """Whether an assertion fails within the bounds, and the values of each observation. Raises Undefined, TooBig."""
    result = explore(program, rounds, unwind, 64, 60_000)
    return result.violated, {name: set(seen) for name, seen in result.seen.items()}


def wrong_claim(program: Program, rounds: int, unwind: int, counts: Counter[str]) -> str:
    """What is wrong with what CSeq says to *program*; empty when nothing is."""
    try:
        all_ = values(program, MANY, unwind)  # loops that CSeq unrolls further are the same in both
        some = values(program, rounds, unwind)
    except (Undefined, TooBig) as error:
        counts[type(error).__name__] += 1
        return ""
    verdict, message = fuzz.said(to_c(program), fuzz.Bounds(rounds, unwind, 64))
    complete = all_ == some
    counts[f"{rounds} rounds, {'complete' if complete else 'not complete'}: {verdict}"] += 1
    if verdict.startswith("bug"):
        return f"{verdict}: {message}"
    if verdict == "TRUE" and (all_[0] or not complete):
        return "a proof, but more rounds show more"
    if verdict == "FALSE" and not some[0]:
        return "a false alarm"
    return "a missed violation" if verdict in ("TRUE", "UNKNOWN") and some[0] else ""


def programs(seed: int, count: int, start: int, size: int) -> Iterator[tuple[int, Program]]:
    """Random programs of both kinds, one after the other."""
    of_fuzz = fuzz.programs(seed, count, start, size)
    of_contention = contention.programs(seed, count, start)
    for pair in zip(of_fuzz, of_contention, strict=False):
        yield from pair


def main(arguments: list[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", type=int, default=0, help="the number of the first program")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=2, help="check 1 to N rounds")
    parser.add_argument("--unwind", type=int, default=2)
    parser.add_argument("--size", type=int, default=4, help="statements per thread, at most and roughly")
    options = parser.parse_args(arguments)
    counts: Counter[str] = Counter()
    found = 0
    for number, program in programs(options.seed, options.count, options.start, options.size):
        for rounds in range(1, options.rounds + 1):
            wrong = wrong_claim(program, rounds, options.unwind, counts)
            if wrong:
                found += 1
                print(f"=== seed {options.seed}, program {number}, {rounds} rounds: {wrong}")
                print(to_c(program), flush=True)
    for what, times in sorted(counts.items()):
        print(f"{times:6} {what}")
    print(f"{found} wrong claims")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
