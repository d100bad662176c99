"""Programs on which the translation of the explicit family, or its engine, went wrong once: both verdicts of each."""

from pathlib import Path
from typing import Any

import pytest

import cseq
from cseq.model.verdict import Reason, Verdict
from cseq.report.words import message

HEAD = """\
#include <assert.h>
#include <pthread.h>
"""

PROGRAMS = {
    "a join of no thread": """
        pthread_t t;
        int main(void) { if (WRONG(0)) pthread_join(t, 0); return 0; }
        """,
    "a thread without an object for its identifier": """
        void *work(void *arg) { return arg; }
        int main(void) { pthread_t t; pthread_create(WRONG(0) ? 0 : &t, 0, work, 0); return 0; }
        """,
    "thread-local objects of two start functions": """
        _Thread_local int n = 3;
        void *one(void *arg) { n++; assert(n == 4); return 0; }
        void *two(void *arg) { n += 2; assert(n == WRONG(5)); return 0; }
        int main(void) {
          pthread_t t;
          pthread_create(&t, 0, one, 0); pthread_create(&t, 0, two, 0);
          assert(n == 3);
          return 0;
        }
        """,
    "a cleanup handler where nobody ends": """
        int n;
        void note(void *arg) { n++; }
        int main(void) {
          pthread_cleanup_push(note, 0); pthread_cleanup_pop(1);
          assert(n == WRONG(1));
          return 0;
        }
        """,
}
"""Programs by name. WRONG makes a number a wrong one in the buggy version."""


def verdict(folder: Path, text: str, bug: bool, **parameters: Any) -> str:
    """What the family says to a program."""
    path = folder / "program.c"
    wrong = f"#define WRONG(n) ((n){' + 1' if bug else ''})\n"
    path.write_text(HEAD + wrong + text)
    return cseq.verify(path, chain="explicit", **parameters).verdict.value


@pytest.mark.parametrize("bug", [True, False], ids=["bug", "twin"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_verdict(tmp_path: Path, name: str, bug: bool) -> None:
    assert verdict(tmp_path, PROGRAMS[name], bug) == ("FALSE" if bug else "TRUE")


def test_of_the_arguments_of_main_some_are_tried(tmp_path: Path) -> None:
    text = "int main(int argc, char **argv) { return argv[argc - 1][0]; }"
    assert verdict(tmp_path, text, False, args_any=True) == "UNKNOWN"


def test_what_a_bound_cuts_off_is_told_as_that(tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text("int f(int n) { return n ? f(n - 1) : 0; }\nint main(void) { return f(5); }\n")
    outcome = cseq.verify(path, chain="explicit")
    assert outcome.reason is Reason.BOUNDED, message(outcome)
    assert [bound.kind for bound in outcome.bounds] == ["recursion"]
    assert cseq.verify(path, chain="explicit", recursion=6).verdict is Verdict.TRUE
