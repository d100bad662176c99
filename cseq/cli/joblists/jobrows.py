"""Which jobs a command line is divided into, for machines that know nothing of each other.

For each property: searches by the explicit family, in several orders; a proof without bounds, where the property has
one; and the levels of bounds of the symbolic family, each cut into tiles.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from cseq.api import asked
from cseq.cli.request import Request
from cseq.model.errors import UsageError
from cseq.modules.deductive.questions import PROVABLE
from cseq.modules.explicit.engine import BITSTATE, DEPTH, PREEMPTIONS
from cseq.modules.explicit.run import COMPACT, SEARCH
from cseq.modules.questions.questions import ONLY
from cseq.modules.symbolic.encode.facts import ENCODING, PARTIAL_ORDER
from cseq.modules.symbolic.encode.instrumenter import BACKEND
from cseq.modules.symbolic.encode.sequentializer.contexts import CONTEXTS, ROUNDS, SCHEDULE
from cseq.modules.symbolic.encode.sequentializer.tiles import TILE
from cseq.modules.symbolic.questions import AUTO
from cseq.modules.symbolic.verdict import PROVE
from cseq.options.bounds import SEED, UNWIND
from cseq.options.memory_models import MEMORY_MODEL
from cseq.options.properties import JOBS, PROPERTIES
from cseq.pipeline.stage import Parameter
from cseq.portfolio.families import DEDUCTIVE, EXPLICIT, SPECIFICATION, SYMBOLIC, Families

# The words of a command line that sets given values of parameters.

_SHORT = {"backend": "-b"}
"""Parameters whose short option says enough."""


def words(
    values: Mapping[str, Any], parameters: Mapping[str, Parameter[object]], files: Sequence[str], report: str = "--json"
) -> list[str]:
    """The words that set the *values* by name, in their order, ask for *report*, and name the *files*.

    parameters: those of all families, by name. Raises KeyError for a value without an option.
    """
    found = [word for name, value in values.items() for word in _option(parameters[name], value)]
    protected = ["--"] if any(file.startswith("-") for file in files) else []
    return [*found, report, *protected, *files]


def _option(parameter: Parameter[object], value: Any) -> Iterator[str]:
    if value is None or value is False:
        return
    if parameter.name == "bits" and not parameter.options:
        yield f"--{value}"
        return
    if not parameter.options:
        raise KeyError(parameter.name)
    option = _SHORT.get(parameter.name) or max(parameter.options, key=len)
    if value is True:
        yield option
        return
    for each in value if parameter.multiple else [value]:
        text = _text(each)
        if option.startswith("--"):
            yield from (f"{option}={text}",) if text.startswith("-") or not text else (option, text)
        else:
            yield from (f"{option}{text}",) if text.startswith("-") else (option, text)


def _text(value: Any) -> str:
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


TILES = 16
"""The number of tiles of a level, unless the user says another one."""

_MOST_TILES = 1 << 20
_MOST_ROWS = 1 << 20

_LADDER = ((2, 1), (2, 2), (3, 2), (3, 4), (4, 4))
"""Rounds and unwinding of the levels, where the user leaves both open."""

_UNWINDS = (1, 2, 4)
_ROUNDS = (2, 3, 4)
"""Those of the levels where the user leaves only one of them open."""

_OF_LEVELS = frozenset({ROUNDS.name, UNWIND.name, AUTO.name})
"""What the user says of the levels, which other families go without."""

_OF_SEARCHES = frozenset({
    SEARCH.name, SEED.name, PREEMPTIONS.name, DEPTH.name, BITSTATE.name, COMPACT.name, "swarm", "heuristic", "abstract",
})  # fmt: skip
"""What the user says of the order of a search: then there are no others."""

_ENGINES = {SYMBOLIC: "cbmc", EXPLICIT: "native", DEDUCTIVE: "horn", SPECIFICATION: "tlc"}
_COVERED = frozenset({"threads"})
"""What a proof covers, whatever its value."""

_SEARCHES: tuple[dict[str, object], ...] = (
    {},
    {SEARCH.name: "dfs"},
    {SEARCH.name: "icb"},
    {SEARCH.name: "random", SEED.name: 2},
    {SEARCH.name: "random", SEED.name: 3},
)
"""The searches by the engine `native`."""


def number_of_tiles(text: str | None) -> int:
    """The number of tiles of a level that *text*, the value of ``--tiles``, asks for. Raises UsageError."""
    if text is None:
        return TILES
    number = int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else 0
    if number < 1 or number & (number - 1) or number > _MOST_TILES:
        raise UsageError(f"--tiles: `{text}` is not a power of two from 1 to {_MOST_TILES}")
    return number


def rows(request: Request) -> list[list[str]]:
    """The words of each job, after `cseq`, that *request* is divided into. Raises UsageError where there is none."""
    return _Rows(request).all()


class _Rows:
    def __init__(self, request: Request) -> None:
        self._files = request.files
        self._tiles = number_of_tiles(request.written.tiles)
        self._families = Families()
        self._parameters = self._families.parameters()
        merged = {**{name: value for way in request.rivals for name, value in way.values.items()}, **request.values}
        self._given: dict[str, Any] = {
            name: merged[name] for name in self._parameters if name in request.given and name in merged
        }

    def all(self) -> list[list[str]]:
        """Whatever may find a violation soon comes first."""
        jobs = [*self._explicit(), *self._specified(), *self._symbolic(), *self._proofs()]
        if not jobs:
            raise UsageError("--job-list: these options leave no job")
        if len(jobs) > _MOST_ROWS:
            raise UsageError(f"--job-list: {len(jobs)} jobs are too many (--tiles)")
        return [words(job, self._parameters, self._files) for job in jobs]

    def _job(self, family: str, given: Mapping[str, Any], **values: Any) -> dict[str, Any]:
        """The values of the parameters of a job, in the order in which they are written."""
        first = {BACKEND.name: self._engine(family, given), **values}
        rest = {name: value for name, value in given.items() if name not in first}
        return {**first, **({} if JOBS.name in given else {JOBS.name: 1}), **rest}

    def _left(self, family: str, without: frozenset[str] = frozenset()) -> dict[str, Any] | None:
        """What is given but for *without*, for a job of *family*; None if the family does not take all of it."""
        left = {name: value for name, value in self._given.items() if name not in (*without, ONLY.name)}
        engine = left.get(BACKEND.name, "auto")
        named = engine if engine != "auto" else _ENGINES[family]
        left = {name: value for name, value in left.items() if name != BACKEND.name or value != "auto"}
        takes_all = all(family in self._families.takers(name) for name in left)
        return left if takes_all and self._family_of(named) == family else None

    def _family_of(self, engine: str) -> str:
        way, _ = self._families.ways({BACKEND.name: engine})
        return next(family for family, chain in self._families.chains.items() if chain is way.chain)

    def _properties(self, given: Mapping[str, Any], family: str) -> list[str]:
        if only := self._given.get(ONLY.name):
            return [only]
        way, _ = self._families.ways({**given, BACKEND.name: self._engine(family, given)})
        return asked(way)

    def _engine(self, family: str, given: Mapping[str, Any]) -> str:
        """The engine of *family* that does what is *given*."""
        if BACKEND.name in given:
            return str(given[BACKEND.name])
        way, _ = self._families.ways(dict(given))
        return str(way.values[BACKEND.name]) if way.chain is self._families.chains[family] else _ENGINES[family]

    def _explicit(self) -> Iterator[dict[str, Any]]:
        given = self._left(EXPLICIT, _OF_LEVELS)
        if given is None:
            return
        for name in self._properties(given, EXPLICIT):
            is_plain = name in PROPERTIES and _OF_SEARCHES.isdisjoint(given)
            has_orders = is_plain and self._engine(EXPLICIT, given) == _ENGINES[EXPLICIT]
            for search in _SEARCHES if has_orders else _SEARCHES[:1]:
                yield self._job(EXPLICIT, given, **search, only=name)

    def _specified(self) -> Iterator[dict[str, Any]]:
        """Only where the user asks for what specifications alone have."""
        given = self._left(SPECIFICATION)
        if given is None or self._left(EXPLICIT, _OF_LEVELS) is not None:
            return
        for name in self._properties(given, SPECIFICATION):
            yield self._job(SPECIFICATION, given, only=name)

    def _symbolic(self) -> Iterator[dict[str, Any]]:
        given = self._left(SYMBOLIC, _OF_LEVELS)
        if given is None:
            return
        names = self._properties(given, SYMBOLIC)
        is_ordered = self._is_ordered
        for level in self._levels():
            for name in names:
                proving = {} if PROVE.name in given else {PROVE.name: True}
                job = self._job(SYMBOLIC, given, **level, only=name, **proving)
                way, _ = self._families.ways(job)
                takes = any(TILE in stage.takes for _, stage in way.chain.chosen(way.values)) and not is_ordered
                for number in range(self._tiles if takes else 1):
                    tile = {TILE.name: f"{number}/{self._tiles}"} if takes and self._tiles > 1 else {}
                    yield self._job(SYMBOLIC, given, **level, **tile, only=name, **proving)

    @property
    def _is_ordered(self) -> bool:
        """Whether the symbolic family has the interleavings as orders, and not by rounds: then there are no tiles."""
        return ENCODING.of(self._given) == PARTIAL_ORDER or MEMORY_MODEL.of(self._given) != "sc"

    def _levels(self) -> list[dict[str, int]]:
        """The bounds of each level."""
        given = self._given
        if self._is_ordered:
            return [{UNWIND.name: unwind} for unwind in ([given[UNWIND.name]] if UNWIND.name in given else _UNWINDS)]
        if AUTO.of(given) or not ({ROUNDS.name, UNWIND.name, CONTEXTS.name, SCHEDULE.name} & given.keys()):
            levels: Sequence[tuple[int | None, int]] = _LADDER
        elif UNWIND.name not in given:
            rounds = given.get(ROUNDS.name)
            levels = [(rounds, unwind) for unwind in _UNWINDS]
        elif ROUNDS.name not in given and CONTEXTS.name not in given and SCHEDULE.name not in given:
            levels = [(rounds, given[UNWIND.name]) for rounds in _ROUNDS]
        else:
            levels = [(given.get(ROUNDS.name), given[UNWIND.name])]
        return [{**({} if rounds is None else {ROUNDS.name: rounds}), UNWIND.name: unwind} for rounds, unwind in levels]

    def _proofs(self) -> Iterator[dict[str, Any]]:
        given = self._left(DEDUCTIVE, _OF_LEVELS | _COVERED)
        if given is None:
            return
        for name in self._properties(given, DEDUCTIVE):
            if name in PROVABLE:
                yield self._job(DEDUCTIVE, given, only=name)
