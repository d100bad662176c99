"""Times of clocks that only feed deadlines: one value is as good as all.

A timed wait may end at any time, whatever its deadline is: of a deadline only the nanoseconds are looked at, for their
range. So a local ``struct timespec`` that a clock sets, whose seconds only grow by constants, and that goes nowhere
else than to timed waits, has one value in place of any.
"""

from typing import Any

from pycparser import c_ast

from cseq.c import build
from cseq.modules.library import lexicon
from cseq.modules.library.primitives import without_variant
from cseq.pipeline.translator import Rewriter, rebuilt

_CLOCK = "clock_gettime"
_CLOCKS = 12
"""Clocks have the numbers below this one; for others a call fails."""
_SMALL = 9
"""Constants have fewer digits than that: no deadline overflows."""
_WAITS = frozenset({
    "__cs_step_cond_timedsleep", "__cs_step_cond_clocksleep", "__cs_step_cnd_timedsleep", "pthread_mutex_timedlock",
    "pthread_mutex_clocklock", "mtx_timedlock", "sem_timedwait", "sem_clockwait", "pthread_rwlock_timedrdlock",
    "pthread_rwlock_timedwrlock", "pthread_rwlock_clockrdlock", "pthread_rwlock_clockwrlock",
})  # fmt: skip
_SAYING = lexicon.WHOLE | {lexicon.BEGINS, lexicon.ENDS, lexicon.SHOW}


class Deadlines(Rewriter):
    """Replaces the calls of `clock_gettime` in a function that only feed deadlines by constant times."""

    def __init__(self, function: c_ast.FuncDef) -> None:
        super().__init__()
        declared = [item.name for item in function.body.block_items or [] if isinstance(item, c_ast.Decl)]
        clocks = {name for call in build.inside(function.body, c_ast.FuncCall) if (name := _of_clock(call)) in declared}
        self._names = {name for name in clocks if _mentions(function.body, name) == _harmless(function.body, name)}

    def visit_Compound(self, node: c_ast.Compound) -> c_ast.Compound:
        """A block with constant times."""
        out: list[c_ast.Node] = []
        for item in node.block_items or []:
            call = item.rvalue if isinstance(item, c_ast.Assignment) else item
            name = _of_clock(call)
            if name not in self._names:
                out.append(self.visit(item))
                continue
            for member in ("tv_sec", "tv_nsec"):
                place = c_ast.StructRef(build.ident(name), ".", build.ident(member))
                out.append(build.assign(place, build.number(0), item.coord))
            if isinstance(item, c_ast.Assignment):
                out.append(build.assign(item.lvalue, build.number(0), item.coord))
        return rebuilt(node, block_items=out)


def _of_clock(node: Any) -> str:
    """The variable that a call of `clock_gettime` for a clock that exists sets; "" for other statements."""
    if not build.is_call(node, _CLOCK):
        return ""
    clock, time = node.args.exprs
    known = isinstance(clock, c_ast.Constant) and clock.value.isdecimal() and int(clock.value) < _CLOCKS
    place = build.addressed(time)
    return str(place.name) if known and isinstance(place, c_ast.ID) else ""


def _mentions(node: Any, name: str) -> int:
    """How often the variable *name* occurs in a statement."""
    if isinstance(node, c_ast.ID):
        return int(node.name == name)
    if isinstance(node, c_ast.StructRef):
        return _mentions(node.name, name)
    return sum(_mentions(child, name) for _, child in node.children())


def _harmless(node: Any, name: str) -> int:
    """How often it occurs where its value does not matter."""
    match node:
        case c_ast.Assignment(lvalue=c_ast.StructRef(type=".", name=c_ast.ID() as base, field=field), rvalue=value):
            if base.name != name:
                return _harmless(value, name)
            if isinstance(value, c_ast.FuncCall) and value.name.name.startswith(lexicon.NONDET):
                return 1
            return 2 if field.name == "tv_sec" and _grows(value, name) else 0
        case c_ast.FuncCall():
            called = without_variant(node.name.name)
            addresses = [build.addressed(each) for each in (node.args.exprs if node.args else [])]
            is_fine = called in _WAITS | _SAYING or _of_clock(node) == name
            return sum(isinstance(each, c_ast.ID) and each.name == name for each in addresses) if is_fine else 0
    return sum(_harmless(child, name) for _, child in node.children())


def _grows(value: Any, name: str) -> bool:
    """Whether *value* is the seconds of *name*, and a small constant more."""
    if not isinstance(value, c_ast.BinaryOp) or value.op != "+":
        return False
    place: Any = build.uncast(value.left)
    more = build.uncast(value.right)
    is_seconds = isinstance(place, c_ast.StructRef) and place.type == "." and place.field.name == "tv_sec"
    is_its = is_seconds and isinstance(place.name, c_ast.ID) and place.name.name == name
    return is_its and isinstance(more, c_ast.Constant) and more.value.isdecimal() and len(more.value) < _SMALL
