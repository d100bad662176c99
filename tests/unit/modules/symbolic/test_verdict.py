"""What an answer without a violation is worth: TRUE only when nothing was left out."""

from pathlib import Path

import pytest

import cseq
from cseq.backends.base import Answer
from cseq.backends.cbmc import BACKEND
from cseq.model.errors import BackendError
from cseq.model.verdict import Bound, Outcome, Reason, Verdict
from cseq.modules.symbolic.encode.facts import ROUNDS_NEEDED
from cseq.modules.symbolic.encode.sequentializer.canonical import MORE
from cseq.modules.symbolic.run import ANSWER
from cseq.modules.symbolic.verdict import SymbolicVerdict
from cseq.report.words import answer, description, message
from tests.conftest import said
from tests.support.fake_engine import answering, fake, missing, sent

pytestmark = pytest.mark.engine

ENGINE = pytest.mark.skipif(BACKEND.find() is None, reason="no CBMC is installed (setup/provide-cbmc)")
SAFE = Answer("safe")

CUT = """\
#include <assert.h>
int nondet(void); int __VERIFIER_nondet_int(void);
int main(void) { int n = __VERIFIER_nondet_int(), i = 0; while (i < n) i++; assert(i >= 0); return 0; }
"""
TWO = """\
#include <pthread.h>
int x; void *f(void *arg) { x = 1; x = 2; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); x = 3; x = 4; return 0; }
"""
COUNTED = """\
#include <pthread.h>
int x; void *f(void *arg) { for (int i = 0; i < 9; i++) x = i; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); f(0); return 0; }
"""
BOTH = TWO.replace("x = 2;", "int n = x; while (n > 0) n--;")


