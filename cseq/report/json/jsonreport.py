"""The report for programs: one JSON object, described in docs/json.md."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from cseq.model.actions import Manner
from cseq.model.claims import Claim, Kind
from cseq.model.coverage import Coverage
from cseq.model.coverage import Kind as PointKind
from cseq.model.jobrecords import JobRecord
from cseq.model.orders import OrdersFound
from cseq.model.origin import Origin
from cseq.model.proof import CertificateCheck, ProofSummary
from cseq.model.trace import Access, Action, Counterexample, Hold, Race, Racing, Step, Stuck, Thread, Unseen
from cseq.model.tries import Try
from cseq.model.verdict import Binary, Bound, Level, Outcome, Property, Verdict
from cseq.report import actions, coverage_words, order_words, violations, waits, words
from cseq.report.explain.paragraph import explain
from cseq.report.json.sharingjson import shared_data
from cseq.report.ways_out import ways_out
from cseq.version import __version__

SCHEMA = 1
"""Grows when a member changes its meaning or is removed; members may be added without notice."""

INTERNAL = frozenset({
    "property", "built", "repeat", "times", "unit_flags", "numbered_orders", "tried_orders",
})  # fmt: skip
"""Parameters that select what a run does; they are not reported."""


def render(outcome: Outcome, inputs: Sequence[str] = (), parameters: Mapping[str, Any] | None = None) -> str:
    """The object as text, with a final newline.

    inputs: the user's files. parameters: the values with which the chain ran.
    """
    return json.dumps(report(outcome, inputs, parameters), indent=2) + "\n"


def report(outcome: Outcome, inputs: Sequence[str] = (), parameters: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The object itself."""
    answers = [_answer(part) for part in outcome.all()]
    return {
        "schema": SCHEMA,
        "cseq": __version__,
        "inputs": list(inputs),
        "program": outcome.program or None,
        "asked": list(outcome.asked),
        "parameters": {name: value for name, value in (parameters or {}).items() if name not in INTERNAL},
        "verdict": outcome.verdict.value,
        "reason": outcome.reason.name.lower() if outcome.reason else None,
        "message": words.answer(outcome),
        "exit_status": outcome.exit_status,
        "property": _property(outcome.violated) if outcome.violated else None,
        "warnings": [{"message": caution.message, **place(caution.origin)} for caution in outcome.warnings],
        "bounds": [_bound(bound) for bound in outcome.bounds],
        "counterexample": _counterexample(outcome.counterexample) if outcome.counterexample else None,
        "explanation": next((answer["explanation"] for answer in answers if answer["explanation"]), None),
        "replayed": _replayed(outcome),
        "spurious": outcome.spurious.value if outcome.spurious is not None else None,
        "memory_model": outcome.memory_model,
        "backend": outcome.backend or None,
        "binary": _binary(outcome.binary) if outcome.binary is not None else None,
        "attempts": [attempt for part in outcome.all() for attempt in _attempts(part)],
        "solvers": list(outcome.solvers),
        "times": {name: round(seconds, 6) for name, seconds in outcome.times.items()},
        "kept": outcome.kept,
        "properties": answers,
        "levels": [_level(level) for level in outcome.levels],
        "memory_orders": _orders(outcome.orders) if outcome.orders is not None else None,
        "merged": None,
    }


def _orders(found: OrdersFound) -> dict[str, Any]:
    """Other memory orders for the program."""
    return {
        "kind": found.kind.value,
        "message": order_words.found(found),
        "changes": [
            {**place(change.origin), "before": change.before, "after": change.after} for change in found.changes
        ],
        "patch": found.patch or None,
        "plain": [{**place(origin), "name": name} for origin, name in found.plain],
        "tried": found.tried,
    }


def _attempts(part: Outcome) -> list[dict[str, Any]]:
    """The messages of engines that have no answer for the property of *part*."""
    return [
        {"property": part.property or None, "backend": attempt.backend, "message": attempt.message}
        for attempt in part.attempts
    ]


