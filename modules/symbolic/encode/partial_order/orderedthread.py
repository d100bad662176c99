"""A thread instance as a function for an engine that lets the threads run concurrently."""

from typing import Any

from pycparser import c_ast

from cseq.c import build
from cseq.model.errors import UnsupportedError
from cseq.model.origin import Origin
from cseq.modules.analysis.initializers import undefined
from cseq.modules.analysis.threadends import fits_a_pointer, result
from cseq.modules.analysis.threadlocals import is_thread_local
from cseq.modules.analysis.visibility import object_of
from cseq.modules.core.thread_local_promotion import Addresses
from cseq.modules.library import lexicon
from cseq.modules.symbolic.encode.partial_order.trace_order import ARRIVED, DONE, arrival
from cseq.modules.symbolic.encode.sequentializer.threadfunction import ThreadFunction
from cseq.pipeline.translator import rebuilt

BEGIN = "__CSEQ_section_begin"
END = "__CSEQ_section_end"
FENCE = "__CSEQ_full_fence"
SPAWNS = "__CPROVER_ASYNC_"
"""The prefix of CBMC's labels for calls in a new thread."""

BEGUN = "__cs_begun"
"""A shared object that nothing writes to: each thread reads it first, so its beginning has a place in the trace."""

_GIVEN = "__cs_given"
_HELD = "__cs_tmp_held_"
_NO_STEP = (lexicon.BEGINS, lexicon.ENDS, lexicon.DEMAND, lexicon.ATOMIC_BEGIN, lexicon.ATOMIC_END, BEGIN, END)
_CONDITIONS = (lexicon.ASSERT, lexicon.ASSUME, "__CSEQ_unwound")


