"""Random programs, compiled and run under all schedules, and what references that enumerate executions say of them.

    python -m tests.differential.schedules --seed 1 --count 100

as `fuzz`, with whose programs it works, and with those of `races`. A program is wrong if an assertion can fail, if all
its threads can be stuck, or if it has a data race, which the compiled family reports as well.
"""

import argparse
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from cseq.model.verdict import Binary, Outcome, Reason, Verdict
from cseq.modules.compiled.client.record import RequestFlag
from cseq.modules.compiled.client.server import Server
from cseq.modules.compiled.exploration import Exploration
from cseq.modules.compiled.schedule_search import Settings
from cseq.report.words import description
from tests.differential import explicit, fuzz, races
from tests.differential import reference as ref
from tests.differential.exhaustive import _Anytime, everything
from tests.differential.race_reference import unordered
from tests.support.compiled_programs import compiled

_UNWIND = 6  # of loops, in the references
_SECONDS = 4.0  # of an exhaustive search
_SEARCHED = 300  # runs of a search
_STATES = 30_000


class _Stuck(_Anytime):
    """Finds whether all threads can be stuck, as long as none is at an assumption that does not hold."""

    stuck = False

    def _add_steps(self, state: ref.State, key: object, known: set[object], work: list[object]) -> None:  # type: ignore[override]
        super()._add_steps(state, key, known, work)  # type: ignore[arg-type]
        if key != ref.MAIN:
            return
        actions = [node.action for _, node in state[0]]
        over = any(action[0] in ("exit", "stuck") for action in actions) or all(a[0] == "done" for a in actions)
        self.stuck |= not over and not any(self._goes_on(state, each) for each, _ in state[0])

    def _goes_on(self, state: ref.State, key: ref.Key) -> bool:
        """Whether a thread can make a step, if none wakes up without a signal."""
        match dict(state[0])[key].action:
            case ("wake", cond, _) if key in self._read(state[1], ("cond", cond)):
                return False
        return bool(self._to_the_end(state, key))


def can_be_stuck(program: ref.Program) -> bool:
    """Whether there is a deadlock of all threads. Raises Undefined and TooBig."""
    world = _Stuck(program, _UNWIND, 64, _STATES, counts=False)
    try:
        world.explore()
    except ref._Violated:
        return False
    return world.stuck


def expected(program: ref.Program) -> tuple[str, bool]:
    """What is wrong: ``assertion``, ``race``, ``deadlock`` or nothing; and whether loops were cut off."""
    result = everything(program, _UNWIND, limit=_STATES)
    if result.violated:
        return "assertion", result.cut
    if can_be_stuck(program):
        return "deadlock", result.cut
    return ("race" if unordered(program, _UNWIND, limit=_STATES) else ""), result.cut


def explored(path: Path, exhaustive: bool) -> Outcome:
    """What the exploration of a program says."""
    with Server([str(path)], cpu=0) as server:
        settings = Settings(
            runs=None if exhaustive else _SEARCHED, end=time.monotonic() + _SECONDS, steps=5000, status=None,
            flags=RequestFlag.SPURIOUS,
        )  # fmt: skip
        exploration = Exploration([server], settings, Binary(""))
        return (exploration.exhaust() if exhaustive else exploration.search()).outcome


def disagreement(program: ref.Program, wrong: str, cut: bool, folder: Path, counts: Counter[str]) -> str:
    """What does not fit what the exploration says of *program*; empty where all does."""
    path = compiled(ref.to_c(program), folder, "-O0", "-w")
    for exhaustive in (False, True):
        outcome = explored(path, exhaustive)
        way = "all schedules" if exhaustive else "search"
        counts[f"{way}: {wrong or 'correct'}: {outcome.verdict.value}"] += 1
        if outcome.verdict is Verdict.FALSE and not wrong and not cut:
            assert outcome.violated is not None
            return f"false alarm of {way}: {description(outcome.violated)}"
        if outcome.verdict is Verdict.TRUE and wrong:
            return f"a wrong proof, {wrong}"
        if exhaustive and wrong and outcome.verdict is Verdict.UNKNOWN and outcome.reason is not Reason.TIMEOUT:
            counts[f"not decided: {outcome.bounds[0] if outcome.bounds else outcome.reason}"] += 1
    return ""


def tests_of(seed: int, number: int, counts: Counter[str]) -> Iterator[ref.Program]:
    """The programs with this *number*: those of `fuzz` with assertions, or one of `races`."""
    rng = random.Random(f"{seed}/{number}/schedules")
    if number % 2:
        program = races.Racy(rng, 3).program()
        if ref.is_well_formed(program):
            yield program
        return
    for _, program in fuzz.programs(seed, 1, number, 5):
        for test, _ in explicit.tests_of(program, rng, counts):
            yield test


def compare(seed: int, number: int, folder: Path, counts: Counter[str]) -> str:
    """The first disagreement about the programs with this *number*, with the program; empty where there is none."""
    for program in tests_of(seed, number, counts):
        try:
            wrong, cut = expected(program)
        except (ref.Undefined, ref.TooBig) as error:
            counts[f"dropped: {type(error).__name__}"] += 1
            continue
        message = disagreement(program, wrong, cut, folder, counts)
        if message:
            return f"=== seed {seed}, program {number}: {message}\n{ref.to_c(program)}"
    return ""


def main(arguments: list[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", type=int, default=0, help="the number of the first program")
    parser.add_argument("--count", type=int, default=100)
    options = parser.parse_args(arguments)
    counts: Counter[str] = Counter()
    wrong = 0
    with tempfile.TemporaryDirectory(prefix="cseq-schedules-") as folder:
        for number in range(options.start, options.start + options.count):
            message = compare(options.seed, number, Path(folder), counts)
            if message:
                wrong += 1
                print(message, flush=True)
    return explicit.report(counts, wrong)


if __name__ == "__main__":
    sys.exit(main())
