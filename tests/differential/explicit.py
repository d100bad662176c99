"""Random programs, and what explicit-state search says of them.

    python -m tests.differential.explicit --seed 1 --count 100

as `fuzz`, with whose programs it works; but the reference knows no bounds on rounds (`exhaustive`), and the engine is
run with each search, each way to store states, with the reduction and without, and with bounds on preemptions.
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cseq import api
from cseq.model.errors import UnsupportedError
from cseq.modules.explicit.engine import build, compiled
from cseq.modules.explicit.run import engine
from cseq.pipeline.chain import load
from cseq.portfolio.families import Configuration
from tests.differential import fuzz
from tests.differential.exhaustive import Everything, everything
from tests.differential.reference import (
    Assert,
    Assume,
    Binary,
    Const,
    Observe,
    Program,
    TooBig,
    Undefined,
    Var,
    to_c,
    walk,
)

_UNWIND = 6  # of loops, in the reference
_SAFE, _VIOLATED = "safe", "violated"

PLAIN = ("--no-por",)
"""The options that the number of states of the other ones is compared with."""
WAYS = [
    PLAIN,
    (),
    *((*("--search", search), *por) for search in ("dfs", "random") for por in (PLAIN, ())),
    ("--search", "icb"),
    *(("--store", store, "--bits", "22", *por) for store in ("compact", "bits") for por in (PLAIN, ())),
]
"""The options of the engine that all have to lead to the same verdict."""


@dataclass
class Searched:
    """A step program that is linked with the engine."""

    binary: Path

    def search(self, *options: str, timeout: float = 4) -> dict[str, Any]:
        """What the engine says with these options."""
        command = [str(self.binary), *options, "--time", str(timeout)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=timeout + 60, check=False)
        found: dict[str, Any] = json.loads(done.stdout)
        return found

    def fails(self, found: dict[str, Any]) -> bool:
        """Whether the claim fails at the end of the schedule that was found."""
        path = self.binary.with_suffix(".schedule")
        path.write_text(json.dumps(found["schedule"]))
        command = [str(self.binary), "--follow", str(path)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        return done.stdout.splitlines()[-1:] == [f"failed {found['text']}"]


def searched(text: str, folder: Path, **values: Any) -> Searched:
    """The engine for a C program. Raises UnsupportedError. values: of the chain's parameters."""
    chain = load("explicit")
    chain.planner = None  # one question, that of *values*
    path = folder / "program.c"
    path.write_text(text)
    names = list(chain.names)
    last = names[names.index("explicit/run") - 1]

    def after(name: str, value: Any) -> Any:
        return None if name == last else value

    unit = api.run(
        Configuration(chain, chain.values(values)), [path], observer=api.Functions(made=after), printing=True
    )
    steps = compiled(unit.text, folder / "steps.o", 64)
    binary = folder / "explore"
    build(["gcc", "-no-pie", str(steps), str(engine(folder)), "-lm", "-o", str(binary)], "the explorer")
    return Searched(binary)


def verdict(found: dict[str, Any]) -> str:
    """What an answer is worth, in a word: ``safe`` is a proof, up to what the way to store states may miss."""
    status = found["status"]
    if status == "unknown" and not found["cuts"] and set(found["limits"]) <= {"hash compaction", "bitstate hashing"}:
        status = _SAFE
    if status in (_SAFE, "unknown") and (found["cuts"] or found["coarse"]):
        return "bounded"
    return str(status)


def some(rng: random.Random) -> list[tuple[str, ...]]:
    """Some of the ways: without reduction, with it, and another one."""
    return [*WAYS[:2], rng.choice(WAYS[2:])]


def compare(tool: Searched, violated: bool, counts: Counter[str], ways: list[tuple[str, ...]]) -> str:
    """What is wrong with the answers of the engine, where an assertion can or cannot fail; empty where nothing is."""
    states = 0
    for options in ways:
        found = tool.search(*options)
        said = verdict(found)
        counts[f"{said} {' '.join(options)}"] += 1
        if said == "error" or said.startswith("refused"):
            return "" if said.startswith("refused") else f"error: {found.get('text')}"
        if said not in ("time", "memory", "bounded") and said != (_VIOLATED if violated else _SAFE):
            return f"{'missed' if violated else 'false alarm'}: {' '.join(options)}"
        if said == "bounded" and violated:
            return f"missed behind a bound: {' '.join(options)}"
        if said == _VIOLATED and found["kind"] == "assertion" and not tool.fails(found):
            return f"another execution: {' '.join(options)}"
        if not violated and options[-1:] == PLAIN and not states:
            states = found["statistics"]["states"]
        elif not violated and states and not {"bits", "icb"} & set(options) and found["statistics"]["states"] > states:
            return f"more states than without reduction: {' '.join(options)}"
    return ""


