"""Checks of JSON reports that hold for every program: the schema, read strictly, and the contents of the outcome."""

import json
from functools import cache
from typing import Any

from cseq.model.trace import Counterexample
from cseq.model.verdict import Outcome, Verdict
from cseq.report.actions import events
from tests.support.checkout import ROOT

SCHEMA = ROOT / "docs" / "report.schema.json"

_MOST_VALIDATED = 100
"""The steps at each end of a longer execution that are validated; the others are only compared with the outcome."""


@cache
def schema() -> dict[str, Any]:
    """The published schema."""
    found = json.loads(SCHEMA.read_text(encoding="utf-8"))
    assert isinstance(found, dict)
    return found


def strict(part: Any) -> Any:
    """*part* of the schema without what it leaves open: other members of objects, other values than the examples.

    What it refers to stands in it, which is much faster to validate.
    """
    if isinstance(part, list):
        return [strict(item) for item in part]
    if not isinstance(part, dict):
        return part
    if "$ref" in part:
        return strict(schema()["$defs"][part["$ref"].removeprefix("#/$defs/")])
    found = {key: strict(item) for key, item in part.items() if key != "$defs"}
    if isinstance(part.get("properties"), dict) and "type" in part:
        found.setdefault("additionalProperties", False)
    if isinstance(part.get("examples"), list):
        null = [None] if "null" in part["type"] else []
        found["enum"] = [*part["examples"], *null]
    return found


@cache
def validator(strictly: bool = True) -> Any:
    """The validator of reports."""
    from jsonschema import Draft202012Validator

    Draft202012Validator.check_schema(schema())
    return Draft202012Validator(strict(schema()) if strictly else schema())


def check_schema(report: dict[str, Any]) -> None:
    """Check that the schema, read strictly, accepts *report*."""
    answers = [{**answer, "counterexample": _shortened(answer["counterexample"])} for answer in report["properties"]]
    same = any(report["counterexample"] == answer["counterexample"] for answer in report["properties"])
    shown = None if same else _shortened(report["counterexample"])  # the same part is validated only once
    shortened = {**report, "counterexample": shown, "properties": answers}
    assert not [f"{list(error.absolute_path)}: {error.message}" for error in validator().iter_errors(shortened)]


def _shortened(shown: dict[str, Any] | None) -> dict[str, Any] | None:
    if shown is None or len(shown["steps"]) <= 2 * _MOST_VALIDATED:
        return shown
    found = {**shown, "steps": shown["steps"][:_MOST_VALIDATED] + shown["steps"][-_MOST_VALIDATED:]}
    if shown["execution"] is not None:
        schedule = shown["execution"]["schedule"]
        found["execution"] = {**shown["execution"], "schedule": schedule[:_MOST_VALIDATED]}
    return found


def check_json(text: str, outcome: Outcome) -> dict[str, Any]:
    """Check that the report *text* is valid and agrees with the outcome; returns it."""
    report = json.loads(text)
    assert text.endswith("}\n")
    check_schema(report)
    assert (report["verdict"], report["exit_status"]) == (outcome.verdict.value, outcome.exit_status)
    assert (report["reason"] is None) == (outcome.reason is None)
    assert [answer["verdict"] for answer in report["properties"]] == [part.verdict.value for part in outcome.all()]
    for answer, part in zip(report["properties"], outcome.all(), strict=True):
        assert (answer["reason"] is None) == (part.reason is None)
        assert (answer["property"] is not None) == (part.violated is not None)
        assert answer["replayed"] == (not part.unreplayed if part.verdict is Verdict.FALSE else None)
        if part.violated is not None and part.violated.origin is not None:
            place = (answer["property"]["file"], answer["property"]["line"], answer["property"]["function"])
            assert place == (part.violated.origin.file, part.violated.origin.line, part.violated.origin.function)
        _check_execution(answer["counterexample"], part.counterexample)
    _check_execution(report["counterexample"], outcome.counterexample)
    return report  # type: ignore[no-any-return]


def _check_execution(told: dict[str, Any] | None, shown: Counterexample | None) -> None:
    if told is None or shown is None:
        assert told is shown is None
        return
    threads = [thread["number"] for thread in told["threads"]]
    assert threads == sorted(set(threads))
    assert len(told["steps"]) == len(shown.steps)
    for step, known in zip(told["steps"], shown.steps, strict=True):
        assert step["thread"] in threads
        assert (step["thread"], step["file"], step["line"]) == (known.thread.number, *known.origin[:2])
        assert step["events"] == events(known)
        assert [action["kind"] for action in step["actions"]] == [action.kind for action in known.actions]
        assert [(a["kind"], a["name"], a["value"]) for a in step["accesses"]] == [
            (a.kind, a.name, a.value) for a in known.accesses
        ]
    assert [stuck["thread"] for stuck in told["stuck"]] == [stuck.thread.number for stuck in shown.stuck]
    assert [side["thread"] for side in told["racing"]] == [side.thread.number for side in shown.racing]
