"""Inline every call of a user's function, with bounded recursion."""

from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from pycparser import c_ast

from cseq.c import build
from cseq.c.symbols import Symbols, basic, pointer_to
from cseq.model.claims import Claim, Cut, Kind, Limit, Reason
from cseq.model.origin import CallSite, Origin
from cseq.modules.analysis import cuts, threadends, variadic
from cseq.modules.analysis.creations import created
from cseq.modules.analysis.initializers import undefined
from cseq.modules.analysis.lifetimes import Lifetimes
from cseq.modules.analysis.mentions import address_only, function_name, mentioned
from cseq.modules.analysis.places import called
from cseq.modules.analysis.threadlocals import ThreadLocals
from cseq.modules.core import cleanup
from cseq.modules.core.inliner import main_entry
from cseq.modules.core.inliner.main_entry import falls_off
from cseq.modules.core.inliner.recursion import FRAMED, FRAMES, FramedProgram, UnframedError, keeping_frames
from cseq.modules.core.thread_local_promotion import PRIVATE, shared_again
from cseq.modules.library import clibrary, lexicon, stubs
from cseq.modules.library.assertions import fail
from cseq.modules.library.headers import is_prototype
from cseq.modules.library.linking import behind_scoper
from cseq.options.bounds import RECURSION, UNWIND
from cseq.options.environment import ANY_ARGUMENTS, ANY_COUNT, ARGUMENTS, VARIABLES, words
from cseq.options.properties import CHECKED
from cseq.pipeline.facts import Gives, Uses
from cseq.pipeline.translator import Names, Rewriter, Translator, rebuilt, user_name


@dataclass(frozen=True)
class _Frame:
    """One activation of a function that is being inlined.

    function: its name. path: the calls that lead there. suffix: what makes its labels unique.
    renaming: the locals of an activation inside another one of the same function.
    arguments: the expressions that replace the parameters of a library function, which never assigns to them.
    result, leave: where `return` stores the value, and where it jumps to; None at the bottom of the stack.
    own_origin: the origin that replaces the lines of a library function: the user's call.
    statement: the numbers of the statements that lead there, if statements have numbers.
    """

    function: str
    path: tuple[CallSite, ...] = ()
    active: tuple[str, ...] = ()
    suffix: str = ""
    renaming: dict[str, str] = field(default_factory=dict)
    arguments: dict[str, c_ast.Node] = field(default_factory=dict)
    result: str | None = None
    leave: str | None = None
    own_origin: Origin | None = None
    statement: tuple[int, ...] = ()


