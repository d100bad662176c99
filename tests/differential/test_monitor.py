"""The monitor of robustness against all execution graphs; see `monitor.py`."""

from __future__ import annotations

import random
from pathlib import Path

from tests.differential.graphs import program, waiting_program
from tests.differential.monitor import compared
from tests.support.litmus import ACQ, ACQ_REL, PLAIN, REL, RLX, SC, F, Op, R, Thread, W

X, Y, Z = 0, 1, 2


def _sb(order: object, *between: Op) -> list[Thread]:
    store, load = (REL, ACQ) if order is ACQ else (order, order)
    return [[W(X, 1, store), *between, R(Y, load)], [W(Y, 1, store), *between, R(X, load)]]  # type: ignore[arg-type]


def _waiting(store: object, load: object) -> list[Thread]:
    """A thread waits for another one, and then reads what that has written."""
    return [[W(X, 1, PLAIN), W(Y, 1, store)], [Op("await", Y, load, expected=1), R(X, PLAIN)]]  # type: ignore[arg-type]


def _lock(take: object, give: object) -> list[Thread]:
    take_it = Op("acquire", X, take, 1, 0)  # type: ignore[arg-type]
    return [[take_it, W(Y, value, PLAIN), W(X, 0, give)] for value in (1, 2)]  # type: ignore[arg-type]


def _ticket(order: object) -> list[Thread]:
    """Two threads of which each waits for its turn: the first one that came is the first one that goes on."""
    come = Op("add", X, RLX, 1)
    first = [come, Op("await", Y, order, expected=0), W(Z, 1, PLAIN), W(Y, 1, REL)]  # type: ignore[arg-type]
    return [first, [Op("await", X, RLX, expected=1), come, Op("await", Y, order, expected=1), W(Z, 2, PLAIN)]]  # type: ignore[arg-type]


ROBUST: dict[str, list[Thread]] = {
    "message passing": [[W(X, 1), W(Y, 1, REL)], [R(Y, ACQ), R(X)]],
    "waiting for a message": _waiting(REL, ACQ),
    "a fence before the store, and one after the load": [
        [W(X, 1, PLAIN), F(REL), W(Y, 1)], [Op("await", Y, RLX, expected=1), F(ACQ), R(X, PLAIN)],
    ],
    "store buffering, seq_cst": _sb(SC),
    "store buffering, fences": _sb(RLX, F(SC)),
    "store buffering, updates of one variable": _sb(RLX, Op("add", Z, ACQ_REL, 1)),
    "store buffering, a mutex between": _sb(RLX, Op("lock", 5), Op("unlock", 5)),
    "two writers": [[W(X, 1, SC), W(Y, 2, SC)], [W(Y, 1, SC), W(X, 2, SC)]],
    "independent readers, fences": [[W(X, 1)], [R(X), F(SC), R(Y)], [R(Y), F(SC), R(X)], [W(Y, 1)]],
    "a spin lock": _lock(ACQ, REL),
    "a ticket lock": _ticket(ACQ),
    "a relaxed counter": [[Op("add", X, RLX, 1)], [Op("add", X, RLX, 1)], [Op("add", X, RLX, 1)]],
    "a later store of the thread that releases": [[W(X, 1), W(Y, 1, REL), W(Y, 2)], [R(Y, ACQ), R(X)]],
    "one location": [[W(X, 1), W(X, 2)], [R(X), R(X)]],
    "a value that is passed on": [[W(X, 1, REL)], [R(X, ACQ), W(Y, 1, REL)], [R(Y, ACQ), R(X, ACQ)]],
}  # fmt: skip
NOT_ROBUST: dict[str, list[Thread]] = {
    "message passing": [[W(X, 1), W(Y, 1)], [R(Y, ACQ), R(X)]],
    "waiting for a message": _waiting(RLX, ACQ),
    "a fence before the store, and none after the load": [
        [W(X, 1, PLAIN), F(REL), W(Y, 1)], [Op("await", Y, RLX, expected=1), R(X, PLAIN)],
    ],
    "store buffering": _sb(ACQ),
    "store buffering, weaker fences": _sb(RLX, F(ACQ_REL)),
    "store buffering, relaxed updates of one variable": _sb(RLX, Op("add", Z, RLX, 1)),
    "a later store of another thread": [[W(X, 1), W(Y, 1, REL)], [W(Y, 2)], [R(Y, ACQ), R(X)]],
    "two writers": [[W(X, 1, REL), W(Y, 2, REL)], [W(Y, 1, REL), W(X, 2, REL)]],
    "independent readers": [[W(X, 1, REL)], [R(X, ACQ), R(Y, ACQ)], [R(Y, ACQ), R(X, ACQ)], [W(Y, 1, REL)]],
    "ISA2 with fences in the first and the last thread": [
        [W(X, 1), F(SC), W(Y, 1)], [R(Y), W(Z, 1)], [R(Z), F(SC), R(X)],
    ],
    "Z6.U": [[W(X, 1, SC), W(Y, 1, REL)], [Op("add", Y, SC, 1), R(Y)], [W(Y, 3, SC), R(X, SC)]],
    "a spin lock": _lock(RLX, REL),
    "a ticket lock": _ticket(RLX),
}  # fmt: skip


def test_programs_whose_executions_are_known(tmp_path: Path) -> None:
    found = compared([*ROBUST.values(), *NOT_ROBUST.values()], tmp_path)
    assert dict(zip(ROBUST, found, strict=False)) == dict.fromkeys(ROBUST, (True, True))
    assert dict(zip(NOT_ROBUST, found[len(ROBUST) :], strict=True)) == dict.fromkeys(NOT_ROBUST, (False, False))


def test_random_programs(tmp_path: Path) -> None:
    rng = random.Random(7)
    found = compared([maker(rng) for _ in range(40) for maker in (program, waiting_program)], tmp_path)
    assert (True, False) not in found
    assert found.count((True, True)) > 20
    assert found.count((False, False)) > 5
