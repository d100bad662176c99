"""Systems as Horn clauses about several threads at once: pairs, and the product of all."""

from collections import deque
from collections.abc import Iterator, Mapping
from itertools import combinations, combinations_with_replacement

from cseq.model.errors import UnsupportedError
from cseq.modules.deductive.horn.clauses import Clauses, Thread, Writer
from cseq.modules.deductive.proofs import OUTSIDE, Place
from cseq.modules.deductive.transitions import Edge, Variable

MOST = 4000
"""Invariants that are asked for at once; solvers are lost with more."""

FIRST, SECOND, ACTOR, NEW = "!1", "!2", "!3", "!4"


def is_outside(places: tuple[Place, ...]) -> bool:
    """Whether no thread at one of these places has begun."""
    return all(location == OUTSIDE for _, location in places)


class Pairs(Writer):
    """One invariant per two places of two different threads (Hoenicke, Majumdar, Podelski, POPL 2017).

    Threads that have not begun are at `OUTSIDE`; of two of those nothing has to be known.
    """

    def write(self) -> Clauses:
        """All clauses. UnsupportedError if there are too many."""
        if not any(True for _ in self.others(Thread(self.beginning, FIRST))):
            raise UnsupportedError("pairs of a single thread")
        self.known = self._reached()
        if len(self.known) > MOST:
            raise UnsupportedError(f"more than {MOST} pairs of places")
        start = Thread(self.beginning, FIRST)
        certain, values = self.initial()
        for template in self.others(start):
            self.rule(
                [*certain, *self.begun(start)],
                self._invariant([start, Thread((template.name, OUTSIDE), SECOND)], values),
            )
        places = [*dict.fromkeys(place for pair in self.known for place in pair)]
        for place in places:
            for edge in self.slice.leaving(place):
                self._edge(Thread(place, ACTOR), edge, places)
        for pair in self.known:
            if pair[0] == pair[1] and pair[0][1] != OUTSIDE:
                threads = [Thread(pair[0], FIRST), Thread(pair[1], SECOND)]
                self.rule([self._invariant(threads, {})], self._invariant(threads[::-1], {}))
        return self.clauses

    def _key(self, *places: Place) -> tuple[Place, ...]:
        """Places in the order in which the invariants have them."""
        return tuple(sorted(places, key=lambda place: (self.order[place[0]], place[1])))

    def _reached(self) -> dict[tuple[Place, ...], None]:
        """The pairs of places that control can reach."""
        names = [template.name for template in self.system.templates]
        known = {self._key((one, OUTSIDE), (other, OUTSIDE)): None for one in names for other in names}
        known = {key: None for key in known if self._is_possible(*key)}
        for template in self.others(Thread(self.beginning, FIRST)):
            known[self._key(self.beginning, (template.name, OUTSIDE))] = None
        before = 0
        while len(known) > before:
            before = len(known)
            if before > MOST:
                break
            for pair in [*known]:
                for actor, other in (pair, pair[::-1]):
                    for edge in self.slice.leaving(actor):
                        for key in self._arrivals(actor, other, edge, known):
                            known[key] = None
        return known

    def _is_possible(self, one: Place, other: Place) -> bool:
        """Whether two threads may be of the templates of these places."""
        return one[0] != other[0] or self.templates[one[0]].is_replicated

    def _created(self, edge: Edge) -> list[Place]:
        """Where the threads begin that an edge creates."""
        return [self.canonical((action.template, self.templates[action.template].start)) for action in edge.creations]

    def _arrivals(
        self, actor: Place, other: Place, edge: Edge, known: Mapping[tuple[Place, ...], None]
    ) -> Iterator[tuple[Place, ...]]:
        """The pairs of places after a step of a thread at *actor* while there is one at *other*."""
        target, created = self.canonical((actor[0], edge.target)), self._created(edge)
        if any(self._key(actor, (new[0], OUTSIDE)) not in known for new in created):
            return
        yield from (self._key(target, new) for new in created)
        yield from (self._key(*couple) for couple in combinations(created, 2) if self._is_possible(*couple))
        if self._may_watch(other, created):
            yield self._key(target, other)
            yield from (self._key(new, other) for new in created if self._key(other, (new[0], OUTSIDE)) in known)

    def _may_watch(self, place: Place, created: list[Place]) -> bool:
        """Whether a thread at *place* is none of those that are created."""
        return all(self._is_possible(place, new) for new in created)

    def _invariant(self, threads: list[Thread], after: Mapping[Variable, str]) -> str:
        """The invariant of two threads; "false" if they are never there together."""
        ordered = sorted(threads, key=lambda thread: (self.order[thread.place[0]], thread.place[1]))
        places = tuple(thread.place for thread in ordered)
        if is_outside(places):
            return "true"
        if places not in self.known:
            return "false"
        return self.applied(self.predicate(places, is_tagged=True), ordered, after)

    def _premise(self, threads: list[Thread]) -> list[str]:
        """What is known of threads that are there together."""
        pairs = [self._invariant([*couple], {}) for couple in combinations(threads, 2)]
        return [*pairs, *self.different(threads), *self.population(threads)]

    def _edge(self, actor: Thread, edge: Edge, places: list[Place]) -> None:
        """A step of *actor*, of all pairs of threads that it, those that it creates, and others make."""
        step = self.steps.step(edge, actor.tag)
        ranges = self.ranges(step, actor.tag)
        moved = actor.moved(self.target(actor, edge), step)
        created = self._created(edge)
        born = [
            Thread(place, NEW * number, dict(step.created[number - 1][1])) for number, place in enumerate(created, 1)
        ]
        unborn = [Thread((new.place[0], OUTSIDE), new.tag) for new in born]
        couples = [([actor, early], [moved, new]) for early, new in zip(unborn, born, strict=True)]
        couples += [
            ([actor, *early], [*new]) for early, new in zip(combinations(unborn, 2), combinations(born, 2), strict=True)
        ]
        watching = [
            place for place in places if self._may_watch(place, created) and self._is_possible(actor.place, place)
        ]
        watching = [place for place in watching if self._key(actor.place, place) in self.known]
        for place in watching:
            other = Thread(place, SECOND)
            couples.append(([actor, other], [moved, other]))
            couples += [([actor, early, other], [new, other]) for early, new in zip(unborn, born, strict=True)]
        if self.slice.interferes(edge):
            for couple in combinations_with_replacement(watching, 2):
                if self._key(*couple) in self.known and self._is_possible(*couple):
                    threads = [Thread(couple[0], FIRST), Thread(couple[1], SECOND)]
                    couples.append(([actor, *threads], threads))
        for before, later in couples:
            body = [*self._premise(before), *ranges]
            if later[0] is moved:
                self.errors(body, step)
            fresh = [text for thread in later if thread in born for text in self.begun(thread)]
            distinct = self.different(
                [*(thread for thread in before if thread not in unborn), *(it for it in later if it in born)]
            )
            self.rule([*body, *fresh, *distinct, *step.path], self._invariant(later, step.after))


