"""The declarations that the jumps of a function skip."""

from typing import Any, NamedTuple

from pycparser import c_ast


class _Place(NamedTuple):
    """The place of a jump or label: its number in the order of the text, and the blocks around it, outermost first."""

    number: int
    blocks: tuple[int, ...]


class SkippedDeclarations(c_ast.NodeVisitor):
    """Find the locals that can be alive although their declaration has not been reached: they are undefined.

    A local lives from the entry into its block to the end of the block (C11 §6.2.4), and has an undefined value until
    its declaration is reached.

    found: by the id of a `goto` or `switch`, the declarations whose locals are undefined where it jumps.
    entered: by the id of a block (or `for`), the declarations whose locals have to be undefined where the block is
    entered. A jump that skips them must not change these locals: their declarations may have been reached before, and
    control has come back.
    """

    def __init__(self, body: c_ast.Compound) -> None:
        self.found: dict[int, list[c_ast.Decl]] = {}
        self.entered: dict[int, list[c_ast.Decl]] = {}
        self._number = 0
        self._blocks: list[int] = []
        self._declared: dict[int, list[tuple[int, c_ast.Decl]]] = {}
        self._labels: dict[str, _Place] = {}
        self._gotos: list[tuple[c_ast.Goto, _Place]] = []
        self._switches: list[list[_Place]] = []
        self._jumps: list[tuple[c_ast.Node, _Place, list[_Place]]] = []
        self.visit(body)
        jumps = [(goto, place, [self._labels[goto.name]]) for goto, place in self._gotos if goto.name in self._labels]
        self._resolve([*self._jumps, *jumps])

    def _place(self) -> _Place:
        self._number += 1
        return _Place(self._number, tuple(self._blocks))

    def _block(self, node: c_ast.Node) -> None:
        self._blocks.append(id(node))
        self.generic_visit(node)
        self._blocks.pop()

    visit_Compound = _block
    visit_For = _block

    def visit_Decl(self, node: c_ast.Decl) -> None:
        if node.name and self._blocks and "static" not in node.storage and "extern" not in node.storage:
            self._declared.setdefault(self._blocks[-1], []).append((self._place().number, node))
        self.generic_visit(node)

    def visit_Goto(self, node: c_ast.Goto) -> None:
        self._gotos.append((node, self._place()))

    def visit_Label(self, node: c_ast.Label) -> None:
        self._labels[node.name] = self._place()
        self.visit(node.stmt)

    def visit_Switch(self, node: c_ast.Switch) -> None:
        self.visit(node.cond)
        place = self._place()
        self._switches.append([])
        self.visit(node.stmt)
        self._jumps.append((node, place, self._switches.pop()))

    def _case(self, node: Any) -> None:
        if self._switches:
            self._switches[-1].append(self._place())
        self.generic_visit(node)

    visit_Case = _case
    visit_Default = _case

    def _resolve(self, jumps: list[tuple[c_ast.Node, _Place, list[_Place]]]) -> None:
        pairs = [(jump, label) for _, jump, labels in jumps for label in labels]
        back = [(jump, label) for jump, label in pairs if label.number < jump.number]

        def may_be_reached_before(block: int, number: int) -> bool:
            return any(
                label.number < number < jump.number and block in jump.blocks and block in label.blocks
                for jump, label in back
            )

        found: dict[int, dict[int, c_ast.Decl]] = {}
        entered: dict[int, dict[int, c_ast.Decl]] = {}
        entering: list[tuple[int, int]] = []
        for node, jump, labels in jumps:
            for label in labels:
                for block in label.blocks:
                    inside = block in jump.blocks
                    if not inside:
                        entering.append((id(node), block))
                    for number, decl in self._declared.get(block, []):
                        if number > label.number or (inside and number < jump.number):
                            continue
                        if inside and may_be_reached_before(block, number):
                            entered.setdefault(block, {})[number] = decl
                        else:
                            found.setdefault(id(node), {})[number] = decl
        for name, block in entering:
            if block in entered:
                found.setdefault(name, {}).update(entered[block])
        self.found = {name: [decls[number] for number in sorted(decls)] for name, decls in found.items()}
        self.entered = {name: [decls[number] for number in sorted(decls)] for name, decls in entered.items()}
