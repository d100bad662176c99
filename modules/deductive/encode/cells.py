"""The memory of a program as variables of a transition system: scalars, and arrays of scalars.

A struct is as many variables as it has scalars, and an array of structs as many arrays. A *spot* is a part of an
object: the object's name, the members that lead to the part, and an index, which counts the elements of all arrays on
the way (row by row). Pointers to spots are numbers: each object, with the members that lead into it, has a range.
"""

import re
from dataclasses import dataclass, field
from math import prod
from typing import Any

from pycparser import c_ast

from cseq.c.symbols import Symbols
from cseq.model.origin import Origin
from cseq.modules.analysis.threadlocals import is_thread_local
from cseq.modules.deductive import transitions as ts
from cseq.modules.deductive.encode.algebra import apply, choose, conjunction, convert, disjunction, equal, negation
from cseq.modules.deductive.encode.inexpressible import refused
from cseq.modules.deductive.encode.unbounded import COUNTS, GENERATION, HELD
from cseq.modules.ir.expressions import Place, Read
from cseq.modules.ir.objects import Object
from cseq.modules.ir.program import Program, Template
from cseq.modules.ir.types import Array, Field, Float, Int, Pointer, Record, Type, without_arrays
from cseq.pipeline.translator import user_name

_APART = 1 << 24
"""How far the ranges of two objects are apart: arithmetic with pointers into one does not lead into another."""
_HANDLES = frozenset({"pthread_t", "thrd_t"})
_IDENTIFIERS = _HANDLES | {"pthread_once_t", "once_flag"}
"""Types whose values are the number of a thread plus one."""
_MOST_LIVE = 4
"""The maximum length of an array of identifiers of which it is known for each whether its thread is live."""
_NUMBERS = COUNTS | {"__cs_owner", "__cs_writer", HELD}
"""Members that are numbers of threads, or the number of one plus one; there are any number of threads."""
OPAQUE = ts.Scalar(64, False)
"""The type of what stands for a floating-point number, about which nothing is known."""

Path = tuple[Field, ...]


@dataclass(frozen=True)
class Spot:
    """A part of an object. index: None if no array is on the way."""

    root: Object
    path: Path
    index: ts.Expression | None
    type: Type = field(compare=False, hash=False)


def scalar(type_: Type, origin: Origin | None = None) -> ts.Scalar:
    """The type of the values of the scalar type *type_*, where they are no numbers of threads."""
    match type_:
        case Pointer():
            return ts.Address.POINTER
        case Float():
            return OPAQUE
        case Int(width, signed) if width <= OPAQUE.width:
            return ts.Scalar(width, signed)
    raise refused(f"a value of the type `{'__int128' if isinstance(type_, Int) else 'struct or union'}`", origin)


def dimensions(type_: Type) -> list[int]:
    """The lengths of the arrays that the type *type_* begins with."""
    found = []
    while isinstance(type_, Array):
        if type_.length is None:
            raise refused("an array whose length is not constant")
        found.append(type_.length)
        type_ = type_.element
    return found


def check_member(member: Field, origin: Origin | None = None) -> None:
    """Refuse members that share their bytes with others."""
    if member.bits is not None:
        raise refused(f"the bit-field `{member.name}`", origin)
    end = member.offset + member.type.size
    others = (each for each in member.record.fields.values() if each is not member)
    if member.record.is_union or any(
        member.offset < each.offset + each.type.size and each.offset < end for each in others
    ):
        raise refused("a union", origin)


def leaves(type_: Type, path: Path = ()) -> list[Path]:
    """The paths of the scalars in an object of *type_*."""
    element = without_arrays(type_)
    if not isinstance(element, Record):
        return [path]
    if element.is_union:
        raise refused("a union")
    return [leaf for member in element.fields.values() for leaf in leaves(member.type, (*path, member))]


def _is_long(target: ts.Read | ts.Element) -> bool:
    """Whether *target* is an element of an array with too many to know of each of them whether it is live."""
    array = target.array.type if isinstance(target, ts.Element) else None
    return isinstance(array, ts.Array) and array.length > _MOST_LIVE


