"""The variables that the accesses of a counterexample are to, so that their values can be shown at each step.

A counterexample uses the name on the line of the access: `x` here, `*p` there. Memory that other threads can reach
also has an address; accesses to one address are to one variable. Locals are identified by thread, call and name.
"""

import re
from collections.abc import Hashable
from dataclasses import dataclass, field

from cseq.model.trace import Access, Counterexample, Step

_PLAIN = re.compile(r"\w+(?:\.\w+|\[\d+\])*")


@dataclass
class Variable:
    """A piece of memory. names: its names, in the order of their first use.

    owner: the number of the thread whose local it is; None for shared memory. function: for a local, the function that
    sets it first.
    """

    names: list[str] = field(default_factory=list)
    owner: int | None = None
    function: str = ""

    @property
    def name(self) -> str:
        """The most specific name: one without pointers, if there is one."""
        return next((name for name in self.names if _PLAIN.fullmatch(name)), self.names[0])


class Variables:
    """Maps accesses to variables.

    all: the variables, in the order of their first accesses.
    """

    def __init__(self, shown: Counterexample) -> None:
        self.all: list[Variable] = []
        self._numbers: dict[Hashable, int] = {}
        self._mixed = _mixed(shown)
        self._age: dict[int, int] = {}  # by address: how many other objects were there before

    def number(self, step: Step, access: Access) -> int:
        """The index in `all` of the variable that *access* of *step* is to."""
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
        """The address, and the number of the object there: a declaration may put a new one in the place of another."""
        age = self._age.setdefault(access.address, 0)
        here = self._numbers.get((access.address, age))
        if access.kind == "undefined" and here is not None and access.name not in self.all[here].names:
            self._age[access.address] = age = age + 1
        return access.address, age


def _mixed(shown: Counterexample) -> set[int]:
    """The addresses where a value is read that no step has written there.

    Another object is at such an address than before, or the memory is read with another type, as members of a union
    are: its names are not names of one variable.
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
