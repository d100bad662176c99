"""The answer about a data structure as an object for JSON."""

from typing import Any

from cseq.model.scenario_results import Summary
from cseq.report.scenario_words import gap_words, headline
from cseq.version import __version__


def report(summary: Summary, shown: dict[str, Any] | None) -> dict[str, Any]:
    """The object. shown: the report about the program that makes the scenario with a violation, if there is one."""
    found = summary.found
    made: dict[str, Any] = {
        "schema": 1,
        "cseq": __version__,
        "verdict": summary.verdict.value,
        "message": headline(summary),
        "consistency": summary.consistency,
        "sizes": [{"threads": threads, "calls": calls} for threads, calls in summary.sizes],
        "scenarios": summary.scenarios,
        "complete": summary.complete,
        "gaps": {gap_words(gap): count for gap, count in summary.gaps},
        "states": summary.states,
        "seconds": round(summary.seconds, 3),
        "violation": None,
    }
    if summary.weak is not None:
        made["memory_model"] = "c11"
        made["executions"] = summary.weak.executions
        made["sequential"] = summary.weak.sequential
    if found is not None:
        made["violation"] = {
            "scenario": found.number,
            "question": found.question,
            "kind": found.kind,
            "threads": [
                [{"call": call, "result": found.results[thread][number]} for number, call in enumerate(calls)]
                for thread, calls in enumerate(found.calls)
            ],
            "before": [[list(earlier), list(later)] for earlier, later in found.before],
            "stopped": found.stopped,
            **({"memory_model": "c11"} if found.is_weak else {}),
            "report": shown,
        }
    return made
