"""SPIN on whole programs: each bug with its twin, for finite and for infinite executions."""

from dataclasses import replace
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from cseq import verify
from cseq.backends import spin
from cseq.model.claims import Cut, Limit
from cseq.model.errors import BackendError, UsageError
from cseq.model.verdict import Outcome, Reason, Verdict
from cseq.report.words import description, message

pytestmark = pytest.mark.skipif(spin.find() is None, reason="SPIN is not installed (apt-get install spin)")

TRUE, FALSE, UNKNOWN = Verdict.TRUE, Verdict.FALSE, Verdict.UNKNOWN


@pytest.fixture
def told(tmp_path: Path) -> Any:
    """``told(text, "ltl", ltl=…)``: what SPIN says of a property of the program *text*."""

    def run(text: str, asked: str, *defines: str, **parameters: Any) -> Outcome:
        path = tmp_path / "program.c"
        path.write_text("#include <assert.h>\n#include <pthread.h>\n" + dedent(text), encoding="utf-8")
        outcome = verify(path, backend="spin", define=defines, only=asked, **parameters)
        assert (outcome.property, outcome.backend) == (asked, "spin")
        return outcome

    return run


LOST_UPDATE = """
    int count;
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    void *worker(void *arg)
    {
    #ifdef GOOD
        pthread_mutex_lock(&m);
    #endif
        count++;
    #ifdef GOOD
        pthread_mutex_unlock(&m);
    #endif
        return NULL;
    }
    int main(void)
    {
        pthread_t t, u;
        pthread_create(&t, NULL, worker, NULL);
        pthread_create(&u, NULL, worker, NULL);
        pthread_join(t, NULL);
        pthread_join(u, NULL);
        assert(count == 2);
        return 0;
    }
    """


@pytest.mark.parametrize("more", [{"no_por": True}, {"cores": 2}])
def test_an_assertion(told: Any, more: dict[str, Any]) -> None:
    bad = told(LOST_UPDATE, "unreach-call", **more)
    assert (bad.verdict, bad.violated.name) == (FALSE, "assertion")
    assert description(bad.violated) == "assertion `count == 2`"
    assert told(LOST_UPDATE, "unreach-call", "GOOD", **more).verdict is TRUE


def test_states_that_are_only_marked_are_no_proof(told: Any) -> None:
    good = told(LOST_UPDATE, "unreach-call", "GOOD", bitstate=True)
    assert (good.verdict, [bound.cut for bound in good.bounds]) == (UNKNOWN, [Cut(Limit.MARKED)])


def test_searches_in_several_orders(told: Any) -> None:
    assert told(LOST_UPDATE, "unreach-call", swarm=3, memlimit=200).verdict is FALSE
    good = told(LOST_UPDATE, "unreach-call", "GOOD", swarm=3)
    assert (good.verdict, [bound.cut for bound in good.bounds]) == (UNKNOWN, [Cut(Limit.MARKED)])
    assert good.statistics["states"] > 3 * 10


def test_executions_that_are_too_long_are_no_proof(told: Any) -> None:
    assert [bound.cut for bound in told(LOST_UPDATE, "unreach-call", depth=3).bounds] == [Cut(Limit.DEPTH, 3)]


CHOICES = """
    extern _Bool __VERIFIER_nondet_bool(void);
    int sum;
    int main(void)
    {
        for (int i = 0; i < 4; i++)
            sum += __VERIFIER_nondet_bool();
        assert(sum < LIMIT);
        return 0;
    }
    """


def test_each_choice_is_made(told: Any) -> None:
    assert told(CHOICES, "unreach-call", "LIMIT=4").verdict is FALSE
    assert told(CHOICES, "unreach-call", "LIMIT=5").verdict is TRUE


def test_an_invariant(told: Any) -> None:
    text = "int n;\nint small(void) { return n < LIMIT; }\nint main(void) { n = 3; n = 1; return 0; }\n"
    bad = told(text, "unreach-call", "LIMIT=3", invariant=("small",))
    assert (bad.verdict, description(bad.violated)) == (FALSE, "invariant `small` does not hold")
    assert told(text, "unreach-call", "LIMIT=4", invariant=("small",)).verdict is TRUE


DEADLOCK = """
    pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
    void *worker(void *arg)
    {
    #ifdef GOOD
        pthread_mutex_lock(&a);
        pthread_mutex_lock(&b);
    #else
        pthread_mutex_lock(&b);
        pthread_mutex_lock(&a);
    #endif
        pthread_mutex_unlock(&a);
        pthread_mutex_unlock(&b);
        return NULL;
    }
    int main(void)
    {
        pthread_t t;
        pthread_create(&t, NULL, worker, NULL);
        pthread_mutex_lock(&a);
        pthread_mutex_lock(&b);
        pthread_mutex_unlock(&b);
        pthread_mutex_unlock(&a);
        for (;;)
            ;
    }
    """


