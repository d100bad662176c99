"""Values of TLA+, as TLC prints them."""

import time

import pytest

from cseq.backends.tlavalues import ModelValue, Set, Value, assignments, value

VALUES: dict[str, Value] = {
    "0": 0,
    "-2147483648": -2147483648,
    "TRUE": True,
    '"x.c:17 in worker"': "x.c:17 in worker",
    r'"a \"b\" \\ \n"': 'a "b" \\ \n',
    "<<>>": (),
    '<<<<"x", 0, 0>>, 0>>': (("x", 0, 0), 0),
    "{}": Set(),
    '{"a", "b"}': Set(("a", "b")),
    "0 .. 3": Set((0, 1, 2, 3)),
    "-1..1": Set((-1, 0, 1)),
    "(0 :> <<1>> @@ 1 :> Undef)": {0: (1,), 1: ModelValue("Undef")},
    "[pc |-> 1, next_one |->\n    [a |-> {}]]": {"pc": 1, "next_one": {"a": Set()}},
    '(<<"x", 1>> :> 2)': {("x", 1): 2},
    '([a |-> 1] :> "b")': {(("a", 1),): "b"},
}


@pytest.mark.parametrize("text", VALUES)
def test_values(text: str) -> None:
    found = value(text)
    assert found == VALUES[text]
    assert type(found) is type(VALUES[text])


def test_a_model_value_is_no_string() -> None:
    assert isinstance(value("Null"), ModelValue)
    assert not isinstance(value('"Null"'), ModelValue)


def test_states() -> None:
    assert assignments("memory = [ data |->\n      [x |-> 0],\n  ok |-> TRUE ]\n") == {
        "memory": {"data": {"x": 0}, "ok": True}
    }
    assert assignments("/\\ x = 1\n/\\ y = <<2>>\n") == {"x": 1, "y": (2,)}


@pytest.mark.parametrize(
    "text", ["", "<<1", "<<1 2>>", "1 2", "(1 :> 2", "[a = 1]", "[1 |-> 1]", "#", "1 .. x", "{1,}", "a b", ")"]
)
def test_what_is_no_value(text: str) -> None:
    with pytest.raises(ValueError, match=r"expected|no value"):
        value(text)


def test_what_is_no_state() -> None:
    with pytest.raises(ValueError, match="a name expected"):
        assignments("1 = 1")


def test_long_traces_are_read_in_a_moment() -> None:
    cells = " @@ ".join(f"{number} :> {number}" for number in range(50))
    text = f'memory = [data |-> [x |-> ({cells}), y |-> <<{", ".join(["Undef"] * 50)}>>], status |-> "runs"]'
    begun = time.process_time()
    for _ in range(1000):
        assignments(text)
    assert time.process_time() - begun < 10
