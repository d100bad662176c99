"""Put behind a step program what an engine asks it besides: the scheduler, and what looks at states."""

from __future__ import annotations

from typing import Any

from pycparser import c_ast

from cseq.backends.native import EXPLORER
from cseq.base.linemap import LineMap
from cseq.c import build
from cseq.modules.explicit.scheduler import PRIORITY, QUANTUM, ROUND_ROBIN, SCHEDULING, USER, Scheduling
from cseq.modules.explicit.step_program import STEPS
from cseq.modules.front.observers.observers import CAN_PREEMPT, OBSERVED, observing
from cseq.pipeline.facts import Needs
from cseq.pipeline.stage import Unit
from cseq.pipeline.translator import Translator, rebuilt

_STEP, _TRY = "__CSEQ_step", "__cs_try"


class Hooks(Translator):
    """in: a step program. out: the same with the functions behind it that an engine calls where there are such.

    They are C that no translator has seen; `backends/explorer/interface.h` says what they mean.
    """

    takes = (QUANTUM, CAN_PREEMPT)
    observed = Needs(OBSERVED)
    scheduling = Needs(SCHEDULING)
    steps = Needs(STEPS)

    def translate(self, tree: c_ast.FileAST) -> Unit:
        """Append the text, if there is any."""
        scheduling, observed = self.scheduling, self.observed
        if scheduling.counts:
            tree = c_ast.FileAST([_tried(node) for node in tree.ext])
        unit = Unit(tree=tree)
        lines = [*observed.text.splitlines(), *self._scheduler(scheduling)]
        if not lines:
            return unit
        return Unit(text=unit.text + "\n".join([*lines, ""]), linemap=LineMap([*unit.linemap, *(None for _ in lines)]))

    def _scheduler(self, scheduling: Scheduling) -> list[str]:
        if not scheduling.counts:
            return []
        defined = {
            ROUND_ROBIN: f"__CSEQ_ROUND_ROBIN {self.parameter(QUANTUM) or 1}",
            PRIORITY: "__CSEQ_BY_PRIORITY",
            USER: f"__CSEQ_CAN_PREEMPT {observing(self.parameter(CAN_PREEMPT) or '')}",
        }
        names = [defined[scheduling.name]]
        names += ["__CSEQ_WITH_CEILINGS"] if scheduling.ceilings else []
        names += ["__CSEQ_WITH_MUTEXES"] if scheduling.mutexes else []
        text = (EXPLORER / "schedulers.h").read_text(encoding="utf-8")
        return [*(f"#define {name}" for name in names), *text.splitlines()]


def _tried(node: Any) -> c_ast.Node:
    """The function that makes a transition, under another name: the scheduler's does something in front of it."""
    if not isinstance(node, c_ast.FuncDef) or node.decl.name != _STEP:
        return node  # type: ignore[no-any-return]
    return rebuilt(
        node, decl=rebuilt(node.decl, name=_TRY, type=build.renamed(node.decl.type, _TRY), storage=["static"])
    )
