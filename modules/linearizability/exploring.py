"""Explore scenarios with the engine `native`: the program is built once, and the scenario is its input."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from cseq.base.errors import BackendError, InputError
from cseq.modules.analysis.movers import NO_MOVERS
from cseq.modules.analysis.properties import MEMSAFETY, PROPERTY, RACE, UNREACH
from cseq.modules.explicit.hooks import COLLECT
from cseq.modules.front.merger.merger import MENTIONED
from cseq.modules.linearizability.histories import Before, Orders, explained, orders, place_of, precedences
from cseq.modules.linearizability.scenario_programs import GOES_ON, REPORT, Frame, Returned, Variant, program
from cseq.modules.linearizability.scenarios import Scenario
from cseq.modules.linearizability.structure import LINEARIZABLE
from cseq.modules.runs.explicit_engine import compiled
from cseq.modules.runs.explorer import link
from cseq.pipeline.chain import Chain
from cseq.pipeline.session import Session
from cseq.pipeline.stage import Context
from cseq.process.deadline import TimeUpError, alarm
from cseq.process.run import run

RESULTS, MEMORY, RACES, PROGRESS = "results", "memory", "races", "lock-freedom"
"""The questions about a scenario: whether an order explains its results (and whether it crashes or gets stuck), whether
its accesses to memory are valid, whether there are data races, and whether threads end that others have left alone."""

_COLLECTING = f"assertion: {GOES_ON}"
_LEAST = 0.05


@dataclass(frozen=True)
class Violation:
    """What is wrong with a scenario.

    question: the one that shows it. kind: the engine's word (``assertion``, ``crash``, ``deadlock``, ``race``); of
    results, ``unexplained``; ``trap`` if threads cannot end. text: the key of the claim. schedule: transitions.
    returned: the calls that have returned, the last of which no order explains. before: pairs of calls of which the
    first one returned before the second one began, as far as that matters. stopped: the thread that is stopped.
    is_sequential: it takes no second thread.
    """

    question: str
    kind: str
    text: str = ""
    schedule: tuple[tuple[int, tuple[int, ...]], ...] = ()
    returned: tuple[Returned, ...] = ()
    before: tuple[Before, ...] = ()
    stopped: int | None = None
    is_sequential: bool = False


@dataclass(frozen=True)
class Explored:
    """The answer for a scenario. states: of all searches. gap: why it is not complete, or empty: a line for each
    cause, a key of `Cut` or the engine's words. refused: the engine cannot follow the program at all, and says why in
    *gap*."""

    scenario: Scenario
    states: int = 0
    violation: Violation | None = None
    gap: str = ""
    refused: bool = False


@dataclass
class Explorer:
    """Programs for the scenarios of *frame*, built when they are needed, in *folder*.

    chain, values: of the explicit family, with the user's parameters. questions: those that are asked.
    memory: megabytes of a search.
    """

    frame: Frame
    chain: Chain
    values: Mapping[str, Any]
    questions: Sequence[str]
    folder: Path
    memory: int
    _binaries: dict[str, Path] = field(default_factory=dict)
    _known: dict[tuple[tuple[int, ...], ...], Orders] = field(default_factory=dict)

    def build(self, jobs: int = 1, seconds: float | None = None) -> None:
        """Build all programs, *jobs* at a time, each within *seconds*. Raises CSeqError."""
        structure = self.frame.structure
        found = Variant.MONITORED if structure.consistency == LINEARIZABLE else Variant.RECORDED
        wanted = [("orders", Variant.ORDERS, UNREACH, True)]
        named = {RESULTS: (found, UNREACH), MEMORY: (Variant.SILENT, MEMSAFETY), RACES: (Variant.SILENT, RACE)}
        named[PROGRESS] = (Variant.SILENT, UNREACH)
        wanted += [(question, *named[question], False) for question in self.questions]
        end = None if seconds is None else time.monotonic() + seconds
        with ProcessPoolExecutor(min(jobs, len(wanted)), get_context("fork")) as pool:  # translating takes Python
            built = [pool.submit(self._in_time, end, *each) for each in wanted]
            self._binaries = {each[0]: one.result() for each, one in zip(wanted, built, strict=True)}

    def _in_time(self, end: float | None, name: str, variant: Variant, property_: str, sequential: bool) -> Path:
        """A program, which is built before *end*, in `time.monotonic` seconds. In a process of its own."""
        try:
            with alarm(end):
                return self._built(name, variant, property_, sequential)
        except TimeUpError:
            pass
        raise BackendError("no time was left to build the programs that make the scenarios: --time gives more seconds")

    def _built(self, name: str, variant: Variant, property_: str, sequential: bool) -> Path:
        structure = self.frame.structure
        folder = self.folder / name
        folder.mkdir(parents=True, exist_ok=True)
        source = folder / "scenarios.c"
        frame = self.frame.for_orders if sequential else self.frame
        source.write_text(program(frame, variant), encoding="utf-8")
        code = structure.model if sequential and structure.model else structure.files
        files = [str(source), *(code if structure.headers else ())]
        given = {**self.values, "backend": "native", PROPERTY.name: property_, "checked": property_ == MEMSAFETY}
        if name == PROGRESS:  # a thread may stop in each place, also where others cannot look
            given[NO_MOVERS.name] = True
        if variant is not Variant.SILENT:
            given |= {MENTIONED.name: (REPORT,), COLLECT.name: REPORT}
        context = Context(given, folder)
        try:
            unit = Session(self.chain, files, context).run(given, until="hooks")
        except InputError as error:
            if error.origin is None or error.origin.file != str(source):
                raise
            raise InputError(f"{error.message}, by what is said of the structure and its operations") from None
        steps = compiled(unit.text, folder / "steps.o", context.bits)
        binary = folder / "explore"
        link(steps, binary, folder, "the explorer")
        return binary

    def explore(self, scenario: Scenario, seconds: float) -> Explored:
        """Ask all questions about *scenario*; *seconds* for each. Raises BackendError if the engine fails."""
        forced = ["--force", ",".join(map(str, self.frame.choices(scenario)))]  # the same in all programs
        found = self._ask("orders", [*forced, "--collect", _COLLECTING], seconds)
        answer = self._answer(scenario, "orders", found)
        if answer.violation is not None:
            return answer
        known = orders(found.get("collected", ()), self.frame)
        states, gap, refused = answer.states, answer.gap, answer.refused
        for question in self.questions:
            if question == RESULTS and gap:
                continue  # orders are missing
            asked = {
                RESULTS: self._results,
                MEMORY: lambda *_: ["--check", "claim"],
                RACES: lambda *_: ["--check", "race"],
                PROGRESS: lambda *_: ["--traps"],
            }[question]
            found = self._ask(question, [*forced, *asked(scenario, known)], seconds)
            answer = self._answer(scenario, question, found, known)
            states += answer.states
            if answer.violation is not None:
                return Explored(scenario, states, answer.violation)
            if answer.gap and not gap:  # another question may be about just what this one cannot follow
                gap, refused = answer.gap, answer.refused
        return Explored(scenario, states, gap=gap, refused=refused)

    def _results(self, scenario: Scenario, known: Orders) -> list[str]:
        if self.frame.structure.consistency != LINEARIZABLE:
            return ["--collect", _COLLECTING]
        name = "-".join("_".join(map(str, calls)) for calls in scenario.threads)
        file = self.folder / f"orders-{name}"
        lines = [" ".join(f"{one.thread} {one.result}" for one in order) for order in known]
        file.write_text("\n".join([str(self.frame.threads), *lines]) + "\n", encoding="utf-8")
        return ["--monitor", str(file)]

    def _ask(self, name: str, words: Sequence[str], seconds: float) -> dict[str, Any]:
        command = [str(self._binaries[name]), "--search", "bfs", "--jobs", "1", "--no-symmetry", *words]
        command += ["--time", f"{max(seconds, _LEAST):.2f}", "--memory", str(self.memory)]
        done = run(command, timeout=seconds + 5, memory=self.memory, folder=self.folder / name, reserves=True)
        if done.timed_out or done.exceeded:
            return {"status": done.exceeded or "time"}
        try:
            found: dict[str, Any] = json.loads(done.stdout)
        except ValueError:
            said = (done.stderr.strip() or done.stdout.strip()).splitlines()[:1]
            raise BackendError(f"the backend `native` failed (exit status {done.status}) {' '.join(said)}") from None
        if found["status"] == "error":
            raise BackendError(f"the backend `native` failed: {found.get('text')}")
        return found

    def _answer(self, scenario: Scenario, name: str, found: dict[str, Any], known: Orders = frozenset()) -> Explored:
        """What *found* says. known: the sequential orders, for results."""
        status = found["status"]
        states = int(found.get("statistics", {}).get("states", 0))
        if status == "violated":
            return Explored(scenario, states, self._violation(scenario, name, found))
        if name == RESULTS and self.frame.structure.consistency != LINEARIZABLE:
            bad = self._unexplained(scenario, found, known)
            if bad is not None:
                return Explored(scenario, states, bad)
        if status == "safe":
            return Explored(scenario, states)
        gap = status if status in ("time", "memory") else str(found.get("text") or "\n".join(_gaps(found)) or status)
        return Explored(scenario, states, gap=gap, refused=status == "refused")

    def _violation(self, scenario: Scenario, name: str, found: dict[str, Any]) -> Violation:
        kind, text = str(found.get("kind", "")), str(found.get("text", ""))
        returned: tuple[Returned, ...] = ()
        before: tuple[Before, ...] = ()
        if name == RESULTS and kind == "assertion" and text == "linearizable":
            kind = "unexplained"
            returned, before = precedences(found["returned"], scenario)
        if name == PROGRESS and kind == "deadlock":
            kind = "trap"
        schedule = tuple((thread, tuple(chosen)) for thread, chosen in found.get("schedule", ()))
        stopped = found.get("stopped")
        # Thread 1 was the one that ends before all others begin.
        return Violation(
            name if name != "orders" else RESULTS, kind, text, schedule, returned, before,
            None if stopped is None else place_of(stopped), name == "orders",
        )  # fmt: skip

    def _unexplained(self, scenario: Scenario, found: dict[str, Any], known: Orders) -> Violation | None:
        """The first collected record of results that no order explains."""
        for record in found.get("collected", ()):
            found_out = explained(record, scenario, self.frame, known)
            if found_out is not None:
                return Violation(RESULTS, "unexplained", returned=found_out[0], before=found_out[1])
        return None


def _gaps(found: dict[str, Any]) -> list[str]:
    """What a search left out."""
    return [str(text) for part in ("cuts", "coarse", "limits") for text in found.get(part, ())]
