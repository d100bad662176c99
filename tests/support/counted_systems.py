"""Transition systems made by hand in which it matters how many threads stand where: safe ones and their buggy twins."""

from collections.abc import Callable

from cseq.modules.deductive import transitions as ts
from tests.support.systems import INT, apply, assume, check, local, many, one_each, put, shared, template
from tests.support.systems import test_and_set as lock_by_test_and_set


def taking(owner: ts.Variable, me: ts.Expression) -> list[ts.Action]:
    """Taking a lock."""
    return [assume(owner, "==", 0), assume(me, "!=", 0), put(owner, me)]


def one_each_up_to_n(buggy: bool = False) -> ts.System:
    """Main creates n threads, each of which adds one under a lock; it checks x <= n, and in the twin x < n."""
    x, n, owner, i = shared("x"), shared("n"), shared("owner"), local("main", "i")
    me, old = ts.Read(local("worker", "id")), local("worker", "old")
    main = template(
        "main",
        0,
        [
            (0, 1, [ts.Havoc(ts.Read(n)), assume(n, ">=", 0), put(i, 0)]),
            (1, 1, [assume(i, "<", n), ts.Create("worker"), put(i, apply(i, "+", 1))]),
            (1, 2, [assume(i, ">=", n)]),
            (2, 3, [check(x, "<" if buggy else "<=", n)]),
        ],
        [i],
    )
    add: list[ts.Action] = [put(x, apply(old, "+", 1))]
    edges = [(0, 1, taking(owner, me)), (1, 2, [put(old, x)]), (2, 3, add), (3, 4, [put(owner, 0)])]
    worker = template("worker", None, edges, [old])
    return ts.System([x, n, owner], {"x": 0, "owner": 0}, [main, worker])


def at_most_created(buggy: bool = False) -> ts.System:
    """Each thread adds one (in the twin two) under a lock, and checks that there are not more than were created."""
    c, made, owner = shared("c"), shared("made"), shared("owner")
    me = ts.Read(local("worker", "id"))
    grow: list[ts.Action] = [assume(made, "<", 1_000_000), put(made, apply(made, "+", 1)), ts.Create("worker")]
    edges = [
        (0, 1, taking(owner, me)),
        (1, 2, [put(c, apply(c, "+", 2 if buggy else 1))]),
        (2, 3, [check(c, "<=", made)]),
        (3, 4, [put(owner, 0)]),
    ]
    initial: dict[str, int | tuple[int, ...]] = {"c": 0, "made": 0, "owner": 0}
    return ts.System([c, made, owner], initial, [template("main", 0, [(0, 0, grow)]), template("worker", None, edges)])


def produced_and_consumed(buggy: bool = False) -> ts.System:
    """No more is consumed than was produced, by any number of threads; in the twin nobody looks."""
    count, produced, consumed = shared("count"), shared("produced"), shared("consumed")
    few = 1_000_000
    made: list[ts.Action] = [assume(count, "<", 10), assume(produced, "<", few), put(count, apply(count, "+", 1))]
    taken: list[ts.Action] = [assume(count, ">", -1 if buggy else 0), put(count, apply(count, "-", 1))]
    noted: list[ts.Action] = [assume(consumed, "<", few), put(consumed, apply(consumed, "+", 1))]
    producer = template("producer", None, [(0, 0, [*made, put(produced, apply(produced, "+", 1))])])
    consumer = template("consumer", None, [(0, 1, taken), (1, 0, noted)])
    both: list[ts.Action] = [ts.Create("producer"), ts.Create("consumer")]
    main = template("main", 0, [(0, 0, both), (0, 1, [check(consumed, "<=", produced)])])
    initial: dict[str, int | tuple[int, ...]] = {"count": 0, "produced": 0, "consumed": 0}
    return ts.System([count, produced, consumed], initial, [main, producer, consumer])


