"""What calls of library functions do with the memory that their arguments point to, by the text of the functions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from pycparser import c_ast

from cseq.modules.ir import expressions as ex
from cseq.modules.ir import instructions as ir
from cseq.modules.ir.objects import Object
from cseq.modules.ir.program import Program, Template
from cseq.modules.ir.types import Pointer
from cseq.modules.library import lexicon
from cseq.modules.modular.certificate.failure import UncoveredError


@dataclass
class Effect:
    """What a function does. reads, writes: the arguments of which it reads or writes what they point to.

    keeps: whether it may keep an address, or copy one. waits: whether it waits for something.
    """

    reads: set[int] = field(default_factory=set)
    writes: set[int] = field(default_factory=set)
    keeps: bool = False
    waits: bool = False


_TABLE = {
    "memset": Effect(writes={0}),
    "memcpy": Effect(reads={1}, writes={0}, keeps=True),
    "memmove": Effect(reads={1}, writes={0}, keeps=True),
    "__CSEQ_may_hang": Effect(waits=True),
    "__CSEQ_may_wait": Effect(waits=True),
}


class Effects:
    """The effects of the library functions that a program calls."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._known: dict[str, Effect] = dict(_TABLE)
        self._within: set[str] = set()

    def is_thread_local(self, object_: Object) -> bool:
        """Whether each thread has an object of its own."""
        declaration = object_.declaration
        return isinstance(declaration, c_ast.Decl) and "_Thread_local" in (declaration.storage or [])

    def is_new(self, instruction: ir.Undefine) -> bool:
        """Whether memory is described that was just allocated."""
        return instruction.how == lexicon.FRESH

    def waits(self, function: str, within: frozenset[str] = frozenset()) -> bool:
        """Whether the text of a function, or of one that it calls, waits."""
        if function in _TABLE:
            return _TABLE[function].waits
        if function not in self._program.steps or function in within:
            return False
        return any(
            isinstance(each, ir.Wait) or (isinstance(each, ir.Call) and self.waits(each.function, within | {function}))
            for each in self._program.steps[function].instructions()
        )

    def of(self, function: str) -> Effect:
        """What a call of *function* does. Raises UncoveredError where its text is not known, or follows pointers."""
        found = self._known.get(function)
        if found is None:
            if function not in self._program.steps or function in self._within:
                raise UncoveredError(f"`{function}`")
            self._within.add(function)
            found = self._known[function] = self._in(self._program.steps[function])
            self._within.discard(function)
        return found

    def _in(self, template: Template) -> Effect:
        found = Effect()
        for instruction in template.instructions():
            found.waits |= isinstance(instruction, ir.Wait)
            for load in instruction.loads:
                is_far = isinstance(load.base, ex.Expr)
                if isinstance(load.type, Pointer) and (is_far or not _is_local(load)):
                    raise UncoveredError(f"`{template.name}`, which follows pointers")
                found.reads |= self._parameters(template, [load.base]) if isinstance(load.base, ex.Expr) else set()
            target = instruction.target()
            if target is not None:
                if isinstance(target.base, ex.Expr):
                    found.writes |= self._parameters(template, [target.base])
                found.keeps |= isinstance(target.type, Pointer) and not _is_local(target)
            if isinstance(instruction, ir.Call):
                inner = self.of(instruction.function)
                given = instruction.arguments
                found.reads |= self._parameters(template, [each for at, each in enumerate(given) if at in inner.reads])
                found.writes |= self._parameters(
                    template, [each for at, each in enumerate(given) if at in inner.writes]
                )
                found.keeps |= inner.keeps
                found.waits |= inner.waits
        return found

    def _parameters(self, template: Template, pointers: Iterable[ex.Expr]) -> set[int]:
        """The parameters that pointers are computed from: all, if a local is among what they are computed from."""
        found: set[int] = set()
        todo = [*pointers]
        while todo:
            node = todo.pop()
            todo += node.operands()
            if isinstance(node, (ex.Read, ex.AddressOf)) and isinstance(node.place.base, Object):
                object_ = node.place.base
                if object_ in template.parameters and not _is_assigned(template, object_):
                    found.add(template.parameters.index(object_))
                elif isinstance(node, ex.Read) and object_.is_local:
                    found |= {*range(len(template.parameters))}
        return found


def _is_local(place: ex.Place) -> bool:
    return isinstance(place.base, Object) and place.base.is_local


def _is_assigned(template: Template, object_: Object) -> bool:
    return any((target := each.target()) is not None and target.base is object_ for each in template.instructions())
