"""What the numbers of a program have to do with addresses."""

from collections.abc import Sequence
from math import gcd, lcm
from typing import Any, NamedTuple

from pycparser import c_ast

from cseq.c import build
from cseq.c.symbols import Symbols
from cseq.modules.analysis.address_numbers import name_of
from cseq.modules.explicit.encode.step_accesses import TOUCH
from cseq.modules.library import lexicon

HASHING = frozenset({"*", "/", "<<", ">>", "%", "&"})
"""The operators that make other numbers of an address."""
_TAG, _LARGE = 16, 1 << 20
"""Masks that are less than the first leave a tag, as an alignment allows; those from the second on leave a page."""
_MOST_REMAINDERS, _LONGEST = 64, 1 << 14
"""The longest period that is explored."""


def declare_locals(symbols: Symbols, function: c_ast.FuncDef) -> None:
    """Declare the locals of a step function: the frames of several have the same name."""
    for item in function.body.block_items or []:
        if isinstance(item, c_ast.Decl):
            symbols.declare(item)


class Numbers:
    """The integers that may have been made from addresses: by the names of the objects and members that have them.

    An integer that is stored through a pointer may be any.
    """

    def __init__(self, symbols: Symbols, functions: list[c_ast.FuncDef], read: bool) -> None:
        """read: whether bytes of pointers are read as numbers; then any may be an address."""
        self._symbols = symbols
        self._names: set[str] = {""} if read else set()
        stores = [[*build.inside(each.body, c_ast.Assignment)] for each in functions]
        changed = True
        while changed:
            changed = False
            for function, nodes in zip(functions, stores, strict=True):
                declare_locals(symbols, function)
                changed |= any(self._learns(node) for node in nodes)

    def _learns(self, store: c_ast.Assignment) -> bool:
        """Note what *store* may store; returns whether that is new."""
        name = name_of(self._symbols, store.lvalue)
        if name in self._names or not self.is_wide(store.lvalue) or not self.has(store.rvalue):
            return False
        self._names.add(name)
        return True

    def is_wide(self, node: Any) -> bool:
        """Whether *node* is an integer that has room for an address, and no name of the engine's."""
        if isinstance(node, c_ast.ID) and node.name not in self._symbols.types:
            return False
        kind = self._symbols.arithmetic(self._symbols.type_of(node))
        if kind in (None, "void", "_Bool") or "float" in str(kind) or "double" in str(kind):
            return False
        return self._symbols.model.size(str(kind)) >= self._symbols.model.pointer

    def has(self, node: Any) -> bool:
        """Whether the value of *node* may be an address, but for a tag or an offset."""
        match node:
            case c_ast.Cast():
                if not self.is_wide(node) or self._symbols.constant_or_none(node) is not None:
                    return False
                return self._symbols.is_pointer(self._symbols.value_type(node.expr)) or self.has(node.expr)
            case c_ast.BinaryOp(op="-"):
                return self.has(node.left) and not self.has(node.right)
            case c_ast.BinaryOp(op="+" | "|" | "^" | "&"):
                return self.has(node.left) or self.has(node.right)
            case c_ast.UnaryOp(op="~" | "-" | "+"):
                return self.has(node.expr)
            case c_ast.TernaryOp():
                return self.has(node.iftrue) or self.has(node.iffalse)
            case c_ast.ID() | c_ast.StructRef() | c_ast.ArrayRef() | c_ast.UnaryOp(op="*"):
                if not self.is_wide(node):
                    return False
                name = name_of(self._symbols, node)
                return name in self._names or "" in self._names or (not name and bool(self._names)) or self._puns(node)
        return False

    def _puns(self, node: Any) -> bool:
        """Whether *node* has the bytes of a pointer."""
        if isinstance(node, c_ast.UnaryOp) and isinstance(node.expr, c_ast.Cast):
            kept = self._symbols.value_type(build.uncast(node.expr))
            return self._symbols.is_pointer(kept) and self._symbols.is_pointer(self._symbols.element(kept))
        if not isinstance(node, c_ast.StructRef):
            return False
        type_ = self._symbols.type_of(node.name)
        record = self._symbols.record(self._symbols.element(type_) if node.type == "->" else type_)
        if not isinstance(record, c_ast.Union):
            return False
        return any(self._symbols.is_pointer(part) for _, part, _ in self._symbols.parts(record))


class _Form(NamedTuple):
    """How a number depends on an address x.

    divisor: it is x divided by that, rounded down, or a constant more; 0 if it is not. shift: its lowest N bits depend
    on no more than N + *shift* bits of x, and on what has nothing to do with x; -1 if that is not known. grain: it
    depends on x only by x divided by that, rounded down.
    """

    divisor: int
    shift: int
    grain: int


