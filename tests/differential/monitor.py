"""Random programs of a few atomic accesses: the monitor of robustness against all execution graphs.

    python -m tests.differential.monitor [--seed 0] [--count 200]

Where the monitor finds nothing, the graphs under C11 must be those under sequential consistency, and no two accesses
race. The explorer of execution graphs lists them.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from cseq.process.run import run
from tests.differential.graphs import program, waiting_program
from tests.support.litmus import Thread, build
from tests.support.monitored import robust


def has_only_sc(binary: Path, number: int) -> bool:
    """Whether program *number* has only sequentially consistent executions, and no data race."""
    lists = []
    for model in ("sc", "c11"):
        command = ["/usr/bin/env", f"LITMUS={number}", str(binary), "--list", "1", "--model", model]
        *found, answer = run(command).stdout.splitlines()
        if '"status": "racy"' in answer:
            return False
        assert '"status": "safe"' in answer, answer
        lists.append(set(found))
    return lists[0] == lists[1]


def compared(programs: Sequence[Sequence[Thread]], folder: Path) -> list[tuple[bool, bool]]:
    """For each program whether the monitor finds nothing, and whether it is robust."""
    said = robust(programs, folder)
    binary = build(programs, folder)
    return [(each, has_only_sc(binary, number)) for number, each in enumerate(said)]


def main() -> int:
    """Run a campaign."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=200)
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    makers = (program, waiting_program)
    programs = [makers[n % 2](rng) for n in range(arguments.count)]
    with tempfile.TemporaryDirectory() as folder:
        found = compared(programs, Path(folder))
    wrong = [f"{threads}" for threads, each in zip(programs, found, strict=True) if each == (True, False)]
    missed = sum(each == (False, True) for each in found)
    robust_ones = sum(is_robust for _, is_robust in found)
    print(
        "\n".join(wrong) or f"no disagreement; {robust_ones} programs are robust, and {missed} of them not shown to be"
    )
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
