"""Programs on the PATH that CSeq calls: what they are for, how to ask for their version, how to get them."""

import contextlib
import os
import re
import signal
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

PATIENCE = 5.0
"""Seconds that a program has to print its version."""

FROM_SOURCE = "build from source"
KISSAT = f"{FROM_SOURCE}, or put the one on PATH that is in the Python package passagemath-kissat"


@dataclass(frozen=True)
class Tool:
    """A tool that is found on the PATH under one of its names.

    ask:       the arguments that make it print its version; None if it cannot.
    answer:    a pattern for its output; the first group is the version.
    package:   its package in Debian and Ubuntu, if any release has one.
    otherwise: how to get it where apt does not have it.
    variable:  the environment variable that may name it.
    """

    name: str
    purpose: str
    names: tuple[str, ...]
    ask: tuple[str, ...] | None = ("--version",)
    answer: str = r"(\d+(?:\.\d+)+)"
    package: str | None = None
    otherwise: str = "see your distribution's packages"
    variable: str | None = None


TOOLS = (
    Tool("cc", "compiles programs for the explorer and for replay", ("cc", "gcc", "clang"), package="gcc"),
    Tool("cadical", "SAT solver for CBMC in place of its own", ("cadical",), package="cadical"),
    Tool("minisat", "SAT solver for CBMC in place of its own", ("minisat",), ask=None, package="minisat"),
    Tool("z3", "SMT solver for CBMC in place of SAT", ("z3",), package="z3"),
    Tool("kissat", "SAT solver for CBMC in place of its own", ("kissat",), package="kissat", otherwise=KISSAT),
    Tool("bitwuzla", "SMT solver for CBMC in place of SAT", ("bitwuzla",), package="bitwuzla", otherwise=FROM_SOURCE),
    Tool("cvc5", "SMT solver for CBMC in place of SAT", ("cvc5",), package="cvc5", otherwise=FROM_SOURCE),
    Tool(
        "spin",
        "explicit engine: schedules, cycles, temporal properties",
        ("spin",),
        ask=("-V",),
        answer=r"^Spin Version (\d+(?:\.\d+)+)",
        package="spin",
        variable="CSEQ_SPIN",
    ),
    Tool(
        "java",
        "runs TLC",
        ("java",),
        ask=("-version",),
        answer=r'version "([^"]+)"',
        package="default-jre-headless",
    ),
)


def advice(name: str) -> str:
    """The command, or a hint in words, by which to get the tool *name*."""
    tool = next(tool for tool in TOOLS if tool.name == name)
    return way_to_get(tool, known_to_apt([tool.package] if tool.package else []))


def way_to_get(tool: Tool, packages: frozenset[str]) -> str:
    """The way to get *tool*, where apt can install the *packages*."""
    return apt_command(tool.package) if tool.package in packages else tool.otherwise


def ask(command: Sequence[str]) -> tuple[int, str]:
    """Run a command without input; returns its exit status and all its output.

    Raises OSError if it cannot be started, and subprocess.TimeoutExpired after PATIENCE seconds. The whole process
    group is then killed: tools are often wrapper scripts, and what they started would go on running.
    """
    with subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        env={**os.environ, "LC_ALL": "C"},
        start_new_session=True,
    ) as process:
        try:
            output, _ = process.communicate(timeout=PATIENCE)
        except BaseException:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            raise
    return process.returncode, output


def known_to_apt(packages: Iterable[str]) -> frozenset[str]:
    """The packages that apt can install here; none where there is no apt."""
    try:
        _, output = ask(["apt-cache", "policy", *packages])
    except (OSError, subprocess.TimeoutExpired):
        return frozenset()
    return frozenset(re.findall(r"^(\S+):\n.*\n *Candidate: (?!\(none\))", output, re.MULTILINE))


def apt_command(package: str) -> str:
    """The command with which the current user installs *package*."""
    return f"apt-get install {package}" if os.geteuid() == 0 else f"sudo apt-get install {package}"
