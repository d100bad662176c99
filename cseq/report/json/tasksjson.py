"""The report for programs about several programs: one JSON object, described in docs/json.md."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from cseq.model.taskresults import TaskFailure, TaskResult, counted
from cseq.report.json import jsonreport
from cseq.version import __version__


def render(results: Sequence[TaskResult], seconds: float, interrupted: bool = False) -> str:
    """The object as text, with a final newline. The arguments are those of `report`."""
    return json.dumps(report(results, seconds, interrupted), indent=2) + "\n"


def report(results: Sequence[TaskResult], seconds: float, interrupted: bool = False) -> dict[str, Any]:
    """The object itself. seconds: how long all took. interrupted: whether the user ended the run."""
    counts = asdict(counted(results))
    status = counts.pop("exit_status")
    return {
        "schema": jsonreport.SCHEMA,
        "cseq": __version__,
        "tasks": [_task(result) for result in results],
        "summary": {
            **counts,
            "seconds": round(seconds, 6),
            "exit_status": 130 if interrupted else status,
        },
    }


def _task(result: TaskResult) -> dict[str, Any]:
    expected = {
        name: {"verdict": "TRUE" if one.holds else "FALSE", "part": one.part or None}
        for name, one in result.expected.items()
    }
    answer = result.outcome
    return {
        "path": result.path,
        "only": result.only or None,
        "end": result.end.value,
        "exit_status": result.exit_status,
        "seconds": round(result.seconds, 6),
        "expected": expected,
        "as_expected": result.as_expected,
        "cached": result.cached,
        "excuses": [
            {
                "rule": one.finding.rule,
                "fingerprint": one.finding.fingerprint,
                "why": one.why.value,
                "reason": one.reason or None,
            }
            for one in result.excuses
        ],
        "error": _failure(result.failure) if result.failure is not None else None,
        "report": jsonreport.report(answer, result.files, result.parameters) if answer is not None else None,
    }


def _failure(failure: TaskFailure) -> dict[str, Any]:
    return {"message": failure.message, **jsonreport.place(failure.origin)}
