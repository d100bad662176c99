"""The output of a traced program as steps and as evidence, and the outcome for a violation.

A traced program (`modules/tracing/tracer.py`) reports which statements it executes and which values it sees. The
runner turns each report into a `ReplayEvent`; everything after that is common to all engines.
"""

import struct
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from pycparser import c_ast

from cseq.backends.records import Record, Tag
from cseq.c.symbols import Symbols
from cseq.model import claims
from cseq.model.actions import ActionKind, Manner
from cseq.model.claims import Claim, Kind, Memory, Reason
from cseq.model.origin import Origin
from cseq.model.trace import Access, Action, Counterexample, Move, Step, Thread, by_call
from cseq.model.verdict import Outcome, Verdict
from cseq.modules.library import primitives
from cseq.modules.tracing import observations as obs
from cseq.modules.tracing.data_race import Conflict
from cseq.modules.tracing.deadlock import Deadlock
from cseq.modules.tracing.evidence import Evidence, ObservedObject, StoppedThread
from cseq.modules.tracing.naming import Objects
from cseq.modules.tracing.tracer import Point, Tracer
from cseq.pipeline.translator import user_name

_INT = (1 << 32) - 1
_OWNER_DEAD = 130  # EOWNERDEAD: a robust mutex is locked all the same
"""The bits of an int."""


class ReplayEvent(NamedTuple):
    """Either the beginning of a statement or a value that is seen; the other is None. bits: of the value."""

    point: Point | None
    value: obs.Observation | None = None
    bits: int = 0


def happenings(reported: Iterable[Record], tracer: Tracer) -> Iterator[ReplayEvent]:
    """The happenings that a sequentialized program has *reported*."""
    for record in reported:
        if record.tag is Tag.AT:
            yield ReplayEvent(tracer.points[record.number])
        elif record.tag is Tag.VALUE:
            yield ReplayEvent(None, tracer.values[record.number], record.value)


def steps(happened: Iterable[ReplayEvent], threads: list[Thread], sources: dict[str, list[str]]) -> list[Step]:
    """The steps of an execution. What one thread does on one line without interruption is one step."""
    found: list[Step] = []
    acts: list[int] = []  # positions in the step of the last point's actions whose objects are not known yet
    where: int | None = None
    is_asleep = False
    for point, value, bits in happened:
        if point is not None:
            last = found[-1] if found else None
            if not last or point.stands or last.thread != point.thread or last.origin != point.origin:
                found.append(Step(point.thread, point.origin, _source(point.origin, sources), stands=point.stands))
            acts = _act(found[-1], point)
            where = None
            continue
        if value is None or not found:
            continue
        match value:
            case obs.Input():
                found[-1].inputs.append(render(value.type, bits) if value.type else "")
            case obs.ObjectOrder():
                relied = Action(ActionKind.ORDER, value.text)
                if relied not in found[-1].actions:
                    found[-1].actions.append(relied)
            case obs.Address():
                where = bits
            case obs.Subject():
                number = acts.pop(0)
                found[-1].actions[number] = replace(found[-1].actions[number], object=bits)
            case obs.Identifier():
                known = threads[bits - 1] if 1 <= bits <= len(threads) else None
                last_action = found[-1].actions[-1]
                found[-1].actions[-1] = replace(last_action, thread=known, name="" if known else value.name)
            case obs.Result():
                kind = value.success if bits & _INT in (0, _OWNER_DEAD) else value.failure
                last_action = found[-1].actions[-1]
                manner = last_action.manner
                if kind is value.success and manner is Manner.SPURIOUS:
                    manner = Manner.TRIED
                found[-1].actions[-1] = replace(last_action, kind=kind, manner=manner)
            case obs.SleepState():
                is_asleep = bool(bits & 1)
            case obs.SpuriousEvent():
                if bits & 1 and (is_asleep or not value.if_asleep):
                    _mark_reasonless(found[-1].actions, value.kind)
            case obs.Attempt() if not bits & _INT:
                del found[-1].actions[-value.actions :]
            case obs.AccessedValue():
                _add(found[-1], value, bits, where)
                where = None
    if any(action.kind is ActionKind.ORDER for step in found for action in step.actions):
        _number_addresses(found)
    return found


def _number_addresses(found: list[Step]) -> None:
    """Have pointers shown by numbers: the objects lie in another order in the replay."""
    shown = [access.value for step in found for access in step.accesses]
    names = {value: f"address {n}" for n, value in enumerate(dict.fromkeys(v for v in shown if v.startswith("0x")), 1)}
    names |= {str(int(value, 16)): name for value, name in names.items()}  # as integers
    for step in found:
        step.accesses = [replace(access, value=names.get(access.value, access.value)) for access in step.accesses]


def plain(happened: Iterable[ReplayEvent]) -> list[ReplayEvent]:
    """The happenings without what is only for reproducers, such as the numbers of statements."""
    return [
        happening._replace(point=replace(happening.point, origin=happening.point.origin.plain()))
        if happening.point is not None and happening.point.origin.statement
        else happening
        for happening in happened
        if happening.point is None or not happening.point.hidden
    ]


def moves(happened: Iterable[ReplayEvent]) -> list[Move]:
    """The execution as a list of moves, statement by statement of the core language."""
    found: list[Move] = []
    where: int | None = None
    for point, value, bits in happened:
        if point is not None:
            where = None
            ends = any(action.kind is ActionKind.END for action in point.actions)
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
            continue
        if value is None or not found:
            continue
        match value:
            case obs.ThreadEnded() if bits:
                mine = [move for move in found if move.thread.number == value.thread]
                if mine and not any(move.ends for move in mine):
                    found.append(Move(mine[-1].thread, Origin("", 0), -1, False, ends=True))
            case obs.Input():
                found[-1].inputs.append(render(value.type, bits) if value.type else "")
            case obs.Address():
                where = bits
            case obs.Result():
                found[-1].results.append(bits & _INT)
            case obs.AccessedValue():
                found[-1].accesses.append(_access(value, bits, where))
                where = None
    return found


