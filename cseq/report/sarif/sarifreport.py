"""The report for code-scanning dashboards: SARIF 2.1.0, the Static Analysis Results Interchange Format of OASIS."""

from __future__ import annotations

import hashlib
import json
import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from cseq.model.findings import Finding, Suppression, SuppressionKind
from cseq.model.origin import Origin
from cseq.model.taskresults import TaskResult, counted
from cseq.model.trace import Race
from cseq.model.verdict import Bound, Outcome, Reason, Verdict
from cseq.report import words
from cseq.report.explain.paragraph import explain
from cseq.report.sarif.sarifflow import Flow, RelatedPlace
from cseq.report.sarif.sarifplaces import ROOT, Places, text
from cseq.report.violation_kinds import CWE, KINDS, ViolationKind, kind_of
from cseq.report.words import clean
from cseq.version import __version__

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_CWE_PAGE = "https://cwe.mitre.org/data/definitions/{}.html"

FINGERPRINT = "cseqViolation/v1"
"""The name of the fingerprint of a violation. The version grows when the fingerprint is computed differently."""

_NOTES = {
    "approximation": ("The analysis takes the program for another one.", "Ask whether the difference matters here."),
    "no-proof": ("No violation was found, which is not a proof.", "The bounds, if any, are notifications, too."),
    "no-verdict": ("There is no answer.", "Results of earlier runs are neither confirmed nor refuted."),
    "bound": ("Executions were cut off, or may have been.", "A larger bound looks further."),
    "engine": ("An engine that was asked has no answer.", "The answer is that of another engine, or there is none."),
    "execution": ("An execution that was asked for violates nothing.", "Others may."),
}
"""The kinds of notifications: a description, and advice."""

_STATUSES = {
    0: "no violation found",
    1: "a violation was found",
    2: "a program cannot be read",
    3: "there is no verdict",
    130: "interrupted",
}


def render(outcome: Outcome, inputs: Sequence[str] = (), command: Sequence[str] = ()) -> str:
    """The log as text, with a final newline.

    inputs: the user's files, relative to the current folder. command: the words of the command line, if any.
    """
    return json.dumps(log(outcome, inputs, command), indent=2) + "\n"


def log(outcome: Outcome, inputs: Sequence[str] = (), command: Sequence[str] = ()) -> dict[str, Any]:
    """The log itself, which has one run."""
    places = Places(Path.cwd(), tuple(inputs))
    results = list(_results(outcome, places))
    invocation = _invocation(outcome.exit_status, list(_notifications(outcome, places)), places, command)
    properties = {
        "verdict": outcome.verdict.value,
        "message": clean(words.answer(outcome)),
        "answers": [_answer(part) for part in outcome.all()],
        **({"kept": clean(outcome.kept)} if outcome.kept else {}),
    }
    return _log(results, invocation, places, properties)


def render_all(tasks: Sequence[TaskResult], command: Sequence[str] = (), interrupted: bool = False) -> str:
    """One log about several programs as text, with a final newline; it has one run. The arguments: see `log_of_all`."""
    return json.dumps(log_of_all(tasks, command, interrupted), indent=2) + "\n"


def log_of_all(tasks: Sequence[TaskResult], command: Sequence[str] = (), interrupted: bool = False) -> dict[str, Any]:
    """The log about several programs. command: the words of the command line. interrupted: the user ended the run."""
    places = Places(Path.cwd(), tuple(dict.fromkeys(file for task in tasks for file in task.files)))
    results: list[dict[str, Any]] = []
    notes: list[dict[str, Any]] = []
    for task in tasks:
        places.turn_to(task.files)
        if task.outcome is not None:
            results += _results(task.outcome, places, task.excuses)
            notes += _notifications(task.outcome, places, f"{task.path}: ")
        elif task.failure is not None:
            said = f"{task.path}: {task.failure.message}"
            notes.append(_notification("no-verdict", "error", said, places, task.failure.origin))
    status = 130 if interrupted else counted(tasks).exit_status
    properties = {
        "answers": [
            {"path": clean(task.path), **_answer(part)}
            for task in tasks
            if task.outcome is not None
            for part in task.outcome.all()
        ]
    }
    invocation = _invocation(status, notes, places, command)
    invocation["executionSuccessful"] = all(task.exit_status in (0, 1) for task in tasks)
    return _log(results, invocation, places, properties)


