"""How texts of TLA+ are combined."""

import pytest

from cseq.modules.tla.encode import terms

LESS = terms.Value("a < b", (), terms.Level.COMPARISON, opposite="a >= b")
CALL = terms.Value("Less(a, b)", (), terms.Level.ATOM, opposite="~Less(a, b)")
PLAIN = terms.Value("p \\in q", (), terms.Level.COMPARISON)
TRUE, FALSE = terms.Value("TRUE"), terms.Value("FALSE")
NEEDED = terms.Guard("x # 0", '"failed.crash.division"', terms.Level.COMPARISON)


@pytest.mark.parametrize(
    ("condition", "text"),
    [(LESS, "a >= b"), (CALL, "~Less(a, b)"), (PLAIN, "~(p \\in q)"), (TRUE, "FALSE"), (FALSE, "TRUE")],
)
def test_negation_is_short_and_undone(condition, text):
    assert terms.negated(condition).text == text
    if condition is not PLAIN:
        assert terms.negated(terms.negated(condition)) == condition


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (terms.both(LESS, CALL), "a < b /\\ Less(a, b)"),
        (terms.both(terms.both(LESS, CALL), PLAIN), "a < b /\\ Less(a, b) /\\ p \\in q"),
        (terms.both(terms.either(LESS, CALL), PLAIN), "(a < b \\/ Less(a, b)) /\\ p \\in q"),
        (terms.either(terms.both(LESS, CALL), PLAIN), "(a < b /\\ Less(a, b)) \\/ p \\in q"),
        (terms.both(TRUE, LESS), "a < b"),
        (terms.both(FALSE, LESS), "FALSE"),
        (terms.either(TRUE, LESS), "TRUE"),
        (terms.either(LESS, FALSE), "a < b"),
    ],
)
def test_operands_have_the_parentheses_that_they_need(value, text):
    assert value.text == text


def test_what_is_not_evaluated_needs_nothing():
    right = CALL.guarded(NEEDED)
    assert [guard.condition for guard in terms.both(LESS, right).guards] == ["a < b => x # 0"]
    assert [guard.condition for guard in terms.either(LESS, right).guards] == ["a >= b => x # 0"]
    assert terms.both(FALSE, right).guards == ()
    assert [guard.condition for guard in terms.conditional(terms.both(LESS, CALL), [NEEDED])] == [
        "a < b /\\ Less(a, b) => x # 0"
    ]
    (guard,) = terms.both(LESS, right).guards
    assert guard.failure.text == "a < b /\\ ~(x # 0)"
    nested = terms.Guard("a => b", "s", terms.Level.IMPLIES)
    assert [guard.condition for guard in terms.conditional(LESS, [nested])] == ["a < b => (a => b)"]


def test_a_guard_is_checked_once():
    assert terms.together([[NEEDED], [NEEDED]]) == (NEEDED,)


@pytest.mark.parametrize(
    ("text", "is_atom"),
    [
        ("x", True),
        ("m.data.x[i + 1]", True),
        ("F(a, b + 1)", True),
        ("<<1, 2>>", True),
        ("a + 1", False),
        ("-1", False),
    ],
)
def test_texts_of_others_get_parentheses_where_needed(text, is_atom):
    assert terms.written(text).at(terms.Level.PRODUCT) == (text if is_atom else f"({text})")


def test_scopes_can_be_extended():
    scope = terms.Scope(bound={"a": "x"}).binding(b="y").after("m2")
    assert (scope.memory, scope.thread, dict(scope.bound)) == ("m2", "self", {"a": "x", "b": "y"})


def test_ranges_tell_what_is_narrow():
    assert terms.Value("x", (), terms.Level.ATOM, 0, 2**31 - 1).is_narrow
    assert not terms.Value("x", (), terms.Level.ATOM, 0, 2**31).is_narrow
    assert not terms.Value("p").is_narrow
    assert terms.Value("7", (), terms.Level.ATOM, 7, 7).constant == 7
