"""Measure the explicit-state engines on the examples of the literature in sv-benchmarks/explicit.

Each part writes a file of its own: examples → RESULTS.md, figures → FIGURES.md, and so on.
"""

from __future__ import annotations

import json
import re
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml

from benchmarks import common

HERE = Path(__file__).resolve().parent
PROGRAMS = common.ROOT / "sv-benchmarks" / "explicit"
NATIVE, SPIN = "native", "spin"

LARGER: dict[str, tuple[str, ...]] = {
    "peterson_n_good": ("N=3", "N=4"),
    "bakery_n_good": ("N=3", "N=4"),
    "philosophers_test_good": ("N=5",),
    "spinning_philosophers_good": ("N=3", "N=4", "N=5"),
}
"""Program → macros with which it is measured as well."""

PAPER = {
    ("dekker_loop_good", ""): "173 / 70",
    ("peterson_n_good", ""): "107 / 22",
    ("peterson_n_good", "N=4"): "1 080 161 / 31 221",
    ("bakery_n_good", ""): "2 389 / 223",
    ("bakery_n_good", "N=4"): "50 515 927 / 835 355",
    ("philosophers_test_good", ""): "9 791 509 / 146 106",
    ("philosophers_test_good", "N=5"): "> 619 309 984 / 4 179 520",
}
"""States in Table 1 of the paper on C2TLA+, without and with reduction."""


@dataclass(frozen=True)
class Limits:
    """The limits of one run: seconds of search, megabytes."""

    seconds: float
    megabytes: int


@dataclass(frozen=True)
class Answer:
    """The result of a search. numbers: its statistics; steps: the transitions of the counterexample."""

    verdict: str
    numbers: dict[str, float]
    steps: int = 0

    @property
    def states(self) -> str:
        """The number of stored states, marked where time or memory ran out."""
        count = self.numbers.get("states")
        if count is None:
            return self.verdict
        return whole(count) + (f", {self.verdict}" if self.verdict.startswith("out of") else "")

    @property
    def seconds(self) -> float:
        """Processor time of the search."""
        return self.numbers.get("cpu_seconds", 0.0)

    @property
    def cells(self) -> list[str]:
        """States and seconds."""
        return [self.states, common.number(self.seconds) if "cpu_seconds" in self.numbers else ""]


def whole(value: float) -> str:
    """A whole number."""
    return common.number(value, 0)


_VERDICTS = {"safe": "TRUE", "violated": "FALSE", "time": "out of time", "memory": "out of memory"}


class Kept:
    """A program that an engine was asked about, with the verifier that was made for that: the context's folder."""

    def __init__(self, program: Path, engine: str, limits: Limits, *words: str, macros: Sequence[str] = ()) -> None:
        self.name = " ".join([program.stem, *macros, engine, *words])
        self._limits = limits
        self._command = [
            *common.CSEQ,
            str(program),
            "-b",
            engine,
            "--json",
            *(f"-D{macro}" for macro in macros),
            *words,
        ]
        self._folder = tempfile.TemporaryDirectory()
        self.verdict = "refused"

    def __enter__(self) -> Kept:
        """Ask CSeq."""
        limits = ["--timeout", f"{self._limits.seconds:g}", "--memlimit", str(self._limits.megabytes)]
        run = common.run([*self._command, *limits, "--keep", self._folder.name])
        if run.status in (0, 1, 3) and run.stdout:
            self.verdict = json.loads(run.stdout)["verdict"]
        else:
            common.progress(f"  {self.name}: {(run.stderr.strip() or 'nothing').splitlines()[-1]}")
        return self

    def __exit__(self, *_: object) -> None:
        self._folder.cleanup()

    def native(self, *words: str) -> Answer:
        """Run the verifier of the engine `native` again."""
        if self.verdict == "refused":
            return Answer("refused", {})
        limits = ["--time", f"{self._limits.seconds:g}", "--memory", str(self._limits.megabytes)]
        run = common.run(["./explore", "--check", "assertion", *limits, *words], folder=Path(self._folder.name))
        found = json.loads(run.stdout)
        verdict = _VERDICTS.get(found["status"], "UNKNOWN")
        answer = Answer(verdict, found["statistics"], len(found.get("schedule", ())))
        common.progress(f"  {self.name} {' '.join(words)}: {verdict} {answer.cells}")
        return answer

    def spin(self) -> Answer:
        """Run SPIN's verifier again, if it had finished."""
        if self.verdict not in ("TRUE", "FALSE"):
            return Answer(self.verdict, {})
        answer = Answer(self.verdict, _pan(Path(self._folder.name)))
        common.progress(f"  {self.name}: {answer.verdict} {answer.cells}")
        return answer


