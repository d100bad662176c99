"""SPIN: where it is found, how its verifiers are called, and what their output means."""

import signal
from dataclasses import replace
from pathlib import Path

import pytest

from cseq.backends import spin
from cseq.backends.spin import (
    MARKED,
    OUT_OF_STEPS,
    PanOptions,
    PanOutput,
    Trail,
    claim,
    find,
    parse,
    progress,
    replay,
    trail,
    version,
)
from cseq.model.activity import Activity, ActivityKind, Amount
from cseq.model.errors import BackendError
from cseq.process.run import Completed

RECORDED = Path(__file__).resolve().parent / "recorded" / "spin"


def recorded(name: str) -> Completed:
    return Completed(0, (RECORDED / f"{name}.txt").read_text(encoding="utf-8"), "")


# Its output

ANSWERS = {
    "safe": ("safety", "safe", "", ""),
    "violated": ("safety", "violated", "", "cseq"),
    "claim": ("claim", "violated", "", "acceptance cycle"),
    "progress": ("progress", "violated", "", "non-progress cycle"),
    "depth": ("safety", "unknown", OUT_OF_STEPS, ""),
    "bits": ("safety", "unknown", MARKED, ""),
    "memory": ("safety", "memory", "the engine ran out of memory", ""),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_what_it_says(name: str) -> None:
    kind, status, reason, error = ANSWERS[name]
    found = parse(recorded(name), kind)
    assert (found.status, found.reason, found.error) == (status, reason, error)


def test_the_statistics() -> None:
    assert parse(recorded("claim"), "claim").statistics == {
        "states": 22,
        "visited": 54,
        "matched": 43,
        "transitions": 97,
        "depth": 89,
        "state_bytes": 108,
        "seconds": 0,
        "memory": int(8.195 * 1024 * 1024),
    }
    assert parse(recorded("bits")).statistics["hash_factor"] == 16.3152


def test_a_search_without_cycles_is_no_answer_about_cycles() -> None:
    found = parse(recorded("safe"), "claim")
    assert (found.status, found.reason) == ("error", "pan did not search for cycles")


def test_notes_of_the_model() -> None:
    safe = recorded("safe").stdout
    lines = "cseq cut more than 8 threads\ncseq options 12\ncseq cut more than 8 threads\n"
    assert parse(Completed(0, lines + safe, "")).notes == ("cut more than 8 threads", "options 12")


@pytest.mark.parametrize("said", ["", "nonsense\n", "State-vector 116 byte, depth reached 7, errors: \n"])
def test_output_that_is_not_understood(said: str) -> None:
    assert parse(Completed(0, said, "")).status == "error"


def test_what_ends_early() -> None:
    crashed = parse(Completed(-signal.SIGSEGV, "", ""))
    assert crashed == PanOutput("error", "pan was killed by signal 11: no output")
    refused = parse(Completed(1, "", "pan: VECTORSZ is too small\n"))
    assert refused == PanOutput("error", "pan printed no known message: pan: VECTORSZ is too small")
    assert parse(Completed(-signal.SIGKILL, "", "", timed_out=True)).status == "time"
    assert parse(Completed(-signal.SIGKILL, "", "", exceeded="memory")).status == "memory"
    # Killed when the time was up, before it had reported in full what it had found.
    assert parse(replace(recorded("violated"), timed_out=True)).status == "time"


def test_the_trail_of_a_finite_execution() -> None:
    found = trail(recorded("violated-trail"))
    assert found.cycle is None
    assert found.notes[-3:] == ("t 1 2", "t 0 5", "end assertion 0 assertion `count == 2`")
    assert len(found.notes) == 9


def test_the_trail_of_a_cycle() -> None:
    assert trail(recorded("progress-trail")) == Trail(("t 0 1", "t 1 1", "t 1 1"), 2)
    found = trail(recorded("claim-trail"))
    assert (len(found.notes), found.cycle) == (45, 17)


# Where it is


@pytest.mark.engine
def test_it_is_found_on_the_path_or_where_the_user_says(nowhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CSEQ_SPIN", raising=False)
    assert find() is None
    program = nowhere / "spin"
    program.write_text("#!/bin/sh\necho 'Spin Version 6.5.2 -- 6 December 2019'\n")
    program.chmod(0o755)
    assert find() == program
    monkeypatch.setenv("CSEQ_SPIN", str(nowhere / "none"))
    assert find() is None
    other = program.rename(nowhere / "other")
    monkeypatch.setenv("CSEQ_SPIN", str(other))
    assert find() == other
    assert version(other) == (6, 5, 2)


@pytest.mark.engine
def test_what_is_not_spin(nowhere: Path) -> None:
    program = nowhere / "spin"
    program.write_text("#!/bin/sh\necho 'toolbox 3'\n")
    program.chmod(0o755)
    assert version(program) is None
    with pytest.raises(BackendError, match=r"^SPIN does not translate the formula: toolbox 3$"):
        claim(program, "<> p", nowhere)


# How it is called


@pytest.mark.parametrize(
    "search, compiled, called",
    [
        (PanOptions(), ["-DSAFETY", "-DNOFAIR", "-DNOREDUCE"], ["-m1000000", "-n", "-E", "-w20"]),
        (PanOptions("claim", fair=True, depth=7), ["-DNOREDUCE"], ["-m7", "-n", "-E", "-a", "-f", "-w20"]),
        (PanOptions("acceptance"), ["-DNOFAIR", "-DNOREDUCE"], ["-m1000000", "-n", "-E", "-a", "-w20"]),
        (PanOptions("progress"), ["-DNP", "-DNOFAIR", "-DNOREDUCE"], ["-m1000000", "-n", "-E", "-l", "-w20"]),
        (
            PanOptions(bits=25, memory=500, cores=2),
            ["-DSAFETY", "-DNOFAIR", "-DNOREDUCE", "-DBITSTATE", "-DMEMLIM=500", "-DNCORE=2"],
            ["-m1000000", "-n", "-E", "-w25"],
        ),
    ],
)
def test_the_options(search: PanOptions, compiled: list[str], called: list[str]) -> None:
    words = spin.compilation(search, [Path("/x/steps.o")], Path("/x"), Path("/c"))
    sizes = ("-DVECTORSZ", "-DNFAIR", "-DFREQ", "-Dmain")
    meant = [word for word in words if word.startswith("-D") and not word.startswith(sizes)]
    assert sorted(meant) == sorted(compiled)
    assert words[-4:] == ["/x/pan.c", "/x/steps.o", "-o", "/x/pan"]
    assert spin.command(search, Path("/x")) == ["/x/pan", *called]
    assert replay(search, Path("/x")) == ["/x/pan", *(["-l"] if search.kind == "progress" else []), "-S", "-r"]


def test_searches_with_seeds_do_not_disturb_each_other() -> None:
    search = PanOptions(bits=20, seed=502)
    called = ["env", "CSEQ_SHUFFLE=502", "/x/pan", "-m1000000", "-n", "-E", "-w20", "-h2", "-ts502"]
    assert spin.command(search, Path("/x")) == called
    assert replay(search, Path("/x")) == ["env", "CSEQ_SHUFFLE=502", "/x/pan", "-S", "-r", "model.pml.s502"]


def test_there_is_room_for_the_state_and_for_all_processes() -> None:
    def numbers(search: PanOptions) -> dict[str, int]:
        words = [word.removeprefix("-D").split("=") for word in spin.compilation(search, [], Path("/x"), Path("/c"))]
        return {word[0]: int(word[1]) for word in words if len(word) == 2 and word[1].isdigit()}

    assert numbers(PanOptions(size=5000, processes=64))["VECTORSZ"] >= 5000 + 64 * 8
    # What pan says of the most processes that it can be fair to.
    for processes in (1, 5, 6, 7, 40, 64):
        fair = numbers(PanOptions("claim", fair=True, processes=processes))["NFAIR"]
        assert processes + 2 < 8 * fair // 2


def test_progress() -> None:
    line = "Depth= {:7d} States=    {}e+06 Transitions= 2.34e+06 Memory=   158.7\tt=     1.42 R=   7e+05\n"

    def searching(states: float, depth: float) -> Activity:
        amounts = ((Amount.STATES, states), (Amount.STATES_PER_SECOND, 700_000), (Amount.DEPTH, depth))
        return Activity(ActivityKind.SEARCHING, amounts)

    assert progress(line.format(25, 1) + line.format(31, 2)) == searching(2_000_000, 31)
    assert progress("cpu3: " + line.format(25, 1)) == searching(1_000_000, 25)
    assert progress("(Spin Version 6.5.2)\n") is None
