"""The families of engines, and the choice between them: the one whose backend or options the user names, or all.

Each family's chain declares what its stages take. So the options of all are known, and those of only one family.
"""

from __future__ import annotations

import struct
from collections import ChainMap
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cseq.model.errors import UsageError
from cseq.modules.compiled.languages import is_cxx
from cseq.options.memory_models import BUFFERED, C11, MEMORY_MODEL, SC
from cseq.options.properties import ALSO_DEADLOCK, DEADLOCK, RACE
from cseq.pipeline.chain import Chain, load
from cseq.pipeline.stage import BITS, Parameter

AUTO = "auto"
"""The value in place of a backend's name that lets CSeq choose."""

DEFAULT = AUTO
"""The default backend."""

SYMBOLIC, EXPLICIT, DEDUCTIVE, SPECIFICATION = "symbolic", "explicit", "deductive", "specification"
COMPILED, GRAPHS, MODULAR = "compiled", "graphs", "modular"
_CHAINS = {
    SYMBOLIC: "lazy", EXPLICIT: "explicit", DEDUCTIVE: "horn", SPECIFICATION: "tlc", COMPILED: "compiled",
    GRAPHS: "graphs", MODULAR: "modular",
}  # fmt: skip
"""The families, with the names of their chains."""

EXPLICIT_ENGINES = ("native", "spin")
"""The backends of the explicit family."""

DEDUCTIVE_ENGINES = ("horn",)
"""Those of the deductive family."""

SPECIFICATION_ENGINES = ("tlc",)
"""Those of the family of specifications."""

COMPILED_ENGINES = ("compiled",)
"""Those of the family that runs the user's own binary; all others are symbolic."""

GRAPHS_ENGINES = ("graphs",)
"""Those of the family that explores execution graphs."""

MODULAR_ENGINES = ("modular",)
"""Those of the family that analyses programs thread by thread."""

_ENGINES = {
    EXPLICIT: EXPLICIT_ENGINES,
    DEDUCTIVE: DEDUCTIVE_ENGINES,
    SPECIFICATION: SPECIFICATION_ENGINES,
    COMPILED: COMPILED_ENGINES,
    GRAPHS: GRAPHS_ENGINES,
    MODULAR: MODULAR_ENGINES,
}

_BOUNDS = frozenset({"unwind"})
"""A parameter of all families: it bounds recursion in each, but loops only in the symbolic one."""

_COVERED = frozenset({"threads"})
"""Parameters of searches that a proof does without, since it covers whatever they leave."""

_BESIDE = _COVERED | {"no_movers", "memsafety", "overflow"}
"""Parameters that execution graphs and the thread-modular analysis do without: other properties, and what makes the
searches slower."""

_OUTSIDE = frozenset({"args", "args_any", "args_count_any", "env"})
"""Parameters about what the program gets from outside. The thread-modular analysis covers whatever that is."""

_BOUNDED = _OUTSIDE | {"recursion", "spurious_wakeups", "no_spurious_wakeups", "deadlock"}
"""Parameters that the thread-modular analysis does without: it has no bounds, a thread may wake up at any time, and
another engine looks for deadlocks."""

SEARCHING = (SYMBOLIC, EXPLICIT)
"""The families that find violations, which is why one of them always takes part."""


@dataclass(frozen=True)
class Configuration:
    """A way to an answer: a chain, and values of its parameters."""

    chain: Chain
    values: dict[str, Any]

    def having(self, **values: Any) -> Configuration:
        """The same way with these *values*."""
        return Configuration(self.chain, {**self.values, **values})


class OneChain:
    """A chain that the user names, which leaves no choice of families."""

    def __init__(self, chain: Chain) -> None:
        self._chain = chain
        self.place = str(chain.path)

    def parameters(self) -> dict[str, Parameter[object]]:
        """The parameters of the stages."""
        return self._chain.parameters()

    def heading(self, name: str) -> str:
        """The heading for the parameter *name* in the help: always empty."""
        return ""

    def ways(
        self, given: dict[str, Any], shown: str | None = None, files: Sequence[object] = ()
    ) -> tuple[Configuration, tuple[Configuration, ...]]:
        """The only way."""
        return Configuration(self._chain, self._chain.values(given)), ()


class _Chains(Mapping[str, Chain]):
    """The chains of the families, each of which is loaded when it is first asked for."""

    def __init__(self) -> None:
        self._loaded: dict[str, Chain] = {}

    def __getitem__(self, family: str) -> Chain:
        if family not in self._loaded:
            self._loaded[family] = load(_CHAINS[family])
        return self._loaded[family]

    def __iter__(self) -> Iterator[str]:
        return iter(_CHAINS)

    def __len__(self) -> int:
        return len(_CHAINS)


