"""What a counting search knows of a state, as formulas."""

import time
from math import inf

from cseq.modules.deductive.karp_miller.formulas import Formulas, Subject
from cseq.modules.deductive.karp_miller.locals import Local
from cseq.modules.deductive.karp_miller.search import search
from cseq.modules.deductive.karp_miller.states import Precision
from cseq.modules.deductive.karp_miller.values import ANY, MINE, SOMEBODY, Data, Identity, symbol
from cseq.modules.deductive.proofs import Arithmetic
from cseq.modules.deductive.transitions import INT, Read, System
from tests.support.systems import assume, check, local, one_each, put, shared, template

OWNER, DATA = shared("owner"), shared("data")
OWN = local("worker", "own")
MY = Read(local("worker", "id"))
WORKER = template(
    "worker", None,
    [(0, 1, [assume(OWNER, "==", 0), put(OWNER, MY)]), (1, 2, [check(OWNER, "==", MY), assume(DATA, "==", OWN)])],
    [OWN],
)  # fmt: skip
SYSTEM = System([OWNER, DATA], {"owner": 0, "data": 0}, [one_each("worker"), WORKER])


def formulas(arithmetic: Arithmetic = Arithmetic.WRAPPING) -> Formulas:
    return Formulas(search(SYSTEM, Precision(inf, 1000, 1000), time.monotonic() + 60).search, arithmetic)


def row(owner: Identity | int, names: frozenset[int], arithmetic: Arithmetic = Arithmetic.WRAPPING) -> tuple[str, ...]:
    thread = Subject(Local(1, 1, (ANY, Identity(MINE)), names), WORKER, "")
    return formulas(arithmetic).row((owner, 3), [thread])


def test_who_is_named_is_said_by_identities() -> None:
    somebody = Identity(SOMEBODY, 1, frozenset({7}))
    mine, other = row(somebody, frozenset({0}))[0], row(somebody, frozenset())[0]
    assert mine.startswith("(and (not (= owner 7)) (not (= owner 1)) (= owner (")
    assert "(+ worker_id 1)" in mine and other == mine.replace("(= owner (-", "(not (= owner (-")[:-1] + "))"
    assert row(0, frozenset())[:2] == ("(= owner 0)", "(= data 3)")
    assert row(0, frozenset(), Arithmetic.BITS)[1] == "(= data (_ bv3 32))"


def test_symbols_say_what_is_equal() -> None:
    term = symbol(INT)
    thread = Subject(Local(1, 1, (term, Identity(MINE)), links=frozenset({(1, term.term)})), WORKER, "!2")
    assert formulas().row((0, ANY), [thread])[-1] == "(= worker_own!2 data)"
    alone = Subject(Local(1, 1, (Data(term.term), Identity(MINE))), WORKER, "!2")
    assert formulas().row((0, ANY), [alone])[-1] == ""


def test_a_disjunction_shares_what_is_common() -> None:
    rows = frozenset({("(= x 1)", "(= y 1)"), ("(= x 2)", "(= y 1)"), ("(= x 3)", "")})
    assert formulas().disjunction(rows) == "(or (= x 3) (and (or (= x 1) (= x 2)) (= y 1)))"
    assert formulas().disjunction(frozenset({("", "")})) == "true"
