"""Where the explorer of execution graphs notices that a thread repeats a loop, and the locals that count there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from cseq.modules.analysis.dataflow import BitSets, UseDef, live_before, live_variables
from cseq.modules.ir import expressions as ex
from cseq.modules.ir import instructions as ir
from cseq.modules.ir.instructions import Instruction
from cseq.modules.ir.objects import Object
from cseq.modules.ir.program import Block, Template

Position = tuple[int, int]
"""A block, and how many of its instructions are before the place."""


@dataclass(frozen=True)
class Loop:
    """A loop. at: the place that each iteration passes. dead: locals that it writes, but nothing reads there any more.

    entered: where the way from outside of the loop leads to *at* instead of to its head, if it does: what is left out
    is what follows *at*, too.
    """

    number: int
    at: Position
    dead: tuple[Object, ...]
    entered: Position | None = None


class Loops:
    """The loops of a template. text: what an instruction does, without where it is."""

    def __init__(self, template: Template, text: Callable[[Instruction], str]) -> None:
        self._template = template
        self._text = text
        self._locals: BitSets[Object] = BitSets()
        own = [each for each in (*template.parameters, *template.locals) if not each.is_visible]
        self._all = self._locals.of(own)
        solution = live_variables(template, in_node=lambda node: self._of(template.blocks[node].instructions()))
        self._live = solution.before
        addressed = self._locals.of(
            place.object for node in template.instructions() for place in _addressed(node) if place.object is not None
        )
        self._droppable = self._all & ~addressed
        found = [self._loop(number, block) for number, block in enumerate(_heads(template))]
        self.at = {loop.at: loop for loop in found}
        self.entered = {loop.entered: loop for loop in found if loop.entered is not None}

    def _loop(self, number: int, head: Block) -> Loop:
        """A condition that is evaluated in front of the loop and at its end, as of `while`, is evaluated in one place.

        A thread that waits for a value is then at the same place with the same locals, whatever it has read.
        """
        blocks = self._template.blocks
        outside = [blocks[each] for each in head.predecessors if each < head.number]
        inside = [blocks[each] for each in head.predecessors if each >= head.number]
        if len(outside) == len(inside) == 1 and all(isinstance(each.end, ir.Goto) for each in (*outside, *inside)):
            before, last = outside[0], inside[0]
            common = self._common(before.body, last.body)
            if common:
                live = live_before(self._of(last.body[-common:]), self._live[head.number])
                at = last.number, len(last.body) - common
                return Loop(number, at, self._dead(head, live), (before.number, len(before.body) - common))
        return Loop(number, (head.number, 0), self._dead(head, self._live[head.number]))

    def _dead(self, head: Block, live: int) -> tuple[Object, ...]:
        written = 0
        for block in self._template.blocks[head.number : max(head.predecessors) + 1]:
            for node in block.instructions():
                written |= self._defined(node)
        return tuple(self._locals.elements(written & self._droppable & ~live))

    def _common(self, one: Sequence[Instruction], other: Sequence[Instruction]) -> int:
        """How many instructions at the end of both are the same; no atomic section is divided."""
        found, depth = 0, 0
        for count, (left, right) in enumerate(zip(reversed(one), reversed(other), strict=False), 1):
            if left.grain is not None or left.origin != right.origin or self._text(left) != self._text(right):
                break
            depth += isinstance(left, ir.End) - isinstance(left, ir.Begin)
            if depth == 0:
                found = count
        return found

    # Live variables

    def _of(self, instructions: Iterator[Instruction] | Sequence[Instruction]) -> list[UseDef]:
        return [UseDef(self._locals.of(_used(node)) & self._all, self._defined(node)) for node in instructions]

    def _defined(self, node: Instruction) -> int:
        place = node.target()
        if place is None or place.object is None or place.path or isinstance(node, ir.Zero):
            return 0
        return self._locals.of([place.object]) & self._all


def _heads(template: Template) -> Iterator[Block]:
    return (block for block in template.blocks if block.loop == block.number)


def _expressions(node: Instruction) -> Iterator[ex.Expr]:
    """All expressions that an instruction evaluates."""
    target = node.target()
    waiting = [*node.operands(), *([] if target is None else target.operands())]
    while waiting:
        each = waiting.pop()
        yield each
        waiting += each.operands()


def _used(node: Instruction) -> Iterator[Object]:
    for each in _expressions(node):
        if isinstance(each, ex.Read) and each.place.object is not None:
            yield each.place.object


def _addressed(node: Instruction) -> Iterator[ex.Place]:
    return (each.place for each in _expressions(node) if isinstance(each, ex.AddressOf))
