"""The points of a program of which an answer says whether any execution reaches them."""

from __future__ import annotations

from pathlib import Path

from cseq.modules.analysis.coverage_points import POINTS
from tests.support.step_programs import stepped

PROGRAM = """\
#include <assert.h>
#include <pthread.h>
void __VERIFIER_assume(int);
int x, y;
void check(int holds) { if (!holds) assert(0); }
void unused(void) { assert(x > 3); }
void *work(void *p) { assert(x); return p; }
int main(void)
{
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  check(y);
  __VERIFIER_assume(x);
  if (y) { if (x) x = 1; assert(!"so"); }
  return 0;
}
"""


def test_points_are_what_the_user_wrote(tmp_path: Path) -> None:
    points = stepped(tmp_path, PROGRAM).context.facts[POINTS]
    assert sorted((point.place.line, point.kind.value, point.place.function, point.subject) for point in points) == [
        (6, "assertion", "unused", "assertion: x > 3"),
        (6, "function", "unused", "unused"),
        (7, "assertion", "work", "assertion: x"),
        (11, "thread", "main", "work"),
        (12, "assertion", "main", "assertion: 0"),
        (13, "assume", "main", ""),
        (14, "assertion", "main", 'assertion: !"so"'),
    ]
