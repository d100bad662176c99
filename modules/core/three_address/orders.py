"""Operands that C evaluates in any order (C11 §6.5p3, §6.5.2.2p10)."""

from itertools import combinations
from typing import Any

from pycparser import c_ast

from cseq.c import build, nodes
from cseq.c.symbols import Symbols, basic
from cseq.modules.analysis.effects import Effects, ProgramEffects, may_act
from cseq.modules.core.writing import Writing
from cseq.modules.library import lexicon

_CALL = 50
"""The weight of a call, where that of anything else is 1."""


class OrderWriter:
    """Writes the evaluation of operands into the output of the three-address stage *to*.

    Where it matters which of two operands comes first, the engine chooses. Of more than two, only the order from left
    to right and its reverse are explored, and a warning says so.
    """

    def __init__(self, to: Writing, symbols: Symbols, tree: c_ast.FileAST) -> None:
        self._to = to
        self._symbols = symbols
        self._tree = tree
        self._known: ProgramEffects | None = None

    def values(self, operands: list[c_ast.Node]) -> list[c_ast.Node]:
        """The values of *operands*, as `Writing.value` gives each of them."""
        clashing = self.clashing(operands)
        return self._both(operands, clashing) if clashing else [self._to.value(each) for each in operands]

    def settled(self, operands: list[c_ast.Node]) -> list[c_ast.Node]:
        """*operands* with those in variables for which the order matters, if there are any."""
        clashing = self.clashing(operands)
        if not clashing:
            return operands
        return self._both(operands, clashing, others=False)

    def clashing(self, operands: list[c_ast.Node]) -> list[int]:
        """The positions of the *operands* for which the order matters."""
        if len(operands) < 2 or lexicon.is_ours(self._to.origin) or not any(may_act(each) for each in operands):
            return []
        program = self._program
        effects = [program.of(each) for each in operands]
        is_ours = _orders_lengths(effects)
        pairs = [pair for pair in combinations(range(len(operands)), 2) if program.clash(*(effects[n] for n in pair))]
        found = sorted({position for pair in pairs for position in pair})
        if any(self._symbols.is_void(self._symbols.value_type(operands[position])) for position in found):
            return []
        if found and (is_ours or any(_has_block(operands[position]) for position in found)):
            self.warn("from left to right")
            return []
        return found

    def look_at_list(self, assignments: list[Any]) -> None:
        """Say that one order is explored if that of *assignments*, which a list of initialisers has become, matters."""
        acting = [node for node in assignments if may_act(node.rvalue)]
        if acting and self.clashing([node.rvalue for node in assignments]):
            self.warn("from left to right")

    def warn(self, order: str) -> None:
        """Say that only some orders of evaluation are explored."""
        self._to.context.warn(
            "C does not specify the order in which the operands here are evaluated, and the order matters: only "
            f"the order {order} is explored",
            self._to.origin,
        )

    @property
    def _program(self) -> ProgramEffects:
        if self._known is None:
            self._known = ProgramEffects(self._symbols, self._tree)
        return self._known

    def _both(self, operands: list[c_ast.Node], clashing: list[int], others: bool = True) -> list[c_ast.Node]:
        """The values of *operands*, those that are *clashing* in either order. others: evaluate the rest, too."""
        results = {position: self._to.temporary(self._symbols.value_type(operands[position])) for position in clashing}
        choice = self._to.saved(build.call(f"{lexicon.NONDET}bool", origin=self._to.origin), basic("_Bool"))

        def into(positions: list[int]) -> list[c_ast.Node]:
            outer = self._to.enter()
            for position in positions:
                self._to.store(results[position], self._to.one_load(operands[position]))
            return self._to.leave(outer)

        def branch(cond: c_ast.Node, then: list[c_ast.Node], otherwise: list[c_ast.Node] | None = None) -> None:
            self._to.emit(build.branch(cond, then, otherwise, self._to.origin))

        if len(clashing) == 2:
            light, heavy = sorted(clashing, key=lambda position: _weight(operands[position]))
            branch(choice, into([light]))
            self._to.emit_all(into([heavy]))
            branch(build.negation(choice), into([light]))
        else:
            self.warn("from left to right, and the reverse,")
            branch(choice, into(clashing), into(clashing[::-1]))
        return [
            results[position] if position in results else self._to.value(each) if others else each
            for position, each in enumerate(operands)
        ]


def _orders_lengths(effects: list[Effects]) -> bool:
    """Whether an operand sets the length of an array for a later one. The lengths are left out of *effects*.

    They are variables of the translation's own: that they are set before they are read is not left open.
    """
    orders = False
    known: set[str] = set()
    for each in effects:
        lengths = {name for name in each.reads | each.writes if name.startswith(lexicon.LENGTH)}
        orders = orders or not known.isdisjoint(each.reads)
        known |= each.writes & lengths
        each.reads -= lengths
        each.writes -= lengths
    return orders


def _weight(node: c_ast.Node) -> int:
    return sum(_CALL if isinstance(part, c_ast.FuncCall) else 1 for part in build.walk(node))


def _has_block(node: c_ast.Node) -> bool:
    """Whether *node* contains statements, which cannot be written twice because of their labels."""
    return any(build.inside(node, nodes.StatementExpression))
