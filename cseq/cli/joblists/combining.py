"""One answer from the reports of jobs.

A violation in any report is the answer for its property. There is no violation at all where one report says so, or
where the tiles of one level cover all schedules and none of them has another bound than the tile. Everything else is
unknown: what is known are the levels that are complete, whose tiles cover all schedules within their bounds.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from cseq.cli.joblists.jobreports import Answer, Report
from cseq.model.claims import Limit
from cseq.model.verdict import Verdict
from cseq.modules.symbolic.encode.sequentializer.tiles import WHOLE, Tile, missing

_SHOWN = ("rounds", "contexts", "schedule", "unwind", "recursion", "threads")
"""The parameters that tell levels of the symbolic family apart."""

_OF_SEARCHES = ("search", "seed")
"""Those that tell searches apart."""

_REASONS = ("replay", "buffering", "timeout", "memory", "unproved", "backend")
"""Why there is no answer: what says most comes first."""


@dataclass(frozen=True)
class ReportedAnswer:
    """One answer, and the report that it is in."""

    report: Report
    answer: Answer


@dataclass
class MergedLevel:
    """What is known of the property *name* within the same bounds.

    engine, bounds: of the jobs, by the names of the parameters. found: the answers that there is no violation, by tile.
    others: the tiles whose jobs have no such answer. seconds: that all jobs together took.
    """

    name: str
    engine: str
    bounds: dict[str, Any]
    found: dict[Tile, ReportedAnswer] = field(default_factory=dict)
    others: list[Tile] = field(default_factory=list)
    seconds: float = 0.0

    def add(self, found: ReportedAnswer) -> None:
        """One more report about this level. Of two answers about one tile, the one with fewer bounds counts."""
        tile, answer = found.report.tile, found.answer
        self.seconds += sum(float(each) for each in found.report.data["times"].values())
        if not answer.is_nothing:
            self.others.append(tile)
        elif tile not in self.found or answer.is_whole:
            self.found[tile] = found

    @property
    def missing(self) -> list[Tile]:
        """The tiles of which it is not known whether they have a violation; none if the level is complete."""
        return missing(self.found)

    @property
    def is_proof(self) -> bool:
        """Whether nothing but the tile limits any answer of tiles that cover everything."""
        return not missing(tile for tile, found in self.found.items() if found.answer.is_whole)

    @property
    def is_divided(self) -> bool:
        """Whether its jobs are tiles."""
        return any(tile != WHOLE for tile in (*self.found, *self.others))

    @property
    def depth(self) -> tuple[int, ...]:
        """How much it covers in comparison with others: more rounds, then more unwinding, and so on."""
        numbers = [self.bounds.get(name) for name in _SHOWN]
        return tuple(number if isinstance(number, int) else 0 for number in numbers)

    def left(self) -> list[dict[str, Any]]:
        """The bounds of the answers, each once, without those of the tiles."""
        bounds = [bound for found in self.found.values() for bound in found.answer.data["bounds"]]
        kept: list[dict[str, Any]] = []
        for bound in bounds:
            if bound["kind"] != Limit.TILE and bound not in kept:
                kept.append(bound)
        return kept


@dataclass(frozen=True)
class MergedAnswer:
    """The answer for the property *name*.

    verdict, reason: as in a report. by: the report that has the answer; None where it follows from several, or is not
    known. level: the level from which it follows. levels: all that is known, from the least. against: a report that
    says the contrary, or a level from which that follows.
    """

    name: str
    verdict: Verdict
    reason: str | None = None
    by: ReportedAnswer | None = None
    level: MergedLevel | None = None
    levels: tuple[MergedLevel, ...] = ()
    against: ReportedAnswer | MergedLevel | None = None

    @property
    def exit_status(self) -> int:
        """0 no violation found, 1 violation, 3 no verdict."""
        if self.verdict is Verdict.FALSE:
            return 1
        return 0 if self.verdict is Verdict.TRUE or self.level is not None else 3


@dataclass(frozen=True)
class MissingReport:
    """A job without a report. place: where that belongs. why: ``empty``, ``cut off`` or ``none``. command: the job."""

    place: str
    why: str
    command: str = ""


@dataclass(frozen=True)
class MergedReport:
    """One answer. reports: those that it is made of. lost: the jobs that have left none."""

    answers: tuple[MergedAnswer, ...]
    reports: tuple[Report, ...]
    lost: tuple[MissingReport, ...] = ()

    @property
    def verdict(self) -> Verdict:
        """FALSE if any property is violated, TRUE if all are proved."""
        verdicts = {answer.verdict for answer in self.answers}
        order = (Verdict.FALSE, Verdict.UNKNOWN, Verdict.TRUE)
        return next(verdict for verdict in order if verdict in verdicts)

    @property
    def exit_status(self) -> int:
        """As that of one run."""
        statuses = {answer.exit_status for answer in self.answers}
        return 1 if 1 in statuses else max(statuses)


def merge(reports: Sequence[Report], lost: Sequence[MissingReport] = ()) -> MergedReport:
    """The answer that *reports*, at least one, make together; they have been checked to be about one question."""
    names = list(dict.fromkeys(name for report in reports for name in report.asked))
    found: dict[str, list[ReportedAnswer]] = {name: [] for name in names}
    for report in reports:
        for answer in report.answers:
            found[answer.name].append(ReportedAnswer(report, answer))
    return MergedReport(tuple(_merged(name, found[name]) for name in names), tuple(reports), tuple(lost))


def _merged(name: str, found: Sequence[ReportedAnswer]) -> MergedAnswer:
    levels = _levels(name, found)
    violated = [each for each in found if each.answer.verdict is Verdict.FALSE]
    proofs = [each for each in found if each.answer.verdict is Verdict.TRUE and each.report.tile == WHOLE]
    covered = [level for level in levels if level.is_proof]
    if violated:
        best = next((each for each in violated if each.answer.data["replayed"]), violated[0])
        against = next(iter(proofs), None) or next(iter(covered), None)
        return MergedAnswer(name, Verdict.FALSE, by=best, levels=levels, against=against)
    if proofs:
        return MergedAnswer(name, Verdict.TRUE, by=proofs[0], levels=levels)
    if covered:
        return MergedAnswer(name, Verdict.TRUE, level=covered[0], levels=levels)
    complete = [level for level in levels if not level.missing]
    if complete:
        deepest = max(complete, key=lambda level: level.depth)
        answers = [each.answer for each in deepest.found.values()]
        reason = "unwinding" if any(answer.reason == "unwinding" for answer in answers) else "bounded"
        return MergedAnswer(name, Verdict.UNKNOWN, reason, level=deepest, levels=levels)
    reasons = {each.answer.reason for each in found}
    said = next((reason for reason in _REASONS if reason in reasons), "interrupted")
    by = next((each for each in found if each.answer.reason == said), None)
    return MergedAnswer(name, Verdict.UNKNOWN, said, by=by, levels=levels)


def _levels(name: str, found: Sequence[ReportedAnswer]) -> tuple[MergedLevel, ...]:
    levels: dict[str, MergedLevel] = {}
    for each in found:
        parameters = each.report.parameters
        level = levels.get(each.report.level)
        if level is None:
            level = MergedLevel(name, each.report.engine, _shown(parameters))
            levels[each.report.level] = level
        level.add(each)
    return tuple(sorted(levels.values(), key=lambda level: level.depth))


def _shown(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """The values by which a level is known to the user."""
    names = _SHOWN if "rounds" in parameters else _OF_SEARCHES
    return {name: parameters[name] for name in names if parameters.get(name) is not None}
