"""Certificates with one claim changed, each of which makes it stronger, so that it may be wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import copy
from dataclasses import replace
from typing import Any, NamedTuple

from cseq.modules.modular.certificate.form import (
    NOTHING,
    Certificate,
    Held,
    Limits,
    LockKind,
    Numbers,
    State,
    ThreadClaim,
)

_FAR = 64
"""Further than the loops of the tests count."""


class Mutant(NamedTuple):
    """What was changed, and the certificate."""

    what: str
    certificate: Certificate


def mutants(original: Certificate) -> Iterator[Mutant]:
    """All mutants of a certificate."""
    yield from _of_pointers(original)
    for number, thread in original.threads.items():
        for what, changed in _of_thread(thread):
            yield Mutant(f"{what}, thread {number}", _with(original, changed))
        for node, state in thread.states.items():
            for what, other in _of_state(state):
                changed = replace(thread, states={**thread.states, node: other})
                yield Mutant(f"{what}, thread {number} at {node}", _with(original, changed))
            left = {each: known for each, known in thread.states.items() if each != node}
            yield Mutant(f"node, thread {number} at {node}", _with(original, replace(thread, states=left)))
    for key in original.creations:
        left_ = {each: number for each, number in original.creations.items() if each != key}
        yield Mutant("creation", replace(original, creations=left_))
    for sites, kinds in original.reasons.items():
        yield Mutant("no reason", replace(original, reasons=_without(original.reasons, sites)))
        for kind in kinds:
            others = {**original.reasons, sites: frozenset(type(kind)) - {kind}}
            if kind.name == "LOCKED":
                yield Mutant("another reason than a lock", replace(original, reasons=others))


def _with(original: Certificate, thread: ThreadClaim) -> Certificate:
    return replace(original, threads={**original.threads, thread.number: thread})


def _without(mapping: dict[Any, Any], key: object) -> dict[Any, Any]:
    return {each: value for each, value in mapping.items() if each != key}


def _of_pointers(original: Certificate) -> Iterator[Mutant]:
    pointers = original.pointers
    for root, found in pointers.content.items():
        for each in found:
            content = {**pointers.content, root: found - {each}}
            yield Mutant(f"points-to {root}", replace(original, pointers=replace(pointers, content=content)))
    for name, found in pointers.returned.items():
        for each in found:
            returned = {**pointers.returned, name: found - {each}}
            yield Mutant(f"returned {name}", replace(original, pointers=replace(pointers, returned=returned)))


def _of_thread(thread: ThreadClaim) -> Iterator[tuple[str, ThreadClaim]]:
    if thread.is_many:
        yield "one thread only", replace(thread, is_many=False)
    for each in thread.beside:
        yield "beside", replace(thread, beside=thread.beside - {each})
    if thread.number:
        yield "argument", replace(thread, argument=thread.argument.add(1))
    for key, cell in thread.initial.cells.items():
        initial = replace(thread.initial, cells={**thread.initial.cells, key: cell._replace(value=cell.value.add(1))})
        yield "initial memory", replace(thread, initial=initial)
    if thread.leaves and thread.number:
        yield "leaves", replace(thread, leaves=False)
    if not thread.is_numbered and thread.number:
        yield "numbered", replace(thread, is_numbered=True)
    if thread.number and thread.most != 1:
        yield "most", replace(thread, most=1)
    for creation, form in thread.handles.items():
        yield "identifier", replace(thread, handles={**thread.handles, creation: (form or NOTHING).add(4)})


def _of_state(state: State) -> Iterator[tuple[str, State]]:
    changed: Callable[..., State] = lambda **parts: replace(copy(state), **parts)  # noqa: E731
    for key, cell in state.cells.items():
        yield "value", changed(cells={**state.cells, key: cell._replace(value=cell.value.add(1))})
    for lock, held in state.held.items():
        yield "another lock", changed(held={**_without(state.held, lock), lock.add(1): held})
        if not held.writes:
            yield "held for writing", changed(held={**state.held, lock: held._replace(writes=True)})
    if not state.held:
        for key in state.cells:
            held = Held(True, LockKind.LOCK, frozenset())
            yield "a lock that is not held", changed(held={key: held})
            break
    for each in state.may_hold:
        yield "lock that may be held", changed(may_hold=state.may_hold - {each})
    for creation, numbers in state.alive.items():
        yield "no thread exists", changed(alive=_without(state.alive, creation))
        if numbers is not None:
            fewer = Numbers(numbers.lower.add(1), numbers.upper)
            yield "fewer threads", changed(alive={**state.alive, creation: fewer})
    for atom, limits in state.limits.items():
        for lower in limits.lower:
            more = Limits(limits.lower | {lower.add(_FAR)}, limits.upper)
            yield "at least", changed(limits={**state.limits, atom: more})
        for part in limits.upper:
            less = frozenset(each.add(-_FAR) for each in part)
            yield "at most", changed(limits={**state.limits, atom: Limits(limits.lower, limits.upper | {less})})
    for event, count in state.counts.items():
        yield "count", changed(counts={**state.counts, event: count.add(1)})
    for at, least in state.observed:
        yield "observed", changed(observed=state.observed | {(at, least.add(_FAR))})
    if not state.is_first:
        yield "no thread was created", changed(is_first=True)
    yield "an atomic section", changed(sections=state.sections + 1)
    for block in {a for key in state.cells for a, _ in key.parts if a.is_object and a not in state.private}:
        yield "private", changed(private=state.private | {block})
