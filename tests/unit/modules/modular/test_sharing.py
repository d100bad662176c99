"""What is shared, and what protects it, by object."""

from __future__ import annotations

from collections.abc import Callable

from cseq.model.sharing import LockOrderEdge, ProtectionKind, SharedData, SharedObject
from cseq.modules.modular.program_analysis import ProgramAnalysis
from cseq.modules.modular.sharing import Sharing, orders
from tests.unit.modules.modular.conftest import CREATE, LOOP, TWICE

Analyse = Callable[..., ProgramAnalysis]
LOCKED = "pthread_mutex_lock(&m); {} pthread_mutex_unlock(&m);"


def shared(analysis: ProgramAnalysis) -> dict[str, SharedObject]:
    return {each.name: each for each in Sharing(analysis).data().objects}


def reasons(found: SharedObject) -> list[tuple[ProtectionKind, str]]:
    return [(each.kind, each.by) for each in found.protections]


def test_a_variable_under_one_lock(analyse: Analyse) -> None:
    (found,) = shared(analyse(LOCKED.format("x = 1;"))).values()
    assert (found.name, found.open) == ("x", ())
    assert reasons(found) == [(ProtectionKind.LOCK, "m")]
    assert found.protections[0].always
    (access,) = found.accesses
    assert (access.thread, access.origin.function, access.holds, access.writes) == ("work", "work", ("m",), True)


def test_the_lock_of_the_same_object(analyse: Analyse) -> None:
    work = "pthread_mutex_lock(&items[i].m); items[i].v = 1; pthread_mutex_unlock(&items[i].m);"
    found = shared(analyse("i = l; " + work))
    assert reasons(found["items[i].v"]) == [(ProtectionKind.LOCK, "items[i].m")]


def test_the_lock_with_the_same_index(analyse: Analyse) -> None:
    work = "pthread_mutex_lock(&locks[l]); cells[l] = 1; pthread_mutex_unlock(&locks[l]);"
    assert reasons(shared(analyse(work))["cells[i]"]) == [(ProtectionKind.LOCK, "locks[i]")]


def test_what_is_before_and_after_the_threads(analyse: Analyse) -> None:
    main = f"y = 1; {CREATE} pthread_join(t, 0); k = x;".replace("k = x;", "l = x;")
    found = shared(analyse("x = y;", main))
    assert reasons(found["y"]) == [(ProtectionKind.BEFORE, "")]
    assert found["y"].protections[0].writes
    assert reasons(found["x"]) == [(ProtectionKind.AFTER, "")]
    assert not found["x"].protections[0].writes


def test_a_cell_of_each_thread(analyse: Analyse) -> None:
    found = shared(analyse("cells[i] = 1;", LOOP))
    assert reasons(found["cells[i]"]) == [(ProtectionKind.OWN_PART, "")]


def test_what_only_one_thread_knows_is_not_shared(analyse: Analyse) -> None:
    assert not shared(analyse("p = malloc(44); p->v = 1; free(p);"))


def test_what_all_threads_read_is_not_listed(analyse: Analyse) -> None:
    assert not shared(analyse("k = x;"))


def test_what_hands_over(analyse: Analyse) -> None:
    found = shared(analyse("x = 1; sem_post(&s);", f"sem_init(&s, 0, 0); {CREATE} sem_wait(&s); x = 2;"))
    assert reasons(found["x"]) == [(ProtectionKind.SEMAPHORE, "s")]


def test_what_is_left_over_comes_first_and_says_what_each_side_holds(analyse: Analyse) -> None:
    main = CREATE + LOCKED.format("x = 1;") + "y = 1;"
    data = Sharing(analyse(LOCKED.format("y = 1;") + " x = 2;", main)).data()
    assert [each.name for each in data.left] == ["x", "y"]
    assert data.objects == data.left
    (pair,) = data.objects[0].open
    assert {(side.thread, side.holds) for side in (pair.one, pair.other)} == {("main", ("m",)), ("work", ())}


def test_every_open_pair_of_the_analysis_is_told(analyse: Analyse) -> None:
    for work in ("x = 1;", "use(&y); use(&x);", "p = shared; p->v = 1;", "items[0] = items[i];", "q = 0; *q = 1;"):
        analysis = analyse(work)
        sharing = Sharing(analysis)
        told = {pair for group in sharing.groups for pair in group.open}
        left = {pair for pair in analysis.open if pair not in told}
        assert bool(left) == any(not each.name for each in sharing.data().objects), work
        assert bool(analysis.open) == bool(sharing.data().left), work


def test_a_lock_that_is_none_is_not_named(analyse: Analyse) -> None:
    (found,) = (each for each in shared(analyse(f"{LOCKED.format('x = 1;')} m = n;")).values() if each.name == "x")
    assert found.open and found.accesses[0].holds == ()


def test_the_order_of_locks(analyse: Analyse) -> None:
    nested = "pthread_mutex_lock(&m); pthread_mutex_lock(&n); pthread_mutex_unlock(&n); pthread_mutex_unlock(&m);"
    found: SharedData = orders(analyse(nested, f"{TWICE} pthread_mutex_lock(&m); pthread_join(t, 0);"))
    assert found.of_locks
    assert [(edge.held, edge.wanted) for edge in found.orders] == [("m", ""), ("m", "n")]
    assert all(isinstance(edge, LockOrderEdge) and edge.origin is not None for edge in found.orders)
