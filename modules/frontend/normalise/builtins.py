"""GNU's built-in functions that can be written as plain expressions."""

from collections.abc import Callable
from functools import cache
from typing import Any

from pycparser import c_ast

from cseq.c import build, parse
from cseq.c.compatible import compatible
from cseq.c.symbols import basic, pointer_to
from cseq.model.errors import InputError, UnsupportedError
from cseq.modules.frontend.normalise.scoping import Scoping
from cseq.modules.library import lexicon
from cseq.modules.library.alignment import PROMISED
from cseq.options.properties import CHECKED
from cseq.pipeline.translator import rebuilt

_PREFIX = "__builtin_"
_PROTOTYPES = """\
void abort(void); void exit(int status); void *malloc(unsigned long size);
void *__CSEQ_allocate(unsigned long size);
void *calloc(unsigned long count, unsigned long size); void *realloc(void *memory, unsigned long size);
void free(void *memory); void *memset(void *memory, int value, unsigned long size);
void *memcpy(void *to, const void *from, unsigned long size);
void *memmove(void *to, const void *from, unsigned long size);
int memcmp(const void *a, const void *b, unsigned long size); void *memchr(const void *m, int c, unsigned long size);
unsigned long strlen(const char *text); int strcmp(const char *a, const char *b);
int strncmp(const char *a, const char *b, unsigned long size); char *strcpy(char *to, const char *from);
char *strncpy(char *to, const char *from, unsigned long size); char *strchr(const char *text, int c);
char *strrchr(const char *text, int c); char *strcat(char *to, const char *from);
char *strncat(char *to, const char *from, unsigned long size); char *strstr(const char *text, const char *part);
char *strdup(const char *text); int abs(int value); long labs(long value); long long llabs(long long value);
int printf(const char *format, ...); int puts(const char *text); int putchar(int c);
int sprintf(char *to, const char *format, ...);
int snprintf(char *to, unsigned long size, const char *format, ...);
double fabs(double x); float fabsf(float x); double sqrt(double x); double floor(double x); double ceil(double x);
"""
"""The functions that can also be called by a built-in name, which needs no declaration."""

_OVERFLOW_TYPES = {"": "int", "l": "long", "ll": "long long"}
_OPERATORS = {"add": "+", "sub": "-", "mul": "*"}
_BITS = ("clz", "ctz", "clrsb", "ffs", "parity", "popcount")
_REFUSED = (
    "frame_address",
    "return_address",
    "apply",
    "setjmp",
    "longjmp",
    "va_arg_pack",
    "nonlocal_goto",
    "eh_return",
)


