"""Look for circles of threads that hold each other's locks: a chain of them is guessed while the threads run."""

from __future__ import annotations

from typing import Any

from pycparser import c_ast

from cseq.base.claims import Cut, Limit
from cseq.base.verdict import Bound
from cseq.c import build
from cseq.c.unused import names_of
from cseq.modules.analysis import marks
from cseq.modules.library import lexicon, stubs
from cseq.modules.library.linking import behind_scoper
from cseq.modules.sequential.sequential_facts import BOUNDS
from cseq.pipeline.facts import Gives
from cseq.pipeline.translator import Translator

_LOCKS: dict[str, tuple[str, str, tuple[int, ...]]] = {
    "pthread_mutex_lock": ("__cs_chain_joins", "__cs_chain_blocks", (0,)),
    "mtx_lock": ("__cs_chain_joins", "__cs_chain_blocks", (0,)),
    "pthread_spin_lock": ("__cs_chain_joins_spin", "__cs_chain_blocks_spin", (0,)),
    "__cs_step_cond_wake": ("__cs_chain_joins", "__cs_chain_blocks_woken", (1, 0)),
    "__cs_step_cond_wake_or_cancel": ("__cs_chain_joins", "__cs_chain_blocks_woken", (1, 0)),
    "__cs_step_cnd_wake": ("__cs_chain_joins", "__cs_chain_blocks_woken", (1, 0)),
    "__cs_step_cond_timedwake": ("__cs_chain_joins", "__cs_chain_blocks", (1,)),
    "__cs_step_cond_clockwake": ("__cs_chain_joins", "__cs_chain_blocks", (1,)),
    "__cs_step_cnd_timedwake": ("__cs_chain_joins", "__cs_chain_blocks", (1,)),
}
"""Steps that block while a lock is held → what is done then, whether they block, and which arguments the latter gets.

The first of these is the lock.
"""

_CALLS = {
    **dict.fromkeys(("pthread_mutex_trylock", "pthread_mutex_timedlock"), ("__cs_chain_blocks", 0)),
    **dict.fromkeys(("pthread_mutex_clocklock", "mtx_trylock", "mtx_timedlock"), ("__cs_chain_blocks", 0)),
    "pthread_spin_trylock": ("__cs_chain_blocks_spin", 0),
    "pthread_mutex_unlock": ("__cs_chain_keeps", 0),
    "mtx_unlock": ("__cs_chain_keeps", 0),
    "pthread_spin_unlock": ("__cs_chain_keeps_spin", 0),
    "__cs_step_cond_sleep": ("__cs_chain_keeps", 1),
    "__cs_step_cond_timedsleep": ("__cs_chain_keeps", 1),
    "__cs_step_cond_clocksleep": ("__cs_chain_keeps", 1),
    "__cs_step_cnd_sleep": ("__cs_chain_keeps", 1),
    "__cs_step_cnd_timedsleep": ("__cs_chain_keeps", 1),
}
"""Other steps that acquire a lock, or release one → what is done in front of them, and which argument the lock is."""


class Cycler(Translator):
    """in: a bounded function per thread instance. out: the same, whose steps that lock and unlock make a chain.

    The search is that of Lazy-CSeq (ASE 2015, §II.B). Who acquires a lock may open the chain. Who blocks on a lock
    that the last one in the chain holds joins it, and does nothing any more; any other execution ends where a thread
    blocks. The chain is closed when the first thread joins: that is the assertion that fails. The first thread must
    not release the lock on which the second one is blocked. All of that is part of the steps of the program.

    Leaves a bound: there are other deadlocks, so nothing is proved.
    """

    bounds = Gives(BOUNDS)

    def translate(self, tree: c_ast.FileAST) -> c_ast.FileAST:
        """Put the calls in; add the functions of the library that they call."""
        self.bounds = [Bound.of(Cut(Limit.CHAINS, 1))]
        self._called = {lexicon.CHAINED}
        ext = [self.visit(node) if marks.is_thread(node) else node for node in tree.ext]
        return c_ast.FileAST(self._with_functions(ext))

    def _with_functions(self, ext: list[c_ast.Node]) -> list[c_ast.Node]:
        present = {name for node in ext for name in names_of(node).declared}
        items = stubs.needed(self._called, without=present)
        types = {word for item in items for word in item.words} & present - {item for i in items for item in i.names}
        return marks.before_threads(ext, behind_scoper(items, sorted(types)))

    def visit_Assignment(self, node: c_ast.Assignment) -> Any:
        return self._chained(node.rvalue, node)

    def visit_FuncCall(self, node: c_ast.FuncCall) -> Any:
        return self._chained(node, node)

    def _chained(self, step: c_ast.Node, statement: c_ast.Node) -> Any:
        """*statement*, which makes the *step*, and in front of it what that means for the chain."""
        if not isinstance(step, c_ast.FuncCall):
            return statement
        name, arguments = step.name.name, step.args.exprs if step.args else []
        if name in _LOCKS:
            joins, blocks, which = _LOCKS[name]
            lock, *others = [arguments[number] for number in which]
            return [self._ahead(statement, self._call(blocks, lock, *others), self._call(joins, lock)), statement]
        if name in _CALLS:
            function, number = _CALLS[name]
            return [self._ahead(statement, self._call(function, arguments[number])), statement]
        return statement

    def _call(self, function: str, *arguments: c_ast.Node) -> c_ast.FuncCall:
        self._called.add(function)
        return build.call(function, *arguments)

    @staticmethod
    def _ahead(statement: c_ast.Node, condition: c_ast.Node, *actions: c_ast.Node) -> c_ast.FuncCall:
        return build.call(lexicon.AHEAD, condition, *actions, origin=statement.coord)