def _answer(part: Outcome) -> dict[str, Any]:
    """The answer for one property."""
    return {
        "name": part.property or None,
        "verdict": part.verdict.value,
        "reason": part.reason.name.lower() if part.reason else None,
        "message": words.answer(part),
        "backend": part.backend or None,
        "property": _property(part.violated) if part.violated else None,
        "bounds": [_bound(bound) for bound in part.bounds],
        "ways_out": ways_out(part),
        "counterexample": _counterexample(part.counterexample) if part.counterexample else None,
        "explanation": explain(part) or None,
        "replayed": _replayed(part),
        "spurious": part.spurious.value if part.spurious is not None else None,
        "memory_model": part.memory_model,
        "claims": not part.unclaimed,
        "statistics": dict(part.statistics) or None,
        "searches": [asdict(share) for share in part.searches],
        "tries": [_try(each) for each in part.tries],
        "proof": _proof(part.proof) if part.proof is not None else None,
        "shared_data": shared_data(part.sharing) if part.sharing is not None else None,
        "certificate": _certificate(part.certificate) if part.certificate is not None else None,
        "races": [_race(found) for found in (part.violated, *part.others) if found and isinstance(found.account, Race)],
        "output": part.output.decode("utf-8", "replace") if part.binary is not None else None,
        "jobs": [_job(record) for record in part.jobs],
        "tiles": asdict(part.tiles) if part.tiles is not None else None,
        "coverage": _coverage(part.coverage) if part.coverage is not None else None,
        "races_listed": part.listing.name.lower() if part.listing is not None else None,
    }


def _coverage(coverage: Coverage) -> dict[str, Any]:
    """What executions reach, line by line apart."""
    groups = {"reached": coverage.reached, "unreached": coverage.unreached, "ending": coverage.ending}
    return {
        name: [
            {"kind": point.kind.value, "name": coverage_words.subject(point) or None, **place(point.place)}
            for point in points
            if point.kind is not PointKind.LINE
        ]
        for name, points in groups.items()
    }


def _certificate(found: CertificateCheck) -> dict[str, Any]:
    return {"checked": found.accepted, "why": found.why or None, "pairs": found.pairs}


def _proof(proof: ProofSummary) -> dict[str, Any]:
    return {
        "kind": proof.kind.value,
        "by": proof.by,
        "solvers": list(proof.solvers),
        "conditions": proof.conditions,
        "unlimited": list(proof.unlimited),
        "invariants": [{"value": invariant.value, "lock": invariant.lock or None} for invariant in proof.shared],
        "places": [{"value": invariant.value, **place(invariant.origin)} for invariant in proof.local],
    }


def _binary(ran: Binary) -> dict[str, Any]:
    return {"path": ran.path or None, "builds": list(ran.builds)}


def _replayed(outcome: Outcome) -> bool | None:
    """Whether the violation was replayed; None if there is none."""
    return not outcome.unreplayed if outcome.verdict is Verdict.FALSE else None


def _level(level: Level) -> dict[str, Any]:
    return {
        "property": level.property,
        "bounds": dict(level.bounds),
        "verdict": level.verdict.value,
        "reason": level.reason.name.lower() if level.reason else None,
        "reached": violations.cut(level.reached) if level.reached is not None else None,
        "seconds": round(level.seconds, 6),
        "tiles": asdict(level.tiles) if level.tiles is not None else None,
    }


def _job(record: JobRecord) -> dict[str, Any]:
    """What was done as one of several jobs, and who did it."""
    name = record.name
    return {
        "engine": name.engine,
        "property": name.property or None,
        "bounds": dict(name.bounds),
        "tile": name.tile or None,
        "search": name.search or None,
        "seed": name.seed,
        "worker": record.worker or None,
        "end": record.end.value,
        "seconds": round(record.seconds, 6),
    }


def _try(made: Try) -> dict[str, Any]:
    return {
        "kind": made.kind.value,
        "arithmetic": made.arithmetic,
        "method": made.method,
        "end": made.end.value,
        "why": made.why or None,
        "seconds": round(made.seconds, 6),
    }


def place(origin: Origin | None) -> dict[str, Any]:
    """The four members for a place in a file."""
    if origin is None:
        return {"file": None, "line": None, "column": None, "function": None}
    return {
        "file": origin.file,
        "line": origin.line,
        "column": origin.column or None,
        "function": origin.function,
    }


