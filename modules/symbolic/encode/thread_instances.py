"""Give each thread instance a function of its own."""

from typing import Any

from pycparser import c_ast

from cseq.c import build
from cseq.c.symbols import Symbols
from cseq.model.claims import Cut, Limit
from cseq.modules.analysis import cuts
from cseq.modules.analysis.mentions import address_only, mentioned
from cseq.modules.library import lexicon
from cseq.options.bounds import RECURSION, THREADS, UNWIND
from cseq.pipeline.translator import Translator, rebuilt, user_name


class ThreadInstances(Translator):
    """in: bounded functions without calls. out: main, and a function for each pthread_create, in order of creation.

    The name of each copy is that of its start function followed by the thread's number, and exactly one pthread_create
    uses it. A thread that starts its own start function again is bounded like a recursion. Threads created beyond the
    bound are cut off by ``__CSEQ_unwound``.
    """

    takes = (UNWIND, RECURSION, THREADS)

    def translate(self, tree: c_ast.FileAST) -> c_ast.FileAST:
        """Visit the instances breadth-first: parents before their children."""
        self._bodies = {node.decl.name: node for node in tree.ext if isinstance(node, c_ast.FuncDef)}
        self._queue: list[tuple[str, str, tuple[str, ...]]] = [("main", "main", ("main",))]
        self._made = 1
        self._taken = set(Symbols(tree, self.context.model).types)
        instances = []
        for name, start, ancestors in self._queue:
            self._ancestors = ancestors
            body = self._bodies[start]
            copy = self.visit(body)
            declarator = build.renamed(copy.decl.type, name)
            instances.append(rebuilt(copy, decl=rebuilt(copy.decl, name=name, type=declarator)))
        starts = {start for _, start, _ in self._queue}
        objects = [node for node in tree.ext if not isinstance(node, c_ast.FuncDef)]
        values = mentioned([*objects, *instances], starts)
        rest = [new for node in tree.ext if (new := self._what_is_left(node, values))]
        return c_ast.FileAST(rest + instances)

    def _what_is_left(self, node: c_ast.Node, values: set[str]) -> c_ast.Node | None:
        """Drop start functions, unless a pointer can hold their address."""
        if not isinstance(node, c_ast.FuncDef) or lexicon.is_ours(node.coord):
            return node
        return address_only(node) if node.decl.name in values else None

    def visit_Assignment(self, node: c_ast.Assignment) -> Any:
        if isinstance(node.rvalue, c_ast.FuncCall):
            call = self._spawn(node.rvalue, node)
            return node if call is node.rvalue else call if isinstance(call, list) else rebuilt(node, rvalue=call)
        return node

    def visit_FuncCall(self, node: c_ast.FuncCall) -> Any:
        return self._spawn(node, node)

    def _spawn(self, call: c_ast.FuncCall, statement: c_ast.Node) -> Any:
        if call.name.name != lexicon.CREATE:
            return call
        thread, attr, start, argument = call.args.exprs
        bound = self.parameter(RECURSION) or self.parameter(UNWIND)
        if self._ancestors.count(start.name) >= bound:
            cut = Cut(Limit.STARTS, bound, user_name(start.name) or start.name)
            return [cuts.unwound(build.number(0), cut, statement.coord)]
        most = self.parameter(THREADS)
        if most is not None and self._made > most:
            return [cuts.unwound(build.number(0), Cut(Limit.THREADS, most), statement.coord)]
        name = f"{start.name}__cs{self._made}"
        while name in self._taken:
            name += "_"
        self._made += 1
        self._queue.append((name, start.name, (*self._ancestors, start.name)))
        return build.call(lexicon.CREATE, thread, attr, c_ast.ID(name), argument, origin=call.coord)