def ring(buggy: bool = False) -> ts.System:
    """A ring of eight cells with any number of producers and consumers; in the twin indices return too late."""
    head, tail, count = shared("head"), shared("tail"), shared("count")
    cells = shared("cells", ts.Array(INT, 8))
    last = 8 if buggy else 7

    def thread(name: str, index: ts.Variable, room: ts.Assume, sign: str) -> ts.Template:
        use: list[ts.Action] = [
            room,
            check(index, ">=", 0),
            check(index, "<", 8),
            put(ts.Element(cells, ts.Read(index)), 1),
        ]
        counting = put(count, apply(count, sign, 1))
        back: list[ts.Action] = [assume(index, "==", last), put(index, 0), counting]
        on: list[ts.Action] = [assume(index, "!=", last), put(index, apply(index, "+", 1)), counting]
        looking: list[ts.Action] = [check(count, "<=", 8), check(count, ">=", 0)]
        return template(name, None, [(0, 1, [*use, *back]), (0, 1, [*use, *on]), (1, 0, looking)])

    producer = thread("producer", head, assume(count, "<", 8), "+")
    consumer = thread("consumer", tail, assume(count, ">", 0), "-")
    main = template("main", 0, [(0, 0, [ts.Create("producer"), ts.Create("consumer")])])
    initial: dict[str, int | tuple[int, ...]] = {"head": 0, "tail": 0, "count": 0}
    return ts.System([head, tail, count, cells], initial, [main, producer, consumer])


def at_most_five(buggy: bool = False) -> ts.System:
    """Threads take one of five permits, and return it if they have got one; in the twin they return two."""
    taken, got = shared("taken"), local("worker", "got")
    give = put(taken, apply(taken, "-", 2 if buggy else 1))
    worker = template(
        "worker",
        None,
        [
            (0, 1, [assume(taken, "<", 5), put(got, 1), put(taken, apply(taken, "+", 1))]),
            (0, 1, [assume(taken, ">=", 5), put(got, 0)]),
            (1, 2, [assume(got, "==", 1), give]),
            (1, 2, [assume(got, "!=", 1)]),
            (2, 0, [check(taken, ">=", 0), check(taken, "<=", 5)]),
        ],
        [got],
    )
    return ts.System([taken], {"taken": 0}, [many("worker"), worker])


def all_have_arrived(buggy: bool = False) -> ts.System:
    """When all n threads have arrived, all have prepared; in the twin they arrive first."""
    arrived, prepared, n, i = shared("arrived"), shared("prepared"), shared("n"), local("main", "i")
    edges: list[tuple[int, int, list[ts.Action]]] = [
        (0, 1, [ts.Havoc(ts.Read(n)), assume(n, ">=", 0), put(i, 0)]),
        (1, 1, [assume(i, "<", n), ts.Create("worker"), put(i, apply(i, "+", 1))]),
        (1, 2, [assume(i, ">=", n)]),
        (2, 3, [assume(arrived, "==", n)]),
        (3, 4, [check(prepared, "==", n)]),
    ]
    first, second = (arrived, prepared) if buggy else (prepared, arrived)
    worker = template(
        "worker", None, [(0, 1, [put(first, apply(first, "+", 1))]), (1, 2, [put(second, apply(second, "+", 1))])]
    )
    return ts.System([arrived, prepared, n], {"arrived": 0, "prepared": 0}, [template("main", 0, edges, [i]), worker])


def n_each(buggy: bool = False) -> ts.System:
    """Two threads add one n times each, for any n up to 1000; main checks for 2 n, and in the twin for less."""
    total, n = shared("total"), shared("n")

    def thread(name: str, number: int) -> ts.Template:
        i = local(name, "i")
        more: list[ts.Action] = [assume(i, "<", n), put(i, apply(i, "+", 1)), put(total, apply(total, "+", 1))]
        return template(name, number, [(0, 1, [put(i, 0)]), (1, 1, more), (1, 2, [assume(i, ">=", n)])], [i])

    main = one_each("one", "two")
    later = template(
        "main",
        0,
        [
            (0, 1, [ts.Havoc(ts.Read(n)), assume(n, ">=", 0), assume(n, "<", 1000)]),
            *((edge.source + 1, edge.target + 1, edge.actions) for edge in main.edges),
            (3, 4, [check(total, "<" if buggy else "<=", apply(n, "+", n))]),
        ],
    )
    return ts.System([total, n], {"total": 0}, [later, thread("one", 1), thread("two", 2)])


COARSE: dict[str, Callable[[bool], ts.System]] = {
    "one_each_up_to_n": one_each_up_to_n,
    "at_most_created": at_most_created,
    "produced_and_consumed": produced_and_consumed,
    "ring": ring,
    "at_most_five": at_most_five,
    "all_have_arrived": all_have_arrived,
    "test_and_set": lock_by_test_and_set,
}
"""Those that counters of groups of locations prove; with `True` each is the buggy twin."""

FINE: dict[str, Callable[[bool], ts.System]] = {"n_each": n_each}
"""Those that take the locals of single threads, too."""
