"""Formulas of SMT-LIB for what a counting search has reached."""

from dataclasses import dataclass
from math import inf

from cseq.modules.deductive.karp_miller.locals import Local
from cseq.modules.deductive.karp_miller.states import KarpMillerSearch
from cseq.modules.deductive.karp_miller.steps import TemplateProgram
from cseq.modules.deductive.karp_miller.values import MINE, Data, Unknown, Value
from cseq.modules.deductive.proofs import Arithmetic
from cseq.modules.deductive.transitions import BOOL, UNBOUNDED, Array, Expression, Scalar, Template, Variable

LONGEST = 1_000_000
"""Characters of an invariant; one that is longer is of no use."""


class TooWeakError(Exception):
    """What some threads know does not prove that no check fails, or it is too much."""


@dataclass(frozen=True)
class Subject:
    """A thread that a formula is about. suffix: of the symbols of its locals."""

    local: Local
    template: Template
    suffix: str


class Formulas:
    """Makes formulas of states. Each state is a row of parts, one per slot, all of which hold."""

    def __init__(self, search: KarpMillerSearch, arithmetic: Arithmetic) -> None:
        self._stepper = search.stepper
        self._arithmetic = arithmetic
        self._numbers = self._stepper.programs[0].evaluation.numbers
        self._disjunctions: dict[frozenset[tuple[str, ...]], str] = {}

    def row(self, shared: tuple[Value, ...], threads: list[Subject]) -> tuple[str, ...]:
        """What holds of the shared variables, and of the locals of *threads*."""
        slots = self._stepper.programs[0].slots.variables
        parts = [
            self._part(value, *slots[slot], slots[slot][0].name, threads, slot) for slot, value in enumerate(shared)
        ]
        for thread in threads:
            program = self._stepper.programs[thread.local.template]
            for value, (variable, index) in zip(
                thread.local.values, program.slots.variables[program.slots.shared :], strict=True
            ):
                parts.append(self._part(value, variable, index, variable.name + thread.suffix, [thread], None))
            parts.append(self._equal(thread))
        return tuple(parts)

    def _equal(self, thread: Subject) -> str:
        """Which of the variables that a thread knows have the same value, although it is not known."""
        program = self._stepper.programs[thread.local.template]
        places: dict[Expression, list[str]] = {}
        for slot, value in enumerate(thread.local.values, program.slots.shared):
            if isinstance(value, Data):
                places.setdefault(value.term, []).append(self._symbol(program, slot, thread.suffix))
        for slot, term in sorted(thread.local.links, key=lambda link: link[0]):
            places.setdefault(term, []).append(self._symbol(program, slot, ""))
        same = [f"(= {names[0]} {name})" for names in places.values() for name in names[1:]]
        return f"(and {' '.join(same)})" if len(same) > 1 else "".join(same)

    def _symbol(self, program: TemplateProgram, slot: int, suffix: str) -> str:
        variable, index = program.slots.variables[slot]
        if isinstance(variable.type, Array):
            return f"(select {variable.name}{suffix} {self._constant(index, Scalar(64, True))})"
        return variable.name + suffix

    def _part(
        self, value: Value, variable: Variable, index: int, symbol: str, threads: list[Subject], slot: int | None
    ) -> str:
        """What holds of one slot. *slot*: its number if it is shared."""
        scalar = variable.type
        if isinstance(scalar, Array):
            scalar = scalar.element
            symbol = f"(select {symbol} {self._constant(index, Scalar(64, True))})"
        if isinstance(value, Unknown | Data):
            return ""  # said by `_equal`
        if isinstance(value, int):
            return (
                (symbol if value else f"(not {symbol})")
                if scalar == BOOL
                else f"(= {symbol} {self._constant(value, scalar)})"
            )
        known = [f"(not (= {symbol} {self._constant(number, scalar)}))" for number in sorted(value.others)]
        known += [
            f"(not (= {symbol} {self._constant(number + value.offset, scalar)}))" for number in sorted(self._numbers)
        ]
        if value.least > -inf and scalar == UNBOUNDED:
            known.append(f"(>= {symbol} {self._constant(int(value.least), scalar)})")
        for thread in threads:
            if thread.template.identity is None or not thread.template.is_replicated:
                continue
            own = thread.template.identity
            term = self._identity(own, own.name + thread.suffix, value.offset, scalar)
            is_own = value.whose == MINE if slot is None else slot in thread.local.names
            if term is not None and symbol != own.name + thread.suffix:
                known.append(f"(= {symbol} {term})" if is_own else f"(not (= {symbol} {term}))")
        return f"(and {' '.join(known)})" if len(known) > 1 else "".join(known)

    def _constant(self, number: int, scalar: Scalar) -> str:
        if scalar == BOOL:
            return "true" if number else "false"
        if self._arithmetic is Arithmetic.BITS and scalar != UNBOUNDED:
            return f"(_ bv{number % (1 << scalar.width)} {scalar.width})"
        return str(number) if number >= 0 else f"(- {-number})"

    def _identity(self, variable: Variable, symbol: str, offset: int, scalar: Scalar) -> str | None:
        """An identity and a constant, as a value of another type; None if nothing is said of it."""
        own = variable.type
        if isinstance(own, Array) or scalar == BOOL:
            return None
        if self._arithmetic is not Arithmetic.BITS or scalar == own == UNBOUNDED:
            term = f"(+ {symbol} {self._constant(offset, UNBOUNDED)})" if offset else symbol
            if scalar in (own, UNBOUNDED) and (not offset or scalar == UNBOUNDED):
                return term
            half = 1 << (scalar.width - 1) if scalar.signed else 0
            return f"(- (mod (+ {term} {half}) {1 << scalar.width}) {half})"
        if UNBOUNDED in (own, scalar) or scalar.width < own.width:
            return None
        extended = f"((_ {'sign' if own.signed else 'zero'}_extend {scalar.width - own.width}) {symbol})"
        term = symbol if scalar.width == own.width else extended
        return f"(bvadd {term} {self._constant(offset, scalar)})" if offset else term

    def disjunction(self, rows: frozenset[tuple[str, ...]]) -> str:
        """That one of the rows holds."""
        if not next(iter(rows)):
            return "true"
        known = self._disjunctions.get(rows)
        if known is None:
            known = self._disjunctions[rows] = self._disjoined(rows)
            if len(known) > LONGEST:
                raise TooWeakError("the invariant is too long")
        return known

    def _disjoined(self, rows: frozenset[tuple[str, ...]]) -> str:
        groups: dict[str, set[tuple[str, ...]]] = {}
        for row in rows:
            groups.setdefault(row[0], set()).add(row[1:])
        together: dict[frozenset[tuple[str, ...]], list[str]] = {}
        for first, rests in groups.items():
            together.setdefault(frozenset(rests), []).append(first)
        cases = []
        for followers, firsts in together.items():
            parts = ["true" if "" in firsts else _joined("or", sorted(firsts)), self.disjunction(followers)]
            cases.append(_joined("and", [part for part in parts if part != "true"]))
        return "true" if "true" in cases else _joined("or", sorted(cases))


def _joined(operator: str, parts: list[str]) -> str:
    return f"({operator} {' '.join(parts)})" if len(parts) > 1 else parts[0] if parts else "true"
