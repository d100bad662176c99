"""What functions of the library do with the memory that their arguments point to: read it, write it, keep its address.

Those that are C text say so themselves; of the others, a table does.
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
_BOTH = (True, True)
_NEITHER = (False, False)


class Effects:
    """The effects of the library functions that *program* calls."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._known: dict[str, dict[int, tuple[bool, bool]] | None] = dict(_TABLE)
        self._keeping: dict[str, bool] = dict.fromkeys(_TABLE, False)

    def of(self, function: str) -> Callable[[int], tuple[bool, bool]]:
        """By the position of an argument: whether the function reads, and writes, what that points to."""
        found = self._effects(function)
        return lambda position: _BOTH if found is None else found.get(position, _NEITHER)

    def is_known(self, function: str) -> bool:
        """Whether the function is C text, or in the table."""
        return self._effects(function) is not None

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
        found: dict[int, tuple[bool, bool]] = {}
        keeping = False

        def note(expression: ex.Expr, reads: bool, writes: bool) -> None:
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
        self._keeping[template.name] = keeping
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
