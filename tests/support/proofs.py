"""Proofs of the systems made by hand, written by hand: for the tests of what checks proofs."""

import re
from itertools import product

from cseq.modules.deductive.proofs import OUTSIDE, Arithmetic, Invariant, InvariantKind, Place, Proof
from cseq.modules.deductive.transitions import System

_ORDERS = {"<=": "bvsle", "<": "bvslt", ">=": "bvsge", ">": "bvsgt", "+": "bvadd"}


def invariant(system: System, key: tuple[Place, ...], term: str) -> Invariant:
    """A formula about all that it may be about."""
    parameters = [(variable.name, variable) for variable in system.shared]
    for number, (name, _) in enumerate(key, 1):
        for variable in system.template(name).locals:
            parameters.append((variable.name if len(key) == 1 else f"{variable.name}!{number}", variable))
    return Invariant(tuple(parameters), term)


def proof(
    system: System,
    invariant_kind: InvariantKind,
    terms: dict[tuple[Place, ...], str],
    arithmetic: Arithmetic = Arithmetic.EXACT,
) -> Proof:
    """A proof with these formulas. For bits, the signs of integers are replaced; all numbers have 32 bits."""
    if arithmetic is Arithmetic.BITS:
        terms = {key: _in_bits(term) for key, term in terms.items()}
    return Proof(invariant_kind, arithmetic, {key: invariant(system, key, term) for key, term in terms.items()}, "hand")


def _in_bits(term: str) -> str:
    words = re.findall(r"[()]|[^\s()]+", term)
    return " ".join(_ORDERS.get(word, f"(_ bv{word} 32)" if word.isdecimal() else word) for word in words)


def of_counter(system: System, arithmetic: Arithmetic = Arithmetic.EXACT) -> Proof:
    """Modular: `little <= large` whenever the lock is free, and what a thread knows that holds it."""
    free = "(=> (= owner 0) (<= little large))"
    mine = "(not (= owner 0)) (= owner worker_id)"
    held = f"(and {mine} (<= little large))"
    stored = f"(and {mine} (= little worker_amount))"
    places = [free, held, stored, held, free, held, held]
    terms = {(("worker", number),): term for number, term in enumerate(places)}
    return proof(system, InvariantKind.MODULAR, {**terms, (("main", 0),): free}, arithmetic)


def of_peterson(system: System, arithmetic: Arithmetic = Arithmetic.EXACT) -> Proof:
    """Pairs: what each flag is, who has to wait, and who is inside."""
    nobody = "(and (= flag1 0) (= flag2 0) (= inside 0))"
    terms: dict[tuple[Place, ...], str] = {
        (("main", 0), ("one", OUTSIDE)): nobody,
        (("main", 0), ("two", OUTSIDE)): nobody,
        (("one", OUTSIDE), ("two", OUTSIDE)): nobody,
        (("main", 1), ("two", OUTSIDE)): "(and (= flag2 0) (=> (= flag1 0) (= inside 0)))",
    }
    for place in range(6):
        first, second = (f"(= {flag} {int(place > 0)})" for flag in ("flag1", "flag2"))
        alone = f"(and {first} (= flag2 0) (= inside {int(place == 4)}))"
        terms[("main", 1), ("one", place)] = terms[("one", place), ("two", OUTSIDE)] = alone
        for name, flag, other, mine in (("one", first, "flag2", 1), ("two", second, "flag1", 2)):
            if place in (3, 4):
                empty = f"(= inside {int(place == 4)})"
            else:
                empty = f"(=> (or (= {other} 0) {f'(= turn {mine})' if place == 2 else 'false'}) (= inside 0))"
            terms[("main", 2), (name, place)] = f"(and {flag} {empty})"
    for one, two in product(range(6), range(6)):
        if one in (3, 4) and two in (3, 4):
            continue
        facts = [f"(= flag1 {int(one > 0)}) (= flag2 {int(two > 0)}) (= inside {int(one == 4 or two == 4)})"]
        if one in (3, 4) and two == 2:
            facts.append("(= turn 1)")
        if two in (3, 4) and one == 2:
            facts.append("(= turn 2)")
        if one == two == 2:
            facts.append("(or (= turn 1) (= turn 2))")
        terms[("one", one), ("two", two)] = f"(and {' '.join(facts)})"
    return proof(system, InvariantKind.PAIRS, terms, arithmetic)


def of_pair(system: System, arithmetic: Arithmetic = Arithmetic.EXACT) -> Proof:
    """Product: the total is the sum of what the threads have added."""
    terms: dict[tuple[Place, ...], str] = {}
    for main, one, two in product((0, 1, 2, OUTSIDE), (OUTSIDE, 0, 1), (OUTSIDE, 0, 1)):
        facts, sum_ = [], []
        for number, place, begun in ((2, one, main != 0), (3, two, main not in (0, 1))):
            done = f"{('one', 'two')[number - 2]}_done!{number}"
            if place == 1:
                facts.append(f"(<= 0 {done}) (<= {done} 100)")
            sum_.append(done if place == 1 else "100" if begun and place == OUTSIDE else "0")
        if (main == 0 and (one, two) != (OUTSIDE, OUTSIDE)) or (main == 1 and two != OUTSIDE):
            continue
        key = (("main", main), ("one", one), ("two", two))
        terms[key] = f"(and {' '.join(facts)} (= total (+ {' '.join(sum_)})))"
    return proof(system, InvariantKind.PRODUCT, terms, arithmetic)
