"""TLC: where it is found, how it is called, and what its messages mean. The outputs in recorded/tlc are genuine."""

import re
import signal
from dataclasses import replace
from pathlib import Path

import pytest

from cseq.backends import tlavalues, tlc
from cseq.backends.tlc import STACK, TlcOptions, command, find, installed, java, java_version, parse, progress
from cseq.model.activity import Activity, ActivityKind, Amount
from cseq.model.errors import BackendError, MissingError
from cseq.process.run import Completed, run

RECORDED = Path(__file__).resolve().parent / "recorded" / "tlc"


def recorded(name: str, status: int) -> Completed:
    return Completed(status, (RECORDED / f"{name}.txt").read_text(encoding="utf-8"), "")


# Its output

ANSWERS = {
    "safe": (0, "safe", ""),
    "parse": (150, "error", "SANY refuses the module: Encountered .* at line 5, column 1 and token"),
    "names": (150, "error", "SANY refuses the module: line 5, col 14 to line 5, col 14 .* Unknown operator: `y'"),
    "evaluation": (255, "error", r"Attempted to apply Head to the empty sequence\. \(line 5, column 23 .* in Eval\)"),
    "assertion": (14, "error", 'The first argument of Assert evaluated to FALSE; .*: "too large" \\(line 5'),
    "overflow": (255, "error", r"Overflow when computing 70000\*70000 \(line 5"),
    "unassigned": (75, "error", "Successor state is not completely specified .*: y"),
    "configuration": (151, "error", "The next state action Nixt specified in the configuration file is not defined"),
    "missing": (255, "error", r"TLC encountered .* configuration file Missing\.cfg: File not found"),
    "stack": (75, "unknown", re.escape(STACK)),
    "memory": (75, "memory", "the engine ran out of memory"),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_answers(name: str) -> None:
    code, status, reason = ANSWERS[name]
    found = parse(recorded(name, code))
    assert found.status == status
    assert re.match(reason, found.reason)
    assert "\n" not in found.reason and "@!@" not in found.reason


VIOLATIONS = {
    "invariant": (12, "invariant", "Small", 4, None),
    "initially": (12, "invariant", "Small", 1, None),
    "deadlock": (11, "deadlock", "", 6, None),
    "step": (13, "action", "Closed", 7, None),
    "lasso": (13, "temporal", "", 6, 3),
    "stuttering": (13, "temporal", "", 2, 1),
}


@pytest.mark.parametrize("name", VIOLATIONS)
def test_violations(name: str) -> None:
    code, kind, operator, length, cycle = VIOLATIONS[name]
    found = parse(recorded(name, code))
    assert (found.status, found.kind, found.name) == ("violated", kind, operator)
    assert (len(found.states), len(found.actions), found.cycle) == (length, length, cycle)
    assert found.actions[0] == "Initial predicate"


def test_the_states_of_a_trace() -> None:
    states = [tlavalues.assignments(text)["memory"] for text in parse(recorded("invariant", 12)).states]
    assert [state["data"]["x"] for state in states] == [0, 1, 2, 3]  # type: ignore[index,call-overload]
    initial = parse(recorded("initially", 12)).states
    assert [tlavalues.assignments(text)["memory"] for text in initial] == states[:1]
    assert parse(recorded("evaluation", 255)).states == ("x = 0", "x = 1", "x = 2")
    assert tlavalues.assignments(parse(recorded("unassigned", 75)).states[0]) == {"x": 0, "y": 0}


def test_statistics() -> None:
    assert parse(recorded("lasso", 13)).statistics.keys() >= {"states", "generated", "left", "depth", "seconds"}
    found = parse(recorded("safe", 0)).statistics
    assert {name: found[name] for name in ("states", "generated", "left", "depth")} == {
        "states": 6, "generated": 6, "left": 0, "depth": 6,
    }  # fmt: skip
    assert 0 < found["seconds"] < 10
    assert found["collision"] == 0
    estimates = "calculated (optimistic):  val = 1.5E-9\n  based on the actual fingerprints:  val = 2.0E-8"
    text = f"@!@!@STARTMSG 2193:0 @!@!@\n{estimates}\n@!@!@ENDMSG 2193 @!@!@\n"
    assert parse(Completed(0, text, "")).statistics["collision"] == 2e-8
    for took, seconds in {"3d 2h 1min 5s": 266465, "2min 13s": 133, "07s": 7, "1944ms": 1.944}.items():
        text = f"@!@!@STARTMSG 2186:0 @!@!@\nFinished in {took} at (x)\n@!@!@ENDMSG 2186 @!@!@\n"
        assert parse(Completed(1, text, "")).statistics["seconds"] == seconds


def test_what_the_module_prints_is_kept_once() -> None:
    cuts = tuple(f'<<"cseq", "cut", {number}>>' for number in range(3))
    assert parse(recorded("invariant", 12)).printed == cuts
    text = '<< "cseq",\n   "cut",\n   "cut.threads 3" >>\n'
    said = parse(Completed(0, text + recorded("safe", 0).stdout, "")).printed
    assert said[0] == '<< "cseq", "cut", "cut.threads 3" >>'
    assert tlavalues.value(said[0]) == ("cseq", "cut", "cut.threads 3")


def test_what_ends_early() -> None:
    killed = recorded("killed", -signal.SIGKILL)
    assert parse(replace(killed, timed_out=True)).status == "time"
    assert parse(replace(killed, exceeded="memory")).status == "memory"
    assert parse(replace(killed, exceeded="files")).reason == "it wrote more than it may (files)"
    assert parse(killed).reason.startswith("TLC was killed by signal 9")
    assert parse(Completed(1, "", "Error occurred during initialization of VM\nCould not reserve enough space"))
    refused = parse(Completed(1, "", "Error: Could not find or load main class tlc2.TLC\n"))
    assert refused.reason == ("there is no TLC in the jar: Error: Could not find or load main class tlc2.TLC")
    # It says that there is no error, but then it does not end as it should.
    assert parse(recorded("safe", 255)).status == "error"
    assert parse(Completed(0, "", "")).status == "error"


def test_progress() -> None:
    found = progress(recorded("killed", -9).stdout)
    assert isinstance(found, Activity)
    assert found.doing is ActivityKind.SEARCHING
    assert [amount for amount, _ in found.amounts][-1] is Amount.DEPTH
    assert progress("Starting...") is None
    line = "Progress(52) at 2026-01-01 12:00:00: 5,436 states generated (600 s/min), 5,356 distinct states found"
    assert progress(f"{line} (1,200 ds/min), 100 states left on queue.") == Activity(
        ActivityKind.SEARCHING, ((Amount.STATES, 5356), (Amount.STATES_PER_SECOND, 20), (Amount.DEPTH, 52))
    )


# How it is called


def test_each_run_has_folders_of_its_own(tmp_path: Path) -> None:
    words = command(Path("/x/tla2tools.jar"), tmp_path, "M.tla", "M.cfg", TlcOptions(seed=133, memory=1000))
    assert words[words.index("-cp") :][1:3] == ["/x/tla2tools.jar", "tlc2.TLC"]
    assert f"-Djava.io.tmpdir={tmp_path}/tlc/modules" in words
    assert words[words.index("-metadir") + 1] == f"{tmp_path}/tlc/states"
    assert words[words.index("-fp") + 1] == "2"
    assert "-Xmx744m" in words
    assert words[-3:] == ["-config", "M.cfg", "M.tla"]
    other = command(Path("/x/tlc"), tmp_path, "M.tla", "M.cfg", TlcOptions(optimize=False))
    assert other[0] == "env" and "-XX:TieredStopAtLevel=1" in other[1] and other[2] == "/x/tlc"


@pytest.mark.engine
@pytest.mark.skipif(find() is None or java() is None, reason="TLC is not installed")
def test_it_runs(tmp_path: Path) -> None:
    (tmp_path / "M.tla").write_text(
        "---- MODULE M ----\nEXTENDS Integers\nVARIABLE x\nInit == x = 0\nNext == x' = (x + 1) % 7\n====\n"
    )
    (tmp_path / "M.cfg").write_text("INIT Init\nNEXT Next\n")
    search = TlcOptions(memory=600, optimize=False)
    done = run(command(installed(), tmp_path, "M.tla", "M.cfg", search), folder=tmp_path, timeout=60, reserves=True)
    found = parse(done)
    assert (found.status, found.statistics["states"]) == ("safe", 7)


# Where it is


@pytest.fixture
def machine(nowhere: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine without Java and TLC; the folder is on its PATH."""
    for name in ("CSEQ_TLC", "CLASSPATH", "JAVA_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(nowhere / "cache"))
    monkeypatch.setattr(tlc, "JAR_FOLDERS", (nowhere / "jars",))
    return nowhere


def script(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


def test_copies_in_order(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert find() is None
    private = script(machine / "cache/cseq/engines/tlc-2.18/tla2tools.jar", "")
    assert find() == private
    system = script(machine / "jars/tla2tools.jar", "")
    assert find() == system
    mine = script(machine / "lib/tla2tools.jar", "")
    monkeypatch.setenv("CLASSPATH", f"{machine}/lib/other.jar:{mine}")
    assert find() == mine
    monkeypatch.setenv("CSEQ_TLC", str(machine / "nothing.jar"))
    assert find() is None
    command_ = script(machine / "mytlc", "")
    monkeypatch.setenv("CSEQ_TLC", "mytlc")
    assert find() == installed() == command_  # which Java that takes is its own matter


@pytest.mark.engine
def test_java(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(MissingError, match="`tlc` is not installed"):
        installed()
    jar = script(machine / "jars/tla2tools.jar", "")
    with pytest.raises(MissingError, match="needs Java, which is not installed"):
        installed()
    script(machine / "java", "echo 'openjdk version \"1.7.0_80\"' >&2")
    with pytest.raises(BackendError, match=r"needs Java 8 or later, and .*/java is Java 7"):
        installed()
    script(machine / "java", "exit 1")
    with pytest.raises(BackendError, match="does not run"):
        installed()
    home = script(machine / "jdk/bin/java", "echo 'java version \"1.8.0_292\"' >&2")
    monkeypatch.setenv("JAVA_HOME", str(machine / "jdk"))
    assert (java(), java_version(home), installed()) == (home, 8, jar)