def _pan(folder: Path, bits: int = 20) -> dict[str, float]:
    """The result of SPIN's verifier in *folder*. bits: the logarithm of the size of its hash table."""
    run = common.run(["./pan", "-m1000000", "-n", "-E", f"-w{bits}"], folder=folder)
    patterns = {
        "states": r"([\d.e+]+) states, stored",
        "matched": r"([\d.e+]+) states, matched",
        "state_bytes": r"State-vector (\d+) byte",
        "memory": r"([\d.]+)\s+total actual memory",
    }
    found = {name: float((re.findall(pattern, run.stdout) or [0])[0]) for name, pattern in patterns.items()}
    found["memory"] *= 2**20
    found["bytes_per_state"] = found["memory"] / max(found["states"], 1)
    return {**found, "cpu_seconds": run.cpu, "states_per_second": found["states"] / max(run.cpu, 1e-3)}


def both(program: Path, limits: Limits, *words: str, macros: Sequence[str] = ()) -> Iterator[Answer]:
    """Native, full and reduced; SPIN, full and reduced."""
    with Kept(program, NATIVE, limits, *words, macros=macros) as kept:
        yield kept.native(*FULL)
        yield kept.native()
    for reduction in (FULL, ()):
        with Kept(program, SPIN, limits, *reduction, *words, macros=macros) as kept:
            yield kept.spin()


# The examples

FULL = ("--no-por",)


def examples(limits: Limits, words: Sequence[str]) -> Iterator[str]:
    """The sections about each program."""
    yield _ABOUT_EXAMPLES.format(seconds=limits.seconds, megabytes=limits.megabytes)
    yield each_program(limits, words)


def figures(limits: Limits) -> Iterator[str]:
    """The sections about what the papers show."""
    yield _ABOUT_FIGURES.format(seconds=limits.seconds, megabytes=limits.megabytes)
    yield "## Searches (MCP, 3)\n"
    yield _ABOUT_SEARCHES
    yield searches(limits)
    yield "## Preemptive switches: Peterson's algorithm (pancam, Fig. 9)\n"
    yield _ABOUT_SWITCHES
    yield switches(limits)
    yield "## Two robots (pancam, Fig. 10)\n"
    yield robots(limits)
    yield "## Messages with priorities (pancam, Fig. 11)\n"
    yield messages(limits)


def programs(words: Sequence[str]) -> Iterator[tuple[Path, str, tuple[str, ...], bool]]:
    """Each program, a macro to make it larger, its options, and whether it is safe."""
    for path in sorted(PROGRAMS.glob("*.yml")):
        if words and not any(word in path.stem for word in words):
            continue
        task = yaml.safe_load(path.read_text(encoding="utf-8"))
        safe = task["properties"][0]["expected_verdict"]
        options = tuple(task["cseq"].get("options", ()))
        for macro in ("", *LARGER.get(path.stem, ())):
            yield path.with_suffix(".c"), macro, options, safe


