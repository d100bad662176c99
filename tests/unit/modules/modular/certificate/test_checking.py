"""The checker of certificates: it accepts those of correct programs, and none of racy ones, nor changed ones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from cseq.modules.modular.certificate import Status, check
from cseq.modules.modular.certificate.form import AtomKind, Certificate, Kind, Names, Sum
from cseq.modules.modular.certificate.logic import Logic
from cseq.modules.modular.certify import certificate
from cseq.modules.modular.program_analysis import ProgramAnalysis
from tests.unit.modules.modular.certificate_mutants import mutants
from tests.unit.modules.modular.conftest import CREATE, LOOP, TWICE

Analyse = Callable[..., ProgramAnalysis]
LOCKED = "pthread_mutex_lock(&m); {} pthread_mutex_unlock(&m);"
HANDED = LOOP.replace("pthread_create", "p = malloc(8); p->v = 0; pthread_create").replace("(void *) (long) i", "p")
RAISE = "p = shared; pthread_mutex_lock(&p->m); p->v = 1; pthread_mutex_unlock(&p->m);"
PUBLISHED = f"p = malloc(48); p->v = 1; {LOCKED.format('shared = p;')}"
TRIED = "l = pthread_mutex_trylock(&m); if (l == 0) {{ x = 1; {} }}"
INDEX = "p = (struct item *) arg; k = p->v; cells[k] = 1;"
NUMBERED = LOOP.replace("pthread_create", "items[i].v = i; pthread_create").replace("(void *) (long) i", "&items[i]")

PAIRS = {
    "lock": (LOCKED.format("x = 1;"), "x = 1;", TWICE),
    "join": ("x = 1;", "x = 1;", f"{CREATE} pthread_join(t, 0); x = 2;", f"{CREATE} x = 2;"),
    "cell": ("cells[i] = 1;", "cells[i + 1] = 1; cells[i] = 1;", LOOP),
    "lock of an object": (RAISE, f"{RAISE} p->v = 2;", f"shared = &items[1]; {TWICE}"),
    "handed over": ("p = (struct item *) arg; p->v = 1;", "p = (struct item *) arg; p->v = 1; shared = p;"
                    " p = shared; p->v = 2;", HANDED),
    "published": (PUBLISHED, f"{PUBLISHED} p->v = 2; p = shared; p->v = 3;", TWICE),
    "tried": (TRIED.format("pthread_mutex_unlock(&m);"), "pthread_mutex_trylock(&m); x = 1;", TWICE),
    "index in memory": (INDEX, INDEX.replace("k = p->v", "k = items[1].v"), NUMBERED),
    "striped": (
        "k = __CSEQ_nondet_int(); pthread_mutex_lock(&locks[k]); cells[k] = 1; pthread_mutex_unlock(&locks[k]);",
        "k = __CSEQ_nondet_int(); pthread_mutex_lock(&locks[k]); cells[0] = 1; pthread_mutex_unlock(&locks[k]);", LOOP,
    ),
    "semaphore": ("sem_wait(&s); x = 1; sem_post(&s);", "sem_wait(&s); x = 1; sem_post(&s); sem_post(&s);",
                  f"sem_init(&s, 0, 1); {TWICE}"),
    "posted": ("x = 1; sem_post(&s);", "sem_post(&s); x = 1;", f"sem_init(&s, 0, 0); {CREATE} sem_wait(&s); x = 2;"),
    "set": (f"x = 1; {LOCKED.format('flag = 1;')}", f"{LOCKED.format('flag = 1;')} x = 1;",
            f"{CREATE} {LOCKED.format('l = flag;')} if (l) x = 2;"),
    "barrier": ("x = 1; __cs_step_barrier_arrive(&b);", "__cs_step_barrier_arrive(&b); x = 1;",
                f"pthread_barrier_init(&b, 0, 2); {CREATE} __cs_step_barrier_arrive(&b); x = 2;"),
    "call": ("use(&l); x = y;", "use(&x);", f"{CREATE} pthread_join(t, 0); {CREATE} pthread_join(t, 0);", TWICE),
}  # fmt: skip
"""Correct statements of a thread, racy ones, those of main, and those of the racy program if they are others."""


class _Every(dict[Any, frozenset[Kind]]):
    """All reasons, for each pair."""

    def get(self, key: object, default: object = None) -> Any:
        return frozenset(Kind)


def _certified(analysis: ProgramAnalysis) -> Certificate:
    return certificate(analysis)


@pytest.mark.parametrize("name", PAIRS)
def test_what_the_analysis_proves_is_confirmed(name: str, analyse: Analyse) -> None:
    analysis = analyse(PAIRS[name][0], PAIRS[name][2])
    assert not analysis.open
    found = check(analysis.program, _certified(analysis))
    assert found.status is Status.ACCEPTED, found.why


@pytest.mark.parametrize("name", PAIRS)
def test_no_reason_is_confirmed_for_a_race(name: str, analyse: Analyse) -> None:
    analysis = analyse(PAIRS[name][1], PAIRS[name][-1])
    assert analysis.open
    found = check(analysis.program, replace(_certified(analysis), reasons=_Every()))
    assert found.status is Status.REJECTED and "no reason holds" in found.why


@pytest.mark.parametrize("name", PAIRS)
def test_changed_certificates_are_rejected(name: str, analyse: Analyse) -> None:
    analysis = analyse(PAIRS[name][0], PAIRS[name][2])
    changed = list(mutants(_certified(analysis)))
    assert len(changed) > 10
    left = [each.what for each in changed if check(analysis.program, each.certificate).status is Status.ACCEPTED]
    assert not left


def test_an_order_of_waits_is_confirmed(analyse: Analyse) -> None:
    nested = "pthread_mutex_lock(&m); pthread_mutex_lock(&n); pthread_mutex_unlock(&n); pthread_mutex_unlock(&m);"
    ordered = analyse(nested, TWICE)
    assert check(ordered.program, _certified(ordered), True).status is Status.ACCEPTED
    swapped = nested.replace("&m", "&k").replace("&n", "&m").replace("&k", "&n")
    circle = analyse(nested, f"{CREATE} {swapped}")
    found = check(circle.program, _certified(circle), True)
    assert found.status is Status.REJECTED and "circle" in found.why


def test_locks_that_may_be_held_cannot_be_left_out(analyse: Analyse) -> None:
    nested = "pthread_mutex_lock(&m); if (y) l = 1; pthread_mutex_lock(&n); pthread_mutex_unlock(&n);"
    analysis = analyse(f"{nested} pthread_mutex_unlock(&m);")
    for each in mutants(_certified(analysis)):
        if each.what.startswith(("lock that may be held", "no thread exists")):
            assert check(analysis.program, each.certificate, True).status is Status.REJECTED


def test_what_is_not_known_is_named(analyse: Analyse) -> None:
    analysis = analyse("recur(3); x = 1;", f"{CREATE} pthread_join(t, 0);")
    found = check(analysis.program, _certified(analysis))
    assert found.status is Status.UNCOVERED and "call themselves" in found.why


def test_a_remainder_may_be_negative(analyse: Analyse) -> None:
    names, logic = Names(), Logic(analyse("x = 1;").program)
    value = names.atom(AtomKind.COUNTER, ((0, 0), 1)).sum
    rest = names.applied("% i32", value, Sum(4))
    assert not logic.positive(rest, {}) and logic.positive(rest.add(3), {})
    assert logic.positive(names.applied("mod i32", value, Sum(4)), {})


def test_what_the_form_has_no_room_for_is_named(analyse: Analyse) -> None:
    work = "k = __CSEQ_nondet_int(); if (k) pthread_mutex_lock(&m); l = 2; if (k) { x = 1; pthread_mutex_unlock(&m); }"
    analysis = analyse(work)
    certified = _certified(analysis)
    assert not analysis.open and certified.left_out == ("what depends on a condition",)
    found = check(analysis.program, certified)
    assert found.status is Status.UNCOVERED and found.why == "what depends on a condition"
    assert check(analysis.program, replace(certified, left_out=())).status is Status.REJECTED
