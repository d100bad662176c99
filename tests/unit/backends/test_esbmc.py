"""ESBMC: where it is found, how it is called, what its output means, and what it answers to whole programs."""

import signal
import subprocess
from pathlib import Path
from textwrap import dedent

import pytest

import cseq
from cseq.backends.base import Answer, Options
from cseq.backends.esbmc import BACKEND, LONGEST, Esbmc
from cseq.backends.registry import backend
from cseq.model.activity import Activity, ActivityKind, Amount
from cseq.model.errors import BackendError, UsageError
from cseq.model.verdict import Outcome, Reason, Verdict
from cseq.process.run import Completed, run
from cseq.report.words import message
from tests.support.checkout import ROOT

RECORDED = Path(__file__).resolve().parent / "recorded" / "esbmc"
PROGRAM = Path("sequentialized.i")
STATUS = {"violated": 1, "safe": 0, "broken": 6, "cut": 1, "timeout": 1, "memory": 2}
"""The exit statuses of what is recorded."""

with_esbmc = pytest.mark.skipif(BACKEND.find() is None, reason="ESBMC is not installed (setup/provide-esbmc)")


def recorded(name: str, **changes: object) -> Completed:
    text = (RECORDED / f"{name}.txt").read_text(encoding="utf-8")
    return Completed(**{"status": STATUS[name], "stdout": "", "stderr": text, **changes})  # type: ignore[arg-type]


