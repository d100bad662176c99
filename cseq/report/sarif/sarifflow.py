"""A counterexample in SARIF: a code flow with a thread flow for each thread, stacks, and related locations."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from cseq.model.actions import ActionKind, Mode
from cseq.model.origin import Origin
from cseq.model.trace import Access, Action, Counterexample, Hold, Step, Thread
from cseq.model.verdict import Property
from cseq.report.actions import action, events
from cseq.report.catalogue import Catalogue
from cseq.report.sarif.sarifplaces import Places, text
from cseq.report.steps import effects
from cseq.report.words import clean

MOST_STEPS = 10_000
"""GitHub's code scanning refuses results with more steps. It shows 1,000 of them, the most important ones."""

_ESSENTIAL, _IMPORTANT, _UNIMPORTANT = "essential", "important", "unimportant"

_KINDS = {
    ActionKind.CREATE: ("call", "thread"),
    ActionKind.CANCEL: ("call", "thread"),
    ActionKind.JOIN: ("acquire", "thread"),
    ActionKind.END: ("exit", "thread"),
    ActionKind.TRY_JOIN: ("call", "thread"),
    ActionKind.LOCK: ("acquire", "lock"),
    ActionKind.READ_LOCK: ("acquire", "lock"),
    ActionKind.TRY: ("call", "lock"),
    ActionKind.READ_TRY: ("call", "lock"),
    ActionKind.UNLOCK: ("release", "lock"),
    ActionKind.WAIT: ("call", "condition"),
    ActionKind.WAKE: ("return", "condition"),
    ActionKind.BEGIN: ("enter", "scope"),
    ActionKind.FINISH: ("exit", "scope"),
    ActionKind.SIGNAL: ("call", "condition"),
    ActionKind.BROADCAST: ("call", "condition"),
    ActionKind.TAKE: ("acquire", "resource"),
    ActionKind.TRY_TAKE: ("call", "resource"),
    ActionKind.GIVE: ("release", "resource"),
    ActionKind.ARRIVE: ("call", "barrier"),
    ActionKind.LEAVE: ("return", "barrier"),
    ActionKind.FREE: ("release", "memory"),
    ActionKind.INIT: ("enter", "scope"),
    ActionKind.DESTROY: ("exit", "scope"),
}
"""The kinds of actions in the vocabulary of SARIF for what happens at a location (SARIF 2.1.0, 3.38.8)."""

_BRANCH = re.compile(r"(?:}\s*)?(?:else\s+)?(?:if|while|for|switch)\b")


_SENTENCES = Catalogue(
    "flow",
    {
        "repeated": "The steps from number {first} on are repeated for ever.",
        "stopped": "After the last step, nothing more happens.",
        "left out": "Of {steps} steps, {number} that matter less are left out.",
        "sets": "{thread} sets {name} = {value}",
        "goes on": "goes on",
    },
)


@dataclass(frozen=True)
class RelatedPlace:
    """A place that is related to a violation. what: its description. step: the number of the step there, if any."""

    origin: Origin
    what: str
    source: str = ""
    step: int | None = None