@pytest.fixture
def unasked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No engine: a second question would be an error."""
    missing(tmp_path, monkeypatch)


def judged(folder: Path, program: str, answer: Answer | Outcome, **parameters: object) -> Outcome:
    context, _ = sent(folder, program, **parameters)
    context.facts[ANSWER] = answer
    outcome = SymbolicVerdict(context).run(answer)
    assert outcome.backend == "cbmc"
    return outcome


def kinds(outcome: Outcome) -> list[str]:
    return [bound.kind for bound in outcome.bounds]


@pytest.mark.usefixtures("unasked")
@pytest.mark.parametrize("status, reason", [("timeout", Reason.TIMEOUT), ("memory", Reason.MEMORY)])
def test_limits(tmp_path: Path, status: str, reason: Reason) -> None:
    outcome = judged(tmp_path, BOTH, Answer(status), unwinding_assertions=True)
    assert (outcome.verdict, outcome.reason, outcome.exit_status) == (Verdict.UNKNOWN, reason, 3)
    assert kinds(outcome) == ["rounds", "unwinding"]


@pytest.mark.usefixtures("unasked")
def test_nothing_left_out(tmp_path: Path) -> None:
    outcome = judged(tmp_path, "int main(void) { return 0; }", SAFE)
    assert (outcome.verdict, outcome.reason, outcome.bounds) == (Verdict.TRUE, None, [])


@pytest.mark.usefixtures("unasked")
def test_rounds_too_few(tmp_path: Path) -> None:
    outcome = judged(tmp_path, TWO, SAFE, rounds=1, unwinding_assertions=True)
    assert (outcome.verdict, outcome.reason, outcome.exit_status) == (Verdict.UNKNOWN, Reason.BOUNDED, 0)
    (bound,) = outcome.bounds
    assert (bound.kind, bound.value) == ("rounds", 1)


@pytest.mark.usefixtures("unasked")
def test_rounds_that_cover_everything(tmp_path: Path) -> None:
    context, _ = sent(tmp_path, TWO, rounds=1)
    needed = context.facts[ROUNDS_NEEDED]
    assert judged(tmp_path, TWO, SAFE, rounds=needed).verdict is Verdict.TRUE
    assert judged(tmp_path, TWO, SAFE, rounds=needed - 1).verdict is Verdict.UNKNOWN


@pytest.mark.usefixtures("unasked")
@pytest.mark.parametrize(
    "bounds, kind, words",
    [
        ({"schedule": "+:1:+:+:+"}, "schedule", "no violation within the schedule `+:1:+:+:+`"),
        ({"rounds": 5, "contexts": 3}, "contexts", "no violation within 3 context switches"),
        ({"contexts": 0}, "contexts", "no violation within 0 context switches"),
    ],
)
def test_schedules_that_are_left_out_are_no_proof(
    tmp_path: Path, bounds: dict[str, object], kind: str, words: str
) -> None:
    outcome = judged(tmp_path, TWO, SAFE, **bounds)
    assert (outcome.verdict, outcome.reason, kinds(outcome)) == (Verdict.UNKNOWN, Reason.BOUNDED, [kind])
    assert answer(outcome) == words


@pytest.mark.usefixtures("unasked")
@pytest.mark.parametrize("bounds", [{"schedule": "+:0,1:+:+:+"}, {"rounds": 5, "contexts": 99}, {"contexts": 99}])
def test_restrictions_that_restrict_nothing(tmp_path: Path, bounds: dict[str, object]) -> None:
    assert judged(tmp_path, TWO, SAFE, **bounds).verdict is Verdict.TRUE


@pytest.mark.usefixtures("unasked")
def test_a_step_that_is_too_coarse_is_no_proof(tmp_path: Path) -> None:
    program = TWO.replace("int x; ", "#include <string.h>\nint x; char y[8]; ").replace("x = 2;", "memset(y, 1, 8);")
    outcome = judged(tmp_path, program, SAFE, rounds=9, no_movers=True)
    assert (outcome.verdict, outcome.reason, kinds(outcome)) == (Verdict.UNKNOWN, Reason.BOUNDED, ["grain"])
    assert answer(outcome) == "no violation, but some steps are too coarse for a proof"
    outcome = judged(tmp_path, program, SAFE, rounds=1, no_movers=True)
    assert kinds(outcome) == ["rounds", "grain"]
    assert answer(outcome) == "no violation within 1 round"


@pytest.mark.usefixtures("unasked")
def test_no_second_question_where_rounds_are_too_few_anyway(tmp_path: Path) -> None:
    outcome = judged(tmp_path, BOTH, SAFE, rounds=1, unwind=3)
    assert (outcome.verdict, outcome.reason) == (Verdict.UNKNOWN, Reason.BOUNDED)
    assert [(bound.kind, bound.value) for bound in outcome.bounds] == [("rounds", 1), ("unwinding", 3)]


def test_cut_that_nothing_reaches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake(tmp_path, monkeypatch, answering(tmp_path, "safe"))
    assert judged(tmp_path, CUT, SAFE).verdict is Verdict.TRUE


@pytest.mark.parametrize("program, asked", [(CUT, False), (BOTH, True)])
def test_cut_that_is_reached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str, asked: bool) -> None:
    # What a model of a function does not follow is no bound of the user's, so it is no violation.
    fake(tmp_path, monkeypatch, answering(tmp_path, "violated", "the loop goes on"))
    outcome = judged(tmp_path, program, SAFE, rounds=1, unwinding_assertions=asked)
    assert (outcome.verdict, outcome.reason, outcome.exit_status) == (Verdict.UNKNOWN, Reason.UNWINDING, 0)
    assert message(outcome) == "a bound is too small (the loop goes on)"
    assert "unwinding" in kinds(outcome)


def test_second_question_about_few_rounds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake(tmp_path, monkeypatch, answering(tmp_path, "safe"))
    outcome = judged(tmp_path, BOTH, SAFE, rounds=1, unwinding_assertions=True)
    assert (outcome.verdict, outcome.reason) == (Verdict.UNKNOWN, Reason.BOUNDED)
    assert kinds(outcome) == ["rounds"]


@pytest.mark.parametrize("script, limits", [("sleep 60", {"timeout": 0.2}), ("kill -6 $$", {"memlimit": 500})])
def test_second_question_without_an_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, limits: dict[str, float]
) -> None:
    fake(tmp_path, monkeypatch, script)
    outcome = judged(tmp_path, CUT, SAFE, **limits)
    assert (outcome.verdict, outcome.reason) == (Verdict.UNKNOWN, Reason.BOUNDED)
    assert kinds(outcome) == ["unwinding"]


def test_second_question_to_an_engine_that_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake(tmp_path, monkeypatch, "echo nonsense")
    with pytest.raises(BackendError, match="nonsense"):
        judged(tmp_path, CUT, SAFE)


def test_what_the_second_question_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake(tmp_path, monkeypatch, answering(tmp_path, "safe"))
    judged(tmp_path, CUT, SAFE)
    lines = (tmp_path / "unwinding.i").read_text().splitlines()
    claims = [line.strip() for line in lines if "__CPROVER_assert(" in line]
    assert len(claims) == 1 and "loop" in claims[0]
    granted = [line.strip() for line in lines if "__CSEQ_granted(" in line and "assertion" in line]
    assert len(granted) == 1 and "assertion: i >= 0" in granted[0]
    assert not any("__CSEQ_unwound" in line for line in lines)


@pytest.mark.usefixtures("unasked")
def test_outcome_of_a_replay(tmp_path: Path) -> None:
    outcome = judged(tmp_path, BOTH, Outcome(Verdict.FALSE), unwinding_assertions=True)
    assert outcome.verdict is Verdict.FALSE
    assert kinds(outcome) == ["rounds", "unwinding"]
    mine = [Bound("rounds", 7, said("mine"))]
    assert judged(tmp_path, BOTH, Outcome(Verdict.UNKNOWN, Reason.REPLAY, bounds=mine)).bounds == mine


@ENGINE
@pytest.mark.parametrize(
    "program, bounds, told, line",
    [
        (BOTH.replace("x = 1;", "x = 1;\n"), {"rounds": 2}, "the loop may run more than once", 3),
        (CUT, {"unwind": 3}, "the loop may run more than 3 times", 3),
        (CUT, {"unwindset": ("program.c:3=2",)}, "the loop may run more than 2 times", 3),
        ("int f(int n) { return n ? f(n - 1) : 0; }\nint main(void) { return f(3); }\n", {"recursion": 3},
         "`f` may call itself more than 3 deep", 1),
        (TWO.replace("&t, 0, f, 0); x = 3;", "&t, 0, f, 0);\npthread_create(&t, 0, f, 0);"), {"threads": 1},
         "more than 1 thread may be created", 4),
    ],
)  # fmt: skip
def test_a_cut_is_a_violation_where_none_is_claimed(
    tmp_path: Path, program: str, bounds: dict[str, object], told: str, line: int
) -> None:
    path = tmp_path / "program.c"
    path.write_text(program)
    assert cseq.verify(path, backend="cbmc", timeout=60, **bounds).verdict is Verdict.UNKNOWN
    outcome = cseq.verify(path, timeout=60, unwinding_assertions=True, **bounds)
    assert (outcome.verdict, outcome.exit_status) == (Verdict.FALSE, 1)
    assert outcome.violated is not None and outcome.violated.origin is not None
    assert (outcome.violated.name, description(outcome.violated)) == ("unwinding", told)
    assert outcome.counterexample is not None and outcome.violated.origin.line == line
    assert outcome.counterexample.steps[-1].origin == outcome.violated.origin


@ENGINE
def test_assertions_of_the_program_come_first(tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(CUT.replace("i >= 0", "i != 1"))
    outcome = cseq.verify(path, timeout=60, unwinding_assertions=True)
    assert outcome.violated is not None and outcome.violated.name == "assertion"


@ENGINE
def test_a_cut_that_nothing_reaches_is_no_violation(tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(LOOP)
    assert cseq.verify(path, unwind=2, timeout=60, unwinding_assertions=True).verdict is Verdict.TRUE
    assert cseq.verify(path, unwind=1, timeout=60, unwinding_assertions=True).verdict is Verdict.FALSE


LOOP = """\
#include <assert.h>
int __VERIFIER_nondet_int(void); void __VERIFIER_assume(int);
int main(void) { int n = __VERIFIER_nondet_int(), i = 0; __VERIFIER_assume(n >= 0 && n <= 2);
while (i < n) i++; assert(i == n); return 0; }
"""


@pytest.mark.parametrize(
    "program, more, kinds_left, reason",
    [
        (TWO, MORE.key, ["rounds"], Reason.BOUNDED),
        (BOTH, MORE.key, ["rounds", "unwinding"], Reason.BOUNDED),
        (BOTH, "the loop goes on", ["rounds", "unwinding"], Reason.UNWINDING),
    ],
)
def test_what_is_left_where_a_proof_is_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str, more: str, kinds_left: list[str], reason: Reason
) -> None:
    fake(tmp_path, monkeypatch, answering(tmp_path, "violated", more))
    outcome = judged(tmp_path, program, SAFE, rounds=1, prove=True)
    assert (outcome.verdict, outcome.reason, kinds(outcome)) == (Verdict.UNKNOWN, reason, kinds_left)


@pytest.mark.usefixtures("unasked")
def test_nothing_is_asked_where_loops_are_cut_off_for_want_of_room(tmp_path: Path) -> None:
    outcome = judged(tmp_path, COUNTED, SAFE, rounds=9, prove=True, room=3)
    assert (outcome.verdict, outcome.reason) == (Verdict.UNKNOWN, Reason.BOUNDED)
    assert "unwinding" in kinds(outcome)


@pytest.mark.parametrize("program", [TWO, BOTH])
def test_rounds_that_no_canonical_execution_goes_beyond(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str
) -> None:
    fake(tmp_path, monkeypatch, answering(tmp_path, "safe"))
    assert judged(tmp_path, program, SAFE, rounds=1, prove=True).verdict is Verdict.TRUE
    text = (tmp_path / "rounds.i").read_text()
    assert f'__CPROVER_assert(0, "{MORE.key}")' in text
    assert not (tmp_path / "unwinding.i").exists()


def test_no_proof_is_asked_for_where_the_engine_has_no_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake(tmp_path, monkeypatch, "sleep 60")
    outcome = judged(tmp_path, TWO, SAFE, rounds=1, prove=True, timeout=0.2)
    assert (outcome.verdict, outcome.reason, kinds(outcome)) == (Verdict.UNKNOWN, Reason.BOUNDED, ["rounds"])


@pytest.mark.usefixtures("unasked")
@pytest.mark.parametrize("bounds", [{"schedule": "+:1:+"}, {"contexts": 1}])
def test_no_proof_is_asked_for_restricted_schedules(tmp_path: Path, bounds: dict[str, object]) -> None:
    assert judged(tmp_path, TWO, SAFE, prove=True, **bounds).verdict is Verdict.UNKNOWN


@ENGINE
@pytest.mark.parametrize(
    "unwind, verdict, reason",
    [(1, Verdict.UNKNOWN, Reason.UNWINDING), (2, Verdict.TRUE, None), (3, Verdict.TRUE, None)],
)
def test_with_an_engine(tmp_path: Path, unwind: int, verdict: Verdict, reason: Reason | None) -> None:
    (tmp_path / "loop.c").write_text(LOOP)
    outcome = cseq.verify(tmp_path / "loop.c", unwind=unwind, timeout=60)
    assert (outcome.verdict, outcome.reason) == (verdict, reason)


@ENGINE
def test_violation_beyond_the_bound_is_no_proof(tmp_path: Path) -> None:
    (tmp_path / "loop.c").write_text(LOOP.replace("i == n", "i < 2"))
    assert cseq.verify(tmp_path / "loop.c", unwind=1, timeout=60).reason is Reason.UNWINDING
    assert cseq.verify(tmp_path / "loop.c", unwind=2, timeout=60).verdict is Verdict.FALSE


@ENGINE
def test_claim_that_fails_only_where_the_loop_goes_on(tmp_path: Path) -> None:
    text = LOOP.replace("i++; assert(i == n);", "{ i++; assert(i < 2); }")
    (tmp_path / "loop.c").write_text(text)
    assert cseq.verify(tmp_path / "loop.c", unwind=1, timeout=60).reason is Reason.UNWINDING


@ENGINE
@pytest.mark.parametrize("threads, verdict", [(1, Verdict.UNKNOWN), (2, Verdict.TRUE), (None, Verdict.TRUE)])
def test_threads_that_are_cut_off_are_told(tmp_path: Path, threads: int | None, verdict: Verdict) -> None:
    path = tmp_path / "program.c"
    path.write_text(
        "#include <pthread.h>\nvoid *f(void *arg) { return 0; }\n"
        "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0);\npthread_create(&t, 0, f, 0); return 0; }\n"
    )
    outcome = cseq.verify(path, rounds=9, threads=threads)
    assert outcome.verdict is verdict
    if verdict is Verdict.UNKNOWN:
        assert message(outcome) == "a bound is too small (more than 1 thread may be created)"
        assert [(bound.kind, bound.value, str(bound.origin)) for bound in outcome.bounds] == [
            ("threads", 1, f"{path}:4")
        ]