def findings(outcome: Outcome, inputs: Sequence[str] = ()) -> list[Finding]:
    """The violations in *outcome*, in the order of the results of its log. The arguments are those of `log`."""
    places = Places(Path.cwd(), tuple(inputs))
    return [each.finding() for each in _violations(outcome, places)]


def _results(outcome: Outcome, places: Places, excuses: Sequence[Suppression] = ()) -> Iterator[dict[str, Any]]:
    """The results for the violations in *outcome*."""
    for each in _violations(outcome, places):
        found = each.made()
        excuse = next((one for one in excuses if one.finding == each.finding()), None)
        if excuse is not None:
            found["suppressions"] = [_suppression(excuse)]
        yield found


def _violations(outcome: Outcome, places: Places) -> Iterator[_Result]:
    """The violations in *outcome*."""
    for part in outcome.all():
        if part.verdict is Verdict.FALSE:
            yield from (_Result(one, places) for one in (part, *_others(part)))


_JUSTIFIED = {
    SuppressionKind.EXPECTED: "A comment in the source says that it is expected.",
    SuppressionKind.IGNORED: "A comment in the source says that it is ignored.",
    SuppressionKind.KNOWN: "It is in the baseline of known findings.",
}


def _suppression(excuse: Suppression) -> dict[str, Any]:
    """Why a result does not count."""
    return {
        "kind": "external" if excuse.why is SuppressionKind.KNOWN else "inSource",
        "justification": clean(excuse.reason) or _JUSTIFIED[excuse.why],
    }


def _log(
    results: list[dict[str, Any]], invocation: dict[str, Any], places: Places, properties: dict[str, Any]
) -> dict[str, Any]:
    """The log with one run. *places* know all files."""
    run: dict[str, Any] = {
        "tool": {"driver": _driver()},
        "invocations": [invocation],
        "originalUriBaseIds": {ROOT: {"uri": places.root, "description": text("The folder in which CSeq ran.")}},
        "artifacts": places.artifacts(),
        "results": results,
        "taxonomies": [_taxonomy()],
        "columnKind": "unicodeCodePoints",
        "defaultEncoding": "utf-8",
        "defaultSourceLanguage": "c",
        "language": "en-US",
        "properties": properties,
    }
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}


def _others(part: Outcome) -> list[Outcome]:
    """An outcome for each further violation of the property of *part*."""
    return [replace(part, violated=other, counterexample=None, others=[]) for other in part.others]


def _answer(part: Outcome) -> dict[str, Any]:
    """The answer for one property."""
    return {
        "property": part.property or None,
        "verdict": part.verdict.value,
        "reason": part.reason.name.lower() if part.reason else None,
        "message": clean(words.answer(part)),
        "backend": part.backend or None,
    }


# The tool


def _driver() -> dict[str, Any]:
    return {
        "name": "CSeq",
        "version": __version__,
        "semanticVersion": __version__,
        "shortDescription": {"text": "Finds concurrency bugs in multi-threaded C programs."},
        "rules": [_rule(rule) for rule in KINDS],
        "notifications": [
            {
                "id": id_,
                "name": "".join(word.capitalize() for word in id_.split("-")) + "Notification",
                "shortDescription": {"text": said},
                "fullDescription": {"text": said},
                "help": {"text": advice},
            }
            for id_, (said, advice) in _NOTES.items()
        ],
        "supportedTaxonomies": [{"name": "CWE", "index": 0}],
    }


def _rule(rule: ViolationKind) -> dict[str, Any]:
    numbers = [*rule.cwes, *rule.related]
    tags = [*(["security"] if rule.severity is not None else []), *rule.tags]
    properties: dict[str, Any] = {
        "tags": [*tags, *(f"external/cwe/cwe-{number:03}" for number in numbers)],
        "precision": "very-high",
        "problem.severity": {"error": "error", "warning": "warning"}.get(rule.level, "recommendation"),
    }
    if rule.severity is not None:
        properties["security-severity"] = f"{rule.severity:.1f}"
    links = ", ".join(f"[CWE-{number}]({_CWE_PAGE.format(number)})" for number in numbers)
    found: dict[str, Any] = {
        "id": rule.id,
        "name": rule.name,
        "shortDescription": {"text": rule.short},
        "fullDescription": {"text": rule.full},
        "help": {
            "text": f"{rule.full} {rule.help}".strip(),
            "markdown": f"{rule.full}\n\n{rule.help.strip()}" + (f"\n\nWeaknesses: {links}" if links else ""),
        },
        "defaultConfiguration": {"level": rule.level},
        "properties": properties,
    }
    if numbers:
        found["relationships"] = [
            *({"target": _taxon(number), "kinds": ["superset"]} for number in rule.cwes),
            *({"target": _taxon(number), "kinds": ["relevant"]} for number in rule.related),
        ]
    return found


