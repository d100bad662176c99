"""The meaning of the calls of a program: the part of the three-address stage for function calls."""

from collections.abc import Callable
from typing import Any

from pycparser import c_ast

from cseq.c import build
from cseq.c.signatures import atomic_builtin
from cseq.c.symbols import Symbols, basic, pointer_to
from cseq.model.claims import Claim, Cut, Kind, Limit, Object, Reason, crash
from cseq.model.errors import InputError, UndefinedError, UnsupportedError
from cseq.modules.analysis import cuts, variadic
from cseq.modules.analysis.initializers import nondet
from cseq.modules.analysis.mentions import function_name, mentioned
from cseq.modules.core.cleanup import CleanupWriter
from cseq.modules.core.three_address.atomics import AtomicWriter
from cseq.modules.core.three_address.cfunctions import LibraryCalls
from cseq.modules.core.three_address.copies import StoreWriter
from cseq.modules.core.three_address.function_types import FunctionTypes
from cseq.modules.core.three_address.identifiers import Identifiers
from cseq.modules.core.three_address.sorting import SortWriter
from cseq.modules.core.three_address.va_lists import VariadicCalls
from cseq.modules.core.writing import Writing
from cseq.modules.library import clibrary, lexicon, primitives, stubs
from cseq.modules.library.assertions import asserted, fail
from cseq.options.properties import CLOSED_WORLD, DEADLOCK, ERRORS, NAMED, REFUSE, STRICT
from cseq.pipeline.translator import rebuilt

# Named semaphores: each name gets a number, which the thread library uses in its place.

_FUNCTIONS = ("sem_open", "sem_unlink")
_MOST = 16  # the size of the table in pthread_stubs/semaphore.c


