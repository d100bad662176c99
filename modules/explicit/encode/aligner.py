"""Align objects to no more than what they ask for."""

from collections.abc import Collection, Iterator

from pycparser import c_ast

from cseq.c import build
from cseq.c.layout import alignments
from cseq.c.symbols import Symbols, basic
from cseq.modules.core.undefined_behaviour.roots import is_users
from cseq.modules.explicit.encode.step_program import STEPS
from cseq.modules.explicit.encode.stepper.stepper import STATE, in_state
from cseq.pipeline.facts import Needs
from cseq.pipeline.translator import Translator, rebuilt

IN_ORDER, BETWEEN = "__CSEQ_IN_ORDER", "__CSEQ_GAP"
"""How objects are declared that keep their order, and those that are only there to take up room between others."""

_ARRAY, _LARGE = 16, 32
"""The alignment that the System V ABI promises for arrays of as many bytes, and that gcc gives large static objects."""


class Aligner(Translator):
    """in: a step program. out: the same; where the program makes numbers of addresses, no object is aligned by chance.

    An object that is aligned to N bytes is at an odd multiple of N: memory comes before it that belongs to nothing. So
    a program that takes an object to be aligned to more than it asks for fails.
    """

    steps = Needs(STEPS)

    def translate(self, tree: c_ast.FileAST) -> c_ast.FileAST:
        """Separate the objects at file level and those in frames."""
        if not self.steps.makes_numbers:
            return tree
        self._symbols = Symbols(tree, self.context.model)
        reachable = {frame.type: frame.locals.keys() for frame in self.steps.frames}
        nodes: list[c_ast.Node] = []
        for node in tree.ext:
            if isinstance(node, c_ast.Decl) and isinstance(node.type, c_ast.Struct) and node.type.name in reachable:
                members = list(self._separated(node.type.decls, reachable[node.type.name]))
                nodes.append(rebuilt(node, type=rebuilt(node.type, decls=members)))
            elif isinstance(node, c_ast.Decl) and STATE in (node.storage or []) and is_users(node):
                before = rebuilt(in_state(self._before(node, self._promised_to_static(node))), storage=_BETWEEN)
                storage = node.storage if IN_ORDER in node.storage else [*node.storage, IN_ORDER]
                nodes += [before, rebuilt(node, storage=storage)]
            else:
                nodes.append(node)
        return c_ast.FileAST(nodes)

    def _separated(self, members: list[c_ast.Decl], names: Collection[str]) -> Iterator[c_ast.Node]:
        for member in members:
            if member.name in names:
                yield self._before(member, self._promised(member))
            yield member

    def _promised(self, node: c_ast.Decl) -> int:
        """How an object is aligned on each machine and by each compiler, in bytes."""
        symbols, type_ = self._symbols, node.type
        asked = max([symbols.alignof(type_), *alignments(node, symbols)])
        return max(asked, _ARRAY) if symbols.is_array(type_) and symbols.sizeof(type_) >= _ARRAY else asked

    def _promised_to_static(self, node: c_ast.Decl) -> int:
        node = rebuilt(node, type=self._symbols.types[node.name])  # the definition may come later, with the length
        return max(self._promised(node), _LARGE if self._symbols.sizeof(node.type) >= _LARGE else 1)

    @staticmethod
    def _before(node: c_ast.Decl, promised: int) -> c_ast.Decl:
        """As many bytes as *node* is aligned to, at an even multiple of that."""
        array = c_ast.ArrayDecl(basic("unsigned char"), build.number(promised), [])
        declared = build.declare(f"__cs_before_{node.name}", array)
        return rebuilt(declared, align=[c_ast.Alignas(build.number(2 * promised))])


_BETWEEN = ["static", STATE, BETWEEN]
