"""An execution graph with a violation as steps of the user's program."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from cseq.c.symbols import Symbols
from cseq.model.actions import ActionKind, Manner, Mode, ObjectKind
from cseq.model.claims import RACE, Claim, Kind
from cseq.model.origin import Origin
from cseq.model.trace import (
    Access,
    Action,
    Atomicity,
    BarrierWait,
    CallWait,
    Counterexample,
    Hold,
    Holder,
    LockWait,
    OrderNeeded,
    Race,
    RaceKind,
    Racing,
    SemaphoreWait,
    SignalWait,
    Step,
    Stuck,
    Thread,
    ThreadWait,
    Unseen,
    Wait,
)
from cseq.model.verdict import Outcome, Property, Verdict
from cseq.modules.graphs.axioms import Event, Graph, is_consistent
from cseq.modules.graphs.missing_orders import missing
from cseq.modules.graphs.run import Explored
from cseq.modules.ir import instructions as ir
from cseq.modules.ir.instructions import Order
from cseq.modules.ir.program import Program
from cseq.modules.ir.types import Int, Pointer
from cseq.modules.library import primitives, stubs
from cseq.modules.library.acts import Act
from cseq.modules.tracing.circles import circle, special_reason
from cseq.modules.tracing.naming import Objects
from cseq.options.memory_models import BUFFERED, TSO

_LEAST = "memory"
"""What memory is called that has no name."""

_LOOKING = frozenset({
    ActionKind.SIGNAL, ActionKind.BROADCAST, ActionKind.PASS, ActionKind.TRY, ActionKind.READ_TRY, ActionKind.TRY_TAKE,
    ActionKind.LEAVE, ActionKind.WAKE,
})  # fmt: skip
"""What a step of the thread library may do without a change of its object."""

_ANY = 2**64 - 1
"""The set of threads of which one is enough, in the explorer's answer."""

_ACTIONS = {
    "create": ActionKind.CREATE, "join": ActionKind.JOIN, "end": ActionKind.END, "free": ActionKind.FREE,
    "allocate": ActionKind.ALLOCATE, "detach": ActionKind.DETACH,
}  # fmt: skip