class Families:
    """The chains of all families, with their parameters. place: where these are declared, in words.

    A chain is loaded when something depends on it: most runs need no more than the families that search.
    """

    place = "the chains"

    def __init__(self) -> None:
        self.chains = _Chains()
        self._known: dict[str, dict[str, Parameter[object]]] = {}

    def _taken(self, family: str) -> dict[str, Parameter[object]]:
        """The parameters of a family."""
        if family not in self._known:
            self._known[family] = self.chains[family].parameters()
        return self._known[family]

    def takes(self, family: str, name: str) -> bool:
        """Whether *family* takes the parameter *name*."""
        return name in self._taken(family)

    def searching_parameters(self, *families: str) -> dict[str, Parameter[object]]:
        """The parameters of *families*, of those that search, as `parameters` has them."""
        return self._described(dict(ChainMap(*map(self._taken, families))))

    def parameters(self) -> dict[str, Parameter[object]]:
        """The parameters of all families."""
        found = {
            **self._taken(SPECIFICATION),
            **self._taken(DEDUCTIVE),
            **self._taken(EXPLICIT),
            **self._taken(SYMBOLIC),
        }
        for family in (COMPILED, GRAPHS, MODULAR):
            found.update({name: one for name, one in self._taken(family).items() if name not in found})
        return self._described(found)

    def _described(self, found: dict[str, Parameter[object]]) -> dict[str, Parameter[object]]:
        from dataclasses import replace

        engines = f"{AUTO}, native, spin, cbmc, horn, tlc, compiled, graphs, modular"
        text = f"the engine: {engines}, another verifier, or a .toml file that declares one"
        found["backend"] = replace(found["backend"], default=DEFAULT, help=text, check=None, choices=None)
        return found

    def heading(self, name: str) -> str:
        """The heading for the parameter *name* in the help; empty where all families take it."""
        takers = self._searching(name)
        return f"for {_engines(takers[0])}" if len(takers) == 1 else ""

    def takers(self, name: str) -> list[str]:
        """The families that take the parameter *name*."""
        return [family for family in _CHAINS if self.takes(family, name)]

    def _searching(self, name: str) -> list[str]:
        """The families that the parameter *name* leaves the choice of: those that search, if any of them takes it."""
        return [family for family in SEARCHING if self.takes(family, name)] or self.takers(name)

    def ways(
        self, given: dict[str, Any], shown: str | None = None, files: Sequence[object] = ()
    ) -> tuple[Configuration, tuple[Configuration, ...]]:
        """The way that the *given* values of parameters ask for; or the symbolic one, and its rivals.

        The rivals are the explicit way, and the deductive one, the thread-modular one and that of execution graphs
        where they take all that is given. Only the last has the memory orders of C11, so it is left out where
        sequential consistency is asked for, as the rules of SV-COMP do. Where stores are buffered, it is the only
        rival, and the only way to deadlocks. Programs with a file in C++ are only run as they are compiled.

        shown: the stage whose program is all that is wanted; empty for any stage of the symbolic family. files: the
        user's.
        Raises UsageError where the backend and the options cannot be combined.
        """
        given = {name: value for name, value in given.items() if value is not None}
        name = given.get("backend", DEFAULT)
        cxx = next((str(file) for file in files if is_cxx(str(file))), None)
        if name != AUTO:
            family = next((family for family, engines in _ENGINES.items() if name in engines), SYMBOLIC)
            if cxx is not None and family != COMPILED:
                raise UsageError(f"{cxx}: the backend `{name}` does not read C++, only `{COMPILED_ENGINES[0]}` does")
            given = _for_machine(given, f"a program for the backend `{name}`") if family == COMPILED else given
            if family == MODULAR:
                given = {parameter: value for parameter, value in given.items() if parameter not in _OUTSIDE}
            self._check(family, given, f"the backend `{name}`")
            return self._way(family, given), ()
        left = {parameter: value for parameter, value in given.items() if parameter != "backend"}
        if cxx is not None:
            left = _for_machine(left, f"{cxx}, which is C++,")
            self._check(COMPILED, left, f"{cxx}, which is C++,")
            return self._way(COMPILED, left), ()
        if left.get(MEMORY_MODEL.name) == C11:
            self._check(GRAPHS, left, f"--memory-model {C11}")
            return self._way(GRAPHS, left), ()
        if left.get(MEMORY_MODEL.name) in BUFFERED and shown is None and all(self.takes(GRAPHS, name) for name in left):
            graphs = self._way(GRAPHS, left)
            is_theirs = ALSO_DEADLOCK.of(left) or self._asked_for(left) == GRAPHS
            return (graphs, ()) if is_theirs else (self._way(SYMBOLIC, left), (graphs,))
        is_sc = left.get(MEMORY_MODEL.name) == SC or "spec" in left
        if left.get(MEMORY_MODEL.name) == SC and self._asked_for(left) != GRAPHS:
            del left[MEMORY_MODEL.name]  # that of all families but one
        if shown is not None and self._is_symbolic(shown, left):
            return self._way(SYMBOLIC, left), ()
        chosen = self._asked_for(left) or self._showing(shown)
        if chosen is not None:
            return self._way(chosen, left), ()
        rivals = [self._way(EXPLICIT, left)]
        proving = {name: value for name, value in left.items() if name not in _COVERED}
        if all(self.takes(DEDUCTIVE, name) for name in proving):
            rivals.append(self._way(DEDUCTIVE, proving))
        exploring = {name: value for name, value in left.items() if name not in _BESIDE}
        if _asks_modular(left):
            proving = {name: value for name, value in exploring.items() if name not in _BOUNDED}
            if all(self.takes(MODULAR, name) for name in proving):
                rivals.append(self._way(MODULAR, {**proving, MEMORY_MODEL.name: SC if is_sc else C11}))
        if not is_sc and all(self.takes(GRAPHS, name) for name in exploring):
            rivals.append(self._way(GRAPHS, exploring))
        return self._way(SYMBOLIC, {**left, "auto": True}), tuple(rivals)

    def _way(self, family: str, given: dict[str, Any]) -> Configuration:
        chain = self.chains[family]
        if family == EXPLICIT and (engine := self._engine_for(given)):
            given = {**given, "backend": engine}
        return Configuration(chain, chain.values(given))

    def _asked_for(self, given: Collection[str]) -> str | None:
        """The family that alone takes some of the parameters that were *given*."""
        # What only specifications have decides first: they also have some of what SPIN has.
        for name in sorted(given, key=lambda name: self._searching(name) != [SPECIFICATION]):
            takers = self._searching(name)
            if len(takers) == 1:
                self._check(takers[0], given, f"{self._option(name)}, for {_engines(takers[0])},")
                return takers[0]
        return None if _BOUNDS.isdisjoint(given) else SYMBOLIC

    def _is_symbolic(self, stage: str, given: Collection[str]) -> bool:
        """Whether the symbolic family, which is the first, has the program after *stage* and takes what is *given*."""
        known = not stage or stage in self.chains[SYMBOLIC].names
        return known and all(self.takes(SYMBOLIC, name) for name in given)

    def _showing(self, stage: str | None) -> str | None:
        """The family that has the program after *stage*."""
        if not stage:
            return None if stage is None else SYMBOLIC
        return next((family for family, chain in self.chains.items() if stage in chain.names), SYMBOLIC)

    def _check(self, family: str, given: Collection[str], what: str) -> None:
        for name in given:
            if not self.takes(family, name) and (takers := self.takers(name)):
                raise UsageError(f"{what} cannot be combined with {self._option(name)}, for {_engines(takers[0])}")

    def _engine_for(self, given: Mapping[str, Any]) -> str:
        """The only engine of the explicit family whose stages take some given parameter; empty where there is none.

        Raises UsageError where another engine is named, or there are two such engines.
        """
        chain = self.chains[EXPLICIT]
        asking: dict[str, set[str]] = {}
        for name, stage in chain.stages:
            on, engine = chain.conditions.get(name, ("", ""))
            for parameter in stage.takes:
                asking.setdefault(parameter.name, set()).add(engine if on == "backend" else "")
        chosen, why = given.get("backend", ""), f"the backend `{given.get('backend')}`"
        for name in given:
            engines = asking.get(name, set())
            engine = next(iter(engines)) if len(engines) == 1 else ""
            if engine and chosen not in ("", engine):
                raise UsageError(f"{why} cannot be combined with {self._option(name)}, for {engine}")
            if engine and not chosen:
                chosen, why = engine, f"{self._option(name)}, for {engine},"
        return str(chosen)

    def _option(self, name: str) -> str:
        options = next(self._taken(family)[name].options for family in _CHAINS if self.takes(family, name))
        return max(options, key=len) if options else f"`{name}`"


def _asks_modular(given: Mapping[str, Any]) -> bool:
    """Whether the *given* values ask about data races or deadlocks."""
    if "spec" in given:
        from cseq.modules.questions.property_file import properties

        return RACE in properties(given["spec"])
    return bool(given.get("race") or given.get("deadlock")) or given.get("only") in (RACE, DEADLOCK)


def _for_machine(given: dict[str, Any], what: str) -> dict[str, Any]:
    """*given* without the data model, if it is the machine's: compiled programs have that one.

    Raises UsageError, which says *what* is run, for the other data model.
    """
    own = 8 * struct.calcsize("P")
    if given.get(BITS.name, own) != own:
        raise UsageError(f"{what} is run as it is compiled, for {own} bits; --{given[BITS.name]} is for programs in C")
    return {name: value for name, value in given.items() if name != BITS.name}


def _engines(family: str) -> str:
    """Examples of the backends of a family."""
    return " and ".join(_ENGINES[family]) if family in _ENGINES else "cbmc and other verifiers"
