"""Reports of jobs, made without any engine."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from cseq.model.actions import ActionKind
from cseq.model.claims import Claim, Cut, Kind, Limit
from cseq.model.origin import Origin
from cseq.model.trace import Access, Action, Counterexample, Step, Thread
from cseq.model.verdict import Bound, Outcome, Property, Reason, Verdict
from cseq.modules.symbolic.encode.sequentializer.tiles import Tile
from cseq.portfolio.families import Families
from cseq.report.json import jsonreport

WORKER = Thread(1, "worker")
STEP = Step(WORKER, Origin("a.c", 3, 5, "worker"), "x++;", [Access("write", "x", "1")], [Action(ActionKind.LOCK, "m")])
VIOLATION = Outcome(
    Verdict.FALSE,
    violated=Property(Claim(Kind.ASSERTION, subject="x == 2"), Origin("a.c", 9, function="main")),
    counterexample=Counterexample([STEP], [WORKER]),
)
TIMEOUT = Outcome(Verdict.UNKNOWN, Reason.TIMEOUT, "the engine ran out of time")
PROOF = Outcome(Verdict.TRUE)
ROUNDS = Bound.of(Cut(Limit.ROUNDS, 2, runs=9))
LOOP = Bound.of(Cut(Limit.LOOP, 1), Origin("a.c", 4))
NAME = "unreach-call"
ASKED = (NAME, "no-data-race")

Writer = Callable[..., Path]


def nothing(*bounds: Bound) -> Outcome:
    """There is no violation within *bounds*, besides the tile."""
    return Outcome(Verdict.UNKNOWN, Reason.UNWINDING if LOOP in bounds else Reason.BOUNDED, bounds=list(bounds))


def object_of(outcome: Outcome, engine: str = "cbmc", only: str = NAME, **given: Any) -> dict[str, Any]:
    """The report on *outcome*, of a job with these values of parameters."""
    defaults = {"rounds": 2, "unwind": 1} if engine == "cbmc" else {}
    way, _ = Families().ways({"backend": engine, "only": only, "race": True, **defaults, **given})
    bounds = list(outcome.bounds)
    if (tile := given.get("tile")) and outcome.reason in (Reason.BOUNDED, Reason.UNWINDING):
        part = Tile.read(tile)
        bounds.insert(0, Bound.of(Cut(Limit.TILE, part.number, runs=part.parts)))
    made = replace(outcome, bounds=bounds, property=only, program="p", asked=ASKED, backend=engine, times={"merger": 1})
    told: dict[str, Any] = json.loads(jsonreport.render(made, ["a.c"], way.values))
    return told
