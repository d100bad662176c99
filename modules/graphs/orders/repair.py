"""Look for other memory orders for a program: stronger ones that repair it, or the weakest ones that suffice."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from cseq.c.patches import patch
from cseq.model.errors import CSeqError, InputError
from cseq.model.orders import OrderChange, OrdersFound, OrdersKind
from cseq.model.origin import Origin
from cseq.model.trace import Atomicity, Race
from cseq.model.verdict import Bound
from cseq.modules.frontend.merger.merger import HEADERS, SOURCES, UNIT_FLAGS, UnitFlags
from cseq.modules.graphs.counterexample import Execution
from cseq.modules.graphs.encode import LAYOUT, PROGRAM, NotFollowedError, not_followed
from cseq.modules.graphs.order_search import Answer, Choice, Orders, OrderSearch
from cseq.modules.graphs.order_sites import ATOMIC_NAMES, NUMBERED, ORDER_USES, SITES, TRIED
from cseq.modules.graphs.orders.fences import insertions
from cseq.modules.graphs.orders.operators import operators
from cseq.modules.graphs.orders.words import Implied, Place, Texts, calls, deciding, words, written
from cseq.modules.graphs.run import ITERATIONS, Explored
from cseq.modules.graphs.verdict import bounds_of
from cseq.modules.ir.instructions import Order
from cseq.options.memory_models import MEMORY_MODEL, SC
from cseq.options.properties import RACE
from cseq.pipeline.chain import load
from cseq.pipeline.facts import Facts
from cseq.pipeline.session import Session
from cseq.pipeline.stage import Context, Runner

_SITES_STAGE = "graphs/order_sites"
_RUN_STAGE = "graphs/run"
_CHANGED = "changed"
"""The name of the folder for copies of the user's files."""

_PATIENCE = 10
"""How many times as long as the longest proof so far other orders may take, in seconds at least."""


class _OpenError(CSeqError):
    """The explorer has no answer."""


