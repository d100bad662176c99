"""Answers for sequential consistency that hold under the memory orders of C11, since the program has no others.

The static argument is tried first (`modules/analysis/robustness.py`). Where it does not apply, the explicit family
explores the program with a monitor (`backends/explorer/program/robustness.h`): if that search is complete, and nothing
was cut off, all executions are sequentially consistent.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cseq.model.errors import CSeqError
from cseq.model.verdict import Outcome, Verdict
from cseq.modules.analysis.robustness import is_robust_tree
from cseq.modules.questions.questions import ONLY
from cseq.options.memory_models import C11, MEMORY_MODEL, ROBUSTNESS, SC
from cseq.options.properties import PROPERTIES, TIMEOUT, UNREACH
from cseq.pipeline.session import Session
from cseq.portfolio.families import EXPLICIT, EXPLICIT_ENGINES, GRAPHS, GRAPHS_ENGINES, Configuration, Families
from cseq.process.deadline import TimeUpError

SECONDS = 20.0
"""That the search with the monitor may take where the user gives no limit."""

_LEAST = 0.5

_ROOM = frozenset({"threads", "heap", "recursion", "jobs", "memlimit", "nondet_range", "no_movers", "no_por"})
"""Parameters of the explicit family that the search has as well."""

_STAGE = "inliner"
"""The stage after which the program is looked at."""


def has_only_sc(session: Session, graphs: Configuration) -> bool:
    """Whether it is certain that all executions of the program are sequentially consistent.

    graphs: the way of execution graphs, whose first stages keep the memory orders. Another way has to be set later.
    """
    session.use(graphs.chain)
    try:
        return is_robust_tree(session.run(graphs.values, until=_STAGE).tree, session.context.model)
    except CSeqError:
        return False


def monitoring(explicit: Configuration, seconds: float | None = None) -> Configuration:
    """The search with the monitor, for the program of a way of the explicit family. seconds: that it may take."""
    names = Families().chains[GRAPHS].parameters().keys() | _ROOM
    taken = explicit.chain.parameters()
    given = {
        name: value
        for name, value in explicit.values.items()
        if name in names and name in taken and value != taken[name].default
    }
    values = explicit.chain.values({**given, "backend": EXPLICIT_ENGINES[0]})
    asked = {ONLY.name: UNREACH, ROBUSTNESS.name: True, TIMEOUT.name: seconds}
    return Configuration(explicit.chain, {**values, **asked})


def shows_robustness(outcome: Outcome) -> bool:
    """Whether the *outcome* of such a search says that all executions are sequentially consistent."""
    return outcome.verdict is Verdict.TRUE and not outcome.message


def _is_shown_by_monitor(session: Session, values: Mapping[str, Any]) -> bool:
    """The same, where no other search is made at the same time. values: of the user's way."""
    chain = Families().chains[EXPLICIT]
    left = session.context.left(TIMEOUT.of(values))
    if left is not None and left < _LEAST:
        return False
    known = {parameter.name: parameter for _, stage in chain.stages for parameter in stage.takes}
    given = {name: value for name, value in values.items() if name in known and value != known[name].default}
    given.pop("backend", None)
    way = monitoring(Configuration(chain, given), SECONDS if left is None else min(left, SECONDS))
    context = session.context
    before = context.facts, context.warnings, context.values, context.workdir
    try:
        session.use(way.chain)
        context.values = way.values
        context.workdir = before[-1] / "robustness"
        context.workdir.mkdir(parents=True, exist_ok=True)
        assert way.chain.planner is not None
        found = way.chain.planner(context).plan(session)
        return isinstance(found, Outcome) and shows_robustness(found)
    except (CSeqError, TimeUpError):
        return False
    finally:
        context.facts, context.warnings, context.values, context.workdir = before


def carry_over(outcome: Outcome, name: str) -> None:
    """Note in the *outcome* for the property *name* that it is one for all executions of a robust program."""
    if outcome.memory_model == SC and name in PROPERTIES and outcome.verdict is not Verdict.FALSE:
        _note(outcome)


def _note(outcome: Outcome) -> None:
    outcome.memory_model, outcome.robust = C11, True
    outcome.warnings = [caution for caution in outcome.warnings if not caution.strengthens]


def carry_all_over(session: Session, way: Configuration, outcome: Outcome) -> None:
    """Do so for each answer in the *outcome* of a run on one *way*, if it assumes stronger orders than the program has.

    The session is set to another way.
    """
    parts = [part for part in outcome.all() if part.verdict is not Verdict.FALSE]
    if not parts or not session.is_ours:
        return
    chain = Families().chains[GRAPHS]
    known = {parameter.name: parameter for _, stage in chain.stages for parameter in stage.takes}
    given = {name: value for name, value in way.values.items() if name in known and value != known[name].default}
    values = chain.values({**given, "backend": GRAPHS_ENGINES[0], MEMORY_MODEL.name: C11})
    is_proved = any(part.verdict is Verdict.TRUE and part.property in PROPERTIES for part in parts)
    is_robust = has_only_sc(session, Configuration(chain, values))
    if is_robust or (is_proved and _is_shown_by_monitor(session, way.values)):
        for part in parts:
            carry_over(part, part.property)
        if outcome.parts and outcome.verdict is not Verdict.FALSE and all(part.robust for part in parts):
            _note(outcome)
