"""Let the results of comparing addresses be choices, where they depend on where objects lie in memory."""

from __future__ import annotations

from typing import Any

from pycparser import c_ast

from cseq.c import build
from cseq.c.generated import ours
from cseq.c.nodes import LEAVES
from cseq.c.symbols import Symbols, basic, pointer_to
from cseq.model.claims import Cut, Limit
from cseq.model.origin import Origin
from cseq.model.verdict import Bound
from cseq.modules.analysis.address_numbers import (
    ARITHMETIC,
    COMPARE_BYTES,
    LOWEST,
    ORDERS,
    is_between_pointers,
    is_test_of_pointers,
)
from cseq.modules.core.user_printer import UserPrinter
from cseq.modules.explicit.encode.address_values import Hashes, Numbers, declare_locals
from cseq.modules.explicit.encode.step_accesses import TOUCH
from cseq.modules.explicit.encode.step_program import RUN, STEPS, Steps
from cseq.modules.explicit.encode.stepper.frames import FRAME
from cseq.modules.explicit.encode.stepper.stepper import in_state
from cseq.modules.library import lexicon
from cseq.pipeline.facts import Fact, Gives, Needs, Uses
from cseq.pipeline.translator import Rewriter, Translator, rebuilt, user_name

_MOST = 6
"""The number of objects that are ordered: each is at one of as many places as there are objects before it."""
_LINEAR = frozenset({"+", "-", "|", "^"})
"""The operators by which tags and offsets are added to addresses."""
_BITS_OF = frozenset({"*", "/", "<<", ">>", "%"})
_RELATIONS = ORDERS - {"-"}


_Period = tuple[int, int]
PERIOD = Fact[_Period]("period")
"""The period and the grain of the hashes that the program makes of addresses, see `Hashes`; 0 if there is none."""


class AddressOrder(Translator):
    """in: a step program. out: the same, which chooses the order of the objects whose addresses it compares.

    What else depends on addresses, such as a hash, is noted where an execution gets there: then nothing is proved.
    """

    steps = Needs(STEPS)
    known = Uses(PERIOD, None)  # that of the program, where this is its replay, which also reports values
    period = Gives(PERIOD)

    def translate(self, tree: c_ast.FileAST) -> c_ast.FileAST:
        """Rewrite the step functions."""
        known = self.known
        self.period = known or (0, 1)
        if not self.steps.uses_addresses:
            return tree
        symbols = Symbols(tree, self.context.model)
        functions = [node for node in tree.ext if isinstance(node, c_ast.FuncDef) and node.decl.name.startswith(RUN)]
        numbers = self._numbers(symbols, functions, known)
        rewriting = _Rewriting(symbols, numbers, self.steps)
        nodes = [rewriting.function(node) if node in functions else node for node in tree.ext]
        self.steps.has_layout = rewriting.found
        self.steps.makes_numbers |= rewriting.found
        if not rewriting.found:
            return tree
        code = [n.decl.name for n in tree.ext if isinstance(n, c_ast.FuncDef) and n not in functions and _is_users(n)]
        lines = [f"const char *{name}[{_MOST}];" for name in ("__cs_order", "__cs_hashed")]
        lines.append(f"unsigned int __cs_remainders[{_MOST}];")
        table = [in_state(node, False) for node in ours(lines)]
        constants = [
            f"const unsigned long __cs_period = {self.period[0]}, __cs_grain = {self.period[1]};",
            f"const unsigned int __cs_order_size = {_MOST};",
            f"const unsigned int __cs_renews_locals = {int(self.steps.renews_locals)};",
            f"const unsigned int __cs_functions_count = {len(code)};",
            f"const void *const __cs_functions[] = {{{', '.join([*code, '0'])}}};",
        ]
        return c_ast.FileAST([*nodes, *table, *ours(constants)])

    def _numbers(self, symbols: Symbols, functions: list[c_ast.FuncDef], known: _Period | None) -> Numbers:
        """The numbers of the program; hashes among them if all that it makes of addresses ends in some."""
        if not self.steps.reads_pointers:
            hashes = Hashes(symbols, functions)
            self.period = known or (hashes.period, hashes.grain)
            if self.period[0]:
                return hashes
        return Numbers(symbols, functions, bool(self.steps.reads_pointers))


