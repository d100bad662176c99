"""A counterexample is believed only if a replay shows it, and it is reported in terms of the user's program."""

import re
import struct
import tempfile
from pathlib import Path
from textwrap import dedent

import pytest

import cseq
from cseq.backends.base import Answer
from cseq.backends.cbmc import BACKEND
from cseq.model.claims import Claim, Object, misuse
from cseq.model.claims import Reason as Wrong
from cseq.model.trace import Step
from cseq.model.verdict import Outcome, Reason, Verdict
from cseq.modules.symbolic.encode.facts import SEQUENTIALIZED
from cseq.modules.symbolic.replay import SymbolicReplay
from cseq.modules.tracing.execution import render
from cseq.pipeline.stage import Context
from cseq.report.actions import events
from cseq.report.words import description, message
from tests.support.fake_engine import answering, fake, sent

pytestmark = pytest.mark.engine

ALL = 255  # as many steps as there may be


def replayed(folder: Path, text: str, description: str, *inputs: int, **parameters: object) -> Outcome:
    """The replay of a violation. Where it is to run a thread to its end, an input is ALL."""
    context, _ = sent(folder, text, **{"privatize": False, **parameters})
    sizes = iter(re.findall(r"__CSEQ_assume\(__cs_cs_\d+ <= (\d+)\)", context.facts[SEQUENTIALIZED].text))
    given = [int(next(sizes)) if value is ALL else value for value in inputs]
    outcome = SymbolicReplay(context).run(Answer("violated", description=description, inputs=given))
    assert isinstance(outcome, Outcome)
    return outcome


def steps(outcome: Outcome) -> list[Step]:
    assert outcome.verdict is Verdict.FALSE, message(outcome)
    assert outcome.counterexample is not None
    return outcome.counterexample.steps


def accesses(outcome: Outcome) -> dict[str, str]:
    """The last value that each object was seen to get."""
    found = [access for step in steps(outcome) for access in step.accesses if access.kind == "write"]
    return {access.name: access.value for access in found}


ONE = """\
#include <assert.h>
int __VERIFIER_nondet_int(void);
int x;
int main(void) {
  x = __VERIFIER_nondet_int();
  assert(x != -7);
  assert(x != 8);
  return 0;
}
"""


@pytest.mark.parametrize("status", ["safe", "timeout", "memory"])
def test_other_answers_pass(tmp_path: Path, status: str) -> None:
    answer = Answer(status)
    assert SymbolicReplay(Context({}, tmp_path)).run(answer) is answer


def test_violation(tmp_path: Path) -> None:
    outcome = replayed(tmp_path, ONE, "assertion: x != -7", ALL, (1 << 32) - 7)
    assert outcome.violated is not None and outcome.violated.origin is not None
    assert (outcome.violated.name, description(outcome.violated)) == ("assertion", "assertion `x != -7`")
    assert outcome.violated.origin.line == 6
    first, last = steps(outcome)
    assert (first.origin.line, first.source) == (5, "x = __VERIFIER_nondet_int();")
    assert [(a.kind, a.name, a.value) for a in first.accesses] == [("write", "x", "-7")]
    assert (last.origin.line, last.source) == (6, "assert(x != -7);")
    assert [(a.kind, a.name, a.value) for a in last.accesses] == [("read", "x", "-7")]


@pytest.mark.parametrize(
    "inputs, why",
    [
        ((ALL, 5), "after {at}:8, an assumption does not hold in the replay, or the process ends before"),
        ((0,), "the replay ends without a violation"),
        ((), "the replay ends without a violation"),
        ((ALL, 8), "after {at}:7, it fails another assertion: assertion `x != 8`"),
    ],
)
def test_wrong_inputs_are_not_believed(tmp_path: Path, inputs: tuple[int, ...], why: str) -> None:
    outcome = replayed(tmp_path, ONE, "assertion: x != -7", *inputs)
    assert (outcome.verdict, outcome.reason, outcome.exit_status) == (Verdict.UNKNOWN, Reason.REPLAY, 3)
    assert outcome.violated is None and outcome.counterexample is None
    assert message(outcome).startswith(
        "the engine reports a violation (assertion `x != -7`) that could not be replayed: "
        f"{why.format(at=tmp_path / 'program.c')}; this is a bug"
    )


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("x = a[n];", "perhaps something undefined comes before it, such as an invalid access to memory (see "),
        ("x = (long) &x;", "perhaps the objects have to lie elsewhere in memory than in the replay, see "),
        ("x = *p + (long) p;", "(see --memsafety), or it depends on addresses, which differ in the replay"),
    ],
)
def test_undefined_values_and_addresses_may_be_the_reason(tmp_path: Path, statement: str, words: str) -> None:
    text = ONE.replace("int x;", "int x, n, a[2], *p;").replace("assert(x != 8)", f"{statement} assert(x != 8)")
    assert words in message(replayed(tmp_path, text, "assertion: x != -7", 0))