def _taxon(number: int) -> dict[str, Any]:
    return {"id": str(number), "index": list(CWE).index(number), "toolComponent": {"name": "CWE", "index": 0}}


def _taxonomy() -> dict[str, Any]:
    """The weaknesses that the rules refer to."""
    return {
        "name": "CWE",
        "organization": "MITRE",
        "shortDescription": {"text": "The Common Weakness Enumeration."},
        "informationUri": "https://cwe.mitre.org/",
        "isComprehensive": False,
        "taxa": [
            {"id": str(number), "shortDescription": {"text": f"{name}."}, "helpUri": _CWE_PAGE.format(number)}
            for number, name in CWE.items()
        ],
    }


# The run


def _invocation(status: int, notes: list[dict[str, Any]], places: Places, command: Sequence[str]) -> dict[str, Any]:
    said = [clean(word) for word in command]
    found: dict[str, Any] = {"commandLine": shlex.join(said), "arguments": said[1:]} if said else {}
    return {
        **found,
        "workingDirectory": {"uri": places.root},
        "executionSuccessful": status in (0, 1),
        "exitCode": status,
        "exitCodeDescription": _STATUSES[status],
        "toolExecutionNotifications": notes,
    }


def _notifications(outcome: Outcome, places: Places, begin: str = "") -> Iterator[dict[str, Any]]:
    """What there is to say of *outcome* besides the results. begin: what the answers begin with."""
    for caution in outcome.warnings:
        yield _notification("approximation", "warning", caution.message, places, caution.origin)
    bounds: dict[Bound, None] = {}
    for part in outcome.all():
        name = f"{begin}{part.property}: " if outcome.parts else begin
        if part.verdict is Verdict.UNKNOWN:
            answered = part.exit_status == 0
            level = ("warning" if part.reason is Reason.UNWINDING else "note") if answered else "error"
            id_ = "execution" if part.counterexample is not None else "no-proof" if answered else "no-verdict"
            yield _notification(id_, level, f"{name}{words.answer(part)}", places)
            bounds.update(dict.fromkeys(part.bounds))
        for attempt in part.attempts if part.verdict is Verdict.UNKNOWN else []:
            yield _notification("engine", "note", f"{name}{words.attempt(attempt)}", places)
    for bound in bounds:
        yield _notification("bound", "note", words.bound_alone(bound), places, bound.origin)


def _notification(id_: str, level: str, said: str, places: Places, origin: Origin | None = None) -> dict[str, Any]:
    found: dict[str, Any] = {
        "descriptor": {"id": id_, "index": list(_NOTES).index(id_)},
        "level": level,
        "message": text(_sentence(said)),
    }
    if origin is not None:
        found["locations"] = [places.location(origin)]
    return found


def _sentence(said: str) -> str:
    return said if said.endswith(".") else f"{said}."


# The violations


