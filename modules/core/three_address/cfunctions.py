"""Calls of C library functions that are not modelled in C."""

import math
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import Any, NamedTuple

from pycparser import c_ast

from cseq.c import build
from cseq.c.symbols import Symbols, basic, pointer_to
from cseq.model.claims import Claim, Cut, Kind, Limit, Reason
from cseq.model.errors import UnsupportedError
from cseq.model.origin import Origin
from cseq.modules.analysis import cuts
from cseq.modules.analysis.initializers import nondet, undefined
from cseq.modules.analysis.mentions import mentioned
from cseq.modules.analysis.places import called
from cseq.modules.core.three_address.copies import StoreWriter
from cseq.modules.core.three_address.formats import Conversion, conversions
from cseq.modules.core.three_address.null_tests import are_only_tested
from cseq.modules.core.three_address.scanning import scanned
from cseq.modules.core.writing import Writing
from cseq.modules.library import clibrary, lexicon
from cseq.modules.library.alignment import PAGE, PROMISED, with_alignment, without_alignment
from cseq.modules.library.primitives import without_variant
from cseq.options.properties import CHECKED, READS
from cseq.pipeline.translator import beginning_with

# Signals: handlers that never run, and signals that the program sends to itself.

_HANDLERS = frozenset({"sa_handler", "sa_sigaction"})
_INSTALLS = frozenset({"signal", "sigaction", "bsd_signal", "sysv_signal", "sigset"})
_BLOCKS = frozenset({"sigprocmask", "pthread_sigmask"})
_SIGPIPE, _SIG_IGN = 13, 1
_LAST_CONSTANT = 2  # SIG_DFL, SIG_IGN and SIG_HOLD
_IGNORED = frozenset({17, 18, 23, 28})  # by default: SIGCHLD, SIGCONT, SIGURG, SIGWINCH
_STOPPING = frozenset({19, 20, 21, 22})
_MOST = 64


class Signals:
    """Writes calls about signals into the output of *to*.

    No signal comes from outside: a handler that the program installs is taken never to run, which is a warning.
    """

    def __init__(self, to: Writing, symbols: Symbols) -> None:
        self._to = to
        self._symbols = symbols

    def install(self, name: str, arguments: list[c_ast.Node], node: c_ast.FuncCall) -> None:
        """Warn if a call of `signal` or `sigaction` may install a handler."""
        handler = build.uncast(arguments[1])
        value = self._symbols.constant_or_none(handler)
        installs = value is None or value > _LAST_CONSTANT
        if name == "sigaction":
            installs = value != 0 and self._has_handlers()
        if installs:
            self._to.context.warn(f"the handlers that `{name}` installs are assumed never to run", node.coord)

    def _has_handlers(self) -> bool:
        """Whether the program puts anything but a constant into a `struct sigaction`, as far as that is known."""
        found = [value for node in _nodes(self._symbols) for value in _stored(node)]
        return not found or any(not self._is_default(value) for value in found)

    def _is_default(self, value: c_ast.Node) -> bool:
        number = self._symbols.constant_or_none(build.uncast(value))
        return number is not None and number <= _LAST_CONSTANT

    def send(self, name: str, number: c_ast.Node, node: c_ast.FuncCall, wanted: bool) -> c_ast.Node | None:
        """Write what a signal does that the process sends to itself: it ends, where no handler changes that."""
        signal = self._symbols.constant_or_none(number)
        if signal is None or not 0 <= signal <= _MOST or signal in _STOPPING:
            raise UnsupportedError(f"`{name}` with this signal is not supported", node.coord)
        if signal and any(build.is_call(each, *_INSTALLS) for each in _nodes(self._symbols)):
            raise UnsupportedError(f"`{name}` in a program that installs handlers is not supported", node.coord)
        if signal and signal not in _IGNORED:
            self._to.emit(build.call(lexicon.STOP, origin=self._to.origin))
        return build.number(0) if wanted else None

    def broken_pipe(self) -> None:
        """Write what SIGPIPE does, for a write that finds no reader: it ends the process unless it is ignored."""
        installing = [node for node in _nodes(self._symbols) if build.is_call(node, *_INSTALLS, *_BLOCKS)]
        if not installing:
            self._to.emit(build.call(lexicon.STOP, origin=self._to.origin))
        elif not any(self._ignores_broken_pipes(node) for node in installing):
            cut = Cut(Limit.BROKEN_PIPE)
            self._to.emit(cuts.unwound(build.number(0), cut, self._to.origin))

    def _ignores_broken_pipes(self, node: Any) -> bool:
        given = [self._symbols.constant_or_none(build.uncast(argument)) for argument in node.args.exprs[:2]]
        return node.name.name != "sigaction" and given == [_SIGPIPE, _SIG_IGN]


def _nodes(symbols: Symbols) -> Iterator[Any]:
    """What the functions of the program consist of."""
    for function in symbols.functions.values():
        yield from build.walk(function.body)


_OPENS_STREAM = {"fopen": 1, "freopen": 1, "fdopen": 1}  # the position of the mode
_O_ACCMODE = 3


