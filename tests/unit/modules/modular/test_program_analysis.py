"""Rounds: what one thread may do to the memory of another."""

from __future__ import annotations

from collections.abc import Callable

from cseq.modules.modular.accesses import Why
from cseq.modules.modular.program_analysis import ProgramAnalysis
from tests.unit.modules.modular.conftest import CREATE, LOOP, TWICE

LOCKED = "pthread_mutex_lock(&m); {} pthread_mutex_unlock(&m);"


def test_what_is_written_before_the_threads_exist_stays(analyse: Callable[..., ProgramAnalysis]) -> None:
    work = "p = shared; pthread_mutex_lock(&p->m); p = shared; p->v = 1; pthread_mutex_unlock(&p->m);"
    assert not analyse(work, f"shared = &items[1]; {TWICE}").open
    assert analyse(work, f"shared = &items[1]; {TWICE} shared = &items[2];").open


def test_an_index_in_memory_is_that_of_its_thread(analyse: Callable[..., ProgramAnalysis]) -> None:
    loop = LOOP.replace("pthread_create", "items[i].v = i; pthread_create").replace("(void *) (long) i", "&items[i]")
    work = "p = (struct item *) arg; k = p->v; cells[k] = 1;"
    assert not analyse(work, loop).open
    assert analyse(work, loop.replace("items[i].v = i", "items[i].v = 1")).open
    assert analyse(work, loop.replace("&items[i]);", "&items[0]);")).open
    late = loop.replace("i = i + 1; } i = 0", "items[0].v = 2; i = i + 1; } i = 0", 1)
    assert late != loop and analyse(work, late).open


def test_a_block_belongs_to_the_thread_that_it_is_handed_to(analyse: Callable[..., ProgramAnalysis]) -> None:
    loop = LOOP.replace("pthread_create", "p = malloc(8); pthread_create").replace("(void *) (long) i", "p")
    work = "p = (struct item *) arg; p->v = 1; free(p);"
    assert not analyse(work, loop).open
    assert analyse(work, loop.replace("i = i + 1; } i = 0", "p->v = 2; i = i + 1; } i = 0", 1)).open
    assert analyse(
        work, loop.replace("p = malloc(8);", "p = malloc(8); shared = p;").replace(", p);", ", shared);")
    ).open


def test_identifiers_in_an_array_that_begins_with_any_contents(analyse: Callable[..., ProgramAnalysis]) -> None:
    """So do arrays of more than 64 elements (`cseq.modules.analysis.initializers`)."""
    work = LOCKED.format("x = x + 1;")
    begins = "__CSEQ_havoc(ts, sizeof ts);"
    assert not analyse(work, f"{begins} {LOOP} x = 1;").open
    assert analyse(work, f"{begins} {LOOP.replace('pthread_join', 'use(&l); pthread_join')} ts[0] = ts[1]; x = 1;").open
    assert analyse(work, f"{LOOP.rpartition(' i = 0;')[0]} {begins} x = 1;").open


def test_many_threads_are_counted(analyse: Callable[..., ProgramAnalysis]) -> None:
    found = analyse("sem_post(&s);", LOOP.replace("i < 4", "i < 100").replace("ts[i]", "t", 1))
    assert {thread.most for thread in found.threads.values()} == {1, 100}
    found = analyse("sem_post(&s);", LOOP.replace("i < 4", "i < 2000").replace("ts[i]", "t", 1))
    assert {thread.most for thread in found.threads.values()} == {1, None}


def test_a_lock_that_is_overwritten_is_none(analyse: Callable[..., ProgramAnalysis]) -> None:
    work = LOCKED.format("x = 1;")
    assert not analyse(work).open
    assert analyse(f"{work} m = n;").open


def test_reasons_are_noted(analyse: Callable[..., ProgramAnalysis]) -> None:
    found = analyse(LOCKED.format("x = 1;"), CREATE + LOCKED.format("x = 2;") + " pthread_join(t, 0); x = 3;")
    assert not found.open
    assert {Why.LOCKED, Why.ORDERED} <= {why for reasons in found.reasons.values() for why in reasons}


def test_what_the_answer_rests_on(analyse: Callable[..., ProgramAnalysis]) -> None:
    assert not analyse(LOCKED.format("x = 1;")).rests_on_memory_safety()
    assert analyse("cells[i] = 1;", LOOP).rests_on_memory_safety()
    assert analyse(LOCKED.format("*(int *)4096 = 1;")).rests_on_memory_safety()