def executable(path: Path, says: str) -> Path:
    """A program that says something and ends."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\necho '{says}'\n", encoding="utf-8")
    path.chmod(0o755)
    return path


# Its output


def test_violated() -> None:
    inputs = [2**64 - 3, 200, 1, 0xBE800000, 0, ord("a"), 255, 5]
    expected = Answer("violated", description='assertion `second != 200 && "it"`', inputs=inputs)
    assert BACKEND.parse(recorded("violated"), PROGRAM) == expected


def test_safe() -> None:
    assert BACKEND.parse(recorded("safe"), PROGRAM) == Answer("safe")


@pytest.mark.parametrize(
    "seen, phase",
    [
        ("Parsing ", Activity(ActivityKind.READING)),
        ("Starting Bounded Model Checking", Activity(ActivityKind.EXECUTING_SYMBOLICALLY)),
        ("Encoding remaining VCC", Activity(ActivityKind.MAKING_FORMULA, ((Amount.ASSIGNMENTS, 43),))),
        ("Solving with solver", Activity(ActivityKind.SOLVING, ((Amount.ASSIGNMENTS, 43),))),
    ],
)
def test_phase(seen: str, phase: Activity) -> None:
    text = "".join([recorded("violated").stdout, recorded("violated").stderr])
    assert BACKEND.phase(text[: text.index(seen) + len(seen)]) == phase
    assert BACKEND.phase("nonsense") is None


def test_broken() -> None:
    said = "ESBMC says: broken.c:3:11: error: expected ';' after return statement"
    assert BACKEND.parse(recorded("broken"), PROGRAM) == Answer("error", said)


def test_loop_that_is_cut_off_is_neither_safe_nor_a_violation_of_the_user_s() -> None:
    answer = BACKEND.parse(recorded("cut"), PROGRAM)
    assert answer == Answer("error", f"the program may copy or fill any number of bytes, more than {LONGEST}")


def test_its_own_time_limit_has_the_status_of_a_violation() -> None:
    assert BACKEND.parse(recorded("timeout"), PROGRAM) == Answer("timeout")


def test_its_memory() -> None:
    assert BACKEND.parse(recorded("memory"), PROGRAM) == Answer("memory")


@pytest.mark.parametrize("name, status", [("safe", 1), ("safe", 6), ("violated", 0), ("violated", 6)])
def test_verdict_that_its_exit_status_contradicts(name: str, status: int) -> None:
    assert BACKEND.parse(recorded(name, status=status), PROGRAM).status == "error"


@pytest.mark.parametrize("verdict", ["UNKNOWN", "SUCCESSFUL after all", "FAILED"])
def test_status_0_is_only_safe_with_the_word_for_it(verdict: str) -> None:
    text = recorded("safe").stderr.replace("VERIFICATION SUCCESSFUL", f"VERIFICATION {verdict}")
    assert BACKEND.parse(Completed(0, "", text), PROGRAM).status == "error"


@pytest.mark.parametrize("part", range(1, 24))
def test_output_that_is_cut_off(part: int) -> None:
    """A violation is reported only with all of its inputs: with the verdict at the end."""
    text = recorded("violated").stderr
    for length in (len(text) * part // 24, len(text) - len("VERIFICATION FAILED\n") - part):
        assert BACKEND.parse(Completed(1, "", text[:length]), PROGRAM).status == "error"
    assert BACKEND.parse(Completed(0, "", recorded("safe").stderr[: 30 * part]), PROGRAM).status == "error"


def test_the_first_value_of_the_variable_is_no_input() -> None:
    before = "State 1 file violated.c line 5 column 1 thread 0\n---\n  __CSEQ_input = 0 (00000000)\n"
    text = recorded("violated").stderr
    assert before.splitlines()[0] in text
    assert len(BACKEND.parse(Completed(1, "", before + text), PROGRAM).inputs or ()) == 8


@pytest.mark.parametrize("value", ["(unsigned long int)(&object)", "0", "(assignment removed)"])
def test_input_without_bits(value: str) -> None:
    text = recorded("violated").stderr
    lines = [f"  __CSEQ_input = {value}" if "__CSEQ_input = 200" in line else line for line in text.splitlines()]
    answer = BACKEND.parse(Completed(1, "", "\n".join(lines)), PROGRAM)
    assert answer == Answer("error", f"ESBMC reports no bits of an input: __CSEQ_input = {value}")


def test_violation_without_a_counterexample() -> None:
    answer = BACKEND.parse(Completed(1, "", "VERIFICATION FAILED\n"), PROGRAM)
    assert answer == Answer("error", "ESBMC reports a violation without a counterexample")


@pytest.mark.parametrize(
    "completed, answer",
    [
        (Completed(-9, "", "", timed_out=True), Answer("timeout")),
        (Completed(-9, "", "Out of memory", timed_out=True, limited=True), Answer("timeout")),
        (Completed(-6, "", "terminate called after throwing an instance of 'std::bad_alloc'"), Answer("memory")),
        (Completed(-signal.SIGABRT, "", "", limited=True), Answer("memory")),
        (Completed(-signal.SIGSEGV, "", "", limited=True), Answer("memory")),
        (Completed(-signal.SIGSEGV, "", ""), Answer("error", "ESBMC was killed by signal 11")),
        (Completed(0, "", ""), Answer("error", "ESBMC says: no verdict (exit status 0)")),
        (Completed(0, "", "VERIFICATION UNKNOWN"), Answer("error", "ESBMC says: VERIFICATION UNKNOWN")),
        (
            Completed(70, "", "so\nERROR: uncaught exception\n"),
            Answer("error", "ESBMC says: ERROR: uncaught exception"),
        ),
    ],
)
def test_output_of_a_bad_day(completed: Completed, answer: Answer) -> None:
    assert BACKEND.parse(completed, PROGRAM) == answer


def test_a_property_that_speaks_of_memory_or_verdicts() -> None:
    for words in ("out of memory", "VERIFICATION SUCCESSFUL", "ERROR: Timed out"):
        text = recorded("violated").stderr.replace("second != 200", words)
        answer = BACKEND.parse(Completed(1, "", text, limited=True), PROGRAM)
        assert (answer.status, answer.description) == ("violated", f'assertion `{words} && "it"`')


# Where it is, and how it is called


@pytest.mark.engine
def test_order(nowhere: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert BACKEND.find() is None
    says = "ESBMC version 8.4.0 64-bit x86_64 linux"
    private = executable(tmp_path / "cache/cseq/engines/esbmc-8.4/bin/esbmc", says)
    assert BACKEND.find() == private
    executable(nowhere / "esbmc", "ESBMC version 7.4.0 64-bit x86_64 linux")
    assert BACKEND.find() == private
    on_path = executable(tmp_path / "path2/esbmc", says)
    monkeypatch.setenv("PATH", str(on_path.parent))
    assert BACKEND.find() == on_path
    given = executable(tmp_path / "mine", says)
    monkeypatch.setenv("CSEQ_ESBMC", str(given))
    assert BACKEND.find() == given
    monkeypatch.setenv("CSEQ_ESBMC", str(tmp_path / "none"))
    assert BACKEND.find() is None


@pytest.mark.engine
@pytest.mark.parametrize(
    "says, version", [("ESBMC version 8.4.0 64-bit x86_64 linux", (8, 4, 0)), ("6.6.0 (cbmc-6.6.0)", None), ("", None)]
)
def test_version(tmp_path: Path, says: str, version: tuple[int, ...] | None) -> None:
    assert BACKEND.version(executable(tmp_path / "esbmc", says)) == version


def test_command() -> None:
    command = BACKEND.command(Path("/e"), Path("/w/program.i"), Options(32, timeout=7.2, solver="z3"))
    assert command[:3] == ["/e", "/w/program.i", "--32"]
    assert "--z3" in command
    assert "--no-unwinding-assertions" not in command
    # Behind our own limit, for the case that nobody is left to keep it.
    assert command[command.index("--timeout") + 1] == "9s"
    assert "program.i@__CSEQ_copy:0:64" in command[command.index("--unwindsetname") + 1].split(",")
    assert "--timeout" not in BACKEND.command(Path("/e"), Path("p.i"), Options())


def test_registered() -> None:
    assert isinstance(backend("esbmc"), Esbmc)


# The real one


@pytest.mark.engine
@with_esbmc
@pytest.mark.parametrize("name", ["violated", "safe", "broken", "cut"])
def test_the_records_are_what_it_says(name: str, tmp_path: Path) -> None:
    path = BACKEND.find()
    assert path is not None
    (tmp_path / f"{name}.c").write_text((RECORDED / f"{name}.c").read_text())
    completed = run(BACKEND.command(path, Path(f"{name}.c"), Options()), folder=tmp_path)
    assert completed.status == STATUS[name]
    assert BACKEND.parse(completed, PROGRAM).status == BACKEND.parse(recorded(name), PROGRAM).status
    assert BACKEND.parse(completed, PROGRAM).description == BACKEND.parse(recorded(name), PROGRAM).description


def found(folder: Path, text: str, **parameters: object) -> Outcome:
    path = folder / "program.c"
    path.write_text(dedent(text), encoding="utf-8")
    return cseq.verify(path, backend="esbmc", timeout=100, **parameters)


KINDS = """\
    #include <assert.h>
    #include <stdlib.h>
    struct node { struct node *next; int value; char text[3]; };
    union number { float f; int i; char c[9]; };
    extern float __VERIFIER_nondet_float(void);
    extern double __VERIFIER_nondet_double(void);
    extern _Bool __VERIFIER_nondet_bool(void);
    extern char __VERIFIER_nondet_char(void);
    extern long long __VERIFIER_nondet_longlong(void);
    extern unsigned short __VERIFIER_nondet_ushort(void);
    int main(void)
    {
      int *p; union number u; int a[70]; struct node *n = malloc(sizeof *n);
      float f = __VERIFIER_nondet_float();
      double d = __VERIFIER_nondet_double();
      _Bool b = __VERIFIER_nondet_bool();
      char c = __VERIFIER_nondet_char();
      long long l = __VERIFIER_nondet_longlong();
      unsigned short s = __VERIFIER_nondet_ushort();
      if (p == 0 && u.i == -3 && u.c[8] == 5 && a[69] == -69 && n->next == 0 && n->value == -77 && n->text[2] == 'z')
        assert(!(f == 1.5f && d == -0.25 && b && c == -1 && l == -123456789012345LL && s == 65535));
      return 0;
    }
    """


@pytest.mark.engine
@with_esbmc
@pytest.mark.parametrize("bits", [32, 64])
def test_inputs_of_all_kinds_are_replayed(tmp_path: Path, bits: int) -> None:
    outcome = found(tmp_path, KINDS, bits=bits)
    assert outcome.verdict is Verdict.FALSE, message(outcome)
    safe = KINDS.replace("s == 65535", "s == 65536")
    assert found(tmp_path, safe, bits=bits).verdict is Verdict.TRUE


MEMORY = """\
    #include <assert.h>
    #include <stdlib.h>
    #include <string.h>
    extern unsigned __VERIFIER_nondet_uint(void);
    struct pair { int x; char *p; } u = {3, "ab"}, v;
    char a[8], b[8];
    int main(void)
    {
      unsigned n = __VERIFIER_nondet_uint();
      if (n > 7)
        return 0;
      memset(a, 7, n);
      memcpy(b, a, n);
      memmove(b + 1, b, 4);
      memcpy(&v, &u, sizeof u);
      char *c = calloc(2, 4);
      char *d = realloc(memset(malloc(4), 9, 4), 6);
      assert(v.x == 3 && v.p[1] == 'b' && c[7] == 0 && d[3] == 9);
      assert(n < 3 || b[2] == 7);
      assert(n < 6 || b[5] == HERE);
      return 0;
    }
    """


@pytest.mark.engine
@with_esbmc
@pytest.mark.parametrize("value, verdict", [("7", Verdict.TRUE), ("8", Verdict.FALSE)])
def test_memory_that_is_copied_and_filled(tmp_path: Path, value: str, verdict: Verdict) -> None:
    outcome = found(tmp_path, MEMORY.replace("HERE", value))
    assert outcome.verdict is verdict, message(outcome)


@pytest.mark.engine
@with_esbmc
def test_length_that_anything_may_be_is_refused(tmp_path: Path) -> None:
    text = """\
        #include <assert.h>
        #include <string.h>
        extern unsigned char __VERIFIER_nondet_uchar(void);
        char text[256];
        int main(void)
        {
          memset(text, 1, __VERIFIER_nondet_uchar());
          assert(text[255] == 0);
          return 0;
        }
        """
    with pytest.raises(BackendError, match="may copy or fill any number of bytes"):
        found(tmp_path, text)


@pytest.mark.engine
@with_esbmc
def test_proof_by_the_second_question(tmp_path: Path) -> None:
    """What bounds may cut off is asked, too: a loop that ends in time, and one that does not."""
    text = """\
        #include <assert.h>
        extern int __VERIFIER_nondet_int(void);
        int main(void)
        {
          int n = __VERIFIER_nondet_int(), sum = 0;
          for (int i = 0; i < n && i < LAST; i++)
            sum++;
          assert(sum <= LAST);
          return 0;
        }
        """
    assert found(tmp_path, text.replace("LAST", "2"), unwind=2).verdict is Verdict.TRUE
    outcome = found(tmp_path, text.replace("LAST", "3"), unwind=2, exact_limit=0)
    assert (outcome.verdict, outcome.reason) == (Verdict.UNKNOWN, Reason.UNWINDING)


@pytest.mark.engine
@with_esbmc
def test_prove(tmp_path: Path) -> None:
    text = (ROOT / "sv-benchmarks" / "lost_update_good.c").read_text()
    assert found(tmp_path, text, rounds=2, unwind=2, prove=True).verdict is Verdict.TRUE
    assert found(tmp_path, text, rounds=1, unwind=2, prove=True).verdict is Verdict.UNKNOWN


@pytest.mark.engine
@with_esbmc
@pytest.mark.parametrize("name", ["overflow", "memsafety"])
def test_properties_that_it_cannot_tell_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match=f"`esbmc` cannot check (no|valid)-{name}"):
        found(tmp_path, "int a[2], n; int main(void) { n++; return a[n & 1]; }", **{name: True})


@pytest.mark.engine
@with_esbmc
def test_memory_is_up(tmp_path: Path) -> None:
    """Its stack alone is 512 MB of addresses, which it does not use."""
    text = "#include <assert.h>\nint main(void) { assert(1); return 0; }"
    assert found(tmp_path, text, memlimit=400).verdict is Verdict.TRUE
    outcome = found(tmp_path, MEMORY.replace("HERE", "7"), memlimit=40)
    assert (outcome.verdict, outcome.reason) == (Verdict.UNKNOWN, Reason.MEMORY)


@pytest.mark.engine
@with_esbmc
def test_time_is_up(tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(dedent(MEMORY).replace("HERE", "7"), encoding="utf-8")
    outcome = cseq.verify(path, backend="esbmc", timeout=0.05)
    assert (outcome.verdict, outcome.reason) == (Verdict.UNKNOWN, Reason.TIMEOUT)


@pytest.mark.engine
@with_esbmc
def test_others_in_its_group_outlive_it_when_it_is_told_to_end(tmp_path: Path) -> None:
    """On SIGTERM it kills its whole process group, so it has to have one of its own."""
    path = BACKEND.find()
    assert path is not None
    (tmp_path / "endless.c").write_text((RECORDED / "endless.c").read_text())
    completed = run(BACKEND.command(path, Path("endless.c"), Options()), folder=tmp_path, timeout=1)
    assert BACKEND.parse(completed, PROGRAM) == Answer("timeout")
    left = subprocess.run(["pgrep", "-f", str(tmp_path)], capture_output=True, text=True, check=False)
    assert left.stdout == ""
