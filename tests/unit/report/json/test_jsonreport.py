"""The report for programs: what docs/json.md promises."""

import json
import re
from typing import Any

from cseq.model import trace as tr
from cseq.model.claims import Claim, Cut, Kind, Limit
from cseq.model.origin import CallSite, Origin
from cseq.model.proof import LocalInvariant, ProofKind, ProofSummary, SharedInvariant
from cseq.model.verdict import Bound, Caution, Outcome, Property, Reason, Verdict, summed
from cseq.report.explain.paragraph import explain
from cseq.report.json import jsonreport
from tests.support.checkout import ROOT

MAIN, WORKER = tr.Thread(0, "main"), tr.Thread(1, "worker")
PLACE = Origin("a.c", 3, 5, "bump", (CallSite("worker", "a.c", 10),), (2, 1))
VIOLATION = Outcome(
    Verdict.FALSE,
    violated=Property(Claim(Kind.ASSERTION, subject="x"), Origin("a.c", 3, 5, "bump")),
    counterexample=tr.Counterexample(
        [
            tr.Step(
                WORKER,
                PLACE,
                "x++;",
                [tr.Access("read", "x", "0", True, 4096), tr.Access("write", "i", "1")],
                [
                    tr.Action(tr.ActionKind.LOCK, "m", object=64),
                    tr.Action(tr.ActionKind.CREATE, "", WORKER),
                    tr.Action(tr.ActionKind.UNLOCK, "*p", object=64),
                ],
            )
        ],
        [MAIN, WORKER],
    ),
    bounds=[Bound("unwinding", 2, Cut(Limit.LOOP, 2), Origin("a.c", 9, function="main"), True)],
    backend="cbmc",
    property="unreach-call",
    times={"merger": 0.25},
    warnings=[Caution("memory_order_relaxed is treated as sequentially consistent", Origin("a.c", 7))],
)


def read(outcome: Outcome, **kwargs: Any) -> dict[str, Any]:
    report = json.loads(jsonreport.render(outcome, **kwargs))
    assert isinstance(report, dict)
    return report


def test_violation() -> None:
    report = read(VIOLATION, inputs=["a.c"], parameters={"rounds": 2})
    assert report.pop("cseq")
    said = (
        "verdict",
        "reason",
        "message",
        "backend",
        "property",
        "bounds",
        "counterexample",
        "explanation",
        "replayed",
        "spurious",
        "memory_model",
    )
    answer = {
        "name": "unreach-call",
        **{name: report[name] for name in said},
        "statistics": None,
        "searches": [],
        "tries": [],
    }
    answer |= {
        "ways_out": [],
        "claims": True,
        "proof": None,
        "shared_data": None,
        "certificate": None,
        "races": [],
        "races_listed": None,
        "output": None,
    }
    answer |= {"jobs": [], "tiles": None, "coverage": None}
    assert report.pop("properties") == [answer]
    place = {"file": "a.c", "line": 3, "column": 5, "function": "bump"}
    assert report == {
        "schema": 1,
        "inputs": ["a.c"],
        "program": None,
        "asked": [],
        "memory_orders": None,
        "merged": None,
        "parameters": {"rounds": 2},
        "verdict": "FALSE",
        "reason": None,
        "message": "assertion `x` is violated at a.c:3 in bump",
        "exit_status": 1,
        "property": {"name": "assertion", "part": None, "description": "assertion `x`", **place},
        "warnings": [
            {
                "message": "memory_order_relaxed is treated as sequentially consistent",
                "file": "a.c",
                "line": 7,
                "column": None,
                "function": None,
            }
        ],
        "bounds": [
            {
                "kind": "unwinding",
                "value": 2,
                "description": "the loop may run more than 2 times",
                "certain": True,
                "file": "a.c",
                "line": 9,
                "column": None,
                "function": "main",
            }
        ],
        "counterexample": {
            "threads": [{"number": 0, "function": "main"}, {"number": 1, "function": "worker"}],
            "steps": [
                {
                    "thread": 1,
                    **place,
                    "calls": [{"function": "worker", "file": "a.c", "line": 10}],
                    "iteration": [2, 1],
                    "source": "x++;",
                    "events": ["locks m", "creates worker (thread 1)", "unlocks *p"],
                    "actions": [
                        {"kind": "lock", "spurious": False, "name": "m", "thread": None, "memory": 1},
                        {"kind": "create", "spurious": False, "name": None, "thread": 1, "memory": None},
                        {"kind": "unlock", "spurious": False, "name": "*p", "thread": None, "memory": 1},
                    ],
                    "stands": False,
                    "accesses": [
                        {"kind": "read", "name": "x", "value": "0", "shared": True, "memory": 2, "unseen": None},
                        {"kind": "write", "name": "i", "value": "1", "shared": False, "memory": None, "unseen": None},
                    ],
                }
            ],
            "stuck": [],
            "needed_orders": [],
            "racing": [],
            "cycle": None,
            "execution": None,
        },
        "explanation": explain(VIOLATION),
        "replayed": True,
        "spurious": None,
        "memory_model": "sc",
        "backend": "cbmc",
        "binary": None,
        "attempts": [],
        "solvers": [],
        "times": {"merger": 0.25},
        "kept": None,
        "levels": [],
    }


def test_the_statistics_of_a_search() -> None:
    numbers = {"states": 12, "seconds": 0.25}
    assert read(Outcome(Verdict.TRUE, statistics=numbers))["properties"][0]["statistics"] == numbers