class OrderRepair:
    """A search for other orders. questions: the values of the parameters for each property. folder: for its files."""

    def __init__(self, session: Runner, questions: Mapping[str, dict[str, object]], folder: Path) -> None:
        self._session = session
        self._program, self._context = session, session.context
        self._questions = {name: {**values, NUMBERED.name: True} for name, values in questions.items()}
        # A data race leaves open what the program does, so races come first.
        self._names = sorted(questions, key=lambda name: name != RACE)
        self._folder = folder
        self._known: dict[str, Answer] = {}
        self._bounds: dict[str, list[Bound]] = {}
        self._end = self._context.end
        self._longest = 0.0
        self._texts: Texts = {}

    def found(self, relaxes: bool) -> OrdersFound:
        """What there is to be found. relaxes: weaker orders than those of the program."""
        try:
            return self._found(relaxes)
        except (_OpenError, NotFollowedError) as error:
            reason = not_followed(error) if isinstance(error, NotFollowedError) else error.message
            return OrdersFound(OrdersKind.UNDECIDED, relaxes, reason=reason, tried=len(self._known))
        finally:
            self._context.end = self._end

    def _found(self, relaxes: bool) -> OrdersFound:
        facts = self._read(self._session)
        self._texts = _texts(facts[SOURCES])
        known = words(self._texts)
        if relaxes:
            known += [*calls(self._texts), *self._without_operators(operators(self._texts, facts[ATOMIC_NAMES]))]
        search, choices = self._search(known)
        is_proved = self._ask(search.written, True).is_proved
        if relaxes and not is_proved:
            return OrdersFound(OrdersKind.UNPROVED, relaxes, tried=len(self._known))
        orders = search.written if is_proved and not relaxes else search.relaxed() if relaxes else search.repaired()
        if orders is None:
            reason = self._unrepaired()
            return (self._fenced(known) if reason.kind is OrdersKind.UNWRITTEN else None) or reason
        if orders == search.written:
            return self._with(OrdersKind.UNCHANGED, relaxes, orders, {})
        kind = OrdersKind.RELAXED if relaxes else OrdersKind.REPAIRED
        return self._with(kind, relaxes, orders, _changes(choices, orders))

    def _search(self, known: Sequence[Place]) -> tuple[OrderSearch, dict[Choice, Place]]:
        """A search among the orders at the places that are *known*, and the place of each choice."""
        self._sites = self._context.facts[SITES]
        places = deciding(self._texts, known, [site.order for site in self._sites], self._orders_with)
        choices = {Choice(tuple(self._sites[n] for n in numbers)): place for place, numbers in places.items()}
        return OrderSearch(self._sites, list(choices), self._ask), choices

    def _fenced(self, known: Sequence[Place]) -> OrdersFound | None:
        """A repair with fences between statements, and the orders at the places that are *known*, if there is one."""
        fences = insertions(self._texts)
        if not fences:
            return None
        try:
            self._read(self._others(written(self._texts, dict.fromkeys(fences, Order.RELAXED), explicit=True)))
        except InputError:
            return None
        search, choices = self._search([*known, *fences])
        orders = search.repaired()
        if orders is None:
            return None
        return self._with(OrdersKind.REPAIRED, False, orders, _changes(choices, orders))

    def _read(self, session: Runner) -> Facts:
        """The facts about the program of a session, which is asked from now on. Raises InputError."""
        session.run({**self._questions[self._names[0]], **_moved(session)}, self._folder, until=_SITES_STAGE)
        self._program, self._context = session, session.context
        return session.context.facts

    def _without_operators(self, found: list[Implied]) -> list[Implied]:
        """Those of the operators that calls can replace: the program has these calls from now on."""
        if found:
            explicit = written(self._texts, dict.fromkeys(found, Order.SEQ_CST), explicit=True)
            try:
                self._read(self._others(explicit))
            except InputError:
                self._read(self._session)
                return []
        return found

    def _with(self, kind: OrdersKind, relaxes: bool, orders: Orders, changes: Mapping[Place, Order]) -> OrdersFound:
        """What was found: *orders*, which are in the text with the *changes*, after a proof of that text."""
        texts = written(self._texts, changes)
        if changes:
            self._check(texts)
        shown = [
            OrderChange(_origin(self._texts, place), place.spelled(place.order), place.spelled(order))
            for place, order in changes.items()
        ]
        shown.sort(key=lambda change: change.origin)
        difference = patch(self._texts, texts)
        cuts = tuple(
            (bound.cut, self._original(bound.origin)) for bound in dict.fromkeys(self._bounds[_digits(orders)])
        )
        return OrdersFound(kind, relaxes, tuple(shown), difference, tried=len(self._known), cuts=cuts)

    def _unrepaired(self) -> OrdersFound:
        """Why no stronger orders help."""
        for name in self._names:
            found = self._explored(name, {**self._questions[name], MEMORY_MODEL.name: SC})
            if found.status == "violated":
                plain = tuple(self._plain(found)) if found.kind == "race" else ()
                kind = OrdersKind.PLAIN if plain else OrdersKind.SEQUENTIAL
                return OrdersFound(kind, plain=plain, tried=len(self._known))
        return OrdersFound(OrdersKind.UNWRITTEN, tried=len(self._known))

    def _plain(self, found: Explored) -> list[tuple[Origin, str]]:
        """The places of the accesses of a data race that are not atomic, with their names."""
        program, symbols = self._context.facts[PROGRAM]
        violated = Execution(found, program, symbols, self._context.facts[SOURCES], SC).raced().violated
        assert violated is not None and isinstance(violated.account, Race)
        return [(side.origin, side.name) for side in violated.account.sides if side.how is Atomicity.NONE]

    # Asking

    def _ask(self, orders: Orders, needs_answer: bool) -> Answer:
        """Whether all properties are proved with *orders*; they are not if there is no answer and none is needed."""
        digits = _digits(orders)
        if digits not in self._known:
            self._known[digits] = self._answer(digits, needs_answer)
        return self._known[digits]

    def _answer(self, digits: str, needs_answer: bool) -> Answer:
        begun = time.monotonic()
        self._context.end = self._end
        if not needs_answer:
            latest = begun + _PATIENCE * max(self._longest, 1.0)
            self._context.end = latest if self._end is None else min(self._end, latest)
        bounds: list[Bound] = []
        layout: list[Bound] = []
        for name in self._names:
            first = not self._known
            found = self._explored(name, {**self._questions[name], TRIED.name: "" if first else digits})
            layout = self._context.facts[LAYOUT]
            match found.status:
                case "violated":
                    return Answer(False, self._in_graph(found))
                case "safe":
                    pass
                case "cut":
                    bounds += bounds_of(found, self._context.facts[PROGRAM][0], ITERATIONS.of(self._questions[name]))
                case "time" if self._end is not None and time.monotonic() >= self._end:
                    raise _OpenError("the engine ran out of time")
                case _ if not needs_answer:
                    return Answer(False)
                case "refused":
                    raise NotFollowedError(found.text, self._context.facts[PROGRAM][0].instructions[found.where].origin)
                case status:
                    raise _OpenError(f"the engine ran out of {status}")
        self._bounds[digits] = [*bounds, *layout]
        self._longest = max(self._longest, time.monotonic() - begun)
        return Answer(True)

    def _explored(self, name: str, values: dict[str, object]) -> Explored:
        where = _moved(self._program)
        found = self._program.run({**values, **where}, self._folder / name, until=_RUN_STAGE)
        assert isinstance(found, Explored)
        return found

    def _in_graph(self, found: Explored) -> frozenset[int]:
        """The numbers of the memory orders of the events of a graph."""
        uses = self._context.facts[ORDER_USES]
        kinds = ("load", "store", "fence")
        return frozenset(n for event in found.graph if event["kind"] in kinds for n in uses.get(event["where"], ()))

    # Other texts

    def _original(self, origin: Origin | None) -> Origin | None:
        """The place in the user's file of one in a copy of it."""
        folder = self._folder / _CHANGED
        if origin is None or folder not in Path(origin.file).parents:
            return origin
        return next((origin._replace(file=n) for n in self._texts if str(_mirrored(folder, n)) == origin.file), origin)

    def _others(self, texts: Texts) -> Session:
        """A session for the program with other *texts*, which are files elsewhere."""
        values = dict(self._questions[self._names[0]])
        folder = self._folder / _CHANGED
        mirrored = {}
        for name, text in texts.items():
            mirrored[name] = _mirrored(folder, name)
            mirrored[name].parent.mkdir(parents=True, exist_ok=True)
            mirrored[name].write_text(text, encoding="utf-8", errors="surrogateescape", newline="")
        beside = dict.fromkeys(str(Path(name).absolute().parent) for name in texts)
        given = [str(Path(each).absolute()) for each in HEADERS.of(values)]
        here = [str(folder / Path(each).relative_to("/")) for each in given]
        values[HEADERS.name] = (*here, *given, *beside)
        values[UNIT_FLAGS.name] = [UnitFlags(str(mirrored[p]), flags) for p, flags in UNIT_FLAGS.of(values)]
        context = Context(values, self._folder)
        context.end = self._end
        return Session(load("graphs"), [str(mirrored[path]) for path in self._session.paths], context)

    def _orders_with(self, texts: Texts) -> list[Order]:
        """The memory orders of the program with other texts."""
        session = self._others(texts)
        session.run(session.context.values, until=_SITES_STAGE)
        return [site.order for site in session.context.facts[SITES]]

    def _check(self, texts: Texts) -> None:
        """Prove the program with other texts as if the user had given it. Raises _OpenError if that fails."""
        session = self._others(texts)
        for name in self._names:
            found = session.run(
                {**self._questions[name], **_moved(session)}, self._folder / _CHANGED / name, until=_RUN_STAGE
            )
            if found.status not in ("safe", "cut"):
                raise _OpenError("the program with other orders was not proved: please report it")