def each_program(limits: Limits, words: Sequence[str]) -> str:
    """The table of all programs: states and seconds, by engine, without and with reduction."""
    rows = []
    for path, macro, options, safe in programs(words):
        answers = list(both(path, limits, *options, macros=(macro,) if macro else ()))
        verdicts = {answer.verdict for answer in answers}
        wanted = "TRUE" if safe else "FALSE"
        wrong = verdicts & ({"TRUE", "FALSE"} - {wanted})
        verdict = f"**{', '.join(sorted(wrong))}, which is wrong**" if wrong else wanted
        if wanted not in verdicts and not wrong:
            verdict = "not found"
        name = f"`{path.stem}`" + (f" {macro}" if macro else "")
        cells = [cell for answer in answers for cell in answer.cells]
        rows.append([name, verdict, *cells, PAPER.get((path.stem, macro), "")])
    header = ["program", "verdict"]
    for engine in ("native", "SPIN"):
        for reduction in ("full", "reduced"):
            header += [f"{engine}, {reduction}: states", "s"]
    return common.table([*header, "C2TLA+: states"], rows, "ll")


def searches(limits: Limits) -> str:
    """How many states each search stores before it finds the bug."""
    rows = []
    programs: list[tuple[str, tuple[str, ...]]] = [
        ("simple_race_bad", ()),
        ("spinning_philosophers_bad", ("N=4",)),
        ("spinning_philosophers_bad", ("N=5",)),
        ("spinning_philosophers_bad", ("N=6",)),
        ("spinning_philosophers_bad", ("N=6", "LOOKS")),
        ("alternating_bit_bad", ()),
        ("message_queue_bad", ()),
    ]
    for name, macros in programs:
        row = [f"`{name}`" + "".join(f" {macro}" for macro in macros)]
        with Kept(PROGRAMS / f"{name}.c", NATIVE, limits, macros=macros) as kept:
            for search in ("bfs", "dfs", "icb"):
                row += _found(kept.native(*FULL, "--search", search))
            tries = [kept.native(*FULL, "--search", "random", "--seed", str(seed)) for seed in range(1, 6)]
        row += _found(sorted(tries, key=lambda answer: answer.numbers.get("states", 0))[2])
        rows.append(row)
    header = ["program"]
    for search in ("breadth-first", "depth-first", "context bounding", "random (median of 5 seeds)"):
        header += [f"{search}: states", "steps"]
    return common.table(header, rows, "l")


def _found(answer: Answer) -> list[str]:
    return [answer.states, str(answer.steps) if answer.verdict == "FALSE" else ""]


def switches(limits: Limits) -> str:
    """States of Peterson's algorithm with at most so many preemptive switches."""
    bounds = ("0", "1", "2", "3", "4", "5", "6", "7", "8", "")
    rows = [[bound or "any"] for bound in bounds]
    header = ["switches"]
    for twin, word in (("bad", "wrong"), ("good", "right")):
        for abstraction in ((), ("--abstract", "abstract")):
            asked = ("--invariant", "check_exclusion", *abstraction)
            with Kept(PROGRAMS / f"peterson_pancam_{twin}.c", NATIVE, limits, *asked) as kept:
                for reduction, kind in ((FULL, "global access"), ((), "superstep")):
                    header.append(f"{word}: {kind}{', abstract' if abstraction else ''}")
                    for row, bound in zip(rows, bounds, strict=True):
                        words = ("--preemptions", bound) if bound else ()
                        answer = kept.native("--search", "dfs", *reduction, *words)
                        found = ", found" if answer.verdict == "FALSE" else ""
                        row.append(whole(answer.numbers["states"]) + found)
    return common.table(header, rows)


def robots(limits: Limits) -> str:
    """States of the robots for growing boards."""
    return _growing(limits, PROGRAMS / "robots_good.c", [("N", size) for size in range(2, 13, 2)], ())


def messages(limits: Limits) -> str:
    """States of the queue for growing capacity, with one sender and with two."""
    tables = []
    for senders, messages in ((1, 6), (2, 3)):
        tables.append(f"Senders: {senders}, receivers: 1, messages of each sender: {messages}.\n")
        sizes = [("CAPACITY", size) for size in range(1, 5)]
        tables.append(
            _growing(limits, PROGRAMS / "message_queue_good.c", sizes, (f"SENDERS={senders}", f"MESSAGES={messages}"))
        )
    return "\n".join(tables)


