"""Times of clocks that only feed deadlines: one value is as good as all.

A timed wait may end at any time, whatever its deadline is: of a deadline only the nanoseconds are looked at, for their
range. So a local ``struct timespec`` that a clock sets, whose seconds only grow by constants, whose nanoseconds grow by
constants of less than a second and carry over into the seconds at once, and that goes nowhere else than to timed waits,
has one value in place of any.
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
_SECOND = 1_000_000_000
"""Nanoseconds."""
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
        case c_ast.Compound():
            found, items, at = 0, node.block_items or [], 0
            while at < len(items):
                size = _carrying(items[at : at + 3], name)
                found += sum(_mentions(item, name) for item in items[at : at + size])
                if not size:
                    found += _harmless(items[at], name)
                at += size or 1
            return found
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


def _carrying(items: list[Any], name: str) -> int:
    """How many of *items*, statements one after the other, add to the nanoseconds of *name* and keep them in range.

    Either ``if (x.tv_nsec >= second) { x.tv_sec += 1; x.tv_nsec -= second; }`` follows the addition, or
    ``x.tv_sec += x.tv_nsec / second; x.tv_nsec %= second;``.
    """
    added = _changed(items[0], name) if len(items) > 1 else None
    if added is None or added[:2] != ("tv_nsec", "+") or not 0 <= _number(added[2]) < _SECOND:
        return 0
    following = items[1]
    if isinstance(following, c_ast.If) and following.iffalse is None and _is_over(following.cond, name):
        inside = build.statements(following.iftrue)
        done = {change[:2]: _number(change[2]) for item in inside if (change := _changed(item, name)) is not None}
        carried = {("tv_sec", "+"): 1, ("tv_nsec", "-"): _SECOND}
        return 2 if done == carried and len(inside) == len(carried) else 0
    changes = [_changed(item, name) for item in items[1:]]
    if len(changes) < 2 or changes[0] is None or changes[1] is None:
        return 0
    seconds: Any = build.uncast(changes[0][2])
    is_quotient = isinstance(seconds, c_ast.BinaryOp) and seconds.op == "/" and _number(seconds.right) == _SECOND
    is_carried = changes[0][:2] == ("tv_sec", "+") and is_quotient and _is_part(seconds.left, name, "tv_nsec")
    is_rest = changes[1][:2] == ("tv_nsec", "%") and _number(changes[1][2]) == _SECOND
    return 3 if is_carried and is_rest else 0


def _changed(node: Any, name: str) -> tuple[str, str, Any] | None:
    """The member, the operator and the operand of an assignment ``name.member = name.member op operand``."""
    place = node.lvalue if isinstance(node, c_ast.Assignment) else None
    value = build.uncast(node.rvalue) if place is not None else None
    if not isinstance(place, c_ast.StructRef) or not isinstance(value, c_ast.BinaryOp):
        return None
    member = place.field.name
    is_its = _is_part(place, name, member) and _is_part(value.left, name, member)
    return (member, value.op, value.right) if is_its else None


def _is_part(node: Any, name: str, member: str) -> bool:
    """Whether *node* is ``name.member``."""
    node = build.uncast(node)
    is_member = isinstance(node, c_ast.StructRef) and node.type == "." and node.field.name == member
    return is_member and isinstance(node.name, c_ast.ID) and node.name.name == name


def _is_over(node: Any, name: str) -> bool:
    """Whether *node* says that the nanoseconds of *name* make a second."""
    if not isinstance(node, c_ast.BinaryOp) or not _is_part(node.left, name, "tv_nsec"):
        return False
    return (node.op, _number(node.right)) in ((">=", _SECOND), (">", _SECOND - 1))


def _number(node: Any) -> int:
    """The value of a constant, or of a product of such; -1 for anything else."""
    node = build.uncast(node)
    if isinstance(node, c_ast.BinaryOp) and node.op == "*":
        left, right = _number(node.left), _number(node.right)
        return left * right if left >= 0 and right >= 0 else -1
    digits = node.value.rstrip("uUlL") if isinstance(node, c_ast.Constant) else ""
    return int(digits) if digits.isdecimal() and (digits[0] != "0" or digits == "0") else -1


def _grows(value: Any, name: str) -> bool:
    """Whether *value* is the seconds of *name*, and a small constant more."""
    if not isinstance(value, c_ast.BinaryOp) or value.op != "+":
        return False
    place: Any = build.uncast(value.left)
    more = build.uncast(value.right)
    is_seconds = isinstance(place, c_ast.StructRef) and place.type == "." and place.field.name == "tv_sec"
    is_its = is_seconds and isinstance(place.name, c_ast.ID) and place.name.name == name
    return is_its and isinstance(more, c_ast.Constant) and more.value.isdecimal() and len(more.value) < _SMALL
