"""What became of one of several programs that a run checks, each for itself."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from cseq.model.findings import Finding, Suppression
from cseq.model.origin import Origin
from cseq.model.verdict import Outcome, Verdict


class TaskEnd(StrEnum):
    """How a task ended. The values are those of the JSON report."""

    ANSWERED = "answered"
    FAILED = "failed"  # it could not be read, is refused, or the engine failed
    STOPPED = "stopped"  # another task had a violation, or the user ended the run


@dataclass(frozen=True)
class Expected:
    """What a task definition expects of a property. part: that is violated, such as ``valid-deref``, if it says so."""

    holds: bool
    part: str = ""


@dataclass(frozen=True)
class TaskFailure:
    """Why there is no outcome. status: the exit status that the program would have had by itself."""

    message: str
    origin: Origin | None = None
    status: int = 3

    def __str__(self) -> str:
        return f"{self.origin}: {self.message}" if self.origin else self.message


@dataclass(frozen=True)
class TaskResult:
    """What became of a task.

    path: of the program or of the task definition. only: the property that is checked, where a definition has several.
    files: those of the program. expected: of properties, by name. as_expected: whether the answer is what is expected;
    None where nothing is, or there is no answer. seconds: how long it took. outcome: for `TaskEnd.ANSWERED`. failure:
    for `TaskEnd.FAILED`. parameters: the values that the report shows. findings: the violations, if each has been
    looked at. excuses: of those that do not count. cached: whether the answer is that of an earlier run.
    """

    path: str
    end: TaskEnd
    only: str = ""
    files: tuple[str, ...] = ()
    expected: Mapping[str, Expected] = field(default_factory=dict)
    as_expected: bool | None = None
    seconds: float = 0.0
    outcome: Outcome | None = None
    failure: TaskFailure | None = None
    parameters: Mapping[str, object] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()
    excuses: tuple[Suppression, ...] = ()
    cached: bool = False

    @property
    def is_excused(self) -> bool:
        """Whether there is a violation, and none that counts."""
        return bool(self.findings) and len(self.excuses) == len(self.findings)

    @property
    def exit_status(self) -> int:
        """That of the program by itself, without what does not count; 3 for a task that was stopped."""
        if self.outcome is not None:
            if self.is_excused:
                return 3 if any(part.exit_status == 3 for part in self.outcome.all()) else 0
            return self.outcome.exit_status
        return self.failure.status if self.failure is not None else 3


@dataclass(frozen=True)
class TaskCounts:
    """How many tasks ended how. bounded: without a violation within bounds. undecided: without any answer.

    expected: how many answers are as expected. unexpected: how many are not. excused: how many have a violation, but
    none that counts.
    """

    tasks: int
    violated: int
    correct: int
    bounded: int
    undecided: int
    failed: int
    stopped: int
    expected: int
    unexpected: int
    exit_status: int
    excused: int = 0


def counted(results: Sequence[TaskResult]) -> TaskCounts:
    """The counts of *results*, and the exit status of the whole.

    1 if there is a violation; else 2 if a program is at fault; else 3 if one has no answer; else 0.
    """
    excused = [result for result in results if result.is_excused]
    answers = [result.outcome for result in results if result.outcome is not None and not result.is_excused]
    statuses = {result.exit_status for result in results}
    return TaskCounts(
        tasks=len(results),
        violated=sum(answer.exit_status == 1 for answer in answers),
        correct=sum(answer.exit_status == 0 and _is_proved(answer) for answer in answers),
        bounded=sum(answer.exit_status == 0 and not _is_proved(answer) for answer in answers),
        undecided=sum(answer.exit_status == 3 for answer in answers),
        failed=sum(result.end is TaskEnd.FAILED for result in results),
        stopped=sum(result.end is TaskEnd.STOPPED for result in results),
        expected=sum(result.as_expected is True for result in results),
        unexpected=sum(result.as_expected is False for result in results),
        excused=len(excused),
        exit_status=next((status for status in (1, 2, 3) if status in statuses), 0),
    )


def _is_proved(answer: Outcome) -> bool:
    return all(part.verdict is Verdict.TRUE for part in answer.all())
