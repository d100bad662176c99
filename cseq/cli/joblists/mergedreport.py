"""The report on one answer that is made of several: for the terminal, and as JSON."""

from typing import Any

from cseq.cli.joblists.combining import MergedAnswer, MergedLevel, MergedReport, ReportedAnswer
from cseq.cli.joblists.jobreports import question
from cseq.model.actions import ActionKind, Manner
from cseq.model.errors import UsageError
from cseq.model.origin import CallSite, Origin
from cseq.model.trace import Access, Action, Counterexample, Step, Thread
from cseq.model.verdict import Outcome, Reason, Spurious, Verdict
from cseq.report import words
from cseq.report.json import jsonreport
from cseq.report.text import merged as text

_OF_ANSWERS = ("counterexample", "explanation", "replayed", "spurious", "memory_model", "backend", "property")
"""The members that a report has of the answer that decides."""


def answer_line(answer: MergedAnswer) -> text.AnswerLine:
    """What the terminal shows of *answer*."""
    levels = {id(level): level_line(level) for level in answer.levels}
    by = answer.by
    return text.AnswerLine(
        property=answer.name,
        verdict=answer.verdict,
        reason=answer.reason,
        message=str(by.answer.data["message"]) if by is not None else "",
        assuming=_assuming(answer),
        claims=_claims(answer),
        level=levels[id(answer.level)] if answer.level is not None else None,
        levels=tuple(levels.values()),
        against=_against(answer),
        place=by.report.place if by is not None else "",
        has_steps=by is not None and isinstance(by.answer.data["counterexample"], dict),
    )