class Files:
    """What a program does with the files that it opens."""

    def __init__(self, symbols: Symbols) -> None:
        self._symbols = symbols

    def may_read_back(self, name: str, arguments: list[c_ast.Node]) -> bool:
        """Whether a call of *name*, one of `clibrary.READS_FILE`, may read what the program has written to a file."""
        position = clibrary.READS_FILE[name]
        source = build.uncast(arguments[position]) if position < len(arguments) else None
        if source is None or build.is_constant(source, 0) or (isinstance(source, c_ast.ID) and source.name == "stdin"):
            return False
        return self._writes

    @cached_property
    def _writes(self) -> bool:
        return any(self._opens_for_writing(node) for node in _nodes(self._symbols) if isinstance(node, c_ast.FuncCall))

    def _opens_for_writing(self, node: c_ast.FuncCall) -> bool:
        name = node.name.name if isinstance(node.name, c_ast.ID) else ""
        arguments = node.args.exprs if node.args else []
        if name == "creat":
            return True
        if name in ("open", "open64", "openat"):
            flags = [self._symbols.constant_or_none(argument) for argument in arguments[1 + (name == "openat") :][:1]]
            return flags == [None] or any((flag or 0) & _O_ACCMODE for flag in flags)
        position = _OPENS_STREAM.get(name, len(arguments))
        mode = _literal(arguments[position]) if position < len(arguments) else None
        return position < len(arguments) and (mode is None or not {"w", "a", "+"}.isdisjoint(mode.value))


def _stored(node: Any) -> Iterator[c_ast.Node]:
    """What an assignment stores as a handler, unless it only says that the value is not known yet."""
    target = node.lvalue if isinstance(node, c_ast.Assignment) else None
    if isinstance(target, c_ast.StructRef) and target.field.name in _HANDLERS:
        value = build.uncast(node.rvalue)
        if not (isinstance(value, c_ast.FuncCall) and value.name.name.startswith(lexicon.NONDET)):
            yield value


_SMALL = 256  # bytes
_EINVAL = 22
_COMPUTED: dict[str, Callable[..., float]] = {
    name: getattr(math, name)
    for name in (
        "sqrt", "cbrt", "pow", "hypot", "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan",
        "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "erf", "erfc", "fmod",
        "remainder", "nextafter",
    )
}  # fmt: skip
_READ = ("strtod", "atof")
# A hexadecimal number, or what may be part of the number elsewhere, is not one of these.
_DECIMAL = re.compile(r"[ \t]*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)(?![xX.\w])")
_REAL = ("float", "double", "long double")
_ANY_LENGTH = 1 << 20  # of a string
_LONGEST = 64  # of a text in a block of its own: `strdup` follows one character less
_BUFFER = 0  # the position of the buffer in all functions that print into memory
_PRINTED = {"sprintf": 1, "vsprintf": 1, "snprintf": 2, "vsnprintf": 2}  # the position of the format
_BASES = {"d": 10, "i": 10, "u": 10, "x": 16, "o": 8}
_DIGITS = {10: (10, 20), 16: (8, 16), 8: (11, 22)}  # the number of digits of the largest 32-bit and 64-bit numbers


class Constant(NamedTuple):
    """What is the same throughout an execution: the *value*, which an expression of the core language has when main
    begins, and lies between *low* and *high*. type: its type. origin: the first call that asks for it."""

    value: c_ast.Node
    type: c_ast.Node
    origin: Origin | None
    low: int | None = None
    high: int | None = None


def with_constants(nodes: list[c_ast.Node], constants: Mapping[str, Constant]) -> Iterator[c_ast.Node]:
    """*nodes*, where main begins with giving these variables their values."""
    given: list[c_ast.Node] = []
    for name, known in constants.items():
        yield build.declare(name, build.renamed(known.type, name))
        given.append(build.assign(c_ast.ID(name), known.value, known.origin))
        for operator, limit in ((">=", known.low), ("<=", known.high)):
            if limit is not None:
                inside = c_ast.BinaryOp(operator, c_ast.ID(name), build.number(limit))
                given.append(build.call(lexicon.ASSUME, inside, origin=known.origin))
    for node in nodes:
        if given and isinstance(node, c_ast.FuncDef) and node.decl.name == "main":
            yield beginning_with(given, node)
        else:
            yield node