class Execution:
    """The graph that the explorer *found*, and its events in an order that agrees with what they cause.

    program: whose instructions the events name. sources: the lines of the user's files. model: the memory model.
    later_stores: as for `Graph`.
    """

    def __init__(
        self,
        found: Explored,
        program: Program,
        symbols: Symbols,
        sources: dict[str, list[str]],
        model: str,
        later_stores: bool = True,
    ) -> None:
        self._found = found
        self._later_stores = later_stores
        self._events = found.graph
        self._program = program
        self._sources = sources
        self._model = model
        self._objects = Objects(symbols)
        for name, address in found.objects.items():
            if name in symbols.types:
                self._objects.add(name, symbols.types[name], address)
        functions = {0: "main"}
        for event in self._events:
            if event["kind"] == "create":
                creation = next(each for each in program.creations if each.number == event["where"])
                functions[event["object"]] = creation.start.name
        self.threads = {number: Thread(number, functions[number]) for number in sorted(functions)}
        self._next: dict[int, int] = {}
        last: dict[int, int] = {}
        for number, event in enumerate(self._events[1:], 1):
            if event["thread"] in last:
                self._next[last[event["thread"]]] = number
            last[event["thread"]] = number

    # The check

    def _graph(self, later_stores: bool = True) -> Graph:
        events = [
            Event(
                event["kind"], None if event["kind"] == "initial" else event["thread"], Order(event["order"]),
                event["object"], event["from"], event["place"], event["exclusive"], event["lock"],
            )
            for event in self._events
        ]  # fmt: skip
        return Graph(events, later_stores)

    def inconsistency(self) -> str:
        """What is wrong with the graph; empty if it is consistent in the memory model, and violates the property."""
        graph = self._graph(self._later_stores)
        if not is_consistent(graph, self._model):
            return "its axioms"
        for event in self._events:
            source = self._events[event["from"]]
            if event["kind"] == "load" and source["kind"] == "store" and (
                source["value"] != event["value"] or source["object"] != event["object"]
            ):  # fmt: skip
                return "a value"
        first, *rest = self._found.about or [0]
        freed = "free" in (self._events[number]["kind"] for number in self._found.about)
        if self._found.kind == "race" and not freed and not graph.race(first, rest[0]):
            return "the race"
        return ""

    # Steps

    def _order(self) -> list[int]:
        """The events in an order that agrees with po | rf, with creation and joining; one thread as long as it can.

        If the graph is sequentially consistent, each load then sees the last store. With buffers, a store is shown when
        it enters that of its thread, and what else there is in the order in which it happens.
        """
        graph = self._graph()
        is_sc = graph.is_sequentially_consistent()
        buffered = graph.buffered(self._model == TSO) if self._model in BUFFERED else ()
        done = {0}
        order: list[int] = []
        waiting = {number: [] for number in self.threads}  # type: dict[int, list[int]]
        for number, event in enumerate(self._events[1:], 1):
            waiting[event["thread"]].append(number)
        ends = {event["thread"]: n for n, event in enumerate(self._events) if event["kind"] == "end"}
        starts = {event["object"]: n for n, event in enumerate(self._events) if event["kind"] == "create"}

        def is_ready(number: int) -> bool:
            event = self._events[number]
            causes = {
                "load": event["from"],
                "join": ends.get(event["object"], 0),
                "start": starts.get(event["thread"], 0),
            }
            if event["kind"] == "store":
                return not (is_sc and is_early(event))
            late = any(
                row >> number & 1 and other not in done and self._events[other]["kind"] != "store"
                for other, row in enumerate(buffered)
            )
            return causes.get(event["kind"], 0) in done and not late

        def is_early(store: dict[str, Any]) -> bool:
            """Whether stores that it overwrites, or loads that read from these, are left."""
            for number, event in enumerate(self._events):
                if number in done or event["object"] != store["object"]:
                    continue
                written = self._events[event["from"]] if event["kind"] == "load" else event
                if event["kind"] in ("load", "store") and written["place"] < store["place"]:
                    return True
            return False

        while any(waiting.values()):
            thread = next(thread for thread, left in waiting.items() if left and is_ready(left[0]))
            while waiting[thread] and is_ready(waiting[thread][0]):
                number = waiting[thread].pop(0)
                done.add(number)
                order.append(number)
        return order

    def _causes(self, about: list[int]) -> frozenset[int]:
        """The events that cause those in *about*: what comes before them in po | rf, creation and joining."""
        found: set[int] = set()
        todo = list(about)
        while todo:
            number = todo.pop()
            event = self._events[number]
            before = {other for other in range(1, number) if self._events[other]["thread"] == event["thread"]}
            before |= {event["from"]} if event["kind"] == "load" else set()
            for other, kind in ((event["object"], "end"), (event["thread"], "create")):
                if (event["kind"], kind) in (("join", "end"), ("start", "create")):
                    key = "thread" if kind == "end" else "object"
                    before |= {n for n, e in enumerate(self._events) if e["kind"] == kind and e[key] == other}
            todo += before - found
            found |= before
        return frozenset(found)

    def _origin(self, number: int) -> Origin | None:
        event = self._events[number]
        if event["kind"] in ("start", "end"):
            return None
        origin: Origin | None = self._program.instructions[event["where"]].origin
        return origin

    def _name(self, event: dict[str, Any], size: int = 1) -> str:
        return self._objects.name_of(event["at"], size) or _LEAST

    def _value(self, event: dict[str, Any]) -> str:
        """The value of an access, as C text."""
        node = self._program.instructions[event["where"]]
        place = node.target() if event["kind"] == "store" else next(iter(node.loads), None)
        value: int = event["value"]
        if place is not None and isinstance(place.type, Int) and place.type.signed and place.type.width > 1:
            half = 1 << place.type.width - 1
            value = (value & 2 * half - 1 ^ half) - half
        if place is not None and isinstance(place.type, Pointer):
            return hex(value)
        return str(value)

    def _access(self, number: int, done: list[int]) -> Access:
        event = self._events[number]
        writes = event["kind"] == "store"
        unseen = None if writes else self._unseen(number, done)
        name = self._name(event, self._size(event))
        return Access("write" if writes else "read", name, self._value(event), True, event["at"], unseen)

    def _size(self, event: dict[str, Any]) -> int:
        node = self._program.instructions[event["where"]]
        place = node.target() if event["kind"] == "store" else next(iter(node.loads), None)
        return 1 if place is None else place.type.size

    def _unseen(self, number: int, done: list[int]) -> Unseen | None:
        """The last store of those *done* that comes after what the load reads from, by another thread."""
        load = self._events[number]
        read = self._events[load["from"]]["place"]
        for other in reversed(done):
            store = self._events[other]
            if store["kind"] != "store" or store["object"] != load["object"] or store["place"] <= read:
                continue
            origin = self._origin(other)
            if store["thread"] != load["thread"] and origin is not None:
                order = Order(load["order"])
                name = "" if order is Order.PLAIN else order.name.lower()
                is_buffered = self._model in BUFFERED
                return Unseen(self.threads[store["thread"]], origin, self._value(store), name, is_buffered)
        return None

    # The thread library

    def _argument(self, number: int) -> int:
        """Which argument of its call the object of an event of the thread library is."""
        event = self._events[number]
        node = self._program.instructions[event["where"]]
        assert isinstance(node, ir.Call)
        sizes = [each.type.to.size if isinstance(each.type, Pointer) else 0 for each in node.arguments]
        return sizes.index(event["size"]) if event["size"] in sizes else 0

    def _changes(self, number: int) -> bool:
        """Whether the event, a load of a step of the thread library, is followed by the store of that step."""
        after = self._events[self._next[number]] if number in self._next else {"kind": ""}
        return bool(after["kind"] == "store" and after["exclusive"])

    def _acts(self, number: int) -> Iterator[Act]:
        """What the event, one of a step of the thread library, does with its object."""
        event = self._events[number]
        node = self._program.instructions[event["where"]]
        if event["kind"] == "load" and (self._changes(number) or number not in self._next):
            return  # the store says it, or the thread waits
        assert isinstance(node, ir.Call)
        changes, argument = event["kind"] == "store", self._argument(number)
        for act in primitives.acts(node.function):
            kind, manner = act.kind, act.manner
            if kind in primitives.OUTCOMES:
                done, failed = primitives.OUTCOMES[kind]
                begins = kind is ActionKind.BEGIN
                kind = done if changes is not begins else failed
            if kind is ActionKind.WAKE and changes:
                manner = Manner.SPURIOUS
            if act.argument == argument and (changes or kind in _LOOKING):
                yield replace(act, kind=kind, manner=manner)

    def _actions(self, number: int) -> Iterator[Action]:
        event = self._events[number]
        kind = event["kind"]
        if event["lock"]:
            name = self._name(event, event["size"])
            for act in self._acts(number):
                yield Action(act.kind, name, object=event["at"], manner=act.manner, mode=act.mode)
        elif kind in _ACTIONS:
            thread = self.threads[event["object"]] if kind in ("create", "join", "detach") else None
            yield Action(_ACTIONS[kind], "" if thread else _LEAST, thread)

    def steps(self, without: frozenset[int] = frozenset()) -> list[Step]:
        """The steps of the execution; what one thread does on one line without interruption is one step.

        without: events that are left out.
        """
        found: list[Step] = []
        done: list[int] = []
        last: dict[int, Origin] = {}
        for number in self._order():
            event = self._events[number]
            origin = self._origin(number) or last.get(event["thread"])
            if number in without or event["kind"] in ("start", "wait") or origin is None:
                continue
            origin = origin.plain()
            last[event["thread"]] = origin
            thread = self.threads[event["thread"]]
            if not found or (found[-1].thread, found[-1].origin) != (thread, origin):
                found.append(Step(thread, origin, self._source(origin)))
            step = found[-1]
            for action in self._actions(number):
                step.actions.append(action)
                if action.kind is ActionKind.CREATE and action.thread is not None:
                    step.created.append(action.thread)
            if event["kind"] in ("load", "store") and not event["lock"]:
                step.accesses.append(self._access(number, done))
            done.append(number)
        return found

    def _source(self, origin: Origin) -> str:
        lines = self._sources.get(origin.file, [])
        return lines[origin.line - 1].strip() if 0 < origin.line <= len(lines) else ""

    # Outcomes

    def violated(self, claim: Claim, origin: Origin | None) -> Outcome:
        """The outcome for a claim that does not hold."""
        is_sc = self._graph().is_sequentially_consistent()
        needed = () if is_sc else self._needed(lambda _: True)
        shown = Counterexample(self.steps(), [*self.threads.values()], needed=needed)
        return Outcome(Verdict.FALSE, violated=Property(claim, origin), counterexample=shown)

    def _stands(self, number: int) -> Iterator[tuple[Thread, Origin, Step]]:
        thread, origin = self.threads[self._events[number]["thread"]], self._origin(number)
        if origin is not None:
            yield thread, origin, Step(thread, origin.plain(), self._source(origin), stands=True)

    def raced(self) -> Outcome:
        """The outcome for a data race: what causes the two accesses, and then those, unless one causes the other."""
        about = self._found.about
        shown = self._causes(about)
        sides: list[Racing] = []
        steps = self.steps(frozenset(range(len(self._events))) - shown)
        for number in about:
            event = self._events[number]
            kind = {"load": RaceKind.READ, "store": RaceKind.WRITE}.get(event["kind"], RaceKind.FREE)
            how = Atomicity.ATOMIC if event["order"] else Atomicity.NONE
            for thread, origin, step in self._stands(number):
                name = _LEAST if kind is RaceKind.FREE else self._name(event, self._size(event))
                sides.append(
                    Racing(thread, origin, kind, name, how, holds=tuple(self._holds(event["thread"], number).values()))
                )
                step.why = sides[-1]
                steps += [] if number in shown else [step]
        one, other = sides
        violated = Property(RACE, one.origin, account=Race((one, other), one.name if one.name == other.name else ""))
        first, second = about
        needed = self._needed(lambda graph: not (graph.hb[first] >> second | graph.hb[second] >> first) & 1)
        shown_steps = Counterexample(steps, [*self.threads.values()], racing=sides, needed=needed)
        return Outcome(Verdict.FALSE, violated=violated, counterexample=shown_steps)

    def _needed(self, is_bad: Callable[[Graph], bool]) -> tuple[OrderNeeded, ...]:
        """The stronger orders with which the graph is not consistent, or not bad."""
        graph = self._graph(self._later_stores)
        places = [None if event["lock"] else event["where"] for event in self._events]
        found = []
        for number, kind, before, after in missing(graph.events, places, self._later_stores, is_bad):
            origin = self._origin(number)
            if origin is not None:
                found.append(OrderNeeded(origin.plain(), kind.value, before.name.lower(), after.name.lower()))
        return tuple(found)

    def _holds(self, thread: int, until: int | None = None) -> dict[int, Hold]:
        """What a thread holds in the end, or *until* an event, by its location."""
        found: dict[int, list[Hold]] = {}
        for number, event in enumerate(self._events[:until]):
            origin = self._origin(number) if event["thread"] == thread and event["lock"] else None
            for act in self._acts(number) if origin is not None else ():
                if act.kind in (ActionKind.LOCK, ActionKind.READ_LOCK, ActionKind.BEGIN):
                    assert origin is not None
                    hold = Hold(self._name(event, event["size"]), origin, act.mode is Mode.READING, self._kind(number))
                    found.setdefault(event["object"], []).append(hold)
                elif act.kind in (ActionKind.UNLOCK, ActionKind.FINISH) and found.get(event["object"]):
                    found[event["object"]].pop()
        return {location: holds[0] for location, holds in found.items() if holds}

    def _kind(self, number: int) -> ObjectKind:
        node = self._program.instructions[self._events[number]["where"]]
        assert isinstance(node, ir.Call)
        return stubs.object_kind(node.function, self._argument(number)) or ObjectKind.MUTEX

    def _wait(self, number: int, who: tuple[Thread, ...], left: tuple[Thread, ...]) -> Wait:
        """What the event *number* waits for, if the threads *who* have to act, of which those *left* are stuck."""
        event = self._events[number]
        if event["kind"] == "wait":
            return ThreadWait(who[0])
        name, kind = self._name(event, event["size"]), self._kind(number)
        node = self._program.instructions[event["where"]]
        assert isinstance(node, ir.Call)
        match kind:
            case ObjectKind.CONDITION:
                return SignalWait(name)
            case ObjectKind.SEMAPHORE:
                return SemaphoreWait(name)
            case ObjectKind.BARRIER:
                state = bytes.fromhex(event["state"])
                count, arrived = (int.from_bytes(state[at : at + 4], "little") & 0xFFFF for at in (4, 8))
                return BarrierWait(name, arrived, count)
        if not who:
            return CallWait(primitives.called(node.function))
        holder = left[0] if left else who[0]
        since = next((hold.since for at, hold in self._holds(holder.number).items() if at == event["object"]), None)
        modes = [act.mode for act in primitives.acts(node.function)]
        return LockWait(kind, name, Holder(holder, since, not left), modes[0] if modes else Mode.EXCLUSIVE)

    def deadlocked(self) -> Outcome:
        """The outcome for a deadlock. The threads of a cycle come first."""
        stuck: dict[int, Stuck] = {}
        steps = {}
        about = {self._events[number]["thread"]: number for number in self._found.about}
        masks = dict(zip(about, self._found.who, strict=True))
        for waiting, number in about.items():
            who = () if masks[waiting] == _ANY else tuple(
                thread for each, thread in self.threads.items() if masks[waiting] >> each & 1
            )  # fmt: skip
            left = tuple(thread for thread in who if thread.number in about)
            for thread, origin, step in self._stands(number):
                stuck[waiting] = Stuck(thread, origin, self._wait(number, who, left), left)
                steps[waiting] = step
        around = circle({number: frozenset(who.number for who in one.who) for number, one in stuck.items()})
        ahead = dict(zip(around, [*around[-1:], *around], strict=False))
        ordered = [*around, *(number for number in stuck if number not in around)]
        threads = []
        for number in ordered:
            holds = self._holds(number)
            waiting = self._events[about[ahead[number]]] if number in ahead else None
            blocks = holds.get(waiting["object"]) if waiting is not None and waiting["lock"] else None
            found = replace(stuck[number], in_circle=number in around, holds=tuple(holds.values()), blocks=blocks)
            steps[number].why = found
            threads.append(found)
        end = frozenset(n for n, event in enumerate(self._events) if event["kind"] == "end" and event["thread"] == 0)
        shown = [*self.steps(end), *(steps[number] for number in ordered)]
        claim = Claim(Kind.DEADLOCK, special_reason(threads))
        violated = Property(claim, threads[0].origin, account=tuple(threads))
        return Outcome(
            Verdict.FALSE, violated=violated, counterexample=Counterexample(shown, [*self.threads.values()], threads)
        )