class _Result:
    """The result for one violated property."""

    def __init__(self, part: Outcome, places: Places) -> None:
        self._part = part
        self._places = places
        self._violated = part.violated
        self._rule = kind_of(part.violated)
        self._said = words.claim(part.violated) if part.violated else words.message(part) or "a violation was found"
        shown = part.counterexample
        origin = part.violated.origin if part.violated else None
        self._flow = Flow(shown, places, part.violated) if shown is not None and shown.steps else None
        self._steps = shown.steps if shown is not None else []
        self._origin = origin or (self._steps[-1].origin if self._steps else None)

    def made(self) -> dict[str, Any]:
        """The result."""
        related = self._flow.related if self._flow is not None else []
        found: dict[str, Any] = {
            "ruleId": self._rule.id,
            "ruleIndex": KINDS.index(self._rule),
            "kind": "fail",
            "level": self._rule.level,
            "message": {"text": self._message(related)},
            "locations": [self._location()],
        }
        if related:
            found["relatedLocations"] = [
                self._places.location(place.origin, place.what, place.source, number)
                for number, place in enumerate(related, 1)
            ]
        if self._flow is not None:
            found["codeFlows"] = [self._flow.code_flow(explain(self._part))]
            found["stacks"] = self._flow.stacks()
        found["partialFingerprints"] = {FINGERPRINT: self._fingerprint()}
        found["properties"] = self._properties()
        return found

    def finding(self) -> Finding:
        """The violation, without the words that lead to it."""
        violated = self._violated
        account = violated.account if violated is not None else None
        ends = account.sides if isinstance(account, Race) else account or ()
        origins = [self._origin, *(end.origin for end in ends)]
        places = dict.fromkeys((origin.file, origin.line) for origin in origins if origin is not None)
        name = violated.name if violated is not None else self._rule.id
        return Finding(self._rule.id, name, tuple(places), self._fingerprint(), clean(self._said))

    def _source(self) -> str:
        """The text of the line of the violation, from the counterexample or else from the file."""
        if self._origin is None:
            return ""
        same = (step.source for step in reversed(self._steps) if step.origin[:2] == self._origin[:2])
        return next(same, "").strip() or self._places.line(self._origin)

    def _location(self) -> dict[str, Any]:
        """The place of the violation; the first input if it is not known."""
        if self._origin is not None:
            found = self._places.location(self._origin, "", self._source())
            return {**found, "physicalLocation": self._places.in_context(self._origin, self._source())}
        return self._places.unknown()

    def _message(self, related: list[RelatedPlace]) -> str:
        """What is wrong. The places that it names become links; links to other related places follow."""
        said = clean(self._said).replace("](", "] (")
        numbered = dict(enumerate(related, 1))
        for place in dict.fromkeys(clean(str(place.origin)) for place in related):
            ids = [number for number, other in numbered.items() if clean(str(other.origin)) == place]
            said = _linked(said, place, ids)
        ends = len(self._flow.ends) if self._flow is not None else 0
        parts = [_sentence(said)]
        for when, numbers in (
            ("At the same time", range(1, ends + 1)),
            ("Before that", range(ends + 1, len(related) + 1)),
        ):
            links = [_link(numbered[number].what, number) for number in numbers if f"]({number})" not in said]
            parts += [f"{when}: {', '.join(links)}."] if links else []
        if self._part.spurious is not None and (happened := words.spurious_event(self._part)):
            parts.append(_sentence(clean(happened)))
        if self._part.unreplayed:
            parts.append(_sentence(f"The violation is not replayed: {clean(self._part.unreplayed)}"))
        return " ".join(parts)

    def _fingerprint(self) -> str:
        """A hash that stays the same when lines move: of the rule, the function, and the line's text without blanks."""
        function = self._origin.function if self._origin is not None else ""
        parts = (self._rule.id, function or "", "".join(self._source().split()))
        return hashlib.sha256("\0".join(parts).encode("utf-8", "backslashreplace")).hexdigest()

    def _properties(self) -> dict[str, Any]:
        part, shown = self._part, self._part.counterexample
        found: dict[str, Any] = {
            "property": part.property or None,
            "part": (part.violated.part or None) if part.violated else None,
            "replayed": not part.unreplayed,
            "spurious": part.spurious.value if part.spurious is not None else None,
            "backend": part.backend or None,
            "bounds": list(dict.fromkeys(clean(words.bound_text(bound)) for bound in part.bounds)),
        }
        if shown is not None:
            found["threads"] = [clean(str(thread)) for thread in shown.threads]
            found["steps"] = len(shown.steps)
            found["cycle"] = shown.cycle
        return found


def _linked(said: str, place: str, ids: list[int]) -> str:
    """*said* with the occurrences of *place* replaced by links to the related locations *ids*, in order."""
    remaining = iter(ids)

    def link(_: re.Match[str]) -> str:
        return _link(place, next(remaining, ids[0]))

    return re.sub(rf"(?<![\w\[/.]){re.escape(place)}(?!\d)", link, said)


def _link(said: str, number: int) -> str:
    shown = re.sub(r"([\\\[\]])", r"\\\1", clean(said))
    return f"[{shown}]({number})"
