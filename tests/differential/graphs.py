"""Random programs of a few atomic accesses, or of threads that wait for each other.

    python -m tests.differential.graphs [--seed 0] [--count 200]

The explorer of execution graphs and the enumeration of all graphs must list the same graphs, each once, under C11 (also
with the release sequences of C++20), sequential consistency, TSO and PSO. Under the last two, a machine with buffers of
stores must have the same outcomes.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from cseq.options.memory_models import BUFFERED
from tests.support import store_buffers
from tests.support.litmus import (
    ACQ,
    ACQ_REL,
    CREATE,
    PLAIN,
    REL,
    RLX,
    SC,
    Op,
    Thread,
    build,
    explored,
    final_outcomes,
    graphs,
)  # fmt: skip

MODELS = (
    (("--model", "c11"), "c11", True),
    (("--cxx20", "1"), "c11", False),
    (("--model", "sc"), "sc", True),
    (("--model", "tso"), "tso", True),
    (("--model", "pso"), "pso", True),
)
"""Options of the explorer; the model, and whether release sequences contain later stores."""

_KINDS = ("load",) * 5 + ("store",) * 5 + ("copy", "add", "swap", "compare", "compare", "fence", "fence")


def program(rng: random.Random, lengths: Sequence[int] = (5, 6, 6, 7)) -> list[list[Op]]:
    """Two to four threads, with as many operations as one of the *lengths*, at most."""
    count = rng.choice((2, 2, 3, 3, 4))
    locations = rng.choice((1, 2, 2, 2, 3))
    orders = rng.choice(((RLX,), (RLX, REL), (REL,), (SC,), (RLX, SC), (RLX, REL, SC)))
    left = rng.choice(lengths)
    threads: list[list[Op]] = []
    for number in range(count):
        length = rng.randint(1, max(1, min(4, left - (count - number - 1))))
        left -= length
        threads.append([_operation(rng, locations, orders) for _ in range(length)])
    for thread in threads[:-1] if rng.random() < 0.2 else []:
        thread.insert(rng.randint(0, len(thread)), CREATE)
    return threads


def waiting_program(rng: random.Random, lengths: Sequence[int] = (6, 7, 8)) -> list[Thread]:
    """Two to four threads that wait for values, take spin locks, or hold a mutex around some of their operations."""
    threads: list[Thread] = []
    left = rng.choice(lengths)
    for number in range(rng.choice((2, 3, 3))):
        ops: list[Op] = []
        length = rng.randint(1, 3)
        for _ in range(length):
            if left <= 0:
                break
            kind = rng.choice(("load", "store", "store", "add", "await", "await", "acquire", "lock", "lock"))
            order = rng.choice((RLX, ACQ if kind in ("load", "await") else REL if kind == "store" else ACQ_REL, SC))
            location, value = rng.randrange(2), rng.randint(1, 2)
            left -= 1 + (kind in ("lock", "acquire"))
            if kind == "lock":
                inner = [_operation(rng, 2, (RLX,)) for _ in range(rng.randint(0, 1))]
                left -= len(inner)
                mutex = rng.choice((2, 3))
                ops += [Op("lock", mutex, ACQ_REL), *inner, Op("unlock", mutex, REL)]
            elif kind == "acquire":
                ops += [Op("acquire", location, order, 1, 0), Op("store", location, rng.choice((RLX, REL)), 0)]
            else:
                ops.append(Op(kind, location, order, value, rng.randint(0, 2)))
        threads.append(ops or [Op("load", number % 2)])
    return threads


def _operation(rng: random.Random, locations: int, orders: Sequence[object]) -> Op:
    kind = rng.choice(_KINDS)
    strength = rng.choice(orders)
    order = {RLX: RLX, REL: {"load": ACQ, "store": REL, "copy": REL}.get(kind, ACQ_REL), SC: SC}[strength]  # type: ignore[index]
    if kind in ("add", "swap", "compare") and order is ACQ_REL:
        order = rng.choice((ACQ, REL, ACQ_REL))
    if kind == "fence":
        order = rng.choice((ACQ, REL, ACQ_REL, SC))
    if kind in ("load", "store") and rng.random() < 0.05:
        order = PLAIN
    failure = rng.choice((RLX, ACQ, SC))
    guarded = rng.random() < 0.15
    return Op(kind, rng.randrange(locations), order, rng.randint(1, 2), rng.randint(0, 1), failure, guarded)


def disagreements(programs: Sequence[Sequence[Thread]], folder: Path) -> list[str]:
    """What the explorer and the enumeration disagree about."""
    binary = build(programs, folder)
    found = []
    for number, threads in enumerate(programs):
        for options, model, later_stores in MODELS:
            listed = Counter(explored(binary, number, *options))
            expected = Counter(graphs(threads, model, later_stores))
            if listed != expected:
                missing, extra = expected - listed, listed - expected
                found.append(f"{threads} under {' '.join(options)}: missing {dict(missing)}, extra {dict(extra)}")
            if model in BUFFERED and (
                different := final_outcomes(threads, model) ^ store_buffers.outcomes(threads, model)
            ):
                found.append(f"{threads} under {model}: the machine with buffers disagrees about {different}")
    return found


def main() -> int:
    """Run a campaign."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=200)
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    with tempfile.TemporaryDirectory() as folder:
        makers = (program, waiting_program)
        found = disagreements([makers[n % 2](rng) for n in range(arguments.count)], Path(folder))
    print("\n".join(found) or "no disagreement")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
