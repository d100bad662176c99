"""Formulas of temporal logic: what they mean to SPIN, and at which character they are wrong."""

import pytest

from cseq.modules.questions.ltl import FormulaError, for_spin, read

WORDS = {word: word for word in "pqrst"}


@pytest.mark.parametrize(
    "text, for_it",
    [
        ("p", "p"),
        ("G p", "[] (p)"),
        ("[] <> p", "[] (<> (p))"),
        ("always eventually not p", "[] (<> (! (p)))"),
        ("G (p -> F q)", "[] (((p) -> (<> (q))))"),
        ("p U q U r", "((p) U (((q) U (r))))"),
        ("p until q || r", "((((p) U (q))) || (r))"),
        ("!p && q || r -> s <-> t", "((((((((! (p)) && (q))) || (r))) -> (s))) <-> (t))"),
        ("p -> q -> r", "((p) -> (((q) -> (r))))"),
        ("p /\\ q \\/ r", "((((p) && (q))) || (r))"),
        ("p and q or r implies s equivalent t", "((((((((p) && (q))) || (r))) -> (s))) <-> (t))"),
        ("p R q", "((p) V (q))"),
        ("p V q", "((p) V (q))"),
        ("p W q", "((q) V ((p) || (q)))"),
        ("true U (false || p)", "((true) U (((false) || (p))))"),
        ("G ! F p", "[] (! (<> (p)))"),
    ],
)
def test_what_a_formula_is_for_spin(text: str, for_it: str) -> None:
    used = [word for word in WORDS if word in set(text.replace("(", " ").replace("!", " ").replace(")", " ").split())]
    assert for_spin(read(text, used), WORDS) == for_it


def test_that_all_threads_have_ended_is_known() -> None:
    assert for_spin(read("F terminated"), {"terminated": "ended"}) == "<> (ended)"


EXPECTED = "a formula is a proposition, `true`, `false`, or made of such by ! && || -> <-> G F U R W"


@pytest.mark.parametrize(
    "text, message",
    [
        ("", f"column 1: something is missing here: {EXPECTED}"),
        ("G (p -> F q", f"column 12: something is missing here: {EXPECTED}"),
        ("p U", f"column 4: something is missing here: {EXPECTED}"),
        ("p q", f"column 3: `q` cannot stand here: {EXPECTED}"),
        ("p & q", f"column 3: `&` cannot stand here: {EXPECTED}"),
        ("p = 1", f"column 3: `=` cannot stand here: {EXPECTED}"),
        ("G (p))", f"column 6: `)` cannot stand here: {EXPECTED}"),
        ("p until always", f"column 15: something is missing here: {EXPECTED}"),
        ("until p", f"column 1: `until` cannot stand here: {EXPECTED}"),
        ("G X p", "column 3: the operator X is not supported: the number of steps of a line has no meaning"),
        (
            "G (request -> q)",
            "column 4: there is no proposition `request`: --prop 'request=EXPRESSION' says what it is",
        ),
        ("F q", "the proposition `p` is not in the formula"),
    ],
)
def test_what_is_no_formula(text: str, message: str) -> None:
    with pytest.raises(FormulaError) as caught:
        read(text, ["p", "q"])
    assert str(caught.value) == message