def level_line(level: MergedLevel) -> text.LevelLine:
    """What the terminal shows of *level*. Tiles are counted as if all were as small as the smallest one."""
    tiles = [*level.found, *level.others]
    most = max(tile.parts for tile in tiles)
    left = level.missing
    return text.LevelLine(
        engine=level.engine,
        bounds=level.bounds,
        tiles=most,
        known=most - sum(most // tile.parts for tile in left),
        missing=tuple(str(tile) for tile in left),
        is_divided=level.is_divided,
    )


def _of_level(answer: MergedAnswer) -> list[dict[str, Any]]:
    """The answers about the parts of the level from which *answer* follows."""
    return [found.answer.data for found in answer.level.found.values()] if answer.level is not None else []


def _claims(answer: MergedAnswer) -> bool:
    """Whether the program claims something that could have been violated: it does not where no part says so."""
    return answer.level is None or any(each["claims"] for each in _of_level(answer))


def _assuming(answer: MergedAnswer) -> str:
    """What an answer from a level assumes of the order of accesses, and of what happens without a reason."""
    if answer.level is None:
        return ""
    data = _of_level(answer)
    spurious = next((Spurious(each["spurious"]) for each in data if each["spurious"] in set(Spurious)), None)
    outcome = Outcome(answer.verdict, spurious=spurious, memory_model=str(data[0]["memory_model"]))
    return f"{words.memory_model(outcome)}{words.spurious(outcome)}"


def _against(answer: MergedAnswer) -> str:
    """The warning about what contradicts *answer*; empty if nothing does."""
    if answer.against is None or answer.by is None:
        return ""
    other = answer.against
    engine = other.engine if isinstance(other, MergedLevel) else _engine(other)
    return text.contradiction(engine, Verdict.TRUE, _engine(answer.by), answer.verdict)


def _engine(found: ReportedAnswer) -> str:
    return str(found.answer.data["backend"] or found.report.engine)


def warnings(merged: MergedReport) -> list[str]:
    """What the user should know about the answers."""
    found = [_against(answer) for answer in merged.answers]
    return [warning for warning in found if warning]


# As JSON


def report(merged: MergedReport) -> dict[str, Any]:
    """The object that docs/json.md describes."""
    answers = [_answer(answer) for answer in merged.answers]
    ranked = sorted(answers, key=lambda data: (data["verdict"] != "FALSE", data["verdict"] == "TRUE"))
    first, chosen = merged.reports[0], ranked[0]
    times: dict[str, float] = {}
    for each in merged.reports:
        for stage, seconds in each.data["times"].items():
            times[stage] = round(times.get(stage, 0.0) + seconds, 6)
    cautions = [{"message": warning, **_NOWHERE} for warning in warnings(merged)]
    data = jsonreport.report(Outcome(Verdict.UNKNOWN, Reason.INTERRUPTED))
    data |= {
        "inputs": first.data["inputs"],
        "program": next((each.program for each in merged.reports if each.program is not None), None),
        "asked": [answer.name for answer in merged.answers],
        "parameters": question(first),
        "verdict": merged.verdict.value,
        "exit_status": merged.exit_status,
        "warnings": _unique([*cautions, *(each for one in merged.reports for each in one.data["warnings"])]),
        "bounds": _unique([bound for data in answers for bound in data["bounds"]]),
        "attempts": [],
        "solvers": list(dict.fromkeys(solver for each in merged.reports for solver in each.data["solvers"])),
        "times": times,
        "properties": answers,
        "levels": [_level(level) for answer in merged.answers for level in answer.levels if not level.missing],
        "merged": _merged(merged),
    }
    return data | {name: chosen[name] for name in ("reason", "message", *_OF_ANSWERS)}


_NOWHERE = {"file": None, "line": None, "column": None, "function": None}


def _unique(values: list[Any]) -> list[Any]:
    found: list[Any] = []
    for value in values:
        if value not in found:
            found.append(value)
    return found


def _answer(answer: MergedAnswer) -> dict[str, Any]:
    """The object for one property."""
    data: dict[str, Any] = jsonreport.report(Outcome(Verdict.UNKNOWN, Reason.INTERRUPTED))["properties"][0]
    source = answer.by
    if answer.level is not None:
        source = next(iter(answer.level.found.values()))
    if source is not None:
        data = dict(source.answer.data)
    data |= {
        "name": answer.name,
        "verdict": answer.verdict.value,
        "reason": answer.reason,
        "message": text.message(answer_line(answer)),
        "ways_out": [],
    }
    if answer.level is not None:
        data["tiles"] = _tiles(answer.level)
        data["claims"] = _claims(answer)
        data["spurious"] = next((each["spurious"] for each in _of_level(answer) if each["spurious"]), None)
        data["bounds"] = [] if answer.verdict is Verdict.TRUE else answer.level.left()
    return data


def _level(level: MergedLevel) -> dict[str, Any]:
    """A complete level, as those of --auto."""
    reasons = {found.answer.reason for found in level.found.values()}
    return {
        "property": level.name,
        "bounds": {name: value for name, value in level.bounds.items() if isinstance(value, int)},
        "verdict": "TRUE" if level.is_proof else "UNKNOWN",
        "reason": None if level.is_proof else "unwinding" if "unwinding" in reasons else "bounded",
        "reached": None,
        "seconds": round(level.seconds, 6),
        "tiles": _tiles(level),
    }


def _tiles(level: MergedLevel) -> dict[str, int] | None:
    line = level_line(level)
    return {"done": line.known, "all": line.tiles} if level.is_divided else None


def _merged(merged: MergedReport) -> dict[str, Any]:
    return {
        "reports": [each.place for each in merged.reports],
        "lost": [{"file": each.place, "why": each.why, "command": each.command or None} for each in merged.lost],
        "levels": [
            {
                "property": level.name,
                "backend": level.engine,
                "bounds": level.bounds,
                "tiles": [str(tile) for tile in level.found],
                "missing": [str(tile) for tile in level.missing],
            }
            for answer in merged.answers
            for level in answer.levels
        ],
    }


# The counterexample, as other reports show it


def shown(found: ReportedAnswer) -> Counterexample | None:
    """The counterexample of *found*; None if it has none. Raises UsageError if it cannot be read."""
    data = found.answer.data["counterexample"]
    if data is None:
        return None
    try:
        threads = {each["number"]: Thread(each["number"], each["function"]) for each in data["threads"]}
        steps = [_step(step, threads) for step in data["steps"]]
        return Counterexample(steps, list(threads.values()), cycle=data["cycle"])
    except (AttributeError, KeyError, TypeError, ValueError):
        raise UsageError(f"{found.report.place}: the counterexample cannot be read") from None


def _step(data: dict[str, Any], threads: dict[int, Thread]) -> Step:
    calls = tuple(CallSite(**call) for call in data["calls"])
    place = Origin(
        str(data["file"]), int(data["line"]), data["column"] or 0, data["function"], calls, tuple(data["iteration"])
    )
    accesses = [
        Access(each["kind"], each["name"], each["value"], each["shared"], each["memory"] or 0)
        for each in data["accesses"]
    ]
    actions = [
        Action(
            ActionKind(each["kind"]),
            each["name"] or "",
            threads.get(each["thread"]),
            each["memory"] or 0,
            Manner.SPURIOUS if each["spurious"] else Manner.PLAIN,
        )
        for each in data["actions"]
    ]
    return Step(threads[data["thread"]], place, str(data["source"]), accesses, actions, bool(data["stands"]))
