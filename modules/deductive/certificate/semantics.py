"""What types and expressions mean: SMT-LIB terms in one of the three arithmetics."""

from collections.abc import Callable

from cseq.modules.deductive import transitions as ts
from cseq.modules.deductive.proofs import Arithmetic

INDEX = ts.Scalar(64, True)
"""The type of indices of arrays."""

_SIGNS = {ts.Operator.ADD: "+", ts.Operator.SUB: "-", ts.Operator.MUL: "*"}
_VECTOR_SIGNS = {
    ts.Operator.ADD: "bvadd", ts.Operator.SUB: "bvsub", ts.Operator.MUL: "bvmul", ts.Operator.SHL: "bvshl",
    ts.Operator.BIT_AND: "bvand", ts.Operator.BIT_OR: "bvor", ts.Operator.BIT_XOR: "bvxor",
}  # fmt: skip
_VECTOR_ORDERS = {
    ts.Operator.LT: ("bvult", "bvslt"), ts.Operator.LE: ("bvule", "bvsle"),
    ts.Operator.GT: ("bvugt", "bvsgt"), ts.Operator.GE: ("bvuge", "bvsge"),
    ts.Operator.DIV: ("bvudiv", "bvsdiv"), ts.Operator.REM: ("bvurem", "bvsrem"), ts.Operator.SHR: ("bvlshr", "bvashr"),
}  # fmt: skip
_TRUTHS = {ts.Operator.BIT_AND: "and", ts.Operator.BIT_OR: "or", ts.Operator.BIT_XOR: "xor"}


class InapplicableError(Exception):
    """The system has something that has no meaning here."""


def numeral(value: int) -> str:
    """An integer."""
    return str(value) if value >= 0 else f"(- {-value})"


def is_vector(type_: ts.Scalar, arithmetic: Arithmetic) -> bool:
    """Whether values of the type are bit-vectors."""
    return arithmetic is Arithmetic.BITS and type_ not in (ts.BOOL, ts.UNBOUNDED)


def sort(type_: ts.Scalar | ts.Array, arithmetic: Arithmetic) -> str:
    """The sort of the values of a type."""
    if isinstance(type_, ts.Array):
        return f"(Array {sort(INDEX, arithmetic)} {sort(type_.element, arithmetic)})"
    if type_ == ts.BOOL:
        return "Bool"
    return f"(_ BitVec {type_.width})" if is_vector(type_, arithmetic) else "Int"


def constant(value: int, type_: ts.Scalar, arithmetic: Arithmetic) -> str:
    """A value of a type."""
    if type_ == ts.BOOL:
        return "true" if value else "false"
    if is_vector(type_, arithmetic):
        return f"(_ bv{value % (1 << type_.width)} {type_.width})"
    return numeral(value)


def in_range(term: str, type_: ts.Scalar, arithmetic: Arithmetic) -> str | None:
    """That the value of a term is within its type; None where every value of its sort is."""
    if type_ in (ts.BOOL, ts.UNBOUNDED) or is_vector(type_, arithmetic):
        return None
    return f"(and (<= {numeral(type_.least)} {term}) (<= {term} {numeral(type_.greatest)}))"