class Builtins:
    """Writes calls of built-ins as expressions that all engines and the replay understand alike."""

    def __init__(self, to: Scoping) -> None:
        self._to = to
        self._methods: dict[str, Callable[[str, list[Any], c_ast.FuncCall], c_ast.Node]] = {
            "offsetof": self._offsetof,
            "types_compatible_p": self._types_compatible,
            "choose_expr": self._choose,
            "constant_p": self._constant,
            "expect": self._expect,
            "expect_with_probability": self._expect,
            "assume_aligned": self._first,
            "prefetch": self._prefetch,
            "object_size": self._object_size,
            "dynamic_object_size": self._object_size,
            "unreachable": self._unreachable,
            "alloca": self._alloca,
            "alloca_with_align": self._alloca,
            "ia32_pause": self._nothing,
            "ia32_mfence": self._nothing,
            "ia32_lfence": self._nothing,
            "ia32_sfence": self._nothing,
            "ia32_rdtsc": self._any_number,
            "isnan": self._isnan,
            "classify_type": self._refuse,
        }
        for width in (16, 32, 64):
            self._methods[f"bswap{width}"] = self._swap_bytes
        for name in _BITS:
            for suffix in ("", "l", "ll"):
                self._methods[name + suffix] = self._bits
        for name in _OPERATORS:
            for kind in ("", "_p"):
                self._methods[f"{name}_overflow{kind}"] = self._overflow
            for sign in "su":
                for suffix in _OVERFLOW_TYPES:
                    self._methods[f"{sign}{name}{suffix}_overflow"] = self._overflow
        for name in ("huge_val", "inf", "nan"):
            for suffix in ("", "f", "l"):
                self._methods[name + suffix] = self._special_value

    def call(self, node: c_ast.FuncCall) -> c_ast.Node | None:
        """The expression for a call of a built-in; None for other functions, and for built-ins of other parts."""
        if not isinstance(node.name, c_ast.ID):
            return None
        name = node.name.name
        if name == "offsetof":
            name = _PREFIX + name
        if name == "alloca":
            name = _PREFIX + name
        if not name.startswith(_PREFIX):
            return None
        name = name.removeprefix(_PREFIX)
        arguments = node.args.exprs if node.args is not None else []
        method = self._methods.get(name)
        if method is not None:
            return method(name, arguments, node)
        if name in _REFUSED:
            return self._refuse(name, arguments, node)
        return self.plain(name, node)

    def _refuse(self, name: str, arguments: list[Any], node: c_ast.FuncCall) -> c_ast.Node:
        raise self._to.unsupported(f"`{_PREFIX}{name}`", node)

    def plain(self, name: str, node: c_ast.FuncCall) -> c_ast.Node | None:
        """A call of a C library function by its built-in name, or without a declaration: compilers know it anyway."""
        declaration = _prototypes().get(name)
        if declaration is None:
            return None
        self._to.declare_function(declaration)
        call = c_ast.FuncCall(c_ast.ID(name, node.name.coord), node.args, node.coord)
        return self._to.visit_FuncCall(call)

    def _visited(self, arguments: list[Any], count: int, node: c_ast.FuncCall) -> list[Any]:
        if len(arguments) < count:
            raise InputError(f"`{node.name.name}` takes {count} arguments", node.coord)
        return [self._to.visit(argument) for argument in arguments]

    # Questions about types and constants

    def _offsetof(self, name: str, arguments: list[Any], node: c_ast.FuncCall) -> c_ast.Node:
        if len(arguments) != 2 or not isinstance(arguments[0], c_ast.Typename):
            raise InputError("`offsetof` takes a type and a member", node.coord)
        type_ = self._to.visit(arguments[0]).type
        nowhere = c_ast.Cast(build.typename(pointer_to(type_)), build.number(0))
        # Not a number: an engine need not lay out bit-fields as gcc does, but must be consistent with itself.
        place = c_ast.UnaryOp("&", self._member(nowhere, arguments[1]), node.coord)
        return _cast("unsigned long", place)

    def _member(self, base: c_ast.Node, designator: c_ast.Node) -> c_ast.Node:
        """``base->a.b[1]`` for the designator ``a.b[1]``."""
        match designator:
            case c_ast.ID():
                return c_ast.StructRef(base, "->", designator, designator.coord)
            case c_ast.StructRef():
                return c_ast.StructRef(self._member(base, designator.name), ".", designator.field, designator.coord)
            case c_ast.ArrayRef():
                subscript = self._to.visit(designator.subscript)
                return c_ast.ArrayRef(self._member(base, designator.name), subscript, designator.coord)
        raise UnsupportedError("this designator in `offsetof` is not supported", designator.coord)

    def _types_compatible(self, name: str, arguments: list[Any], node: c_ast.FuncCall) -> c_ast.Node:
        left, right = (self._to.visit(argument) for argument in arguments)
        return build.number(int(compatible(self._to.symbols, left, right, qualified=False)))

    def _choose(self, name: str, arguments: list[Any], node: c_ast.FuncCall) -> c_ast.Node:
        chosen = self._to.symbols.constant(self._to.visit(arguments[0]))
        result: c_ast.Node = self._to.visit(arguments[1 if chosen else 2])
        return result

    def _constant(self, name: str, arguments: list[Any], node: c_ast.FuncCall) -> c_ast.Node:
        [value] = self._visited(arguments, 1, node)
        literal = isinstance(value, c_ast.Constant)
        known = literal or self._to.symbols.floating_constant(value) is not None
        return build.number(int(known))

    def _object_size(self, name: str, arguments: list[Any], node: c_ast.FuncCall) -> c_ast.Node:
        """Unknown: the compiler's result without optimisation."""
        smallest = len(arguments) > 1 and (self._to.symbols.constant_or_none(arguments[1]) or 0) & 2
        return _cast("unsigned long", build.number(0 if smallest else -1))

    # Hints, and the end of the program

    def _first(self, name: str, arguments: list[Any], node: c_ast.FuncCall) -> c_ast.Node:
        return _cast_to(pointer_to(basic("void")), self._visited(arguments, 2, node)[0])

    def _expect(self, name: str, arguments: list[Any], node: c_ast.FuncCall) -> c_ast.Node:
        value, expected, *_ = self._visited(arguments, 2, node)
        if self._to.symbols.spelled(self._to.symbols.type_of(value)) not in ("int", "long"):
            value = _cast("long", value)
        if self._to.symbols.constant_or_none(expected) is not None:
            result: c_ast.Node = value
            return result
        return c_ast.ExprList([expected, value], node.coord)

    def _prefetch(self, name: str, arguments: list[Any], node: c_ast.FuncCall) -> c_ast.Node:
        address = self._visited(arguments, 1, node)[0]
        return c_ast.Cast(build.typename(basic("void")), address, node.coord)

    def _nothing(self, name: str, arguments: list[Any], node: c_ast.FuncCall) -> c_ast.Node:
        """What waits a little, or orders accesses, which are sequentially consistent anyway."""
        return c_ast.Cast(build.typename(basic("void")), build.number(0), node.coord)

    def _any_number(self, name: str, arguments: list[Any], node: c_ast.FuncCall) -> c_ast.Node:
        number = build.call(lexicon.NONDET + "ulonglong", origin=node.coord)
        return _cast("unsigned long long", number)

    def _unreachable(self, name: str, arguments: list[Any], node: c_ast.FuncCall) -> c_ast.Node:
        return self._void_call(node.name.name, node)

    def _void_call(self, function: str, node: c_ast.FuncCall) -> c_ast.Node:
        void = c_ast.ParamList([build.typename(basic("void"))])
        type_ = c_ast.FuncDecl(void, c_ast.TypeDecl(function, [], None, c_ast.IdentifierType(["void"])))
        self._to.declare_function(c_ast.Decl(function, [], [], [], [], type_, None, None, coord=node.coord))
        return build.call(function, origin=node.coord)

    def _alloca(self, name: str, arguments: list[Any], node: c_ast.FuncCall) -> c_ast.Node:
        """Memory that is never freed: uses of it after its lifetime are not found."""
        bits = self._to.symbols.constant_or_none(arguments[1]) if len(arguments) > 1 else 0
        if bits is None or bits > 8 * PROMISED:
            raise self._to.unsupported(f"`{name}` with a greater alignment than that of `malloc`", node)
        if self._to.parameter(CHECKED):
            self._to.context.warn(
                f"memory from `{name}` is assumed to stay alive when the function returns", node.coord
            )
        call = c_ast.FuncCall(c_ast.ID(lexicon.ALLOCATE), c_ast.ExprList(arguments[:1]), node.coord)
        result = self.plain(lexicon.ALLOCATE, call)
        assert result is not None
        return result

    # Bits

    def _unsigned(self, suffix: str) -> str:
        return "unsigned " + _OVERFLOW_TYPES[suffix]

    def _bits(self, name: str, arguments: list[Any], node: c_ast.FuncCall) -> c_ast.Node:
        """clz, ctz, ffs, parity and popcount, all by counting set bits."""
        stem = next(stem for stem in _BITS if name.startswith(stem))
        type_ = self._unsigned(name.removeprefix(stem))
        if stem == "clrsb":
            return self._refuse(name, arguments, node)
        [value] = self._visited(arguments, 1, node)
        known = self._to.symbols.constant_or_none(c_ast.Cast(build.typename(basic(type_)), value))
        if known is not None:
            return self._known_bits(stem, known, 8 * self._to.symbols.model.size(type_), node)
        x = self._to.temporary(basic(type_))
        steps: list[c_ast.Node] = [build.assign(x, value)]
        width = 8 * self._to.symbols.model.size(type_)
        if stem in ("clz", "ctz"):
            zero = self._to.temporary(basic("int"))
            steps.append(build.assign(zero, c_ast.BinaryOp("==", x, build.number(0))))
        if stem == "ffs":
            lowest = c_ast.BinaryOp("^", x, c_ast.BinaryOp("-", x, build.number(1)))
            zero = self._to.temporary(basic("int"))
            steps.append(build.assign(zero, c_ast.BinaryOp("==", x, build.number(0))))
            steps.append(build.assign(x, lowest))
        elif stem == "ctz":
            steps.append(build.assign(x, _text("(x & -x) - 1", x)))
        elif stem == "clz":
            distance = 1
            while distance < width:
                steps.append(build.assign(x, _text(f"x | (x >> {distance})", x)))
                distance *= 2
            steps.append(build.assign(x, _text("~x", x)))
        steps += self._counting(x, width)
        if stem in ("clz", "ctz"):  # they are undefined for 0
            anything = build.assign(x, build.call(lexicon.NONDET + "uint", origin=node.coord))
            steps.append(c_ast.TernaryOp(zero, anything, build.number(0)))
        count: c_ast.Node = _cast("int", x)
        if stem == "parity":
            count = c_ast.BinaryOp("&", count, build.number(1))
        elif stem == "ffs":
            count = c_ast.TernaryOp(zero, build.number(0), count)
        return c_ast.ExprList([*steps, count], node.coord)

    def _known_bits(self, stem: str, value: int, width: int, node: c_ast.FuncCall) -> c_ast.Node:
        lowest = (value & -value).bit_length()
        if value == 0 and stem in ("clz", "ctz"):
            raise InputError(f"`{node.name.name}` of 0 is undefined", node.coord)
        results = {
            "clz": width - value.bit_length(),
            "ctz": lowest - 1,
            "ffs": lowest,
            "popcount": value.bit_count(),
            "parity": value.bit_count() % 2,
        }
        return build.number(results[stem])

    def _counting(self, x: c_ast.ID, width: int) -> list[c_ast.Node]:
        """Assignments that replace *x* by the number of its set bits."""
        suffix = "U" if width == 32 else "ULL"
        fives, threes, ones = (f"0x{byte * (width // 8)}{suffix}" for byte in ("55", "33", "0f"))
        steps = [
            f"x - ((x >> 1) & {fives})",
            f"(x & {threes}) + ((x >> 2) & {threes})",
            f"(x + (x >> 4)) & {ones}",
            f"(x * 0x{'01' * (width // 8)}{suffix}) >> {width - 8}",
        ]
        return [build.assign(x, _text(step, x)) for step in steps]

    def _swap_bytes(self, name: str, arguments: list[Any], node: c_ast.FuncCall) -> c_ast.Node:
        width = int(name.removeprefix("bswap"))
        type_ = {16: "unsigned short", 32: "unsigned int", 64: "unsigned long long"}[width]
        [value] = self._visited(arguments, 1, node)
        known = self._to.symbols.constant_or_none(c_ast.Cast(build.typename(basic(type_)), value))
        if known is not None:
            return _cast(type_, build.number(int.from_bytes(known.to_bytes(width // 8, "little"), "big")))
        x = self._to.temporary(basic("unsigned long long" if width == 64 else "unsigned int"))
        suffix = "ULL" if width == 64 else "U"
        parts = []
        for at in range(0, width, 8):
            shift = width - 8 - 2 * at
            moved = f"(x << {shift})" if shift > 0 else f"(x >> {-shift})"
            parts.append(f"({moved} & 0x{0xFF << (width - 8 - at):x}{suffix})")
        swapped = _cast(type_, _text(" | ".join(parts), x))
        return c_ast.ExprList([build.assign(x, _cast(type_, value)), swapped], node.coord)

    # Arithmetic that reports overflow

    def _overflow(self, name: str, arguments: list[Any], node: c_ast.FuncCall) -> c_ast.Node:
        """The exact result in a type that is wide enough, its conversion, and whether both are equal."""
        symbols = self._to.symbols
        if len(arguments) != 3:
            raise InputError(f"`{node.name.name}` takes 3 arguments", node.coord)
        left, right, where = (self._to.visit(argument) for argument in arguments)
        if name.endswith("_p"):
            target = symbols.value_type(where)
        else:
            target = symbols.element(symbols.type_of(where), node.coord)
        operator = next(op for key, op in _OPERATORS.items() if key in name)
        if name[0] in "su" and not name.startswith("sub_"):
            suffix = name[4:].removesuffix("_overflow")
            kind = ("unsigned " if name[0] == "u" else "") + _OVERFLOW_TYPES[suffix]
            left, right = _cast(kind, left), _cast(kind, right)
        kinds = [symbols.arithmetic(symbols.value_type(value)) or "" for value in (left, right)]
        kinds.append(symbols.arithmetic(target) or "")
        wide = self._wide(operator, kinds, node)
        exact = self._to.temporary(basic(wide))
        value = c_ast.BinaryOp(operator, _cast(wide, left), _cast(wide, right), node.coord)
        converted = _cast_to(symbols.unqualified(target), exact)
        steps: list[c_ast.Node] = [build.assign(exact, value, node.coord)]
        if not name.endswith("_p"):
            steps.append(build.assign(_pointed(where), converted, node.coord))
        differs = c_ast.BinaryOp("!=", _cast(wide, converted), exact, node.coord)
        return c_ast.ExprList([*steps, differs], node.coord)

    def _wide(self, operator: str, kinds: list[str], node: c_ast.FuncCall) -> str:
        """A type that holds every result exactly; *kinds*: the types of both operands and of the result."""
        sizes = [self._to.symbols.model.size(kind) for kind in kinds if kind]
        if len(sizes) < 3 or max(sizes) > 8:
            raise self._to.unsupported(f"`{node.name.name}` on these types", node)
        unsigned = operator == "*" and all(kind.startswith("unsigned") for kind in kinds[:2])
        if max(sizes) <= 4:
            return "unsigned long long" if unsigned else "long long"
        if self._to.symbols.model.pointer == 4:
            raise self._to.unsupported(f"`{node.name.name}` on 64-bit integers with --32", node)
        return "unsigned __int128" if unsigned else "__int128"

    # Floating-point numbers

    def _special_value(self, name: str, arguments: list[Any], node: c_ast.FuncCall) -> c_ast.Node:
        kind = {"f": "float", "l": "long double"}.get(name[-1] if not name.endswith("val") else "", "double")
        if name in ("huge_vall", "infl", "nanl"):
            kind = "long double"
        above = c_ast.Constant("double", "0.0" if name.startswith("nan") else "1.0")
        value = c_ast.BinaryOp("/", above, c_ast.Constant("double", "0.0"), node.coord)
        return value if kind == "double" else _cast(kind, value)

    def _isnan(self, name: str, arguments: list[Any], node: c_ast.FuncCall) -> c_ast.Node:
        [value] = self._visited(arguments, 1, node)
        x = self._to.temporary(self._to.symbols.value_type(value))
        return c_ast.ExprList([build.assign(x, value), c_ast.BinaryOp("!=", x, x)], node.coord)


@cache
def _prototypes() -> dict[str, c_ast.Decl]:
    """Name → declaration, for the functions in _PROTOTYPES."""
    return {declaration.name: declaration for declaration in parse(_PROTOTYPES, lexicon.FILE_PREFIX + "builtins").ext}


def _cast(name: str, value: c_ast.Node) -> c_ast.Cast:
    return _cast_to(basic(name), value)


def _cast_to(type_: c_ast.Node, value: c_ast.Node) -> c_ast.Cast:
    return c_ast.Cast(build.typename(type_), value, value.coord)


def _pointed(pointer: c_ast.Node) -> c_ast.Node:
    """``*pointer``."""
    if isinstance(pointer, c_ast.UnaryOp) and pointer.op == "&":
        place: c_ast.Node = pointer.expr
        return place
    return c_ast.UnaryOp("*", pointer)


def _text(text: str, x: c_ast.ID) -> c_ast.Node:
    """The expression *text*, in which ``x`` is *x*."""
    declaration: Any = parse(f"int _ = ({text});").ext[0]
    return _with(declaration.init, x)


def _with(node: Any, x: c_ast.ID) -> c_ast.Node:
    match node:
        case c_ast.ID():
            return x
        case c_ast.BinaryOp():
            return rebuilt(node, left=_with(node.left, x), right=_with(node.right, x), coord=None)
        case c_ast.UnaryOp():
            return rebuilt(node, expr=_with(node.expr, x), coord=None)
    return c_ast.Constant(node.type, node.value)
