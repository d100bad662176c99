"""Control-flow graphs in which the iterations of loops are nodes of their own."""

from collections.abc import Iterator

from cseq.modules.ir.program import Block, Edge, Template

Node = tuple[int, ...]
"""The heads of the loops around a block, outermost first, each followed by the iteration; and the block itself.

Nodes are in the order of control: only the edge back to a loop that is not peeled any more leads to a lesser node, or
to the node itself.
"""


class PeeledGraph:
    """The graph of *template*; each iteration of a loop has its own nodes, up to that from which on it is *kept*.

    Unless is_peeled, all loops are kept from the beginning. The graph may be infinite: find its nodes on demand.
    """

    def __init__(self, template: Template, is_peeled: bool) -> None:
        self.template = template
        self._is_peeled = is_peeled
        self._kept: set[Node] = set()
        self._loops: dict[int, range] = {}
        self._heads: list[tuple[int, ...]] = [()] * len(template.blocks)
        for block in template.blocks:
            if block.predecessors and (last := max(block.predecessors)) >= block.number:
                self._loops[block.number] = range(block.number, last + 1)
                for number in self._loops[block.number]:
                    self._heads[number] += (block.number,)
        self.entry = self._node((), 0)

    def block(self, node: Node) -> Block:
        """The block that a node is an iteration of."""
        return self.template.blocks[node[-1]]

    def leaving(self, node: Node) -> Iterator[tuple[Edge, Node]]:
        """The edges that leave a node."""
        return ((edge, self._node(node, to)) for edge, to in self.template.leaving(node[-1]))

    def is_head(self, node: Node) -> bool:
        """Whether a node is an iteration of the head of a loop."""
        return len(node) > 2 and node[-3] == node[-1]

    def loop(self, head: Node) -> range:
        """The blocks of the loop with this head."""
        return self._loops[head[-1]]

    def keep(self, head: Node) -> None:
        """Do not peel the loop with this head any more, from this iteration on."""
        self._kept.add(head[:-1])

    def is_repeated(self, node: Node) -> bool:
        """Whether a node is in a loop that is not peeled, so that control may come back to it."""
        if not self._is_peeled:
            return len(node) > 1
        return any(node[:end] in self._kept for end in range(2, len(node), 2)) if self._kept else False

    def _node(self, source: Node, to: int) -> Node:
        heads = self._heads[to]
        if not heads:
            return (to,)
        made: Node = ()
        for head in heads:
            is_inside = source[: len(made)] == made and source[len(made) : len(made) + 1] == (head,)
            iteration = source[len(made) + 1] if is_inside and len(made) + 1 < len(source) else 0
            made += (head, iteration)
            if is_inside and head == to and self._is_peeled and not self.is_repeated((*made, to)):
                made = (*made[:-1], iteration + 1)
        return (*made, to)
