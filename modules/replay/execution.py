"""What a traced program printed, as steps and as evidence, and what that makes of a violation.

A traced program (`modules/replay/tracer.py`) says which statements it executes, and which values it sees. Who runs it
makes a `Happening` of each of these; the rest is the same for all.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from pycparser import c_ast

from cseq.base.linemap import Origin
from cseq.base.trace import Access, Action, Counterexample, Move, Step, Thread
from cseq.base.verdict import Outcome, Verdict
from cseq.c.symbols import Symbols
from cseq.modules.library import primitives
from cseq.modules.replay.data_race import Race, about
from cseq.modules.replay.deadlock import Deadlock
from cseq.modules.replay.evidence import Evidence, Sight, Stand
from cseq.modules.replay.naming import Objects
from cseq.modules.replay.tracer import EVIDENCE, Point, Tracer, Value
from cseq.pipeline.translator import user_name

_INT = (1 << 32) - 1
"""The bits of an int."""


class Happening(NamedTuple):
    """A statement begins, or a value is seen: of these one is None. bits: of the value."""

    point: Point | None
    value: Value | None = None
    bits: int = 0


def happenings(lines: list[str], tracer: Tracer) -> Iterator[Happening]:
    """What the trace *lines* of a sequentialized program tell."""
    for line in lines:
        words = line.split()
        if words[:1] == ["a"]:
            yield Happening(tracer.points[int(words[1], 16)])
        elif words[:1] == ["v"]:
            yield Happening(None, tracer.values[int(words[1], 16)], int(words[2], 16))


def steps(happened: Iterable[Happening], threads: list[Thread], sources: dict[str, list[str]]) -> list[Step]:
    """The steps of an execution; what one thread does on one line without interruption is one step."""
    found: list[Step] = []
    acts: list[int] = []  # those of the last point, by their places in the step, whose objects were not told yet
    where: int | None = None
    for point, value, bits in happened:
        if point is not None:
            last = found[-1] if found else None
            if not last or point.stands or last.thread != point.thread or last.origin != point.origin:
                found.append(Step(point.thread, point.origin, _source(point.origin, sources), stands=point.stands))
            acts = _act(found[-1], point)
            where = None
        elif value is None or value.kind in EVIDENCE or not found:
            continue
        elif value.kind == "input":
            found[-1].inputs.append(render(value.type, bits) if value.type else "")
        elif value.kind == "where":
            where = bits
        elif value.kind == "about":
            number = acts.pop(0)
            found[-1].actions[number] = replace(found[-1].actions[number], object=bits)
        elif value.kind == "result":
            kind = value.type if bits & _INT else value.name
            found[-1].actions[-1] = replace(found[-1].actions[-1], kind=kind)
        else:
            _add(found[-1], value, bits, threads, where)
            where = None
    return found


def plain(happened: Iterable[Happening]) -> list[Happening]:
    """The same without what is for reproducers alone, such as the numbers of statements."""
    return [
        happening._replace(point=replace(happening.point, origin=happening.point.origin.plain()))
        if happening.point is not None and happening.point.origin.statement
        else happening
        for happening in happened
        if happening.point is None or not happening.point.hidden
    ]


def moves(happened: Iterable[Happening]) -> list[Move]:
    """What an execution is made of, statement by statement of the core language."""
    found: list[Move] = []
    where: int | None = None
    for point, value, bits in happened:
        if point is not None:
            where = None
            ends = any(kind == "end" for kind, _ in point.acts)
            created = [point.created] if point.created else []
            move = Move(
                point.thread,
                point.origin,
                point.number,
                point.visible,
                point.more,
                point.function,
                ends,
                point.stands,
                effect=primitives.effect(point.function),
            )
            move.created.extend(created)
            found.append(move)
        elif value is None or not found:
            continue
        elif value.kind == "ended" and bits:
            mine = [move for move in found if move.thread.number == int(value.name)]
            if mine and not any(move.ends for move in mine):
                found.append(Move(mine[-1].thread, Origin("", 0), -1, False, ends=True))
        elif value.kind == "input":
            found[-1].inputs.append(render(value.type, bits) if value.type else "")
        elif value.kind == "where":
            where = bits
        elif value.kind == "result":
            found[-1].results.append(bits & _INT)
        elif value.kind in ("read", "write", "undefined") and value.type != "thread":
            shared = where is not None
            found[-1].accesses.append(Access(value.kind, value.name, render(value.type, bits), shared, where or 0))
            where = None
    return found


def take_back(step: Step) -> None:
    """Take out of *step* what its last event says, which did not come about."""
    if step.events:
        step.events.pop()
        step.actions.clear()


def _act(step: Step, point: Point) -> list[int]:
    """Put what *point* does into *step*; the places of those actions that have objects."""
    if point.event:
        step.events.append(point.event)
    if point.created:
        step.created.append(point.created)
        step.actions.append(Action("create", "", point.created))
    first = len(step.actions)
    step.actions.extend(Action(kind, name) for kind, name in point.acts)
    return [first + number for number, (_, name) in enumerate(point.acts) if name]


def evidence(
    happened: Iterable[Happening], types: dict[str, c_ast.Node], threads: list[Thread], symbols: Symbols
) -> Evidence:
    """What an execution tells beside its steps. types: of the objects that are a ``place``, by name."""
    seen = Evidence(threads, Objects(symbols))
    point: Point | None = None
    sight: Sight | None = None
    for now, (new, value, bits) in enumerate([*happened, Happening(None)]):
        if sight is not None and point is not None and (value is None or value.kind != "state"):
            if point.stands:
                seen.stands[-1].objects.append(sight)
            else:
                seen.sees(sight, point.origin)
            sight = None
        if new is not None:
            point = new
            if point.stands:
                seen.stands.append(Stand(point.thread, point.origin, point.call))
            else:
                seen.last[point.thread.number] = now
        elif value is None:
            continue
        elif value.kind == "place":
            seen.objects.add(user_name(value.name) or value.name, types[value.name], bits)
        elif value.kind == "object":
            sight = Sight(value.type, value.name, bits)
        elif value.kind == "state" and sight is not None:
            sight.state[value.name] = bits
        elif value.kind == "ended" and bits:
            seen.ended.add(int(value.name))
        elif value.kind == "tells" and bits and seen.stands[-1].accesses is None:
            seen.stands[-1].accesses = (value.name, value.type)
        elif value.kind == "access":
            seen.said.setdefault(value.name, {})[int(value.type)] = bits
    return seen


def deadlocked(found: Deadlock, done: list[Step], threads: list[Thread]) -> Outcome:
    """The outcome for a deadlock: the last steps are where the threads are stuck, those on the circle first."""
    stuck = {known.thread: known for known in found.stuck}
    last = {step.thread: step for step in done if step.stands}
    for thread, step in last.items():
        step.events.append(stuck[thread].waits)
    shown = [step for step in done if not step.stands] + [last[thread] for thread in stuck]
    counterexample = Counterexample(shown, threads, list(stuck.values()))
    return Outcome(Verdict.FALSE, violated=found.violated, counterexample=counterexample)


def raced(found: Race, done: list[Step], threads: list[Thread]) -> Outcome:
    """The outcome for a data race: the last steps are the two accesses that are about to be made."""
    sides = {side.thread: side for side in found.sides}
    for step in done:
        if step.stands:
            step.events.extend(about(sides[step.thread]))
    counterexample = Counterexample(done, threads, racing=found.sides)
    return Outcome(Verdict.FALSE, violated=found.violated, counterexample=counterexample)


def _add(step: Step, value: Value, bits: int, threads: list[Thread], where: int | None) -> None:
    if value.type == "thread":
        known = threads[bits - 1] if 1 <= bits <= len(threads) else None
        step.events[-1] += f" {known}" if known else f" {value.name}, which is no thread"
        if step.actions and step.actions[-1].kind in ("join", "cancel"):
            step.actions[-1] = replace(step.actions[-1], thread=known)
        return
    access = Access(value.kind, value.name, render(value.type, bits), where is not None, where or 0)
    if access not in step.accesses or access.kind == "write":
        step.accesses.append(access)


def render(type_: str, bits: int) -> str:
    """The value that *bits* stand for in *type_*, as C text."""
    if type_ in ("float", "double", "long double"):
        return repr(struct.unpack("<d", bits.to_bytes(8, "little"))[0])
    if type_ == "pointer":
        return "NULL" if bits == 0 else hex(bits)
    if not type_.startswith("unsigned") and bits >> 63:
        bits -= 1 << 64
    return str(bits)


def _source(origin: Origin, sources: dict[str, list[str]]) -> str:
    lines: Any = sources.get(origin.file, ())
    return lines[origin.line - 1].strip() if 0 < origin.line <= len(lines) else ""
