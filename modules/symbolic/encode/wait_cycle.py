"""Look for cycles of threads that hold each other's locks: a chain of them is guessed while the threads run."""

from typing import Any

from pycparser import c_ast

from cseq.c import build
from cseq.c.unused import names_of
from cseq.model.actions import ActionKind, ObjectKind
from cseq.model.claims import Cut, Limit
from cseq.model.verdict import Bound
from cseq.modules.analysis import marks
from cseq.modules.library import lexicon, primitives, stubs
from cseq.modules.library.acts import Act
from cseq.modules.library.linking import behind_scoper
from cseq.modules.symbolic.encode.facts import BOUNDS
from cseq.pipeline.facts import Gives
from cseq.pipeline.translator import Translator

_SUFFIXES = {ObjectKind.MUTEX: "", ObjectKind.SPIN_LOCK: "_spin"}
"""The suffixes of the functions for each kind of lock (``pthread_stubs/chain.c``)."""


class WaitCycle(Translator):
    """in: a bounded function per thread instance. out: the same, whose locking and unlocking steps build a chain.

    The search is that of Lazy-CSeq (ASE 2015, §II.B). A thread that acquires a lock may open the chain. A thread that
    blocks on a lock held by the last one in the chain joins it, and does nothing more; any other execution ends where a
    thread blocks. The chain is closed when the first thread joins: that is the assertion that fails. The first thread
    must not release the lock on which the second one is blocked. All of that is part of the steps of the program.

    Leaves a bound: there are other deadlocks, so nothing is proved.
    """

    bounds = Gives(BOUNDS)

    def translate(self, tree: c_ast.FileAST) -> c_ast.FileAST:
        """Insert the calls; add the library functions that they call."""
        self.bounds = [Bound.of(Cut(Limit.CHAINS, 1))]
        self._called = {lexicon.CHAINED}
        ext = [self.visit(node) if marks.is_thread(node) else node for node in tree.ext]
        return c_ast.FileAST(self._with_functions(ext))

    def _with_functions(self, ext: list[c_ast.Node]) -> list[c_ast.Node]:
        present = {name for node in ext for name in names_of(node).declared}
        items = stubs.needed(self._called, without=present)
        return marks.before_threads(ext, behind_scoper(items))

    def visit_Assignment(self, node: c_ast.Assignment) -> Any:
        return self._chained(node.rvalue, node)

    def visit_FuncCall(self, node: c_ast.FuncCall) -> Any:
        return self._chained(node, node)

    def _chained(self, step: c_ast.Node, statement: c_ast.Node) -> Any:
        """*statement*, which makes the *step*, preceded by what that means for the chain."""
        if not isinstance(step, c_ast.FuncCall):
            return statement
        name, arguments = step.name.name, step.args.exprs if step.args else []
        for act in () if primitives.may_do_nothing(name) else primitives.acts(name):
            ahead = self._ahead(name, act, arguments)
            if ahead:
                return [build.call(lexicon.AHEAD, *ahead, origin=statement.coord), statement]
        return statement

    def _ahead(self, name: str, act: Act, arguments: list[c_ast.Node]) -> list[c_ast.Node]:
        """Whether a step that does *act* blocks or must not be made, and what to do then; empty for most steps."""
        kind = stubs.object_kind(name, act.argument)
        if act.argument is None or kind not in _SUFFIXES:
            return []
        lock, suffix = arguments[act.argument], _SUFFIXES[kind]
        match act.kind:
            case ActionKind.LOCK if act.argument != 0 and stubs.uses(name, stubs.WAIT_OR_WAKE):  # for a signal, too
                return [self._call("__cs_chain_blocks_woken", lock, arguments[0]), self._call("__cs_chain_joins", lock)]
            case ActionKind.LOCK:
                return [self._call(f"__cs_chain_{what}{suffix}", lock) for what in ("blocks", "joins")]
            case ActionKind.TRY:
                return [self._call(f"__cs_chain_blocks{suffix}", lock)]
            case ActionKind.UNLOCK:
                return [self._call(f"__cs_chain_keeps{suffix}", lock)]
        return []

    def _call(self, function: str, *arguments: c_ast.Node) -> c_ast.FuncCall:
        self._called.add(function)
        return build.call(function, *arguments)
