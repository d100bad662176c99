"""Derive the turns of threads, and the places where they end, from the moves of a counterexample."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from cseq.model.trace import Effect, Move
from cseq.reproducer.instances import Instance, Instances

END, PAUSE, LAST = -1, -2, -3
"""The ends of turns that end elsewhere than at a call, as in the runtime."""

_NO_PLACE = re.compile(r"…|\(\)$|\w\(")  # a value of ours, or the result of a function


class CannotReproduceError(Exception):
    """There is no program that fails as the counterexample does. The message says why."""


@dataclass(frozen=True)
class Call:
    """A call that is inserted into the user's text.

    form: ``at`` before a slot, ``after`` after it, ``split`` for a statement that is interrupted inside, ``inner``
    after a read in it. slot: the number of the slot. text: for a split, what is done before the statement; for an
    inner call, the name that is read. after: for a split, what is done after the statement. which: for an inner call,
    the number of the occurrence of the name, from 0.
    """

    form: str
    slot: int
    text: str = ""
    after: str = ""
    which: int = 0


@dataclass(frozen=True)
class Turn:
    """What a thread does without interruption. until: the call at which it ends, or END, PAUSE or LAST.

    times, piece: as in the runtime. instance: the execution of the statement at which it ends.
    """

    thread: int
    until: Call | int
    times: int = 0
    piece: int = 0
    instance: Instance | None = field(default=None, compare=False)


class Schedule:
    """The turns of the execution with these *moves*.

    stuck: the numbers of the threads that are blocked in the end, or of the two that race. race: whether they race;
    then the first one executes its statement, and after it the other one. aside: whether the last turn begins just
    before the statement that violates the property.
    order: the number of each thread → its number in the order of creation.
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
        """The moves whose order counts. Moves of statements that race are left out: these are executed as a whole.

        Moves of handlers and destructors come after the move that ends a thread; the last of them then is its end.
        """
        ends = {move.thread.number: number for number, move in enumerate(self._moves) if move.ends}
        found = []
        outlived = set()
        for number, move in enumerate(self._moves):
            end = ends.get(move.thread.number, len(self._moves))
            if self._of[number] is not None and self._of[number] in self._racing:
                continue
            if not _matters(move) or (number > end and self._is_of_the_end(number, end)):
                continue
            found.append(number)
            if number > end:
                outlived.add(end)
        return [number for number in found if number not in outlived]

    def _is_of_the_end(self, number: int, end: int) -> bool:
        """Whether a move after the one that ends a thread is in no handler or destructor of the program."""
        instance, last, move = self._of[number], self._of[end], self._moves[number]
        if instance is None or (last is not None and instance.slot == last.slot):
            return True
        return bool(move.function) and move.function == move.origin.function  # such as free

    def _counted(self) -> dict[int, int]:
        """The moves in which a library call can pause → their numbers among those of the thread, from 1."""
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
            after = next((number for number in mine if number > last), self._stands.get(thread))
            if after is None:
                self._leave(thread, segment)
            else:
                self._cut(thread, last, after)
        for thread in self._stuck:
            if thread not in self._mine:
                self._cut(thread, None, self._stands[thread])
        if self._racing:
            first, second = self._stuck
            self._end("after", first, self._instance(self._stands[first]))
            self._turns.append(Turn(second, LAST))
        self._resolve()

    def _stop(self, thread: int, segment: list[int]) -> None:
        """Let the last turn begin just before its last move, or before the statement of that move."""
        last = segment[-1]
        if self._mine[thread][0] == last:
            self._cut(thread, None, last)
        elif len(segment) > 1 and (self._instance(last).first > segment[-2] or segment[-2] in self._pauses):
            self._cut(thread, segment[-2], last)

    def _instance(self, number: int) -> Instance:
        instance = self._of[number]
        if instance is None:
            raise CannotReproduceError(f"the statement at {self._moves[number].origin} could not be found again")
        return instance

    def _cut(self, thread: int, last: int | None, next_move: int) -> None:
        """End a turn of *thread* after the move *last* and before *next_move*."""
        if last in self._final:
            self._turns.append(Turn(thread, END))
            return
        if last is not None and self._of[next_move] is None:  # the end of the function, say
            self._end("after", thread, self._instance(last))
            return
        after = self._instance(next_move)
        if last is None or after.first > last:
            self._end("at", thread, after)
            return
        before = self._instance(last)
        if before is not after:
            self._end("after", thread, before)
            return
        move = self._moves[last]
        pause = last if self._is_pause(last) else None
        finishes = self._moves[next_move].effect is Effect.FINISHES and next_move in self._pauses
        if move.effect is Effect.BEGINS and finishes:
            pause = next_move
        if pause is not None:
            self._turns.append(Turn(thread, PAUSE, self._pauses[pause]))
            return
        self._split(last, before)

    def _leave(self, thread: int, segment: list[int]) -> None:
        """End the last turn of *thread*, which makes no move after it."""
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
            # It has only read something, for an effect that never came: it may as well not have begun.
            segment = [number for number in segment if self._of[number] is not instance]

    def _end(self, form: str, thread: int, instance: Instance) -> None:
        """End a turn of *thread* at a call around the statement that *instance* is."""
        self._turns.append(Turn(thread, Call(form, instance.slot), instance.times, 0, instance))

    def _is_pause(self, number: int) -> bool:
        """Whether a turn can end at the pause in the library call that this move is."""
        return number in self._pauses and self._moves[number].effect is not Effect.FINISHES

    def _own(self, instance: Instance) -> list[int]:
        """The moves of a statement itself, not of its calls, whose order counts."""
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
        """The calls around a statement that is interrupted after each of the moves *switches*."""
        place = self._moves[instance.first].origin
        own = self._own(instance)
        for number in self._mine[instance.thread]:
            if own[0] < number < switches[-1] and number not in own:
                raise CannotReproduceError(f"the statement at {place} is interrupted after a call that it makes")
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
        after: list[str] = []
        for part, piece in enumerate(pieces[main + 1 :], main + 1):
            after.append(f"CSEQ_SWITCH(@, {part})")
            for number in piece:
                for kind, name, _ in self._accesses(number):
                    if kind == "read" or name in seen | written:
                        raise CannotReproduceError(f"the statement at {place} is interrupted after a call, and goes on")
                    delayed.append(f"CSEQ_DELAY({name})")
                    after.append(f"CSEQ_APPLY({name})")
        return Call("split", instance.slot, ", ".join([*before, *delayed]), ", ".join(after))

    def _is_like_at_once(self, own: list[int]) -> bool:
        """Whether an interrupted statement always reads the values that it has itself read or written before."""
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
        """The accesses of a move to shared memory, as (kind, name, value)."""
        move = self._moves[number]
        found = [(a.kind, a.name, a.value) for a in move.accesses if a.shared]
        if not found or any(_NO_PLACE.search(name) for _, name, _ in found):
            raise CannotReproduceError(f"what the statement at {move.origin} accesses, when interrupted, has no name")
        return found

    def _inner(self, instance: Instance, last: int) -> Call:
        """The call after the read that the move *last* is."""
        own = self._own(instance)
        reads = self._reads([last])
        if len(reads) != 1:
            where = self._moves[last].origin
            raise CannotReproduceError(
                f"other threads run inside the statement at {where}, and change what it reads twice"
            )
        before = self._reads(own[: own.index(last)])
        return Call("inner", instance.slot, reads[0], which=before.count(reads[0]))

    def _times(self, instance: Instance, call: Call) -> int:
        """How many times the thread of *instance* has come to the place of an inner *call*, including this time."""
        times = 0
        for other in self.instances.all:
            if other.thread == instance.thread and other.slot == instance.slot:
                times += self._reads(other.moves).count(call.text) > call.which
                if other is instance:
                    return times
        return times


def _matters(move: Move) -> bool:
    """Whether the order of the move relative to those of other threads counts."""
    looks = move.effect in (Effect.LOOKS, Effect.TESTS) or (move.function == "__CSEQ_assume" and not move.accesses)
    return not move.stands and (move.ends or (move.visible and not looks))


def _acts(move: Move) -> bool:
    """Whether the move is a library call with an effect, which only the statement itself can have."""
    return bool(move.function)
