"""What happens before what, on runs that are written down here."""

import ctypes

from cseq.modules.compiled.client.record import OP_CLASS, Entry, EntryFlag, Op
from cseq.modules.compiled.happens_before import Event, Order, dependent, enables, events

X, Y, LOCK = 0x1000, 0x1004, 0x2000


def event(thread: int, op: Op, where: int = 0, *, size: int = 4, value: int = 0) -> Event:
    keys = tuple(range(where >> 2, (where + size - 1 >> 2) + 1))
    return Event(op, thread, keys, OP_CLASS[op], 0, 0, value, 0)


def entry(op: Op, thread: int, **fields: int) -> Entry:
    made = Entry()
    made.op, made.thread = op, thread
    for name, value in fields.items():
        setattr(made, name, value)
    return made


def test_a_record_is_read_without_what_was_only_observed() -> None:
    array = (Entry * 4)(
        entry(Op.ATOMIC_STORE, 1, object=X, size=8),
        entry(Op.READ, 1, object=X, flags=EntryFlag.OBSERVED),
        entry(Op.WAIT, 2, object=X, argument=LOCK),
        entry(Op.LOCK, 1, object=LOCK, flags=EntryFlag.PENDING | EntryFlag.BLOCKED),
    )
    run, announced = events(bytes(array))
    assert [(each.op, each.thread, each.keys) for each in run] == [
        (Op.ATOMIC_STORE, 1, (X >> 2, Y >> 2)),
        (Op.WAIT, 2, (X >> 2, LOCK >> 2)),
    ]
    assert [each.op for each in announced] == [Op.LOCK]
    assert ctypes.sizeof(Entry) * 4 == len(bytes(array))


def test_what_commutes() -> None:
    load, other_load = event(1, Op.ATOMIC_LOAD, X), event(2, Op.ATOMIC_LOAD, X)
    store, neighbour = event(2, Op.ATOMIC_STORE, X), event(2, Op.ATOMIC_STORE, Y)
    assert not dependent(load, other_load)
    assert dependent(load, store)
    assert not dependent(load, neighbour)
    assert dependent(event(1, Op.ATOMIC_LOAD, X, size=8), neighbour)
    assert not dependent(event(1, Op.YIELD), store)
    assert dependent(event(1, Op.SIGNAL_SENT), store)
    assert not dependent(event(1, Op.SIGNAL_SENT), event(2, Op.YIELD))
    assert dependent(event(0, Op.EXIT), event(1, Op.BEGIN)), "a thread that has not begun may still do anything"


def test_what_lets_others_go_on() -> None:
    assert enables(event(1, Op.UNLOCK, LOCK))
    assert not enables(event(1, Op.LOCK, LOCK))


def test_order() -> None:
    run = [
        event(0, Op.CREATE, 0, value=1),
        event(1, Op.BEGIN),
        event(1, Op.ATOMIC_STORE, X),
        event(0, Op.ATOMIC_STORE, Y),
        event(0, Op.ATOMIC_LOAD, X),
        event(1, Op.ATOMIC_STORE, Y),
    ]
    order = Order(run)
    assert order.precedes(0, 1), "a thread begins after it has been created"
    assert order.precedes(2, 4), "a load comes after the store that it reads"
    assert not order.precedes(2, 3)
    assert order.precedes(3, 5)
    assert order.reversible(4, run[4]) == [2]
    assert order.reversible(5, run[5]) == [3]
    assert set(order.initials(2, 4, run[4])) == {0}
    assert order.initials(2, 4, run[4])[0].op == Op.ATOMIC_STORE, "what that thread does first"


def test_what_comes_before_another_thread_begins_cannot_be_reversed() -> None:
    run = [event(0, Op.ATOMIC_STORE, X), event(0, Op.CREATE, 0, value=1), event(1, Op.BEGIN)]
    order = Order(run)
    load = event(1, Op.ATOMIC_LOAD, X)
    assert order.reversible(3, load) == []
