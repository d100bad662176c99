"""What the user can say of the runs of a compiled program, as parameters."""

import os
import shlex
from collections.abc import Sequence
from pathlib import Path

from cseq.model.errors import UsageError
from cseq.modules.compiled.client.record import Strategy
from cseq.options.properties import ALSO_RACE
from cseq.pipeline.stage import Parameter

NAME = "compiled"
"""The name of the engine."""

ENGINE = Parameter(
    "backend", str, NAME, "the engine that explores the program", ("--backend", "-b"), "NAME", choices=lambda: [NAME]
)

SECONDS = 20.0
"""The time of a search for which the user gives neither a time nor a number of runs."""

STRATEGIES = tuple(strategy.name.lower() for strategy in Strategy)
"""The names of the strategies."""


def _strategy(text: str) -> None:
    if text not in STRATEGIES:
        raise ValueError(f"`{text}` is not one of {', '.join(STRATEGIES)}")


def _status(text: str) -> None:
    if text != ANY_STATUS and not (text.isdecimal() and int(text) < 256):
        raise ValueError(f"`{text}` is neither an exit status nor `{ANY_STATUS}`")


def _flags(text: str) -> None:
    try:
        shlex.split(text)
    except ValueError as error:
        raise ValueError(f"{text!r}: {str(error)[:1].lower()}{str(error)[1:]}") from None


def _file(text: str) -> None:
    if not text:
        raise ValueError("the name of the file is empty")


ANY_STATUS = "any"
"""The value of `EXIT_STATUS` with which none is wrong."""

STRATEGY: Parameter[Sequence[str]] = Parameter(
    "strategy", str, (), f"how threads are chosen: {', '.join(STRATEGIES)}; may be given several times (without it, "
    "all that are useful take turns)", ("--strategy",), "NAME", multiple=True, check=_strategy,
)  # fmt: skip
RUNS: Parameter[int | None] = Parameter(
    "runs", int, None, "make at most N runs (without it, as many as --time allows)", ("--runs",), "N", minimum=1
)
TIME: Parameter[float | None] = Parameter(
    "time", float, None, f"make runs for SEC seconds (without it and --runs: {SECONDS:g}, or what --timeout leaves)",
    ("--time",), "SEC", minimum=0,
)  # fmt: skip
EXHAUSTIVE = Parameter(
    "exhaustive", bool, False, "explore every schedule, for a proof about this program with these inputs",
    ("--exhaustive",),
)  # fmt: skip
WEAK = Parameter(
    "weak", bool, False, "let relaxed and acquire loads read older values, as C11 and C++ allow", ("--weak",)
)
EXIT_STATUS = Parameter(
    "exit_status", str, "0", f"the expected exit status: N, or `{ANY_STATUS}`", ("--exit-status",), "N",
    check=_status,
)  # fmt: skip
NO_RACE = Parameter("no_race", bool, False, "do not report data races", ("--no-race",))
EARLY = Parameter(
    "early_timeouts", bool, False, "let timed waits and sleeps end at any time, not only when no other thread can run",
    ("--early-timeouts",),
)  # fmt: skip
STEPS = Parameter(
    "steps", int, 100_000, "end a run after N operations that other threads can notice", ("--steps",), "N", minimum=1
)
RUN_TIME = Parameter("run_time", float, 10.0, "end a run after SEC seconds", ("--run-time",), "SEC", minimum=0.01)
FLAGS = Parameter(
    "compile", str, "", "compile and link the program with these options of the compiler (without -O: -O1)",
    ("--compile",), "FLAGS", check=_flags,
)  # fmt: skip
MODEL: Parameter[str | None] = Parameter(
    "model", str, None, "a scheduler: FILE is C with `int cseq_can_preempt(int a, int b)`, which says whether "
    "thread a takes the place of thread b", ("--model",), "FILE", check=_file,
)  # fmt: skip
SAVE: Parameter[str | None] = Parameter(
    "save", str, None, "write the run with the violation to FILE, for `cseq replay`", ("--save",), "FILE", check=_file
)
BUILT = Parameter("built", bool, False, "what is given is no source but the program itself")
"""Set by `cseq run`."""

REPEAT: Parameter[str | None] = Parameter("repeat", str, None, "repeat the run in this file, and search for nothing")
"""Set by `cseq replay`."""

TIMES = Parameter("times", int, 1, "repeat the run N times", (), "N", minimum=1)
"""Set by `cseq replay`, which has the option."""


def expected_status(text: str) -> int | None:
    """The exit status that *text*, a value of `EXIT_STATUS`, expects; None for any."""
    return None if text == ANY_STATUS else int(text)


def strategies(names: Sequence[str]) -> tuple[Strategy, ...]:
    """The strategies with these *names*; all that rotate where none is named: an empty tuple."""
    return tuple(Strategy[name.upper()] for name in dict.fromkeys(names))


def check(values: dict[str, object]) -> None:
    """Raise UsageError for *values* of the parameters that cannot be combined, and a file that cannot be written."""
    without = [one.options[0] for one in (STRATEGY, WEAK, NO_RACE) if one.of(values)]
    if EXHAUSTIVE.of(values) and without:
        raise UsageError(f"--exhaustive and {without[0]} cannot be combined")
    if Strategy.PCTWM.name.lower() in STRATEGY.of(values) and not WEAK.of(values):
        raise UsageError("--strategy pctwm chooses among older values, which needs --weak")
    if NO_RACE.of(values) and ALSO_RACE.of(values):
        raise UsageError("--no-race and --race cannot be combined")
    name = SAVE.of(values)
    if name is not None:
        path = Path(name)
        folder = path.absolute().parent
        if path.is_dir() or not os.access(path if path.exists() else folder, os.W_OK):
            raise UsageError(f"--save: {name} cannot be written")
