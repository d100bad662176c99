"""What functions of the library do with the memory that their arguments point to: read it, write it, keep its address.

For functions that are C text, this follows from the text; for the others there is a table.
"""

from __future__ import annotations

from collections.abc import Callable

from cseq.modules.analysis.points_to import uncast
from cseq.modules.ir import expressions as ex
from cseq.modules.ir import instructions as ir
from cseq.modules.ir.objects import Object
from cseq.modules.ir.program import Program, Template
from cseq.modules.ir.types import Pointer

_TABLE: dict[str, dict[int, tuple[bool, bool]]] = {
    "memset": {0: (False, True)},
    "memcpy": {0: (False, True), 1: (True, False)},
    "memmove": {0: (False, True), 1: (True, False)},
}
_MAY_WAIT = frozenset({"__CSEQ_may_hang", "__CSEQ_may_wait"})
"""Calls that mark a wait for something that no other thread does."""
_BOTH = (True, True)
_NEITHER = (False, False)


class Effects:
    """The effects of the library functions that *program* calls."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._known: dict[str, dict[int, tuple[bool, bool]] | None] = dict(_TABLE)
        self._keeping: dict[str, bool] = dict.fromkeys(_TABLE, False)
        self._elsewhere: dict[str, tuple[bool, bool]] = {}

    def of(self, function: str) -> Callable[[int], tuple[bool, bool]]:
        """By the position of an argument: whether the function reads, and writes, what that points to."""
        found = self._effects(function)
        return lambda position: _BOTH if found is None else found.get(position, _NEITHER)

    def blocks(self, function: str, inside: frozenset[str] = frozenset()) -> bool:
        """Whether the text of the function, or of a function that it calls, waits."""
        if function not in self._program.steps or function in inside:
            return False
        return any(
            isinstance(each, ir.Wait)
            or (isinstance(each, ir.Call) and each.function in _MAY_WAIT)
            or (isinstance(each, ir.Call) and self.blocks(each.function, inside | {function}))
            for each in self._program.steps[function].instructions()
        )

    def is_known(self, function: str) -> bool:
        """Whether the function is C text, or in the table."""
        return self._effects(function) is not None

    def elsewhere(self, function: str) -> tuple[bool, bool]:
        """Whether the function reads, and writes, what pointers in memory lead to."""
        self._effects(function)
        return self._elsewhere.get(function, _NEITHER)

    def keeps_nothing(self, function: str) -> bool:
        """Whether the function stores no pointer."""
        self._effects(function)
        return not self._keeping.get(function, True)

    def _effects(self, function: str) -> dict[int, tuple[bool, bool]] | None:
        if function in self._known:
            return self._known[function]
        self._known[function] = None  # while it is looked at, which matters if it calls itself
        if function not in self._program.steps:
            return None
        template = self._program.steps[function]
        found = self._known[function] = self._in(template)
        return found

    def _in(self, template: Template) -> dict[int, tuple[bool, bool]]:
        """What the text of a function does."""
        origins: dict[Object, set[int]] = {each: {n} for n, each in enumerate(template.parameters)}
        self._follow(template, origins)
        far = self._far(template)
        found: dict[int, tuple[bool, bool]] = {}
        keeping = False
        beyond = _NEITHER

        def note(expression: ex.Expr, reads: bool, writes: bool) -> None:
            nonlocal beyond
            if _is_far(expression, far):
                beyond = (beyond[0] or reads, beyond[1] or writes)
            for position in self._positions(expression, origins):
                before = found.get(position, _NEITHER)
                found[position] = (before[0] or reads, before[1] or writes)

        for instruction in template.instructions():
            for load in instruction.loads:
                if isinstance(load.base, ex.Expr):
                    note(load.base, True, False)
            target = instruction.target()
            if target is not None and isinstance(target.base, ex.Expr):
                note(target.base, False, True)
                keeping |= isinstance(target.type, Pointer)
            elif target is not None and isinstance(target.base, Object) and not target.base.is_local:
                keeping |= isinstance(target.type, Pointer)
            if isinstance(instruction, ir.Call):
                inner = self.of(instruction.function)
                for position, argument in enumerate(instruction.arguments):
                    if isinstance(uncast(argument).type, Pointer):
                        note(argument, *inner(position))
                keeping |= not self.keeps_nothing(instruction.function)
                inside = self.elsewhere(instruction.function)
                beyond = (beyond[0] or inside[0], beyond[1] or inside[1])
        self._keeping[template.name] = keeping
        self._elsewhere[template.name] = beyond
        return found

    def _follow(self, template: Template, origins: dict[Object, set[int]]) -> None:
        """Which parameters the values of locals may come from."""
        changed = True
        while changed:
            changed = False
            for instruction in template.instructions():
                target = instruction.target()
                if target is None or not isinstance(target.base, Object) or not target.base.is_local:
                    continue
                sources = {p for each in instruction.operands() for p in self._positions(each, origins)}
                known = origins.setdefault(target.base, set())
                if not sources <= known:
                    known |= sources
                    changed = True

    def _far(self, template: Template) -> set[Object]:
        """The locals that may have a pointer that was read from memory."""
        far: set[Object] = set()
        while True:
            more = {
                target.base
                for each in template.instructions()
                if (target := each.target()) is not None and isinstance(target.base, Object) and target.base.is_local
                and (isinstance(each, ir.Call) or any(_is_far(operand, far) for operand in each.operands()))
            } - far  # fmt: skip
            if not more:
                return far
            far |= more

    def _positions(self, expression: ex.Expr, origins: dict[Object, set[int]]) -> set[int]:
        """The parameters that an expression may come from."""
        found: set[int] = set()
        todo = [expression]
        while todo:
            node = todo.pop()
            if isinstance(node, (ex.Read, ex.AddressOf)) and isinstance(node.place.base, Object):
                found |= origins.get(node.place.base, set())
            todo.extend(node.operands())
        return found


def _is_far(expression: ex.Expr, far: set[Object]) -> bool:
    """Whether the value of an expression may be a pointer that was read from memory, rather than given."""
    todo = [expression]
    while todo:
        node = todo.pop()
        if isinstance(node, ex.Read) and isinstance(node.type, Pointer):
            base = node.place.base
            if not isinstance(base, Object) or not base.is_local or base in far:
                return True
        todo.extend(node.operands())
    return False
