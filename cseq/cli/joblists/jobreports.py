"""The reports of jobs: read, and refused where they do not say what an answer can be made of.

A report counts only if nothing is missing in it. All reports have to be by this version of CSeq, about one program, and
about one question: what only says how an engine searches may differ.
"""

import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from cseq.model.claims import Cut, Limit
from cseq.model.errors import UsageError
from cseq.model.verdict import Bound, Outcome, Reason, Verdict
from cseq.modules.symbolic.encode.sequentializer.tiles import TILE, WHOLE, Tile
from cseq.pipeline.jobs import PASSING
from cseq.portfolio.families import COMPILED, Families
from cseq.report.json import jsonreport
from cseq.version import __version__

SEARCHING = frozenset({
    "backend", "auto", "rounds", "schedule", "contexts", "encoding", "solver", "prove", "unwind", "unwindset",
    "recursion", "exact_limit", "room", "threads", "first_rounds", "cores",
    "first", "known_races", "search", "seed", "preemptions", "depth", "hash_compact", "bitstate", "swarm", "no_por",
    "no_movers", "heap", "nondet_range", "sampling", "stops", "side_by_side", "abstract", "heuristic",
    "args_count_any", "agglomerate", "moves", "show_cut",
}) | PASSING  # fmt: skip
"""Parameters that say how an answer is searched for. What they leave out is a bound in the report."""

LIMITS = PASSING | {"cores", "solver"}
"""Those that do not change what the tiles of a level are."""

_NOTHING = ("bounded", "unwinding")
"""Why the verdict is UNKNOWN where there is no violation within bounds."""


class NoReportError(Exception):
    """A file is empty or ends too early: its job was killed, or has not ended yet."""


@dataclass(frozen=True)
class Answer:
    """What one report says of the property *name*. data: the members of the report, as it has them."""

    name: str
    verdict: Verdict
    reason: str | None
    kinds: tuple[str, ...]
    data: dict[str, Any] = field(repr=False)

    @property
    def is_nothing(self) -> bool:
        """Whether there is no violation, within bounds or at all."""
        return self.verdict is Verdict.TRUE or (self.verdict is Verdict.UNKNOWN and self.reason in _NOTHING)

    @property
    def is_whole(self) -> bool:
        """Whether nothing but the tile limits the answer that there is no violation."""
        if self.verdict is Verdict.TRUE:
            return set(self.kinds) <= {Limit.TILE}
        return self.reason == "bounded" and set(self.kinds) == {Limit.TILE}


@dataclass(frozen=True)
class Report:
    """A report of one job. place: its file. data: the whole object."""

    place: str
    program: str | None
    asked: tuple[str, ...]
    parameters: Mapping[str, Any] = field(repr=False)
    tile: Tile
    answers: tuple[Answer, ...]
    data: dict[str, Any] = field(repr=False)

    @property
    def engine(self) -> str:
        """The backend that the job names."""
        return str(self.parameters.get("backend", ""))

    @property
    def level(self) -> str:
        """What all tiles of one level share: a text that only they have."""
        return _text({name: value for name, value in self.parameters.items() if name not in LIMITS})


def read(path: Path) -> Report:
    """The report in the file *path*. Raises NoReportError, and UsageError for a file that is not a whole report."""
    try:
        text = path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        raise UsageError(f"{path}: no such file") from None
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise UsageError(f"{path}: is not a report of cseq --json") from None
    if not text.strip():
        raise NoReportError("empty")
    try:
        data = json.loads(text, object_pairs_hook=_object)
    except _TwiceError as error:
        raise UsageError(f"{path}: is not a report of cseq --json: `{error}` is there twice") from None
    except ValueError:
        raise NoReportError("cut off") from None
    except RecursionError:
        raise UsageError(f"{path}: is not a report of cseq --json") from None
    try:
        return _report(str(path), data)
    except _WrongError as error:
        raise UsageError(f"{path}: {error}") from None


class _WrongError(Exception):
    """What is wrong with a report."""


