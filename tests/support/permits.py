"""Transition systems in which it matters how many threads are somewhere, and who holds a lock."""

from cseq.modules.deductive import transitions as ts
from tests.support.systems import apply, assume, check, local, many, put, shared, template


def semaphore(permits: int, buggy: bool = False) -> ts.System:
    """Any number of threads, of which only *permits* are inside; in the twin there is a permit too many."""
    free, inside = shared("free"), shared("inside")
    worker = template(
        "worker",
        None,
        [
            (0, 1, [assume(free, ">", 0), put(free, apply(free, "-", 1))]),
            (1, 2, [put(inside, apply(inside, "+", 1))]),
            (2, 3, [check(inside, "<=", permits)]),
            (3, 4, [put(inside, apply(inside, "-", 1))]),
            (4, 0, [put(free, apply(free, "+", 1))]),
        ],
    )
    return ts.System([free, inside], {"free": permits + int(buggy), "inside": 0}, [many("worker"), worker])


def readers_and_writers(limit: int, buggy: bool = False) -> ts.System:
    """Any number of readers, of which *limit* read at once, and of writers, under a mutex that records its owner.

    Who gives the mutex back checks that it is theirs. In the twin a writer does not wait for the readers.
    """
    count, writing, data = shared("count"), shared("writing", ts.BOOL), shared("data")
    owner, nobody, true = shared("owner", ts.UNBOUNDED), ts.Number(0, ts.UNBOUNDED), ts.Number(1, ts.BOOL)
    idle = ts.Apply(ts.Operator.NOT, (ts.Read(writing),), ts.BOOL)

    def name(thread: str) -> ts.Expression:
        return apply(ts.Convert(ts.Read(local(thread, "id")), ts.UNBOUNDED), "+", ts.Number(1, ts.UNBOUNDED))

    def take(thread: str) -> list[ts.Action]:
        return [assume(local(thread, "id"), ">=", 0), assume(owner, "==", nobody), put(owner, name(thread))]

    def give(thread: str) -> list[ts.Action]:
        return [check(owner, "==", name(thread)), put(owner, nobody)]

    reader = template(
        "reader",
        None,
        [
            (0, 1, take("reader")),
            (1, 2, [assume(count, "<", limit), ts.Assume(idle), put(count, apply(count, "+", 1))]),
            (1, 6, [assume(count, ">=", limit)]),
            (1, 6, [ts.Assume(ts.Read(writing))]),
            (2, 3, give("reader")),
            (3, 4, [check(data, "==", 0)]),
            (4, 5, take("reader")),
            (5, 6, [put(count, apply(count, "-", 1))]),
            (6, 0, give("reader")),
        ],
    )
    writer = template(
        "writer",
        None,
        [
            (0, 1, take("writer")),
            (1, 2, [*([] if buggy else [assume(count, "==", 0)]), ts.Assume(idle), put(writing, true)]),
            (1, 6, [assume(count, "!=", 0)]),
            (1, 6, [ts.Assume(ts.Read(writing))]),
            (2, 3, give("writer")),
            (3, 4, [put(data, 1)]),
            (4, 5, [put(data, 0)]),
            (5, 6, [*take("writer"), put(writing, ts.Number(0, ts.BOOL))]),
            (6, 0, give("writer")),
        ],
    )
    main = template("main", 0, [(0, 0, [ts.Create("reader")]), (0, 0, [ts.Create("writer")])])
    initial: dict[str, int | tuple[int, ...]] = {"count": 0, "writing": 0, "data": 0, "owner": 0}
    return ts.System([count, writing, data, owner], initial, [main, reader, writer])
