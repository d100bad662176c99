"""Expressions as terms of SMT-LIB over mathematical integers: exact ones, and ones that wrap around."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from cseq.c.integer_operators import quotient
from cseq.model.errors import UnsupportedError
from cseq.modules.deductive import transitions as ts

_OPPOSITE = {
    ts.Operator.LT: ts.Operator.GE, ts.Operator.LE: ts.Operator.GT, ts.Operator.GT: ts.Operator.LE,
    ts.Operator.GE: ts.Operator.LT,
    ts.Operator.NE: ts.Operator.EQ,
}  # fmt: skip
_MIRRORED = {
    ts.Operator.LT: ts.Operator.GT, ts.Operator.LE: ts.Operator.GE, ts.Operator.GT: ts.Operator.LT,
    ts.Operator.GE: ts.Operator.LE,
    ts.Operator.EQ: ts.Operator.EQ,
}  # fmt: skip
COMPARED = {ts.Operator.LT: "<", ts.Operator.LE: "<=", ts.Operator.GT: ">", ts.Operator.GE: ">="}


@dataclass(frozen=True)
class Term:
    """A term, and the least and the greatest value that it can have, if that is known; those of a BOOL are 0 and 1."""

    text: str
    least: int | None = None
    greatest: int | None = None

    @property
    def constant(self) -> int | None:
        return self.least if self.least == self.greatest else None


Bounds = dict[str, tuple[int | None, int | None]]
"""What is known of terms: their least and their greatest values."""

TRUE, FALSE = Term("true", 1, 1), Term("false", 0, 0)


def whole(number: int) -> Term:
    """An integer as a term."""
    return Term(str(number) if number >= 0 else f"(- {-number})", number, number)


def limited(text: str, type: ts.Scalar) -> Term:
    """A term whose value is within its type."""
    return Term(text, type.least, type.greatest) if type.width else Term(text)


def negation(text: str) -> str:
    """The term that is true if *text* is false."""
    if text in ("true", "false"):
        return "false" if text == "true" else "true"
    return text[5:-1] if text.startswith("(not ") else f"(not {text})"


def conjunction(texts: list[str]) -> str:
    """The term that is true if all *texts* are."""
    kept = list(dict.fromkeys(text for text in texts if text != "true"))
    if "false" in kept:
        return "false"
    return kept[0] if len(kept) == 1 else f"(and {' '.join(kept)})" if kept else "true"


@dataclass
class IntegerTerm:
    """What an expression is. needs: what must hold, lest something is not within its type. given: what is certain."""

    term: Term
    needs: list[str] = field(default_factory=list)
    given: list[str] = field(default_factory=list)


def within(term: Term, type: ts.Scalar) -> str:
    """That the value of *term* is within *type*, as far as that is not known."""
    if not type.width:
        return "true"
    low = term.least is not None and term.least >= type.least
    high = term.greatest is not None and term.greatest <= type.greatest
    return conjunction(
        [
            "true" if low else f"(<= {whole(type.least).text} {term.text})",
            "true" if high else f"(<= {term.text} {whole(type.greatest).text})",
        ]
    )


def learnt(condition: ts.Expression, values: Mapping[ts.Variable, str], bounds: Bounds) -> None:
    """Add to *bounds* what a condition that holds says of variables with *values*."""
    match condition:
        case ts.Apply(ts.Operator.AND, operands):
            for operand in operands:
                learnt(operand, values, bounds)
        case ts.Apply(ts.Operator.NOT, (ts.Apply(operator, (left, right)),)) if operator in _OPPOSITE:
            learnt(ts.Apply(_OPPOSITE[operator], (left, right), ts.BOOL), values, bounds)
        case ts.Apply(operator, (ts.Number(), ts.Read()) as operands) if operator in _MIRRORED:
            learnt(ts.Apply(_MIRRORED[operator], operands[::-1], ts.BOOL), values, bounds)
        case ts.Apply(operator, (ts.Read(variable), ts.Number(number, type))) if (
            operator in _MIRRORED and type != ts.BOOL
        ):
            least, greatest = bounds.get(values[variable], (None, None))
            low = {ts.Operator.GT: number + 1, ts.Operator.GE: number, ts.Operator.EQ: number}.get(operator)
            high = {ts.Operator.LT: number - 1, ts.Operator.LE: number, ts.Operator.EQ: number}.get(operator)
            if low is not None:
                least = low if least is None else max(least, low)
            if high is not None:
                greatest = high if greatest is None else min(greatest, high)
            bounds[values[variable]] = (least, greatest)


class Integers:
    """Mathematical integers. exact: nothing may wrap around; otherwise values are reduced modulo 2^width."""

    def __init__(self, exact: bool) -> None:
        self.exact = exact

    def sort(self, type: ts.Scalar | ts.Array) -> str:
        """The sort of the values of *type*."""
        if isinstance(type, ts.Array):
            return f"(Array Int {self.sort(type.element)})"
        return "Bool" if type == ts.BOOL else "Int"

    def number(self, number: int, type: ts.Scalar) -> str:
        """A constant."""
        return ("true" if number else "false") if type == ts.BOOL else whole(number).text

    def range(self, text: str, type: ts.Scalar | ts.Array) -> str:
        """What is certain of a value of *type*."""
        return "true" if isinstance(type, ts.Array) or type == ts.BOOL else within(Term(text), type)

    def index(self, text: str, type: ts.Scalar) -> str:
        """A value of *type* as an index of an array."""
        return f"(ite {text} 1 0)" if type == ts.BOOL else text

    def evaluate(
        self, expression: ts.Expression, values: Mapping[ts.Variable, str], bounds: Bounds | None = None
    ) -> IntegerTerm:
        """The value of *expression* where variables have *values*. UnsupportedError if it is none of integers'.

        bounds: what is known of terms.
        """
        evaluation = _Evaluation(self.exact, values, bounds or {})
        term = evaluation.value(expression)
        return IntegerTerm(term, evaluation.needs, evaluation.given)


class _Evaluation:
    """The evaluation of one expression."""

    def __init__(self, exact: bool, values: Mapping[ts.Variable, str], bounds: Bounds) -> None:
        self.exact = exact
        self.values = values
        self.bounds = bounds
        self.needs: list[str] = []
        self.given: list[str] = []

    def value(self, expression: ts.Expression) -> Term:
        match expression:
            case ts.Number(number, type):
                return (TRUE if number else FALSE) if type == ts.BOOL else whole(number)
            case ts.Read(variable):
                return self._stored(self.values[variable], expression.type)
            case ts.Element(array, index):
                place = self.value(index)
                at = f"(ite {place.text} 1 0)" if index.type == ts.BOOL else place.text
                text = f"(select {self.values[array]} {at})"
                if expression.type != ts.BOOL:
                    self.given.append(within(Term(text), expression.type))
                return self._stored(text, expression.type)
            case ts.Convert(operand, type):
                return self._converted(self.value(operand), operand.type, type)
            case ts.Choose(condition, then, otherwise):
                return self._chosen(self.value(condition), self.value(then), self.value(otherwise))
            case ts.Apply(operator, operands, type):
                terms = [self.value(operand) for operand in operands]
                if operator.connects or operands[0].type == ts.BOOL:
                    return _logical(operator, terms)
                if operator.compares:
                    return _compared(operator, *terms)
                return self._fit(self._arithmetic(operator, terms, type), type)
        raise AssertionError(expression)

    def _stored(self, text: str, type: ts.Scalar) -> Term:
        """What a variable has; its text may be a constant."""
        if text in ("true", "false"):
            return TRUE if text == "true" else FALSE
        if text.isdigit():
            return whole(int(text))
        if text.startswith("(- ") and text[3:-1].isdigit():
            return whole(-int(text[3:-1]))
        least, greatest = self.bounds.get(text, (None, None))
        if not type.width:
            return Term(text, least, greatest)
        low = type.least if least is None else max(least, type.least)
        high = type.greatest if greatest is None else min(greatest, type.greatest)
        return Term(text, low, high) if low <= high else limited(text, type)

    def _converted(self, term: Term, before: ts.Scalar, after: ts.Scalar) -> Term:
        if before == after:
            return term
        if after == ts.BOOL:
            return _compared(ts.Operator.NE, term, whole(0))
        if before == ts.BOOL:
            if term.constant is not None:
                return whole(term.constant)
            return Term(f"(ite {term.text} 1 0)", 0, 1)
        return self._fit(term, after)

    @staticmethod
    def _chosen(condition: Term, then: Term, otherwise: Term) -> Term:
        if condition.constant is not None:
            return then if condition.constant else otherwise
        if then.text == otherwise.text:
            return then
        text = f"(ite {condition.text} {then.text} {otherwise.text})"
        if (then.text, otherwise.text) == ("true", "false"):
            text = condition.text
        least = None if then.least is None or otherwise.least is None else min(then.least, otherwise.least)
        most = None if then.greatest is None or otherwise.greatest is None else max(then.greatest, otherwise.greatest)
        return Term(text, least, most)

    def _fit(self, term: Term, type: ts.Scalar) -> Term:
        """A mathematical result as a value of *type*."""
        if not type.width or within(term, type) == "true":
            return term
        if self.exact:
            if term.constant is not None:
                self.needs.append("false")
            self.needs.append(within(term, type))
            return limited(term.text, type)
        size = 1 << type.width
        if term.constant is not None:
            reduced = term.constant % size
            return whole(reduced - size if reduced > type.greatest else reduced)
        least, greatest = term.least, term.greatest
        if least is None or greatest is None or least < type.least - size or greatest > type.greatest + size:
            if not type.signed:
                return limited(f"(mod {term.text} {size})", type)
            return limited(f"(- (mod (+ {term.text} {size // 2}) {size}) {size // 2})", type)
        text = term.text
        if greatest > type.greatest:
            text = f"(ite (> {term.text} {whole(type.greatest).text}) (- {term.text} {size}) {text})"
        if least < type.least:
            text = f"(ite (< {term.text} {whole(type.least).text}) (+ {term.text} {size}) {text})"
        return limited(text, type)

    def _arithmetic(self, operator: ts.Operator, terms: list[Term], type: ts.Scalar) -> Term:
        """The mathematical result of an operator."""
        if len(terms) == 1:
            minus = _spread("-", lambda x: -x, terms[0])
            return minus if operator is ts.Operator.NEG else _inverted(terms[0], type)
        left, right = terms
        match operator:
            case ts.Operator.ADD:
                return _sum(left, right)
            case ts.Operator.SUB:
                return _spread("-", lambda x, y: x - y, left, right)
            case ts.Operator.MUL:
                return _spread("*", lambda x, y: x * y, left, right)
            case ts.Operator.DIV | ts.Operator.REM:
                return _divided(operator, left, right)
            case ts.Operator.BIT_AND | ts.Operator.BIT_OR | ts.Operator.BIT_XOR:
                return _bitwise(operator, left, right, type)
            case ts.Operator.SHL | ts.Operator.SHR:
                return self._shifted(operator, left, right, type)
        raise AssertionError(operator)

    def _shifted(self, operator: ts.Operator, left: Term, right: Term, type: ts.Scalar) -> Term:
        if right.constant is not None:
            return _shift(operator, left, min(max(right.constant, 0), type.width))
        chosen = _shift(operator, left, type.width - 1)
        for distance in reversed(range(type.width - 1)):
            chosen = self._chosen(Term(f"(= {right.text} {distance})"), _shift(operator, left, distance), chosen)
        return chosen


def _shift(operator: ts.Operator, term: Term, distance: int) -> Term:
    if operator is ts.Operator.SHL:
        return _spread("*", lambda x, y: x * y, term, whole(1 << distance))
    return _spread("div", lambda x, y: x // y, term, whole(1 << distance))


def _spread(name: str, function: Callable[..., int], *terms: Term) -> Term:
    """The application of a function, whose extreme values are where those of its operands are."""
    bounds: list[list[int]] = [[]]
    for term in terms:
        if term.least is None or term.greatest is None:
            return Term(f"({name} {' '.join(part.text for part in terms)})")
        bounds = [[*chosen, bound] for chosen in bounds for bound in (term.least, term.greatest)]
    values = [function(*chosen) for chosen in bounds]
    if min(values) == max(values):
        return whole(values[0])
    return Term(f"({name} {' '.join(part.text for part in terms)})", min(values), max(values))


def _sum(left: Term, right: Term) -> Term:
    if left.constant == 0 or right.constant == 0:
        return right if left.constant == 0 else left
    return _spread("+", lambda x, y: x + y, left, right)


def _inverted(term: Term, type: ts.Scalar) -> Term:
    """All bits inverted."""
    return _spread("-", lambda x, y: x - y, whole(-1 if type.signed else type.greatest), term)


def _divided(operator: ts.Operator, left: Term, right: Term) -> Term:
    """The quotient or the remainder of a division that truncates toward zero; those of SMT-LIB's round down."""
    name = "div" if operator is ts.Operator.DIV else "mod"
    if left.constant is not None and right.constant:
        found = quotient(left.constant, right.constant)
        return whole(found if operator is ts.Operator.DIV else left.constant - found * right.constant)
    divisor = right.text
    if right.constant is not None:
        divisor = whole(abs(right.constant)).text
    elif right.least is None or right.least < 0:
        divisor = f"(ite (< {right.text} 0) (- {right.text}) {right.text})"
    is_nonnegative = left.least is not None and left.least >= 0
    result = f"({name} {left.text} {divisor})"
    if not is_nonnegative:
        result = f"(ite (< {left.text} 0) (- ({name} (- {left.text}) {divisor})) {result})"
    if operator is ts.Operator.DIV and right.constant is not None and right.constant < 0:
        result = f"(- {result})"
    elif operator is ts.Operator.DIV and right.constant is None and (right.least is None or right.least < 0):
        result = f"(ite (< {right.text} 0) (- {result}) {result})"
    if left.least is None or left.greatest is None:
        return Term(result)
    extent = max(abs(left.least), abs(left.greatest))
    if operator is ts.Operator.REM:
        extent = min(extent, abs(right.constant) - 1) if right.constant else extent
        return Term(result, 0 if is_nonnegative else -extent, 0 if left.greatest <= 0 else extent)
    if right.least is not None and right.least >= 0:
        return Term(result, min(left.least, 0), max(left.greatest, 0))
    if right.greatest is not None and right.greatest < -1:
        extent //= 2
    return Term(result, -extent, extent)