class _TwiceError(Exception):
    """A member that an object has twice."""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise _TwiceError(next(name for name in names if names.count(name) > 1))
    return found


@cache
def _members() -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """The members of a report, of an answer, and of a bound."""
    sample = Outcome(Verdict.UNKNOWN, Reason.BOUNDED, bounds=[Bound.of(Cut(Limit.ROUNDS, 1))])
    made = jsonreport.report(sample)
    answer = made["properties"][0]
    return frozenset(made), frozenset(answer), frozenset(answer["bounds"][0])


def _report(place: str, data: Any) -> Report:
    of_report, of_answer, of_bound = _members()
    if not isinstance(data, dict) or not {"schema", "cseq"} <= data.keys():
        raise _WrongError("is not a report of cseq --json")
    if data["cseq"] != __version__ or data["schema"] != jsonreport.SCHEMA:
        raise _WrongError(f"is by CSeq {data['cseq']}, and this is {__version__}: reports by one version are needed")
    if "merged" in data and data["merged"] is not None:
        raise _WrongError("is made of other reports: name those")
    _check_members("the report", data, of_report - {"merged"})
    parameters = data["parameters"]
    texts = isinstance(data["program"], (str, type(None))) and _is_texts(data["asked"]) and _is_texts(data["inputs"])
    if not texts or not isinstance(parameters, dict) or not isinstance(data["properties"], list):
        raise _WrongError("is not a report of cseq --json")
    if wrong := next((name for name, is_right in _TYPES.items() if not is_right(data[name])), None):
        raise _WrongError(f"the member `{wrong}` of the report has a value of another type")
    part = _tile(parameters)
    answers = []
    for answer in data["properties"]:
        _check_members("an answer", answer, of_answer)
        if wrong := next((name for name, is_right in _TYPES_OF_ANSWERS.items() if not is_right(answer[name])), None):
            raise _WrongError(f"the member `{wrong}` of an answer has a value of another type")
        if not isinstance(answer["bounds"], list):
            raise _WrongError("the bounds of an answer are not a list")
        for bound in answer["bounds"]:
            _check_members("a bound", bound, of_bound)
        answers.append(_answer(answer, part, parameters.get(TILE.name) is not None))
    report = Report(place, data["program"], tuple(data["asked"]), parameters, part, tuple(answers), data)
    _check_whole(report)
    return report


def _check_members(what: str, data: Any, names: Iterable[str]) -> None:
    if not isinstance(data, dict):
        raise _WrongError(f"{what} is not an object")
    if lacking := sorted(set(names) - data.keys()):
        raise _WrongError(f"{what} has no member `{lacking[0]}`")


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_text_or_none(value: Any) -> bool:
    return value is None or isinstance(value, str)


def _are_objects(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(each, dict) for each in value)


_TYPES: dict[str, Callable[[Any], bool]] = {
    "times": lambda value: isinstance(value, dict) and all(_is_number(each) for each in value.values()),
    "solvers": _is_texts,
    "warnings": _are_objects,
}
"""Members of a report that the merged one repeats or counts."""

_TYPES_OF_ANSWERS: dict[str, Callable[[Any], bool]] = {
    "reason": _is_text_or_none,
    "message": _is_text,
    "backend": _is_text_or_none,
    "spurious": _is_text_or_none,
    "memory_model": _is_text,
    "claims": lambda value: isinstance(value, bool),
    "replayed": lambda value: value is None or isinstance(value, bool),
}


def _tile(parameters: Mapping[str, Any]) -> Tile:
    """The part of the schedules that the job has explored."""
    text = parameters.get(TILE.name)
    if text is None:
        return WHOLE
    try:
        return Tile.read(text if isinstance(text, str) else "")
    except ValueError:
        raise _WrongError(f"`{text}` is not a tile") from None


