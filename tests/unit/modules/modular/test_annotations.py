"""Which locks can be named in the source."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cseq.model.sharing import AnnotationKind
from cseq.modules.modular.annotations import Annotations
from cseq.modules.modular.program_analysis import ProgramAnalysis
from cseq.modules.modular.sharing import Sharing
from tests.unit.modules.modular.conftest import CREATE, TWICE

Analyse = Callable[..., ProgramAnalysis]
VARIABLE, MEMBER, FUNCTION = AnnotationKind.VARIABLE, AnnotationKind.MEMBER, AnnotationKind.FUNCTION
LOCKED = "pthread_mutex_lock(&m); {} pthread_mutex_unlock(&m);"


def annotations(analysis: ProgramAnalysis) -> set[tuple[AnnotationKind, str, str]]:
    return {(each.kind, each.name, each.lock) for each in Annotations(Sharing(analysis)).all()}


def test_a_variable_that_is_always_under_a_lock(analyse: Analyse) -> None:
    assert annotations(analyse(LOCKED.format("x = 1;"))) == {(VARIABLE, "x", "m")}
    assert not annotations(analyse("x = 1;"))


@pytest.mark.parametrize("main", [f"x = 1; {TWICE}", f"{CREATE} pthread_join(t, 0); l = x;"])
def test_what_is_also_accessed_without_it_is_not_annotated(main: str, analyse: Analyse) -> None:
    analysis = analyse(LOCKED.format("x = 1;"), main)
    assert not analysis.open
    assert not annotations(analysis)


def test_a_member_with_the_lock_of_its_object(analyse: Analyse) -> None:
    work = "pthread_mutex_lock(&items[l].m); items[l].v = 1; pthread_mutex_unlock(&items[l].m);"
    assert annotations(analyse(work)) == {(MEMBER, "v", "m")}


def test_a_member_with_one_lock_for_all(analyse: Analyse) -> None:
    work = "p = malloc(44); pthread_mutex_lock(&m); shared = p; shared->v = 1; pthread_mutex_unlock(&m);"
    assert annotations(analyse(work)) == {(VARIABLE, "shared", "m"), (MEMBER, "v", "m")}


def test_the_element_of_an_array_of_locks(analyse: Analyse) -> None:
    work = "pthread_mutex_lock(&locks[2]); x = 1; pthread_mutex_unlock(&locks[2]);"
    assert annotations(analyse(work)) == {(VARIABLE, "x", "locks[2]")}
    same = "pthread_mutex_lock(&locks[l]); cells[l] = 1; pthread_mutex_unlock(&locks[l]);"
    assert not annotations(analyse(same))


def test_a_function_that_is_called_under_the_lock(analyse: Analyse) -> None:
    inside = analyse(LOCKED.format("use(&y);").replace("use(&y)", "set()"))
    assert annotations(inside) == {(VARIABLE, "x", "m"), (FUNCTION, "set", "m")}
    also = analyse(LOCKED.format("set();"), f"set(); {TWICE}")
    assert not annotations(also)


def test_a_function_that_takes_the_lock_itself_needs_none(analyse: Analyse) -> None:
    assert annotations(analyse("set_locked();")) == {(VARIABLE, "x", "m")}


def test_a_semaphore_is_no_lock_of_the_compiler(analyse: Analyse) -> None:
    analysis = analyse("sem_wait(&s); x = 1; sem_post(&s);", f"sem_init(&s, 0, 1); {TWICE}")
    assert not analysis.open
    assert not annotations(analysis)
