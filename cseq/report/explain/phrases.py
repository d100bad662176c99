"""The names that explanations use for threads, places, locks and values.

A thread is a number between marks until the sentences are put together (`Phrases.text`): only then is it known which
mention of it is the first.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from cseq.model.actions import ObjectKind
from cseq.model.origin import Origin
from cseq.model.trace import Counterexample, Hold, Step, Thread
from cseq.report.catalogue import sentence
from cseq.report.explain.history import Event, Lock
from cseq.report.words import cells

_MARK = "\x01"
_THREAD = re.compile(rf"{_MARK}(\d+){_MARK}")


class Phrases:
    """Names for one paragraph.

    The first mention of a thread has its function. A line has its file if there are several files.
    """

    def __init__(self, shown: Counterexample) -> None:
        places = [step.origin for step in shown.steps]
        places += [stuck.origin for stuck in shown.stuck] + [side.origin for side in shown.racing]
        self._files = {origin.file for origin in places}
        self._threads = {thread.number: thread for thread in shown.threads}
        self._met: set[int] = set()

    shows_calls = False
    """Whether a place is named with the call that leads there."""

    @property
    def is_one_file(self) -> bool:
        """Whether all steps are in one file."""
        return len(self._files) == 1

    def thread(self, thread: Thread) -> str:
        """``worker (thread 1)`` at the first mention, and ``thread 1`` later."""
        self._threads[thread.number] = thread
        return f"{_MARK}{thread.number}{_MARK}"

    def text(self, parts: Iterable[str]) -> str:
        """The *parts*, as sentences."""
        return " ".join(sentence("explanation", self._sentence(part)) for part in parts if part)

    def _sentence(self, part: str) -> str:
        first = _THREAD.match(part)
        is_known = first is not None and self._is_known(int(first[1]))
        named = _THREAD.sub(self._named, part)
        word = named.split(" ", 1)[0]
        if is_known or (first is None and word.isalpha()):
            named = named[:1].upper() + named[1:]
        return named if named.endswith((".", "?")) else f"{named}."

    def _is_known(self, number: int) -> bool:
        """Whether the thread has been named, so that its number is enough."""
        return number in self._met and number != 0

    def _named(self, found: re.Match[str]) -> str:
        number = int(found[1])
        if self._is_known(number):
            return f"thread {number}"
        self._met.add(number)
        return str(self._threads[number])

    def place(self, origin: Origin) -> str:
        """``line 17``, or ``a.c:17``; with the call of the function if several objects or threads share the line."""
        place = f"line {origin.line}" if self.is_one_file else str(origin)
        if self.shows_calls and origin.path:
            call = origin.path[-1]
            place += f" when called in {call.function} at {'line ' if self.is_one_file else f'{call.file}:'}{call.line}"
        return place

    def code(self, name: str) -> str:
        """C text in backquotes."""
        return f"`{name}`"

    def at(self, event: Event) -> str:
        """``at line 17``."""
        return f"at {self.place(event.origin)}"

    def cancelled(self, by: Step, end: Step) -> str:
        """``main cancelled it at line 20, and it ended at line 11``."""
        asked, ended = self.place(by.origin), self.place(end.origin)
        return f"{self.thread(by.thread)} cancelled it at {asked}, and it ended at {ended}"

    def locks(self, locks: Sequence[Lock | Hold]) -> str:
        """``holds `m` (since line 7)`` or ``holds no lock``."""
        held = [self._lock(lock) for lock in locks if not self.is_routine(lock)]
        runs = [self._lock(lock) for lock in locks if self.is_routine(lock)]
        parts = [f"holds {listed(held)}" if held else "", f"runs the routine of {listed(runs)}" if runs else ""]
        return " and ".join(part for part in parts if part) or "holds no lock"

    def is_routine(self, lock: Lock | Hold) -> bool:
        """Whether it is the object of a ``pthread_once`` whose routine the thread runs, and not a lock."""
        return isinstance(lock, Hold) and lock.kind is ObjectKind.ONCE

    def _lock(self, held: Lock | Hold) -> str:
        return f"`{held.name}`{' for reading' if held.reading else ''} (since {self.place(held.since)})"


def value(event: Event) -> str:
    """``x = 1`` in backquotes: the name and the value of an access."""
    return f"`{event.name} = {event.value}`"


def listed(parts: Sequence[str], last: str = "and") -> str:
    """``a, b and c``."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} {last} {parts[-1]}"


def wrapped(text: str, width: int) -> Iterator[str]:
    """The lines of a paragraph, at most *width* columns each unless a word is longer."""
    line = ""
    for word in text.split(" "):
        if line and cells(line) + 1 + cells(word) > width:
            yield line
            line = word
        else:
            line = f"{line} {word}" if line else word
    yield line