def _answer(data: dict[str, Any], part: Tile, has_part: bool) -> Answer:
    """One answer, about *part*. has_part: whether the job was asked for one.

    Raises _WrongError where its members contradict each other.
    """
    name, reason, bounds = data["name"], data["reason"], data["bounds"]
    if not isinstance(name, str):
        raise _WrongError("an answer does not say which property it is about")
    try:
        verdict = Verdict(data["verdict"])
    except ValueError:
        raise _WrongError(f"`{data['verdict']}` is not a verdict") from None
    reasons = {each.name.lower() for each in Reason}
    if (verdict is Verdict.UNKNOWN) != (reason in reasons) or (verdict is not Verdict.UNKNOWN and reason is not None):
        raise _WrongError(f"the verdict {verdict.value} cannot be combined with the reason `{reason}`")
    if (verdict is Verdict.FALSE) != isinstance(data["property"], dict):
        raise _WrongError(f"the verdict {verdict.value} needs a violated property, and no other one has any")
    kinds = tuple(bound["kind"] for bound in bounds)
    if not _is_texts(list(kinds)):
        raise _WrongError("a bound is of no kind")
    if verdict is Verdict.TRUE and bounds:
        raise _WrongError("the verdict TRUE cannot be combined with bounds")
    values = [bound["value"] for bound in bounds if bound["kind"] == Limit.TILE]
    if values and not has_part:
        raise _WrongError("there is a bound for a tile, and no tile")
    if values and values != [part.number]:
        raise _WrongError(f"the bounds are about another tile than {part}")
    if reason in _NOTHING and part != WHOLE and not values:
        raise _WrongError(f"there is no bound for the tile {part}")
    return Answer(name, verdict, reason, kinds, data)


def _check_whole(report: Report) -> None:
    """Raise _WrongError if the members about the whole contradict the answers."""
    if not report.answers:
        raise _WrongError("there is no answer in it")
    says = any(answer.verdict is not Verdict.UNKNOWN or answer.is_nothing for answer in report.answers)
    if report.program is None and says:
        raise _WrongError("does not say which program it is about")
    names = [answer.name for answer in report.answers]
    only = report.parameters.get("only")
    if len(set(names)) < len(names) or (only and names != [only]) or not set(names) <= set(report.asked):
        raise _WrongError("its answers are not about the properties that it names")
    verdicts = {answer.verdict for answer in report.answers}
    order = (Verdict.FALSE, Verdict.UNKNOWN, Verdict.TRUE)
    if report.data["verdict"] != next(verdict for verdict in order if verdict in verdicts).value:
        raise _WrongError(f"the verdict {report.data['verdict']} is not that of its answers")
    if report.data["exit_status"] not in (0, 1, 3) or (report.data["exit_status"] == 1) != (Verdict.FALSE in verdicts):
        raise _WrongError(f"the exit status {report.data['exit_status']} is not that of its answers")


def check_together(reports: Sequence[Report]) -> None:
    """Raise UsageError, with the names of two files, if *reports* are about different programs or questions."""
    first = next((report for report in reports if report.program is not None), None)
    for report in reports:
        if first is not None and report.program not in (None, first.program):
            raise UsageError(f"{first.place} and {report.place} are about different programs")
    before: Report | None = None
    known: dict[str, Any] = {}
    for report in reports:
        asked = question(report)
        if before is None:
            before, known = report, asked
        for name in sorted(asked.keys() | known.keys()):
            if asked.get(name) != known.get(name):
                values = f"`{name}` is {_text(known.get(name))} in one and {_text(asked.get(name))} in the other"
                raise UsageError(f"{before.place} and {report.place} are about different questions: {values}")


def question(report: Report) -> dict[str, Any]:
    """The values of the parameters that say what is asked: of those of all families, and of others in *report*."""
    values = {**_defaults(), **report.parameters}
    return {name: json.loads(_text(value)) for name, value in values.items() if name not in SEARCHING}


@cache
def _defaults() -> dict[str, Any]:
    families = Families()
    parameters = families.parameters().items()
    return {
        name: one.default
        for name, one in parameters
        if name not in jsonreport.INTERNAL and families.takers(name) != [COMPILED]
    }


def _text(value: Any) -> str:
    return json.dumps(value, sort_keys=True, default=str)