class OrderedThread(ThreadFunction):
    """One thread instance without control code.

    Its labels are those of the `ThreadFunction` of the same instance: here they report that the thread arrives there.
    A statement reads or writes one shared scalar, or is an atomic section. A value that is read is kept in a variable
    before it is used: an engine may evaluate an expression more than once. Atomic stores have fences at both sides, as
    those that compilers make for x86, and atomic loads have none.
    """

    def _translated(self, node: c_ast.FuncDef) -> c_ast.FuncDef:
        self._held: list[c_ast.Decl] = []
        self._lasts: list[Any] = []
        self._ends = 0  # how many ends of atomic sections there are so far
        self._is_marked = False  # whether the next statement is an access to an atomic object
        self._stopped = False  # whether the thread ends the process somewhere
        self._known: tuple[c_ast.Node, str] | None = None  # the condition that was held last, and where
        items = node.body.block_items or []
        self._addressed = _Addressed(self._symbols)
        self._addressed.visit(node.body)
        declarations = [self._local(item) for item in items if isinstance(item, c_ast.Decl)]
        out: list[c_ast.Node] = [build.assign(build.ident(f"{_HELD}begun"), build.ident(BEGUN))]
        self._switch_point(out)
        for position, parameter in enumerate(node.decl.type.args.params if node.decl.type.args else []):
            if isinstance(parameter, c_ast.Decl) and parameter.name:
                type_ = self._symbols.unqualified(parameter.type)
                shared = parameter.name in self._addressed.found
                declarations.append(build.declare(parameter.name, type_, storage=["static"] if shared else []))
                out.extend(self._argument(position, parameter.name, type_))
        falls_through = self._block([item for item in items if not isinstance(item, c_ast.Decl)], out)
        self._end(out, falls_through)
        if self.needs_atomic_flag:
            what = "an atomic section that depends on the path of control, with partial orders,"
            raise UnsupportedError(f"{what} is not supported", node.coord)
        byte = c_ast.TypeDecl(None, [], None, c_ast.IdentifierType(["unsigned", "char"]))
        self._held.append(build.declare(f"{_HELD}begun", byte))
        pointer = c_ast.PtrDecl([], c_ast.TypeDecl(_GIVEN, [], None, c_ast.IdentifierType(["void"])))
        given = c_ast.ParamList([c_ast.Decl(_GIVEN, [], [], [], [], pointer, None, None)])
        declarator = c_ast.FuncDecl(given, c_ast.TypeDecl(self.called, [], None, c_ast.IdentifierType(["void"])))
        decl = c_ast.Decl(self.called, [], [], ["static"], [], declarator, None, None, coord=node.decl.coord)
        thread = build.assign(build.ident(lexicon.THREAD), build.number(self.number))
        body = c_ast.Compound([*declarations, *self._held, thread, *out])
        return c_ast.FuncDef(decl, None, body, node.coord)

    def _local(self, decl: c_ast.Decl) -> c_ast.Decl:
        """A local: static if it has an address, otherwise with the value that a static one begins with.

        To CBMC any local whose address is taken is shared, and a new thread gets copies of the locals of its creator.
        """
        if decl.name in self._addressed.found or self._visibility.is_visible(build.ident(decl.name)):
            return rebuilt(decl, storage=["static"])
        if is_thread_local(decl) and decl.init is None:
            zero: c_ast.Node = build.number(0)
            scalar = self._symbols.record(decl.type) is None and not self._symbols.is_array(decl.type)
            return rebuilt(decl, storage=[], init=zero if scalar else c_ast.InitList([zero]))
        return rebuilt(decl, storage=[])

    def _argument(self, position: int, name: str, type_: c_ast.Node) -> list[c_ast.Node]:
        target = build.ident(name)
        if position > 0 or not fits_a_pointer(self._symbols, type_):
            return undefined(self._symbols, target, type_, None)
        given = build.ident(_GIVEN)
        return [build.assign(target, c_ast.Cast(build.typename(build.renamed(type_, None)), given))]

    def _end(self, out: list[c_ast.Node], falls_through: bool) -> None:
        if falls_through:
            if self.number == 0:
                self._stop(None, out, returns=True)
            else:
                out.extend(self._ended(build.call(lexicon.END_STEP, result(self._symbols, None))))
        if self._exits:
            out.append(build.label(f"__cs_exit_{self.number}"))
        out.append(self._last_arrival())
        for number in self._lasts:
            number.value = str(arrival(self.number, self._labels))
        if self._stopped:  # at the label before
            out.append(build.label(f"__cs_stopped_{self.number}"))

    def _ended(self, call: c_ast.Node) -> list[c_ast.Node]:
        """The end of the thread: a part of its last step, whose other parts others may see earlier."""
        return [self._last_arrival(), *self._section_of([call])[:-1]]

    def _last_arrival(self) -> c_ast.Node:
        """The arrival at the last label, whose number is not known yet."""
        number = c_ast.Constant("int", "0")
        self._lasts.append(number)
        return build.assign(build.ident(ARRIVED), number)

    def _arrival(self, label: int) -> c_ast.Node:
        return build.assign(build.ident(ARRIVED), build.number(arrival(self.number, label)))

    def _done(self) -> c_ast.Node:
        """Reports that the access of a step has been made: the arrival may be reported later."""
        return self._arrival(DONE)

    def _switch_point(self, out: list[c_ast.Node], origin: Origin | None = None, stays: bool = False) -> None:
        number = self._labels
        self._labels += 1
        out.append(self._arrival(number))

    def _guard(self, labels: int | None = None) -> c_ast.Node:
        return c_ast.EmptyStatement()

    # Statements

    def _statement(self, node: c_ast.Node, out: list[c_ast.Node], top: bool) -> bool:
        if isinstance(node, c_ast.Compound):
            return super()._statement(node, out, top)
        start, section, alone, ends = len(out), self._atomic, self._alone, self._ends
        atomic = section == 0 and self._is_marked
        self._is_marked = _marks_atomic(node)
        reachable = super()._statement(node, out, top)
        made = out[start:]
        if section > 0 and not reachable and self._leaves(made):
            made.insert(len(made) - 1, build.call(END))
            self._ends += 1
        if build.is_call(node, lexicon.ATOMIC_BEGIN):
            made += [build.call(FENCE), build.call(BEGIN)] if section == 0 else []
        elif build.is_call(node, lexicon.ATOMIC_END):
            if section > 0 and self._atomic == 0:
                made += [build.call(END), build.call(FENCE), self._done()]
                self._ends += 1
        elif isinstance(node, c_ast.If) and (ends != self._ends if section > 0 else self._atomic > 0):
            raise UnsupportedError("an atomic section of which a part is in a branch, with partial orders,", node.coord)
        written = [new for part in made for new in self._written(part, section > 0 or alone)]
        stores = isinstance(node, c_ast.Assignment) and self._visibility.is_visible(node.lvalue)
        fence = [build.call(FENCE)] if atomic and stores and not alone else []
        out[start:] = [*fence, *written, *fence]
        return reachable

    def _leaves(self, made: list[c_ast.Node]) -> bool:
        return (
            bool(made)
            and isinstance(made[-1], c_ast.Goto)
            and made[-1].name
            in (
                f"__cs_exit_{self.number}",
                f"__cs_stopped_{self.number}",
            )
        )

    def _stop(self, origin: Origin | None, out: list[c_ast.Node], returns: bool = False) -> None:
        if not self._alone and self._atomic <= 0:
            self._first = False
            self._switch_point(out, origin)
        self._stopped = True
        out.append(build.goto(f"__cs_stopped_{self.number}", origin))

    def _written(self, node: Any, covered: bool) -> list[c_ast.Node]:
        """The statement *node*. covered: whether no other thread can do anything during it anyway."""
        call = node.rvalue if isinstance(node, c_ast.Assignment) else node
        if build.is_call(call, lexicon.CREATE_STEP):
            return self._creation(node, call, covered)
        if covered or isinstance(node, (c_ast.Label, c_ast.Goto, c_ast.EmptyStatement)):
            return [node]
        if isinstance(node, c_ast.If) or build.is_call(node, *_CONDITIONS):
            return self._with_condition_held(node)
        if isinstance(node, c_ast.FuncCall):
            if node.name.name == lexicon.END_STEP:
                return self._ended(node)
            return [node] if node.name.name in (*_NO_STEP, FENCE) else self._section_of([node])
        if isinstance(node, c_ast.Assignment):
            return self._assigned(node)
        return [node]

    def _assigned(self, node: c_ast.Assignment) -> list[c_ast.Node]:
        writes = self._visibility.is_visible(node.lvalue)
        loads = [*self._visibility.address_loads(node.lvalue), *self._visibility.loads(node.rvalue)]
        if isinstance(node.rvalue, c_ast.FuncCall):
            if not node.rvalue.name.name.startswith(lexicon.NONDET):
                return self._section_of([node])
        elif not writes and loads == [node.rvalue]:
            return [node, self._done()]
        if not loads and not writes:
            return [node]
        if not loads and isinstance(node.lvalue, c_ast.ID):
            return [node, self._done()]
        return self._section_of([node], fenced=False)

    def _with_condition_held(self, node: Any) -> list[c_ast.Node]:
        cond = node.cond if isinstance(node, c_ast.If) else node.args.exprs[0]
        if not self._visibility.count(cond):
            return [node]
        if self._known is not None and self._known[0] is cond:
            return [build.call(node.name.name, build.ident(self._known[1]), *node.args.exprs[1:], origin=node.coord)]
        name = f"{_HELD}{len(self._held)}"
        self._known = (cond, name) if build.is_call(node, lexicon.ASSERT) else None
        self._held.append(build.declare(name, c_ast.TypeDecl(None, [], None, c_ast.IdentifierType(["int"]))))
        value = c_ast.BinaryOp("!=", cond, build.number(0))
        kept = build.assign(build.ident(name), value, node.coord)
        before = [kept, self._done()] if self._visibility.count(cond) == 1 else self._section_of([kept], fenced=False)
        if isinstance(node, c_ast.If):
            return [*before, rebuilt(node, cond=build.ident(name))]
        return [*before, build.call(node.name.name, build.ident(name), *node.args.exprs[1:], origin=node.coord)]

    def _section_of(self, nodes: list[c_ast.Node], fenced: bool = True) -> list[c_ast.Node]:
        """*nodes* as one atomic section. fenced: whether it is an operation of the library, which orders accesses."""
        section = [build.call(BEGIN), *nodes, build.call(END)]
        fence = [build.call(FENCE)] if fenced else []
        return [*fence, *section, *fence, self._done()]

    def _creation(self, node: Any, call: c_ast.FuncCall, covered: bool) -> list[c_ast.Node]:
        if self._atomic > 0:
            raise UnsupportedError("the creation of a thread in an atomic section is not supported", node.coord)
        thread, attr, number, argument = call.args.exprs
        name = f"{_HELD}{len(self._held)}"
        pointer = c_ast.PtrDecl([], c_ast.TypeDecl(None, [], None, c_ast.IdentifierType(["void"])))
        self._held.append(build.declare(name, pointer))
        step = build.call(call.name.name, thread, attr, number, build.ident(name), origin=call.coord)
        made = step if node is call else rebuilt(node, rvalue=step)
        nodes = [build.assign(build.ident(name), c_ast.Cast(build.typename(pointer), argument), node.coord), made]
        started = next(name for name, known in self._numbers.items() if str(known) == number.value)
        begin = build.call(started, build.ident(name), origin=node.coord)
        spawned = c_ast.Label(f"{SPAWNS}{number.value}", begin, node.coord)
        return [*([*nodes, self._done()] if covered else self._section_of(nodes)), spawned]


def _marks_atomic(node: Any) -> bool:
    """Whether *node* says that the next statement is an access to an atomic object."""
    return build.is_call(node, lexicon.ACCESS) and node.args.exprs[0].value != "0"


class _Addressed(Addresses):
    """Collects the objects whose address is taken, by an operator or because they are arrays."""

    def visit_ArrayRef(self, node: c_ast.ArrayRef) -> None:
        """An element, which takes no address of a named array."""
        if not isinstance(node.name, c_ast.ID):
            self.visit(node.name)
        self.visit(node.subscript)

    def visit_StructRef(self, node: c_ast.StructRef) -> None:
        """A member, which may be an array."""
        root = object_of(self._symbols, node)
        if root is not None and self._symbols.is_array(self._symbols.type_of(node)):
            self.found.add(root)
        self.visit(node.name)

    def visit_ID(self, node: c_ast.ID) -> None:
        """An array that decays."""
        type_ = self._symbols.types.get(node.name)
        if type_ is not None and self._symbols.is_array(type_):
            self.found.add(node.name)
