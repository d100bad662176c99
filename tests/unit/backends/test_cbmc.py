"""CBMC: where it is found, how it is called, and what its output means."""

import json
import signal
from pathlib import Path

import pytest

from cseq.backends.base import Answer, Options
from cseq.backends.cbmc import BACKEND, OLDEST, Cbmc, engines_folder
from cseq.backends.registry import backend
from cseq.model.activity import Activity, ActivityKind, Amount
from cseq.model.errors import BackendError, UsageError
from cseq.process.run import Completed, run

RECORDED = Path(__file__).resolve().parent / "recorded"
VERSIONS = ("6.6", "5.12")
PROGRAM = Path("sequentialized.i")


def recorded(version: str, program: str) -> str:
    return (RECORDED / f"cbmc-{version}-{program}.json").read_text(encoding="utf-8")


def executable(path: Path, says: str, status: int = 0) -> Path:
    """A program that says something and ends."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\necho '{says}'\nexit {status}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


# Its output


@pytest.mark.parametrize("version", VERSIONS)
def test_violated(version: str) -> None:
    answer = BACKEND.parse(Completed(10, recorded(version, "violated"), ""), PROGRAM)
    assert answer == Answer("violated", description="assertion `second != 200`", inputs=[0b1111_1101, 200])


@pytest.mark.parametrize("version", VERSIONS)
def test_safe(version: str) -> None:
    assert BACKEND.parse(Completed(0, recorded(version, "safe"), ""), PROGRAM) == Answer("safe")


@pytest.mark.parametrize(
    "version, seen, phase",
    [
        ("6.6", "Type-checking violated", Activity(ActivityKind.READING)),
        ("6.6", "Generic Property Instrumentation", Activity(ActivityKind.EXECUTING_SYMBOLICALLY)),
        ("6.6", "Passing problem to propositional reduction", Activity(ActivityKind.MAKING_FORMULA)),
        ("6.6", "converting SSA", Activity(ActivityKind.SOLVING)),
        ("5.12", "Parsing violated.c", Activity(ActivityKind.READING)),
        ("5.12", "Starting Bounded Model Checking", Activity(ActivityKind.EXECUTING_SYMBOLICALLY)),
        ("5.12", "size of program expression", Activity(ActivityKind.MAKING_FORMULA, ((Amount.STEPS, 44),))),
        (
            "5.12",
            "50 variables, 51 clauses",
            Activity(ActivityKind.SOLVING, ((Amount.STEPS, 44), (Amount.VARIABLES, 50), (Amount.CLAUSES, 51))),
        ),
    ],
)
def test_phase(version: str, seen: str, phase: Activity) -> None:
    text = recorded(version, "violated")
    assert BACKEND.phase(text[: text.index("}", text.index(seen))]) == phase


def test_phase_of_one_that_says_nothing() -> None:
    assert BACKEND.phase("") is BACKEND.phase("nonsense") is None


@pytest.mark.parametrize("version", VERSIONS)
def test_error(version: str) -> None:
    answer = BACKEND.parse(Completed(6, recorded(version, "broken"), ""), PROGRAM)
    assert answer == Answer("error", "CBMC says: syntax error before ';'")


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("program, status", [("safe", 10), ("safe", 1), ("violated", 0), ("violated", 6)])
def test_verdict_that_its_exit_status_contradicts(version: str, program: str, status: int) -> None:
    answer = BACKEND.parse(Completed(status, recorded(version, program), ""), PROGRAM)
    assert answer.status == "error"
    assert f"exit status {status}" in answer.message


@pytest.mark.parametrize("program, status", [("safe", 0), ("violated", 10)])
@pytest.mark.parametrize("part", [0, 1, 500])
def test_output_that_is_cut_off(program: str, status: int, part: int) -> None:
    answer = BACKEND.parse(Completed(status, recorded("6.6", program)[:part], ""), PROGRAM)
    assert answer.status == "error"
    assert answer.message.startswith(f"CBMC's output (exit status {status}) is not JSON: ")


def test_violation_without_a_trace() -> None:
    messages = json.loads(recorded("6.6", "violated"))
    for message in messages:
        message.pop("trace", None)
        for result in message.get("result", []):
            result.pop("trace", None)
    assert BACKEND.parse(Completed(10, json.dumps(messages), ""), PROGRAM).status == "error"


@pytest.mark.parametrize(
    "completed, answer",
    [
        (Completed(-9, "", "", timed_out=True), Answer("timeout")),
        (Completed(-9, "out of memory", "", timed_out=True, limited=True), Answer("timeout")),
        (Completed(0, recorded("6.6", "safe"), "", limited=True), Answer("safe")),
        (Completed(6, "[", "Out of memory"), Answer("memory")),
        (Completed(-6, "", "terminate called after throwing an instance of 'std::bad_alloc'"), Answer("memory")),
        (Completed(6, "", "std::length_error"), Answer("memory")),
        (Completed(127, "", "libc.so.6: failed to map segment from shared object"), Answer("memory")),
        (Completed(127, "", "error while loading shared libraries: cannot allocate memory"), Answer("memory")),
        (Completed(-signal.SIGABRT, "", "", limited=True), Answer("memory")),
        (Completed(-signal.SIGSEGV, "", "", limited=True), Answer("memory")),
        (Completed(-signal.SIGSEGV, "", ""), Answer("error", "CBMC was killed by signal 11")),
        (Completed(-signal.SIGKILL, "", "", limited=True), Answer("error", "CBMC was killed by signal 9")),
        (Completed(0, "", ""), Answer("error", "CBMC's output (exit status 0) is not JSON: ")),
        (Completed(6, "so\n  what", "no"), Answer("error", "CBMC's output (exit status 6) is not JSON: so whatno")),
        (Completed(0, "[]", ""), Answer("error", "CBMC says: no verdict (exit status 0)")),
        (Completed(0, "{}", ""), Answer("error", "CBMC says: no verdict (exit status 0)")),
        (Completed(0, "7", ""), Answer("error", "CBMC says: no verdict (exit status 0)")),
        (
            Completed(10, '[{"cProverStatus": "failure"}]', ""),
            Answer("error", "CBMC says: no verdict (exit status 10)"),
        ),
    ],
)
def test_output_of_a_bad_day(completed: Completed, answer: Answer) -> None:
    assert BACKEND.parse(completed, PROGRAM) == answer


def test_long_nonsense_is_cut() -> None:
    message = BACKEND.parse(Completed(1, "word " * 1000, ""), PROGRAM).message
    assert message.endswith("…")
    assert len(message) < 300


def test_a_property_that_speaks_of_memory_is_no_lack_of_it() -> None:
    text = recorded("6.6", "violated").replace("assertion `second != 200`", "assertion `out of memory`")
    answer = BACKEND.parse(Completed(10, text, "", limited=True), PROGRAM)
    assert (answer.status, answer.description) == ("violated", "assertion `out of memory`")


def test_pointer_input_without_bits() -> None:
    trace = [
        {"stepType": "assignment", "lhs": "__CSEQ_input", "value": {"data": "&object", "name": "pointer"}},
        {"stepType": "assignment", "lhs": "other", "value": {"binary": "1"}},
        {"stepType": "function-call", "lhs": "__CSEQ_input", "value": {"binary": "1"}},
        {"stepType": "assignment", "lhs": "__CSEQ_input", "value": {"binary": "1" * 64}},
    ]
    result = {"status": "failed", "description": "d", "trace": trace}
    answer = BACKEND.parse(Completed(10, json.dumps([result, {"cProverStatus": "failure"}]), ""), PROGRAM)
    assert list(answer.inputs) == [0, (1 << 64) - 1]


# Where it is


def test_not_installed(nowhere: Path) -> None:
    assert BACKEND.find() is None


@pytest.mark.engine
def test_order(nowhere: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    engines = tmp_path / "cache" / "cseq" / "engines"
    oldest = executable(engines / "cbmc-5.12" / "bin" / "cbmc", "5.12 (cbmc-5.12)")
    assert BACKEND.find() == oldest
    newest = executable(engines / "cbmc-6.6" / "bin" / "cbmc", "6.6.0 (cbmc-6.6.0)")
    assert BACKEND.find() == newest
    on_path = executable(nowhere / "cbmc", "5.95.1 (cbmc-5.95.1)")
    assert BACKEND.find() == on_path
    given = executable(tmp_path / "mine", "5.12 (cbmc-5.12)")
    monkeypatch.setenv("CSEQ_CBMC", str(given))
    assert BACKEND.find() == given
    monkeypatch.setenv("CSEQ_CBMC", "")
    assert BACKEND.find() == on_path


@pytest.mark.engine
@pytest.mark.parametrize("says", ["5.11 (cbmc-5.11)", "4.9", "no version at all"])
def test_unfit_cbmc_on_path_is_passed_over(nowhere: Path, tmp_path: Path, says: str) -> None:
    executable(nowhere / "cbmc", says)
    assert BACKEND.find() is None
    private = executable(tmp_path / "cache" / "cseq" / "engines" / "cbmc-6.6" / "bin" / "cbmc", "6.6.0")
    assert BACKEND.find() == private


def test_given_one_that_is_not_there_is_not_replaced(
    nowhere: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    executable(nowhere / "cbmc", "6.6.0")
    monkeypatch.setenv("CSEQ_CBMC", str(tmp_path / "none"))
    assert BACKEND.find() is None


def test_private_file_that_is_no_program(nowhere: Path, tmp_path: Path) -> None:
    executable(tmp_path / "cache" / "cseq" / "engines" / "cbmc-6.6" / "bin" / "cbmc", "6.6.0").chmod(0o644)
    assert BACKEND.find() is None


# How it is called


@pytest.mark.engine
@pytest.mark.parametrize(
    "says, version",
    [
        ("6.6.0 (cbmc-6.6.0)", (6, 6, 0)),
        ("5.12 (cbmc-5.12)", (5, 12)),
        ("CBMC version 5.12 (cbmc-5.12) 64-bit x86_64 linux", (5, 12)),
        ("ESBMC version 7.4", None),
        ("", None),
    ],
)
def test_version(tmp_path: Path, says: str, version: tuple[int, ...] | None) -> None:
    assert BACKEND.version(executable(tmp_path / "cbmc", says)) == version


def test_version_of_nothing(tmp_path: Path) -> None:
    assert BACKEND.version(tmp_path / "none") is None


@pytest.mark.engine
@pytest.mark.parametrize("bits", [32, 64])
@pytest.mark.parametrize(
    "says, more",
    [("5.12", []), ("5.95.1", []), ("6.0.0", ["--no-standard-checks"]), ("6.6.0", ["--no-standard-checks"])],
)
def test_command(tmp_path: Path, says: str, more: list[str], bits: int) -> None:
    path = executable(tmp_path / "cbmc", says)
    common = [str(path), "program.i", "--json-ui", "--trace", "--stop-on-fail", f"--{bits}"]
    common.append("--no-built-in-assertions")  # a double free, say, is a question of its own
    common.append("--no-sat-preprocessor")
    assert BACKEND.command(path, Path("program.i"), Options(bits)) == common + more


@pytest.mark.engine
def test_command_of_something_else(tmp_path: Path) -> None:
    path = executable(tmp_path / "cbmc", "hello")
    with pytest.raises(BackendError, match="does not say its version as CBMC does"):
        BACKEND.command(path, Path("program.i"), Options())


def test_registered() -> None:
    assert isinstance(backend("cbmc"), Cbmc)
    assert OLDEST == (5, 12)
    with pytest.raises(UsageError, match="known: auto, native, spin, cbmc"):
        backend("none")


# The real ones


@pytest.mark.engine
@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("program", ["violated", "safe", "broken"])
def test_the_records_are_what_it_says(version: str, program: str, tmp_path: Path) -> None:
    path = engines_folder() / f"cbmc-{version}" / "bin" / "cbmc"
    if not path.is_file():
        pytest.skip(f"CBMC {version} is not installed (setup/provide-cbmc)")
    (tmp_path / f"{program}.c").write_text((RECORDED / f"{program}.c").read_text())
    completed = run(BACKEND.command(path, Path(f"{program}.c"), Options()), folder=tmp_path)
    expected = Completed(completed.status, recorded(version, program), "")
    assert BACKEND.parse(completed, PROGRAM) == BACKEND.parse(expected, PROGRAM)
