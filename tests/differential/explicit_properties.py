"""Random programs with deadlocks, or with data races, and what explicit-state search says of them.

    python -m tests.differential.explicit_properties --seed 1 --count 100
    python -m tests.differential.explicit_properties --race --seed 1 --count 100

as `deadlocks` and `races`, whose programs they are, without bounds on rounds.
"""

import argparse
import random
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from cseq.modules.analysis.spurious import SPURIOUS
from tests.differential import deadlocks, races, reference
from tests.differential.deadlocks import Program, State, can_step, first_state, steps, stuck
from tests.differential.explicit import WAYS, compare, report, searched, some
from tests.differential.race_reference import standing

_STATES = 60_000
_UNWIND = 6
_DROPPED = (deadlocks.TooBig, reference.TooBig, reference.Undefined)


def deadlock(program: Program) -> bool:
    """Whether threads can get stuck. Raises TooBig."""
    seen: set[State] = {first_state(program)}
    todo = list(seen)
    while todo:
        state = todo.pop()
        if stuck(program, state):
            return True
        for thread in range(len(program.threads)):
            if can_step(program, state, thread):
                following = set(steps(program, state, thread)) - seen
                seen |= following
                todo += following
        if len(seen) > _STATES:
            raise deadlocks.TooBig
    return False


def is_wrong(program: Any, folder: Path, counts: Counter[str], ways: list[tuple[str, ...]] = WAYS) -> str:
    """What is wrong with what the engine says of a program of `deadlocks` or `races`. Raises what is in _DROPPED."""
    if isinstance(program, Program):
        name, text, expected = "deadlock", deadlocks.to_c(program), deadlock(program)
    else:
        name, text, expected = "race", reference.to_c(program), bool(standing(program, None, _UNWIND))
    counts[f"{name}: {expected}"] += 1
    # The reference lets threads wake up whenever they like; nobody can rely on that to end a deadlock.
    values = {"property": "no-deadlock" if name == "deadlock" else "no-data-race", SPURIOUS.name: name == "race"}
    tool = searched(text, folder, **values)
    return compare(tool, expected, counts, [("--check", name, *way) for way in ways])


def main(arguments: list[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--race", action="store_true", help="data races, and not deadlocks")
    parser.add_argument("--all", action="store_true", help="search in all ways, not only in some by chance")
    options = parser.parse_args(arguments)
    counts: Counter[str] = Counter()
    wrong = 0
    made = (races if options.race else deadlocks).programs(options.seed, options.count)
    try:
        for number, program in made:
            ways = WAYS if options.all else some(random.Random(number))
            with tempfile.TemporaryDirectory(prefix="cseq-explicit-") as folder:
                try:
                    message = is_wrong(program, Path(folder), counts, ways)
                except _DROPPED as error:
                    counts[f"dropped: {type(error).__name__}"] += 1
                    continue
                except Exception as error:  # whatever it is, it is a bug
                    message = f"{type(error).__name__}: {error}"
            if message:
                wrong += 1
                print(
                    f"=== program {number}: {message}\n{(races if options.race else deadlocks).to_c(program)}",
                    flush=True,
                )
    except KeyboardInterrupt:
        print("interrupted")
    return report(counts, wrong)


if __name__ == "__main__":
    sys.exit(main())
