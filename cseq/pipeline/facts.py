"""Facts: what a stage finds out and later stages use. Each has a name, and a value whose type mypy knows.

A fact is declared once, at the top of a file. Stages have it as an attribute, which declares how they use it::

    STEPS = Fact[Steps]("steps")


    class Stepper(Translator):
        definedness = Needs(DEFINEDNESS)  # an earlier stage has left it: checked when a chain is loaded
        observed = Uses(OBSERVED, Observed())  # an earlier stage may have left it
        steps = Gives(STEPS)  # later stages rely on it
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, NoReturn, Protocol, TypeVar, overload

T = TypeVar("T")
D = TypeVar("D")


@dataclass(frozen=True)
class Fact(Generic[T]):
    """A name for values of one type. Facts of the same name are equal, so files that share nothing can agree on one."""

    name: str


class Facts:
    """The facts so far, with their values."""

    def __init__(self) -> None:
        self._values: dict[str, Any] = {}

    def __repr__(self) -> str:
        return repr(self._values)

    def __contains__(self, fact: Fact[Any]) -> bool:
        return fact.name in self._values

    def __getitem__(self, fact: Fact[T]) -> T:
        value: T = self._values[fact.name]
        return value

    def __setitem__(self, fact: Fact[T], value: T) -> None:
        self._values[fact.name] = value

    def get(self, fact: Fact[T], default: D) -> T | D:
        """The value of *fact*; *default* where no stage has left one."""
        value: T | D = self._values.get(fact.name, default)
        return value

    def copy(self) -> Facts:
        """A shallow copy. What is set in the copy stays there; the values are shared."""
        new = Facts()
        new._values = dict(self._values)
        return new


class _InContext(Protocol):
    @property
    def context(self) -> _WithFacts: ...


class _WithFacts(Protocol):
    @property
    def facts(self) -> Facts: ...


class Needs(Generic[T]):
    """An attribute of a stage: the value of a fact that an earlier stage must give. It cannot be set."""

    def __init__(self, fact: Fact[T]) -> None:
        self.fact = fact

    @overload
    def __get__(self, stage: None, owner: type) -> Needs[T]: ...
    @overload
    def __get__(self, stage: _InContext, owner: type) -> T: ...
    def __get__(self, stage: _InContext | None, owner: type) -> Needs[T] | T:
        return self if stage is None else stage.context.facts[self.fact]

    def __set__(self, stage: _InContext, value: NoReturn) -> None:
        raise AttributeError(f"`{self.fact.name}` is not this stage's to give")


class Uses(Generic[T, D]):
    """An attribute of a stage: the value of a fact, or *default* where no stage has given it. It cannot be set."""

    def __init__(self, fact: Fact[T], default: D) -> None:
        self.fact = fact
        self.default = default

    @overload
    def __get__(self, stage: None, owner: type) -> Uses[T, D]: ...
    @overload
    def __get__(self, stage: _InContext, owner: type) -> T | D: ...
    def __get__(self, stage: _InContext | None, owner: type) -> Uses[T, D] | T | D:
        return self if stage is None else stage.context.facts.get(self.fact, self.default)

    def __set__(self, stage: _InContext, value: NoReturn) -> None:
        raise AttributeError(f"`{self.fact.name}` is not this stage's to give")


class Gives(Generic[T]):
    """An attribute of a stage: the value of a fact, which the stage sets for later stages."""

    def __init__(self, fact: Fact[T]) -> None:
        self.fact = fact

    @overload
    def __get__(self, stage: None, owner: type) -> Gives[T]: ...
    @overload
    def __get__(self, stage: _InContext, owner: type) -> T: ...
    def __get__(self, stage: _InContext | None, owner: type) -> Gives[T] | T:
        return self if stage is None else stage.context.facts[self.fact]

    def __set__(self, stage: _InContext, value: T) -> None:
        stage.context.facts[self.fact] = value


def declared(stage: type, kind: type[Needs[Any] | Uses[Any, Any] | Gives[Any]]) -> tuple[Fact[Any], ...]:
    """The facts that the class *stage* or its base classes have as attributes of this *kind*."""
    attributes = {name: value for base in reversed(stage.__mro__) for name, value in vars(base).items()}
    return tuple(dict.fromkeys(value.fact for value in attributes.values() if isinstance(value, kind)))
