"""What the tests of the builder share: programs, the systems that are made of them, and what these do."""

from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest

from cseq.modules.deductive.transitions import System
from tests.support.built import built
from tests.support.interpreter import explore

HEADERS = """\
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void); _Bool __VERIFIER_nondet_bool(void); unsigned char __VERIFIER_nondet_uchar(void);
void __VERIFIER_assume(int); void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);
"""


@pytest.fixture
def system(tmp_path: Path) -> Callable[..., System]:
    """``system(text)``: the transition system of a program, without the headers that it includes."""

    def make(text: str, **parameters: object) -> System:
        path = tmp_path / "program.c"
        path.write_text(HEADERS + dedent(text), encoding="utf-8")
        return built(path, **parameters)

    return make


@pytest.fixture
def claims(system: Callable[..., System]) -> Callable[..., set[str]]:
    """``claims(text)``: the keys of the claims that fail in some execution of a program, which has finitely many."""

    def run(text: str, **parameters: object) -> set[str]:
        made = system(text, **parameters)
        if not made.main.edges:
            return set()
        found = explore(made, most=3)
        assert found.errors or found.states < 20_000, "the program is too large for this test"
        return {check.claim.key for check in found.errors}

    return run