def test_assumption_that_does_not_hold(tmp_path: Path) -> None:
    text = ONE.replace("assert(x != 8)", "__VERIFIER_assume(x > 0)").replace(
        "int x;", "void __VERIFIER_assume(int); int x;"
    )
    outcome = replayed(tmp_path, text, "assertion: x", ALL, 0)
    assert outcome.reason is Reason.REPLAY
    assert "an assumption does not hold in the replay, or the process ends before" in message(outcome)


def test_replay_that_does_not_compile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    context, _ = sent(tmp_path, ONE)
    monkeypatch.setenv("CC", "/bin/false")
    outcome = SymbolicReplay(context).run(Answer("violated", description="assertion: x != -7", inputs=[1, 8]))
    assert isinstance(outcome, Outcome)
    assert (outcome.verdict, outcome.reason) == (Verdict.UNKNOWN, Reason.REPLAY)
    assert "could not be replayed: the replay does not compile: 1" in message(outcome)


def test_files_are_kept_for_the_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "program.c").write_text(ONE)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    fake(tmp_path, monkeypatch, answering(tmp_path, "violated", "assertion: x != -7", (1, 5)))
    outcome = cseq.verify(tmp_path / "program.c", backend="cbmc")
    assert (outcome.verdict, outcome.reason) == (Verdict.UNKNOWN, Reason.REPLAY)
    assert outcome.kept is not None
    assert {"replay.c", "sequentialized.i", "sequentialized.log"} <= {
        path.name for path in Path(outcome.kept).iterdir()
    }


def test_files_of_a_success_are_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "program.c").write_text(ONE)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    fake(tmp_path, monkeypatch, answering(tmp_path, "violated", "assertion: x != 8", (1, 8)))
    outcome = cseq.verify(tmp_path / "program.c", backend="cbmc")
    assert (outcome.verdict, outcome.kept) == (Verdict.FALSE, None)
    assert not list(tmp_path.glob("cseq-*"))


def test_a_crash_on_the_way_is_the_violation(tmp_path: Path) -> None:
    text = "#include <assert.h>\nint x, *p = (int *)16;\nint main(void) {\n  *p = 1;\n  assert(x);\n}\n"
    outcome = replayed(tmp_path, text, "assertion: x", ALL)
    assert outcome.verdict is Verdict.FALSE
    assert outcome.violated is not None and outcome.violated.origin is not None
    assert (description(outcome.violated), outcome.violated.origin.line) == ("invalid memory access", 4)


# The story


def test_values(tmp_path: Path) -> None:
    text = """\
        #include <assert.h>
        signed char sc; unsigned char uc; short sh; unsigned short us; int i; unsigned int u; long long ll;
        unsigned long long ull; _Bool b; float f; double d; int *p; int a[2]; struct { int m; } s; enum { RED, BLUE } e;
        int main(void) {
          sc = -3; uc = 253; sh = -30000; us = 65535; i = -2147483647; u = 4294967295u; ll = -1LL;
          ull = 18446744073709551615ull; b = 5; f = -0.5f; d = 1e100; p = 0; a[1] = -9; s.m = 3; e = BLUE;
          assert(0);
        }
        """
    assert accesses(replayed(tmp_path, text, "assertion: 0", ALL)) == {
        "sc": "-3", "uc": "253", "sh": "-30000", "us": "65535", "i": "-2147483647", "u": "4294967295", "ll": "-1",
        "ull": "18446744073709551615", "b": "1", "f": "-0.5", "d": "1e+100", "p": "NULL", "a[1]": "-9", "s.m": "3",
        "e": "1",
    }  # fmt: skip


def double(value: float) -> int:
    return int(struct.unpack("<Q", struct.pack("<d", value))[0])


@pytest.mark.parametrize(
    "type_, bits, text",
    [
        ("int", (1 << 64) - 1, "-1"),
        ("long", 1 << 63, str(-(1 << 63))),
        ("int", 5, "5"),
        ("unsigned long", (1 << 64) - 1, str((1 << 64) - 1)),
        ("unsigned char", 255, "255"),
        ("pointer", 0, "NULL"),
        ("pointer", 4096, "0x1000"),
        ("double", double(-1.25), "-1.25"),
        ("float", double(0.5), "0.5"),
        ("long double", double(3.0), "3.0"),
    ],
)
def test_render(type_: str, bits: int, text: str) -> None:
    assert render(type_, bits) == text


def test_undefined_local_has_the_value_of_the_execution(tmp_path: Path) -> None:
    text = "#include <assert.h>\nint main(void) {\n  int v;\n  assert(v != 3);\n}\n"
    first, _ = steps(replayed(tmp_path, text, "assertion: v != 3", ALL, 3))
    assert [(a.kind, a.name, a.value) for a in first.accesses] == [("undefined", "v", "3")]