def preemptions(program: Program, tool: Searched, counts: Counter[str], bounds: Iterable[int]) -> str:
    """The same for bounds on preemptions: how many a violation takes."""
    try:
        needed = everything(program, _UNWIND, counts=True)
    except TooBig:
        return ""
    if needed.cut or any(isinstance(part, Assume) for part in walk(program)):
        return ""
    for bound in bounds:
        found = tool.search("--preemptions", str(bound))
        expected = needed.violated and needed.preemptions <= bound
        counts[f"{bound} preemptions: {found['status']}"] += 1
        if found["status"] in ("refused", "time", "memory"):
            return ""
        if (found["status"] == _VIOLATED) != expected:
            return f"{bound} preemptions: {found['status']}, but it takes {needed.preemptions}"
        if found["status"] == _SAFE and needed.violated:
            return f"{bound} preemptions: a proof within a bound"
    return ""


def tests_of(program: Program, rng: random.Random, counts: Counter[str]) -> Iterator[tuple[Program, Everything]]:
    """Programs with assertions about what the reference saw, as `fuzz.tests_of`, and what it says of them."""
    try:
        result = everything(program, _UNWIND)
        if result.violated:
            yield program, result
            return
        observes = [part for part in walk(program) if isinstance(part, Observe)]
        sure = program
        for observe in observes:
            values = sorted(result.seen.get(observe.name, {}))
            if len(values) <= fuzz._MOST_VALUES and not result.cut:
                sure = fuzz.replaced(sure, observe, (observe, Assert(fuzz._one_of(observe.name, values))))
        yield sure, result
        reached = [o for o in observes if o.name in result.seen]
        if reached:
            observe = rng.choice(reached)
            values_seen = result.seen[observe.name]
            rarest = min(values_seen, key=lambda v: (values_seen[v], rng.random()))
            check = Assert(Binary("!=", Var(observe.name), Const(rarest)))
            wrong = fuzz.replaced(program, observe, (observe, check))
            yield wrong, everything(wrong, _UNWIND)
    except (Undefined, TooBig) as error:
        counts[f"dropped: {type(error).__name__}"] += 1


def disagreement(
    program: Program, expected: Everything, folder: Path, counts: Counter[str], rng: random.Random | None = None
) -> str:
    """What is wrong with what the engine says of *program*: in all ways, or in some by chance."""
    if expected.cut and not expected.violated:
        counts["dropped: cut"] += 1
        return ""
    try:
        tool = searched(to_c(program), folder, **{"property": "unreach-call", "recursion": _UNWIND})
    except UnsupportedError as error:
        counts[f"refused: {error.message.split('`')[0]}"] += 1
        return ""
    counts["programs"] += 1
    ways, bounds = (some(rng), [rng.randrange(4)]) if rng else (WAYS, range(4))
    return compare(tool, expected.violated, counts, ways) or preemptions(program, tool, counts, bounds)


def report(counts: Counter[str], wrong: int) -> int:
    """Print the counts; the exit status."""
    for what, times in sorted(counts.items()):
        print(f"{times:6} {what}")
    print(f"{wrong} disagreements")
    return 1 if wrong else 0


def main(arguments: list[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", type=int, default=0, help="the number of the first program")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--size", type=int, default=6, help="statements per thread, at most and roughly")
    parser.add_argument("--all", action="store_true", help="search in all ways, not only in some by chance")
    options = parser.parse_args(arguments)
    counts: Counter[str] = Counter()
    wrong = 0
    try:
        for number, program in fuzz.programs(options.seed, options.count, options.start, options.size):
            rng = random.Random(f"{options.seed}/{number}/tests")
            for test, expected in tests_of(program, rng, counts):
                with tempfile.TemporaryDirectory(prefix="cseq-explicit-") as folder:
                    try:
                        message = disagreement(test, expected, Path(folder), counts, None if options.all else rng)
                    except Exception as error:  # whatever it is, it is a bug
                        message = f"{type(error).__name__}: {error}"
                if message:
                    wrong += 1
                    print(f"=== seed {options.seed}, program {number}: {message}\n{to_c(test)}", flush=True)
                    break
    except KeyboardInterrupt:
        print("interrupted")
    return report(counts, wrong)


if __name__ == "__main__":
    sys.exit(main())
