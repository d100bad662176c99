"""What the planner adds to the answers of engines."""

from pathlib import Path

import pytest

import cseq
from cseq.model.verdict import Outcome, Verdict
from cseq.report.text.terminal import render

pytestmark = pytest.mark.engine

HEAP = """\
#include <assert.h>
#include <stdlib.h>
struct pool { char data[4096]; int n; } *pool;
struct pool *made(int n) { struct pool *p = malloc(n * sizeof *p); if (p) p->n = n; return p; }
int main(void) { pool = made(3); assert(!pool || pool->n == NUMBER); free(pool); return 0; }
"""


def answer(folder: Path, text: str, **parameters: object) -> Outcome:
    """The answer of the engine `native` for the program *text*."""
    path = folder / "a.c"
    path.write_text(text, encoding="utf-8")
    return cseq.verify(str(path), **{"backend": "native", **parameters})


@pytest.mark.parametrize(
    "statement, claims",
    [
        ("", False),
        ("if (x) abort();", False),
        ("pthread_mutex_lock(&m);", False),
        ("assert(x < 1);", True),
        ("if (x) reach_error();", True),
        ("if (x) __VERIFIER_error();", True),
        ("__CPROVER_assert(x < 1, 0);", True),
    ],
)
def test_programs_that_claim_nothing_are_told_so(statement: str, claims: bool, tmp_path: Path) -> None:
    text = (
        "#include <assert.h>\n#include <pthread.h>\n#include <stdlib.h>\nvoid reach_error(void);\n"
        "void __VERIFIER_error(void);\nvoid __CPROVER_assert(int, const char *);\n"
        "int x; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
    )
    outcome = answer(tmp_path, f"{text}int main(void) {{ {statement} return 0; }}")
    assert (outcome.verdict, outcome.unclaimed) == (Verdict.TRUE, not claims)
    said = "no assertion in the program was violated (there is none); see --race, --deadlock, --memsafety"
    assert render(outcome) == f"TRUE: {'no violation in any execution' if claims else said}\n"


def test_what_was_asked_already_is_not_advised(tmp_path: Path) -> None:
    text = "#include <stdlib.h>\nint main(void) { int *p = malloc(4); if (p) *p = 1; free(p); return 0; }"
    outcome = answer(tmp_path, text, race=True, deadlock=True)
    assert [part.unclaimed for part in outcome.parts] == [True, False, False]
    assert render(outcome).splitlines()[0] == (
        "unreach-call: TRUE: no assertion in the program was violated (there is none); see --memsafety"
    )


def test_an_invariant_is_a_claim_and_so_is_a_property_file(tmp_path: Path) -> None:
    text = "int x; int small(void) { return x < 2; } int main(void) { x = 1; return 0; }"
    assert not answer(tmp_path, text, invariant=("small",)).unclaimed
    file = tmp_path / "a.prp"
    file.write_text("CHECK( init(main()), LTL(G ! call(reach_error())) )\n", encoding="utf-8")
    assert not answer(tmp_path, text, spec=str(file)).unclaimed


@pytest.mark.parametrize("number, verdict", [(3, Verdict.TRUE), (4, Verdict.FALSE)])
def test_the_heap_grows_until_it_is_large_enough(number: int, verdict: Verdict, tmp_path: Path) -> None:
    assert answer(tmp_path, HEAP, define=(f"NUMBER={number}",)).verdict is verdict


def test_a_heap_that_the_user_sets_stays(tmp_path: Path) -> None:
    outcome = answer(tmp_path, HEAP, define=("NUMBER=4",), heap=1024)
    assert render(outcome).splitlines() == [
        "UNKNOWN: no violation within the bounds",
        "  more than 1024 bytes are allocated by a thread (--heap)",
        "(what helps: --heap 8192)",
    ]