def _changes(choices: Mapping[Choice, Place], orders: Orders) -> dict[Place, Order]:
    """The places whose orders are not those of the text, with the new ones."""
    found = {place: orders[choice.sites[0].number] for choice, place in choices.items()}
    return {place: order for place, order in found.items() if order is not place.order}


def _moved(session: Runner) -> dict[str, object]:
    """The parameters of a session that depend on where the files are."""
    return {name: session.context.values.get(name) for name in (HEADERS.name, UNIT_FLAGS.name)}


def _mirrored(folder: Path, name: str) -> Path:
    return folder / Path(name).absolute().relative_to("/")


def _digits(orders: Orders) -> str:
    return "".join(str(int(order)) for order in orders)


def _texts(sources: dict[str, list[str]]) -> dict[str, str]:
    """The files of the user's that are there, by name."""
    found = {}
    for name, lines in sources.items():
        if Path(name).is_file():
            text = Path(name).read_bytes().decode("utf-8", "surrogateescape")
            if len(text.splitlines()) == len(lines):  # it is not another file that a line marker names
                found[name] = text
    return found


def _origin(texts: Texts, place: Place) -> Origin:
    text = texts[place.file]
    line = text.count("\n", 0, place.start) + 1
    return Origin(place.file, line, place.start - text.rfind("\n", 0, place.start))