class Product(Writer):
    """One invariant per combination of the places of all threads."""

    resting = OUTSIDE

    def write(self) -> Clauses:
        """All clauses. UnsupportedError if there are too many, or if there may be any number of threads."""
        if any(template.is_replicated for template in self.system.templates):
            raise UnsupportedError("the product of any number of threads")
        self.tags = {template.name: f"!{number}" for number, template in enumerate(self.system.templates, 1)}
        self.waiting: deque[tuple[Place, ...]] = deque()
        self.known: set[tuple[Place, ...]] = set()
        outside = [Thread((template.name, OUTSIDE), self.tags[template.name]) for template in self.system.templates]
        start = [Thread(self.beginning, outside[0].tag), *outside[1:]]
        certain, values = self.initial()
        self.rule([*certain, *self.begun(start[0])], self._reach(start, values))
        while self.waiting:
            threads = [Thread(place, self.tags[place[0]]) for place in self.waiting.popleft()]
            for thread in threads:
                self._step(threads, thread)
        return self.clauses

    def _known(self, threads: list[Thread], after: Mapping[Variable, str]) -> str:
        places = tuple(thread.place for thread in threads)
        return self.applied(self.predicate(places, is_tagged=True), threads, after)

    def _reach(self, threads: list[Thread], after: Mapping[Variable, str]) -> str:
        places = tuple(thread.place for thread in threads)
        if places not in self.known:
            if len(self.known) >= MOST:
                raise UnsupportedError(f"more than {MOST} combinations of places")
            self.known.add(places)
            self.waiting.append(places)
        return self._known(threads, after)

    def _step(self, threads: list[Thread], thread: Thread) -> None:
        for edge in self.slice.leaving(thread.place):
            step = self.steps.step(edge, thread.tag)
            body = [self._known(threads, {}), *self.population(threads), *self.ranges(step, thread.tag)]
            self.errors(body, step)
            body += step.path
            after = {thread.place[0]: thread.moved(self.target(thread, edge), step)}
            certain: list[str] = []
            again = False
            for name, values in step.created:
                new = Thread(self.canonical((name, self.templates[name].start)), self.tags[name], values)
                again = again or self._is_inside(threads, name) or name in after
                after[name] = new
                certain += self.begun(new)
            if again:  # there is only one thread of it, so this must not happen
                self.rule(body, "false")
                continue
            moved = [after.get(it.place[0], it) for it in threads]
            self.rule([*body, *certain], self._reach(moved, step.after))

    @staticmethod
    def _is_inside(threads: list[Thread], name: str) -> bool:
        return any(thread.place[0] == name and thread.place[1] != OUTSIDE for thread in threads)
