"""The memory of a program as variables of a transition system: scalars, and arrays of scalars.

A struct is as many variables as it has scalars, and an array of structs as many arrays. A *spot* is a part of an
object: the object's name, the members that lead to the part, and an index, which counts the elements of all arrays on
the way (row by row). Pointers to spots are numbers: each object, with the members that lead into it, has a range.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, field
from math import prod
from typing import Any

from pycparser import c_ast

from cseq.c.constants import FLOATING
from cseq.c.symbols import Symbols
from cseq.model.origin import Origin
from cseq.modules.analysis.threadlocals import is_thread_local
from cseq.modules.deductive import transitions as ts
from cseq.modules.deductive.encode.inexpressible import refused
from cseq.modules.deductive.encode.unbounded import COUNTS, GENERATION, HELD
from cseq.modules.ir.expressions import Expr, Place, Read
from cseq.modules.ir.types import Field
from cseq.pipeline.translator import user_name

_APART = 1 << 24
"""How far the ranges of two objects are apart: arithmetic with pointers into one does not lead into another."""
_HANDLES = frozenset({"pthread_t", "thrd_t"})
_IDENTIFIERS = _HANDLES | {"pthread_once_t", "once_flag"}
"""Types whose values are the number of a thread plus one."""
_NUMBERS = COUNTS | {"__cs_owner", "__cs_writer", HELD}
"""Members that are numbers of threads, or the number of one plus one; there are any number of threads."""
OPAQUE = ts.Scalar(64, False)
"""The type of what stands for a floating-point number, about which nothing is known."""

Path = tuple[str, ...]


@dataclass(frozen=True)
class Spot:
    """A part of an object. type: its C type. index: None if no array is on the way."""

    root: str
    path: Path
    index: ts.Expression | None
    type: c_ast.Node = field(compare=False, hash=False)


class Cells:
    """The variables of a system, as they are asked for.

    shared_locals: locals that other threads can reach through a pointer.
    """

    def __init__(self, symbols: Symbols) -> None:
        self._symbols = symbols
        self._variables: dict[tuple[str | None, str, Path], ts.Variable] = {}
        self._names: set[str] = set()
        self._ranges: dict[tuple[str | None, str, Path], int] = {}
        self._fresh = 0
        self.shared_locals: set[str] = set()
        self.zero: dict[str, dict[ts.Variable, None]] = {}  # locals of templates that are 0 at first
        self.ghosts: list[ts.Variable] = []  # those that are shared; they are 0 at first
        self.origins: dict[ts.Variable, tuple[str, Path]] = {}  # what each variable is of

    # Types

    def scalar(self, type_: c_ast.Node, origin: Origin | None = None) -> ts.Scalar:
        """The type of the values of a scalar C type."""
        symbols = self._symbols
        if self._is_one_of(type_, _IDENTIFIERS):
            return ts.UNBOUNDED
        if symbols.is_pointer(type_):
            return ts.Address.POINTER
        kind = symbols.arithmetic(type_)
        if kind in FLOATING:
            return OPAQUE
        if kind is None or kind == "void" or "int128" in kind:
            raise refused(f"a value of the type `{kind or 'struct or union'}`", origin)
        if kind == "_Bool":
            return ts.BOOL
        return ts.Scalar(8 * symbols.model.size(kind), not kind.startswith("unsigned"))

    def is_handle(self, type_: c_ast.Node | None) -> bool:
        """Whether *type_* is that of the identifiers by which threads are joined."""
        return type_ is not None and self._is_one_of(type_, _HANDLES)

    def declared(self, place: Place) -> c_ast.Node | None:
        """The type with which *place* is declared, if that is known."""
        if place.parent is not None:
            around, last = self.declared(place.parent), place.path[-1]
            if around is None or not isinstance(last, Field):
                return None if around is None else self.row(around)
            member: c_ast.Node = self._symbols.member(around, last.name).type
            return member
        if not isinstance(place.base, Expr):
            return self._symbols.types.get(place.base.name)
        pointer = self.declared(place.base.place) if isinstance(place.base, Read) else None
        return None if pointer is None else self.row(pointer)

    def _is_one_of(self, type_: c_ast.Node, names: Collection[str]) -> bool:
        while isinstance(type_, c_ast.TypeDecl) and isinstance(type_.type, c_ast.IdentifierType):
            name = type_.type.names[-1]
            if name in names:
                return True
            if len(type_.type.names) != 1 or name not in self._symbols.typedefs:
                return False
            type_ = self._symbols.typedefs[name]
        return False

    def dimensions(self, type_: c_ast.Node) -> list[int]:
        """The lengths of the arrays that the type *type_* begins with."""
        found = []
        type_ = self._symbols.resolve(type_)
        while isinstance(type_, c_ast.ArrayDecl):
            if self._symbols.is_variable(type_):
                raise refused("an array whose length is not constant", type_.coord)
            found.append(self._symbols.length(type_))
            type_ = self._symbols.resolve(type_.type)
        return found

    def element_type(self, type_: c_ast.Node) -> c_ast.Node:
        """*type_* without the arrays that it begins with."""
        resolved = self._symbols.resolve(type_)
        while isinstance(resolved, c_ast.ArrayDecl):
            type_ = resolved.type
            resolved = self._symbols.resolve(type_)
        return type_

    def type_of(self, root: str) -> c_ast.Node:
        """The type of the object *root*."""
        return self._symbols.types[root]

    def row(self, array: c_ast.Node) -> c_ast.Node:
        """The type of an element of the array type *array*, or of what a pointer of that type leads to."""
        resolved: Any = self._symbols.resolve(array)
        element: c_ast.Node = resolved.type
        return element

    def has_handles(self, type_: c_ast.Node) -> bool:
        """Whether there are identifiers of threads in an object of *type_*."""
        element = self.element_type(type_)
        if self._symbols.record(element) is None:
            return self.is_handle(element)
        return any(self.has_handles(member.type) for member in self._symbols.members_of(element))

    def around(self, root: str, path: Path) -> tuple[list[int], c_ast.Node]:
        """The lengths of all arrays from the object *root* to its part *path*, and the type of an element there."""
        type_ = self._symbols.types[root]
        lengths = self.dimensions(type_)
        type_ = self.element_type(type_)
        for name in path:
            member = self.member(type_, name)
            lengths += self.dimensions(member)
            type_ = self.element_type(member)
        return lengths, type_

    def member(self, record: c_ast.Node, name: str, origin: Origin | None = None) -> c_ast.Node:
        """The type of the member *name* of a struct."""
        definition = self._symbols.record(record)
        if definition is None or isinstance(definition, c_ast.Union):
            raise refused("a union", origin)
        member = self._symbols.member(record, name, origin)
        if member.bitsize is not None:
            raise refused(f"the bit-field `{name}`", origin)
        if all(part[0] != name for part in self._symbols.parts(definition)):
            raise refused(f"the member `{name}` of an anonymous struct or union", origin)
        declared: c_ast.Node = member.type
        return declared

    def leaves(self, type_: c_ast.Node, path: Path = ()) -> list[Path]:
        """The paths of the scalars in an object of *type_*."""
        element = self.element_type(type_)
        record = self._symbols.record(element)
        if record is None:
            return [path]
        if isinstance(record, c_ast.Union):
            raise refused("a union", record.coord)
        found = []
        for name, inner, _ in self._symbols.parts(record):
            if name is None:
                raise refused("an anonymous struct or union", record.coord)
            found += self.leaves(inner, (*path, name))
        return found

    # Variables

    def is_own(self, name: str) -> bool:
        """Whether each thread has its own object *name*."""
        own = name in self._symbols.locals or is_thread_local(self._symbols.qualified.get(name))
        return own and name not in self.shared_locals

    def variable(self, template: str, root: str, path: Path = ()) -> ts.Variable:
        """The variable that is the part *path* of the object *root* of a thread of *template*."""
        private = self.is_own(root) or path[-1:] == (HELD,)
        key = (template if private else None, root, path)
        found = self._variables.get(key)
        if found is None:
            lengths, type_ = self.around(root, path)
            number = path[-1] in _NUMBERS if path else root == GENERATION
            scalar = ts.UNBOUNDED if number else self.scalar(type_)
            user = user_name(root)
            shown = ".".join((user, *path)) if user is not None and path[:1] != ("__cs_state",) else None
            name = ".".join(part for part in (*((template,) if private else ()), root, *path) if part)
            found = ts.Variable(
                self._named(name),
                ts.Array(scalar, prod(lengths)) if lengths else scalar,
                shown if shown is None or "__cs_" not in shown else None,
                template if private else None,
            )
            self._variables[key] = found
            if path[-1:] == (HELD,):
                self.zero.setdefault(template, {})[found] = None
            self.origins[found] = (root, path)
        return found

    def ghost(self, name: str, type_: ts.Scalar | ts.Array, template: str | None = None) -> ts.Variable:
        """A variable of ours; the same one for the same name."""
        key = (template, f"ghost {name}", ())
        found = self._variables.get(key)
        if found is None:
            called = self._named(f"{template}.{name}" if template else f"cs.{name}")
            found = self._variables[key] = ts.Variable(called, type_, None, template)
            if template is None:
                self.ghosts.append(found)
        return found

    def fresh(self, type_: ts.Scalar, template: str) -> ts.Variable:
        """A new local variable."""
        self._fresh += 1
        return self.ghost(f"any{self._fresh}", type_, template)

    def live(self, target: ts.Read | ts.Element) -> ts.Read | ts.Element:
        """Whether the thread was neither joined nor detached yet whose identifier `pthread_create` stored in *target*.

        It is not live any more when something else is stored there.
        """
        variable = target.variable if isinstance(target, ts.Read) else target.array
        # Main's need an initial value, so they are shared: main is there from the beginning.
        template = None if variable.template == "main" else variable.template
        shape = ts.Array(ts.BOOL, variable.type.length) if isinstance(variable.type, ts.Array) else ts.BOOL
        ghost = self.ghost(f"live.{variable.name}", shape, template)
        if template is not None:
            self.zero.setdefault(template, {})[ghost] = None
        return ts.Read(ghost) if isinstance(target, ts.Read) else ts.Element(ghost, target.index)

    def _named(self, wanted: str) -> str:
        name = base = re.sub(r"[^A-Za-z0-9_.]", "_", f"v.{wanted}")
        number = 1
        while name in self._names:
            number += 1
            name = f"{base}.{number}"
        self._names.add(name)
        return name

    def all(self) -> list[ts.Variable]:
        """The scalar variables."""
        return [one for one in self._variables.values() if isinstance(one.type, ts.Scalar)]

    def shared_roots(self) -> set[str]:
        """The locals that are shared, of those that were asked for."""
        return {root for root, _ in self.origins.values() if root in self.shared_locals}

    # Places

    def reference(self, template: str, spot: Spot) -> ts.Read | ts.Element:
        """The variable, or element of an array, that is the scalar at *spot*."""
        variable = self.variable(template, spot.root, spot.path)
        if isinstance(variable.type, ts.Array):
            return ts.Element(variable, spot.index if spot.index is not None else ts.Number(0))
        return ts.Read(variable)

    def base(self, template: str, root: str, path: Path) -> int:
        """Where the range of addresses of a part of an object begins."""
        key = (template if self.is_own(root) else None, root, path)
        return self._ranges.setdefault(key, (len(self._ranges) + 1) * _APART)

    def of_function(self, name: str) -> int:
        """The number of a function as a pointer."""
        return self._ranges.setdefault((None, f"function {name}", ()), (len(self._ranges) + 1) * _APART)
