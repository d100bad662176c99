"""Random programs, searched by one process and by several: the answers have to be the same in all that they say.

    python -m tests.differential.multicore --seed 1 --count 100

as `explicit`, with whose programs it works. The reference is not asked: one process is compared with several.
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from cseq.model.errors import UnsupportedError
from tests.differential import fuzz
from tests.differential.explicit import Searched, report, searched, tests_of
from tests.differential.reference import to_c

WAYS = [
    (*check, *por)
    for check in ((), ("--check", "deadlock"), ("--check", "race"))
    for por in ((), ("--no-por",), ("--not-alone",), ("--no-symmetry",))
]
"""Options that change which states there are."""

JOBS = [("--jobs", "1", "--shared"), ("--jobs", "2"), ("--jobs", "3")]
"""Ways to share the work; layers of two states are shared already, so that small programs show differences."""

VARYING = {"queue", "seconds", "cpu_seconds", "jobs", "states_per_second", "memory", "bytes_per_state", "state_bytes"}
"""Statistics that may differ."""


def said(command: list[str]) -> dict[str, Any]:
    """What the engine says, without what may differ."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    found: dict[str, Any] = json.loads(done.stdout)
    for name in VARYING:
        found["statistics"].pop(name)
    return found


def compare(tool: Searched, ways: list[tuple[str, ...]], counts: Counter[str]) -> str:
    """What is wrong with the answers of several processes; empty where nothing is."""
    for way in ways:
        alone = said([str(tool.binary), "--search", "bfs", *way])
        counts[f"{alone['status']} {' '.join(way)}"] += 1
        for jobs in JOBS:
            together = said([str(tool.binary), "--search", "bfs", *way, *jobs, "--together", "2"])
            if together != alone:
                return f"{' '.join((*way, *jobs))}: {together}\n  instead of {alone}"
    return ""


def main(arguments: list[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", type=int, default=0, help="the number of the first program")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--size", type=int, default=6, help="statements per thread, at most and roughly")
    options = parser.parse_args(arguments)
    counts: Counter[str] = Counter()
    wrong = 0
    for number, program in fuzz.programs(options.seed, options.count, options.start, options.size):
        rng = random.Random(f"{options.seed}/{number}/tests")
        for test, _ in tests_of(program, rng, counts):
            with tempfile.TemporaryDirectory(prefix="cseq-multicore-") as folder:
                try:
                    tool = searched(to_c(test), Path(folder), **{"property": "unreach-call"})
                except UnsupportedError:
                    counts["refused"] += 1
                    continue
                message = compare(tool, WAYS, counts)
            if message:
                wrong += 1
                print(f"=== seed {options.seed}, program {number}: {message}\n{to_c(test)}", flush=True)
                break
    return report(counts, wrong)


if __name__ == "__main__":
    sys.exit(main())
