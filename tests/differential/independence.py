"""Compare the few values that data-independent inputs get with all values of their type.

    python -m tests.differential.independence --seed 1 --count 100

prints each program about which the two answers differ, and exits with status 1. The programs have two threads, inputs
of the type `unsigned char`, and copies and comparisons of those; some also compute with them, so that they depend on
the values. With all 256 values of each input the answer is exact. Where the analysis finds the inputs to be
independent, the answer with its values has to be the same; where it does not, there must be no proof.
"""

import argparse
import random
import sys
import tempfile
from pathlib import Path
from unittest.mock import patch

import cseq
from cseq.model.verdict import Verdict

HEAD = """\
#include <assert.h>
#include <pthread.h>
unsigned char __VERIFIER_nondet_uchar(void);
typedef unsigned char byte;
struct pair { byte one, two; } pair, *shown;
byte a, b, c = 200, row[2];
"""
PLACES = ("a", "b", "c", "pair.one", "pair.two", "row[0]", "row[1]", "x")


class Program:
    """A random program."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._depends = self._random.random() < 0.3

    def text(self) -> str:
        """The program."""
        worker = self._statements(3)
        main = self._statements(3)
        claim = self._condition()
        return (
            f"{HEAD}void *run(void *p)\n{{\n    byte x = __VERIFIER_nondet_uchar();\n{worker}    return 0;\n}}\n"
            "int main(void)\n{\n    pthread_t t;\n    shown = &pair;\n"
            f"    byte x = {self._random.choice(['__VERIFIER_nondet_uchar()', '7'])};\n"
            f"    pthread_create(&t, 0, run, 0);\n{main}    pthread_join(t, 0);\n"
            f"    assert({claim});\n    return 0;\n}}\n"
        )

    def _place(self) -> str:
        place = self._random.choice(PLACES)
        return place.replace("pair.", "shown->") if self._random.random() < 0.3 else place

    def _value(self) -> str:
        return self._random.choice([self._place(), self._place(), self._place(), "0", "7", "200", "-1"])

    def _condition(self) -> str:
        one = f"{self._place()} {self._random.choice(['==', '!='])} {self._value()}"
        other = self._random.choice([self._place(), f"!{self._place()}", f"{self._place()} != {self._place()}"])
        return self._random.choice([one, f"{one} || {other}", f"{one} && {other}", f"!({one}) || {other}"])

    def _statements(self, most: int) -> str:
        return "".join(f"    {self._statement()}\n" for _ in range(self._random.randint(1, most)))

    def _statement(self) -> str:
        if self._depends and self._random.random() < 0.4:
            return self._random.choice([
                f"{self._place()} = {self._place()} + 1;", f"if ({self._place()} < {self._place()}) a = 7;",
                f"row[{self._place()} & 1] = 7;", f"{self._place()} = {self._place()} * 3 == 21;",
            ])  # fmt: skip
        copy = f"{self._place()} = {self._value()};"
        return self._random.choice(
            [copy, f"if ({self._condition()}) {copy}", f"{self._place()} = {self._condition()};"]
        )


def answers(seed: int, folder: Path) -> tuple[Verdict, Verdict]:
    """The answers about the program with this seed: with all values, and with few."""
    path = folder / f"independence{seed}.c"
    path.write_text(Program(seed).text(), encoding="utf-8")
    exact = cseq.verify([path], backend="native").verdict
    with patch("cseq.modules.analysis.ranges.MOST", 3):  # no input is small enough to have each value tried
        return exact, cseq.verify([path], backend="native", sampling=2).verdict


def main() -> int:
    """Check as many programs as the command line says; returns the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=20)
    arguments = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="independence-"))
    wrong = unknown = 0
    for seed in range(arguments.seed, arguments.seed + arguments.count):
        exact, few = answers(seed, folder)
        unknown += few is Verdict.UNKNOWN
        if few not in (exact, Verdict.UNKNOWN):
            wrong += 1
            print(f"{folder}/independence{seed}.c: {exact.value} with all values, {few.value} with few")
    print(f"{arguments.count} programs: {wrong} differences, {unknown} that depend on the values")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
