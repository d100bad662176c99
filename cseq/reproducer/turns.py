"""From the moves of a counterexample to the turns of threads, and to the places where these end."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from cseq.base.trace import Effect, Move
from cseq.reproducer.instances import Instance, Instances

END, PAUSE, LAST = -1, -2, -3
"""Turns that end elsewhere than at a call, as in the runtime."""

_NO_PLACE = re.compile(r"…|\(\)$|\w\(")  # a value of our own, or what a function returned


class CannotReproduceError(Exception):
    """There is no program that fails as the counterexample does. The message says why, in words."""


@dataclass(frozen=True)
class Call:
    """A call that is put into the user's text.

    form: ``at`` in front of a slot, ``after`` behind it, ``split`` for a statement that is interrupted inside,
    ``inner`` behind a read in it. slot: its number. text: of a split, what is done in front; of an inner one, the
    place that is read. behind: of a split, what is done behind. which: of an inner one, which of the places of that
    name.
    """

    form: str
    slot: int
    text: str = ""
    behind: str = ""
    which: int = 0


@dataclass(frozen=True)
class Turn:
    """What a thread does without interruption. until: a call, or how it ends else. times, piece: as in the runtime."""

    thread: int
    until: Call | int
    times: int = 0
    piece: int = 0
    instance: Instance | None = field(default=None, compare=False)


class Schedule:
    """The turns of the execution that *moves* are.

    stuck: the numbers of threads that are blocked in the end, or of the two that race. race: whether they do; then the
    first executes its statement, and after it the other one. aside: whether the last turn begins right in front of the
    statement that violates the property.
    Raises CannotReproduceError.
    """

    def __init__(
        self, moves: Sequence[Move], stuck: Sequence[int] = (), aside: bool = False, race: bool = False
    ) -> None:
        self.instances = Instances(moves)
        self._moves = moves
        self._of = self.instances.of
        self._stuck = stuck
        self._splits: dict[int, list[int]] = {}
        self._turns: list[Turn | tuple[int, int]] = []  # splits, as (their last moves, pieces), until all are known
        self.turns: list[Turn] = []
        self.order = self._created()
        self._stands = {m.thread.number: number for number, m in enumerate(moves) if m.stands}
        self._racing = [self._of[number] for number in self._stands.values()] if race else []
        matter = self._that_matter()
        self._mine: dict[int, list[int]] = {}
        for number in matter:
            self._mine.setdefault(moves[number].thread.number, []).append(number)
        ended = {move.thread.number for move in moves if move.ends}
        self._final = {self._mine[thread][-1] for thread in ended}
        self._pauses = self._counted()
        self._make(self._segments(matter), aside)

    def _created(self) -> dict[int, int]:
        """The number of each thread → its number in the order of creation."""
        order = {0: 0}
        for move in self._moves:
            for thread in move.created:
                order.setdefault(thread.number, len(order))
        return order

    def _that_matter(self) -> list[int]:
        """The moves whose order counts. What was done of the statements that race comes with the rest of them.

        What handlers and destructors do comes behind the move that ends a thread: then the last of that ends it.
        """
        ends = {move.thread.number: number for number, move in enumerate(self._moves) if move.ends}
        found = []
        behind = set()
        for number, move in enumerate(self._moves):
            end = ends.get(move.thread.number, len(self._moves))
            if self._of[number] is not None and self._of[number] in self._racing:
                continue
            if not _matters(move) or (number > end and self._is_of_the_end(number, end)):
                continue
            found.append(number)
            if number > end:
                behind.add(end)
        return [number for number in found if number not in behind]

    def _is_of_the_end(self, number: int, end: int) -> bool:
        """Whether a move behind the one that ends a thread is in no handler or destructor of the program."""
        instance, last, move = self._of[number], self._of[end], self._moves[number]
        if instance is None or (last is not None and instance.slot == last.slot):
            return True
        return bool(move.function) and move.function == move.origin.function  # such as free

    def _counted(self) -> dict[int, int]:
        """For each move where a call can pause: the how many-th of its thread that is."""
        counts: dict[int, int] = {}
        found = {}
        for number, move in enumerate(self._moves):
            if not move.stands and move.effect in (Effect.PAUSES, Effect.FINISHES):
                counts[move.thread.number] = found[number] = counts.get(move.thread.number, 0) + 1
        return found

    def _segments(self, matter: list[int]) -> list[list[int]]:
        segments: list[list[int]] = []
        for number in matter:
            if segments and self._thread(segments[-1][-1]) == self._thread(number):
                segments[-1].append(number)
            else:
                segments.append([number])
        return segments

    def _thread(self, number: int) -> int:
        return self._moves[number].thread.number

    def _make(self, segments: list[list[int]], aside: bool) -> None:
        if not segments and not self._stuck:
            raise CannotReproduceError("the counterexample has no steps")
        deadlock = bool(self._stuck)
        for place, segment in enumerate(segments):
            thread, last = self._thread(segment[0]), segment[-1]
            if place == len(segments) - 1 and not deadlock:
                if aside:
                    self._stop(thread, segment)
                self._turns.append(Turn(thread, LAST))
                break
            mine = self._mine[thread]
            behind = next((number for number in mine if number > last), self._stands.get(thread))
            if behind is None:
                self._leave(thread, segment)
            else:
                self._cut(thread, last, behind)
        for thread in self._stuck:
            if thread not in self._mine:
                self._cut(thread, None, self._stands[thread])
        if self._racing:
            first, second = self._stuck
            self._end("after", first, self._instance(self._stands[first]))
            self._turns.append(Turn(second, LAST))
        self._resolve()

    def _stop(self, thread: int, segment: list[int]) -> None:
        """Let the last turn begin right in front of its last move, or of the statement that this is in."""
        last = segment[-1]
        if self._mine[thread][0] == last:
            self._cut(thread, None, last)
        elif len(segment) > 1 and (self._instance(last).first > segment[-2] or segment[-2] in self._pauses):
            self._cut(thread, segment[-2], last)

    def _instance(self, number: int) -> Instance:
        instance = self._of[number]
        if instance is None:
            raise CannotReproduceError(f"at {self._moves[number].origin} is no statement that could be found again")
        return instance

    def _cut(self, thread: int, last: int | None, behind: int) -> None:
        """End a turn of *thread* behind the move *last*, and in front of *behind*."""
        if last in self._final:
            self._turns.append(Turn(thread, END))
            return
        if last is not None and self._of[behind] is None:  # the end of the function, say
            self._end("after", thread, self._instance(last))
            return
        after = self._instance(behind)
        if last is None or after.first > last:
            self._end("at", thread, after)
            return
        before = self._instance(last)
        if before is not after:
            self._end("after", thread, before)
            return
        move = self._moves[last]
        pause = last if self._is_pause(last) else None
        finishes = self._moves[behind].effect is Effect.FINISHES and behind in self._pauses
        if move.effect is Effect.BEGINS and finishes:
            pause = behind
        if pause is not None:
            self._turns.append(Turn(thread, PAUSE, self._pauses[pause]))
            return
        self._split(last, before)

    def _leave(self, thread: int, segment: list[int]) -> None:
        """End the last turn of *thread*, of which nothing is told behind it."""
        while segment:
            last = segment[-1]
            move = self._moves[last]
            if last in self._final:
                self._turns.append(Turn(thread, END))
                return
            instance = self._instance(last)
            if self._is_pause(last):
                self._turns.append(Turn(thread, PAUSE, self._pauses[last]))
                return
            if not move.more or move.function:
                self._end("after", thread, instance)
                return
            if not self._only_reads(instance):
                self._split(last, instance)
                return
            # It has read something, for what it never did: it may as well not have begun.
            segment = [number for number in segment if self._of[number] is not instance]

    def _end(self, form: str, thread: int, instance: Instance) -> None:
        """End a turn of *thread* at a call around the statement that *instance* is."""
        self._turns.append(Turn(thread, Call(form, instance.slot), instance.times, 0, instance))

    def _is_pause(self, number: int) -> bool:
        """Whether a turn can end by the pause in the call of the library that this move is."""
        return number in self._pauses and self._moves[number].effect is not Effect.FINISHES

    def _own(self, instance: Instance) -> list[int]:
        """The moves of a statement itself whose order counts."""
        return [number for number in instance.moves if _matters(self._moves[number])]

    def _reads(self, numbers: Iterable[int]) -> list[str]:
        """The names of what these moves read, in order."""
        return [a.name for number in numbers for a in self._moves[number].accesses if a.kind == "read"]

    def _only_reads(self, instance: Instance) -> bool:
        own = [self._moves[number] for number in self._own(instance)]
        return all(not move.function and all(a.kind == "read" or not a.shared for a in move.accesses) for move in own)

    def _split(self, last: int, instance: Instance) -> None:
        pieces = self._splits.setdefault(id(instance), [])
        pieces.append(last)
        self._turns.append((last, len(pieces)))

    def _resolve(self) -> None:
        made: dict[int, Call] = {}
        for turn in self._turns:
            if isinstance(turn, Turn):
                self.turns.append(turn)
                continue
            last, piece = turn
            instance = self._instance(last)
            if id(instance) not in made:
                made[id(instance)] = self._interrupted(instance, self._splits[id(instance)])
            call = made[id(instance)]
            thread = self._thread(last)
            if call.form == "inner":
                call = self._inner(instance, self._splits[id(instance)][piece - 1])
                times = self._times(instance, call)
                self.turns.append(Turn(thread, call, times, 0, instance))
            else:
                self.turns.append(Turn(thread, call, instance.times, piece, instance))

    # Statements that are interrupted inside

    def _interrupted(self, instance: Instance, switches: list[int]) -> Call:
        """The calls around a statement that is interrupted behind each of the moves *switches*."""
        place = self._moves[instance.first].origin
        own = self._own(instance)
        for number in self._mine[instance.thread]:
            if own[0] < number < switches[-1] and number not in own:
                raise CannotReproduceError(f"the statement at {place} is interrupted behind a call that it makes")
        pieces: list[list[int]] = [[]]
        for number in own:
            pieces[-1].append(number)
            if number in switches:
                pieces.append([])
        calls = [part for part, piece in enumerate(pieces) if any(_acts(self._moves[number]) for number in piece)]
        if len(calls) > 1:
            raise CannotReproduceError(f"the statement at {place} is interrupted between calls of the library")
        main = calls[0] if calls else len(pieces) - 1
        if not self._is_like_at_once(own):
            return Call("inner", instance.slot)
        written = {a.name for number in pieces[main] for a in self._moves[number].accesses if a.kind == "write"}
        before: list[str] = []
        seen: set[str] = set()
        for part, piece in enumerate(pieces[:main], 1):
            for number in piece:
                for kind, name, value in self._accesses(number):
                    if kind == "read" and name not in seen:
                        before.append(f"CSEQ_{'UPDATE' if name in written else 'READ'}({name})")
                    elif kind == "write" and name not in seen | written:
                        before.append(f"CSEQ_WRITE({name}, {value})")
                    elif kind == "write":
                        before.append(f"{name} = {value}")
                    seen.add(name)
            before.append(f"CSEQ_SWITCH(@, {part})")
        delayed: list[str] = []
        behind: list[str] = []
        for part, piece in enumerate(pieces[main + 1 :], main + 1):
            behind.append(f"CSEQ_SWITCH(@, {part})")
            for number in piece:
                for kind, name, _ in self._accesses(number):
                    if kind == "read" or name in seen | written:
                        raise CannotReproduceError(
                            f"the statement at {place} is interrupted behind a call, and goes on"
                        )
                    delayed.append(f"CSEQ_DELAY({name})")
                    behind.append(f"CSEQ_APPLY({name})")
        return Call("split", instance.slot, ", ".join([*before, *delayed]), ", ".join(behind))

    def _is_like_at_once(self, own: list[int]) -> bool:
        """Whether a statement reads, wherever it is interrupted, what it would read of what it read or wrote before."""
        known: dict[int | str, str] = {}
        for number in own:
            for access in self._moves[number].accesses:
                if not access.shared:
                    continue
                place = access.address or access.name  # what has several names has one address
                if access.kind == "write":
                    known[place] = access.value
                elif known.setdefault(place, access.value) != access.value:
                    return False
        return True

    def _accesses(self, number: int) -> list[tuple[str, str, str]]:
        """What a move reads and writes that others can reach."""
        move = self._moves[number]
        found = [(a.kind, a.name, a.value) for a in move.accesses if a.shared]
        if not found or any(_NO_PLACE.search(name) for _, name, _ in found):
            raise CannotReproduceError(f"what the statement at {move.origin} accesses, when interrupted, has no name")
        return found

    def _inner(self, instance: Instance, last: int) -> Call:
        """Behind the read that the move *last* is."""
        own = self._own(instance)
        reads = self._reads([last])
        if len(reads) != 1:
            where = self._moves[last].origin
            raise CannotReproduceError(
                f"other threads run inside of what is at {where}, and change what it reads twice"
            )
        before = self._reads(own[: own.index(last)])
        return Call("inner", instance.slot, reads[0], which=before.count(reads[0]))

    def _times(self, instance: Instance, call: Call) -> int:
        """How often the thread of *instance* has come to the place of an inner *call*, this time counted."""
        times = 0
        for other in self.instances.all:
            if other.thread == instance.thread and other.slot == instance.slot:
                times += self._reads(other.moves).count(call.text) > call.which
                if other is instance:
                    return times
        return times


def _matters(move: Move) -> bool:
    """Whether the order of the move and those of other threads counts."""
    looks = move.effect in (Effect.LOOKS, Effect.TESTS) or (move.function == "__CSEQ_assume" and not move.accesses)
    return not move.stands and (move.ends or (move.visible and not looks))


def _acts(move: Move) -> bool:
    """Whether the move is a call of the library with an effect, which only the statement itself can have."""
    return bool(move.function)