_ADDRESS = _Form(1, 0, 1)


class Hashes(Numbers):
    """The same, and how other numbers depend on addresses.

    A hash is what depends on an address x only by the remainder of x by some number, its period. If all numbers that
    are made from addresses end in hashes, the period of the program is a common multiple.
    """

    def __init__(self, symbols: Symbols, functions: list[c_ast.FuncDef]) -> None:
        self._forms: dict[str, _Form] = {}
        self._periods: dict[int, int] = {}  # and their grains
        self._fails = False
        super().__init__(symbols, functions, False)
        for function in functions:
            declare_locals(symbols, function)
            self._uses(function.body)

    @property
    def period(self) -> int:
        """The period of the program; 0 if there is none, or if it is too long for all remainders to be explored."""
        period = lcm(*self._periods)
        if self._fails or not self._periods or period > _LONGEST or period // self.grain > _MOST_REMAINDERS:
            return 0
        return period

    @property
    def grain(self) -> int:
        """A number such that the hashes of x depend only on x divided by it, rounded down."""
        return gcd(*self._periods.values())

    def has(self, node: Any) -> bool:
        """Whether the value of *node* may be an address, but for a tag or an offset, and is no hash."""
        if isinstance(node, c_ast.BinaryOp):
            if node.op == "&" and (self.is_hashing_mask(node.left) or self.is_hashing_mask(node.right)):
                return False
            if self.form(node.left) is not None or self.form(node.right) is not None:
                return False
        elif isinstance(node, c_ast.UnaryOp) and node.op in ("~", "-", "+"):
            return False
        return super().has(node)

    def is_hashing_mask(self, node: c_ast.Node) -> bool:
        """Whether *node* is a constant that leaves some of the lower bits of an address, but not only a tag."""
        value = self._symbols.constant_or_none(node)
        return value is not None and _TAG <= value < _LARGE

    def hashes(self, node: c_ast.BinaryOp) -> bool:
        """Whether *node* makes another number of an address, rather than another address, or a tag."""
        if self.has(node):
            return False
        return node.op in HASHING or self.form(node) is not None

    def form(self, node: Any) -> _Form | None:
        """How *node* depends on an address, if its value is none itself, nor a hash."""
        match node:
            case c_ast.Cast():
                return self._converted(node.expr, node.to_type, self.is_wide(node))
            case c_ast.ID() | c_ast.StructRef() | c_ast.ArrayRef():
                return self._forms.get(name_of(self._symbols, node))
            case c_ast.UnaryOp(op="~" | "-" | "+"):
                inner = self._operand(node.expr)
                return inner and inner._replace(divisor=0)
            case c_ast.TernaryOp():
                return _joined(self.form(node.iftrue), self.form(node.iffalse))
            case c_ast.ExprList():
                return self.form(node.exprs[-1])
            case c_ast.BinaryOp():
                return self._computed(node)
        return None

    def _operand(self, node: Any) -> _Form | None:
        """How an operand depends on an address, which it may be."""
        return _ADDRESS if self.has(node) else self.form(node)

    def _converted(self, node: c_ast.Node, type_: c_ast.Node, is_wide: bool) -> _Form | None:
        """The form of *node* as a value of another type."""
        kind = self._symbols.arithmetic(type_)
        if kind == "_Bool" or "float" in str(kind) or "double" in str(kind):
            return self._failed() if self.form(node) is not None else None
        if kind in (None, "void") or is_wide:
            return self.form(node)
        is_call = isinstance(node, c_ast.FuncCall) and node.name.name not in self._symbols.types  # of the engine's
        is_pointer = not is_call and self._symbols.is_pointer(self._symbols.value_type(node))
        inner = _ADDRESS if is_pointer else self._operand(node)
        return inner and inner._replace(divisor=0)

    def _computed(self, node: c_ast.BinaryOp) -> _Form | None:
        forms = self.form(node.left), self.form(node.right)
        if self.has(node) or (forms == (None, None) and node.op not in HASHING):
            return None
        left, right = self._operand(node.left), self._operand(node.right)
        constant = self._symbols.constant_or_none(node.right)
        if (left is None and right is None) or (node.op in "+-|^" and forms == (None, None)):
            return None  # of two addresses
        if node.op == "&" and (left is None or right is None):
            number, mask = (left, node.right) if left else (right, node.left)
            value = self._symbols.constant_or_none(mask)
            return self._ended(number, value.bit_length() if value is not None and value >= 0 else -1, 0)
        if node.op in ("%", "/", "<<", ">>"):
            if left is None or right is not None or constant is None or constant <= 0:
                return self._failed()
            if node.op == "%":
                is_power = constant & (constant - 1) == 0 and self._is_unsigned(node)
                return self._ended(left, constant.bit_length() - 1 if is_power else -1, constant)
            if node.op == "<<":
                return left._replace(divisor=0)
            return self._divided(left, 1 << constant if node.op == ">>" else constant, node)
        if node.op not in ("+", "-", "*", "^", "|", "&"):
            return self._failed()
        form = _joined(left, right)
        is_more = left is not None and node.op == "+" and constant is not None and constant >= 0
        return form if is_more else form and form._replace(divisor=0)

    def _divided(self, form: _Form, by: int, node: c_ast.BinaryOp) -> _Form | None:
        """The quotient, rounded down, of a number of a form."""
        if form.divisor:
            shift = by.bit_length() - 1 if by & (by - 1) == 0 and form.shift >= 0 else -1
            return _Form(form.divisor * by, form.shift + shift if shift >= 0 else -1, form.grain * by)
        if by & (by - 1) or form.shift < 0 or (node.op == "/" and not self._is_unsigned(node)):
            return self._failed()
        return form._replace(shift=form.shift + by.bit_length() - 1)

    def _ended(self, form: _Form | None, bits: int, modulus: int) -> _Form | None:
        """A hash: the lowest *bits* of a number of a form, if that is not negative, or its remainder by *modulus*."""
        assert form is not None
        if modulus and form.divisor:
            period = form.divisor * modulus
        elif bits >= 0 and form.shift >= 0 and bits + form.shift < 64:
            period = 1 << (bits + form.shift)
        else:
            return self._failed()
        self._periods[period] = gcd(self._periods.get(period, form.grain), form.grain)
        return None

    def _is_unsigned(self, node: c_ast.BinaryOp) -> bool:
        return "unsigned" in str(self._symbols.arithmetic(self._symbols.type_of(node.left)))

    def _failed(self) -> _Form | None:
        """There is no period, whatever else the program does."""
        self._fails = True
        return None

    def _learns(self, store: c_ast.Assignment) -> bool:
        learns, name = super()._learns(store), name_of(self._symbols, store.lvalue)
        form = self._converted(store.rvalue, self._symbols.type_of(store.lvalue), self.is_wide(store.lvalue))
        if form is not None and not self._fails:
            new = _joined(self._forms.get(name), form)
            self._fails |= name in self._names | {""} or new is None or new.shift > 64
            if new is not None and new != self._forms.get(name):
                self._forms[name] = new
                return True
        return learns

    def _uses(self, node: Any) -> None:
        """Look at each expression in *node*: what has a form may only be stored, or an operand of a calculation."""
        if build.callee(node) in (TOUCH, lexicon.SHOW):  # the latter reports values in a replay
            return
        for part in self._read(node):
            self._uses(part)
            if self.form(part) is None:
                continue
            if isinstance(node, c_ast.Assignment):
                self._fails |= node.op != "="
            elif isinstance(node, c_ast.BinaryOp) and node.op in ("%", "&"):
                self.form(node)
            else:
                computes = isinstance(node, (c_ast.BinaryOp, c_ast.UnaryOp, c_ast.Cast, c_ast.TernaryOp))
                self._fails |= not computes or self.form(node) is None or part is getattr(node, "cond", None)

    def _read(self, node: Any) -> Sequence[Any]:
        """The parts of *node*, without the names of members and of arrays, and without what is stored to."""
        match node:
            case c_ast.StructRef():
                return [node.name]
            case c_ast.ArrayRef() if isinstance(self._symbols.type_of(node.name), c_ast.ArrayDecl):
                return [*self._read(node.name), node.subscript]
            case c_ast.Assignment():
                return [*self._read(node.lvalue), node.rvalue]
            case c_ast.FuncCall():
                return node.args.exprs if node.args else []
            case c_ast.Typename() | c_ast.Goto() | c_ast.Label():
                return []
            case c_ast.Decl():
                return [node.init] if node.init is not None else []
        return build.parts(node)


def _joined(one: _Form | None, other: _Form | None) -> _Form | None:
    """What holds of both."""
    if one is None or other is None:
        return one or other
    divisor = one.divisor if one.divisor == other.divisor else 0
    shift = max(one.shift, other.shift) if min(one.shift, other.shift) >= 0 else -1
    return _Form(divisor, shift, gcd(one.grain, other.grain))
