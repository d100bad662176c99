"""Measure what dask's scheduler costs: start-up, tasks per second, and the time that one task takes to come and go.

    python -m benchmarks.scale.scheduler

It starts a scheduler and two workers on this machine, each a process of its own (the workers with one thread), and
gives them tasks that do nothing. The numbers are for `benchmarks/scale/simulation.py`, which reads them from
`scheduler.json`.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

RESULT = Path(__file__).resolve().parent / "scheduler.json"

WORKERS, TASKS, ALONE = 2, 2000, 100
"""Worker processes; tasks that are given at once; tasks of which each is given when the last is done."""


@dataclass(frozen=True)
class Overhead:
    """What was measured; times are seconds. The best of several runs, since others may want the processors, too.

    imported: to import `distributed`. started: until a scheduler and two workers are ready.
    rate: tasks that do nothing, per second, where many are waiting. scheduler: processor time of the scheduler for one.
    latency: of one task that does nothing, from when it is given until its result is there.
    """

    imported: float
    started: float
    rate: float
    scheduler: float
    latency: float
    versions: Mapping[str, str]


def nothing(number: int) -> int:
    """A task."""
    return number


def measured(runs: int) -> Overhead:
    """Measure *runs* times."""
    import distributed

    imported = [_timed(_import) for _ in range(runs)]
    rows: list[tuple[float, float, float, float]] = []
    for _ in range(runs):
        begin = time.perf_counter()
        cluster = distributed.SubprocessCluster(
            n_workers=WORKERS, worker_kwargs={"nthreads": 1}, scheduler_kwargs={"dashboard": False}
        )
        with cluster, distributed.Client(cluster) as client:
            client.wait_for_workers(WORKERS)
            started = time.perf_counter() - begin
            client.gather(client.map(nothing, range(100), pure=False))  # connections exist
            before = _clock(client)
            many = _timed(partial(_many, client))
            used = _clock(client) - before
            alone = [_timed(partial(_one, client)) for _ in range(ALONE)]
        rows.append((started, many / TASKS, used / TASKS, statistics.median(alone)))
    started, seconds, scheduler, latency = (min(column) for column in zip(*rows, strict=True))
    versions = {"distributed": distributed.__version__, "Python": sys.version.partition(" ")[0]}
    return Overhead(min(imported), started, 1 / seconds, scheduler, latency, versions)


def _clock(client: Any) -> float:
    """The processor time of the scheduler, which is a process of its own here (in a LocalCluster it would not be)."""
    seconds: float = client.run_on_scheduler(time.process_time)
    return seconds


def _many(client: Any) -> None:
    client.gather(client.map(nothing, range(TASKS), pure=False))


def _one(client: Any) -> None:
    client.submit(nothing, 1, pure=False).result()


def _import() -> None:
    subprocess.run([sys.executable, "-c", "import distributed"], check=True)


def _timed(action: Callable[[], object]) -> float:
    begin = time.perf_counter()
    action()
    return time.perf_counter() - begin


def read(path: Path = RESULT) -> Overhead:
    """What was measured before."""
    return Overhead(**json.loads(path.read_text(encoding="utf-8")))


def main() -> None:
    """Measure, and keep the numbers."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=3, help="how often (default: 3)")
    parser.add_argument("--output", type=Path, default=RESULT, metavar="FILE")
    options = parser.parse_args()
    try:
        found = measured(options.runs)
    except ImportError:
        raise SystemExit("there is no distributed here; the extra [cluster] brings it") from None
    text = json.dumps(asdict(found), indent=2) + "\n"
    options.output.write_text(text, encoding="utf-8")
    print(text, end="")


if __name__ == "__main__":
    main()
