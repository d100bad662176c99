"""Explore scenarios with the engine `native`: the program is built once, and the scenario is its input."""

import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any, TypeVar

from cseq.model.errors import BackendError, InputError
from cseq.modules.analysis.memory_orders import has_weaker
from cseq.modules.analysis.movers import NO_MOVERS
from cseq.modules.explicit.encode.hooks import COLLECT
from cseq.modules.explicit.engine import Exploration, compiled
from cseq.modules.explicit.run import link, search
from cseq.modules.frontend.merger.merger import MENTIONED
from cseq.modules.linearizability import scenario_programs
from cseq.modules.linearizability.histories import Before, Orders, OrderTree, explained, orders, place_of, precedences
from cseq.modules.linearizability.scenario_graphs import ScenarioGraphs
from cseq.modules.linearizability.scenarios import Scenario
from cseq.modules.linearizability.structure import LINEARIZABLE
from cseq.options.properties import CHECKED, MEMSAFETY, PROPERTY, RACE, REFUSE, UNREACH
from cseq.pipeline.chain import Chain
from cseq.pipeline.session import Session
from cseq.pipeline.stage import Context
from cseq.process.deadline import TimeUpError, alarm

T = TypeVar("T")

RESULTS, MEMORY, RACES, PROGRESS = "results", "memory", "races", "lock-freedom"
"""The questions about a scenario: whether an order explains its results (and whether it crashes or gets stuck), whether
its accesses to memory are valid, whether there are data races, and whether threads end that others have left alone."""

UNORDERED = "progress"
"""The gap of lock-freedom where memory orders are weak."""

_ORDERS = "orders"
"""The name of the program that makes calls in sequential orders."""

_PROPERTIES = {_ORDERS: UNREACH, RESULTS: UNREACH, MEMORY: MEMSAFETY, RACES: RACE, PROGRESS: UNREACH}
"""The properties for which programs are translated."""

_WORDS = {MEMORY: ("--check", "claim"), RACES: ("--check", "race"), PROGRESS: ("--traps",)}
"""The options of the engine for a question."""

_LINEARIZABLE = "linearizable"
"""The text of the claim that a return makes in a program that is monitored."""

_COLLECTING = f"assertion: {scenario_programs.GOES_ON}"
_LEAST = 0.05


@dataclass(frozen=True)
class Violation:
    """What is wrong with a scenario.

    question: the one that shows it. kind: the engine's word (``assertion``, ``crash``, ``deadlock``, ``race``); of
    results, ``unexplained``; ``trap`` if threads cannot end. returned: the calls that have returned, the last of which
    no order explains. before: pairs of calls of which the first one returned before the second one began, as far as
    that matters. stopped: the thread that is stopped. is_sequential: it takes no second thread. is_weak: it takes the
    memory orders of the structure, and *before* is happens-before.
    """

    question: str
    kind: str
    returned: tuple[scenario_programs.ReturnedCall, ...] = ()
    before: tuple[Before, ...] = ()
    stopped: int | None = None
    is_sequential: bool = False
    is_weak: bool = False


@dataclass(frozen=True)
class ScenarioAnswer:
    """The answer for a scenario. states: of all searches. gap: why it is not complete, or empty: a line for each
    cause, a key of `Cut` or the engine's words. refused: the engine cannot follow the program at all, and says why in
    *gap*. executions: how many execution graphs there are. weak_gap, weak_refused: the same of these, where what is
    sequentially consistent is known."""

    scenario: Scenario
    states: int = 0
    violation: Violation | None = None
    gap: str = ""
    refused: bool = False
    executions: int = 0
    weak_gap: str = ""
    weak_refused: bool = False

    @property
    def is_complete(self) -> bool:
        """Whether there is nothing that was not explored."""
        return not self.gap and not self.weak_gap