def test_result_of_a_function(tmp_path: Path) -> None:
    text = """\
        #include <assert.h>
        int x;
        int twice(int n) { return 2 * n; }
        int main(void) { x = 2;
          x = twice(x);
          assert(x != 4);
        }
        """
    outcome = replayed(tmp_path, text, "assertion: x != 4", ALL)
    values = [(a.name, a.value) for step in steps(outcome) for a in step.accesses if a.kind == "write"]
    assert ("twice()", "4") in values
    inner = next(step for step in steps(outcome) if step.origin.function == "twice")
    assert [(site.function, site.line) for site in inner.origin.path] == [("main", 5)]


EVENTS = """\
#include <pthread.h>
#include <assert.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c;
pthread_t t, u;
void *f(void *arg) { return 0; }
int main(void) {
  pthread_cond_init(&c, 0);
  pthread_create(&t, 0, f, 0);
  pthread_create(&u, 0, f, 0);
  pthread_mutex_lock(&m);
  pthread_cond_signal(&c);
  pthread_cond_broadcast(&c);
  pthread_mutex_unlock(&m);
  pthread_mutex_trylock(&m);
  pthread_mutex_unlock(&m);
  pthread_mutex_destroy(&m);
  pthread_cond_destroy(&c);
  pthread_detach(u);
  pthread_join(t, 0);
  assert(0);
}
"""


@pytest.mark.skipif(BACKEND.find() is None, reason="no CBMC is installed (setup/provide-cbmc)")
def test_events(tmp_path: Path) -> None:
    (tmp_path / "program.c").write_text(EVENTS)
    outcome = cseq.verify(tmp_path / "program.c", rounds=1, timeout=60)
    told = {step.origin.line: events(step) for step in steps(outcome) if step.thread.number == 0}
    assert [told.get(line) for line in range(7, 21)] == [
        ["initialises c"], ["creates f (thread 1)"], ["creates f (thread 2)"], ["locks m"], ["signals c"],
        ["wakes all that wait for c"], ["unlocks m"], ["tries to lock m"], ["unlocks m"], ["destroys m"],
        ["destroys c"], ["detaches f (thread 2)"], ["joins f (thread 1)"], [],
    ]  # fmt: skip
    ended = [step.thread.number for step in steps(outcome) if events(step) == ["ends"]]
    assert 1 in ended


MISUSE = "#include <pthread.h>\npthread_spinlock_t m; pthread_t t;\nint main(void) {\n  %s\n}\n"


@pytest.mark.parametrize(
    "statement, claim, words",
    [
        ("pthread_spin_lock(&m);", misuse("pthread_spin_lock", Object.LOCK, Wrong.UNINITIALISED),
         "pthread_spin_lock: the lock was never initialised"),
        ("pthread_join(t, 0);", misuse("pthread_join", Object.THREAD, Wrong.NONE_CREATED),
         "pthread_join: no such thread was ever created"),
    ],
)  # fmt: skip
def test_misuse_does_not_happen_in_the_story(tmp_path: Path, statement: str, claim: Claim, words: str) -> None:
    outcome = replayed(tmp_path, MISUSE % statement, claim.key, ALL)
    assert outcome.violated is not None
    assert (outcome.violated.name, description(outcome.violated)) == ("misuse", words)
    (step,) = steps(outcome)
    assert (step.origin.line, events(step)) == (4, [])


def test_reached_error(tmp_path: Path) -> None:
    text = "void reach_error(void);\nint main(void) {\n  reach_error();\n}\n"
    outcome = replayed(tmp_path, text, "reachability.called reach_error", ALL)
    assert outcome.violated is not None
    assert outcome.violated.name == "reachability"


def test_a_struct_that_is_copied_whole_is_shown_by_its_members(tmp_path: Path) -> None:
    text = """\
        #include <assert.h>
        struct s { int m; struct { char c[2]; } in; } a = {1, {{2, 3}}}, b;
        int main(void)
        {
          __atomic_exchange(&b, &a, &a, 5);
          struct s local = b;
          assert(local.m != 1);
        }
        """
    outcome = replayed(tmp_path, dedent(text), "assertion: local.m != 1", ALL)
    shown = [f"{access.kind} {access.name} {access.value}" for step in steps(outcome) for access in step.accesses]
    assert shown[3:9] == [
        "read b.m 0", "read b.in.c[0] 0", "read b.in.c[1] 0", "write b.m 1", "write b.in.c[0] 2", "write b.in.c[1] 3",
    ]  # fmt: skip


def test_the_neighbours_of_a_bit_field_are_not_shown(tmp_path: Path) -> None:
    text = """\
        #include <assert.h>
        struct { unsigned a : 3, b : 4, c : 1; } s;
        int main(void)
        {
          s.b = 5;
          assert(s.b != 5);
        }
        """
    outcome = replayed(tmp_path, dedent(text), "assertion: s.b != 5", ALL)
    first = steps(outcome)[0]
    assert events(first) == ["loads the bit-fields next to it"]
    assert [f"{access.kind} {access.name} {access.value}" for access in first.accesses] == ["write s.b 5"]