class Evaluation:
    """Makes terms of expressions.

    lookup: the term of a variable here. named: introduces a name for a term of a type, and returns it. assumed: called
    with formulas that are always true, namely that what an array holds is within its type. needed: called with what
    must hold for EXACT arithmetic to mean the same as C's.
    """

    def __init__(
        self,
        arithmetic: Arithmetic,
        lookup: Callable[[ts.Variable], str],
        named: Callable[[str, ts.Scalar], str],
        assumed: Callable[[str], None],
        needed: Callable[[str], None],
    ) -> None:
        self._arithmetic = arithmetic
        self._lookup = lookup
        self._named = named
        self._assumed = assumed
        self._needed = needed

    def term(self, expression: ts.Expression) -> str:
        """The value of an expression. Raises InapplicableError where that has no meaning."""
        match expression:
            case ts.Number(value, type_):
                if type_ != ts.UNBOUNDED and not type_.least <= value <= type_.greatest:
                    raise InapplicableError(f"the number {value} is not within its type")
                return constant(value, type_, self._arithmetic)
            case ts.Read(variable):
                return self._lookup(variable)
            case ts.Element(array, index):
                element = self._named(f"(select {self._lookup(array)} {self.index(index)})", expression.type)
                if (fact := in_range(element, expression.type, self._arithmetic)) is not None:
                    self._assumed(fact)
                return element
            case ts.Convert(operand, type_):
                return self._converted(self.term(operand), operand.type, type_)
            case ts.Choose(condition, then, otherwise):
                return f"(ite {self.term(condition)} {self.term(then)} {self.term(otherwise)})"
            case ts.Apply(operator, operands, type_):
                return self._applied(operator, operands, type_)

    def index(self, index: ts.Expression) -> str:
        """The index of an element."""
        if self._arithmetic is not Arithmetic.BITS:
            return self._as_integer(self.term(index), index.type)
        return self._converted(self.term(index), index.type, INDEX)

    def _converted(self, term: str, given: ts.Scalar, wanted: ts.Scalar) -> str:
        if given == wanted:
            return term
        if wanted == ts.BOOL:
            return f"(not (= {term} {constant(0, given, self._arithmetic)}))"
        if given == ts.BOOL:
            return f"(ite {term} {constant(1, wanted, self._arithmetic)} {constant(0, wanted, self._arithmetic)})"
        if is_vector(wanted, self._arithmetic):
            if not is_vector(given, self._arithmetic):
                return f"((_ int_to_bv {wanted.width}) {term})"
            if wanted.width <= given.width:
                return f"((_ extract {wanted.width - 1} 0) {term})"
            return f"((_ {'sign' if given.signed else 'zero'}_extend {wanted.width - given.width}) {term})"
        return self._fitted(self._as_integer(term, given), wanted)

    def _as_integer(self, term: str, given: ts.Scalar) -> str:
        """The value of a term of a type, as an integer."""
        if given == ts.BOOL:
            return f"(ite {term} 1 0)"
        if is_vector(given, self._arithmetic):
            return self._read_back(term, given)
        return term

    def _fitted(self, term: str, type_: ts.Scalar) -> str:
        """The integer *term* as a value of a type whose values are integers, too."""
        if type_ == ts.UNBOUNDED:
            return term
        if self._arithmetic is Arithmetic.WRAPPING:
            half = 1 << (type_.width - 1) if type_.signed else 0
            modulus = 1 << type_.width
            return f"(- (mod (+ {term} {half}) {modulus}) {half})" if half else f"(mod {term} {modulus})"
        name = self._named(term, type_)
        claim = in_range(name, type_, self._arithmetic)
        assert claim is not None
        self._needed(claim)
        return name

    def _applied(self, operator: ts.Operator, operands: tuple[ts.Expression, ...], type_: ts.Scalar) -> str:
        terms = [self.term(operand) for operand in operands]
        of = operands[0].type
        if any(operand.type != of for operand in operands):
            raise InapplicableError("the operands have different types")
        if operator.connects:
            if of != ts.BOOL:
                raise InapplicableError("the operands are no truth values")
            sign = {ts.Operator.NOT: "not", ts.Operator.AND: "and", ts.Operator.OR: "or"}[operator]
            return f"({sign} {' '.join(terms)})"
        if operator is ts.Operator.EQ:
            return f"(= {terms[0]} {terms[1]})"
        if operator is ts.Operator.NE:
            return f"(not (= {terms[0]} {terms[1]}))"
        if operator.compares:
            if is_vector(of, self._arithmetic):
                return f"({_VECTOR_ORDERS[operator][of.signed]} {terms[0]} {terms[1]})"
            left, right = (self._as_integer(term, of) for term in terms)
            return f"({operator.value} {left} {right})"
        if of != type_:
            raise InapplicableError("the result has another type than the operands")
        if type_ == ts.BOOL:
            if operator is ts.Operator.BIT_NOT or operator not in _TRUTHS:
                raise InapplicableError("arithmetic on truth values")
            return f"({_TRUTHS[operator]} {terms[0]} {terms[1]})"
        if is_vector(type_, self._arithmetic):
            return self._of_vectors(operator, terms, type_)
        return self._of_integers(operator, terms, type_)

    @staticmethod
    def _of_vectors(operator: ts.Operator, terms: list[str], type_: ts.Scalar) -> str:
        if operator is ts.Operator.NEG:
            return f"(bvneg {terms[0]})"
        if operator is ts.Operator.BIT_NOT:
            return f"(bvnot {terms[0]})"
        sign = _VECTOR_SIGNS.get(operator) or _VECTOR_ORDERS[operator][type_.signed]
        return f"({sign} {terms[0]} {terms[1]})"

    def _of_integers(self, operator: ts.Operator, terms: list[str], type_: ts.Scalar) -> str:
        if operator in _SIGNS:
            return self._fitted(f"({_SIGNS[operator]} {terms[0]} {terms[1]})", type_)
        if operator is ts.Operator.NEG:
            return self._fitted(f"(- {terms[0]})", type_)
        if operator is ts.Operator.DIV:  # SMT-LIB's remainder is never negative
            one, other = terms
            return self._fitted(f"(ite (>= {one} 0) (div {one} {other}) (- (div (- {one}) {other})))", type_)
        if operator is ts.Operator.REM:
            one, other = terms
            return f"(ite (>= {one} 0) (mod {one} {other}) (- (mod (- {one}) {other})))"
        if type_ == ts.UNBOUNDED:
            raise InapplicableError("bit operations on numbers of any size")
        if operator is ts.Operator.BIT_NOT:
            return f"(- {numeral(type_.least + type_.greatest)} {terms[0]})"
        if operator is ts.Operator.SHL:
            return self._fitted(f"(* {terms[0]} {self._power(terms[1], type_)})", type_)
        if operator is ts.Operator.SHR:
            return f"(div {terms[0]} {self._power(terms[1], type_)})"
        vectors = [f"((_ int_to_bv {type_.width}) {term})" for term in terms]
        return self._read_back(f"({_VECTOR_SIGNS[operator]} {vectors[0]} {vectors[1]})", type_)

    @staticmethod
    def _power(exponent: str, type_: ts.Scalar) -> str:
        """2^exponent, which is within the width of the type."""
        if exponent.isdecimal():
            return str(1 << int(exponent))
        term = "1"
        for bit in range(1, type_.width):
            term = f"(ite (= {exponent} {bit}) {1 << bit} {term})"
        return term

    def _read_back(self, vector: str, type_: ts.Scalar) -> str:
        """The integer that a bit-vector of a type stands for."""
        name = self._named(f"(ubv_to_int {vector})", ts.UNBOUNDED)
        if not type_.signed:
            return name
        return f"(ite (< {name} {1 << (type_.width - 1)}) {name} (- {name} {1 << type_.width}))"
