"""Who took part in the race, and how it ended for each."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from cseq.model.jobrecords import JobEnd, JobRecord
from cseq.pipeline.status import Event, JobsChanged
from cseq.portfolio.further import Entrant


class Raced:
    """What became of the entrants, by the names of their processes, and of the jobs of theirs.

    report: for the live view, which is told how many further searches there are.
    """

    def __init__(self, report: Callable[[Event], None] = lambda event: None) -> None:
        self._report = report
        self._entering: dict[str, Entrant] = {}
        self._going: dict[str, tuple[Entrant, float]] = {}  # and when they began
        self._records: list[JobRecord] = []
        self._over = 0

    @property
    def is_entering(self) -> bool:
        """Whether it is not known yet of some further search if there is room for it."""
        return any(entrant.is_further for entrant in self._entering.values())

    @property
    def further(self) -> int:
        """How many further searches go on."""
        return sum(entrant.is_further for entrant, _ in self._going.values())

    def enter(self, label: str, entrant: Entrant) -> None:
        """*entrant* wants to take part."""
        self._entering[label] = entrant

    def leave(self, label: str) -> None:
        """It cannot take part."""
        self._entering.pop(label, None)

    def begin(self, label: str) -> None:
        """It begins."""
        self._going[label] = self._entering.pop(label), time.monotonic()
        self._tell()

    def add(self, record: JobRecord) -> None:
        """A job of one of them is over."""
        self._records.append(record)

    def end(self, label: str, end: JobEnd) -> None:
        """It has ended."""
        self._entering.pop(label, None)
        if label in self._going:
            entrant, begun = self._going.pop(label)
            self._records.append(JobRecord(entrant.name, end, time.monotonic() - begun))
            self._over += entrant.is_further
            self._tell()

    def stop(self, label: str) -> None:
        """It is stopped, if it has not ended, since there is an answer."""
        self.end(label, JobEnd.STOPPED)

    def jobs(self, question: str) -> tuple[JobRecord, ...]:
        """Everything that was done for the property *question*, in order of time; what goes on is stopped."""
        for label in list(self._going):
            self.stop(label)
        found = [record for record in self._records if record.name.property in (question, "")]
        return tuple(replace(record, name=replace(record.name, property=question)) for record in found)

    def _tell(self) -> None:
        running = tuple(entrant.name for entrant, _ in self._going.values() if entrant.is_further)
        if running or self._over:
            self._report(JobsChanged(running, self._over))
