"""Random litmus tests for Dartagnan, the enumeration of all graphs, and CSeq.

    python -m tests.differential.dartagnan DAT3M [--seed 0] [--count 100]

DAT3M is a checkout of Dat3M in which Dartagnan has been built. Each test asks about one outcome of a random program:
one that the enumeration has, or one that the same program has only if all orders are relaxed. The three must agree on
whether it is there, under RC11.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

from benchmarks.suites import herd
from cseq.process.run import run
from tests.differential.graphs import program
from tests.support.litmus import ACQ, ACQ_REL, CREATE, PLAIN, REL, RLX, SC, VALUES, Op, Thread, final_outcomes

_NAMES = {RLX: "relaxed", ACQ: "acquire", REL: "release", ACQ_REL: "acq_rel", SC: "seq_cst"}
_SECONDS = 120

Outcome = tuple[int, ...]


def programs(rng: random.Random) -> Iterator[list[list[Op]]]:
    """Programs whose values do not wrap around, without conditions and plain accesses, which each tool has its own."""
    while True:
        threads = [
            [replace(op, guarded=False, order=RLX if op.order is PLAIN else op.order) for op in ops if op is not CREATE]
            for ops in program(rng, (4, 5, 5))
        ]
        every = [op for ops in threads for op in ops]
        greatest = max((op.value for op in every if op.kind in ("store", "swap", "compare")), default=0)
        if greatest + sum(op.value for op in every if op.kind in ("add", "copy")) < VALUES:
            yield threads


def tests(rng: random.Random) -> Iterator[tuple[list[list[Op]], Outcome, bool]]:
    """Programs with outcomes to ask about, and whether the enumeration has these: as often as not."""
    is_there = True
    for threads in programs(rng):
        if not is_there and all(op.order is RLX for ops in threads for op in ops):
            continue
        there = found = final_outcomes(threads, "c11")
        if not is_there:
            found = final_outcomes([[_relaxed(op) for op in ops] for ops in threads], "c11") - there
        if found:
            yield threads, rng.choice(sorted(found)), is_there
            is_there = not is_there


def _relaxed(op: Op) -> Op:
    return replace(op, order=ACQ if op.kind == "fence" else RLX, failure=RLX)


def litmus(threads: Sequence[Thread], outcome: Outcome) -> str:
    """The test in the format of herd. outcome: what loads have read, and the last values of the locations."""
    locations = 1 + max(op.location for ops in threads for op in ops)
    names = [f"x{number}" for number in range(locations)]
    texts, loads, compared = [], [], {}
    for number, ops in enumerate(threads):
        lines, parameters, last = [], [f"atomic_int* {name}" for name in names], "0"
        for position, op in enumerate(ops):
            register = f"r{position}"
            if op.kind in ("load", "add", "swap", "compare"):
                loads.append(f"{number}:{register}")
            if op.kind == "compare":
                expected = f"e{number}_{position}"
                compared[expected] = op.expected
                parameters.append(f"volatile int* {expected}")
            lines += _lines(number, position, op, last)
            last = register if f"{number}:{register}" in loads else last
        texts.append(f"P{number} ({', '.join(parameters)}) {{\n" + "".join(f"  {line}\n" for line in lines) + "}\n")
    initial = [*(f"[{name}] = 0;" for name in names), *(f"[{name}] = {value};" for name, value in compared.items())]
    last_values = [f"{name}={value}" for name, value in zip(names, outcome[len(loads) :], strict=True)]
    read = [f"{load}={value}" for load, value in zip(loads, outcome, strict=False)]
    condition = " /\\ ".join([*read, *last_values])
    return f"C test\n{{ {' '.join(initial)} }}\n\n" + "\n".join(texts) + f"\nexists ({condition})\n"


def _lines(number: int, position: int, op: Op, last: str) -> list[str]:
    """The statements of an operation. last: the last value that was loaded."""
    at, order, register = f"x{op.location}", f"memory_order_{_NAMES[op.order]}", f"r{position}"
    match op.kind:
        case "load":
            return [f"int {register} = atomic_load_explicit({at}, {order});"]
        case "store":
            return [f"atomic_store_explicit({at}, {op.value}, {order});"]
        case "copy":
            return [f"atomic_store_explicit({at}, {last} + {op.value}, {order});"]
        case "add":
            return [f"int {register} = atomic_fetch_add_explicit({at}, {op.value}, {order});"]
        case "swap":
            return [f"int {register} = atomic_exchange_explicit({at}, {op.value}, {order});"]
        case "compare":
            expected, failure = f"e{number}_{position}", f"memory_order_{_NAMES[op.failure]}"
            call = f"atomic_compare_exchange_strong_explicit({at}, {expected}, {op.value}, {order}, {failure})"
            return [f"int b{position} = {call};", f"int {register} = *{expected};"]
    return [f"atomic_thread_fence({order});"]


def dartagnan(folder: Path, test: Path) -> bool | None:
    """Whether Dartagnan finds the outcome of a test; None if it has no answer."""
    environment = {**os.environ, "DAT3M_HOME": str(folder), "DAT3M_OUTPUT": str(test.parent)}
    jar, model = folder / "dartagnan/target/dartagnan.jar", folder / "cat/rc11.cat"
    command = ["java", "-jar", str(jar), str(model), str(test), "--property=program_spec"]
    done = run(["/usr/bin/env", *(f"{name}={environment[name]}" for name in ("DAT3M_HOME", "DAT3M_OUTPUT")), *command],
               timeout=_SECONDS)  # fmt: skip
    return {"PASS": True, "FAIL": False}.get(done.stdout.partition("Result: ")[2].partition("\n")[0])


def main() -> int:
    """Run a campaign."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=100)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    wrong = open_ = there = 0
    with tempfile.TemporaryDirectory() as folder:
        test = Path(folder) / "test.litmus"
        for threads, outcome, expected in islice(tests(rng), options.count):
            text = litmus(threads, outcome)
            test.write_text(text, encoding="utf-8")
            theirs = dartagnan(options.folder.absolute(), test)
            ours = herd.answered("test", herd.to_c(text), expected, "c11", "graphs", _SECONDS).holds
            there += expected
            open_ += None in (ours, theirs)
            if {ours, theirs} - {None} != {expected}:
                wrong += 1
                print(f"{text}enumeration: {expected}, Dartagnan: {theirs}, CSeq: {ours}\n")
    print(f"{options.count} tests, {there} with their outcomes: {wrong} disagreements, {open_} without an answer")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