def _is_users(node: c_ast.FuncDef) -> bool:
    return user_name(node.decl.name) is not None and not lexicon.is_library(node.decl.name)


class _Rewriting(Rewriter):
    """Rewrites step functions. found: whether anything depends on where objects lie."""

    def __init__(self, symbols: Symbols, numbers: Numbers, steps: Steps) -> None:
        super().__init__()
        self._symbols, self._numbers, self._steps = symbols, numbers, steps
        self._origin: Origin | None = None
        self._meanings: dict[str, str] = {}  # of our variables, by name: what they were assigned
        self.found = False

    def function(self, node: c_ast.FuncDef) -> c_ast.FuncDef:
        """The step function *node*, rewritten."""
        declare_locals(self._symbols, node)
        return rebuilt(node, body=self.visit(node.body))

    def visit(self, node: c_ast.Node) -> Any:
        """Rewrite *node*; notes the statement that it is in."""
        if node.__class__ not in LEAVES and node.coord is not None and not lexicon.is_ours(node.coord):
            self._origin = node.coord.plain()
        return super().visit(node)

    def visit_Compound(self, node: c_ast.Compound) -> Any:
        new = self.generic_visit(node)
        items: list[c_ast.Node] = []
        for old, item in zip(node.block_items or [], new.block_items or [], strict=True):
            if old.coord is not None and old.coord.plain() in self._steps.reads_pointers and self._reads_bytes(old):
                self._origin = old.coord.plain()
                items.append(build.call("__CSEQ_coarse", self._cut(Limit.ADDRESSES)))
            if old.coord is not None and (old.coord.file, old.coord.line) in self._steps.compares_literals:
                self._origin = old.coord.plain()
                items.append(build.call("__CSEQ_coarse", self._cut(Limit.LITERALS)))
            items.append(item)
        return rebuilt(new, block_items=items)

    def _reads_bytes(self, node: c_ast.Node) -> bool:
        """Whether *node* has numbers that may be bytes of an address, rather than all of it."""
        places = build.inside(node, c_ast.ID, c_ast.StructRef, c_ast.ArrayRef, c_ast.UnaryOp)
        return any(self._is_narrow(each) for each in places)

    def _is_narrow(self, place: Any) -> bool:
        """Whether *place* is a number of one or two bytes."""
        if isinstance(place, c_ast.ID) and place.name not in self._symbols.types:
            return False  # the name of a member or a function
        if isinstance(place, c_ast.UnaryOp) and place.op != "*":
            return False
        kind = self._symbols.arithmetic(self._symbols.type_of(place))
        return kind not in (None, "void") and self._symbols.model.size(str(kind)) < 4

    def visit_UnaryOp(self, node: c_ast.UnaryOp) -> Any:
        if node.op in ("sizeof", "_Alignof"):
            return node
        new = self.generic_visit(node)
        if node.op in ("~", "-", "+") and isinstance(self._numbers, Hashes) and self._numbers.has(node.expr):
            return rebuilt(new, expr=self._hashed(new.expr))
        return new

    def visit_BinaryOp(self, node: c_ast.BinaryOp) -> Any:
        origin = self._origin
        new = self.generic_visit(node)
        if node.op in ARITHMETIC and self._computes(origin):
            return self._after([build.call("__CSEQ_coarse", self._cut(Limit.IDENTIFIERS))], new)
        if node.op in ORDERS and is_between_pointers(self._symbols, node):
            return self._compared(new)
        left, right = (self._numbers.has(side) for side in (node.left, node.right))
        if node.op in ORDERS and left and right:
            return self._compared(new)
        if isinstance(self._numbers, Hashes) and (left or right) and self._numbers.hashes(node):
            sides = [self._hashed(side) if has else side for side, has in ((new.left, left), (new.right, right))]
            return rebuilt(new, left=sides[0], right=sides[1])
        if node.op == "%" and left and self._is_power(node.right):
            mask = build.number(self._symbols.constant(node.right) - 1)
            return self._after([self._masked(node.left, mask)], new)
        if node.op in _BITS_OF or (node.op in _LINEAR and left and right):
            return self._after([*self._looks(node.left), *self._looks(node.right)], new)
        if node.op in ("==", "!="):
            guesses = self._steps.guesses_addresses and is_test_of_pointers(self._symbols, node)
            return self._after([self._guess(node)], new) if guesses or self._is_guess(node) else new
        if node.op in _RELATIONS and (left or right):
            number, other = (node.left, node.right) if left else (node.right, node.left)
            known = self._symbols.constant_or_none(other)
            return new if known is not None and 0 <= known < LOWEST else self._after(self._looks(number), new)
        if node.op == "&" and left != right:
            number, other = (node.left, node.right) if left else (node.right, node.left)
            return self._after([self._masked(number, other)], new)
        return new

    def visit_Cast(self, node: c_ast.Cast) -> Any:
        new = self.generic_visit(node)
        kind = self._symbols.arithmetic(node.to_type)
        if kind in (None, "void", "_Bool") or self._numbers.is_wide(node):
            return new
        is_pointer = self._symbols.is_pointer(self._symbols.value_type(node.expr))
        if isinstance(self._numbers, Hashes) and (is_pointer or self._numbers.has(node.expr)):
            return rebuilt(new, expr=self._hashed(new.expr))
        return self._after([self._look(node.expr)] if is_pointer else self._looks(node.expr), new)

    def visit_ArrayRef(self, node: c_ast.ArrayRef) -> Any:
        computes = self._computes(self._origin)
        new = self.generic_visit(node)
        looks = self._looks(node.subscript)
        if computes:
            looks.append(build.call("__CSEQ_coarse", self._cut(Limit.IDENTIFIERS)))
        return rebuilt(new, subscript=c_ast.ExprList([self._after(looks, new.subscript)])) if looks else new

    def visit_Assignment(self, node: c_ast.Assignment) -> Any:
        origin = self._origin
        new = self.generic_visit(node)
        compares: Any = build.uncast(node.rvalue)
        variable = node.lvalue.field if isinstance(node.lvalue, c_ast.StructRef) else node.lvalue
        if isinstance(variable, c_ast.ID) and user_name(variable.name) is None:
            self._meanings[variable.name] = _UserNames(self._meanings).visit(node.rvalue)
        if build.callee(compares) in COMPARE_BYTES and origin in self._steps.reads_pointers:
            note = build.call("__CSEQ_compares", *compares.args.exprs, self._cut(Limit.ADDRESSES))
            new = rebuilt(new, rvalue=self._after([note], new.rvalue))
        kind = self._symbols.arithmetic(self._symbols.type_of(node.lvalue))
        if kind in (None, "_Bool") or self._numbers.is_wide(node.lvalue):
            return new
        if isinstance(self._numbers, Hashes) and self._numbers.has(node.rvalue):
            return rebuilt(new, rvalue=self._hashed(new.rvalue))
        return rebuilt(new, rvalue=self._after(self._looks(node.rvalue), new.rvalue))

    def visit_FuncCall(self, node: c_ast.FuncCall) -> Any:
        if build.callee(node) == TOUCH:
            return node
        new = self.generic_visit(node)
        if node.args is None or not isinstance(node.name, c_ast.ID) or node.name.name.startswith(("__CSEQ_", "__cs_")):
            return new
        pairs = zip(node.args.exprs, new.args.exprs, strict=True)
        return rebuilt(new, args=c_ast.ExprList([self._after(self._looks(old), each) for old, each in pairs]))

    def _compared(self, node: c_ast.BinaryOp) -> c_ast.Node:
        both = [_address(node.left), _address(node.right)]
        cut = self._cut(Limit.ORDER)
        if node.op == "-":
            return self._after([build.call("__CSEQ_distance_of", *both, cut)], node)
        left, right = (_UserNames(self._meanings).visit(build.uncast(side)) for side in (node.left, node.right))
        texts = [build.string(f"{left} < {right}"), build.string(f"{right} < {left}")]
        chosen = c_ast.BinaryOp(node.op, build.call("__CSEQ_order", *both, *texts, cut), build.number(0))
        return c_ast.TernaryOp(build.call("__CSEQ_are_apart", *both, cut), chosen, node)

    def _is_guess(self, node: c_ast.BinaryOp) -> bool:
        """Whether *node* compares a number that may be an address with another one that may be none."""
        sides = (node.left, node.right)
        constants = [self._symbols.constant_or_none(side) for side in sides]
        return any(map(self._numbers.has, sides)) and not any(c is not None and 0 <= c < LOWEST for c in constants)

    def _guess(self, node: c_ast.BinaryOp) -> c_ast.Node:
        """The note that two addresses, or numbers, are tested for equality."""
        return build.call("__CSEQ_guesses", _number(node.left), _number(node.right), self._cut(Limit.ADDRESSES))

    def _computes(self, origin: Origin | None) -> bool:
        """Whether *origin* may be a place where the program computes with identifiers of threads."""
        lines = self._steps.computes_identifiers
        return bool(lines) and (origin is None or (origin.file, origin.line) in lines)

    def _hashed(self, number: c_ast.Node) -> c_ast.Node:
        """The address *number*, as one of those where its object may lie."""
        return build.call("__CSEQ_hashed", _number(number), self._cut(Limit.ADDRESSES))

    def _looks(self, number: c_ast.Node) -> list[c_ast.Node]:
        """The note that the value of *number* is used, if it may be an address."""
        return [self._look(number)] if self._numbers.has(number) else []

    def _look(self, number: c_ast.Node) -> c_ast.Node:
        return build.call("__CSEQ_looks", _number(number), self._cut(Limit.ADDRESSES))

    def _is_power(self, node: c_ast.Node) -> bool:
        """Whether *node* is a constant power of two."""
        value = self._symbols.constant_or_none(node)
        return value is not None and value > 0 and value & (value - 1) == 0

    def _masked(self, number: c_ast.Node, mask: c_ast.Node) -> c_ast.Node:
        """The note that the bits *mask* of *number* are used, or all others."""
        cut = self._cut(Limit.ADDRESSES)
        return build.call("__CSEQ_looks_at_bits", _number(number), _number(mask), cut)

    def _after(self, notes: list[c_ast.Node], node: c_ast.Node) -> c_ast.Node:
        return c_ast.ExprList([*notes, node]) if notes else node

    def _cut(self, limit: Limit) -> c_ast.Node:
        """The text of the bound, for the statement that is being rewritten."""
        self.found = True
        cut = Cut(limit, 1, place=self._origin and Origin(self._origin.file, self._origin.line))
        self._steps.bounds.setdefault(cut, Bound.of(cut, self._origin))
        return build.string(cut.key)


class _UserNames(UserPrinter):
    """Prints members of frames as the locals that they are."""

    def visit_StructRef(self, node: c_ast.StructRef) -> str:
        is_local = isinstance(node.name, c_ast.ID) and node.name.name == FRAME
        return self.visit_ID(node.field) if is_local else str(super().visit_StructRef(node))


def _number(node: c_ast.Node) -> c_ast.Node:
    return c_ast.Cast(build.typename(basic("unsigned long")), node)


def _address(node: c_ast.Node) -> c_ast.Node:
    return c_ast.Cast(build.typename(pointer_to(basic("void"))), node)
