"""What of a system matters to its checks."""

from cseq.modules.deductive.horn.slices import IDLE, sliced
from cseq.modules.deductive.transitions import Create, Element, Havoc, Read, System
from tests.support.systems import INT, Array, apply, assume, check, counter, local, put, shared, template

X, Y, Z = shared("x"), shared("y"), shared("z")
A, B = local("main", "a"), local("main", "b")


def test_only_what_conditions_depend_on_is_relevant() -> None:
    cells, lost = shared("cells", Array(INT, 3)), shared("lost", Array(INT, 3))
    edges = [
        (0, 1, [put(X, Y), put(Z, X), put(Element(lost, Read(Z)), X), put(Element(cells, Read(A)), B)]),
        (1, 2, [check(Element(cells, Read(Y)), "==", 0)]),
    ]
    slice = sliced(System([X, Y, Z, cells, lost], {}, [template("main", 0, edges, [A, B])]), exact=True)
    assert slice.relevant == {Y, A, B, cells}


def test_arguments_are_relevant_if_the_locals_are() -> None:
    number, other = local("worker", "number"), local("worker", "other")
    worker = template("worker", None, [(0, 1, [check(number, ">", 0)])], [number, other])
    main = template("main", 0, [(0, 0, [Create("worker", ((number, Read(A)), (other, Read(B))))])], [A, B])
    slice = sliced(System([], {}, [main, worker]), exact=True)
    assert slice.relevant == {number, A}
    assert slice.live_at(("main", 0)) == (A,)
    assert slice.live_at(("worker", 0)) == (number,)


def test_locals_live_from_a_write_to_a_read() -> None:
    edges = [(0, 1, [put(A, 1)]), (1, 2, [put(B, A)]), (2, 3, [Havoc(Read(A)), check(B, "<", A)]), (3, 0, [])]
    slice = sliced(System([], {}, [template("main", 0, edges, [A, B])]), exact=True)
    assert [slice.live_at(("main", place)) for place in range(4)] == [(), (A,), (B,), ()]


def test_places_after_which_nothing_matters_are_idle() -> None:
    edges = [
        (0, 1, [check(X, ">", 0)]),
        (1, 2, [put(A, 1)]),
        (2, 3, [assume(A, ">", 0)]),
        (3, 1, [put(Z, 1)]),
        (4, 0, []),
    ]
    slice = sliced(System([X, Z], {}, [template("main", 0, edges, [A])]), exact=True)
    assert slice.reachable == {("main", place) for place in range(4)}
    assert slice.idle == {("main", 1), ("main", 2), ("main", 3)}
    assert slice.canonical(("main", 2)) == ("main", IDLE)
    assert slice.relevant == {X}


def test_where_a_condition_may_overflow_a_thread_is_not_idle() -> None:
    edges = [(0, 1, [assume(apply(X, "+", 1), ">", 0)])]
    system = System([X], {"x": 1}, [template("main", 0, edges)])
    assert ("main", 0) not in sliced(system, exact=True).idle
    assert ("main", 0) in sliced(system, exact=False).idle


def test_constants_are_what_nothing_writes() -> None:
    edges = [(0, 1, [check(X, "<", Y), check(Y, "<", Z), put(Y, 3)])]
    system = System([X, Y, Z], {"x": 1, "y": 2}, [template("main", 0, edges)])
    assert sliced(system, exact=True).constants == {X: 1}


def test_edges_interfere_if_they_change_what_matters() -> None:
    system = counter()
    slice = sliced(system, exact=True)
    assert [slice.interferes(edge) for edge in system.template("worker").edges] == [True] * 5 + [False, True]
