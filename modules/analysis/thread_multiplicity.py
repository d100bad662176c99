"""Thread multiplicity: how many threads execute a template, and how many objects an operation allocates.

Counts up to two, which stands for many; over-approximates. What main does outside of loops, or in an iteration of its
own, happens once; what other threads do happens as often as it likes.
"""

from collections import Counter
from collections.abc import Iterable

from cseq.modules.analysis.thread_steps import ThreadSteps
from cseq.modules.ir import instructions as ir
from cseq.modules.ir.program import Template


class ThreadMultiplicity:
    """The multiplicities of the templates and operations of *threads*."""

    def __init__(self, threads: Iterable[ThreadSteps]) -> None:
        self._times: Counter[object] = Counter()
        for thread in threads:
            for each, times in thread.executions():
                key = each.start if isinstance(each, ir.Create) else each
                self._times[key] += times if thread.is_main else 2

    def is_many(self, template: Template) -> bool:
        """Whether several threads may execute a template."""
        return self._times[template.object] + (template.name == "main") > 1

    def is_allocated_once(self, operation: ir.Call) -> bool:
        """Whether an operation is executed at most once."""
        return self._times[operation] == 1
