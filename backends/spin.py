"""SPIN: find it, have it generate a model's verifier, and read the verifier's output.

SPIN translates a model in Promela into the C program of a verifier, pan. The C compiler compiles pan together with the
program that the model is about, and pan searches. This was written for SPIN 6.5.
"""

import os
import re
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from cseq.backends.base import excerpt
from cseq.c.preprocess import compiler
from cseq.model.activity import Activity, ActivityKind, Amount
from cseq.model.errors import BackendError
from cseq.process.run import Completed, run

DEPTH = 1_000_000
"""The default for the longest execution that is followed, in steps: pan reserves memory for all of them at once."""

OUT_OF_STEPS = "the search reached its depth limit"
MARKED = "states were only marked, so that some may have been taken for others"


@dataclass(frozen=True)
class PanOptions:
    """How pan is to search.

    kind: ``safety`` (finite executions), ``claim`` or ``acceptance`` (cycles through accepting states, those of a never
    claim or those of the processes), ``progress`` (non-progress cycles). fair: only cycles in which each process that
    can always go on does so. depth: of the search, in steps. memory: megabytes.
    bits: if states are only marked in a table, the exponent of its size in bits (a power of 2); None to store the
    states. cores: the number of cores that the search runs on. seed: shuffles the order of the search and the marks of
    states; None for neither. Searches with different seeds can run at the same time in one folder.
    size: of the tracked state, in bytes. processes: how many there are, excluding a claim.
    """

    kind: str = "safety"
    fair: bool = False
    depth: int = DEPTH
    memory: int | None = None
    bits: int | None = None
    cores: int = 1
    seed: int | None = None
    size: int = 0
    processes: int = 1


@dataclass(frozen=True)
class PanOutput:
    """The output of pan.

    status: ``safe``, ``violated``, ``unknown`` (the reason is in *reason*), ``memory``, ``time`` or ``error``
    (*reason*). error: pan's words for what is violated. statistics: states, matched, transitions, depth, seconds,
    memory (bytes), state_bytes, coverage (of a search that marks states), as far as pan reports them.
    notes: the lines that the model's own functions printed, without their first word.
    """

    status: str
    reason: str = ""
    error: str = ""
    statistics: dict[str, float] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Trail:
    """An execution that pan found, as the model's functions reported it while pan replayed it.

    notes: their lines, without the first word. cycle: the number of lines before the part that is repeated for ever;
    None if there is none.
    """

    notes: tuple[str, ...]
    cycle: int | None = None


def find() -> Path | None:
    """The program: what $CSEQ_SPIN names, or ``spin`` on PATH; None if it is not installed."""
    program = shutil.which(os.environ.get("CSEQ_SPIN") or "spin")
    return Path(program).absolute() if program else None


def version(path: Path) -> tuple[int, ...] | None:
    """The version of the program *path*; None for a program that is not SPIN."""
    try:
        said = run([str(path), "-V"], timeout=10).stdout
    except BackendError:
        return None
    match = re.match(r"Spin Version (\d+(?:\.\d+)*)", said)
    return tuple(int(part) for part in match.group(1).split(".")) if match else None


def claim(path: Path, formula: str, folder: Path) -> str:
    """The never claim, in Promela, that accepts the executions of which *formula* holds."""
    completed = run([str(path), "-f", formula], timeout=60, folder=folder)
    text = completed.stdout
    if completed.status != 0 or not text.startswith("never"):
        raise BackendError(f"SPIN does not translate the formula: {excerpt(text + completed.stderr)}")
    return text


def generate(path: Path, model: Path) -> None:
    """Have SPIN write the verifier for the file *model* into its folder: pan.c and the files that belong to it."""
    completed = run([str(path), "-a", model.name], timeout=60, folder=model.parent)
    header = model.with_name("pan.h")
    if completed.status != 0 or not header.is_file():
        raise BackendError(f"SPIN refuses the model: {excerpt(completed.stdout + completed.stderr)}")
    # The moves of the claim for non-progress cycles have numbers around 10 000, which the type that SPIN uses for small
    # models truncates; then their trails cannot be replayed.
    text = header.read_text(encoding="utf-8", errors="surrogateescape")
    text = text.replace("#define T_ID\tunsigned char", "#define T_ID\tunsigned short")
    header.write_text(text, encoding="utf-8", errors="surrogateescape")


def compilation(search: PanOptions, sources: Sequence[Path], folder: Path, include: Path) -> list[str]:
    """The command that builds ``pan`` in *folder* from pan.c there and the other *sources* or objects."""
    options = ["-DNOREDUCE", f"-DVECTORSZ={_rounded(search.size + 16 * search.processes + 256)}"]
    if search.kind == "safety":
        options.append("-DSAFETY")
    if search.kind == "progress":
        options.append("-DNP")
    if not search.fair:
        options.append("-DNOFAIR")
    options.append(f"-DFREQ={_OFTEN}")
    # Room for the counters: pan takes half of eight processes for each.
    options.append(f"-DNFAIR={max(2, (search.processes + 4) // 4 + 1)}")
    if search.bits is not None:
        options.append("-DBITSTATE")
    if search.memory is not None:
        options.append(f"-DMEMLIM={search.memory}")
    if search.cores > 1:
        options.append(f"-DNCORE={search.cores}")
    options.append("-Dmain=cs_pan_main")  # backends/explorer/spin/model.c calls it
    files = [str(folder / "pan.c"), *(str(source) for source in sources)]
    # SPIN's output is not modern C, and with more optimisation it takes longer to compile than most searches take.
    command = [compiler(), "-O1", "-w", "-std=gnu11", "-no-pie", "-fno-pic", *options, f"-I{include}"]
    return [*command, *files, "-o", str(folder / "pan")]