class Cells:
    """The variables of a system, as they are asked for.

    objects: by name, the first of those that share one. shared_locals: locals that other threads can reach through a
    pointer.
    """

    def __init__(self, program: Program, symbols: Symbols) -> None:
        self._symbols = symbols
        self.objects = {each.name: each for each in reversed(program.objects)}
        self._variables: dict[tuple[str | None, str, tuple[str, ...]], ts.Variable] = {}
        self._names: set[str] = set()
        self._ranges: dict[tuple[str | None, str, tuple[str, ...]], int] = {}
        self._fresh = 0
        self.shared_locals: set[str] = set()
        self.zero: dict[str, dict[ts.Variable, None]] = {}  # locals of templates that are 0 at first
        self.ghosts: list[ts.Variable] = []  # those that are shared; they are 0 at first
        self.origins: dict[ts.Variable, tuple[Object, Path]] = {}  # what each variable is of

    # Types

    def is_handle(self, declared: c_ast.Node | None) -> bool:
        """Whether the type *declared* is that of the identifiers by which threads are joined."""
        return self._is_one_of(declared, _HANDLES)

    def declared(self, place: Place) -> c_ast.Node | None:
        """The type with which *place* is declared, as an element of an array, if that is known."""
        base, path = place.base, tuple(step for step in place.path if isinstance(step, Field))
        if path or isinstance(base, Object):
            return self.declared_part(base if isinstance(base, Object) else None, path)
        pointer: Any = self.declared(base.place) if isinstance(base, Read) else None
        return None if pointer is None else self._symbols.element(pointer)

    def declared_part(self, root: Object | None, path: Path = ()) -> c_ast.Node | None:
        """The type with which the part *path* of *root* is declared, as an element of an array, if that is known."""
        type_: Any = path[-1].declaration.type if path else self._symbols.types.get(root.name) if root else None
        while type_ is not None and isinstance(resolved := self._symbols.resolve(type_), c_ast.ArrayDecl):
            type_ = resolved.type
        return type_  # type: ignore[no-any-return]

    def _is_one_of(self, type_: c_ast.Node | None, names: frozenset[str]) -> bool:
        while isinstance(type_, c_ast.TypeDecl) and isinstance(type_.type, c_ast.IdentifierType):
            name = type_.type.names[-1]
            if name in names:
                return True
            if len(type_.type.names) != 1 or name not in self._symbols.typedefs:
                return False
            type_ = self._symbols.typedefs[name]
        return False

    def result(self, function: Template) -> ts.Scalar:
        """The type of what the library function *function* returns."""
        source: Any = function.source
        is_number = self._is_one_of(source.decl.type.type, _IDENTIFIERS)
        return ts.UNBOUNDED if is_number else scalar(function.result)

    def around(self, root: Object, path: Path) -> tuple[list[int], Type]:
        """The lengths of all arrays from the object *root* to its part *path*, and the type of an element there."""
        lengths = dimensions(root.type)
        for member in path:
            check_member(member)
            lengths += dimensions(member.type)
        return lengths, without_arrays(path[-1].type if path else root.type)

    # Variables

    def is_own(self, root: Object) -> bool:
        """Whether each thread has its own object *root*."""
        own = root.is_local or is_thread_local(self._symbols.qualified.get(root.name))
        return own and root.name not in self.shared_locals

    def variable(self, template: str, root: Object, path: Path = ()) -> ts.Variable:
        """The variable that is the part *path* of the object *root* of a thread of *template*."""
        names = tuple(member.name for member in path)
        private = self.is_own(root) or names[-1:] == (HELD,)
        key = (template if private else None, root.name, names)
        found = self._variables.get(key)
        if found is None:
            lengths, type_ = self.around(root, path)
            is_number = names[-1] in _NUMBERS if path else root.name == GENERATION
            is_number = is_number or self._is_one_of(self.declared_part(root, path), _IDENTIFIERS)
            type_of = ts.UNBOUNDED if is_number else scalar(type_)
            user = user_name(root.name)
            shown = ".".join((user, *names)) if user is not None and names[:1] != ("__cs_state",) else None
            found = ts.Variable(
                self._named(".".join(part for part in (*((template,) if private else ()), root.name, *names) if part)),
                ts.Array(type_of, prod(lengths)) if lengths else type_of,
                shown if shown is None or "__cs_" not in shown else None,
                template if private else None,
            )
            self._variables[key] = found
            if names[-1:] == (HELD,):
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

    def is_live(self, target: ts.Read | ts.Element) -> ts.Expression:
        """Whether the thread was neither joined nor detached yet whose identifier `pthread_create` stored in *target*.

        It is not live any more when something else is stored there. Of a long array, a range of live elements is known:
        others may be live, too.
        """
        if not _is_long(target):
            return self._live(target)
        first, end, index = self._live_range(target)
        return conjunction([apply(ts.Operator.GE, index, first), apply(ts.Operator.LT, index, end)])

    def set_live(self, target: ts.Read | ts.Element, live: ts.Expression, template: str) -> list[ts.Action]:
        """What lets *target* be live, or not, where a thread of *template* changes it: see `is_live`.

        A range grows by an element beside it, and shrinks by its first one; by another one, it loses what is behind.
        """
        if not _is_long(target):
            return [ts.Assign(self._live(target), live)]
        first, end, index = self._live_range(target)
        old = ts.Read(self.fresh(ts.UNBOUNDED, template))
        one = ts.Number(1, ts.UNBOUNDED)
        after = apply(ts.Operator.ADD, index, one)
        is_empty, was_empty = equal(first, end), equal(old, end)
        is_inside = conjunction([apply(ts.Operator.GT, index, old), apply(ts.Operator.LT, index, end)])
        begins = choose(disjunction([is_empty, equal(after, first)]), index, first)
        left = choose(conjunction([negation(is_empty), equal(index, first)]), after, first)
        ends = choose(disjunction([was_empty, equal(index, end)]), after, end)
        return [
            ts.Assign(old, first),
            ts.Assign(first, choose(live, begins, left)),
            ts.Assign(end, choose(live, ends, choose(is_inside, index, end))),
        ]

    def _live(self, target: ts.Read | ts.Element) -> ts.Read | ts.Element:
        """The ghost that says whether *target* is live."""
        variable = target.variable if isinstance(target, ts.Read) else target.array
        shape = ts.Array(ts.BOOL, variable.type.length) if isinstance(variable.type, ts.Array) else ts.BOOL
        ghost = self._live_ghost("live", variable, shape)
        return ts.Read(ghost) if isinstance(target, ts.Read) else ts.Element(ghost, target.index)

    def _live_range(self, target: ts.Read | ts.Element) -> tuple[ts.Read, ts.Read, ts.Expression]:
        """The ghosts with the first live element of an array and the one after the last; the index of *target*."""
        assert isinstance(target, ts.Element)
        first, end = (self._live_ghost(what, target.array, ts.UNBOUNDED) for what in ("live", "live.end"))
        return ts.Read(first), ts.Read(end), convert(target.index, ts.UNBOUNDED)

    def _live_ghost(self, what: str, variable: ts.Variable, type_: ts.Scalar | ts.Array) -> ts.Variable:
        # Main's need an initial value, so they are shared: main is there from the beginning.
        template = None if variable.template == "main" else variable.template
        ghost = self.ghost(f"{what}.{variable.name}", type_, template)
        if template is not None:
            self.zero.setdefault(template, {})[ghost] = None
        return ghost

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
        return {root.name for root, _ in self.origins.values() if root.name in self.shared_locals}

    # Places

    def reference(self, template: str, spot: Spot) -> ts.Read | ts.Element:
        """The variable, or element of an array, that is the scalar at *spot*."""
        variable = self.variable(template, spot.root, spot.path)
        if isinstance(variable.type, ts.Array):
            return ts.Element(variable, spot.index if spot.index is not None else ts.Number(0))
        return ts.Read(variable)

    def base(self, template: str, root: Object, path: Path) -> int:
        """Where the range of addresses of a part of an object begins."""
        return self._range(template if self.is_own(root) else None, root.name, tuple(each.name for each in path))

    def constant(self, what: str) -> int:
        """The number of a function, or of the beginning of a string, as a pointer."""
        return self._range(None, what, ())

    def _range(self, *key: Any) -> int:
        return self._ranges.setdefault(key, (len(self._ranges) + 1) * _APART)
