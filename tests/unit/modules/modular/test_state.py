"""What is known where paths meet."""

from collections.abc import Iterable

from cseq.modules.modular.state import Cell, Event, EventKind, Held, Join, MayHold, Range, State
from cseq.modules.modular.terms import ZERO, Bounds, SymbolKind, Symbols, Term

symbols = Symbols()
NODE = (1, 0)
a, b, c = (symbols.term(SymbolKind.ADDRESS, name) for name in "abc")
value = symbols.term(SymbolKind.VALUE, "value")
block = symbols.term(SymbolKind.BLOCK, "block")
BLOCK = block.parts[0][0]


def state(cells: dict[Term, Term], **more: object) -> State:
    return State(NODE, {key: Cell(each, 4) for key, each in cells.items()}, via=((0, 0), 0), **more)  # type: ignore[arg-type]


def joined(old: State, new: State, guesses: Iterable[Term] = ()) -> State:
    return Join(symbols, old, new, lambda: guesses).joined()


def values(found: State) -> dict[Term, Term]:
    return {key: cell.value for key, cell in found.cells.items()}


def test_what_both_know_stays() -> None:
    assert values(joined(state({a: Term(1), b: value}), state({a: Term(1), b: value, c: ZERO}))) == {
        a: Term(1),
        b: value,
    }


def test_values_that_differ_by_the_same_distance_share_a_counter() -> None:
    found = values(joined(state({a: ZERO, b: Term(5)}), state({a: Term(1), b: Term(6)})))
    assert found[b] == found[a].shifted(5) and found[a].symbols[0].kind is SymbolKind.COUNTER
    assert found != values(joined(state({a: ZERO, b: Term(5)}), state({a: Term(1), b: Term(7)})))


def test_a_counter_stays_while_it_counts() -> None:
    first = joined(state({a: ZERO}), state({a: Term(1)}), [Term(4)])
    counter = values(first)[a]
    again = joined(
        first,
        state(
            {a: counter.shifted(1)},
            bounds={counter.symbols[0]: Bounds(frozenset({ZERO}), frozenset({frozenset({Term(3)})}))},
        ),
    )
    assert values(again) == {a: counter}
    known = again.bounds[counter.symbols[0]]
    assert ZERO in known.lower and frozenset({ZERO, Term(4)}) in known.upper


def test_a_bound_that_is_left_is_forgotten() -> None:
    first = joined(state({a: ZERO}), state({a: Term(1)}))
    counter = values(first)[a]
    assert ZERO in first.bounds[counter.symbols[0]].lower
    again = joined(first, state({a: Term(-1)}))
    assert counter.symbols[0] not in again.bounds or ZERO not in again.bounds[counter.symbols[0]].lower


def test_the_threads_of_a_loop_are_as_many_as_its_counter_says() -> None:
    found = joined(state({a: ZERO}), state({a: Term(1)}, alive={7: Range(ZERO, Term(1))}))
    assert found.alive == {7: Range(ZERO, values(found)[a])}
    assert joined(state({}, alive={7: None}), state({}, alive={7: Range(ZERO, Term(1))})).alive == {7: None}


def test_locks_are_held_on_both_paths_or_perhaps() -> None:
    writing = {a: Held(True)}
    assert joined(state({}, held=writing), state({}, held={a: Held(False)})).held == {a: Held(False)}
    assert joined(state({}, held=writing), state({})).held == {}
    lock = MayHold(a, frozenset())
    assert joined(state({}, may_hold=frozenset({lock})), state({})).may_hold == {lock}


def test_a_lock_moves_with_a_counter() -> None:
    old, new = state({a: b, c: b}, held={b: Held(True)}), state({a: value, c: value}, held={value: Held(True)})
    found = joined(old, new)
    assert list(found.held) == [values(found)[a]]


def test_a_block_whose_address_is_lost_is_not_private_any_more() -> None:
    private = frozenset({BLOCK})
    kept = joined(state({a: block}, private=private), state({a: block}, private=private))
    assert kept.private == private
    assert joined(state({a: block}, private=private), state({a: ZERO}, private=private)).private == frozenset()


def test_counts_begin_with_none() -> None:
    event = Event(EventKind.POST, a)
    found = joined(state({b: ZERO}), state({b: Term(1)}, counts={event: Term(1)}))
    assert found.counts == {event: values(found)[b]}