class Inliner(Translator):
    """in: the core language. out: the same, where only main and the start functions of threads remain, without calls.

    A function whose name begins with ``__VERIFIER_atomic_`` is put between the marks of an atomic section. A
    recursion deeper than the bound is cut off by ``__CSEQ_unwound``. The program with frames instead is a fact.
    """

    takes = (UNWIND, RECURSION, CHECKED, ARGUMENTS, ANY_ARGUMENTS, ANY_COUNT, VARIABLES, FRAMES)
    private = Uses(PRIVATE, frozenset[str]())
    framed = Gives(FRAMED)

    def translate(self, tree: c_ast.FileAST) -> c_ast.FileAST:
        """Inline into main and into each function that some pthread_create starts."""
        self.symbols = Symbols(tree, self.context.model)
        self.framed = self._with_frames(tree) if self.parameter(FRAMES) else None
        return self._inlined(tree, frozenset())

    def _with_frames(self, tree: c_ast.FileAST) -> FramedProgram | None:
        """The program in which recursive functions keep frames; None if it has none that can."""
        functions = frozenset() if self.parameter(CHECKED) else keeping_frames(self.symbols, tree)
        if not functions:
            return None
        try:
            return FramedProgram(self._inlined(shared_again(tree, self.private), functions), functions)
        except UnframedError:
            return None

    def _inlined(self, tree: c_ast.FileAST, kept_calls: frozenset[str]) -> c_ast.FileAST:
        """The program without calls of the user's functions, but for those of *kept_calls*."""
        self._kept_calls = kept_calls
        self._lifetimes = Lifetimes(self.symbols, tree) if self.parameter(CHECKED) else None
        self._names = Names()
        self._thread_locals = ThreadLocals(tree)
        self._hooks = threadends.hooks(self.symbols, tree)
        self._declarations: dict[str, c_ast.Decl] = {}
        self._leaving: set[str] = set()
        self._given: list[c_ast.Node] = []
        self._added: set[str] = set()
        roots = ["main"]
        bodies: dict[str, c_ast.FuncDef] = {}
        while roots:
            name = roots.pop(0)
            if name not in bodies:
                bodies[name] = self._root(self.symbols.functions[name])
                roots.extend(created(bodies[name]))
                roots.extend(sorted(kept_calls.intersection(called(bodies[name].body))))
        objects = [n for n in tree.ext if not isinstance(n, c_ast.FuncDef) and self._thread_locals.stays(n)]
        elsewhere = {n.name for n in tree.ext if is_prototype(n) and not _is_known(n.name)}
        values = mentioned([*objects, *bodies.values()], self.symbols.functions.keys() | elsewhere)
        self._elsewhere = (elsewhere & values) - self.symbols.functions.keys()
        kept = values | bodies.keys() | lexicon.MODELLED
        left = [new for node in tree.ext if (new := self._what_is_left(node, bodies, values, kept))]
        return c_ast.FileAST([*self._given, *self._thread_locals.ordered(left)])

    def _what_is_left(
        self, node: c_ast.Node, bodies: dict[str, c_ast.FuncDef], values: set[str], kept: set[str]
    ) -> c_ast.Node | None:
        """What remains of a declaration of the input; of a function that is no longer called, at most its address."""
        if isinstance(node, c_ast.FuncDef):
            name = node.decl.name
            if lexicon.is_ours(node.coord) and lexicon.is_step(name):
                return node
            return bodies.get(name) or (address_only(node) if name in values else None)
        if is_prototype(node):
            if node.name in self._elsewhere:  # it is not called: a call would have been refused
                self._elsewhere.remove(node.name)
                return address_only(node)
            return node if node.name in kept else None
        return node if self._thread_locals.stays(node) else None

    def _root(self, node: c_ast.FuncDef) -> c_ast.FuncDef:
        self._declarations = {}
        name = node.decl.name
        self._jumps_to_end = False
        self._falls_into_end = False
        self._cleanups: list[cleanup.Region] = []
        frame = _Frame(name, active=(name,))
        statements = self._body(node, frame)
        statements += self._end_of_thread(node, frame, statements)
        decl = node.decl
        if name == "main":
            decl, before = self._main(node)
            statements = before + statements
        of_thread = self._thread_locals.used(statements)
        if self._kept_calls and (of_thread or (name in self._kept_calls and self._jumps_to_end)):
            raise UnframedError
        declarations = [*of_thread, *self._declarations.values()]
        return rebuilt(node, decl=decl, body=c_ast.Compound(declarations + statements, node.body.coord))

    def _main(self, node: c_ast.FuncDef) -> tuple[c_ast.Decl, list[c_ast.Node]]:
        """Turn main's parameters into locals, which get what the user says, or any value that the system can pass."""
        before: list[c_ast.Node] = []
        parameters = _parameters(node)
        used = [main_entry.is_used(parameter.name, node) for parameter in parameters]
        only_count = used[:2] in ([True], [True, False]) and self.parameter(ARGUMENTS) is None
        anything = self.parameter(ANY_ARGUMENTS) or (only_count and self.parameter(ANY_COUNT))
        given = main_entry.given(node, words(self.parameter(ARGUMENTS) or ""))
        if any(used[:2]) and not anything and self.parameter(ARGUMENTS) is None:
            before.append(self._called(main_entry.ALONE, node.decl.coord))
        for position, parameter in enumerate(parameters):
            if not any(used[position:2]) and not used[position]:
                continue  # the count is also needed for the vector
            self._declare(parameter.name, parameter.type, parameter.coord)
            target = build.ident(parameter.name)
            if position < 2 and not anything:
                if position == 1:
                    self._given.extend(main_entry.objects(given))
                value = build.ident(main_entry.VECTOR) if position == 1 else build.number(len(given))
                before.append(build.assign(target, value))
                continue
            if position == 1:
                for declaration in main_entry.DECLARATIONS:
                    self._declarations[declaration.name] = declaration
                before.extend(main_entry.arguments(parameters[0].name, parameter.name, node.decl.coord))
                continue
            if position == 2 and self.parameter(VARIABLES):
                self._given.extend(main_entry.environment_of(self.parameter(VARIABLES)))
                before.append(build.assign(target, build.ident(main_entry.SETTINGS)))
                continue
            if position > 1 and self._lifetimes is not None:
                raise self.unsupported("the environment as a parameter of main, where memory is checked,", parameter)
            kind = "int" if position == 0 else "pointer"
            origin = self._in_main(node) if position == 0 else None  # the count is an input
            before.append(build.assign(target, build.call(lexicon.NONDET + kind, origin=origin), origin))
            if position == 0:
                before.append(build.call(lexicon.ASSUME, c_ast.BinaryOp(">=", target, build.number(1))))
        void = c_ast.ParamList([build.typename(basic("void"))])
        return rebuilt(node.decl, type=rebuilt(node.decl.type, args=void)), before

    @staticmethod
    def _in_main(node: c_ast.FuncDef) -> Origin | None:
        """Where main gets its parameters: its head, as a place in it."""
        origin: Origin | None = node.decl.coord
        return origin._replace(function="main") if origin is not None else None

    def _called(self, name: str, origin: Origin | None) -> c_ast.FuncCall:
        """A call of the library function *name*, which the program gets if it does not have it yet."""
        if name not in self._added:
            self._added.add(name)
            self._given.extend(behind_scoper([stubs.items()[name]]))
        return build.call(name, origin=origin)

    def _declare(
        self, name: str, type_: c_ast.Node, origin: Origin | None = None, align: list[c_ast.Node] | None = None
    ) -> None:
        if name not in self._declarations:
            declared = build.declare(name, self.symbols.unqualified(type_), origin)
            self._declarations[name] = rebuilt(declared, align=align or [])

    def _body(self, node: c_ast.FuncDef, frame: _Frame) -> list[c_ast.Node]:
        items = node.body.block_items or []
        for item in items:
            if isinstance(item, c_ast.Decl):
                self._declare(frame.renaming.get(item.name, item.name), item.type, item.coord, item.align)
        statements = [item for item in items if not isinstance(item, c_ast.Decl)]
        result: list[c_ast.Node] = []
        for position, item in enumerate(statements):
            self._statement(item, frame, result, last=position == len(statements) - 1)
        return result

    def _block(self, node: c_ast.Node, frame: _Frame) -> list[c_ast.Node]:
        result: list[c_ast.Node] = []
        for item in build.statements(node):
            self._statement(item, frame, result, last=False)
        return result

    def _origin(self, node: c_ast.Node, frame: _Frame) -> Origin | None:
        if frame.own_origin is not None:
            return frame.own_origin
        origin: Origin | None = node.coord
        if origin is None:
            return None
        statement = (*frame.statement, *origin.statement)
        return origin._replace(function=user_name(frame.function), path=frame.path, statement=statement)

    def _expression(self, node: Any, frame: _Frame) -> Any:
        if node is None or not (frame.renaming or frame.arguments):
            return node
        return _Locals({**{old: c_ast.ID(new) for old, new in frame.renaming.items()}, **frame.arguments}).visit(node)

    def _statement(self, node: c_ast.Node, frame: _Frame, out: list[c_ast.Node], last: bool) -> None:
        origin = self._origin(node, frame)
        match node:
            case c_ast.Label():
                out.append(build.label(node.name + frame.suffix, origin))
            case c_ast.Goto():
                out.append(self._jump(node.name, frame, origin))
            case c_ast.If():
                cond = self._expression(node.cond, frame)
                decided = self._is_same_function(cond) if frame.arguments else None
                if decided is not None:
                    out.extend(self._block(node.iftrue if decided else node.iffalse or build.block([]), frame))
                    return
                if isinstance(node.iftrue, c_ast.Goto) and node.iffalse is None:
                    jump = self._jump(node.iftrue.name, frame, self._origin(node.iftrue, frame) or origin)
                    whole = isinstance(jump, c_ast.Goto)
                    out.append(c_ast.If(cond, jump if whole else build.block([jump]), None, origin))
                    return
                otherwise = None if node.iffalse is None else self._block(node.iffalse, frame)
                out.append(build.branch(cond, self._block(node.iftrue, frame), otherwise, origin))
            case c_ast.While():
                body = build.block(self._block(node.stmt, frame), origin)
                out.append(c_ast.While(self._expression(node.cond, frame), body, origin))
            case c_ast.Return():
                self._return(node, frame, out, last, origin)
            case c_ast.Assignment():
                left = self._expression(node.lvalue, frame)
                right = self._expression(node.rvalue, frame)
                if isinstance(right, c_ast.FuncCall) and self._is_inlined(right):
                    self._call(right, left, frame, out, origin)
                else:
                    out.extend(self._kept(c_ast.Assignment("=", left, right, origin), right, origin))
            case c_ast.FuncCall():
                call: c_ast.FuncCall = self._expression(node, frame)
                if call.name.name in self._ENDS:
                    self._ENDS[call.name.name](self, call, frame, out, origin)
                elif self._is_inlined(call):
                    self._call(call, None, frame, out, origin)
                else:
                    out.extend(self._kept(rebuilt(call, coord=origin), call, origin))
            case _:
                raise self.unsupported(f"a statement of kind {type(node).__name__}", node)

    def _is_same_function(self, cond: c_ast.Node) -> bool | None:
        """Whether ``f == g`` holds, when the library chooses among functions that it was given; None otherwise."""
        if not isinstance(cond, c_ast.BinaryOp) or cond.op != "==":
            return None
        names = [function_name(cond.left), function_name(cond.right)]
        return names[0] == names[1] if all(name in self.symbols.functions for name in names) else None

    def _return(
        self, node: c_ast.Return, frame: _Frame, out: list[c_ast.Node], last: bool, origin: Origin | None
    ) -> None:
        value = self._expression(node.expr, frame)
        if any(region.owner == frame.suffix for region in self._cleanups):
            out.append(fail(Claim(Kind.REACHABILITY, Reason.LEFT_BY_RETURN), origin))
            return
        if frame.leave is None:
            if self._hooks and frame.function != "main":
                self._end_with(threadends.result(self.symbols, value), out, origin, last)
            else:
                out.append(c_ast.Return(value, origin))
            return
        if value is not None and frame.result is not None:
            out.append(build.assign(build.ident(frame.result), value, origin))
        if not last:
            self._leaving.add(frame.leave)
            out.append(build.goto(frame.leave, origin))

    # The end of a thread

    def _exit(self, call: c_ast.FuncCall, frame: _Frame, out: list[c_ast.Node], origin: Origin | None) -> None:
        """Write a pthread_exit: through all cleanup handlers and destructors to the end of the thread."""
        if any(hook in frame.active for hook in self._hooks):
            out.append(fail(Claim(Kind.MISUSE, Reason.ENDS_ALREADY, function=lexicon.EXIT), origin))
        elif self._hooks or self._cleanups:
            self._end_with(call.args.exprs[0], out, origin, last=False)
        else:
            out.append(rebuilt(call, coord=origin))

    def _cleanup(self, call: c_ast.FuncCall, frame: _Frame, out: list[c_ast.Node], origin: Origin | None) -> None:
        number = self.symbols.constant(call.args.exprs[0])
        inside = cleanup.labels_inside(self.symbols.functions[frame.function].body)[number]
        self._cleanups.append(cleanup.Region(cleanup.label_of(number) + frame.suffix, frame.suffix, inside))

    def _cleaned(self, call: c_ast.FuncCall, frame: _Frame, out: list[c_ast.Node], origin: Origin | None) -> None:
        self._cleanups.pop()

    def _unwind(self, call: c_ast.FuncCall, frame: _Frame, out: list[c_ast.Node], origin: Origin | None) -> None:
        out.append(build.goto(self._way_out(), origin))

    _ENDS: ClassVar = {
        lexicon.EXIT: _exit,
        cleanup.BEGIN: _cleanup,
        cleanup.END: _cleaned,
        cleanup.UNWIND: _unwind,
    }

    def _jump(self, target: str, frame: _Frame, origin: Origin | None) -> c_ast.Node:
        if any(region.is_left(target, frame.suffix) for region in self._cleanups):
            return fail(Claim(Kind.REACHABILITY, Reason.LEFT_BY_JUMP), origin)
        return build.goto(target + frame.suffix, origin)

    def _way_out(self) -> str:
        """The label to which a thread that ends here jumps: the innermost cleanup handler, or the thread's end."""
        if self._cleanups:
            return self._cleanups[-1].label
        self._jumps_to_end = True
        self._declare(threadends.VALUE, pointer_to(basic("void")))  # even if no thread ends here: handlers name it
        return threadends.LABEL

    def _end_with(self, value: c_ast.Node, out: list[c_ast.Node], origin: Origin | None, last: bool) -> None:
        """Jump to the end of the thread, or fall through to it."""
        self._declare(threadends.VALUE, pointer_to(basic("void")))
        out.append(build.assign(build.ident(threadends.VALUE), value, origin))
        if stubs.CANCEL in self.symbols.functions:  # from now on it cannot be cancelled
            out.append(build.call("pthread_setcancelstate", build.number(1), build.number(0), origin=origin))
        if not last:
            out.append(build.goto(self._way_out(), origin))
        self._falls_into_end = last

    def _end_of_thread(self, node: c_ast.FuncDef, frame: _Frame, statements: list[c_ast.Node]) -> list[c_ast.Node]:
        """The statements after the body of main or a start function, to which exits of the thread jump."""
        main = node.decl.name == "main"
        if not self._jumps_to_end and (main or not self._hooks):
            return []
        out: list[c_ast.Node] = []
        last = statements[-1] if statements else None
        origin = last.coord if last is not None else node.coord
        if main and not isinstance(last, c_ast.Return):
            out.append(build.call(lexicon.STOP, origin=origin))
        elif not main and not self._falls_into_end:
            self._end_with(threadends.result(self.symbols, None), out, origin, last=True)
        if self._jumps_to_end:
            out.append(build.label(threadends.LABEL, origin))
        for hook in self._hooks:
            self._call(build.call(hook), None, frame, out, origin)
        out.append(build.call(lexicon.EXIT, build.ident(threadends.VALUE), origin=origin))
        return out

    def _is_inlined(self, call: c_ast.FuncCall) -> bool:
        definition = self.symbols.functions.get(call.name.name)
        if definition is None or call.name.name in self._kept_calls:
            return False
        return not (lexicon.is_ours(definition.coord) and lexicon.is_step(call.name.name))

    def _kept(self, statement: c_ast.Node, value: c_ast.Node, origin: Origin | None) -> list[c_ast.Node]:
        """A *statement* that stays, with the call *value* or without one."""
        name = value.name.name if isinstance(value, c_ast.FuncCall) else ""
        if name not in self._kept_calls:
            return [statement]
        found = [statement]
        if isinstance(statement, c_ast.Assignment):  # others may run between the return and the store
            result = build.ident(f"__cs_ret_{name}")
            self._declare(result.name, self.symbols.functions[name].decl.type.type)
            found = [build.assign(result, value, origin), build.assign(statement.lvalue, result, origin)]
        if name.startswith(lexicon.ATOMIC_PREFIX):
            marks = [build.call(mark, origin=origin) for mark in (lexicon.ATOMIC_BEGIN, lexicon.ATOMIC_END)]
            found = [marks[0], found[0], marks[1], *found[1:]]
        return found

    def _call(
        self,
        call: c_ast.FuncCall,
        target: c_ast.Node | None,
        frame: _Frame,
        out: list[c_ast.Node],
        origin: Origin | None,
    ) -> None:
        """Replace the call by the body of the called function."""
        name = call.name.name
        definition = self.symbols.functions[name]
        depth = frame.active.count(name)
        bound = self.parameter(RECURSION) or self.parameter(UNWIND)
        if depth >= bound:
            out.append(cuts.unwound(build.number(0), Cut(Limit.RECURSION, bound, user_name(name) or name), origin))
            return
        inner = self._frame(call, definition, depth, frame, origin)
        atomic = name.startswith(lexicon.ATOMIC_PREFIX)
        if atomic:
            out.append(build.call(lexicon.ATOMIC_BEGIN, origin=origin))
        if self._lifetimes is not None:
            out.extend(self._lifetimes.begin(name, inner.renaming))
        for parameter, argument in zip(_parameters(definition), call.args.exprs if call.args else [], strict=False):
            if parameter.name in inner.arguments:
                continue
            local = inner.renaming.get(parameter.name, parameter.name)
            self._declare(local, parameter.type, parameter.coord)
            out.append(build.assign(build.ident(local), argument, origin))
        out.extend(self._body(definition, inner))
        used = target is not None and inner.result is not None and not lexicon.is_ours(definition.coord)
        if used and inner.result is not None and falls_off(definition):  # its return value is undefined then
            out.extend(undefined(self.symbols, build.ident(inner.result), definition.decl.type.type, origin))
        if inner.leave in self._leaving:
            assert inner.leave is not None
            out.append(build.label(inner.leave, origin))
        if self._lifetimes is not None:
            out.extend(self._lifetimes.end(name, inner.renaming))
        if atomic:
            out.append(build.call(lexicon.ATOMIC_END, origin=origin))
        if target is not None and inner.result is not None:
            out.append(build.assign(target, build.ident(inner.result), origin))

    def _frame(
        self, call: c_ast.FuncCall, definition: c_ast.FuncDef, depth: int, outer: _Frame, origin: Origin | None
    ) -> _Frame:
        name = definition.decl.name
        renaming = {}
        if depth > 0:
            locals_ = [local for local, owner in self.symbols.locals.items() if owner == name]
            renaming = {local: f"{local}__cs_r{depth}" for local in locals_}
        number = self._names.take_numbered("__cs")
        if self._lifetimes is not None:
            renaming |= self._lifetimes.renamed(name, number)
        result = None
        type_ = definition.decl.type.type
        if not self.symbols.is_void(type_):
            result = f"__cs_ret_{name}" + (f"__csd{depth}" if depth else "")
            self._declare(result, type_)
        place = origin or Origin("", 0)
        caller = "the end of the thread" if outer.function == threadends.HOOK else outer.function
        site = CallSite(caller, place.file, place.line)
        frame = _Frame(
            name,
            (*outer.path, site),
            (*outer.active, name),
            number,
            renaming,
            result=result,
            leave=f"__cs_return{number}",
            statement=(*place.statement, int(number.rpartition("_")[2])) if place.statement else (),
        )
        if not lexicon.is_ours(definition.coord):
            return frame
        names = [parameter.name for parameter in _parameters(definition)]
        pairs = zip(names, call.args.exprs if call.args else [], strict=False)
        given = {name: argument for name, argument in pairs if not self._thread_locals.can_change(argument)}
        return replace(frame, path=outer.path, own_origin=origin, arguments=given)


class _Locals(Rewriter):
    """Replaces variables by other expressions."""

    def __init__(self, meanings: dict[str, c_ast.Node]) -> None:
        super().__init__()
        self._meanings = meanings

    def visit_ID(self, node: c_ast.ID) -> c_ast.Node:
        return self._meanings.get(node.name, node)


def _is_known(name: str) -> bool:
    """Whether *name* is a function that the library, or the engine, has."""
    return lexicon.is_library(name) or name in lexicon.MODELLED or clibrary.is_modelled(name)


def _parameters(node: c_ast.FuncDef) -> list[c_ast.Decl]:
    arguments = node.decl.type.args
    found = [p for p in (arguments.params if arguments else []) if isinstance(p, c_ast.Decl) and p.name]
    further = variadic.hidden_parameter(node)
    return found if further is None else [*found, further]