def test_a_deadlock_of_some_threads(told: Any) -> None:
    bad = told(DEADLOCK, "no-deadlock", deadlock=True)
    assert (bad.verdict, bad.violated.name) == (FALSE, "deadlock")
    assert told(DEADLOCK, "no-deadlock", "GOOD", deadlock=True).verdict is TRUE


SERVER = """
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    void *server(void *arg)
    {
    WAITS: pthread_mutex_lock(&m);
        return NULL;
    }
    int main(void)
    {
        pthread_t t;
        pthread_mutex_lock(&m);
        pthread_create(&t, NULL, server, NULL);
        LAST;
        return 0;
    }
    """


def test_threads_may_be_blocked_at_a_label_end(told: Any) -> None:
    last = "LAST=pthread_exit(NULL)"  # with the lock
    assert told(SERVER, "no-deadlock", "WAITS=waiting", last, deadlock=True).verdict is FALSE
    at_end = told(SERVER, "no-deadlock", "WAITS=end_waiting", last, deadlock=True)
    assert at_end.verdict is TRUE
    warnings = [str(warning).rpartition("/")[2] for warning in at_end.warnings]
    assert warnings == ["program.c:7: at the label `end_waiting` threads may be blocked for ever, as in Promela"]
    # It is main then that should not be blocked.
    joins = "LAST=pthread_join(t, NULL)"
    assert told(SERVER, "no-deadlock", "WAITS=end_waiting", joins, deadlock=True).verdict is FALSE


RACE = LOST_UPDATE.replace("assert(count == 2);", "")


def test_a_data_race(told: Any) -> None:
    assert told(RACE, "no-data-race", race=True).violated.name == "race"
    assert told(RACE, "no-data-race", "GOOD", race=True).verdict is TRUE


RESPONSE = """
    int request, answer;
    void *client(void *arg)
    {
        for (;;) {
            if (!request && !answer)
                request = 1;
            if (answer)
                answer = 0;
        }
    }
    void *server(void *arg)
    {
        for (;;) {
            if (request) {
                request = 0;
    #ifdef GOOD
                answer = 1;
    #endif
            }
        }
    }
    int main(void)
    {
        pthread_t t, u;
        pthread_create(&t, NULL, client, NULL);
        pthread_create(&u, NULL, server, NULL);
        pthread_join(t, NULL);
        return 0;
    }
    """
ANSWERED = {"ltl": "G (asked -> F answered)", "prop": ("asked=request", "answered = answer == 1")}


def test_a_response(told: Any) -> None:
    bad = told(RESPONSE, "ltl", fair=True, **ANSWERED)
    assert (bad.verdict, bad.violated.name) == (FALSE, "ltl")
    assert description(bad.violated) == "the formula `G (asked -> F answered)` does not hold"
    shown = bad.counterexample
    assert 0 < shown.cycle < len(shown.steps)
    assert {step.thread.number for step in shown.steps[shown.cycle :]} == {1, 2}  # both, since it is fair
    assert told(RESPONSE, "ltl", "GOOD", fair=True, **ANSWERED).verdict is TRUE


@pytest.mark.parametrize("expression, verdict", [("1", TRUE), ("0", FALSE), ("sizeof(int) == 4", TRUE)])
def test_a_proposition_may_be_constant(told: Any, expression: str, verdict: Verdict) -> None:
    assert told(LOST_UPDATE, "ltl", "GOOD", ltl="G p", prop=(f"p={expression}",)).verdict is verdict


def test_a_proposition_that_crashes_is_the_user_s_fault(told: Any) -> None:
    with pytest.raises(UsageError, match=r"^--prop p: `1 / count` crashes in a state of the program$"):
        told(LOST_UPDATE, "ltl", "GOOD", ltl="G p", prop=("p=1 / count",))


def test_a_response_that_needs_fairness(told: Any) -> None:
    assert told(RESPONSE, "ltl", "GOOD", **ANSWERED).verdict is FALSE


def test_a_cycle_that_cannot_be_followed_is_not_believed(told: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spin, "trail", lambda done, read=spin.trail: replace(read(done), cycle=0))
    outcome = told(RESPONSE, "ltl", **ANSWERED)
    assert (outcome.verdict, outcome.reason) == (UNKNOWN, Reason.REPLAY)
    assert "what should be repeated does not end where it begins" in message(outcome)


SAFE = {"ltl": "G small", "prop": ("small=sum < 3",)}