def _bitwise(operator: ts.Operator, left: Term, right: Term, type: ts.Scalar) -> Term:
    """And, or, exclusive or: where one operand is a constant, and of 0 and 1."""
    if left.constant is not None:
        left, right = right, left
    if right.constant is None:
        if {left.least, left.greatest, right.least, right.greatest} == {0, 1}:
            bits = f"(= {left.text} 1) (= {right.text} 1)"
            name = {ts.Operator.BIT_AND: "and", ts.Operator.BIT_OR: "or", ts.Operator.BIT_XOR: "distinct"}[operator]
            return Term(f"(ite ({name} {bits}) 1 0)", 0, 1)
        raise UnsupportedError(f"`{operator.value}` of two variables as integers")
    mask = right.constant
    if left.constant is not None:
        table = {ts.Operator.BIT_AND: left.constant & mask, ts.Operator.BIT_OR: left.constant | mask}
        return whole(table.get(operator, left.constant ^ mask))
    both = _masked(left, mask)
    if operator is ts.Operator.BIT_AND:
        return both if mask >= 0 else limited(both.text, type)
    if mask == 0:
        return left
    times = both.text if operator is ts.Operator.BIT_OR else f"(* 2 {both.text})"
    return limited(f"(- (+ {left.text} {right.text}) {times})", type)