def _mark_reasonless(actions: list[Action], kind: ActionKind) -> None:
    """Note that the last action of this *kind* happens without a reason; add one where there is none."""
    for number in reversed(range(len(actions))):
        if actions[number].kind is kind:
            actions[number] = replace(actions[number], manner=Manner.SPURIOUS)
            return
    actions.append(Action(kind, manner=Manner.SPURIOUS))


def take_back(step: Step) -> None:
    """Remove from *step* the actions of its last call, which did not come about."""
    calls = by_call(step.actions)
    step.actions = [action for call in calls[:-1] for action in call]


def _act(step: Step, point: Point) -> list[int]:
    """Add what *point* does to *step*. Returns the positions of the actions that have objects."""
    if point.created:
        step.created.append(point.created)
        step.actions.append(Action(ActionKind.CREATE, thread=point.created))
    first = len(step.actions)
    step.actions.extend(point.actions)
    kinds = [action.kind for action in point.actions]
    return [number for number, kind in enumerate(kinds, first) if kind.has_object or kind is ActionKind.FREE]


def because_freed(claim: Claim, steps: list[Step]) -> Claim:
    """The *claim* that the last step violates, with where the memory was freed, if the claim is about that."""
    used = next((action.object for action in reversed(steps[-1].actions) if action.object), 0) if steps else 0
    if claim.kind is not Kind.MISUSE or claim.reason is not Reason.FREED:
        return claim
    freed = [
        (action.object, number)
        for number, step in enumerate(steps)
        for action in step.actions
        if action.kind is ActionKind.FREE and 0 < action.object <= used
    ]
    return claim.because(Memory(claims.MemoryState.FREED, steps[max(freed)[1]].origin if freed else None))


def evidence(
    happened: Iterable[ReplayEvent], types: dict[str, c_ast.Node], threads: list[Thread], symbols: Symbols
) -> Evidence:
    """What an execution shows besides its steps. types: of the objects that are a ``place``, by name."""
    seen = Evidence(threads, Objects(symbols))
    point: Point | None = None
    sight: ObservedObject | None = None
    where = 0
    for now, (new, value, bits) in enumerate([*happened, ReplayEvent(None)]):
        if sight is not None and point is not None and not isinstance(value, obs.ObjectState):
            if point.stands:
                seen.stands[-1].objects.append(sight)
            else:
                seen.sees(sight, point.origin)
            sight = None
        if new is not None:
            point = new
            if point.stands:
                seen.stands.append(StoppedThread(point.thread, point.origin, point.call))
            else:
                seen.last[point.thread.number] = now
        elif isinstance(value, obs.Address):
            where = bits
        elif isinstance(value, obs.AccessedValue):
            if where and value.kind == "write" and value.type == "pointer":
                seen.objects.store(where, bits)
            where = 0
        elif isinstance(value, obs.LibraryObject):
            sight = ObservedObject(value.kind, value.name, bits)
        elif isinstance(value, obs.ObjectState) and sight is not None:
            sight.state[value.member] = sight.state.get(value.member, 0) | bits << value.shift
        elif isinstance(value, obs.Clue):
            _note(seen, value, bits, types)
    return seen


def _note(seen: Evidence, clue: obs.Clue, bits: int, types: dict[str, c_ast.Node]) -> None:
    """Add to the evidence a clue that is not the state of an object."""
    match clue:
        case obs.ObjectAddress():
            seen.objects.add(user_name(clue.name) or clue.name, types[clue.name], bits)
        case obs.ThreadEnded() if bits:
            seen.ended.add(clue.thread)
        case obs.RaceAnnouncement() if bits and seen.stands[-1].accesses is None:
            seen.stands[-1].accesses = (clue.name, clue.function)
        case obs.RaceVariable():
            seen.said.setdefault(clue.variable, {})[clue.side] = bits


def deadlocked(found: Deadlock, done: list[Step], threads: list[Thread]) -> Outcome:
    """The outcome for a deadlock. The last steps are where the threads are stuck, those in the cycle first."""
    stuck = {known.thread: known for known in found.stuck}
    last = {step.thread: step for step in done if step.stands}
    for thread, step in last.items():
        step.why = stuck[thread]
    shown = [step for step in done if not step.stands] + [last[thread] for thread in stuck]
    counterexample = Counterexample(shown, threads, found.stuck)
    return Outcome(Verdict.FALSE, violated=found.violated, counterexample=counterexample)


def raced(found: Conflict, done: list[Step], threads: list[Thread]) -> Outcome:
    """The outcome for a data race. The last steps are the two accesses about to be made."""
    sides = {side.thread: side for side in found.sides}
    for step in done:
        if step.stands:
            step.why = sides[step.thread]
    counterexample = Counterexample(done, threads, racing=found.sides)
    return Outcome(Verdict.FALSE, violated=found.violated, counterexample=counterexample)


def _add(step: Step, value: obs.AccessedValue, bits: int, where: int | None) -> None:
    access = _access(value, bits, where)
    if access not in step.accesses or access.kind == "write":
        step.accesses.append(access)


def _access(value: obs.AccessedValue, bits: int, where: int | None) -> Access:
    """The access that shows *value*. where: its address, if other threads can reach the memory."""
    return Access(value.kind, value.name, render(value.type, bits), where is not None, where or 0)


def render(type_: str, bits: int) -> str:
    """The value that *bits* represent in *type_*, as C text."""
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
