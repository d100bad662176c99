"""Run CSeq on nidhugg's litmus programs, and compare the verdicts with nidhugg's and those of the families of engines.

    benchmarks/suites/litmus.py NIDHUGG/tests/litmus --engine native --results native.jsonl
    benchmarks/suites/litmus.py NIDHUGG/tests/litmus --engine cbmc --every 8 --mutants --results cbmc.jsonl
    benchmarks/suites/litmus.py NIDHUGG/tests/litmus --compare native.jsonl cbmc.jsonl

The folder has the programs in ``C-tests`` and, in ``reference.results.txt``, whether nidhugg finds the violation under
sequential consistency. It finds none: no program has one. So a *mutant* of a program, in which one value that the final
assertion compares with is another, is asked for as well (``--mutants``): nobody knows its verdict, but two families of
engines have to agree on it (``--compare``).

Each program is verified in a process that is forked from one which has loaded CSeq: starting Python eight thousand
times would take longer than verifying. A results file that exists is continued.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import multiprocessing
import os
import random
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path

import cseq
from cseq.model.errors import CSeqError

_COMPARED = re.compile(r"(?<=== )\d+(?=\);)")
_FORK = multiprocessing.get_context("fork")


@dataclass(frozen=True)
class Result:
    """The verdict on a program. seconds: of CPU, in all processes."""

    program: str
    mutant: bool
    verdict: str
    message: str
    expected: str
    seconds: float

    @property
    def is_wrong(self) -> bool:
        """Whether the verdict is not the expected one; never where it is UNKNOWN."""
        return {self.verdict, self.expected} == {"TRUE", "FALSE"}


def main() -> int:
    """Run or compare, and print the summary; the exit status is 1 where something is wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--engine", default="native")
    parser.add_argument("--timeout", type=float, default=60.0, help="seconds per program")
    parser.add_argument("--every", type=int, default=1, help="each N-th program only")
    parser.add_argument("--sample", type=int, metavar="N", help="N programs, chosen at random")
    parser.add_argument("--seed", type=int, default=0, help="of the sample")
    parser.add_argument("--memory-model", choices=("sc", "tso", "pso"))
    parser.add_argument("--relaxed", action="store_true", help="all accesses are relaxed")
    parser.add_argument("--mutants", action="store_true", help="one mutant of each program, too")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--results", type=Path)
    parser.add_argument("--compare", type=Path, nargs=2, help="compare these results of two engines")
    options = parser.parse_args()
    if options.compare:
        return compare(*options.compare)
    done = read(options.results) if options.results and options.results.exists() else []
    known = {(result.program, result.mutant) for result in done}
    tasks = [task for task in programs(options) if (task[0], task[1]) not in known]
    with ThreadPoolExecutor(options.jobs) as pool:
        for result in pool.map(lambda task: verified(task, options), tasks):
            done.append(result)
            if options.results:
                with options.results.open("a") as file:
                    file.write(json.dumps(asdict(result)) + "\n")
    return summary(done)


def programs(options: argparse.Namespace) -> Iterator[tuple[str, bool, str, str]]:
    """The tasks: the name of a program, whether it is a mutant, its text, and the expected verdict if it is known."""
    lines = (options.folder / "reference.results.txt").read_text().splitlines()
    words = [line.split() for line in lines if line and not line.startswith("#")]
    if options.sample is not None:
        words = random.Random(options.seed).sample(words, options.sample)
    for name, said, *_ in words[:: options.every]:
        path = options.folder / "C-tests" / f"{name}.c"
        if not path.is_file():
            print(f"{path}: missing", file=sys.stderr)
            continue
        text = path.read_text()
        if options.relaxed:
            text = text.replace("memory_order_seq_cst", "memory_order_relaxed")
        yield name, False, text, "" if options.relaxed else {"Forbid": "TRUE", "Allow": "FALSE"}[said]
        mutated = mutant(name, text)
        if options.mutants and mutated is not None:
            yield name, True, mutated, ""