def _property(violated: Property) -> dict[str, Any]:
    return {
        "name": violated.name,
        "part": violated.part or None,
        "description": words.description(violated),
        **place(violated.origin),
    }


def _bound(bound: Bound) -> dict[str, Any]:
    return {
        "kind": bound.kind,
        "value": bound.value,
        "description": violations.cut(bound.cut),
        "certain": bound.certain,
        **place(bound.origin),
    }


def _counterexample(shown: Counterexample) -> dict[str, Any]:
    memory: dict[int, int] = {}
    return {
        "threads": [_thread(thread) for thread in shown.threads],
        "steps": [_step(step, memory) for step in shown.steps],
        "stuck": [_stuck(stuck) for stuck in shown.stuck],
        "needed_orders": [
            {"kind": each.what, "before": each.before, "after": each.after, **place(each.origin)}
            for each in shown.needed
        ],
        "racing": [_racing(side) for side in shown.racing],
        "cycle": shown.cycle,
        "execution": _execution(shown.execution) if shown.execution is not None else None,
    }


def _execution(recorded: Mapping[str, Any]) -> dict[str, Any]:
    """The data that reproduce the execution. Its text is put into words for readers."""
    found = dict(recorded)
    if found.get("text") and found.get("kind") != Kind.CRASH:
        found["text"] = violations.claim(Claim.of(found["text"]))
    return found


def _thread(thread: Thread) -> dict[str, Any]:
    return {"number": thread.number, "function": thread.function}


def _stuck(stuck: Stuck) -> dict[str, Any]:
    return {
        "thread": stuck.thread.number,
        **place(stuck.origin),
        "waits": waits.plain(stuck),
        "for_threads": [thread.number for thread in stuck.who],
        "in_circle": stuck.in_circle,
        "holds": _holds(stuck.holds),
    }


def _race(found: Property) -> dict[str, Any]:
    """A data race with both of its sides."""
    account = found.account
    sides = account.sides if isinstance(account, Race) else ()
    return {**_property(found), "racing": [_racing(side) for side in sides]}


def _racing(side: Racing) -> dict[str, Any]:
    return {
        "thread": side.thread.number,
        **place(side.origin),
        "calls": [call._asdict() for call in side.origin.path],
        "action": side.action,
        "how": side.how or None,
        "name": side.name,
        "library_function": side.function or None,
        "holds": _holds(side.holds),
    }


def _holds(holds: Sequence[Hold]) -> list[dict[str, Any]]:
    return [{"name": held.name, "reading": held.reading, **place(held.since)} for held in holds]


def _step(step: Step, memory: dict[int, int]) -> dict[str, Any]:
    return {
        "thread": step.thread.number,
        **place(step.origin),
        "calls": [call._asdict() for call in step.origin.path],
        "iteration": list(step.origin.iteration),
        "source": step.source,
        "events": actions.events(step),
        "actions": [_action(action, memory) for action in step.actions],
        "stands": step.stands,
        "accesses": [_access(access, memory) for access in step.accesses],
    }


def _action(action: Action, memory: dict[int, int]) -> dict[str, Any]:
    return {
        "kind": action.kind,
        "spurious": action.manner is Manner.SPURIOUS,
        "name": action.name or None,
        "thread": action.thread.number if action.thread else None,
        "memory": _number(action.object, memory),
    }


def _access(access: Access, memory: dict[int, int]) -> dict[str, Any]:
    return {
        "kind": access.kind,
        "name": access.name,
        "value": access.value,
        "shared": access.shared,
        "memory": _number(access.address, memory),
        "unseen": _unseen(access.unseen) if access.unseen is not None else None,
    }


def _unseen(store: Unseen) -> dict[str, Any]:
    return {
        "thread": store.thread.number,
        "value": store.value,
        "order": store.order or None,
        **place(store.origin),
    }


def _number(address: int, memory: dict[int, int]) -> int | None:
    """The number of the memory at *address*; None if the address is not known.

    memory: the numbers so far, by address: from 1, in the order of first use, since addresses differ from run to run.
    """
    return memory.setdefault(address, len(memory) + 1) if address else None