class Flow:
    """The steps of a counterexample."""

    def __init__(self, shown: Counterexample, places: Places, violated: Property | None) -> None:
        self._shown = shown
        self._places = places
        self._violated = violated.origin if violated is not None else None
        self.ends = list(self._ends())
        self.before: list[RelatedPlace] = []
        for place in (*self._held(), *self._written(), *self._named(violated)):
            if all(place.origin[:2] != known.origin[:2] for known in self.related):
                self.before.append(place)
        self._essential = {place.step for place in self.related}

    @property
    def related(self) -> list[RelatedPlace]:
        """The places related to the violation: where threads are in the end, and what led there."""
        return [*self.ends, *self.before]

    # The code flow

    def code_flow(self, explained: str = "") -> dict[str, Any]:
        """The code flow; steps are numbered from 1 in the order of time, across the threads.

        explained: the paragraph that explains them, or "".
        """
        steps, kept = self._shown.steps, self._kept()
        flows: dict[Thread, list[dict[str, Any]]] = {}
        for number, step in enumerate(steps):
            if number in kept:
                first = step.thread not in flows
                flows.setdefault(step.thread, []).append(self._location(number, step, first))
        found: dict[str, Any] = {}
        remarks = [explained, *self._remarks(len(steps) - len(kept))]
        if any(remarks):
            found["message"] = text(" ".join(filter(None, remarks)))
        found["threadFlows"] = [
            {"id": str(thread.number), "message": text(str(thread)), "locations": locations}
            for thread, locations in sorted(flows.items(), key=lambda item: item[0].number)
        ]
        return found

    def _remarks(self, left_out: int) -> Iterator[str]:
        cycle = self._shown.cycle
        if cycle is not None and cycle < len(self._shown.steps):
            yield _SENTENCES.say("repeated", first=cycle + 1)
        elif cycle is not None:
            yield _SENTENCES.say("stopped")
        if left_out:
            yield _SENTENCES.say("left out", steps=len(self._shown.steps), number=left_out)

    def _kept(self) -> set[int]:
        """The numbers of the steps that are shown: the most important ones, later ones first among equals."""
        numbers = range(len(self._shown.steps))
        if len(numbers) <= MOST_STEPS:
            return set(numbers)
        ranks = (_ESSENTIAL, _IMPORTANT, _UNIMPORTANT)
        order = sorted(numbers, key=lambda n: (ranks.index(self._importance(n, self._shown.steps[n])), -n))
        begins = {step.thread: number for number, step in reversed(list(enumerate(self._shown.steps)))}
        return {*list(dict.fromkeys([*begins.values(), *order]))[:MOST_STEPS]}

    def _location(self, number: int, step: Step, first: bool) -> dict[str, Any]:
        said = "; ".join(effects(step)) or _SENTENCES.say("goes on")
        found: dict[str, Any] = {
            "location": self._places.location(step.origin, f"{step.thread}: {said}", step.source),
            "executionOrder": number + 1,
            "nestingLevel": len(step.origin.path),
            "importance": self._importance(number, step),
        }
        if kinds := self._kinds(number, step, first):
            found["kinds"] = kinds
        if step.accesses:
            found["state"] = {clean(access.name): text(access.value) for access in step.accesses}
        if step.origin.iteration:
            found["properties"] = {"iteration": list(step.origin.iteration)}
        return found

    def _kinds(self, number: int, step: Step, first: bool) -> list[str]:
        kinds = ["enter", "function"] if first and step.thread.number else []
        kinds += [kind for action in step.actions for kind in _KINDS.get(action.kind, ())]
        if _BRANCH.match(step.source):
            kinds.append("branch")
        if self._is_end(number, step):
            kinds.append("danger")
        return list(dict.fromkeys(kinds))

    def _is_end(self, number: int, step: Step) -> bool:
        return step.stands or (number == len(self._shown.steps) - 1 and self._shown.cycle is None)

    def _importance(self, number: int, step: Step) -> str:
        if self._is_end(number, step) or number in self._essential:
            return _ESSENTIAL
        if step.actions or step.why is not None or any(access.shared for access in step.accesses):
            return _IMPORTANT
        return _UNIMPORTANT

    # Stacks

    def stacks(self) -> list[dict[str, Any]]:
        """The call stacks at the end: of the threads that stopped there, or of the thread that fails."""
        last = [step for step in self._shown.steps if step.stands] or self._shown.steps[-1:]
        return [self._stack(step) for step in last]

    def _stack(self, step: Step) -> dict[str, Any]:
        calls = [Origin(call.file, call.line, function=call.function) for call in reversed(step.origin.path)]
        frames = [
            {"location": self._places.location(place), "threadId": step.thread.number}
            for place in [step.origin, *calls]
        ]
        about = f": {'; '.join(events(step))}" if step.stands and step.why is not None else ""
        return {"message": text(f"{step.thread}{about}."), "frames": frames}

    # Related locations

    def _ends(self) -> Iterator[RelatedPlace]:
        """The places where threads are in the end."""
        for number, step in enumerate(self._shown.steps):
            if step.stands:
                yield RelatedPlace(step.origin, f"{step.thread} {'; '.join(events(step))}", step.source, number)

    def _held(self) -> Iterator[RelatedPlace]:
        """The places where the locks that matter were taken."""
        sides: list[tuple[Thread, Sequence[Hold]]] = [(stuck.thread, stuck.holds) for stuck in self._shown.stuck]
        for thread, holds in [*sides, *((side.thread, side.holds) for side in self._shown.racing)]:
            for held in holds:
                mode = Mode.READING if held.reading else Mode.EXCLUSIVE
                said = f"{thread} {action(Action(ActionKind.LOCK, held.name, mode=mode))}"
                number, step = self._last(thread, held.since)
                yield RelatedPlace(held.since, said, step.source if step is not None else "", number)

    def _last(self, thread: Thread, origin: Origin) -> tuple[int | None, Step | None]:
        """The number of the last step of a thread at a line, and the step."""
        for number in range(len(self._shown.steps) - 1, -1, -1):
            step = self._shown.steps[number]
            if step.thread == thread and step.origin[:2] == origin[:2] and not step.stands:
                return number, step
        return None, None

    def _written(self) -> Iterator[RelatedPlace]:
        """For a violation at the last step: the places that stored the values it reads from shared memory."""
        if not self._shown.steps or self._shown.steps[-1].stands or self._shown.cycle is not None:
            return
        *before, last = self._shown.steps
        for read in last.accesses:
            if read.kind == "read" and read.shared:
                for number in range(len(before) - 1, -1, -1):
                    step = before[number]
                    write = next((access for access in reversed(step.accesses) if _is_write_of(access, read)), None)
                    if write is not None:
                        said = _SENTENCES.say("sets", thread=step.thread, name=write.name, value=write.value)
                        yield RelatedPlace(step.origin, said, step.source, number)
                        break

    def _named(self, violated: Property | None) -> Iterator[RelatedPlace]:
        """The places that the violation names, such as where memory was freed or a lock was taken."""
        named = {str(origin) for origin in self._origins(violated)}
        last = {str(step.origin): number for number, step in enumerate(self._shown.steps)}
        for place, number in last.items():
            step = self._shown.steps[number]
            if place in named and (self._violated is None or step.origin[:2] != self._violated[:2]):
                said = f"{step.thread}: {'; '.join(effects(step)) or _SENTENCES.say('goes on')}"
                yield RelatedPlace(step.origin, said, step.source, number)

    def _origins(self, violated: Property | None) -> Iterator[Origin]:
        if violated is not None and violated.claim.memory is not None and violated.claim.memory.place is not None:
            yield violated.claim.memory.place
        for stuck in self._shown.stuck:
            yield stuck.origin
            held = stuck.blocks if stuck.in_circle else stuck.holder
            if held is not None and held.since is not None:
                yield held.since
        yield from (side.origin for side in self._shown.racing)


def _is_write_of(access: Access, read: Access) -> bool:
    same = access.address == read.address if access.address and read.address else access.name == read.name
    return access.kind == "write" and same