def _growing(limits: Limits, program: Path, sizes: Iterable[tuple[str, int]], macros: Sequence[str]) -> str:
    rows = []
    for name, size in sizes:
        answers = both(program, limits, macros=(*macros, f"{name}={size}"))
        rows.append([f"{name}={size}", *(cell for answer in answers for cell in answer.cells)])
    header = ["size"]
    for engine in ("native", "SPIN"):
        for reduction in ("global access", "superstep"):
            header += [f"{engine}, {reduction}: states", "s"]
    return common.table(header, rows, "l")


# Growth


def growth(limits: Limits, largest: float, stores: Sequence[str]) -> Iterator[str]:
    """The sections about ever more states: those of the Fibonacci race, with one more step each time."""
    yield _ABOUT_GROWTH.format(seconds=limits.seconds, megabytes=limits.megabytes)
    for store in stores:
        rows = []
        states, ratio = 1.0, 5.0
        for steps in range(3, 20):
            if states * ratio > largest:
                break
            macros = (f"STEPS={steps}", f"MOST={fibonacci(2 * steps + 2)}")
            with Kept(PROGRAMS / "fibonacci_7_good.c", NATIVE, limits, macros=macros) as kept:
                answer = kept.native(*FULL, "--store", store)
            rows.append([str(steps), *_measures(answer)])
            now = answer.numbers.get("states", 0.0)
            ratio, states = (now / states if states > 1 else 5.0), max(now, 1.0)
            if answer.verdict.startswith("out of"):
                break
        yield f"## Visited set: {store}\n"
        yield common.table(("steps", *MEASURES), rows)


STORES = ("exact", "compact", "bits")
MEASURES = ("states", "matched", "s", "states/s", "bytes of a state", "bytes per state", "memory, MB")


def _measures(answer: Answer) -> list[str]:
    numbers = answer.numbers
    rate = numbers["states"] / max(answer.seconds, 1e-3)
    cells = [answer.states, whole(numbers["matched"]), common.number(answer.seconds), whole(rate)]
    cells += [whole(numbers["state_bytes"]), common.number(numbers["bytes_per_state"], 1)]
    return [*cells, common.number(numbers["memory"] / 1e6, 1)]


def fibonacci(number: int) -> int:
    """The Fibonacci number *number*; that of 1 and 2 is 1."""
    before, here = 0, 1
    for _ in range(number - 1):
        before, here = here, before + here
    return here


# Speed