def _masked(term: Term, mask: int) -> Term:
    """The bits of *term* that are in *mask*."""
    if mask < 0:  # all others but some
        return Term(f"(- {term.text} {_masked(term, ~mask).text})") if ~mask else term
    width = mask.bit_length() + 1
    if term.least is not None and term.greatest is not None and term.least >= 0:
        width = term.greatest.bit_length()
        mask &= (1 << width) - 1
    runs = [*_runs(mask)]
    if not runs:
        return whole(0)
    pieces = []
    for low, high in runs:
        part = term.text if high == width else f"(mod {term.text} {1 << high})"
        pieces.append(part if low == 0 else f"(- {part} (mod {term.text} {1 << low}))")
    return Term(pieces[0] if len(pieces) == 1 else f"(+ {' '.join(pieces)})", 0, mask)


def _runs(mask: int) -> Iterator[tuple[int, int]]:
    """The runs of bits in *mask*, from a first to before a last."""
    low = 0
    while mask >> low:
        if not mask >> low & 1:
            low += 1
            continue
        high = low
        while mask >> high & 1:
            high += 1
        yield low, high
        low = high


def _compared(operator: ts.Operator, left: Term, right: Term) -> Term:
    """A comparison of integers."""
    if operator in (ts.Operator.EQ, ts.Operator.NE):
        truth: Term | None = None
        if left.constant is not None and right.constant is not None:
            truth = TRUE if left.constant == right.constant else FALSE
        elif _apart(left, right) or _apart(right, left):
            truth = FALSE
        elif left.text == right.text:
            truth = TRUE
        equal = truth or Term(_boolean(left, right) or f"(= {left.text} {right.text})", 0, 1)
        return equal if operator is ts.Operator.EQ else _logical(ts.Operator.NOT, [equal])
    if left.constant is not None and right.constant is not None:
        holds = {"<": left.constant < right.constant, "<=": left.constant <= right.constant}
        holds |= {">": left.constant > right.constant, ">=": left.constant >= right.constant}
        return TRUE if holds[operator.value] else FALSE
    return Term(f"({COMPARED[operator]} {left.text} {right.text})", 0, 1)


