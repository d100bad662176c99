"""TLC says of specifications of conformance programs what the other engines say of the programs."""

import pytest

from cseq.backends import tlc
from cseq.model.verdict import Verdict
from tests.programs.matrix import programs
from tests.support.selection import everything

_SECONDS = "25"
"""Less than for what Java compiles well instead of fast, which takes twice as long here."""

BUGGY = ["threads/mutex_robust", "threads/cond_wait", "threads/rwlock_wrlock"]
REPAIRED = ["threads/mutex_recursive", "threads/barrier_serial", "threads/cancel"]
if everything():
    BUGGY += ["threads/once", "threads/join_misuse", "c11/mtx_timedlock_twice"]
    REPAIRED += ["threads/mutex_errorcheck", "threads/sem_wait", "threads/specific"]

PROGRAMS = {program.name: program for program in programs() if not program.text}

pytestmark = pytest.mark.skipif(tlc.find() is None or tlc.java() is None, reason="TLC or Java is not installed")


@pytest.mark.parametrize("name", BUGGY)
def test_the_bug_is_found(name: str) -> None:
    program = PROGRAMS[name]
    outcome = program.run_unbounded("tlc", "--timeout", _SECONDS, "-D", "BUG")
    assert outcome.verdict is Verdict.FALSE, (outcome.reason, outcome.message)
    assert outcome.violated is not None and outcome.violated.origin is not None
    assert outcome.violated.origin.line == program.line("// FAIL")


@pytest.mark.parametrize("name", REPAIRED)
def test_the_twin_is_proved(name: str) -> None:
    outcome = PROGRAMS[name].run_unbounded("tlc", "--timeout", _SECONDS)
    assert outcome.verdict is Verdict.TRUE, (outcome.reason, outcome.message)
