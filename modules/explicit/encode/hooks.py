"""Append to a step program the other functions that an engine calls: the scheduler, and those that inspect states."""

from typing import Any

from pycparser import c_ast

from cseq.backends.native import EXPLORER
from cseq.c import build
from cseq.model.errors import UnsupportedError
from cseq.model.origin import LineMap
from cseq.model.verdict import Bound
from cseq.modules.analysis.distance import TARGETS, hook
from cseq.modules.explicit.encode.robustness_monitor import LOST, MONITORED, MOST_THREADS, monitor_text
from cseq.modules.explicit.encode.scheduling_model import PRIORITY, QUANTUM, ROUND_ROBIN, SCHEDULING, USER, Scheduling
from cseq.modules.explicit.encode.step_program import STEPS
from cseq.modules.frontend.observers.observers import CAN_PREEMPT, OBSERVED, observing
from cseq.pipeline.facts import Needs, Uses
from cseq.pipeline.stage import Parameter, Unit
from cseq.pipeline.translator import Translator, rebuilt

COLLECT: Parameter[str | None] = Parameter(
    "collect", str, None, "the object at file level whose values the engine is to collect"
)
_COLLECTED = (
    "const struct __CSEQ_touchable __CSEQ_collected[] = {{ {{ {{ &{name} }}, sizeof {name} }}, {{ {{ 0 }}, 0 }} }};"
)
_INTEGERS = {"_Bool", "char", "short", "int", "long", "signed", "unsigned"}
_STEP, _TRY = "__CSEQ_step", "__cs_try"


class Hooks(Translator):
    """in: a step program. out: the same, followed by the optional functions that an engine calls, if there are any.

    They are C that no translator has processed; `backends/explorer/interface.h` documents them.
    """

    takes = (QUANTUM, CAN_PREEMPT, COLLECT)
    observed = Needs(OBSERVED)
    scheduling = Needs(SCHEDULING)
    steps = Needs(STEPS)
    targets = Uses(TARGETS, list[c_ast.Node]())
    monitored = Uses(MONITORED, dict[str, int]())

    def translate(self, tree: c_ast.FileAST) -> Unit:
        """Append the text, if there is any."""
        scheduling, observed = self.scheduling, self.observed
        if scheduling.counts or self.monitored:
            tree = c_ast.FileAST([_tried(node) for node in tree.ext])
        unit = Unit(tree=tree)
        lines = [*observed.text.splitlines(), *self._scheduler(scheduling)]
        lines += hook(self.targets, _numbers(tree))
        if (collected := self.parameter(COLLECT)) is not None:
            lines.append(_COLLECTED.format(name=collected))
        if self.monitored:
            lines += self._monitor()
        if not lines:
            return unit
        return Unit(text=unit.text + "\n".join([*lines, ""]), linemap=LineMap([*unit.linemap, *(None for _ in lines)]))

    def _monitor(self) -> list[str]:
        """The monitor of robustness. Raises UnsupportedError if there are too many threads."""
        if self.steps.most_threads > MOST_THREADS:
            raise UnsupportedError(f"the monitor of robustness does not support more than {MOST_THREADS} threads", None)
        self.steps.bounds.setdefault(LOST, Bound.of(LOST))
        return monitor_text(self.monitored)

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
        text = (EXPLORER / "program" / "schedulers.h").read_text(encoding="utf-8")
        return [*(f"#define {name}" for name in names), *text.splitlines()]


def _numbers(tree: c_ast.FileAST) -> set[str]:
    """The names of the integers at file level."""
    found = (node for node in tree.ext if isinstance(node, c_ast.Decl) and isinstance(node.type, c_ast.TypeDecl))
    return {
        str(node.name)
        for node in found
        if isinstance(node.type.type, c_ast.IdentifierType) and _INTEGERS.issuperset(node.type.type.names)
    }


def _tried(node: Any) -> c_ast.Node:
    """The function that makes a transition, renamed: the scheduler's version does something first, then calls it."""
    if not isinstance(node, c_ast.FuncDef) or node.decl.name != _STEP:
        return node  # type: ignore[no-any-return]
    return rebuilt(
        node, decl=rebuilt(node.decl, name=_TRY, type=build.renamed(node.decl.type, _TRY), storage=["static"])
    )