def test_executions_with_failed_assumptions_are_none(told: Any) -> None:
    text = """
        extern void __VERIFIER_assume(int);
        int sum;
        void *worker(void *arg) { sum++; return NULL; }
        int main(void)
        {
            pthread_t t;
            pthread_create(&t, NULL, worker, NULL);
            int seen = sum;
            __VERIFIER_assume(seen == 0);
            sum += STEP;
            pthread_join(t, NULL);
            return 0;
        }
        """
    assert told(text, "ltl", "STEP=2", no_por=True, **SAFE).verdict is FALSE
    # The worker first, and then nothing goes on: that is no execution that could violate anything.
    never = {"ltl": "!(zero U one)", "prop": ("zero=sum == 0", "one=sum == 1")}
    first = text.replace("seen == 0", "seen == 1").replace("STEP", "1")
    assert told(first, "ltl", **never).verdict is FALSE
    assert told(first.replace("seen == 1", "seen == 2"), "ltl", **never).verdict is TRUE


TERMINATES = """
    int flag;
    void *worker(void *arg)
    {
        while (!flag)
            ;
        return NULL;
    }
    int main(void)
    {
        pthread_t t;
        pthread_create(&t, NULL, worker, NULL);
    #ifdef GOOD
        flag = 1;
    #endif
        pthread_join(t, NULL);
        return 0;
    }
    """


def test_termination(told: Any) -> None:
    bad = told(TERMINATES, "termination", termination=True, fair=True)
    assert (bad.verdict, bad.violated.name) == (FALSE, "termination")
    assert told(TERMINATES, "termination", "GOOD", termination=True, fair=True).verdict is TRUE


PROGRESS = """
    int x, y;
    void *worker(void *arg)
    {
        for (;;) {
            if (x) {
    progress_made:
                x = 0;
            } else {
                y = !y;
            }
        }
    }
    int main(void)
    {
        pthread_t t;
        pthread_create(&t, NULL, worker, NULL);
        for (;;) {
    #ifdef GOOD
            x = 1;
    #else
            x = 1;
            x = 0;
    #endif
        }
    }
    """


def test_cycles_without_progress(told: Any) -> None:
    bad = told(PROGRESS, "progress", non_progress=True, fair=True)
    assert (bad.verdict, bad.violated.name) == (FALSE, "non-progress")
    assert told(PROGRESS, "progress", "GOOD", non_progress=True, fair=True).verdict is TRUE


ACCEPTANCE = """
    int rounds;
    int main(void)
    {
        while (rounds < 3) {
    accept_round:
            rounds = LIMIT(rounds + 1);
        }
        return 0;
    }
    """


def test_cycles_through_a_label(told: Any) -> None:
    bad = told(ACCEPTANCE, "acceptance", "LIMIT(x)=((x)%3)", acceptance=True)
    assert (bad.verdict, bad.violated.name) == (FALSE, "acceptance")
    assert told(ACCEPTANCE, "acceptance", "LIMIT(x)=(x)", acceptance=True).verdict is TRUE


# What cannot be combined


@pytest.mark.parametrize(
    "parameters, message",
    [
        ({"ltl": "G (p"}, "--ltl: column 5: something is missing here"),
        ({"ltl": "G q", "prop": ("p=count",)}, "--ltl: column 3: there is no proposition `q`"),
        ({"ltl": "G p", "prop": ("p=count", "q=count")}, "--ltl: the proposition `q` is not in the formula"),
        ({"prop": ("p=count",)}, "--prop: there is no formula that `p` is for (--ltl)"),
        ({"ltl": "G p", "prop": ("p=counts",)}, "`counts`"),
        (
            {"ltl": "G p", "prop": ("p=count",), "backend": "native"},
            "--ltl is for SPIN (--backend spin), not for `native`",
        ),
        ({"fair": True}, "--fair is about infinite executions: --ltl, --progress, --acceptance, --termination"),
        ({"cores": 2, "swarm": 3}, "--cores and --swarm cannot be combined"),
    ],
)
def test_usage(tmp_path: Path, parameters: dict[str, Any], message: str) -> None:
    path = tmp_path / "program.c"
    path.write_text("int count; int main(void) { count = 1; return 0; }\n")
    with pytest.raises(UsageError) as caught:
        verify(path, **{"backend": "spin", **parameters})
    assert message in str(caught.value)


def test_without_spin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "program.c"
    path.write_text("int count; int main(void) { count = 1; return 0; }\n")
    monkeypatch.setenv("CSEQ_SPIN", "/nowhere/spin")
    with pytest.raises(BackendError, match=r"^the backend `spin` is not installed: `cseq doctor` says how to get it$"):
        verify(path, backend="spin")


def test_out_of_time(told: Any) -> None:
    text = LOST_UPDATE.replace("count++;", "for (int i = 0; i < 200; i++) count++;").replace("== 2", "< 1000")
    outcome = told(text, "unreach-call", timeout=0.5, no_por=True)
    assert (outcome.verdict, outcome.reason) == (UNKNOWN, Reason.TIMEOUT)
