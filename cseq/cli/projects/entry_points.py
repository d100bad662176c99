"""A library as a program: any number of threads call its functions, in any order, with valid arguments.

The program is C text, so the front end and all engines read it. Each file gets a function that calls one of its own
functions. Structures to which arguments point come from arrays that all threads know, so any two calls may be given the
same one. Before there are threads, their members get any values; pointers in them lead to such structures or nowhere,
and locks are initialised. Other memory that an argument points to belongs to the caller: a new block for each call.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pycparser import c_ast

from cseq.c import Printer, build
from cseq.c.reading import File
from cseq.c.symbols import ILP32, LP64, Symbols
from cseq.cli.projects.project_tasks import INPUTS, call, declarations, quoted
from cseq.model.errors import UsageError
from cseq.model.sharing import DRIVER

ALL = "all"
"""What stands for all functions that other files may call."""

_OBJECTS = "CSEQ_OBJECTS"
"""The macro for the number of structures of each type."""

FEW, MANY = 2, 1000
"""How many there are for a search, and for the analysis, which does not depend on the number."""

_TEXT = 16
"""The length of blocks that belong to the caller: elements, or characters with the end of the string."""

_INITIALISED = {
    "pthread_mutex_t": "pthread_mutex_init(&{}, 0);", "pthread_cond_t": "pthread_cond_init(&{}, 0);",
    "pthread_rwlock_t": "pthread_rwlock_init(&{}, 0);", "pthread_spinlock_t": "pthread_spin_init(&{}, 0);",
    "sem_t": "sem_init(&{}, 0, __VERIFIER_nondet_uint());", "mtx_t": "mtx_init(&{}, 0);", "cnd_t": "cnd_init(&{});",
}  # fmt: skip
_LEFT = frozenset({"pthread_once_t", "pthread_t", "pthread_key_t", "once_flag", "thrd_t", "tss_t"})
"""Types of the library whose objects keep the value 0."""

_OPAQUE = frozenset({"pthread_barrier_t", "FILE", "va_list", "__builtin_va_list", "pthread_attr_t"})


_SHORT = 32
"""The bits of a pointer in the smaller data model."""


class _CannotError(Exception):
    """There is no valid argument that can be made; the message says why."""


@dataclass(frozen=True)
class Unit:
    """A file of the library. words: the flags of the preprocessor."""

    path: str
    words: tuple[str, ...] = ()


@dataclass(frozen=True)
class Library:
    """The program. texts: of its files, in the order of the units, and of one more. called: the functions.

    left_out: those that cannot be called, with the reason.
    """

    texts: tuple[str, ...]
    called: tuple[str, ...]
    left_out: tuple[tuple[str, str], ...]


def library(units: Sequence[Unit], wanted: Sequence[str], bits: int, objects: int) -> Library:
    """The library of the *units* as a program.

    wanted: the functions, or `ALL`. bits: the data model. objects: how many structures of each type there are.
    Raises UsageError for a function that is not there, or cannot be called although it is named.
    """
    pools: dict[str, str] = {}
    drivers = [_Driver(number, unit, bits, pools) for number, unit in enumerate(units)]
    every = {name: driver for driver in drivers for name in driver.exported}
    names = list(every) if list(wanted) == [ALL] else list(dict.fromkeys(wanted))
    left: list[tuple[str, str]] = []
    for name in names:
        if name not in every:
            raise UsageError(f"--entries: no file defines a function `{name}` that others may call")
        why = every[name].add(name)
        if why and list(wanted) != [ALL]:
            raise UsageError(f"--entries: `{name}` cannot be called: {why}")
        if why:
            left.append((name, why))
    called = [name for driver in drivers for name in driver.called]
    if not called:
        raise UsageError("--entries: there is no function that can be called")
    head = f"#define {_OBJECTS} {objects}\n"
    return Library(
        (*(head + driver.text() for driver in drivers), _main([each.number for each in drivers if each.called])),
        tuple(called),
        tuple(left),
    )


def _main(numbers: Sequence[int]) -> str:
    """The text of main and of the threads."""
    cases = " ".join(f"case {number}: any_call_{number}(); break;" for number in numbers)
    return "\n".join(
        [
            "#include <pthread.h>",
            *declarations(["int"]),
            *(f"void any_call_{number}(void); void any_contents_{number}(void);" for number in numbers),
            f"static void *any_thread(void *unused) {{ while ({call('int')}()) switch ({call('int')}()) {{ {cases} }}",
            "return unused; }",
            f"int main(void) {{ {' '.join(f'any_contents_{number}();' for number in numbers)}",
            f"while ({call('int')}()) {{ pthread_t thread; pthread_create(&thread, 0, any_thread, 0); }} return 0; }}",
            "",
        ]
    )


@dataclass
class _Driver:
    """What calls the functions of one file. pools: the arrays of structures of all files, by type."""

    number: int
    unit: Unit
    bits: int
    pools: dict[str, str]
    called: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._text = Path(self.unit.path).read_text(encoding="utf-8", errors="surrogateescape")
        tree = File(Path(self.unit.path), bits=self.bits, flags=self.unit.words).parsed()
        self._symbols = Symbols(tree, ILP32 if self.bits == _SHORT else LP64)
        definitions = [node for node in tree.ext if isinstance(node, c_ast.FuncDef)]
        self._has_main = any(node.decl.name == "main" for node in definitions)
        self.exported = {
            node.decl.name: node for node in definitions
            if "static" not in node.decl.storage and node.decl.name != "main" and self._is_own(node)
        }  # fmt: skip
        self._known: dict[str, None] = {}
        self._cases: list[str] = []
        self._contents: list[str] = []

    def _is_own(self, node: c_ast.FuncDef) -> bool:
        """Whether a function is defined in the file itself, rather than in a header."""
        return Path(node.decl.coord.file).name == Path(self.unit.path).name

    def add(self, name: str) -> str:
        """Call a function; returns why that is not possible, or nothing."""
        function = self.exported[name]
        parameters = function.decl.type.args.params if function.decl.type.args is not None else []
        lines: list[str] = []
        arguments: list[str] = []
        try:
            for number, parameter in enumerate(parameters):
                if isinstance(parameter, c_ast.EllipsisParam):
                    raise _CannotError("it has any number of arguments")
                if self._symbols.is_void(parameter.type):
                    continue
                if not isinstance(parameter, (c_ast.Decl, c_ast.Typename)):
                    raise _CannotError("its parameters have no types")
                arguments.append(self._argument(f"a{number}", parameter.type, lines))
        except _CannotError as error:
            return str(error)
        self.called.append(name)
        case = f"case {len(self._cases)}: {{ {' '.join(lines)} {name}({', '.join(arguments)}); break; }}"
        self._cases.append(case)
        return ""

    # Arguments

    def _argument(self, name: str, type_: Any, lines: list[str]) -> str:
        """An expression for an argument. lines: the statements that it needs."""
        symbols = self._symbols
        number = self._number(type_)
        if number:
            return number
        if not symbols.is_pointer(type_):
            record = symbols.record(type_)
            if record is None or not self._is_plain(type_):
                raise _CannotError("a structure with pointers, or a type that is not known, is an argument by value")
            lines.append(f"{self._declared(name, type_)};")
            return name
        target = self._target(type_)
        if self._pooled(target):
            return self._element(target)
        lines.append(f"{self._declared(f'*{name}', target)} = malloc({_TEXT} * sizeof *{name});"
                     if not symbols.is_void(target) else f"void *{name} = malloc({_TEXT} * 8);")  # fmt: skip
        if symbols.arithmetic(target) in ("char", "signed char", "unsigned char"):
            lines.append(f"{name}[{_TEXT - 1}] = 0;")
        elif symbols.is_pointer(target):
            lines.append(f"{name}[0] = {self._pointer(target)};")
        return name

    def _target(self, type_: Any) -> Any:
        target = self._symbols.unqualified(self._symbols.element(type_))
        if isinstance(self._symbols.resolve(target), c_ast.FuncDecl):
            raise _CannotError("it needs a pointer to a function")
        return target

    def _pointer(self, type_: Any) -> str:
        """An expression for a pointer in memory: to a structure, to a new block, or nowhere."""
        target = self._target(type_)
        inside = f"(void *) &{self._element(target)[1:]}" if self._pooled(target) else f"malloc({_TEXT} * 8)"
        return f"{call('int')}() ? {inside} : (void *) 0"

    def _element(self, target: Any) -> str:
        return f"&{self._pool(target)}[{call('uint')}() % {_OBJECTS}]"

    def _number(self, type_: Any) -> str:
        """A number of any value; empty for types that are none."""
        kind = self._symbols.arithmetic(type_)
        return f"{call(INPUTS[kind])}()" if kind in INPUTS else ""

    def _declared(self, name: str, type_: Any) -> str:
        plain = self._symbols.unqualified(type_)
        pointer = name.startswith("*")
        made = c_ast.PtrDecl([], build.renamed(plain, name.lstrip("*"))) if pointer else plain
        return str(Printer().visit(build.declare(name.lstrip("*"), made)))

    # Structures that are shared

    def _library_type(self, type_: Any) -> str:
        """The name of a type of the library, through other names for it; empty if it is none."""
        while isinstance(type_, c_ast.TypeDecl) and isinstance(type_.type, c_ast.IdentifierType):
            (name, *_) = type_.type.names
            if name in _INITIALISED or name in _LEFT or name in _OPAQUE:
                return str(name)
            if name not in self._symbols.typedefs:
                return ""
            type_ = self._symbols.typedefs[name]
        return ""

    def _pooled(self, target: Any) -> bool:
        """Whether what a pointer leads to is shared: structures, and objects of the thread library."""
        library = self._library_type(target)
        if library in _OPAQUE:
            raise _CannotError(f"it needs a `{library}`")
        return bool(library) or self._symbols.record(target) is not None

    def _named(self, type_: Any) -> str:
        """How a structure is declared."""
        library = self._library_type(type_)
        if library:
            return library
        record: Any = self._symbols.record(type_)
        if record.decls is None:
            raise _CannotError(f"`struct {record.name}` is not known in {self.unit.path}")
        if record.name:
            return f"{type(record).__name__.lower()} {record.name}"
        if isinstance(type_, c_ast.TypeDecl) and isinstance(type_.type, c_ast.IdentifierType):
            return " ".join(type_.type.names)
        raise _CannotError("it needs a structure without a name")

    def _pool(self, type_: Any) -> str:
        """The name of the array of the structures of a type."""
        text = self._named(type_)
        name = f"any_{text.split()[-1]}"
        if text in self._known:
            return name
        self._known[text] = None
        if text in self.pools:
            return name
        index = f"i{len(self.pools)}"
        try:
            self.pools[text] = f"{self.number}"
            filled = list(self._filled(f"{name}[{index}]", type_, 1))
        except _CannotError:
            del self.pools[text], self._known[text]
            raise
        loop = f"for (unsigned {index} = 0; {index} < {_OBJECTS}; {index}++)"
        self._contents.append(f"{loop} {{ {' '.join(filled)} }}")
        return name

    def _filled(self, place: str, type_: Any, depth: int) -> Iterator[str]:
        """Statements that give an object any valid contents."""
        symbols = self._symbols
        library = self._library_type(type_)
        number = self._number(type_)
        if library in _OPAQUE:
            raise _CannotError(f"it needs a `{library}`")
        if library in _INITIALISED:
            yield _INITIALISED[library].format(place)
        elif library:
            return
        elif symbols.is_const(type_):
            raise _CannotError("it needs a structure with a constant member")
        elif number:
            yield f"{place} = {number};"
        elif symbols.is_array(type_):
            array: Any = symbols.resolve(type_)
            length = symbols.constant_or_none(array.dim) if array.dim is not None else 0
            if length is None:
                raise _CannotError("it needs an array of unknown length")
            inner = list(self._filled(f"{place}[k{depth}]", symbols.element(type_), depth + 1))
            if inner and length:
                yield f"for (unsigned k{depth} = 0; k{depth} < {length}; k{depth}++) {{ {' '.join(inner)} }}"
        elif symbols.is_pointer(type_):
            yield f"{place} = {self._pointer(type_)};"
        else:
            yield from self._members(place, type_, depth)

    def _members(self, place: str, type_: Any, depth: int) -> Iterator[str]:
        record = self._symbols.record(type_)
        if record is None or getattr(record, "decls", None) is None:
            raise _CannotError("it needs an object of a type that is not known")
        if isinstance(record, c_ast.Union):
            if not self._is_plain(type_):
                raise _CannotError("it needs a union with pointers or locks")
            for member in self._symbols.members(record):
                filled = " ".join(self._filled(f"{place}.{member.name}", member.type, depth))
                yield f"if ({call('int')}()) {{ {filled} }}"
            return
        for member in self._symbols.members(record):
            yield from self._filled(f"{place}.{member.name}", member.type, depth)

    def _is_plain(self, type_: Any) -> bool:
        """Whether there are only numbers in a type."""
        if self._number(type_):
            return not self._library_type(type_)
        if self._symbols.is_array(type_):
            return self._is_plain(self._symbols.element(type_))
        record = self._symbols.record(type_)
        return record is not None and not self._library_type(type_) and all(
            self._is_plain(member.type) for member in self._symbols.members(record)
        )  # fmt: skip

    # The text

    def text(self) -> str:
        """The file, and what calls its functions."""
        name, driver = self.unit.path, f"{DRIVER}_{self.number}.c"
        lines = [f'#line 1 "{quoted(name)}"', self._text, f'#line 1 "{driver}"']
        if self._has_main:
            lines = ["#define main cseq_other_main", *lines, "#undef main"]
        if not self.called:
            return "\n".join([*lines, ""])
        lines += ["#include <pthread.h>", "#include <semaphore.h>", "extern void *malloc(__SIZE_TYPE__);"]
        lines += [line for each in dict.fromkeys(INPUTS.values()) for line in declarations([each])]
        for text in self._known:
            storage = "" if self.pools[text] == str(self.number) else "extern "
            lines.append(f"{storage}{text} any_{text.split()[-1]}[{_OBJECTS}];")
        lines.append(f"void any_contents_{self.number}(void) {{ {' '.join(self._contents)} }}")
        lines.append(f"void any_call_{self.number}(void) {{ switch ({call('int')}()) {{ {' '.join(self._cases)} }} }}")
        return "\n".join([*lines, ""])
