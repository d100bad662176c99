"""Witnesses in YAML, version 2.2 of the format (https://gitlab.com/sosy-lab/benchmarking/sv-witnesses).

Correctness witnesses have version 2.0, which later versions extend.
"""

import json
import re
import shlex
import uuid
from collections.abc import Iterator
from typing import Any

from cseq.model.verdict import Outcome, Verdict
from cseq.report.witness import waypoints
from cseq.report.witness.waypoints import SourcePlace, Waypoint, WitnessTask
from cseq.version import __version__

_VARIABLE = re.compile(r"(?<![\w.])(?!(?:long|LL)\b)[A-Za-z_]\w*")
"""The names of variables in the expression of an invariant, without those of members."""

VIOLATION = "2.2"
CORRECTNESS = "2.0"


def render(outcome: Outcome, run: WitnessTask) -> str:
    """The witness for *outcome*. There has to be one (`waypoints.refusal`)."""
    return _text([entry(outcome, run)])


def entry(outcome: Outcome, run: WitnessTask) -> dict[str, Any]:
    """The only entry of the witness."""
    if outcome.verdict is Verdict.TRUE:
        content = list(_invariants(outcome, run))
        return {"entry_type": "invariant_set", "metadata": _metadata(outcome, run, CORRECTNESS), "content": content}
    assert outcome.counterexample is not None
    passed = essential(waypoints.waypoints(outcome.counterexample, outcome, run))
    return {
        "entry_type": "violation_sequence",
        "metadata": _metadata(outcome, run, VIOLATION),
        "content": list(_segments(passed)),
    }


def _invariants(outcome: Outcome, run: WitnessTask) -> Iterator[dict[str, Any]]:
    """What holds at statements of the user's files, where that is about variables that are visible there."""
    texts = waypoints.Texts(run)
    shared = texts.shared()
    invariants = [invariant for part in outcome.all() if part.proof is not None for invariant in part.proof.local]
    for invariant in dict.fromkeys(invariants):
        found = texts.find(invariant.origin)
        if found is None or not set(_VARIABLE.findall(invariant.value)) <= shared & found[0].variables():
            continue
        text, lines = found
        statement = text.statement(lines, invariant.origin.function)
        if statement is None or statement.keyword == "tail":
            continue
        token = text.begin(statement)
        place = texts.place(text, token.line, token.column, invariant.origin.function)
        kind = "loop_invariant" if statement.is_loop else "location_invariant"
        yield {
            "invariant": {
                "type": kind,
                "location": _location(place),
                "value": invariant.value,
                "format": "c_expression",
            }
        }


def essential(passed: list[Waypoint]) -> list[Waypoint]:
    """The waypoints among *passed* that determine the schedule and the inputs.

    The first and the last statement of each context do. A validator may consider a waypoint passed when its thread
    first comes to the place; so earlier visits of the same thread to that place are kept too.
    """
    kept = [point.kind != "begin" for point in passed]
    contexts: list[list[int]] = []
    for number, point in enumerate(passed):
        if not contexts or passed[contexts[-1][-1]].thread != point.thread:
            contexts.append([])
        contexts[-1].append(number)
    for context in contexts:
        begins = [number for number in context if passed[number].kind == "begin"]
        for number in begins[:1] + begins[-1:]:
            kept[number] = True
    since: set[tuple[int, SourcePlace]] = set()  # the places, by thread, of the next waypoints that are kept
    for number in reversed(range(len(passed))):
        point = passed[number]
        at = point.thread.number, point.place
        if point.kind == "target":
            since.add(at)
        elif kept[number]:
            since = {at} if point.kind == "begin" else set()
        elif at in since:
            kept[number] = True
            since = {at}
    return [point for number, point in enumerate(passed) if kept[number]]


def _segments(passed: list[Waypoint]) -> Iterator[dict[str, Any]]:
    """A segment for each waypoint, and one for both targets of a race."""
    threads = {0: 0}
    known: dict[str, str] = {}
    final = []
    for point in passed:
        if point.kind == "target":
            final.append({"waypoint": _waypoint("target", point, threads)})
            continue
        if point.kind == "begin":
            changed = {name for name, value in point.values.items() if name in point.loaded or known.get(name) != value}
            known = point.values
            condition = " && ".join(f"{name} == {constant(point.values[name])}" for name in sorted(changed)) or "1"
            shown = _waypoint("assumption", point, threads, condition, "c_expression")
        elif point.kind == "input":
            condition = f"\\result == {constant(point.value)}"
            shown = _waypoint("function_return", point, threads, condition, "ext_c_expression")
        else:
            assert point.other is not None
            shown = _waypoint("function_enter", point, threads)
            threads[point.other.number] = len(threads)
        yield {"segment": [{"waypoint": shown}]}
    yield {"segment": final}


def _waypoint(
    kind: str, point: Waypoint, threads: dict[int, int], condition: str = "", language: str = ""
) -> dict[str, Any]:
    found: dict[str, Any] = {"type": kind, "action": "follow", "thread_id": threads[point.thread.number]}
    if condition:
        found["constraint"] = {"value": condition, "format": language}
    found["location"] = _location(point.place)
    return found


def _location(place: SourcePlace) -> dict[str, Any]:
    """The members of a location, of which some are optional."""
    optional = {"column": place.column, "function": place.function}
    return {"file_name": place.file, "line": place.line, **{name: value for name, value in optional.items() if value}}


def constant(value: str) -> str:
    """The C constant for a number as steps show it."""
    if value == str(-(1 << 63)):
        return f"({-(1 << 63) + 1} - 1)"
    return f"{value}ULL" if value.isdigit() and int(value) >= 1 << 63 else value


def _metadata(outcome: Outcome, run: WitnessTask, version: str) -> dict[str, Any]:
    producer = {"name": "CSeq", "version": __version__}
    if run.command:
        producer["command_line"] = shlex.join(run.command)
    return {
        "format_version": version,
        "uuid": str(uuid.uuid4()),
        "creation_time": run.created.isoformat(timespec="seconds").replace("+00:00", "Z"),
        "producer": producer,
        "task": {
            "input_files": list(run.files),
            "input_file_hashes": {file: run.hash(file) for file in run.files},
            "specification": waypoints.specification(outcome, run),
            "data_model": {32: "ILP32", 64: "LP64"}[run.bits],
            "language": "C",
        },
    }


def _text(value: Any, indent: int = 0) -> str:
    """*value* as YAML in block style. Strings are in double quotes, as in JSON; YAML reads them alike."""
    lines = []
    if isinstance(value, list):
        for item in value:
            shown = _text(item, indent + 2) if isinstance(item, dict) else f"{_scalar(item)}\n"
            lines.append(f"{' ' * indent}- {shown.lstrip(' ')}")
    else:
        for key, item in value.items():
            name = key if key.isidentifier() else _scalar(key)
            if isinstance(item, (list, dict)) and item:
                lines.append(f"{' ' * indent}{name}:\n{_text(item, indent + 2)}")
            else:
                lines.append(f"{' ' * indent}{name}: {_scalar(item)}\n")
    return "".join(lines)


def _scalar(value: Any) -> str:
    """A number, a string or an empty list; unprintable characters of a string are escaped."""
    text = json.dumps(value, ensure_ascii=False)
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)
