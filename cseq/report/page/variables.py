"""Which memory the accesses of a counterexample are to, so that its values can be told at each step.

A counterexample names memory as the line does that accesses it: `x` here, `*p` there. What other threads can reach has
an address as well, and what has one address is one variable. Locals are told apart by thread, call and name.
"""

from __future__ import annotations

import re
from collections.abc import Hashable
from dataclasses import dataclass, field

from cseq.base.trace import Access, Counterexample, Step

_PLAIN = re.compile(r"\w+(?:\.\w+|\[\d+\])*")


@dataclass
class Variable:
    """Some memory. names: what it was called, in the order of time.

    owner: the number of the thread whose local it is; None for what is shared. function: of a local, the one that sets
    it first.
    """

    names: list[str] = field(default_factory=list)
    owner: int | None = None
    function: str = ""

    @property
    def name(self) -> str:
        """The name that says most: one without pointers, if there is one."""
        return next((name for name in self.names if _PLAIN.fullmatch(name)), self.names[0])


class Variables:
    """Says which variable an access is to.

    all: the variables, in the order in which they are met.
    """

    def __init__(self, shown: Counterexample) -> None:
        self.all: list[Variable] = []
        self._numbers: dict[Hashable, int] = {}
        self._mixed = _mixed(shown)
        self._age: dict[int, int] = {}  # by address: how many other things were there before

    def number(self, step: Step, access: Access) -> int:
        """The place in `all` of the variable that *access*, of *step*, is to."""
        key = self._key(step, access)
        if key not in self._numbers:
            self._numbers[key] = len(self.all)
            local = not access.shared
            self.all.append(
                Variable([], step.thread.number if local else None, (step.origin.function or "") if local else "")
            )
        variable = self.all[self._numbers[key]]
        if access.name not in variable.names:
            variable.names.append(access.name)
        return self._numbers[key]

    def _key(self, step: Step, access: Access) -> Hashable:
        if not access.shared:
            return step.thread.number, step.origin.function, step.origin.path, access.name
        if access.address and access.address not in self._mixed:
            return self._place(access)
        return access.address, access.name

    def _place(self, access: Access) -> Hashable:
        """The address, and which of the things that were there one after the other: a declaration may make another."""
        age = self._age.setdefault(access.address, 0)
        here = self._numbers.get((access.address, age))
        if access.kind == "undefined" and here is not None and access.name not in self.all[here].names:
            self._age[access.address] = age = age + 1
        return access.address, age


def _mixed(shown: Counterexample) -> set[int]:
    """The addresses where a value is read that nobody was seen to write there.

    Something else is at such an address than before, or it is seen in another type, as a member of a union is: its
    names are not names of one thing.
    """
    found = set()
    values: dict[int, str] = {}
    for step in shown.steps:
        for access in step.accesses:
            if access.address:
                if access.kind == "read" and values.get(access.address, access.value) != access.value:
                    found.add(access.address)
                values[access.address] = access.value
    return found
