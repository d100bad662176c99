"""Data structures, and the scenarios that are made of their operations."""

import itertools

import pytest

from cseq.model.errors import UsageError
from cseq.modules.linearizability.scenarios import scenarios
from cseq.modules.linearizability.structure import Operation, Structure, check


def structure(*operations: Operation, **more: object) -> Structure:
    return Structure(files=("a.c",), operations=operations, **more)  # type: ignore[arg-type]


def test_scenarios_are_all_there_once_and_the_smallest_come_first() -> None:
    found = scenarios(structure(Operation("f()"), Operation("g()")), [(2, 2)])
    sequences = [calls for length in (1, 2) for calls in itertools.product((1, 2), repeat=length)]
    assert {frozenset([one, two]) for one, two in (each.threads for each in found)} == {
        frozenset([one, two]) for one in sequences for two in sequences
    }
    assert len(found) == len(sequences) * (len(sequences) + 1) // 2
    assert [each.size for each in found] == sorted(each.size for each in found)


def test_threads_that_calls_tell_apart_are_not_exchanged() -> None:
    found = scenarios(structure(Operation("f(CSEQ_THREAD)"), Operation("g()")), [(2, 1)])
    assert [each.threads for each in found] == [((1,), (1,)), ((1,), (2,)), ((2,), (1,)), ((2,), (2,))]


def test_a_role_is_played_by_one_thread() -> None:
    found = scenarios(structure(Operation("push()", "producer"), Operation("pop()", "consumer")), [(2, 2)])
    assert found
    for each in found:
        assert not set(each.threads[0]) & set(each.threads[1])


def test_fewer_threads_are_there_as_well() -> None:
    found = scenarios(structure(Operation("f()")), [(3, 1)])
    assert [each.threads for each in found] == [((1,), (1,)), ((1,), (1,), (1,))]


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (Structure(), "no C file"),
        (Structure(files=("a.c",)), "no operation"),
        (structure(*[Operation(f"f{number}({{1..64}})") for number in range(4)]), "256 different calls"),
        (structure(Operation("f()"), sizes=((5, 1),)), "1 to 4 threads"),
        (structure(Operation("f({1..60})"), sizes=((2, 6),)), "too many"),
    ],
)
def test_what_cannot_be_checked(made: Structure, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        check(made)
