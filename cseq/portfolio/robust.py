"""Answers for sequential consistency that hold under the memory orders of C11, since the program has no others."""

from __future__ import annotations

from cseq.model.errors import CSeqError
from cseq.model.verdict import Outcome, Verdict
from cseq.modules.analysis.robustness import is_robust_tree
from cseq.options.memory_models import C11, MEMORY_MODEL, SC
from cseq.options.properties import PROPERTIES
from cseq.pipeline.session import Session
from cseq.portfolio.families import GRAPHS, GRAPHS_ENGINES, Configuration, Families

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
    if has_only_sc(session, Configuration(chain, values)):
        for part in parts:
            carry_over(part, part.property)
        if outcome.parts and outcome.verdict is not Verdict.FALSE and all(part.robust for part in parts):
            _note(outcome)