def speed(limits: Limits, runs: int) -> Iterator[str]:
    """The section about states per second, native and SPIN, on one model, without reduction."""
    yield _ABOUT_SPEED.format(runs=runs)
    found: dict[str, list[Answer]] = {}
    with Kept(HERE / "speed.c", NATIVE, limits) as kept:
        found["native"] = [kept.native(*FULL) for _ in range(runs)]
    with Kept(HERE / "speed.c", SPIN, limits, *FULL) as kept:
        found["SPIN"] = [kept.spin() for _ in range(runs)]
    found["SPIN, by hand"] = list(_by_hand(runs))
    middle = {
        name: sorted(answers, key=lambda answer: answer.seconds)[len(answers) // 2]
        for name, answers in found.items()
        if answers and answers[0].numbers
    }
    yield common.table(("", *MEASURES), [[name, *_measures(answer)] for name, answer in middle.items()], "l")
    rates = {name: answer.numbers["states"] / answer.seconds for name, answer in middle.items()}
    yield f"- Native: {whole(rates['native'])} states/s (asked for: 1 000 000)."
    for name in [name for name in rates if name != "native"]:
        yield f"- Native against {name}: {rates['native'] / rates[name]:.1f} times as many (asked for: 3)."


def _by_hand(runs: int) -> Iterator[Answer]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if not shutil.which("spin") or common.run(["spin", "-a", str(HERE / "speed.pml")], folder=folder).status:
            return
        common.run(["cc", "-O2", "-w", "-DSAFETY", "-DNOREDUCE", "-DMEMLIM=8000", "-o", "pan", "pan.c"], folder=folder)
        for _ in range(runs):
            yield Answer("TRUE", _pan(folder, bits=24))


_ABOUT_EXAMPLES = """\
`cseq.py PROGRAM -b native|spin --json`, with `--no-por` (full: a switch at each access that others can notice) and
without (reduced: supersteps, pancam §4). States are those that were stored, for a program with a bug until it was
found; seconds are processor time of the search, without the translation and the compiler, which take about a second
(SPIN: two). Each search gets {seconds:g} s and {megabytes} MB. `zune` violates no assertion; whether it ends is
another question. C2TLA+: the numbers of its paper, without and with agglomeration, of its own programs.
"""

_ABOUT_FIGURES = """\
What the figures and examples of the papers show, with our programs and engines. Global access: a switch at each access
that others can notice (`--no-por`); superstep: with the reduction. Seconds are processor time of the search. Each
search gets {seconds:g} s and {megabytes} MB.
"""

_ABOUT_SEARCHES = """\
States that were stored until the bug was found, and the transitions of the counterexample, without reduction. In the
paper on MCP, depth-first search spins at a fork that is taken, and random search finds the deadlock of six
philosophers after 237 states. Here states are matched, so that no search spins: with one exception, N=6 LOOKS, where
each look at a fork is counted, and makes another state. There depth-first search goes on until its time is up.
"""

_ABOUT_SWITCHES = """\
States with at most so many preemptive switches, depth-first, with `--invariant check_exclusion`; abstract: with
`--abstract abstract`, too, which looks at one of the states that it does not tell apart, and so may miss the bug. A
bound on the switches turns the reduction off. pancam finds the bug with few switches, and so it is here.
"""

_ABOUT_GROWTH = """\
The Fibonacci race, `sv-benchmarks/explicit/fibonacci_7_good.c`, with more and more steps: `cseq.py -b native --no-por`,
breadth-first. Each search gets {seconds:g} s and {megabytes} MB. Bytes per state are those of the visited set.
"""

_ABOUT_SPEED = """\
States per second of processor time on one core, without reduction, on the same program: `speed.c`, whose state has 64
bytes. Native: our own search, breadth-first, exact. SPIN: `-b spin`, which gets the same step functions as embedded C,
depth-first, exact; its state is larger by what SPIN adds. SPIN, by hand: `speed.pml`, the same in Promela without any
C, compiled with -O2 and for its own, smaller, state; it makes a few more steps at the ends of loops, so it has more
states. Median of {runs} runs.
"""


def main() -> None:
    """Measure, and write the results."""
    parser = common.arguments(__doc__ or "", __file__, runs=3)
    parser.add_argument(
        "--part", choices=("examples", "figures", "growth", "speed"), default="examples", help="what to measure"
    )
    parser.add_argument("--limit", type=float, default=60.0, metavar="SEC", help="seconds of a search (default: 60)")
    parser.add_argument("--memory", type=int, default=4000, metavar="MB", help="memory of a search (default: 4000)")
    parser.add_argument(
        "--largest", type=float, default=1e7, metavar="N", help="growth: states, about, at most (default: 1e7)"
    )
    parser.add_argument("--store", choices=STORES, action="append", help="growth: this visited set (default: each)")
    parser.add_argument("words", nargs="*", help="examples: only programs whose names contain one of these")
    options = parser.parse_args()
    limits = Limits(options.limit, options.memory)
    titles = {"examples": "examples of the literature", "figures": "what the papers show"}
    sections = {
        "examples": lambda: examples(limits, options.words),
        "figures": lambda: figures(limits),
        "growth": lambda: growth(limits, options.largest, options.store or STORES),
        "speed": lambda: speed(limits, options.runs),
    }[options.part]()
    output = options.output
    if options.part != "examples" and output.name == "RESULTS.md":
        output = output.with_name(f"{options.part.upper()}.md")
    title = f"Explicit-state search: {titles.get(options.part, options.part)}"
    spin = common.run(["spin", "-V"]).stdout.strip() or "none"
    common.report(title, __file__, list(sections), output, {"compiler": common.compiler(), "SPIN": spin})


if __name__ == "__main__":
    main()
