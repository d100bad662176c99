"""What each function of the thread library does, returns and complains about, checked by an engine and replayed."""

from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

import cseq
from cseq.backends.cbmc import BACKEND
from cseq.model.verdict import Outcome, Verdict
from cseq.report.words import bound_text, description, message
from tests.support.cases import Case, cases

pytestmark = pytest.mark.skipif(BACKEND.find() is None, reason="no CBMC is installed (setup/provide-cbmc)")

PREFIX = """\
#include <pthread.h>
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
void reach_error(void);
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
#define START(thread, function) pthread_create(&thread, 0, function, 0)
#define LOCK pthread_mutex_lock(&m)
#define UNLOCK pthread_mutex_unlock(&m)
pthread_t t, u;
pthread_attr_t attr;
pthread_mutexattr_t type;
pthread_cond_t zero_c;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
pthread_mutex_t zero;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t rec = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
pthread_mutex_t chk = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
int x, y, z;
void *r, *s;
void *echo(void *arg) { return arg; }
void *signaller(void *arg) { LOCK; pthread_cond_signal(&c); UNLOCK; return 0; }
void *waiter(void *arg) { LOCK; x++; pthread_cond_wait(&c, &m); UNLOCK; return 0; }
"""

REACHED = "reach_error() is reached"
SIGNALLED = {"no_spurious_wakeups": True}  # waits end by signals only


def check(folder: Path, text: str, rounds: int, *, good: bool = True, **parameters: Any) -> Outcome:
    """Verify a program, of which lines that begin with + belong to the good twin only, those with - to the other."""
    lines = (PREFIX + dedent(text)).splitlines()
    lines = [line[1:] if line[:1] == "-+"[good] else line for line in lines if line[:1] != "+-"[good]]
    path = folder / "program.c"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    outcome = cseq.verify(path, rounds=rounds, timeout=60, **parameters)
    assert outcome.reason is None or outcome.exit_status == 0, (outcome.reason, message(outcome))
    return outcome


def claim(outcome: Outcome, words: str) -> None:
    """The program violates just this, in a line that says so."""
    assert outcome.violated is not None, (outcome.verdict, outcome.reason, message(outcome))
    assert description(outcome.violated) == words
    origin = outcome.violated.origin
    assert origin is not None
    assert "// FAIL" in Path(origin.file).read_text(encoding="utf-8").splitlines()[origin.line - 1], str(origin)


def table(name: str) -> list[Any]:
    """The cases in a file: programs, and what is violated where they have a bug."""
    file = Path(__file__).parent / "library" / f"{name}.cases"
    return [pytest.param(case, id=case.title) for case in cases(file)]


def main(body: str) -> str:
    """A program of main alone; what is beside the functions of the prefix."""
    return "int main(void) {\n" + dedent(body) + "return 0; }\n"


@pytest.mark.parametrize("case", table("misuses"))
def test_misuse_in_main(tmp_path: Path, case: Case) -> None:
    """The good twin reaches the end. tests/programs/misuses.py makes the programs that are not here."""
    body, message = case.before, case.after.strip()
    program = main(f"{body}reach_error(); // FAIL\n")
    zeroed = "&zero" in body and message.endswith(("was never initialised", "is not initialised"))
    claim(check(tmp_path, program, 1, good=False, strict_posix=zeroed), message)
    if zeroed:  # works as one that has been initialised
        unowned = "unlock" in body or ", &zero)" in body
        words = f"{message.partition(':')[0]}: the calling thread does not own the mutex" if unowned else REACHED
        claim(check(tmp_path, program, 1, good=False), words)
    claim(check(tmp_path, program, 1, good=True), REACHED)


@pytest.mark.parametrize("case", table("violations"))
def test_what_can_happen_and_what_prevents_it(tmp_path: Path, case: Case) -> None:
    claim(check(tmp_path, case.before, **case.arguments, good=False, **SIGNALLED), case.after.strip())
    assert check(tmp_path, case.before, **case.arguments, good=True, **SIGNALLED).verdict is not Verdict.FALSE


@pytest.mark.parametrize("case", table("blocked"))
def test_what_does_not_go_on(tmp_path: Path, case: Case) -> None:
    """The end is not reached; in the good twin it is."""
    program = main(f"{case.before}reach_error(); // FAIL\n")
    assert check(tmp_path, program, **case.arguments, good=False, **SIGNALLED).verdict is not Verdict.FALSE
    claim(check(tmp_path, program, **case.arguments, good=True, **SIGNALLED), REACHED)


@pytest.mark.parametrize("case", table("ends"))
def test_ends(tmp_path: Path, case: Case) -> None:
    assert check(tmp_path, case.before, **case.arguments, good=False).verdict is not Verdict.FALSE
    claim(check(tmp_path, case.before, **case.arguments, good=True), REACHED)


@pytest.mark.parametrize("case", table("holds"))
def test_what_always_holds(tmp_path: Path, case: Case) -> None:
    """All assertions hold, and the end is reached."""
    program = case.before + ("" if "END;" in case.before else "END;\n") + "return 0; }\n"
    silent = check(tmp_path, "#define END\n" + program, **case.arguments, **SIGNALLED)
    assert silent.verdict is not Verdict.FALSE, silent.violated
    program = program.replace("END;", "\nreach_error(); // FAIL\n")
    claim(check(tmp_path, program, **case.arguments, **SIGNALLED), REACHED)


@pytest.mark.parametrize(
    "statement, description",
    [
        ("reach_error();", REACHED),
        ("__VERIFIER_error();", "__VERIFIER_error() is reached"),
        ("assert(x);", "assertion `x`"),
        ("if (!x) { ERROR: x = 1; }", "the label ERROR is reached"),
    ],
)
def test_claims(tmp_path: Path, statement: str, description: str) -> None:
    program = "void __VERIFIER_error(void);\n" + main(f"-{statement} // FAIL\n")
    claim(check(tmp_path, program, 1, good=False), description)
    assert check(tmp_path, program, 1, good=True).verdict is Verdict.TRUE


@pytest.mark.parametrize("engine", ["cbmc", "native"])
@pytest.mark.parametrize("call, said", [("pthread_setcanceltype(x, &y)", "asynchronous cancellation is not followed")])
def test_what_is_not_modelled_is_a_bound_and_no_violation(tmp_path: Path, engine: str, call: str, said: str) -> None:
    text = PREFIX + f"int main(void) {{ x = %d; {call}; return 0; }}\n"
    path = tmp_path / "program.c"
    path.write_text(text % 1)
    outcome = cseq.verify(path, backend=engine)
    assert outcome.verdict is Verdict.UNKNOWN and outcome.exit_status == 0
    assert [bound_text(bound).partition(": ")[2] for bound in outcome.bounds] == [said]
    path.write_text(text % 0)
    assert cseq.verify(path, backend=engine).verdict is Verdict.TRUE