def _apart(low: Term, high: Term) -> bool:
    return low.greatest is not None and high.least is not None and low.greatest < high.least


def _boolean(left: Term, right: Term) -> str | None:
    """`(ite c 1 0) = 1` and the like as c."""
    if left.constant is not None:
        left, right = right, left
    if right.constant in (0, 1) and left.text.startswith("(ite ") and left.text.endswith(" 1 0)"):
        condition = left.text[5:-5]
        if _balanced(condition):
            return condition if right.constant == 1 else negation(condition)
    return None


def _balanced(text: str) -> bool:
    """Whether *text* is one term."""
    depth = 0
    for position, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if depth < 0 or (depth == 0 and letter in " )" and position + 1 < len(text)):
            return False
    return depth == 0


def _logical(operator: ts.Operator, terms: list[Term]) -> Term:
    """Connectives, and operators of BOOLs."""
    texts = [term.text for term in terms]
    match operator:
        case ts.Operator.NOT | ts.Operator.BIT_NOT:
            return _truth(negation(texts[0]))
        case ts.Operator.AND | ts.Operator.BIT_AND | ts.Operator.MUL:
            return _truth(conjunction(texts))
        case ts.Operator.OR | ts.Operator.BIT_OR:
            return _truth(negation(conjunction([negation(text) for text in texts])))
        case ts.Operator.EQ | ts.Operator.NE | ts.Operator.BIT_XOR:
            equal = _equal(*texts)
            return _truth(equal if operator is ts.Operator.EQ else negation(equal))
        case ts.Operator.LT:
            return _truth(conjunction([negation(texts[0]), texts[1]]))
        case ts.Operator.GT:
            return _truth(conjunction([texts[0], negation(texts[1])]))
        case ts.Operator.LE:
            return _truth(negation(conjunction([texts[0], negation(texts[1])])))
        case ts.Operator.GE:
            return _truth(negation(conjunction([negation(texts[0]), texts[1]])))
    raise UnsupportedError(f"`{operator.value}` of truth values")


def _equal(left: str, right: str) -> str:
    for one, other in ((left, right), (right, left)):
        if one in ("true", "false"):
            return other if one == "true" else negation(other)
    return "true" if left == right else f"(= {left} {right})"


def _truth(text: str) -> Term:
    return TRUE if text == "true" else FALSE if text == "false" else Term(text, 0, 1)
