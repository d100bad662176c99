"""Local states of threads in a counting search: threads in the same one are counted together."""

from __future__ import annotations

from dataclasses import dataclass, replace

from cseq.modules.deductive.karp_miller.values import ANY, Data, Value, Values, symbols, with_symbols
from cseq.modules.deductive.transitions import Expression, Read, Variable


@dataclass(frozen=True)
class Local:
    """What threads have in common that are counted together.

    values: in the order of the slots. names: the shared slots that have its identity. links: shared slots whose value
    is not known, but is that of a term; its symbols are in the values, too.
    """

    template: int
    location: int
    values: tuple[Value, ...]
    names: frozenset[int] = frozenset()
    links: frozenset[tuple[int, Expression]] = frozenset()

    def without(self, slots: frozenset[int]) -> Local:
        """The local state after *slots* have other values."""
        if not self.names & slots and not any(slot in slots for slot, _ in self.links):
            return self
        links = {slot: term for slot, term in self.links if slot not in slots}
        return canonical(replace(self, names=self.names - slots), links)


def canonical(local: Local, links: dict[int, Expression]) -> Local:
    """The local state with *links*, as far as they say anything, and with symbols in the order of the values.

    A link says something if all of its symbols are in the values. A symbol does if it is at two places.
    """
    own = {name for value in local.values if isinstance(value, Data) for name in symbols(value.term)}
    links = {slot: term for slot, term in links.items() if own.issuperset(symbols(term))}
    places = [{*symbols(value.term)} for value in local.values if isinstance(value, Data)]
    places += [{*symbols(term)} for term in links.values()]
    often = {name for name in own if sum(name in place for place in places) > 1}
    order: dict[Variable, Expression] = {}
    values: list[Value] = []
    for value in local.values:
        if isinstance(value, Data) and often.issuperset(symbols(value.term)):
            for name in symbols(value.term):
                order.setdefault(name, Read(Variable(f"s{len(order)}", name.type)))
            values.append(Data(with_symbols(value.term, order)))
        else:
            values.append(ANY if isinstance(value, Data) else value)
    kept = {(slot, with_symbols(term, order)) for slot, term in links.items() if order.keys() >= {*symbols(term)}}
    return replace(local, values=tuple(values), links=frozenset(kept))


def is_unchanged(new: Data, slot: int, links: dict[int, Expression]) -> bool:
    """Whether a shared slot whose value is not known still has the same."""
    if slot in links:
        return links[slot] == new.term
    return new.symbol is not None and new.symbol.name.endswith(f"@{slot}")


def substitute(values: Values, symbol: Variable, known: Value) -> None:
    """Write into values that a symbol stands for what is known."""
    for slot, value in enumerate(values):
        if isinstance(value, Data) and symbol in symbols(value.term):
            if value.symbol == symbol:
                values[slot] = known
            elif isinstance(known, Data) and symbol not in symbols(known.term):
                values[slot] = Data(with_symbols(value.term, {symbol: known.term}))
            else:
                values[slot] = ANY
