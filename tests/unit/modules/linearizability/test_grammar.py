"""The language of specifications."""

import pytest

from cseq.model.errors import InputError
from cseq.modules.linearizability.grammar import operation, parsed
from cseq.modules.linearizability.structure import StateObject

RING = """
// a comment, and a word that means something: operation
files     "ring.c", "more.c";
header    "ring.h";
state     struct ring *r = ring_new(2);
setup     ring_push(r, 9);
teardown  ring_free(r);
invariant ring_is_sane(r);
operation ring_push(r, {1..2}) by producer;
operation try_pop {
    int v = 0; /* a brace in a string: */ puts("}");
    return ring_try_pop(r, &v) ? v : -1;
}
operation add(int x = {1, 5..6}, long y = {7}) by adder { return set_add(s, x, y); }
model     "ring_model.c";
threads   2; calls 3;
threads   3; calls 2;
consistency quiescent;
"""


def test_all_statements() -> None:
    found = parsed(RING, "folder/ring.cseq")
    assert (found.files, found.headers) == (("folder/ring.c", "folder/more.c"), ("folder/ring.h",))
    assert found.model == ("folder/ring_model.c",)
    (state,) = found.states
    assert (state.declaration, state.value) == ("struct ring *r", "ring_new(2)")
    assert [text.text for text in (*found.setup, *found.teardown, *found.invariants)] == [
        "ring_push(r, 9)", "ring_free(r)", "ring_is_sane(r)",
    ]  # fmt: skip
    assert found.sizes == ((2, 3), (3, 2))
    assert found.consistency == "quiescent"
    assert [(call.label, call.role) for call in found.all_calls] == [
        ("ring_push(r, 1)", "producer"), ("ring_push(r, 2)", "producer"), ("try_pop()", ""),
        ("add(1, 7)", "adder"), ("add(5, 7)", "adder"), ("add(6, 7)", "adder"),
    ]  # fmt: skip
    assert found.all_calls[0].origin is not None
    assert found.all_calls[0].origin.line == 9
    assert "int x = 5; long y = 7;" in found.all_calls[4].code


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ('files "a.c"\noperation f();', 2, "not expected here"),
        ("operation f({1..x});", 1, "not a range of integers"),
        ("operation f({});", 1, "no value"),
        ("operation f({1..100});", 1, "more than 64"),
        ("\noperation f(", 2, "end of this statement is missing"),
        ("consistency strict;", 1, "none of linearizable"),
        ("calls 3;", 1, "comes after `threads`"),
        ("state = 4;", 1, "not a declaration"),
        ("operation add(int x) { return x; }", 1, "TYPE NAME = {RANGE}"),
        ("wrong;", 1, "not expected here"),
    ],
)
def test_what_is_wrong_has_a_place(text: str, line: int, said: str) -> None:
    with pytest.raises(InputError, match=said) as caught:
        parsed(text, "x.cseq")
    assert caught.value.origin is not None
    assert (caught.value.origin.file, caught.value.origin.line) == ("x.cseq", line)


def test_the_end_is_missing() -> None:
    with pytest.raises(InputError, match="end of the last statement"):
        parsed("threads 2", "x.cseq")


def test_a_role_is_no_part_of_the_call() -> None:
    made = operation("q_pop(q, standby) by consumer")
    assert (made.text, made.role) == ("q_pop(q, standby)", "consumer")
    assert StateObject("int x").value == ""
