"""Whether what holds at the end of an edge implies what a certificate claims at the node that it leads to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from cseq.modules.modular.certificate.failure import RejectedError
from cseq.modules.modular.certificate.form import (
    NOTHING,
    Atom,
    AtomKind,
    Held,
    Limits,
    Lock,
    Names,
    Node,
    Numbers,
    State,
    Sum,
)
from cseq.modules.modular.certificate.logic import Logic
from cseq.modules.modular.certificate.semantics import blocks_in


class Inclusion:
    """The implication from *have* to *want*, which is claimed at *node*.

    The counters of the node get new values there: those that make the claims true, if there are some. renamed: what
    atoms are that the certificate names, where the checker knows more.
    """

    def __init__(
        self, names: Names, logic: Logic, node: Node, have: State, want: State, renamed: Mapping[Atom, Sum]
    ) -> None:
        self._names = names
        self._logic = logic
        self._node = node
        self._have = have
        self._want = want
        self._values: dict[Atom, Sum] = dict(renamed)
        self._find()

    def _is_counter(self, atom: Atom) -> bool:
        return atom.kind is AtomKind.COUNTER and atom.key[0] == self._node

    def _find(self) -> None:
        """Find the new values of counters, by what is claimed to be equal to one."""
        found = True
        while found:
            found = False
            for wanted, known in [*self._equal()]:
                atom = wanted.add(-wanted.constant).atom
                if atom is not None and self._is_counter(atom) and atom not in self._values:
                    self._values[atom] = known.add(-wanted.constant)
                    found = True

    def _equal(self) -> Iterator[tuple[Sum, Sum]]:
        have = self._have
        for key, cell in self._want.cells.items():
            there = have.cells.get(self.now(key))
            if there is not None and there.size == cell.size:
                yield cell.value, there.value
        for creation, numbers in self._want.alive.items():
            known = have.alive.get(creation)
            if numbers is not None and known is not None:
                yield numbers.lower, known.lower
                yield numbers.upper, known.upper
        for event in {**have.counts, **self._want.counts}:
            yield self._want.counts.get(event, NOTHING), have.counts.get(event, NOTHING)
        for creation, numbers in self._want.alive.items():
            if numbers is not None and creation not in have.alive:  # of no threads, any numbers are right
                yield numbers.lower, NOTHING
                yield numbers.upper, NOTHING

    def now(self, sum_: Sum) -> Sum:
        """What is claimed, in the terms of what is known."""
        return self._names.replaced(sum_, self._values.get) if self._values else sum_

    def check(self) -> None:
        """Raise RejectedError for the first claim that does not follow."""
        have, want, now = self._have, self._want, self.now
        kept = set()
        for key, cell in want.cells.items():
            there = now(key)
            known = have.cells.get(there)
            if known is None or known.size != cell.size or not self._equals(now(cell.value), known.value):
                self._reject(f"memory at {key} is not {cell.value}")
            kept.add(there)
        for lock, held in want.held.items():
            if not _implies(have.held.get(now(lock)), held):
                self._reject(f"the lock {lock} is not held")
        claimed = {Lock(None if each.address is None else now(each.address), each.places) for each in want.may_hold}
        for each in have.may_hold:
            if not any(
                each.places <= other.places and other.address in (None, each.address) for other in claimed
            ):  # fmt: skip
                self._reject(f"the lock {each.address} may be held")
        lost = {b for key, cell in have.cells.items() if key not in kept for b in blocks_in(key, cell.value)}
        for block in want.private:
            if block not in have.private or block in lost or want.stored_in.get(block) is not have.stored_in.get(block):
                self._reject(f"{block} is not private")
        if any(block not in want.private for block in want.stored_in):
            self._reject("a block is stored in a private one, and is not private")
        for atom, limits in want.limits.items():
            self._check_limits(atom, limits)
        for creation, numbers in have.alive.items():
            if creation not in want.alive:
                self._reject(f"threads of the creation {creation} may exist")
            self._check_numbers(creation, numbers, want.alive[creation])
        for atom, attempt in want.attempts.items():
            symbol = now(atom.sum).atom
            known_ = None if symbol is None else have.attempts.get(symbol)
            if known_ is None or known_.lock != now(attempt.lock) or not (
                _implies(known_.if_zero, attempt.if_zero) and _implies(known_.if_other, attempt.if_other)
            ):  # fmt: skip
                self._reject(f"{atom} is not the result of an attempt to take {attempt.lock}")
        for address, value in want.section_reads.items():
            if have.section_reads.get(now(address)) != now(value):
                self._reject("something else was read in this atomic section")
        for event in {**have.counts, **want.counts}:
            if not self._equals(now(want.counts.get(event, NOTHING)), have.counts.get(event, NOTHING)):
                self._reject(f"the {event.kind.value} was done another number of times")
        if not all(self._is_observed(at, now(least)) for at, least in want.observed):
            self._reject("a variable was not observed")
        for atom, at in want.origins.items():
            origin = now(atom.sum).atom
            if have.origins.get(atom) != at and (origin is None or have.origins.get(origin) != at):
                self._reject(f"{atom} was not read at {at}")
        if want.sections > have.sections:
            self._reject("no atomic section is open")
        if want.is_first and not have.is_first:
            self._reject("a thread may have been created")

    def _is_observed(self, at: Sum, least: Sum) -> bool:
        """Whether a variable was at least *least* when it was read."""
        return (at, least) in self._have.observed or any(
            origin == at and self._logic.positive(self.now(atom.sum).minus(least), self._have.limits)
            for atom, origin in self._have.origins.items()
        )

    def _check_limits(self, atom: Atom, limits: Limits) -> None:
        value, positive, facts = self.now(atom.sum), self._logic.positive, self._have.limits
        for lower in limits.lower:
            if not positive(value.minus(self.now(lower)), facts):
                self._reject(f"{atom} is not at least {lower}")
        for part in limits.upper:
            if not self._logic.at_most(value, [self.now(each) for each in part], facts):
                self._reject(f"{atom} is not at most {', '.join(map(str, part))}")

    def _check_numbers(self, creation: int, known: Numbers | None, claim: Numbers | None) -> None:
        if claim is None:
            return
        if (
            known is None
            or not self._equals(self.now(claim.upper), known.upper)
            or not self._logic.positive(known.lower.minus(self.now(claim.lower)), self._have.limits)
        ):
            self._reject(f"other threads of the creation {creation} may exist")

    def _equals(self, one: Sum, other: Sum) -> bool:
        limits = self._have.limits
        return one == other or self._logic.equal(self._logic.decided(one, limits), other, limits)

    def _reject(self, why: str) -> None:
        raise RejectedError(why)


def _implies(known: Held | None, claim: Held | None) -> bool:
    """Whether a lock that is held in one way is held as is claimed; None: it is not."""
    if known is None or claim is None:
        return known is claim
    return known.kind is claim.kind and known.writes >= claim.writes and known.places <= claim.places