class SemaphoreNames:
    """The names of one unit."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def numbered(self, call: c_ast.FuncCall) -> c_ast.FuncCall | None:
        """A call of sem_open or sem_unlink as a call of the library with all arguments; None for other calls."""
        if call.name.name not in _FUNCTIONS or not call.args:
            return None
        (function,) = primitives.BECOMES[call.name.name]
        count = len(stubs.parameters(function))
        name, *rest = call.args.exprs
        name = build.uncast(name)
        if not isinstance(name, c_ast.Constant) or name.type != "string":
            raise UnsupportedError("the name of a semaphore that is not a literal is not supported", call.coord)
        number = self._numbers.setdefault(name.value, len(self._numbers) + 1)
        if number > _MOST:
            raise UnsupportedError(f"more than {_MOST} names of semaphores are not supported", call.coord)
        arguments = [build.number(number), *rest, *[build.number(0)] * count][:count]
        return build.call(function, *arguments, origin=call.coord)


_COPIES = frozenset({"memcpy", "memmove", "memset"})


class CallWriter:
    """Writes calls as statements of the core language into the output of the three-address stage *to*.

    Calls through pointers become a choice among the functions that the pointer can point to; functions that have a
    meaning to CSeq become its primitives; the others remain, as statements of their own.
    """

    def __init__(
        self, to: Writing, symbols: Symbols, tree: c_ast.FileAST, atomics: AtomicWriter, copies: StoreWriter
    ) -> None:
        self._to = to
        self._atomics = atomics
        self._copies = copies
        self._symbols = symbols
        self._tree = tree
        self._cleanup = CleanupWriter(to, symbols)
        self._addressed: set[str] | None = None
        self._semaphores = SemaphoreNames()
        self._identifiers = Identifiers(tree, symbols, to.visibility)
        self._errors = frozenset(to.parameter(ERRORS))
        self.library = LibraryCalls(to, symbols, tree, copies)
        self.sorting = SortWriter(to, symbols, self.call)
        self.variadic = VariadicCalls(to, symbols)
        self._types = FunctionTypes(symbols, tree)
        self._strict = to.parameter(STRICT)
        self._refuses = to.parameter(REFUSE)
        self._undefined: set[str] | None = None
        self.chosen: set[str] = set()  # functions that a call through a pointer may lead to
        self.claims = False  # whether there is an assertion, or a place that must not be reached

    def reach_error(self) -> None:
        """Write the violation that the label ERROR means."""
        self._fail(Claim(Kind.REACHABILITY, Reason.LABEL))

    def _fail(self, claimed: Claim) -> None:
        self.claims = True
        self._to.emit(fail(claimed, self._to.origin))

    def _arguments(self, node: c_ast.FuncCall) -> list[c_ast.Node]:
        return [self._to.value(arg) for arg in node.args.exprs] if node.args else []

    def call(self, node: c_ast.FuncCall, wanted: bool) -> c_ast.Node | None:
        """Emit a call; return its value, as an expression without side effects, if it is *wanted*."""
        arguments = node.args.exprs if node.args else []
        settled = self._to.orders.settled(arguments)
        if settled is not arguments:
            node = rebuilt(node, args=c_ast.ExprList(settled))
        if (
            not isinstance(node.name, c_ast.ID)
            or node.name.name in self._symbols.locals
            or self._symbols.is_object(node.name.name)
        ):
            return self._indirect(node, wanted)
        name = self._variant(node)
        self._open_wait(name, arguments, node)
        special = self._special(name, node, wanted)
        if special is not NotImplemented:
            return build.number(0) if special is None and wanted else special
        return self._plain_call(c_ast.ID(name), self._arguments(node), node, wanted)

    def _variant(self, node: c_ast.FuncCall) -> str:
        """The name of the called function, or of its variant for a program that opens pipes, or cancels threads."""
        name = str(node.name.name)
        if not lexicon.is_ours(node.coord):
            for suffix in (primitives.FOLLOWED, primitives.CANCELLABLE):
                name = name + suffix if name + suffix in self._symbols.functions else name
        return name

    def _open_wait(self, name: str, arguments: list[c_ast.Node], node: c_ast.FuncCall) -> None:
        """Where a call may wait for something outside of the program, say so, or emit that it waits for ever."""
        known = primitives.without_variant(name)
        if not self._is_open(known, arguments) or not self._is_of_a_library(name):
            return
        is_followed = known + primitives.FOLLOWED in self._symbols.functions
        closed = clibrary.OPEN_WAIT + primitives.CANCELLABLE
        closed = closed if closed in self._symbols.functions else clibrary.OPEN_WAIT
        if not self._to.parameter(CLOSED_WORLD):
            if not lexicon.is_ours(node.coord) and (not is_followed or self._is_outside(arguments)):
                message = f"something outside of the program may end a wait in `{known}` (nothing with --closed-world)"
                self._to.context.warn(message, node.coord, of=DEADLOCK)
        elif known in clibrary.POLLS and (is_followed or self._limit(known, arguments) is None):
            raise UnsupportedError(f"this call of `{known}` with --closed-world is not supported", node.coord)
        elif known == name or not is_followed:
            self._to.emit(build.call(closed, origin=self._to.origin))

    def _is_open(self, name: str, arguments: list[c_ast.Node]) -> bool:
        if name not in clibrary.POLLS:
            return name in clibrary.OPEN_WAITS
        if len(arguments) <= clibrary.POLLS[name]:
            return False
        limit = self._limit(name, arguments)
        return limit == 0 if name == "select" else limit is None or limit < 0

    def _limit(self, name: str, arguments: list[c_ast.Node]) -> int | None:
        return self._symbols.constant_or_none(build.uncast(arguments[clibrary.POLLS[name]]))

    def _is_outside(self, arguments: list[c_ast.Node]) -> bool:
        """Whether the first of *arguments* may be a descriptor of something that the program has not made."""
        known = not arguments or self._symbols.constant_or_none(arguments[0]) is not None
        return known or not clibrary.OPENS.isdisjoint(self._symbols.types)

    def _plain_call(
        self, function: c_ast.ID, arguments: list[c_ast.Node], node: c_ast.FuncCall, wanted: bool
    ) -> c_ast.Node | None:
        self._check_count(function.name, len(arguments), node)
        call = build.call(function.name, *self.variadic.packed(function.name, arguments), origin=self._to.origin)
        type_ = self._symbols.type_of(call)
        definition = self._symbols.functions.get(function.name)
        if not lexicon.is_ours(node.coord) and (definition is None or lexicon.is_ours(definition.coord)):
            self._copies.note_coarse(function.name, arguments)
        if not wanted:
            self._to.emit(call)
            return None
        if self._symbols.is_void(type_):
            raise InputError(f"the value of `{function.name}`, which has none, is used", node.coord)
        result = self._to.saved(call, type_)
        if primitives.without_variant(function.name) == "malloc":
            self.library.fill(result, arguments[0])
        return result

    def _check_count(self, name: str, count: int, node: c_ast.Node) -> None:
        declarator = self._symbols.types[name]
        if not isinstance(declarator, c_ast.FuncDecl) or declarator.args is None:
            return
        parameters = _parameters(declarator)
        variable = any(isinstance(p, c_ast.EllipsisParam) for p in parameters)
        if len(parameters) != count and not (variable and count >= len(parameters) - 1):
            raise InputError(f"`{name}` takes {len(parameters)} arguments, not {count}", node.coord)

    def _special(self, name: str, node: c_ast.FuncCall, wanted: bool) -> Any:
        """Emit a call that has a meaning to us; return its value, or None. NotImplemented for other functions."""
        ordinary = name in self._symbols.functions and not self._to.parameter(NAMED)
        if name in self._errors and not ordinary:
            self._fail(Claim(Kind.REACHABILITY, Reason.CALLED, function=name))
            return None
        if name in lexicon.FAILS and not ordinary:
            self._fail(_failing(name, node))
            return None
        if name == lexicon.STOP:
            self._to.emit(build.call(name, origin=self._to.origin))
            return None
        self._refuse(name, node)
        if name in clibrary.ENVIRONMENT and self._is_of_a_library(name):
            return self.library.environment(node)
        if name == clibrary.BROKEN_PIPE:
            return self.library.signals.broken_pipe()
        if name in self._symbols.functions:
            return NotImplemented
        if name in variadic.FUNCTIONS:
            return self.variadic.call(name, node, wanted)
        if atomic_builtin(name) is not None:
            return self._atomics.call(name, node, wanted)
        if name in _COPIES and (value := self._copies.memory(name, node, wanted)) is not None:
            return value
        if (done := self._cleanup.call(name, node)) is not NotImplemented:
            return done
        arguments = node.args.exprs if node.args else []
        if name == lexicon.CREATE:
            return self._create(node, *arguments, ordered=False)
        if name == "syscall":
            return self.call(self.library.system_call(node), wanted)
        opened = self._semaphores.numbered(node)
        if opened is not None:
            return self.call(opened, wanted)
        if name == lexicon.THRD_CREATE and len(arguments) == 3:
            # Its completion synchronizes with the beginning of the new thread (C11 §7.26.5.1).
            return self._create(node, arguments[0], build.number(0), *arguments[1:], ordered=True)
        if name == lexicon.THRD_EXIT and len(arguments) == 1:
            result = c_ast.Cast(build.typename(basic("long")), arguments[0])
            pointer = c_ast.Cast(build.typename(pointer_to(basic("void"))), result)
            return self._special(lexicon.EXIT, build.call(lexicon.EXIT, pointer, origin=node.coord), wanted)
        if name in lexicon.ASSERTIONS or name in lexicon.ASSUMPTIONS:
            return self._claim(name, node)
        if name in primitives.SUCCEEDS:
            for argument in arguments:
                self._to.effect(argument)
            return build.number(0)
        known = self._primitive(name, node)
        if known is not NotImplemented or name in lexicon.MODELLED or lexicon.is_step(name):
            return known
        if (done := self.sorting.call(name, node, wanted)) is not NotImplemented:
            return done
        known = self.library.call(name, node, wanted)
        if known is not NotImplemented:
            return known
        if name.lstrip("_") in lexicon.JUMPS:
            raise UnsupportedError(f"`{name.lstrip('_')}` is not supported", node.coord)
        if name.startswith(("__atomic_", "__sync_", "__builtin_")):
            raise UnsupportedError(f"`{name}` is not supported", node.coord)
        raise UndefinedError(f"the function `{name}` is called but not defined", node.coord)

    def _claim(self, name: str, node: c_ast.FuncCall) -> None:
        """Emit an assertion or an assumption, whatever its name."""
        cond = self._to.one_load(node.args.exprs[0])
        if name in lexicon.ASSUMPTIONS:
            self._to.emit(build.call(lexicon.ASSUME, cond, origin=self._to.origin))
            return
        self.claims = True
        self._to.emit(build.call(lexicon.ASSERT, cond, build.string(asserted(node)), origin=self._to.origin))

    def _refuse(self, name: str, node: c_ast.FuncCall) -> None:
        """Raise UnsupportedError for calls that the system supports and our threads do not."""
        arguments = node.args.exprs if node.args else []

        def known(position: int) -> int | None:
            return self._symbols.constant_or_none(arguments[position]) if position < len(arguments) else None

        if name in clibrary.READS_FILE and self.library.files.may_read_back(name, arguments):
            message = f"`{name}` is not supported in a program that writes files: it may read what was written"
            raise UnsupportedError(message, node.coord)
        refusal = primitives.REFUSALS.get(name)
        if refusal is not None and refusal.argument is not None:
            value = known(refusal.argument)
            if value not in (0, None) or (value is None and refusal.unknown):
                raise UnsupportedError(f"{refusal.what} not supported", node.coord)
        elif refusal is not None and name not in self._symbols.functions:
            raise UnsupportedError(f"`{name}`: {refusal.what} not supported", node.coord)
        if name in lexicon.REFUSED and name not in self._symbols.functions:
            raise UnsupportedError(f"`{name}`: {lexicon.REFUSED[name]} are not supported", node.coord)

    def _primitive(self, name: str, node: c_ast.FuncCall) -> Any:
        if name == "__VERIFIER_nondet_memory":
            return self._any_memory(node)
        if name.startswith(lexicon.ANY_VALUE) and name not in lexicon.MODELLED:
            type_ = self._symbols.type_of(node) if name in self._symbols.types else basic("int")
            return self._to.saved(nondet(self._symbols, type_, node.coord), type_)
        try:
            kind = lexicon.nondet_kind(name)
        except KeyError:
            raise UnsupportedError(
                f"`{name}` is not one of SV-COMP's functions for nondeterministic values", node.coord
            ) from None
        if kind is not None:
            call = build.call(lexicon.NONDET + kind, origin=node.coord)
            words = lexicon.NONDET_TYPES[kind]
            type_ = c_ast.PtrDecl([], basic("void")) if kind == "pointer" else basic(words)
            return self._to.saved(call, type_)
        if name in ("rand", "random"):
            return c_ast.BinaryOp("&", self.library.any_int(), build.number(0x7FFFFFFF))
        name = lexicon.SECTIONS.get(name, name)
        if name in (lexicon.ATOMIC_BEGIN, lexicon.ATOMIC_END, lexicon.EXIT, *lexicon.WHOLE):
            self._to.emit(build.call(name, *self._arguments(node), origin=self._to.origin))
            return None
        return NotImplemented

    def _any_memory(self, node: c_ast.FuncCall) -> None:
        memory, size = node.args.exprs
        known = self._symbols.constant_or_none(size)
        if known is None:
            raise UnsupportedError("`__VERIFIER_nondet_memory` of a size that is not constant", node.coord)
        self._to.emit(build.call(lexicon.HAVOC, self._to.value(memory), build.number(known), origin=self._to.origin))

    def _create(self, node: c_ast.FuncCall, *arguments: c_ast.Node, ordered: bool) -> c_ast.Node | None:
        """Write a pthread_create of a named start function; if it is known only at run time, dispatch on it.

        ordered: whether the identifier is stored before the new thread does anything.
        """
        if len(arguments) != 4:
            raise InputError("pthread_create takes four arguments", node.coord)
        pointer, attr = self._to.value(arguments[0]), self._to.value(arguments[1])
        if not ordered and not self._strict and not self._identifiers.is_private(pointer):
            ordered = True
            self._to.context.warn(
                "`pthread_create` stores the identifier before the new thread runs, as glibc does; POSIX leaves that "
                "open (both orders with --strict-posix)",
                node.coord,
            )
        if ordered or self._symbols.constant_or_none(pointer) is not None or self._identifiers.is_private(pointer):
            return self._creation(node, pointer, attr, *arguments[2:])
        if build.addressed(pointer) is None:
            claimed = Claim(Kind.REACHABILITY, Reason.MISSING, Object.THREAD.value)
            present = c_ast.BinaryOp("!=", pointer, build.number(0))
            self._to.emit(build.call(lexicon.ASSERT, present, build.string(claimed.key), origin=self._to.origin))
        place = self._atomics.place(pointer)
        identifier = self._to.temporary(self._symbols.type_of(place))
        result = self._creation(node, c_ast.UnaryOp("&", identifier), attr, *arguments[2:])
        self._to.store(place, identifier)
        return result

    def _creation(
        self, node: c_ast.FuncCall, thread: c_ast.Node, attr: c_ast.Node, *arguments: c_ast.Node
    ) -> c_ast.Node:
        """Write a pthread_create that stores the identifier at *thread*. *arguments*: the other two."""
        start, argument = function_name(arguments[0]), self._to.value(arguments[1])
        if start is not None and self._is_of_a_library(start):
            raise UnsupportedError(f"`{start}` as the start function of a thread is not supported", node.coord)
        if start is not None and start in self._symbols.functions:
            if node.name.name == lexicon.CREATE and not self._is_start(start):
                self._fail(Claim(Kind.REACHABILITY, Reason.NO_FUNCTION))
                return build.number(0)
            call = build.call(lexicon.CREATE, thread, attr, c_ast.ID(start), argument, origin=self._to.origin)
            return self._to.saved(call, basic("int"))
        pointer = self._to.saved(self._to.value(arguments[0]))
        result = self._to.temporary(basic("int"))
        undefined = self._undefined_callees(None, node)

        def starting(name: str) -> list[c_ast.Node]:
            if name in undefined:
                return [cuts.stop(undefined[name], self._to.origin)]
            call = build.call(lexicon.CREATE, thread, attr, c_ast.ID(name), argument)
            return [build.assign(result, call, self._to.origin)]

        self._dispatch(pointer, [*self._starts(), *undefined], starting)
        return result

    def _is_of_a_library(self, name: str) -> bool:
        """Whether *name* is a function that the user has not defined."""
        if name in self._symbols.functions:
            return lexicon.is_ours(self._symbols.functions[name].coord)
        return name in self._symbols.types and not self._symbols.is_object(name)

    def _starts(self) -> list[str]:
        """The functions that a start routine known only at run time can be: those of its type, and converted ones."""
        return [
            name
            for name in self._candidates()
            if self._types.is_exactly_start(name) or (name in self._types.converted and self._is_start(name))
        ]

    def _is_start(self, name: str) -> bool:
        """Whether a thread can start with the function *name*; if that is only so in practice, say so."""
        if self._types.is_exactly_start(name):
            return True
        if self._strict or not self._types.is_start(name):
            return False
        definition = self._symbols.functions[name]
        self._to.context.warn(
            f"`{name}` starts threads, and is not of the type `void *(void *)`: C leaves that undefined, but it works "
            "on every ABI (a violation with --strict-posix)",
            definition.decl.coord,
        )
        return True

    def note_result(self, function: str, value: c_ast.Node) -> c_ast.Node:
        """The *value* that *function* returns. If a thread that starts with it may have a wider result, note that.

        Nothing is proved then where the value is negative: its sign need not be in the rest of the result.
        """
        type_: Any = self._symbols.types[function]
        kind = self._symbols.arithmetic(type_.type) or "void"
        if kind in ("void", "_Bool") or kind.startswith("unsigned") or not self._is_narrow(kind):
            return value
        if function not in self._types.starting or not self._types.is_start(function):
            return value
        number = self._symbols.constant_or_none(value)
        if number is not None and number >= 0:
            return value
        value = self._to.saved(value, self._symbols.value_type(value))
        any_ = self._to.saved(build.call(lexicon.NONDET + "bool", origin=self._to.origin), basic("_Bool"))
        known = c_ast.BinaryOp("||", c_ast.BinaryOp(">=", value, build.number(0)), any_)
        self._to.emit(cuts.unwound(known, Cut(Limit.NARROW_RESULT, function=function), self._to.origin))
        return value

    def _is_narrow(self, kind: str) -> bool:
        return self._symbols.model.size(kind) < self._symbols.model.pointer

    def _indirect(self, node: c_ast.FuncCall, wanted: bool) -> c_ast.Node | None:
        """Write a call through a pointer: a choice among the functions of its type whose address is taken."""
        target = node.name
        while isinstance(target, c_ast.UnaryOp) and target.op == "*" and self._is_function(target.expr):
            target = target.expr
        pointer = self._to.value(target)
        if not lexicon.is_ours(node.coord) or not isinstance(
            pointer, c_ast.ID
        ):  # the library's parameters never change
            pointer = self._to.saved(pointer)
        arguments = self._arguments(node)
        type_ = self._symbols.type_of(node)
        result = self._to.temporary(type_) if wanted else None

        names = self._callees(node, arguments)
        packed = {name: self.variadic.packed(name, arguments) for name in names}
        undefined = self._undefined_callees(self._signature(self._symbols.type_of(node.name)), node)

        def calling(name: str) -> list[c_ast.Node]:
            if name in undefined:
                return [cuts.stop(undefined[name], self._to.origin)]
            passed = packed[name] if self._types.looks_at_arguments(name) else []
            call = build.call(name, *passed, origin=self._to.origin)
            if result is not None and self._types.returns_nothing(name):
                return [call, build.assign(result, nondet(self._symbols, type_), self._to.origin)]
            return [call if result is None else build.assign(result, call, self._to.origin)]

        self._dispatch(pointer, [*names, *undefined], calling)
        return result

    def _is_function(self, node: c_ast.Node) -> bool:
        """Whether *node* is a function or a pointer to one, and not to a pointer: then `*` changes nothing."""
        type_ = self._symbols.resolve(self._symbols.type_of(node))
        if isinstance(type_, c_ast.PtrDecl):
            type_ = self._symbols.resolve(type_.type)
        return isinstance(type_, c_ast.FuncDecl)

    def _callees(self, node: c_ast.FuncCall, arguments: list[c_ast.Node]) -> list[str]:
        """The functions that a call through a pointer may call; those passed to the library may have been converted."""
        signature = self._signature(self._symbols.type_of(node.name))
        given = lexicon.is_ours(node.coord)
        names = [*self._candidates(len(arguments)), *(self._library_functions() if given else [])]
        if signature is None:
            type_ = self._symbols.type_of(node)
            return [name for name in names if self._takes(name, arguments) and self._returns(name, type_)]
        return [
            name for name in names if self._is_of_type(name, signature, node) or self._is_convertible(name, node, given)
        ]

    def _is_of_type(self, name: str, signature: str, node: c_ast.FuncCall) -> bool:
        same = (self._signature(self._symbols.types[name]) or "") == signature
        return same and self._returns(name, self._symbols.type_of(node))

    def _is_convertible(self, name: str, node: c_ast.FuncCall, given: bool) -> bool:
        """Whether the call *node* of *name*, a function of another type, works in practice; if it does, say so."""
        if name not in self._types.converted or (self._strict and not given):
            return False
        if not self._types.works_as(name, self._symbols.type_of(node.name)):
            return given
        definition = self._symbols.functions[name]
        self._to.context.warn(
            f"`{name}` is called through a pointer to a function of another type: C leaves that undefined, but on "
            "every ABI these types are passed alike (a violation with --strict-posix)",
            definition.decl.coord if given else node.coord,
        )
        return True

    def _undefined_callees(self, signature: str | None, node: c_ast.FuncCall) -> dict[str, UndefinedError]:
        """The functions that are not defined to which a call through a pointer may lead: a thread stops at them.

        signature: that of the pointer; None if a pointer of any type may lead there.
        """
        if self._undefined is None:
            functions = {n for n, t in self._symbols.types.items() if isinstance(t, c_ast.FuncDecl)}
            unknown = functions - self._symbols.functions.keys() - lexicon.MODELLED
            users = [item for item in self._tree.ext if not lexicon.is_ours(item.coord)]
            self._undefined = mentioned(users, {name for name in unknown if not lexicon.is_library(name)})
        found = {
            name: UndefinedError(f"`{name}`, which a call through a pointer may lead to, is not defined", node.coord)
            for name in sorted(self._undefined)
            if signature is None or self._signature(self._symbols.types[name]) in (None, signature)
        }
        if found and self._refuses:
            raise next(iter(found.values()))
        self.claims = self.claims or bool(found)
        return found

    def _library_functions(self) -> list[str]:
        """The functions of the C library and of the thread library whose address the user takes."""
        users = [node for node in self._tree.ext if not lexicon.is_ours(node.coord)]
        known = {name for name, node in self._symbols.functions.items() if lexicon.is_ours(node.coord)}
        return sorted(mentioned(users, known | (lexicon.MODELLED & self._symbols.types.keys())))

    def _takes(self, name: str, arguments: list[c_ast.Node]) -> bool:
        """Whether a call without knowledge of the parameters of *name* can pass *arguments*."""
        parameters = self._symbols.parameters(self._symbols.types[name])  # type: ignore[arg-type]
        given = [self._symbols.value_type(argument) for argument in arguments]
        records = [self._symbols.record(type_) is not None for type_ in given]
        texts = [self._symbols.spelled(type_) for type_ in given]
        return all(
            parameter == text if record else not parameter.startswith(("struct ", "union ")) or parameter.endswith("*")
            for parameter, text, record in zip(parameters, texts, records, strict=True)
        )

    def _returns(self, name: str, type_: c_ast.Node) -> bool:
        function: Any = self._symbols.types[name]
        return self._symbols.spelled(function.type) == self._symbols.spelled(type_)

    def _signature(self, type_: c_ast.Node) -> str | None:
        """The types of the parameters; None if the type does not specify them, as in ``int (*f)()``."""
        type_ = self._symbols.resolve(type_)
        while isinstance(type_, c_ast.PtrDecl):
            type_ = self._symbols.resolve(type_.type)
        if isinstance(type_, c_ast.FuncDecl) and type_.args is None:
            return None
        return ", ".join(self._symbols.parameters(type_)) if isinstance(type_, c_ast.FuncDecl) else ""

    def _dispatch(self, pointer: c_ast.ID, names: list[str], calling: Callable[[str], list[c_ast.Node]]) -> None:
        """A choice among the functions *names* by what *pointer* points to."""
        chain: list[c_ast.Node] = [fail(Claim(Kind.REACHABILITY, Reason.NO_FUNCTION), self._to.origin)]
        self.chosen.update(names)
        for name in reversed(names):
            equal = c_ast.BinaryOp("==", pointer, self._as_pointer(name, pointer))
            chain = [build.branch(equal, calling(name), chain, self._to.origin)]
        self._to.emit_all(chain)

    def _as_pointer(self, name: str, pointer: c_ast.ID) -> c_ast.Node:
        """The address of the function *name* as a value that can be compared with *pointer*."""
        type_ = self._symbols.type_of(pointer)
        if self._signature(type_) in (None, self._signature(self._symbols.types[name]) or ""):
            return c_ast.ID(name)
        return c_ast.Cast(build.typename(type_), c_ast.ID(name))

    def _candidates(self, count: int | None = None) -> list[str]:
        """The functions with *count* parameters, or any, whose address is taken anywhere in the program."""
        if self._addressed is None:
            self._addressed = mentioned([self._tree], self._symbols.functions)
        names = []
        for name, definition in self._symbols.functions.items():
            fixed = len(_parameters(definition.decl.type)) - variadic.is_variadic(definition)
            fits = definition.decl.type.args is None or count is None
            if not fits and count is not None:
                fits = fixed <= count if variadic.is_variadic(definition) else fixed == count
            if name in self._addressed and fits and not lexicon.is_ours(definition.coord):
                names.append(name)
        return names


def _parameters(declarator: Any) -> list[c_ast.Node]:
    """The parameters of a function declarator; none for ``(void)``."""
    found = declarator.args.params if declarator.args else []
    return [item for item in found if not build.is_void(getattr(item, "type", None))]


def _failing(name: str, node: c_ast.FuncCall) -> Claim:
    """The claim that a call of one of `lexicon.FAILS` violates; glibc's __assert_fail gets the assertion's text."""
    if lexicon.FAILS[name] is Reason.SIGNAL:
        return crash("SIGILL")
    first = node.args.exprs[0] if node.args else None
    if name == "__assert_fail" and isinstance(first, c_ast.Constant):
        return Claim(Kind.ASSERTION, subject=first.value[1:-1])
    return Claim(Kind.REACHABILITY, lexicon.FAILS[name], function=name)