class LibraryCalls:
    """Writes calls of C library functions as statements of the core language into the output of *to*."""

    def __init__(self, to: Writing, symbols: Symbols, tree: c_ast.FileAST, copies: StoreWriter) -> None:
        self._to = to
        self._tree = tree
        self._copies = copies
        self._symbols = symbols
        self.signals = Signals(to, symbols)
        self.files = Files(symbols)
        self.constants: dict[str, Constant] = {}
        """The variables with what is the same throughout an execution."""
        self.needed: dict[str, c_ast.Decl] = {}
        """Functions that the written calls need and that were not declared."""

    def call(self, name: str, node: c_ast.FuncCall, wanted: bool) -> c_ast.Node | None:
        """Emit a call; return its value if *wanted*, None for void. NotImplemented for functions not known here."""
        arguments: list[c_ast.Node] = list(node.args.exprs) if node.args else []
        if name in clibrary.REFUSED:
            raise UnsupportedError(f"`{name}` is not supported", node.coord)
        if name in clibrary.WAITING:
            raise UnsupportedError(f"`{name}` is not supported: {clibrary.WAITING[name]}", node.coord)
        if clibrary.FILE_OF in self._symbols.functions:
            if name in clibrary.OF_DESCRIPTORS:
                message = f"`{name}` is not supported in a program that has pipes, socket pairs or event counters"
                raise UnsupportedError(message, node.coord)
            if name in clibrary.OPENS:
                for argument in arguments:
                    self._to.effect(argument)
                return self._to.saved(build.call(clibrary.OTHER_FILE, origin=self._to.origin), basic("int"))
        if name in clibrary.STOPS:
            self._stop(name, arguments)
            return build.number(0) if wanted else None
        if (value := self._computed(name, arguments)) is not None:
            return value
        if name in clibrary.ANY_VALUE:
            self._check_values(name, arguments, node)
            strings = self._strings(name, arguments)
            limit = self._limit(name, arguments) if wanted else None
            self._put_out(arguments, strings)
            return self._any(name, wanted, limit)
        if name in clibrary.CONSTANT:
            return self._constant(name, arguments, node)
        if name == clibrary.THREAD:
            return self._thread(node)
        if name == "sigaction":
            self.signals.install(name, arguments, node)
        if name in clibrary.WRITES:
            return self._writes(name, arguments, wanted)
        if name in clibrary.FRESH:
            return self._aligned(name, arguments, node)
        if name in clibrary.FORMATTED:
            return self._printed(name, arguments, node)
        if name == clibrary.ALLOCATES_TEXT:
            return self._printed_anew(name, arguments, node)
        if clibrary.is_scanned(name):
            return self._scanned(name, arguments, node)
        method = getattr(self, f"_{name}", None) if name in SPECIAL else None
        return method(arguments, node, wanted) if method is not None else NotImplemented

    def _check_values(self, name: str, arguments: list[c_ast.Node], node: c_ast.FuncCall) -> None:
        position, values = clibrary.ONLY_WITH.get(name, (len(arguments), frozenset()))
        if position < len(arguments):
            value = self._symbols.constant_or_none(build.uncast(arguments[position]))
            if value not in values:
                raise UnsupportedError(
                    f"this argument of `{name}` is not supported", arguments[position].coord or node.coord
                )

    def system_call(self, node: c_ast.FuncCall) -> c_ast.FuncCall:
        """The call of the function that does what the `syscall` *node* asks for."""
        arguments: list[c_ast.Node] = list(node.args.exprs) if node.args else []
        numbers = [self._symbols.constant_or_none(argument) for argument in arguments[:3]]
        asked = _SYSTEM_CALLS[self._symbols.model.pointer].get(numbers[0] if numbers and numbers[0] is not None else -1)
        if asked in ("getpid", "gettid"):
            return build.call(asked, origin=node.coord)
        if asked != "futex":
            raise UnsupportedError("`syscall` with this number is not supported", node.coord)
        operation = numbers[2] if len(numbers) > 2 and numbers[2] is not None else -1
        match operation & ~_FUTEX_PRIVATE:
            case 0 if len(arguments) >= 4:
                return build.call(
                    "__cs_futex_wait",
                    arguments[1],
                    arguments[3],
                    *arguments[4:5] or [build.number(0)],
                    origin=node.coord,
                )
            case 1 if len(arguments) >= 4:
                return build.call("__cs_step_futex_wake", arguments[1], arguments[3], origin=node.coord)
        raise UnsupportedError("`syscall` with this operation on a futex is not supported", node.coord)

    def _stop(self, name: str, arguments: list[c_ast.Node]) -> None:
        first = clibrary.at_end(name, arguments)
        if first is not None and first[0] in self._symbols.functions:
            given = [self._to.saved(self._to.value(argument), basic("int")) for argument in first[1]]
            self._to.emit(build.call(first[0], *given, origin=self._to.origin))
            arguments = arguments[len(given) :]
        for argument in arguments:
            self._to.effect(argument)
        self._to.emit(build.call(lexicon.STOP, origin=self._to.origin))

    def _put_out(self, arguments: list[c_ast.Node], strings: dict[int, int]) -> None:
        """Evaluate arguments that are not used otherwise, and read those at the positions *strings* as strings."""
        for position, argument in enumerate(arguments):
            if position in strings and self._to.visibility.reaches_others(argument):
                text, most = self._to.value(argument), build.number(strings[position])
                self._to.emit(build.call("__cs_shown", text, most, origin=self._to.origin))
            else:
                self._to.effect(argument)

    def _strings(self, name: str, arguments: list[c_ast.Node]) -> dict[int, int]:
        """The strings that a function outputs, if reads count: position → the maximum number of characters."""
        if not self._to.parameter(READS):
            return {}
        if name in clibrary.SHOWS:
            return {clibrary.SHOWS[name]: _ANY_LENGTH}
        position = clibrary.PRINTS.get(name, len(arguments))
        literal = _literal(arguments[position]) if position < len(arguments) else None
        found = {}
        for item in conversions(literal.value) if literal is not None else ():
            position += item.takes + item.source.count("*") * item.takes
            if item.kind != "s" or item.length:
                continue
            if ".*" in item.source:
                message = f"how much `{name}` reads of a string with a precision of `*` does not count as an access"
                self._to.context.warn(message, self._to.origin)
            else:
                found[position] = _ANY_LENGTH if item.precision is None else item.precision
        return found

    def any_int(self) -> c_ast.ID:
        """A nondeterministic int."""
        return self._to.saved(build.call(lexicon.NONDET + "int", origin=self._to.origin), basic("int"))

    def _limit(self, name: str, arguments: list[c_ast.Node]) -> c_ast.Node | None:
        """The argument on which the range of what *name* returns depends, if it does: evaluated once, and replaced."""
        if name not in clibrary.RESULTS:
            return None
        high = clibrary.RESULTS[name][1]
        is_real = self._symbols.arithmetic(self._result(name)) in _REAL
        position = 0 if is_real else high.position if isinstance(high, clibrary.Argument) else len(arguments)
        if position >= len(arguments):
            return None
        type_ = self._result(name) if is_real else basic("unsigned long")
        known = self._symbols.constant_or_none(arguments[position])
        limit: c_ast.Node = build.number(known) if known is not None and not is_real else c_ast.ID("")
        if known is None or is_real:
            limit = self._to.saved(self._to.value(arguments[position]), type_)
        arguments[position] = limit
        return limit

    def _any(self, name: str, wanted: bool, limit: c_ast.Node | None = None) -> c_ast.Node | None:
        """The result of a function that depends on the environment: any value that it may return.

        limit: the argument on which the range depends: the largest value, or what a function of math.h is asked for.
        """
        type_ = self._result(name)
        if not wanted or self._symbols.is_void(type_):
            return None
        is_real = self._symbols.arithmetic(type_) in _REAL
        if is_real:
            # Any value may come from the environment, but a sine has just one.
            self._to.context.warn(f"`{name}` is not modelled: here it returns any value", self._to.origin)
        value = self._to.saved(nondet(self._symbols, type_, self._to.origin), type_)
        low, high = clibrary.RESULTS.get(name, (None, None))
        otherwise: c_ast.Node | None = None
        if is_real and limit is not None:  # of what is infinite or no number
            difference = c_ast.BinaryOp("-", limit, limit)
            otherwise = c_ast.UnaryOp("!", c_ast.BinaryOp("==", difference, build.number(0)))
        if low is not None and not (low == 0 and self._is_unsigned(type_)):
            self._assume(c_ast.BinaryOp(">=", value, build.number(int(low))), otherwise)
        if isinstance(high, clibrary.Argument) and limit is not None and self._is_unsigned(type_):
            self._assume(c_ast.BinaryOp("<=", value, limit))
        elif isinstance(high, clibrary.Argument) and limit is not None:
            long_ = build.typename(basic("long"))
            above = c_ast.BinaryOp("<", c_ast.Cast(long_, limit), build.number(0))
            self._assume(c_ast.BinaryOp("<=", c_ast.Cast(long_, value), c_ast.Cast(long_, limit)), above)
        elif high is not None and not isinstance(high, clibrary.Argument):
            self._assume(c_ast.BinaryOp("<=", value, build.number(int(high))), otherwise)
        return value

    def _is_unsigned(self, type_: c_ast.Node) -> bool:
        return (self._symbols.arithmetic(type_) or "").startswith("unsigned")

    def _assume(self, cond: c_ast.Node, otherwise: c_ast.Node | None = None) -> None:
        """Assume *cond*, unless *otherwise* holds."""
        whole = cond if otherwise is None else c_ast.BinaryOp("||", otherwise, cond)
        self._to.emit(build.call(lexicon.ASSUME, whole, origin=self._to.origin))

    def _constant(self, name: str, arguments: list[c_ast.Node], node: c_ast.FuncCall) -> c_ast.Node:
        """The result of a function that has the same one throughout an execution: an input when main begins."""
        numbers = [self._symbols.constant_or_none(argument) for argument in arguments]
        if None in numbers:
            raise UnsupportedError(f"`{name}` of what is not a constant is not supported", node.coord)
        low, high = clibrary.CONSTANT[name]
        if name == "sysconf":
            low, high = clibrary.SYSCONF.get(numbers[0] or 0, (low, high))
        type_ = basic(self._symbols.arithmetic(self._result(name)) or "int")
        known = Constant(nondet(self._symbols, type_, node.coord), type_, node.coord, low, high)
        return self._same([name, *(str(number).replace("-", "n") for number in numbers)], known)

    def _same(self, parts: list[str], known: Constant) -> c_ast.ID:
        """The variable for what is the same throughout an execution. parts: what tells it apart from others."""
        variable = "_".join(["__cs_same", *parts])
        if variable not in self.constants:
            self.constants[variable] = known
            self._symbols.declare(build.declare(variable, build.renamed(known.type, variable)))
        return c_ast.ID(variable)

    @cached_property
    def _changes_environment(self) -> bool:
        changes = clibrary.ENVIRONMENT_CHANGES
        return not changes.isdisjoint(called(self._tree)) or bool(mentioned(self._tree.ext, changes))

    @cached_property
    def _only_tested(self) -> bool:
        return are_only_tested(self._tree, clibrary.ENVIRONMENT)

    def environment(self, node: c_ast.FuncCall) -> c_ast.Node:
        """What `getenv` returns: the same for the same name, as long as nothing changes the environment."""
        name = node.name.name
        literal = _literal(node.args.exprs[0]) if node.args else None
        variable = build.text(literal) if literal is not None else ""
        if literal is None or not variable.isidentifier() or not variable.isascii():
            raise UnsupportedError(f"`{name}` of what is not the name of a variable, without --env,", node.coord)
        if self._changes_environment:
            raise UnsupportedError(f"`{name}` where the environment is changed, without --env,", node.coord)
        arguments = [] if self._only_tested else [literal]
        call = build.call(name if arguments else clibrary.IS_SET, *arguments, origin=node.coord)
        return self._same(["getenv", variable], Constant(call, self._result(name), node.coord))

    def _thread(self, node: c_ast.FuncCall) -> c_ast.Node:
        """The identifier that Linux has for the thread: that of the process for main, and later ones for others."""
        process = self._constant(clibrary.PROCESS, [], node)
        number = self._to.saved(build.call("pthread_self", origin=self._to.origin), basic("int"))
        return c_ast.BinaryOp("+", process, c_ast.BinaryOp("-", number, build.number(1)))

    def _computed(self, name: str, arguments: list[c_ast.Node]) -> c_ast.Node | None:
        """The result of a function of math.h, or of one that reads a number, for constants, as this machine's C library
        computes it; or None."""
        if name in _READ:
            is_alone = all(build.is_constant(build.uncast(each), 0) for each in arguments[1:])  # no end is asked for
            literal = _literal(arguments[0]) if arguments and is_alone else None
            number = _DECIMAL.match(build.text(literal)) if literal is not None else None
            value = float(number[1]) if number else math.nan
        elif name in _COMPUTED:
            known = [self._symbols.floating_constant(argument) for argument in arguments]
            try:
                value = _COMPUTED[name](*known)
            except (ValueError, TypeError, OverflowError):
                return None
        else:
            return None
        if not math.isfinite(value):
            return None
        constant = c_ast.Constant("double", repr(abs(value)))
        return c_ast.UnaryOp("-", constant) if math.copysign(1, value) < 0 else constant

    def _sqrt(self, arguments: list[c_ast.Node], node: c_ast.FuncCall, wanted: bool) -> c_ast.Node:
        """Any value between the argument and 1, because engines are slow at squaring; any at all if it is negative."""
        message = "`sqrt` is not modelled: here it returns any value between its argument and 1"
        self._to.context.warn(message, self._to.origin)
        type_ = self._result("sqrt")
        given = self._to.saved(self._to.value(arguments[0]), type_)
        root = self._to.saved(nondet(self._symbols, type_, self._to.origin), type_)

        def between(low: c_ast.Node, high: c_ast.Node) -> c_ast.Node:
            return c_ast.BinaryOp("&&", c_ast.BinaryOp("<=", low, root), c_ast.BinaryOp("<=", root, high))

        one = build.number(1)
        small = c_ast.TernaryOp(c_ast.BinaryOp("<", given, one), between(given, one), between(one, given))
        positive = c_ast.BinaryOp(">=", given, build.number(0))
        within = c_ast.BinaryOp("||", c_ast.UnaryOp("!", positive), small)
        self._to.emit(build.call(lexicon.ASSUME, within, origin=self._to.origin))
        return root

    def _result(self, name: str) -> c_ast.Node:
        declarator = self._symbols.types.get(name)
        return declarator.type if isinstance(declarator, c_ast.FuncDecl) else basic("int")

    # Memory

    def fresh(self, size: c_ast.Node, function: str = "malloc") -> c_ast.ID:
        """Memory from *function*; if its size is known and small, its contents are inputs, which a replay knows."""
        void = pointer_to(basic("void"))
        if function not in self._symbols.types:
            number = c_ast.TypeDecl(None, [], None, c_ast.IdentifierType(["unsigned", "long"]))
            declarator = c_ast.FuncDecl(c_ast.ParamList([build.typename(number)]), build.renamed(void, function))
            self.needed[function] = c_ast.Decl(function, [], [], [], [], declarator, None, None)
            self._symbols.declare(self.needed[function])
        memory = self._to.saved(build.call(function, size, origin=self._to.origin), void)
        self.fill(memory, without_alignment(size))
        return memory

    def _aligned(self, name: str, arguments: list[c_ast.Node], node: c_ast.FuncCall) -> c_ast.ID:
        """Memory from a function that aligns it."""
        at, where = clibrary.FRESH[name]
        values = [self._to.value(argument) for argument in arguments]
        size = values[at]
        if name == "pvalloc":  # whole pages
            above = c_ast.BinaryOp("+", size, build.number(PAGE - 1))
            size = c_ast.BinaryOp("*", c_ast.BinaryOp("/", above, build.number(PAGE)), build.number(PAGE))
        return self.fresh(self._with(build.number(PAGE) if where is None else values[where], size, node))

    def _with(self, alignment: c_ast.Node, size: c_ast.Node, node: c_ast.FuncCall) -> c_ast.Node:
        """The size of a block, with its alignment if that is more than `malloc` promises."""
        known = self._symbols.constant_or_none(alignment)
        if known is not None and (known > PAGE or known & (known - 1)):
            raise UnsupportedError(f"memory that is aligned to {known} bytes is not supported", node.coord)
        if known is not None and 0 <= known <= PROMISED:
            return size
        return with_alignment(self._to.saved(alignment) if known is None else build.number(known), size)

    def fill(self, memory: c_ast.ID, size: c_ast.Node) -> None:
        """Make the contents of fresh memory of a known, small size an input."""
        known = self._symbols.constant_or_none(size)
        if known is not None and 0 < known <= _SMALL:
            self._to.emit(build.call(lexicon.FRESH, memory, build.number(known), origin=self._to.origin))

    def _posix_memalign(self, arguments: list[c_ast.Node], node: c_ast.FuncCall, wanted: bool) -> c_ast.Node:
        target = self._to.saved(self._to.value(arguments[0]))
        alignment = self._to.value(arguments[1])
        size = self._to.value(arguments[2])
        known = self._symbols.constant_or_none(alignment)
        if known is not None and (known < self._symbols.model.pointer or known & (known - 1)):
            return build.number(_EINVAL)
        memory = self.fresh(self._with(alignment, size, node))
        self._to.emit(build.assign(c_ast.UnaryOp("*", target), memory, self._to.origin))
        return build.number(0)

    def _mmap(self, arguments: list[c_ast.Node], node: c_ast.FuncCall, wanted: bool) -> c_ast.Node:
        """Anonymous memory, which is zeroed."""
        flags = self._symbols.constant_or_none(arguments[3])
        if flags is None or not clibrary.is_anonymous(flags):
            raise UnsupportedError("`mmap` of anything but anonymous memory is not supported", node.coord)
        size = self._to.value(arguments[1])
        call = build.call("__CSEQ_zeroed", with_alignment(build.number(PAGE), size), origin=self._to.origin)
        return self._to.saved(call, pointer_to(basic("void")))

    def _time(self, arguments: list[c_ast.Node], node: c_ast.FuncCall, wanted: bool) -> c_ast.Node:
        now = self._to.saved(build.call(lexicon.NONDET + "long", origin=self._to.origin), basic("long"))
        for argument in arguments[:1]:
            if not self._is_null(argument):
                target = self._to.value(argument)
                self._to.emit(build.assign(c_ast.UnaryOp("*", target), now, self._to.origin))
        return now

    def _signal(self, arguments: list[c_ast.Node], node: c_ast.FuncCall, wanted: bool) -> c_ast.Node | None:
        self.signals.install("signal", arguments, node)
        for argument in arguments:
            self._to.effect(argument)
        return build.number(0) if wanted else None

    def _raise(self, arguments: list[c_ast.Node], node: c_ast.FuncCall, wanted: bool) -> c_ast.Node | None:
        return self.signals.send("raise", arguments[0], node, wanted)

    def _kill(self, arguments: list[c_ast.Node], node: c_ast.FuncCall, wanted: bool) -> c_ast.Node | None:
        if not build.is_call(arguments[0], "getpid"):
            raise UnsupportedError("`kill` of another process is not supported", node.coord)
        return self.signals.send("kill", arguments[1], node, wanted)

    def _fcntl(self, arguments: list[c_ast.Node], node: c_ast.FuncCall, wanted: bool) -> c_ast.Node | None:
        """Write an `fcntl` that reads or writes flags."""
        command = self._symbols.constant_or_none(arguments[1]) if len(arguments) > 1 else None
        if command not in _FLAGS_OF_FILES:
            raise UnsupportedError(
                "`fcntl` with this command is not supported: it may wait, or make a descriptor", node.coord
            )
        if clibrary.FILE_OF not in self._symbols.functions:
            self._put_out(arguments, {})
            return self._any("fcntl", wanted)
        given = [self._to.value(argument) for argument in [*arguments, build.number(0)][:3]]
        return self._to.saved(build.call("__cs_file_control", *given, origin=self._to.origin), basic("int"))

    def _error(self, arguments: list[c_ast.Node], node: c_ast.FuncCall, wanted: bool) -> None:
        """Write ``error(status, …)``, which ends the process unless the status is 0."""
        status = self._to.one_load(arguments[0])
        for argument in arguments[1:]:
            self._to.effect(argument)
        end: list[c_ast.Node] = [build.call(lexicon.STOP, origin=self._to.origin)]
        if clibrary.RUN_EXIT in self._symbols.functions:
            status = self._to.saved(status, basic("int"))
            end.insert(0, build.call(clibrary.RUN_EXIT, status, origin=self._to.origin))
        self._to.emit(build.branch(status, end, None, self._to.origin))

    # Values that come from outside

    def _writes(self, name: str, arguments: list[c_ast.Node], wanted: bool) -> c_ast.Node | None:
        limit = self._limit(name, arguments) if wanted else None
        values = [self._to.saved(self._to.value(argument)) if position in clibrary.WRITES[name] else argument
                  for position, argument in enumerate(arguments)]  # fmt: skip
        for position, (value, argument) in enumerate(zip(values, arguments, strict=True)):
            if position not in clibrary.WRITES[name]:
                self._to.effect(argument)
            elif not self._is_null(argument):
                self._any_object(value, build.addressed(argument) is not None)
                if name == "gettimeofday" and position == 0:
                    self._microseconds(value)
        if name in clibrary.RETURNED:
            return values[clibrary.RETURNED[name]]
        return self._any(name, wanted, limit)

    def _microseconds(self, pointer: c_ast.Node) -> None:
        """Store less than a million of them in the `struct timeval` that *pointer* leads to."""
        type_ = self._symbols.element(self._symbols.type_of(pointer))
        if self._symbols.is_void(type_) or self._symbols.record(type_) is None:
            return
        long_ = basic("long")
        part = self._to.saved(build.call(lexicon.NONDET + "long", origin=self._to.origin), long_)
        for operator, limit in ((">=", 0), ("<=", 999_999)):
            self._assume(c_ast.BinaryOp(operator, part, build.number(limit)))
        self._to.emit(build.assign(c_ast.StructRef(pointer, "->", c_ast.ID("tv_usec")), part, self._to.origin))

    def _any_object(self, pointer: c_ast.Node, certain: bool) -> None:
        """Store any value in what *pointer* points to, unless it is null."""
        type_ = self._symbols.element(self._symbols.type_of(pointer))
        if self._symbols.is_void(type_):
            return  # of unknown size: nothing is known about it before or after the call
        body = undefined(self._symbols, c_ast.UnaryOp("*", pointer), type_, self._to.origin)
        self._to.emit_all(body if certain else [build.branch(pointer, body, None, self._to.origin)])

    def _is_null(self, node: c_ast.Node) -> bool:
        return self._symbols.constant_or_none(build.uncast(node)) == 0

    def _scanned(self, name: str, arguments: list[c_ast.Node], node: c_ast.FuncCall) -> c_ast.Node:
        """Write a scanf: any value for each conversion, up to the one that fails."""
        known = without_variant(name)
        position = clibrary.SCANNED[known]
        stored = [item for item in self._format(arguments[position], node) if item.takes and "*" not in item.flags]
        for argument in arguments[:position]:
            self._to.effect(argument)
        targets = [self._stable(argument) for argument in arguments[position + 1 :]]
        if len(stored) != len(targets):
            raise self._mismatch(known, node)
        if known != name:
            return scanned(self._to, self._symbols, self._format(arguments[position], node), targets, node)
        done = self.any_int()
        within = c_ast.BinaryOp(
            "&&",
            c_ast.BinaryOp(">=", done, build.number(-1)),
            c_ast.BinaryOp("<=", done, build.number(len(targets))),
        )
        self._to.emit(build.call(lexicon.ASSUME, within, origin=self._to.origin))
        for number, (item, target) in enumerate(zip(stored, targets, strict=True)):
            cond = c_ast.BinaryOp(">", done, build.number(number))
            argument = arguments[position + 1 + number]
            read = self._read(known, item, target, argument, node)
            self._to.emit(build.branch(cond, read, None, self._to.origin))
        return done

    def _read(
        self, name: str, item: Conversion, target: c_ast.Node, argument: c_ast.Node, node: c_ast.FuncCall
    ) -> list[c_ast.Node]:
        if item.kind in ("s", "["):
            if not item.width:
                self._note_length("scanf")
            size = build.number(item.width + 1) if item.width else self._size_of(argument, node)
            return self._any_text(name, target, size)
        type_ = self._symbols.element(self._symbols.type_of(target))
        place = c_ast.UnaryOp("*", target)
        if item.kind == "c" and item.width > 1:
            return [build.call(lexicon.HAVOC, target, build.number(item.width), origin=self._to.origin)]
        return [build.assign(place, nondet(self._symbols, type_, self._to.origin), self._to.origin)]

    # Text in memory

    def _printed(self, name: str, arguments: list[c_ast.Node], node: c_ast.FuncCall) -> c_ast.Node:
        """Write the text of a simple format, part by part; for other formats, any text that fits."""
        position = _PRINTED[name]
        buffer = self._stable(arguments[_BUFFER])
        counted = position > 1
        unsigned = basic("unsigned long")
        size = self._stable(arguments[1], unsigned) if counted else self._size_of(arguments[_BUFFER], node)
        format_ = arguments[position]
        items = self._format(format_, node) if _literal(format_) else None
        if items is None or name.startswith("v") or not all(item.is_simple for item in items):
            for argument in arguments[position:]:
                self._to.effect(argument)
            if not counted:
                self._note_length(name)
            text = self._any_text(name, buffer, size)
            if counted:  # a size of 0 asks only for the length
                text = [build.branch(size, text, None, self._to.origin)]
            self._to.emit_all(text)
            length = self.any_int()
            return c_ast.BinaryOp("&", length, build.number(0x7FFFFFFF))
        at = self._parts(name, items, [buffer, size], arguments[position + 1 :], node, arguments[_BUFFER])
        if not counted and self._to.parameter(CHECKED):
            message = build.string(Claim(Kind.MEMSAFETY, Reason.TEXT, function=name).key)
            fits = c_ast.BinaryOp("<", at, size)
            self._to.emit(build.call(lexicon.DEMAND, fits, message, origin=self._to.origin))
        return self._to.saved(build.call("__cs_put_end", buffer, size, at, origin=self._to.origin), basic("int"))

    def _printed_anew(self, name: str, arguments: list[c_ast.Node], node: c_ast.FuncCall) -> c_ast.Node:
        """Write a text into a local, and copy it into a block of its length."""
        items = self._format(arguments[1], node)
        if not all(item.is_simple for item in items):
            raise UnsupportedError(f"this format of `{name}` is not supported", node.coord)
        target = self._to.saved(self._to.value(arguments[0]))
        size = build.number(_LONGEST + 1)
        text = self._to.temporary(c_ast.ArrayDecl(basic("char"), size, []), "printed")
        at = self._parts(name, items, [text, size], arguments[2:], node)
        length = self._to.saved(build.call("__cs_put_end", text, size, at, origin=self._to.origin), basic("int"))
        block = self._to.saved(build.call(clibrary.NEW_TEXT, text, origin=self._to.origin), pointer_to(basic("char")))
        self._to.store(c_ast.UnaryOp("*", target), block)
        return length

    def _parts(
        self,
        name: str,
        items: list[Conversion],
        place: list[c_ast.Node],
        arguments: list[c_ast.Node],
        node: c_ast.FuncCall,
        *accessed: c_ast.Node,
    ) -> c_ast.Node:
        """Write the parts of a text to the buffer of a size, which is the *place*, and return its length.

        accessed: what the function accesses besides what the arguments for the format lead to.
        """
        values = [self._to.value(argument) for argument in arguments]
        if len(values) != sum(item.takes for item in items):
            raise self._mismatch(name, node)
        at = self._to.saved(build.number(0), basic("unsigned long"))
        for item in items:
            call = self._part(item, [*place, at], values)
            self._copies.note_coarse(name, [*accessed, *values])  # for each part, as each is several accesses
            self._to.emit(build.assign(at, call, self._to.origin))
        return at

    def _any_text(self, name: str, buffer: c_ast.Node, size: c_ast.Node) -> list[c_ast.Node]:
        """Statements that write any text of at most *size* bytes, for a call of *name*."""
        outer = self._to.enter()
        self._copies.note_coarse(name, [buffer])
        self._to.emit(build.call("__cs_text", buffer, size, origin=self._to.origin))
        return self._to.leave(outer)

    def _note_length(self, name: str) -> None:
        """Warn that a text may be longer than its buffer; nothing is proved then."""
        if self._to.parameter(CHECKED):
            any_ = self._to.saved(build.call(lexicon.NONDET + "bool", origin=self._to.origin), basic("_Bool"))
            self._to.emit(cuts.unwound(any_, Cut(Limit.OBJECT_TEXT, function=name), self._to.origin))

    def _part(self, item: Conversion, place: list[c_ast.Node], values: list[c_ast.Node]) -> c_ast.FuncCall:
        if item.kind == "":
            whole = build.number(len(item.text))
            text = c_ast.Constant("string", f'"{item.source}"')
            return build.call("__cs_put_text", *place, text, whole, origin=self._to.origin)
        if item.kind == "%":
            return build.call("__cs_put_character", *place, build.number(ord("%")), origin=self._to.origin)
        value = values.pop(0)
        if item.kind == "c":
            return build.call("__cs_put_character", *place, value, origin=self._to.origin)
        if item.kind == "s":
            most = build.number(item.precision if item.precision is not None else _ANY_LENGTH)
            return build.call("__cs_put_text", *place, value, most, origin=self._to.origin)
        type_ = basic(item.type)
        number = self._to.saved(c_ast.Cast(build.typename(type_), value), type_)
        negative: c_ast.Node = build.number(0)
        word = basic("unsigned long long")
        magnitude: c_ast.Node = c_ast.Cast(build.typename(word), number)
        if item.kind in "di":
            negative = c_ast.BinaryOp("<", number, build.number(0))
            magnitude = c_ast.TernaryOp(negative, c_ast.UnaryOp("-", magnitude), magnitude)
        fill = build.number(ord("0" if "0" in item.flags else " "))
        digits = build.number(_DIGITS[_BASES[item.kind]][self._symbols.sizeof(type_) > 4])
        rest = (build.number(_BASES[item.kind]), digits, negative, build.number(item.width), fill)
        return build.call("__cs_put_number", *place, magnitude, *rest, origin=self._to.origin)

    def _format(self, node: c_ast.Node, call: c_ast.FuncCall) -> list[Conversion]:
        literal = _literal(node)
        if literal is None:
            raise UnsupportedError("a format that is not a string literal is not supported here", call.coord)
        return conversions(literal.value)

    def _stable(self, node: c_ast.Node, type_: c_ast.Node | None = None) -> c_ast.Node:
        """The value of *node* for several statements: *node* itself if nothing changes it, so that engines know it."""
        known = self._symbols.constant_or_none(node)
        if known is not None:
            return build.number(known)
        value = self._to.value(node)
        place = build.uncast(value)
        if isinstance(place, c_ast.UnaryOp) and place.op == "&":
            place = place.expr
        elif not self._symbols.is_array(self._symbols.type_of(place)):
            return self._to.saved(value, type_)
        while isinstance(place, c_ast.StructRef) and place.type == ".":
            place = place.name
        return value if isinstance(place, c_ast.ID) else self._to.saved(value, type_)

    def _mismatch(self, name: str, node: c_ast.FuncCall) -> UnsupportedError:
        return UnsupportedError(f"a format of `{name}` whose conversions do not match its arguments", node.coord)

    def _size_of(self, argument: c_ast.Node, node: c_ast.FuncCall) -> c_ast.Node:
        """The size of the array that is written."""
        target = build.uncast(argument)
        place = target.expr if isinstance(target, c_ast.UnaryOp) and target.op == "&" else None
        if isinstance(place, c_ast.ArrayRef) and build.is_constant(place.subscript, 0):
            target = place.name
        type_ = self._symbols.type_of(target)
        if not self._symbols.is_array(type_):
            raise UnsupportedError("a text that is written into an object of unknown size", node.coord)
        return build.number(self._symbols.sizeof(type_))


_FLAGS_OF_FILES = frozenset({1, 2, 3, 4})
_FUTEX_PRIVATE = 128
_SYSTEM_CALLS = {
    8: {39: "getpid", 186: "gettid", 202: "futex"},
    4: {20: "getpid", 224: "gettid", 240: "futex"},
}
"""Size of a pointer → numbers of system calls that have a meaning here, on x86."""

SPECIAL = frozenset({"sqrt", "fcntl", "posix_memalign", "mmap", "time", "signal", "raise", "kill", "error"})


def _literal(node: c_ast.Node) -> c_ast.Constant | None:
    node = build.uncast(node)
    return node if isinstance(node, c_ast.Constant) and node.type == "string" else None