def mutant(name: str, text: str) -> str | None:
    """*text* with one value that it compares with changed, the same each time; None where it compares none."""
    places = list(_COMPARED.finditer(text))
    if not places:
        return None
    number = int(hashlib.sha256(name.encode()).hexdigest(), 16)
    place = places[number % len(places)]
    value = (int(place.group()) + 1 + number // len(places) % 2) % 3
    return f"{text[: place.start()]}{value}{text[place.end() :]}"


def verified(task: tuple[str, bool, str, str], options: argparse.Namespace) -> Result:
    """Run one task in a process of its own."""
    name, mutated, text, expected = task
    receiver, sender = _FORK.Pipe(duplex=False)
    worker = _FORK.Process(target=_verify, args=(name, text, options, sender))
    worker.start()
    sender.close()
    try:
        verdict, message, seconds = receiver.recv()
    except EOFError:
        verdict, message, seconds = "failed", "the process ended without an answer", 0.0
    worker.join()
    return Result(name, mutated, verdict, message, expected, seconds)


def _verify(name: str, text: str, options: argparse.Namespace, sender: multiprocessing.connection.Connection) -> None:
    """Verify the program *text*, and send the verdict, a message, and the seconds of CPU."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{re.sub(r'[^A-Za-z0-9]', '_', name)}.c"
        path.write_text(text)
        begun = time.process_time()
        has_bounds = options.engine in ("native", "spin", "auto", "graphs") or options.memory_model in ("tso", "pso")
        given = {} if has_bounds else {"auto": True}
        if options.memory_model is not None:
            given["memory_model"] = options.memory_model
        try:
            outcome = cseq.verify(path, backend=options.engine, timeout=options.timeout, **given)
            verdict, message = outcome.verdict.value, "; ".join(str(caution) for caution in outcome.warnings)
            if "the engine reports a violation" in (outcome.message or ""):  # one that no replay has
                verdict = "FALSE"
        except CSeqError as error:
            verdict, message = "refused", str(error)
        seconds = time.process_time() - begun + os.times().children_user + os.times().children_system
    sender.send((verdict, message, round(seconds, 3)))


def read(path: Path) -> list[Result]:
    """The results in a file that `--results` wrote."""
    return [Result(**json.loads(line)) for line in path.read_text().splitlines()]


def summary(results: list[Result]) -> int:
    """Print how many there are of each verdict, and what is wrong."""
    for what, mutated in (("programs", False), ("mutants", True)):
        chosen = [result for result in results if result.mutant is mutated]
        if chosen:
            counts = Counter(result.verdict for result in chosen)
            seconds = sorted(result.seconds for result in chosen)
            cpu = f"{seconds[len(seconds) // 2]:.2f} s of CPU in the median, {seconds[-1]:.2f} s at most"
            print(f"{len(chosen)} {what}: " + ", ".join(f"{n} {word}" for word, n in counts.most_common()) + f"; {cpu}")
    wrong = [result for result in results if result.is_wrong or result.verdict in ("failed", "refused")]
    for result in wrong:
        print(f"  {result.program}{' (mutant)' * result.mutant}: {result.verdict} {result.message}")
    return 1 if wrong else 0


def compare(first: Path, second: Path) -> int:
    """Print how often the results of two engines agree, and where they do not."""
    one, other = ({(r.program, r.mutant): r for r in read(path)} for path in (first, second))
    both = sorted(set(one) & set(other))
    wrong = [key for key in both if {one[key].verdict, other[key].verdict} == {"TRUE", "FALSE"}]
    answered = [key for key in both if {one[key].verdict, other[key].verdict} <= {"TRUE", "FALSE"}]
    print(f"{len(both)} programs in both, {len(answered)} with two answers, {len(wrong)} disagreements")
    for key in wrong:
        print(f"  {key[0]}{' (mutant)' * key[1]}: {one[key].verdict}, {other[key].verdict}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
