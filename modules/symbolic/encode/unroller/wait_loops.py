"""Loops around a wait on a condition variable, where waits may also end without a signal.

Such a loop can run any number of times, with nothing happening in between. An iteration in which the thread wakes up
without a signal, changes nothing, and goes back to sleep need not be explored: the thread may as well have slept on.
Call W the moment at which it wakes up, and S the one at which it sleeps again. Take the execution without what the
thread does from W to S. It is one of the program:

- The thread sleeps in between instead of holding the mutex. Only an attempt to lock the mutex could notice, so nothing
  is dropped in programs that have any. A mutex that is destroyed in between is found when the thread wakes up.
- No signal is sent between W and S, and none reaches the thread before W, or the iteration is explored
  (``__cs_idle`` in `pthread_stubs/cond.c`). So each signal finds the same waiting threads. Where the condition variable
  is destroyed in between, or used with another mutex, that is a violation now, as a thread waits.
- What the thread reads from W to S only goes to locals that it overwrites before it reads them; the addresses of the
  condition variable and of the mutex stay the same. After its last wake-up it is in the same state.

Everything that the thread does from W to S is still explored, up to S: a violation in it, or a race, is found after the
first wake-up, or, as every earlier iteration can be left out, after any. So what is dropped is an execution that goes
on to sleep again. A thread that stands there for ever stands in the other execution where it sleeps.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from pycparser import c_ast

from cseq.c import build
from cseq.c.unused import names_of
from cseq.model.actions import ActionKind, Manner
from cseq.modules.analysis import marks
from cseq.modules.analysis.places import called, calls
from cseq.modules.library import primitives, stubs
from cseq.modules.library.linking import behind_scoper
from cseq.modules.symbolic.encode.unroller.idle_loops import Functions, Spinning, is_choice

WAKES = {"__cs_step_cond_sleep": "__cs_step_cond_wake", "__cs_step_cnd_sleep": "__cs_step_cnd_wake"}
"""The steps of a wait: falling asleep → waking up."""

_ATTEMPTS = frozenset({Manner.TRIED, Manner.TIMED})


def can_see_locks(functions: Iterable[str]) -> bool:
    """Whether one of these *functions* of the library tells whether a mutex is locked without waiting for it."""
    acts = (act for name in functions for act in primitives.acts(name))
    return any(act.kind is ActionKind.TRY and act.manner in _ATTEMPTS for act in acts)


class Waiting:
    """What is known about the iterations of the loop *node*, which may wait.

    sleep, wake: the steps of its only wait, statements of the body; None where there is none, or several, or where
    waiting again may depend on what an iteration has done. may_move: whether some statement has an effect.
    """

    def __init__(self, node: c_ast.While, function: Functions, spinning: Spinning) -> None:
        self.sleep: c_ast.FuncCall | None = None
        self.wake: c_ast.FuncCall | None = None
        self.may_move = False
        self._node = node
        self._function = function
        self._spinning = spinning
        self._loop_assigned: dict[str, list[c_ast.Assignment]] = {}
        for part in build.walk(node):
            if isinstance(part, c_ast.Assignment) and isinstance(part.lvalue, c_ast.ID):
                self._loop_assigned.setdefault(part.lvalue.name, []).append(part)
        items = build.statements(node.stmt)
        waits = [call for call in calls(node) if build.callee(call) in WAKES or build.callee(call) in WAKES.values()]
        if len(waits) != 2 or WAKES.get(build.callee(waits[0])) != build.callee(waits[1]):
            return
        position = next((n for n, item in enumerate(items) if item is waits[0]), None)
        if position is None or position + 1 >= len(items) or items[position + 1] is not waits[1]:
            return
        before = {part.name for item in items[:position] for part in build.walk(item) if isinstance(part, c_ast.Goto)}
        later = {part.name for item in items[position:] for part in build.walk(item) if isinstance(part, c_ast.Label)}
        if before & later:
            return  # an iteration need not wait
        self._after = items[position + 2 :]
        self._before = items[:position]
        if not all(self._is_stable(argument, ()) for call in waits for argument in call.args.exprs):
            return
        self.sleep, self.wake = waits
        self.may_move = any(self.has_effect(part) for part in _statements(node.stmt))

    def has_effect(self, node: c_ast.Node) -> bool:
        """Whether the statement *node* may change what this or another thread finds after it has slept again."""
        if node is self.sleep or node is self.wake:
            return False
        if isinstance(node, c_ast.Assignment) and isinstance(node.lvalue, c_ast.ID) and node.op == "=":
            if self._function.visibility.is_visible(node.lvalue):
                return True
            name = node.lvalue.name
            if len(self._loop_assigned[name]) == 1 and self._is_stable(node.lvalue, ()):
                return False
            if isinstance(node.rvalue, c_ast.FuncCall) and not is_choice(node.rvalue):
                return True
            return not self._is_overwritten(name)
        return self._spinning.has_effect(node)

    def _is_stable(self, node: c_ast.Node, within: tuple[str, ...]) -> bool:
        """Whether the expression *node* has the same value whenever the thread waits."""
        visibility = self._function.visibility
        if any(True for _ in visibility.loads(node)):
            return False
        for name in build.names(node):
            assigned = self._loop_assigned.get(name, [])
            if not assigned or self._function.visibility.is_visible(build.ident(name)):
                continue  # of what is visible, only the address is taken here
            if len(assigned) > 1 or name in within or not self._is_always(assigned[0]):
                return False
            value = assigned[0].rvalue
            if isinstance(value, c_ast.FuncCall) or not self._is_stable(value, (*within, name)):
                return False
        return True

    def _is_always(self, statement: c_ast.Node) -> bool:
        """Whether each iteration executes *statement* before it waits."""
        for item in self._before:
            if item is statement:
                return True
            if any(isinstance(part, c_ast.Goto) for part in build.walk(item)):
                return False
        return False

    def _is_overwritten(self, name: str) -> bool:
        """Whether a thread that has woken up gives *name* a value before anything reads it."""
        first = self._first(name, self._after)
        if first is not None:
            return first
        jumps = any(isinstance(part, (c_ast.Goto, c_ast.Return)) for item in self._after for part in build.walk(item))
        may_leave = jumps or not build.is_constant(self._node.cond, 1)
        if name in set(build.names(self._node.cond)) or (may_leave and self._spinning.is_outside(name)):
            return False
        return bool(self._first(name, self._before))

    def _first(self, name: str, items: list[Any]) -> bool | None:
        """Whether the first of *items* that mentions *name* gives it a value in any case; None if none mentions it.

        A jump before it may lead anywhere.
        """
        jumped = False
        for item in items:
            if name in set(build.names(item)):
                is_store = isinstance(item, c_ast.Assignment) and isinstance(item.lvalue, c_ast.ID) and item.op == "="
                return (
                    not jumped and is_store and item.lvalue.name == name and name not in set(build.names(item.rvalue))
                )
            jumped = jumped or any(isinstance(part, c_ast.Goto) for part in build.walk(item))
        return None


def variant(call: Any, *more: c_ast.Node) -> c_ast.FuncCall:
    """The step *call* of a wait in a loop that goes back to waiting, with *more* arguments."""
    name = call.name.name + primitives.IDLE
    return build.call(name, *call.args.exprs, *more, origin=call.coord)


def with_variants(nodes: list[c_ast.Node]) -> c_ast.FileAST:
    """The program *nodes*, with the library functions that its variants of steps are."""
    used = {name for node in nodes if marks.is_thread(node) for name in called(node)}
    wanted = [name for name in sorted(used) if name.endswith(primitives.IDLE) and name in stubs.items()]
    if not wanted:
        return c_ast.FileAST(nodes)
    present = {name for node in nodes for name in names_of(node).declared}
    items = stubs.needed(wanted, without=present)
    return c_ast.FileAST([*nodes, *behind_scoper(items)])


def _statements(node: c_ast.Node) -> Iterator[c_ast.Node]:
    """The statements in *node* that contain no others, and the conditions."""
    match node:
        case c_ast.Compound():
            for item in node.block_items or []:
                yield from _statements(item)
        case c_ast.If():
            yield node.cond
            for branch in (node.iftrue, node.iffalse):
                if branch is not None:
                    yield from _statements(branch)
        case c_ast.While():
            yield node.cond
            yield from _statements(node.stmt)
        case c_ast.Label() if node.stmt is not None:
            yield from _statements(node.stmt)
        case _:
            yield node
