"""Mark the calls that can block, for the detection of deadlocks."""

from typing import Any

from pycparser import c_ast

from cseq.c import build
from cseq.model.claims import Cut, Limit
from cseq.modules.analysis import marks
from cseq.modules.library import stubs
from cseq.options.properties import DEADLOCK
from cseq.pipeline.translator import Translator

_LIBRARY = ("__cs_deadlock_waits", "__cs_deadlock_waits_for", "__cs_deadlock_is_blocked")
_MOST_THREADS = 64  # the bits in a set of threads
# An atomic section in which a call blocks never begins, since it could not end: where its thread stands is unknown.
_IN_SECTION = Cut(Limit.BLOCKING, 1)


class DeadlockInstrumentation(Translator):
    """in: a bounded function per thread instance. out: the same, with a mark before each call that can block.

    A thread at a mark, if asked, makes the call. If the call blocks, the thread reports that, and for whom it waits. If
    it does not block, the execution is not a deadlock.
    """

    def translate(self, tree: c_ast.FileAST) -> c_ast.FileAST:
        """Mark the calls; add the functions that judge the last state."""
        threads = [n for n in tree.ext if marks.is_thread(n)]
        if len(threads) > _MOST_THREADS:
            what = f"the search for deadlocks of more than {_MOST_THREADS} threads"
            raise self.unsupported(what, threads[_MOST_THREADS])
        ext = [self.visit(n) if marks.is_thread(n) else n for n in tree.ext]
        return marks.with_judge(c_ast.FileAST(ext), marks.PREFIXES[DEADLOCK], _LIBRARY)

    def visit_Assignment(self, node: c_ast.Assignment) -> Any:
        return self._marked(node.rvalue, node)

    def visit_FuncCall(self, node: c_ast.FuncCall) -> Any:
        return self._marked(node, node)

    def _marked(self, call: c_ast.Node, statement: c_ast.Node) -> Any:
        if not (isinstance(call, c_ast.FuncCall) and stubs.can_block(call.name.name)):
            return statement
        blocked = build.call("__cs_deadlock_is_blocked")
        return [marks.mark([call, blocked], statement.coord, alone=True, in_section=_IN_SECTION), statement]
