"""The answer about a data structure: how many scenarios were explored, and what is wrong with one."""

from dataclasses import dataclass

from cseq.model.verdict import Verdict

Place = tuple[int, int]
"""A call of a scenario: its thread, and its number among the thread's calls, from 0 on."""


@dataclass(frozen=True)
class FailingScenario:
    """The scenario with a violation.

    number: among all scenarios, from 1 on. question: ``results``, ``memory``, ``races`` or ``lock-freedom``.
    kind: ``unexplained``, ``assertion``, ``crash``, ``deadlock``, ``race`` or ``trap``.
    calls: by threads, as the user wrote them. results: what they return, where that is known. silent: whether a call
    returns nothing. before: pairs of calls, of which the first one ends before the second one begins.
    stopped: the thread that makes no step any more; None where no thread has to stop. is_sequential: one thread is
    enough. is_confirmed: a program that makes the scenario shows the violation. is_weak: it takes the memory orders of
    the structure, and *before* is happens-before.
    """

    number: int
    question: str
    kind: str
    calls: tuple[tuple[str, ...], ...]
    results: tuple[tuple[int | None, ...], ...]
    silent: tuple[tuple[bool, ...], ...]
    before: tuple[tuple[Place, Place], ...] = ()
    stopped: int | None = None
    is_sequential: bool = False
    is_confirmed: bool = True
    is_weak: bool = False


@dataclass(frozen=True)
class WeakSummary:
    """What is known under the memory orders of the structure.

    executions: how many execution graphs there are. sequential: how many scenarios were explored to their end under
    sequential consistency.
    """

    executions: int
    sequential: int


@dataclass(frozen=True)
class Summary:
    """The answer.

    consistency: ``linearizable``, ``sequential`` or ``quiescent``. sizes: threads and calls of the largest scenarios.
    scenarios: how many there are. complete: how many were explored to their end. gaps: why others were not, and how
    many. refused: why none can be explored; empty if they can. states: of all searches. seconds: on the clock.
    weak: where the memory orders of the structure count, which all other numbers are about then; else None.
    """

    verdict: Verdict
    consistency: str
    sizes: tuple[tuple[int, int], ...]
    scenarios: int
    complete: int
    gaps: tuple[tuple[str, int], ...]
    refused: str
    states: int
    seconds: float
    found: FailingScenario | None = None
    weak: WeakSummary | None = None
