"""The thread library for any number of threads: what it keeps as a set of threads becomes a number of them.

- A condition variable counts the threads that wait. A waiting thread may wake up at any time, so a signal does nothing.
- A barrier has a number that changes when its threads are released; each of them remembers the one at which it arrived.
- A read-write lock counts its read locks, and each thread how many of them are its own.
- What the library keeps for each thread in an array is an object of its own of each thread.

These are more executions than the library has: every wait may end without a reason.
"""

from typing import Any

from pycparser import c_ast

from cseq.c import build
from cseq.c.symbols import basic
from cseq.modules.analysis.threadlocals import STORAGE
from cseq.modules.library import lexicon
from cseq.modules.library.primitives import REPEATED, without_variant
from cseq.pipeline.translator import Rewriter, rebuilt

COUNTS = frozenset({"__cs_waiting", "__cs_readers"})
"""Members that become numbers of threads."""
GENERATION = "__cs_generation"
"""The number of the barrier at which a thread has arrived; each thread has its own."""
HELD = "__cs_readers_2"
"""A member that each thread has for itself: the number of read locks that it holds."""
OF_THREADS = ("__cs_errno",)
"""Arrays with an element for each thread, which no other thread reads."""


def adapted(tree: c_ast.FileAST) -> c_ast.FileAST:
    """The program *tree* with other functions of the library, and with declarations of what these use."""
    return c_ast.FileAST([_own(GENERATION, basic("unsigned long long")), *map(_adapted, tree.ext)])


def _adapted(node: Any) -> c_ast.Node:
    if isinstance(node, c_ast.Decl) and node.name in OF_THREADS:
        return _own(node.name, build.renamed(node.type.type, node.name))
    if isinstance(node, c_ast.FuncDef) and lexicon.is_library(node.decl.name) and lexicon.is_ours(node.coord):
        return rebuilt(node, body=_body(node))
    return node  # type: ignore[no-any-return]


def _body(function: c_ast.FuncDef) -> c_ast.Node:
    name, items = function.decl.name, build.statements(function.body)
    parameters = function.decl.type.args.params if function.decl.type.args else []
    if name == "__cs_step_barrier_leave":
        barrier = c_ast.StructRef(build.ident(parameters[0].name), "->", build.ident("__cs_waiting"))
        released = c_ast.BinaryOp("!=", barrier, build.ident(GENERATION))
        chosen = c_ast.UnaryOp("-", c_ast.Cast(build.typename(basic("int")), build.call(f"{lexicon.NONDET}bool")))
        return build.block([build.call("__CSEQ_wait", released), c_ast.Return(chosen)])
    if name.startswith(("pthread_equal__cs", "thrd_equal__cs")):
        # An identifier may be that of an earlier thread, which has ended.
        one, other = (build.ident(parameter.name) for parameter in parameters)
        maybe = build.call(f"{lexicon.NONDET}bool")
        return build.block([c_ast.Return(c_ast.BinaryOp("||", c_ast.BinaryOp("==", one, other), maybe))])
    if name.endswith(REPEATED):
        # Any numbers, even if the seed was there before: there is no room for all that it has given.
        number = build.call(f"{lexicon.NONDET}int")
        results: list[c_ast.Node] = [c_ast.Return(c_ast.BinaryOp("&", number, build.number(0x7FFFFFFF)))]
        if build.is_void(function.decl.type.type):
            return build.block([])
        if without_variant(name) == "rand_r":
            seed = c_ast.UnaryOp("*", build.ident(parameters[0].name))
            results.insert(0, build.assign(seed, build.call(f"{lexicon.NONDET}uint")))
        return build.block(results)
    if name == "__cs_precedes":
        return build.block([c_ast.Return(build.call(f"{lexicon.NONDET}bool"))])
    if name in ("__cs_rwlock_read", "pthread_rwlock_unlock"):
        lock = build.ident(parameters[0].name)
        all_, own = (c_ast.StructRef(lock, "->", build.ident(member)) for member in ("__cs_readers", HELD))
        if name == "__cs_rwlock_read":
            first, operator = [], "p++"
        else:
            unlocked = next(number for number, item in enumerate(items) if isinstance(item, c_ast.If))
            (claim,) = (item for item in items[unlocked:] if build.is_call(item, lexicon.MISUSE_STUB))
            holds = c_ast.BinaryOp(">", own, build.number(0))
            first, operator = [*items[: unlocked + 1], build.call(claim.name.name, holds, claim.args.exprs[1])], "p--"  # type: ignore[attr-defined]
        changed = [c_ast.UnaryOp(operator, member) for member in (all_, own)]
        return build.block([*first, *changed, c_ast.Return(build.number(0))])
    adapted: c_ast.Node = _FunctionAdapter(name).visit(function.body)
    return adapted


def _own(name: str, type_: c_ast.Node) -> c_ast.Decl:
    return build.declare(name, type_, storage=["static", STORAGE])


class _FunctionAdapter(Rewriter):
    """Rewrites the function *name*."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name
        self._is_barrier = "barrier" in name

    def visit_Assignment(self, node: c_ast.Assignment) -> Any:
        field = _field(node.lvalue)
        if field == "__cs_idle":
            return []
        if field == "__cs_waiting" and self._is_barrier:
            return [build.assign(build.ident(GENERATION), node.lvalue)] if node.op == "|=" else node
        if field == "__cs_waiting" and node.op in ("|=", "&="):
            return rebuilt(node, op="+=" if node.op == "|=" else "-=", rvalue=build.number(1))
        if field == "__cs_waiting" and "broadcast" in self._name:
            return []
        return self.generic_visit(node)

    def visit_If(self, node: c_ast.If) -> Any:
        cond = node.cond
        if isinstance(cond, c_ast.BinaryOp) and _field(cond.left) == "__cs_waiting" and cond.op == "!=":
            return []  # to wake one of those that wait
        if self._is_barrier and isinstance(cond, c_ast.BinaryOp) and _field(cond.left) == "__cs_arrived":
            released = c_ast.UnaryOp("p++", rebuilt(cond.left, field=build.ident("__cs_waiting")))
            return rebuilt(node, iftrue=build.block([released, build.assign(cond.left, build.number(0))]))
        return self.generic_visit(node)

    def visit_BinaryOp(self, node: c_ast.BinaryOp) -> Any:
        left = node.left
        if node.op == "==" and self._is_barrier and _field(left) == "__cs_waiting":
            return rebuilt(node, left=rebuilt(left, field=build.ident("__cs_arrived")))
        if node.op == "==" and isinstance(left, c_ast.BinaryOp) and left.op == "&" and _field(left.left) in COUNTS:
            return build.call(f"{lexicon.NONDET}bool")  # whether this thread has been woken
        if node.op == "==" and isinstance(left, c_ast.BinaryOp) and left.op == "|":
            counted = left
            while isinstance(counted, c_ast.BinaryOp):
                counted = counted.left
            if _field(counted) == "__cs_readers":
                return rebuilt(node, left=counted)
        if node.op == "||" and isinstance(left, c_ast.BinaryOp) and _field(left.left) == "__cs_waiting":
            never = c_ast.BinaryOp("==", node.right.left, build.number(0))
            return c_ast.BinaryOp("||", never, node)
        return self.generic_visit(node)

    def visit_ArrayRef(self, node: c_ast.ArrayRef) -> Any:
        if isinstance(node.name, c_ast.ID) and node.name.name in OF_THREADS:
            return node.name
        return self.generic_visit(node)


def _field(node: Any) -> str:
    return str(node.field.name) if isinstance(node, c_ast.StructRef) else ""
