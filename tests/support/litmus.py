"""Small programs of a few accesses, and all their execution graphs, found by trying everything.

The reference for the explorer of execution graphs: every value that a load might have, every store with that value as
its source, every modification order. The axioms decide which of these graphs there are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import permutations, product
from pathlib import Path

from cseq.backends.native import GRAPHS_SOURCES
from cseq.c.preprocess import compiler
from cseq.modules.graphs.axioms import Event, Graph, is_consistent
from cseq.modules.ir.instructions import Order
from cseq.process.run import run

PLAIN, RLX, ACQ, REL, ACQ_REL, SC = (
    Order.PLAIN, Order.RELAXED, Order.ACQUIRE, Order.RELEASE, Order.ACQ_REL, Order.SEQ_CST
)  # fmt: skip


@dataclass(frozen=True)
class Op:
    """An operation of a thread.

    kind: ``load``, ``store``, ``copy`` (stores the last value loaded plus *value*), ``add``, ``swap``, ``compare``
    (stores *value* where *expected* is found), ``fence`` or ``create`` (the next thread); ``await`` and ``acquire``, a
    load and a compare that are repeated until *expected* is found; ``lock`` and ``unlock`` of a mutex, steps of the
    thread library, whose location has no other operations. guarded: it is done only if the last value loaded is not 0.
    """

    kind: str
    location: int = 0
    order: Order = RLX
    value: int = 0
    expected: int = 0
    failure: Order = RLX
    guarded: bool = False


def R(location: int, order: Order = RLX, guarded: bool = False) -> Op:
    """A load."""
    return Op("load", location, order, guarded=guarded)


def W(location: int, value: int, order: Order = RLX) -> Op:
    """A store."""
    return Op("store", location, order, value)


def F(order: Order) -> Op:
    """A fence."""
    return Op("fence", order=order)


CREATE = Op("create")
"""Creates the next thread, which main creates otherwise."""

Thread = Sequence[Op]
_LOADS = ("load", "add", "swap", "compare", "await", "acquire", "lock", "unlock")
_STORES = ("store", "copy", "add", "swap", "compare", "acquire", "lock", "unlock")
_WAITS = ("await", "acquire", "lock")
VALUES = 4  # values wrap around, so that there are few


def _loading(order: Order) -> Order:
    return {ACQ_REL: ACQ, REL: RLX}.get(order, order)


def _storing(order: Order) -> Order:
    return {ACQ_REL: REL, ACQ: RLX}.get(order, order)


def _paths(
    thread: int, ops: Thread, values: Sequence[set[int]], is_whole: bool = True
) -> Iterator[list[tuple[Event, int]]]:
    """What a thread may do if each load has one of the *values* of its location. is_whole: only until its end."""

    def follow(position: int, last: int, done: list[tuple[Event, int]]) -> Iterator[list[tuple[Event, int]]]:
        if position == len(ops) or not is_whole:
            yield done
        if position == len(ops):
            return
        op = ops[position]
        if op.guarded and not last:
            yield from follow(position + 1, last, done)
            return
        if op.kind == "fence":
            yield from follow(position + 1, last, [*done, (Event("fence", thread, op.order), 0)])
            return
        if op is CREATE:
            yield from follow(position + 1, last, [*done, (Event("create", thread, object=thread + 1), 0)])
            return
        for value in values[op.location] if op.kind in _LOADS else [last]:
            events = []
            if (op.kind in _WAITS and value != op.expected) or (op.kind == "unlock" and value != thread + 1):
                continue
            fails = op.kind == "compare" and value != op.expected
            locks = op.kind in ("lock", "unlock")
            exclusive = op.kind in _LOADS and op.kind not in ("load", "await")
            if op.kind in _LOADS:
                order = _loading(op.failure if fails else op.order)
                events.append((Event("load", thread, order, op.location, exclusive=exclusive, locks=locks), value))
            if op.kind in _STORES and not fails:
                new = (value + op.value) % VALUES if op.kind in ("copy", "add") else op.value
                new = thread + 1 if op.kind == "lock" else new
                order = _storing(op.order)
                events.append((Event("store", thread, order, op.location, exclusive=exclusive, locks=locks), new))
            yield from follow(position + 1, last if locks else value, [*done, *events])

    yield from follow(0, 0, [])


def _possible_values(threads: Sequence[Thread]) -> list[set[int]]:
    """The values that each location may have."""
    values: list[set[int]] = [{0} for _ in range(1 + max(op.location for ops in threads for op in ops))]
    while True:
        before = [set(each) for each in values]
        for number, ops in enumerate(threads):
            for path in _paths(number + 1, ops, before, is_whole=False):
                for event, value in path:
                    if event.kind == "store":
                        values[event.object].add(value)
        if values == before:
            return values


def graphs(threads: Sequence[Thread], model: str = "c11", later_stores: bool = True) -> Iterator[str]:
    """All consistent graphs, each as the explorer lists it: thread 0 has created the threads."""
    for made, held, _ in _graphs(threads, model, later_stores):
        yield _listed(made.events, held, len(threads))


def executions(threads: Sequence[Thread]) -> Iterator[tuple[Graph, Sequence[int]]]:
    """All consistent graphs under C11, with the value that each event loads or stores."""
    return ((made, held) for made, held, _ in _graphs(threads, "c11", True))


def outcomes(threads: Sequence[Thread], model: str = "c11", later_stores: bool = True) -> set[tuple[int, ...]]:
    """The values that the loads may have, in the order of the text."""
    return {_loaded(made, held) for made, held, _ in _graphs(threads, model, later_stores)}


def final_outcomes(threads: Sequence[Thread], model: str) -> set[tuple[int, ...]]:
    """The same with the values of the locations in the end."""
    return {(*_loaded(made, held), *last) for made, held, last in _graphs(threads, model, True)}


def _loaded(made: Graph, held: Sequence[int]) -> tuple[int, ...]:
    """The values of the loads, except of those for mutexes."""
    loads = (number for number, event in enumerate(made.events) if event.kind == "load" and not event.locks)
    return tuple(held[number] for number in loads)


def _graphs(
    threads: Sequence[Thread], model: str, later_stores: bool
) -> Iterator[tuple[Graph, list[int], tuple[int, ...]]]:
    values = _possible_values(threads)
    for paths in product(*(list(_paths(number + 1, ops, values)) for number, ops in enumerate(threads))):
        events, held = [Event("initial", None)], [0]
        for path in paths:
            for event, value in path:
                events.append(event)
                held.append(value)
        stores = [number for number, event in enumerate(events) if event.kind == "store"]
        loads = [number for number, event in enumerate(events) if event.kind == "load"]
        orders = [
            list(permutations([number for number in stores if events[number].object == location]))
            for location in range(len(values))
        ]
        sources = []
        for load in loads:
            found = [s for s in stores if events[s].object == events[load].object and held[s] == held[load]]
            sources.append([*([0] if held[load] == 0 else []), *found])
        for chosen in product(*sources):
            for order in product(*orders):
                made = list(events)
                for load, source in zip(loads, chosen, strict=True):
                    made[load] = replace(made[load], source=source)
                for each in order:
                    for place, store in enumerate(each, 1):
                        made[store] = replace(made[store], place=place)
                strong = made if model != "sc" else [_strengthened(event) for event in made]
                graph = Graph(strong, later_stores)
                if is_consistent(graph, model):
                    last = tuple(held[each[-1]] if each else 0 for each in order)
                    yield graph, held, last


def _strengthened(event: Event) -> Event:
    return event if event.order is PLAIN else replace(event, order=SC)


def _listed(events: Sequence[Event], values: Sequence[int], threads: int) -> str:
    index, parts, counts = {}, ["execution |"], [0] * (threads + 1)
    for number, event in enumerate(events):
        if event.thread is not None:
            counts[event.thread] += 1
            index[number] = counts[event.thread]
    for thread in range(1, threads + 1):
        parts.append(" |")
        for number, event in enumerate(events):
            if event.thread != thread:
                continue
            if event.kind == "load":
                source = events[event.source]
                parts.append(f" r{source.thread}.{index[event.source]}" if event.source else " r-")
            elif event.kind == "store":
                parts.append(f" w{event.place}={values[number]}")
    return "".join(parts)


# The same programs for the explorer


def _calls(number: int, ops: Thread) -> Iterator[str]:
    yield "unsigned last = 0;"
    for loop, op in enumerate(ops):
        at, order, new = f"&x[{op.location}], 4", int(op.order), op.value
        match op.kind:
            case "load":
                text = f"last = __CSEQ_load({at}, {order}, 0);"
            case "store":
                text = f"__CSEQ_store({at}, {order}, {new}, 0);"
            case "copy":
                text = f"__CSEQ_store({at}, {order}, (last + {new}) % {VALUES}, 0);"
            case "fence":
                text = f"__CSEQ_fence({order}, 0);"
            case "create":
                text = f"__CSEQ_create({number + 1}, 0, 0);"
            case "await":
                text = f"for (;;) {{ __CSEQ_loop({loop}, 0, 0, 0); last = __CSEQ_load({at}, {order}, 0); "
                text += f"if (last == {op.expected}) break; }}"
            case "acquire":
                text = f"for (;;) {{ __CSEQ_loop({loop}, 0, 0, 0); __CSEQ_begin({order}, {int(op.failure)}); "
                text += f"last = __CSEQ_load({at}, 0, 0); if (last == {op.expected}) __CSEQ_store({at}, 0, {new}, 0); "
                text += f"__CSEQ_end(); if (last == {op.expected}) break; }}"
            case "lock":
                text = f"__CSEQ_open(&m[{op.location}], 1, {int(ACQ)}, {int(RLX)}, 0); "
                text += f"do {{ if (m[{op.location}]) __CSEQ_block(0); m[{op.location}] = {number + 1}; }} "
                text += "while (__CSEQ_again());"
            case "unlock":
                text = f"__CSEQ_open(&m[{op.location}], 1, {int(REL)}, {int(RLX)}, 0); "
                text += f"do m[{op.location}] = 0; while (__CSEQ_again());"
            case _:
                new_value = f"(last + {new}) % {VALUES}" if op.kind == "add" else f"{new}"
                test = f"if (last == {op.expected}) " if op.kind == "compare" else ""
                text = f"__CSEQ_begin({order}, {int(op.failure)}); last = __CSEQ_load({at}, 0, 0); "
                text += f"{test}__CSEQ_store({at}, 0, {new_value}, 0); __CSEQ_end();"
        yield f"if (last) {{ {text} }}" if op.guarded else text


def build(programs: Sequence[Sequence[Thread]], folder: Path) -> Path:
    """The explorer with all *programs*; the variable LITMUS of the environment chooses one by its number."""
    text = [
        '#include "interface.h"', "char *getenv(const char *);", "int atoi(const char *);",
        "static unsigned x[16]; static char m[16];",
        "__CSEQ_word __CSEQ_run(unsigned function, __CSEQ_word argument)", "{",
        'int number = atoi(getenv("LITMUS"));',
    ]  # fmt: skip
    for number, threads in enumerate(programs):
        for function, ops in enumerate(threads, 1):
            calls = " ".join(_calls(function, ops))
            text.append(f"if (number == {number} && function == {function}) {{ {calls} return 0; }}")
        of_main = [function for function in range(len(threads)) if function == 0 or CREATE not in threads[function - 1]]
        creations = " ".join(f"__CSEQ_create({function + 1}, 0, 0);" for function in of_main)
        text.append(f"if (number == {number} && function == 0) {{ {creations} return 0; }}")
    source, binary = folder / "litmus.c", folder / "litmus"
    source.write_text("\n".join([*text, "return argument;", "}"]), encoding="utf-8")
    sources = [str(path) for path in GRAPHS_SOURCES]
    done = run([compiler(), "-O1", f"-I{GRAPHS_SOURCES[0].parent}", *sources, str(source), "-o", str(binary)])
    assert done.status == 0, done.stderr
    return binary


def explored(binary: Path, number: int, *options: str) -> list[str]:
    """The graphs that the explorer lists for program *number*."""
    command = ["/usr/bin/env", f"LITMUS={number}", str(binary), "--list", "1", *options]
    done = run(command)
    *found, answer = done.stdout.splitlines()
    assert '"status": "safe"' in answer or '"status": "racy"' in answer, answer
    return found
