"""Solvers of constrained Horn clauses: each is declared in a file ``NAME.toml``, and runs as a program of its own."""

import functools
import os
import re
import shutil
import sys
import tempfile
import tomllib
from dataclasses import dataclass
from pathlib import Path

from cseq.model.errors import UsageError
from cseq.process.run import run

FOLDER = Path(__file__).resolve().parent

MEMORY = 4000
"""Megabytes that a solver may use."""


@dataclass(frozen=True)
class Answer:
    """What a solver says. status: "sat", "unsat", "unknown" or "timeout". text: what it printed after its answer."""

    status: str
    text: str
    seconds: float
    reason: str = ""


@dataclass(frozen=True)
class Solver:
    """A solver of Horn clauses.

    programs: its names, of which the first that is found runs. configurations: its arguments, as lists that are tried
    one after the other; `{file}` stands for the clauses, `{seconds}` for the time limit. shares: of the time that is
    left, what each of them may take. sat, unsat: the patterns of its answers.
    """

    name: str
    programs: tuple[str, ...]
    configurations: tuple[tuple[str, ...], ...]
    shares: tuple[float, ...]
    sat: re.Pattern[str]
    unsat: re.Pattern[str]

    def find(self) -> Path | None:
        """The program that `CSEQ_NAME` names, one that is installed beside Python, or one on the PATH."""
        given = os.environ.get(f"CSEQ_{self.name.upper()}")
        beside = str(Path(sys.executable).parent)
        for program in [given] if given else self.programs:
            path = (None if given else shutil.which(program, path=beside)) or shutil.which(program)
            if path is not None:
                return Path(path).absolute()
        return None

    def solve(self, text: str, configuration: int, timeout: float, memory: int = MEMORY) -> Answer:
        """What it says about the clauses *text* within *timeout* seconds. UsageError if it is not installed."""
        program = self.find()
        if program is None:
            raise UsageError(f"the solver {self.name} is not installed: there is no {' or '.join(self.programs)}")
        with tempfile.TemporaryDirectory(prefix="cseq-") as folder:
            path = Path(folder) / "clauses.smt2"
            path.write_text(text, encoding="utf-8")
            places = {"file": str(path), "seconds": str(max(int(timeout), 1))}
            words = [re.sub(r"\{(\w+)\}", lambda it: places[it[1]], it) for it in self.configurations[configuration]]
            before = _used()
            done = run([str(program), *words], timeout=timeout, memory=memory, folder=Path(folder))
            seconds = _used() - before
        for status, pattern in (("sat", self.sat), ("unsat", self.unsat)):
            if found := pattern.search(done.stdout):
                return Answer(status, done.stdout[found.end() :], seconds)
        if done.timed_out or re.search(r"^timeout$", done.stdout, re.MULTILINE):
            return Answer("timeout", "", seconds)
        said = (done.stdout + done.stderr).strip()
        return Answer("unknown", "", seconds, f"out of {done.exceeded}" if done.exceeded else said[:200])


def _used() -> float:
    """Seconds of CPU time of the programs that have ended."""
    times = os.times()
    return times.children_user + times.children_system


def names() -> list[str]:
    """The solvers that are declared."""
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


@functools.cache
def load(name: str) -> Solver:
    """The solver *name*: one of ours, or the path of a file that the user gives. UsageError if something is wrong."""
    path = Path(name) if name.endswith(".toml") else FOLDER / f"{name}.toml"
    if not path.is_file():
        raise UsageError(f"there is no solver {name}: there are {', '.join(names())}")
    try:
        declared = tomllib.loads(path.read_text(encoding="utf-8"))
        configurations = tuple(tuple(map(str, words)) for words in declared["commands"])
        shares = tuple(float(share) for share in declared.get("shares", [1.0] * len(configurations)))
        if not configurations or len(shares) != len(configurations):
            raise ValueError("a share of the time is wanted for each command")
        sat, unsat = (re.compile(declared[key], re.MULTILINE) for key in ("sat", "unsat"))
        return Solver(path.stem, tuple(declared["programs"]), configurations, shares, sat, unsat)
    except (KeyError, TypeError, ValueError, re.error, tomllib.TOMLDecodeError) as error:
        raise UsageError(f"{path}: not the declaration of a solver: {error}") from error
