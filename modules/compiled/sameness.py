"""Whether two runs fail in the same way."""

from collections.abc import Callable, Iterable

from cseq.modules.compiled.client.record import End, ResultRecord
from cseq.modules.compiled.client.recorded import RecordedRun, is_violation
from cseq.modules.compiled.client.server import Server

Places = frozenset[int]
"""The two places of a data race."""


def places_of(recorded: RecordedRun) -> frozenset[Places]:
    """The pairs of places of the data races in a run."""
    return frozenset(frozenset((race.first.pc, race.second.pc)) for race in recorded.races)


def is_wrong_exit(end: int, detail: int, expected: int | None) -> bool:
    """Whether a run that ended like this has another exit status than the *expected* one; None: any is fine."""
    return end == End.EXITED and expected is not None and detail != expected


def fails(recorded: RecordedRun, expected: int | None) -> bool:
    """Whether a run violates something, data races included. expected: as above."""
    return recorded.failed or bool(recorded.races) or is_wrong_exit(recorded.end, recorded.detail, expected)


def is_bad(result: ResultRecord, expected: int | None) -> bool:
    """The same as `fails`, of a run that has not been copied."""
    return is_violation(result.end) or result.races > 0 or is_wrong_exit(result.end, result.detail, expected)


def same_result(server: Server, like: RecordedRun, expected: int | None) -> Callable[[ResultRecord], bool]:
    """Whether the last run of *server* fails like the run *like*."""
    wanted = places_of(like)

    def same(result: ResultRecord) -> bool:
        if like.failed:
            alike = bool(result.end == like.end) and (like.end not in _DETAILED or result.detail == like.detail)
            return alike and result.text.decode(errors="replace") == like.text
        if is_wrong_exit(like.end, like.detail, expected):
            return bool(result.end == like.end and result.detail == like.detail)
        races = server.array("races")
        return any(frozenset((race.first.pc, race.second.pc)) in wanted for race in races)

    return same


def same_failure(
    end: int, detail: int, races: Iterable[Places], recorded: RecordedRun, expected: int | None = 0
) -> bool:
    """Whether *recorded* fails like a run that ended with *end* and *detail*.

    races: those that the run was saved for; they count where its end is no violation.
    """
    if is_violation(end):
        return recorded.end == end and (end not in _DETAILED or recorded.detail == detail)
    if is_wrong_exit(end, detail, expected):
        return recorded.end == End.EXITED and recorded.detail == detail
    return any(race in places_of(recorded) for race in races)


_DETAILED = frozenset({End.CRASHED, End.KILLED, End.MISUSE})
"""The ends whose detail is a part of what went wrong."""