def test_a_violation_that_is_not_replayed() -> None:
    report = read(Outcome(Verdict.FALSE, unreplayed="it reports no inputs"))
    assert (report["replayed"], report["properties"][0]["replayed"]) == (False, False)
    assert read(Outcome(Verdict.TRUE))["replayed"] is None


def test_the_threads_of_a_deadlock() -> None:
    holds = (tr.Hold("m0", Origin("a.c", 2, function="worker")),)
    wait = tr.LockWait(tr.ObjectKind.MUTEX, "m1", tr.Holder(MAIN))
    stuck = tr.Stuck(WORKER, PLACE, wait, (MAIN,), holds, in_circle=True)
    outcome = Outcome(Verdict.FALSE, counterexample=tr.Counterexample([], [MAIN, WORKER], [stuck]))
    assert read(outcome)["counterexample"]["stuck"] == [
        {
            "thread": 1,
            "file": "a.c",
            "line": 3,
            "column": 5,
            "function": "bump",
            "waits": "waits for m1, held by main",
            "for_threads": [0],
            "in_circle": True,
            "holds": [{"name": "m0", "reading": False, "file": "a.c", "line": 2, "column": None, "function": "worker"}],
        }
    ]


def test_the_sides_of_a_race() -> None:
    holds = (tr.Hold("m0", Origin("a.c", 2, function="worker")),)
    sides = [tr.Racing(MAIN, PLACE, tr.RaceKind.FREE, "*p", function="free", holds=holds)]
    sides.append(tr.Racing(WORKER, PLACE, tr.RaceKind.READ, "p->x", tr.Atomicity.ATOMIC))
    outcome = Outcome(Verdict.FALSE, counterexample=tr.Counterexample([], [MAIN, WORKER], racing=sides))
    place = {"file": "a.c", "line": 3, "column": 5, "function": "bump"}
    calls = [call._asdict() for call in PLACE.path]
    held = {"name": "m0", "reading": False, "file": "a.c", "line": 2, "column": None, "function": "worker"}
    main = {"thread": 0, **place, "calls": calls, "action": "frees", "how": None, "name": "*p"}
    worker = {"thread": 1, **place, "calls": calls, "action": "reads", "how": "atomically", "name": "p->x"}
    assert read(outcome)["counterexample"]["racing"] == [
        {**main, "library_function": "free", "holds": [held]},
        {**worker, "library_function": None, "holds": []},
    ]


def test_no_verdict() -> None:
    report = read(Outcome(Verdict.UNKNOWN, Reason.TIMEOUT))
    assert (report["verdict"], report["reason"], report["exit_status"]) == ("UNKNOWN", "timeout", 3)
    assert report["message"] == "out of time"
    assert report["property"] is report["counterexample"] is report["backend"] is None


def test_names_that_are_not_text_are_no_obstacle() -> None:
    assert read(Outcome(Verdict.TRUE), inputs=["\udcff.c"])["inputs"] == ["\udcff.c"]


def test_every_member_and_reason_is_documented() -> None:
    manual = (ROOT / "docs" / "json.md").read_text()
    report = read(VIOLATION)
    members = set(report) | set(report["counterexample"]) | set(report["counterexample"]["steps"][0])
    members |= set(report["bounds"][0]) | set(report["property"])
    assert not [name for name in members if f"`{name}`" not in manual]
    assert not [reason for reason in Reason if not re.search(rf'`"{reason.name.lower()}"`', manual)]


def test_several_properties_are_named_and_summed_up() -> None:
    proof = Outcome(Verdict.TRUE, property="no-deadlock")
    cut = Outcome(Verdict.UNKNOWN, Reason.BOUNDED, bounds=VIOLATION.bounds, property="no-overflow")
    report = read(summed([proof, VIOLATION, cut]))
    assert (report["verdict"], report["exit_status"]) == ("FALSE", 1)
    assert report["property"]["description"] == "assertion `x`"
    assert [(part["name"], part["verdict"]) for part in report["properties"]] == [
        ("no-deadlock", "TRUE"),
        ("unreach-call", "FALSE"),
        ("no-overflow", "UNKNOWN"),
    ]
    assert len(report["bounds"]) == 1
    assert read(summed([proof, cut]))["verdict"] == "UNKNOWN"
    assert read(summed([proof, proof]))["verdict"] == "TRUE"


def test_what_is_repeated_for_ever() -> None:
    step = tr.Step(MAIN, Origin("a.c", 3, function="main"), "x++;")
    outcome = Outcome(Verdict.FALSE, counterexample=tr.Counterexample([step, step], [MAIN], cycle=1))
    assert read(outcome)["counterexample"]["cycle"] == 1


def test_proof() -> None:
    proof = ProofSummary(
        ProofKind.MODULAR,
        ("z3", "cvc5"),
        "spacer",
        74,
        ("worker",),
        (SharedInvariant("s <= l", "m"), SharedInvariant("s >= 0")),
        (LocalInvariant(Origin("a.c", 3, 5, "bump"), "s >= 0"),),
    )
    report = read(Outcome(Verdict.TRUE, property="unreach-call", proof=proof))
    (answer,) = report["properties"]
    assert answer["proof"] == {
        "kind": "modular",
        "by": "spacer",
        "solvers": ["z3", "cvc5"],
        "conditions": 74,
        "unlimited": ["worker"],
        "invariants": [{"value": "s <= l", "lock": "m"}, {"value": "s >= 0", "lock": None}],
        "places": [{"value": "s >= 0", "file": "a.c", "line": 3, "column": 5, "function": "bump"}],
    }
    assert report["explanation"].startswith("Whenever no thread holds `m`, `s <= l`.")
