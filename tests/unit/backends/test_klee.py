"""KLEE: where it is found, how it is called, and what its output means."""

import signal
import struct
from dataclasses import replace
from pathlib import Path

import pytest

from cseq import verify
from cseq.backends.base import Answer, Options
from cseq.backends.cbmc import engines_folder
from cseq.backends.klee import BACKEND, Klee, inputs, objects
from cseq.backends.registry import backend
from cseq.model.errors import BackendError, UsageError
from cseq.process.run import Completed
from tests.support.checkout import ROOT
from tests.unit.backends.klee_records import NAMES, RECORDED, asked, recorded

DONE = "KLEE: done: generated tests = 0\n"
GIVEN_UP = "KLEE gives up an execution, and finds no violation in the others: "


def executable(path: Path, says: str) -> Path:
    """A program that says something and ends."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\necho '{says}'\n", encoding="utf-8")
    path.chmod(0o755)
    return path


def klee() -> Path:
    path = BACKEND.find()
    if path is None:
        pytest.skip("KLEE is not installed (setup/provide-klee)")
    return path


# Its output

ANSWERS = {
    "violated": Answer(
        "violated",
        description='assertion `steps != "3"`',
        inputs=[2, 1, 2, 5, 0xFE, 0xFFFD, 0xFFFF_FFFC, 0xFFFF_FFFF_FFFF_FFFB, 6, 7, 8, 0x3F80_0000, 9, 10, 0, 255],
    ),
    "contents": Answer("violated", description="assertion `block[1] != 7`", inputs=[200]),
    "pointer": Answer("violated", description="assertion `a[2] == 0`", inputs=[2]),
    "safe": Answer("safe"),
    "floating": Answer("error", "KLEE explores only one of many values (floating point)"),
    "division": Answer("error", f"{GIVEN_UP}divide by zero"),
    "external": Answer("error", f"{GIVEN_UP}external calls disallowed"),
    "recursion": Answer("error", f"{GIVEN_UP}Maximum stack size reached."),
    "size": Answer("error", f"{GIVEN_UP}concretized symbolic size"),
    "unlinked": Answer("error", "KLEE says: undefined reference to variable: elsewhere"),
}


def test_a_record_of_each() -> None:
    assert sorted(ANSWERS) == sorted(NAMES)


@pytest.mark.parametrize("name", ANSWERS)
def test_record(name: str) -> None:
    completed, program = recorded(name)
    assert replace(BACKEND.parse(completed, program), line=None) == ANSWERS[name]


def test_a_violation_beside_an_execution_that_was_given_up() -> None:
    assert [path.name for path in sorted((RECORDED / "pointer.klee").glob("*.err"))] == [
        "test000001.ptr.err",
        "test000002.assert.err",
    ]


def test_the_line_where_an_execution_was_given_up(tmp_path: Path) -> None:
    completed, program = asked(klee(), "division", tmp_path)
    line = BACKEND.parse(completed, program).line
    assert line is not None
    assert program.read_text(encoding="utf-8").splitlines()[line - 1].strip() == "int ratio = 6 / i;"


def test_a_violation_counts_even_when_the_time_is_up() -> None:
    completed, program = recorded("violated")
    assert BACKEND.parse(replace(completed, timed_out=True, status=-9), program) == ANSWERS["violated"]


@pytest.mark.parametrize("name, says", [("cut.ktest", "ValueError"), ("none.ktest", "a violation without its inputs")])
def test_violation_without_its_inputs(tmp_path: Path, name: str, says: str) -> None:
    completed, program = recorded("violated")
    source, folder = program.with_suffix(".klee"), tmp_path / "x.klee"
    folder.mkdir()
    (folder / "test000001.assert.err").write_bytes((source / "test000001.assert.err").read_bytes())
    if name == "cut.ktest":
        (folder / "test000001.ktest").write_bytes((source / "test000001.ktest").read_bytes()[:-1])
        with pytest.raises(ValueError, match="ends too early"):  # the symbolic run makes an error of it
            BACKEND.parse(completed, tmp_path / "x.i")
    else:
        answer = BACKEND.parse(completed, tmp_path / "x.i")
        assert answer.status == "error"
        assert says in answer.message


ALIGNMENT = 'Alignment of memory from call "malloc" is not modelled. Using alignment of 8.'


@pytest.mark.parametrize(
    "said, status",
    [
        (f"KLEE: WARNING ONCE: {ALIGNMENT}\n{DONE}", "safe"),
        (f"KLEE: WARNING: undefined reference to function: sin\n{DONE}", "safe"),
        (f"KLEE: WARNING: killing 7 states (over memory cap: 3101MB)\n{DONE}", "memory"),
        (f"KLEE: WARNING ONCE: skipping fork (memory cap exceeded)\n{DONE}", "memory"),
    ],
)
def test_warnings(tmp_path: Path, said: str, status: str) -> None:
    assert BACKEND.parse(Completed(0, "", said), tmp_path / "none.i") == Answer(status)


@pytest.mark.parametrize(
    "said",
    [
        "NOTE: found huge malloc, returning 0",
        "WARNING: what nobody has seen",
        "WARNING ONCE: flushing 7 bytes",
        "ERROR: x.i:3: over memory cap, says the program",
    ],
)
def test_messages_that_leave_doubts(tmp_path: Path, said: str) -> None:
    expected = Answer("error", f"KLEE says: {said.partition(': ')[2]}")
    assert BACKEND.parse(Completed(0, "", f"KLEE: {said}\n{DONE}"), tmp_path / "none.i") == expected


@pytest.mark.parametrize(
    "completed, answer",
    [
        (Completed(0, "", DONE), Answer("safe")),
        (Completed(-9, "", DONE, timed_out=True), Answer("timeout")),
        (Completed(-6, "", "what():  std::bad_alloc"), Answer("memory")),
        (Completed(1, "", "LLVM ERROR: out of memory"), Answer("memory")),
        (Completed(-signal.SIGKILL, "", "", limited=True), Answer("memory")),
        (Completed(-signal.SIGSEGV, "", ""), Answer("error", "KLEE was killed by signal 11")),
        (Completed(-signal.SIGKILL, "", DONE), Answer("error", "KLEE was killed by signal 9")),
        (Completed(0, "", ""), Answer("error", "KLEE does not end properly (exit status 0): ")),
        (Completed(1, "", "so\n what"), Answer("error", "KLEE does not end properly (exit status 1): so what")),
        (Completed(1, "", DONE), Answer("error", f"KLEE does not end properly (exit status 1): {DONE.strip()}")),
    ],
)
def test_output_of_any_day(tmp_path: Path, completed: Completed, answer: Answer) -> None:
    assert BACKEND.parse(completed, tmp_path / "none.i") == answer


@pytest.mark.parametrize(
    "name, text, answer",
    [
        ("test000001.early", "Memory limit exceeded.\n", Answer("memory")),
        ("test000001.solver.err", "Error: Query timed out (fork).\n", Answer("timeout")),
        ("test000001.exec.err", "Error: illegal call\nStack: \n", Answer("error", f"{GIVEN_UP}illegal call")),
        ("test000001.early", "", Answer("error", GIVEN_UP)),
    ],
)  # fmt: skip
def test_executions_that_ended_early(tmp_path: Path, name: str, text: str, answer: Answer) -> None:
    (tmp_path / "x.klee").mkdir()
    (tmp_path / "x.klee" / name).write_text(text)
    assert BACKEND.parse(Completed(0, "", DONE), tmp_path / "x.i") == answer


# Its inputs


def ktest(*known: tuple[str, bytes]) -> bytes:
    parts = [b"KTEST", struct.pack(">II", 3, 1), struct.pack(">I", 4), b"x.bc", struct.pack(">II", 0, 0)]
    parts.append(struct.pack(">I", len(known)))
    for name, content in known:
        parts += [struct.pack(">I", len(name)), name.encode(), struct.pack(">I", len(content)), content]
    return b"".join(parts)


def test_objects_of_a_ktest() -> None:
    known = [("__cs_input", b"\1\2"), ("other", b"")]
    assert list(objects(ktest(*known))) == known


@pytest.mark.parametrize(
    "data", [b"", b"KTEST", b"BOUT\n\0\0\0\3", b"KTEST\0\0\0\x09\0\0\0\0", ktest(("a", b"bc"))[:-1]]
)
def test_no_ktest(data: bytes) -> None:
    with pytest.raises(ValueError):
        list(objects(data))


def test_inputs_are_told_by_the_names_of_objects() -> None:
    data = ktest(
        ("__cs_most_7", b"\0"),  # a context, which ends at 3
        ("__cs_stop_2", b"\0"),
        ("__cs_input", b"\xff\xff\xff\xfe"),
        ("__cs_stop_3", b"\x80"),
        ("__cs_contents", b"\1"),
        ("__cs_bit_a", b"\0"),
        ("__cs_bit_b", b"\1"),
        ("__cs_bit_c", b"\2"),
        ("__cs_bytes", b"\5\0"),
        ("__cs_most_7", b"\1"),  # one that goes to the end
        ("__cs_stop_4", b"\0"),
    )
    assert inputs(data) == [3, 0xFEFFFFFF, 6, 5, 0, 7]


# Where it is


@pytest.mark.engine
def test_order(nowhere: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert BACKEND.find() is None
    private = executable(engines_folder() / "klee-3.2" / "bin" / "klee", "KLEE 3.2")
    assert BACKEND.find() == private
    on_path = executable(nowhere / "klee", "KLEE 3.1 (https://klee.github.io)")
    assert BACKEND.find() == on_path
    monkeypatch.setenv("CSEQ_KLEE", str(tmp_path / "none"))
    assert BACKEND.find() is None
    monkeypatch.setenv("CSEQ_KLEE", str(private))
    assert BACKEND.find() == private


@pytest.mark.engine
@pytest.mark.parametrize("says", ["KLEE 2.3 (https://klee.github.io)", "no version"])
def test_unfit_klee_on_path_is_passed_over(nowhere: Path, says: str) -> None:
    executable(nowhere / "klee", says)
    assert BACKEND.find() is None


@pytest.mark.engine
@pytest.mark.parametrize("says, version", [("KLEE 3.2 (https://klee-se.org/)", (3, 2)), ("Kleene 3.2", None)])
def test_version(tmp_path: Path, says: str, version: tuple[int, ...] | None) -> None:
    assert BACKEND.version(executable(tmp_path / "klee", says)) == version


@pytest.mark.engine
def test_clang_has_the_version_of_its_llvm(nowhere: Path, tmp_path: Path) -> None:
    path = executable(tmp_path / "klee", "KLEE 3.2\nDebian LLVM version 3.16.0")
    program = tmp_path / "sequentialized.i"
    program.write_text("int main(void) { }")
    executable(nowhere / "clang", "Debian clang version 14.0.6")
    with pytest.raises(BackendError, match=r"needs clang 3, .*\(apt-get install clang-3\)"):
        BACKEND.prepare(path, program, Options())
    executable(nowhere / "clang-3", "Debian clang version 3.16.0")
    (compile_it,) = BACKEND.prepare(path, program, Options())
    assert compile_it[:2] == [str(nowhere / "clang-3"), "-O0"]
    assert compile_it[-2:] == ["-o", str(tmp_path / "sequentialized.bc")]


@pytest.mark.engine
def test_something_else_in_its_place(tmp_path: Path) -> None:
    program = tmp_path / "sequentialized.i"
    program.write_text("int main(void) { }")
    with pytest.raises(BackendError, match="does not say the version of its LLVM"):
        BACKEND.prepare(executable(tmp_path / "klee", "hello"), program, Options())


def test_no_data_model_of_32_bits(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no data model of 32 bits"):
        BACKEND.prepare(executable(tmp_path / "klee", "KLEE 3.2"), tmp_path / "x.i", Options(32))


def test_functions_that_klee_would_take_its_own_for(tmp_path: Path) -> None:
    program = tmp_path / "sequentialized.i"
    program.write_text("static void *memalign(unsigned long to,\n  unsigned long size)\n{\n  return 0;\n}\n")
    with pytest.raises(BackendError, match="KLEE would use its own `memalign` instead of the program's"):
        BACKEND.prepare(executable(tmp_path / "klee", "KLEE 3.2"), program, Options())


def test_registered() -> None:
    assert isinstance(backend("klee"), Klee)


# The real one


@pytest.mark.parametrize("name", NAMES)
def test_the_records_are_what_it_says(name: str, tmp_path: Path) -> None:
    assert replace(BACKEND.parse(*asked(klee(), name, tmp_path)), line=None) == ANSWERS[name]


BENCHMARKS = ROOT / "sv-benchmarks"


@pytest.mark.parametrize(
    "name, bounds, verdict",
    [
        ("lost_update_bad", {"rounds": 2}, "FALSE"),
        ("lost_update_good", {"rounds": 2, "prove": True}, "TRUE"),
        ("cond_broadcast_bad", {"rounds": 2}, "FALSE"),
        ("bank_transfer_good", {"rounds": 2}, "UNKNOWN"),
        ("deadlock/create_with_lock_bad", {"rounds": 1, "deadlock": True}, "FALSE"),
        ("deadlock/create_with_lock_good", {"rounds": 1, "deadlock": True}, "UNKNOWN"),
        ("race/atomic_section_bad", {"rounds": 2, "race": True}, "FALSE"),
        ("race/atomic_section_good", {"rounds": 1, "race": True}, "UNKNOWN"),
        ("lost_update_bad", {"contexts": 4}, "FALSE"),
        ("lost_update_bad", {"contexts": 3}, "UNKNOWN"),
    ],
)
def test_verdicts(name: str, bounds: dict[str, int], verdict: str) -> None:
    klee()
    outcome = verify(BENCHMARKS / f"{name}.c", backend="klee", **bounds)
    assert verdict in [part.verdict.name for part in outcome.all()][-1:]
    assert (outcome.all()[-1].counterexample is not None) == (verdict == "FALSE")


def test_the_user_s_line_where_it_gives_up(tmp_path: Path) -> None:
    klee()
    program = tmp_path / "program.c"
    program.write_text(
        "#include <assert.h>\nint __VERIFIER_nondet_int(void);\n"
        "int main(void)\n{\n  int i = __VERIFIER_nondet_int();\n  assert(6 / i < 7);\n  return 0;\n}\n"
    )
    with pytest.raises(BackendError, match=r"divide by zero at .*program\.c:6"):
        verify(program, backend="klee")