@dataclass
class Explorer:
    """Programs for the scenarios of *frame*, built when they are needed, in *folder*.

    chain, values: of the explicit family, with the user's parameters. questions: those that are asked.
    memory: megabytes of a search. weak_chain: that of execution graphs, which are explored where the structure has
    memory orders that make a difference, or if that is wanted *always*; None for sequential consistency.
    """

    frame: scenario_programs.ScenarioFrame
    chain: Chain
    values: Mapping[str, Any]
    questions: Sequence[str]
    folder: Path
    memory: int
    weak_chain: Chain | None = None
    always: bool = False
    graphs: ScenarioGraphs | None = None
    _binaries: dict[str, Path] = field(default_factory=dict)

    def build(self, jobs: int = 1, seconds: float | None = None) -> None:
        """Build all programs, *jobs* at a time, each within *seconds*. Raises CSeqError."""
        names = [_ORDERS, *self.questions]
        end = None if seconds is None else time.monotonic() + seconds
        with ProcessPoolExecutor(min(jobs, len(names)), get_context("fork")) as pool:  # translating takes Python
            found = [pool.submit(_in_time, partial(self._built, name), end) for name in names]
            programs = [each.result() for each in found]
            self._binaries = {name: binary for name, (binary, _) in zip(names, programs, strict=True)}
            if self.always or any(is_weak for _, is_weak in programs):
                self.graphs = pool.submit(_in_time, self._built_graphs, end).result()

    def _built_graphs(self) -> ScenarioGraphs | None:
        if self.weak_chain is None:
            return None
        leaks = bool(self.frame.structure.teardown) and MEMORY in self.questions
        folder = self.folder / "graphs"
        return ScenarioGraphs.built(self.frame, self.weak_chain, self.values, folder, leaks, self.always)

    def _variant(self, name: str) -> scenario_programs.Variant:
        """What the program *name* reports."""
        if name == RESULTS:
            return (
                scenario_programs.Variant.MONITORED
                if self.frame.structure.consistency == LINEARIZABLE
                else scenario_programs.Variant.RECORDED
            )
        return scenario_programs.Variant.ORDERS if name == _ORDERS else scenario_programs.Variant.SILENT

    def _built(self, name: str) -> tuple[Path, bool]:
        """The program *name*, and whether its code has memory orders weaker than seq_cst."""
        structure, variant, property_ = self.frame.structure, self._variant(name), _PROPERTIES[name]
        folder = self.folder / name
        folder.mkdir(parents=True, exist_ok=True)
        source = folder / "scenarios.c"
        frame = self.frame.for_orders if name == _ORDERS else self.frame
        source.write_text(scenario_programs.program(frame, variant), encoding="utf-8")
        files = [str(source), *(structure.specifying if name == _ORDERS else structure.beside)]
        given = {**self.values, "backend": "native", PROPERTY.name: property_, CHECKED.name: property_ == MEMSAFETY}
        given[REFUSE.name] = True  # an operation that is not there is a mistake
        if name == PROGRESS:  # a thread may stop in each place, also where others cannot look
            given[NO_MOVERS.name] = True
        if variant is not scenario_programs.Variant.SILENT:
            given |= {MENTIONED.name: (scenario_programs.REPORT,), COLLECT.name: scenario_programs.REPORT}
        context = Context(given, folder)
        try:
            session = Session(self.chain, files, context)
            is_weak = name != _ORDERS and has_weaker(session.run(given, until="merger").tree, context.model)
            unit = session.run(given, until="hooks")
        except InputError as error:
            if error.origin is None or error.origin.file != str(source):
                raise
            raise InputError(f"{error.message}, by what is said of the structure and its operations") from None
        steps = compiled(unit.text, folder / "steps.o", context.bits)
        binary = folder / "explore"
        link(steps, binary, folder, "the explorer")
        return binary, is_weak

    def explore(self, scenario: Scenario, seconds: float) -> ScenarioAnswer:
        """Ask all questions about *scenario*; *seconds* for each. Raises BackendError if the engine fails."""
        forced = ["--force", ",".join(map(str, self.frame.choices(scenario)))]  # the same in all programs
        found = self._ask(_ORDERS, [*forced, "--collect", _COLLECTING], seconds)
        answer = self._answer(scenario, _ORDERS, found)
        if answer.violation is not None:
            return answer
        known = orders(found.collected, self.frame)
        tree = OrderTree(known)
        states, gap, refused = answer.states, answer.gap, answer.refused
        has_orders = not gap
        for question in self.questions:
            if question == RESULTS and gap:
                continue  # orders are missing
            words = self._results(scenario, known) if question == RESULTS else _WORDS[question]
            found = self._ask(question, [*forced, *words], seconds)
            answer = self._answer(scenario, question, found, tree)
            states += answer.states
            if answer.violation is not None:
                return ScenarioAnswer(scenario, states, answer.violation)
            if answer.gap and not gap:  # another question may be about just what this one cannot follow
                gap, refused = answer.gap, answer.refused
        answer = ScenarioAnswer(scenario, states, gap=gap, refused=refused)
        return answer if self.graphs is None else self._weakly(self.graphs, answer, tree, has_orders, seconds)

    def _weakly(
        self, graphs: ScenarioGraphs, answer: ScenarioAnswer, tree: OrderTree, has_orders: bool, seconds: float
    ) -> ScenarioAnswer:
        """The *answer* for sequential consistency, with that for the memory orders of the structure.

        tree: the sequential orders; *has_orders* if they are complete.
        """
        if not has_orders:
            return replace(answer, weak_gap=answer.gap)
        found = graphs.explore(answer.scenario, tree, seconds, self.memory)
        if found.kind:
            returned, before = ((), ()) if found.history is None else (found.history.returned, found.history.between)
            question = RACES if found.kind == "race" else RESULTS
            violation = Violation(question, found.kind, returned, before, is_weak=True)
            return replace(answer, violation=violation, executions=found.executions, gap="", refused=False)
        gap, refused = found.gap, found.refused
        if PROGRESS in self.questions:
            gap = "\n".join(filter(None, (gap, UNORDERED)))
        return replace(answer, executions=found.executions, weak_gap=gap, weak_refused=refused)

    def _results(self, scenario: Scenario, known: Orders) -> list[str]:
        if self.frame.structure.consistency != LINEARIZABLE:
            return ["--collect", _COLLECTING]
        name = "-".join("_".join(map(str, calls)) for calls in scenario.threads)
        file = self.folder / f"orders-{name}"
        lines = [" ".join(f"{one.thread} {one.result}" for one in order) for order in known]
        file.write_text("\n".join([str(self.frame.threads), *lines]) + "\n", encoding="utf-8")
        return ["--monitor", str(file)]

    def _ask(self, name: str, words: Sequence[str], seconds: float) -> Exploration:
        command = [str(self._binaries[name]), "--search", "bfs", "--jobs", "1", "--no-symmetry", *words]
        command += ["--time", f"{max(seconds, _LEAST):.2f}", "--memory", str(self.memory)]
        return search(command, seconds + 5, self.memory, self.folder / name)

    def _answer(
        self, scenario: Scenario, name: str, found: Exploration, known: OrderTree | None = None
    ) -> ScenarioAnswer:
        """What *found* says. known: the sequential orders, for results."""
        states = int(found.statistics.get("states", 0))
        if found.status == "violated":
            return ScenarioAnswer(scenario, states, self._violation(scenario, name, found))
        if known is not None and name == RESULTS and self.frame.structure.consistency != LINEARIZABLE:
            bad = self._unexplained(scenario, found, known)
            if bad is not None:
                return ScenarioAnswer(scenario, states, bad)
        if found.status == "safe":
            return ScenarioAnswer(scenario, states)
        is_bound = found.status in ("time", "memory")
        left_out = "\n".join((*found.cuts, *found.coarse, *found.limits))
        gap = found.status if is_bound else found.text or left_out or found.status
        return ScenarioAnswer(scenario, states, gap=gap, refused=found.status == "refused")

    @staticmethod
    def _violation(scenario: Scenario, name: str, found: Exploration) -> Violation:
        if name == RESULTS and (found.kind, found.text) == ("assertion", _LINEARIZABLE):
            returned, before = precedences(found.returned, scenario)
            return Violation(name, "unexplained", returned, before)
        if name == PROGRESS and found.kind == "deadlock":
            return Violation(name, "trap", stopped=None if found.stopped is None else place_of(found.stopped))
        is_sequential = name == _ORDERS
        return Violation(RESULTS if is_sequential else name, found.kind, is_sequential=is_sequential)

    def _unexplained(self, scenario: Scenario, found: Exploration, known: OrderTree) -> Violation | None:
        """The first collected record of results that no order explains."""
        for record in found.collected:
            bad = explained(record, scenario, self.frame, known)
            if bad is not None:
                return Violation(RESULTS, "unexplained", *bad)
        return None


def _in_time(build: Callable[[], T], end: float | None) -> T:
    """What *build* returns before *end*, in `time.monotonic` seconds. In a process of its own."""
    try:
        with alarm(end):
            return build()
    except TimeUpError:
        pass
    raise BackendError("no time was left to build the programs that make the scenarios: --time gives more seconds")
