"""How texts of TLA+ are combined."""

from __future__ import annotations

import pytest

from cseq.modules.tla.encode.terms import (
    Guard,
    Level,
    Scope,
    Value,
    both,
    conditional,
    either,
    negated,
    together,
    written,
)

LESS = Value("a < b", (), Level.COMPARISON, opposite="a >= b")
CALL = Value("Less(a, b)", (), Level.ATOM, opposite="~Less(a, b)")
PLAIN = Value("p \\in q", (), Level.COMPARISON)
TRUE, FALSE = Value("TRUE"), Value("FALSE")
NEEDED = Guard("x # 0", '"failed.crash.division"', Level.COMPARISON)


@pytest.mark.parametrize(
    ("condition", "text"),
    [(LESS, "a >= b"), (CALL, "~Less(a, b)"), (PLAIN, "~(p \\in q)"), (TRUE, "FALSE"), (FALSE, "TRUE")],
)
def test_negation_is_short_and_undone(condition, text):
    assert negated(condition).text == text
    if condition is not PLAIN:
        assert negated(negated(condition)) == condition


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (both(LESS, CALL), "a < b /\\ Less(a, b)"),
        (both(both(LESS, CALL), PLAIN), "a < b /\\ Less(a, b) /\\ p \\in q"),
        (both(either(LESS, CALL), PLAIN), "(a < b \\/ Less(a, b)) /\\ p \\in q"),
        (either(both(LESS, CALL), PLAIN), "(a < b /\\ Less(a, b)) \\/ p \\in q"),
        (both(TRUE, LESS), "a < b"),
        (both(FALSE, LESS), "FALSE"),
        (either(TRUE, LESS), "TRUE"),
        (either(LESS, FALSE), "a < b"),
    ],
)
def test_operands_have_the_parentheses_that_they_need(value, text):
    assert value.text == text


def test_what_is_not_evaluated_needs_nothing():
    right = CALL.guarded(NEEDED)
    assert [guard.condition for guard in both(LESS, right).guards] == ["a < b => x # 0"]
    assert [guard.condition for guard in either(LESS, right).guards] == ["a >= b => x # 0"]
    assert both(FALSE, right).guards == ()
    assert [guard.condition for guard in conditional(both(LESS, CALL), [NEEDED])] == ["a < b /\\ Less(a, b) => x # 0"]
    (guard,) = both(LESS, right).guards
    assert guard.failure.text == "a < b /\\ ~(x # 0)"
    nested = Guard("a => b", "s", Level.IMPLIES)
    assert [guard.condition for guard in conditional(LESS, [nested])] == ["a < b => (a => b)"]


def test_a_guard_is_checked_once():
    assert together([[NEEDED], [NEEDED]]) == (NEEDED,)


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
    assert written(text).at(Level.PRODUCT) == (text if is_atom else f"({text})")


def test_scopes_can_be_extended():
    scope = Scope(bound={"a": "x"}).binding(b="y").after("m2")
    assert (scope.memory, scope.thread, dict(scope.bound)) == ("m2", "self", {"a": "x", "b": "y"})


def test_ranges_tell_what_is_narrow():
    assert Value("x", (), Level.ATOM, 0, 2**31 - 1).is_narrow
    assert not Value("x", (), Level.ATOM, 0, 2**31).is_narrow
    assert not Value("p").is_narrow
    assert Value("7", (), Level.ATOM, 7, 7).constant == 7