def command(search: PanOptions, folder: Path) -> list[str]:
    """The command that searches."""
    words = [str(folder / "pan"), f"-m{search.depth}", "-n", "-E"]
    if search.kind in ("claim", "acceptance"):
        words.append("-a")
    if search.kind == "progress":
        words.append("-l")
    if search.fair:
        words.append("-f")
    words.append(f"-w{search.bits if search.bits is not None else 20}")
    if search.seed is not None:
        words += [f"-h{search.seed % 500}", f"-ts{search.seed}"]
    return [*_shuffling(search), *words]


def _shuffling(search: PanOptions) -> list[str]:
    """The beginning of a command by which the model's functions (backends/explorer/spin/model.c) receive the seed.

    SPIN's own option for another order (-DPERMUTED) leaves trails that cannot be replayed, and ends searches too early.
    """
    return [] if search.seed is None else ["env", f"CSEQ_SHUFFLE={search.seed}"]


def replay(search: PanOptions, folder: Path) -> list[str]:
    """The command that makes pan follow the trail that it left in *folder*, where the model is the file model.pml."""
    words = [str(folder / "pan"), *(["-l"] if search.kind == "progress" else []), "-S", "-r"]
    return words if search.seed is None else [*_shuffling(search), *words, f"model.pml.s{search.seed}"]


def _rounded(size: int) -> int:
    return (size + 1023) // 1024 * 1024


# --- pan's output ---

_NUMBERS = {
    "states": r"^\s*(\S+) states, stored",
    "visited": r"states, stored \((\S+) visited\)",
    "matched": r"^\s*(\S+) states, matched",
    "transitions": r"^\s*(\S+) transitions \(=",
    "depth": r"depth reached (\d+)",
    "state_bytes": r"^State-vector (\d+) byte",
    "seconds": r"elapsed time (\S+) seconds",
    "memory": r"^\s*(\S+)\ttotal actual memory usage",
    "hash_factor": r"^hash factor: (\S+)",
}
_OFTEN = 50_000
"""pan reports its progress each time that this many states have been stored; its default is a million."""
_PROGRESS = re.compile(r"^(?:cpu\d+: )?Depth=\s*(\d+) States=\s*(\S+) .*?R=\s*(\S+)", re.MULTILINE)
_NOTE = re.compile(r"^cseq (.*)$", re.MULTILINE)


def parse(completed: Completed, kind: str = "safety") -> PanOutput:
    """Read what pan printed. kind: that of the search."""
    text = completed.stdout
    notes = tuple(dict.fromkeys(_NOTE.findall(text)))
    statistics = _statistics(text)
    error = re.search(r"^(?:cpu\d+: )?pan:\s*1: (.*?) \(at depth \d+\)", text, re.MULTILINE)
    if completed.timed_out:
        return PanOutput("time", "the engine ran out of time", "", statistics, notes)
    if error is not None and "max search depth" not in error[1]:
        return PanOutput("violated", "", error[1], statistics, notes)
    if completed.exceeded == "memory" or re.search(
        r"out of memory|reached -DMEMLIM|memory limit", text + completed.stderr
    ):
        return PanOutput("memory", "the engine ran out of memory", "", statistics, notes)
    if "errors: 0" not in text:
        said = completed.stderr.strip() or "\n".join(text.strip().splitlines()[-3:])
        ended = f"was killed by signal {-completed.status}" if completed.status < 0 else "printed no known message"
        return PanOutput("error", f"pan {ended}: {excerpt(said) or 'no output'}", "", statistics, notes)
    if "max search depth too small" in text:
        return PanOutput("unknown", OUT_OF_STEPS, "", statistics, notes)
    if "Bit statespace search" in text or "hash factor" in text:
        return PanOutput("unknown", MARKED, "", statistics, notes)
    if "Search not completed" in text:
        return PanOutput("unknown", "the search was not completed", "", statistics, notes)
    wanted = {"progress": "non-progress cycles", "claim": "acceptance   cycles", "acceptance": "acceptance   cycles"}
    if kind in wanted and not re.search(rf"^\s*{wanted[kind]}\s*\+", text, re.MULTILINE):
        return PanOutput("error", "pan did not search for cycles", "", statistics, notes)
    return PanOutput("safe", "", "", statistics, notes)


def _statistics(text: str) -> dict[str, float]:
    found: dict[str, float] = {}
    for name, pattern in _NUMBERS.items():
        match = re.search(pattern, text, re.MULTILINE)
        if match:
            number = float(match[1])
            found[name] = int(number) if number.is_integer() else number
    if "memory" in found:
        found["memory"] = int(found["memory"] * 1024 * 1024)
    return found


def progress(printed: str) -> Activity | None:
    """The progress of a search that has *printed* this last; None if it does not say."""
    found = _PROGRESS.findall(printed)
    if not found:
        return None
    depth, states, rate = (float(number) for number in found[-1])
    amounts = ((Amount.STATES, states), (Amount.STATES_PER_SECOND, rate), (Amount.DEPTH, depth))
    return Activity(ActivityKind.SEARCHING, amounts)


def trail(completed: Completed) -> Trail:
    """Read what pan printed while it replayed a trail."""
    notes: list[str] = []
    cycle = None
    for line in completed.stdout.splitlines():
        if "START OF CYCLE" in line:
            cycle = len(notes)
        elif line.startswith("cseq "):
            notes.append(line.removeprefix("cseq "))
    return Trail(tuple(notes), cycle)
