"""Explore the scenarios, several at a time, and report."""

import contextlib
import json
import shutil
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any

from cseq.cli.console import style, write
from cseq.cli.linearize.confirming import Confirmation, confirmed
from cseq.cli.progress import Progress, working
from cseq.model.activity import Activity, ActivityKind, Amount, Phase
from cseq.model.errors import UsageError
from cseq.model.scenario_results import FailingScenario, Summary, WeakSummary
from cseq.model.verdict import Verdict
from cseq.modules.linearizability import results
from cseq.modules.linearizability.exploring import MEMORY, PROGRESS, RACES, RESULTS, Explorer, ScenarioAnswer, Violation
from cseq.modules.linearizability.scenario_programs import ScenarioFrame, declarations
from cseq.modules.linearizability.scenarios import SIZES, Scenario, scenarios
from cseq.modules.linearizability.structure import Structure
from cseq.options.memory_models import C11, SC
from cseq.options.properties import JOBS, MEMLIMIT
from cseq.pipeline.status import PhaseBegan
from cseq.process.processors import at_most
from cseq.process.run import available_memory

_SECONDS = 60.0
"""How long scenarios are begun, unless the user says otherwise."""

_SHARE = 0.25
"""The part of the time that one scenario may take, unless that is less than `_LEAST` seconds."""

_LEAST = 5.0

_WORK = "scenarios"
"""The name of what is done, in the live view."""


class StructureCheck:
    """Check *structure* as the options *own* and the *values* of parameters ask."""

    def __init__(self, structure: Structure, own: Mapping[str, Any], values: Mapping[str, Any]) -> None:
        self._structure = structure
        self._own = own
        self._values = dict(values)
        self._shows = not any(own.get(name) for name in ("quiet", "json", "sarif"))
        self._sizes = structure.sizes or SIZES
        self._kinds: tuple[results.Kind, ...] = ()
        self._seconds = float(own.get("time", _SECONDS))

    def perform(self) -> int:
        """Explore, print, and return the exit status. Raises CSeqError."""
        wanted = scenarios(self._structure, self._sizes)
        if not wanted:
            raise UsageError("there is no scenario: operations `by` the same name are called by one thread only")
        if self._own.get("list_scenarios"):
            return write("".join(f"{self._line(scenario)}\n" for scenario in wanted))
        from cseq.api import RECURSION

        sys.setrecursionlimit(max(sys.getrecursionlimit(), RECURSION))
        begun = time.monotonic()
        with _folder(self._own.get("keep")) as folder:
            frame = self._frame(folder)
            explorer = self._explorer(frame, folder)
            with working(self._shows, _WORK, ActivityKind.COMPILING):
                explorer.build(self._jobs(), max(self._seconds, _SECONDS))
            with working(self._shows, _WORK, ActivityKind.SEARCHING) as view:
                done = self._explored(explorer, wanted, view)
            worst = next((one for one in done if one.violation is not None), None)
            shown = confirmed(frame, worst, self._request(), folder) if worst is not None else None
            return self._report(wanted, done, worst, shown, time.monotonic() - begun, explorer.graphs is not None)

    def _frame(self, folder: Path) -> ScenarioFrame:
        structure = self._structure
        include = [f"-I{name}" for name in self._values.get("include", ())]
        options = [*include, *(f"-D{name}" for name in self._values.get("define", ()))]
        if self._values.get("bits") == 32:
            options.append("-m32")
        self._kinds = results.kinds(declarations(structure), structure.all_calls, folder, options)
        return ScenarioFrame(
            structure, self._kinds, max(size[0] for size in self._sizes), max(size[1] for size in self._sizes)
        )

    def _explorer(self, frame: ScenarioFrame, folder: Path) -> Explorer:
        from cseq.portfolio.families import EXPLICIT, GRAPHS, Families

        chains = Families().chains
        chain = chains[EXPLICIT]
        questions = [RESULTS]
        questions += [] if self._own.get("no_memsafety") else [MEMORY]
        questions += [RACES] if self._own.get("race") else []
        questions += [PROGRESS] if self._own.get("lock_free") else []
        given = {name: value for name, value in self._values.items() if name not in (JOBS.name, MEMLIMIT.name)}
        jobs = self._jobs()
        memory = (MEMLIMIT.of(self._values) or available_memory() * 3 // 4) // jobs
        model = self._own.get("memory_model")
        return Explorer(
            frame, chain, chain.values({**given, "backend": "native"}), questions, folder, max(memory, 64),
            weak_chain=None if model == SC else chains[GRAPHS], always=model == C11,
        )  # fmt: skip

    def _jobs(self) -> int:
        with at_most(self._values.get(JOBS.name)) as number:
            return number

    def _explored(self, explorer: Explorer, wanted: Sequence[Scenario], view: Progress | None) -> list[ScenarioAnswer]:
        """The answers, in the order of the scenarios; it ends with the time, or with the first violation.

        So that the same violation is found every time, all scenarios before it are explored to their end.
        """
        end = time.monotonic() + self._seconds
        found: dict[int, ScenarioAnswer] = {}
        worst = len(wanted)
        waiting: dict[Future[ScenarioAnswer], int] = {}
        upcoming = iter(range(len(wanted)))
        jobs = self._jobs()
        stop = threading.Event()

        def explored(number: int) -> ScenarioAnswer:
            if stop.is_set():
                return ScenarioAnswer(wanted[number], gap="time")
            left = end - time.monotonic()
            return explorer.explore(wanted[number], min(max(self._seconds * _SHARE, _LEAST), max(left, 1.0)))

        with ThreadPoolExecutor(jobs) as pool:
            try:
                while True:
                    while len(waiting) < jobs + 1 and time.monotonic() < end:
                        number = next(upcoming, len(wanted))
                        if number >= min(worst, len(wanted)):
                            break
                        waiting[pool.submit(explored, number)] = number
                    if not waiting:
                        break
                    done, _ = wait(waiting, return_when=FIRST_COMPLETED, timeout=0.5)
                    for future in done:
                        number = waiting.pop(future)
                        found[number] = future.result()
                        if found[number].violation is not None:
                            worst = min(worst, number)
                    if view is not None:
                        states = sum(one.states for one in found.values())
                        left = len(wanted) - len(found)
                        amounts = (Amount.SCENARIOS, len(found)), (Amount.STATES, states), (Amount.WAITING, left)
                        view.status.report(PhaseBegan(Phase((("", Activity(ActivityKind.SEARCHING, amounts)),))))
            finally:
                stop.set()
                for future in waiting:
                    future.cancel()
        return [found[number] for number in sorted(found) if number <= worst]

    def _line(self, scenario: Scenario) -> str:
        return " | ".join("; ".join(calls) for calls in self._labels(scenario))

    def _labels(self, scenario: Scenario) -> list[list[str]]:
        """The calls of each thread, as it makes them."""
        return [
            [self._structure.call(call).label.replace("CSEQ_THREAD", str(thread)) for call in calls]
            for thread, calls in enumerate(scenario.threads)
        ]

    def _request(self) -> dict[str, Any]:
        kept = ("cex", "explain", "json", "sarif", "quiet", "html", "reproducer", "save_test", "save_scenario")
        passed = {name: self._own[name] for name in kept if self._own.get(name)}
        return {**passed, "values": self._values}

    def _report(
        self,
        wanted: Sequence[Scenario],
        done: Sequence[ScenarioAnswer],
        worst: ScenarioAnswer | None,
        shown: Confirmation | None,
        seconds: float,
        is_weak: bool,
    ) -> int:
        gaps = Counter(gap for one in done for gap in dict.fromkeys(f"{one.gap}\n{one.weak_gap}".split("\n")) if gap)
        found = None
        if worst is not None and worst.violation is not None and shown is not None:
            labels = self._labels(worst.scenario)
            found = self._found(worst.violation, labels, wanted.index(worst.scenario) + 1, shown)
        complete = len(done) == len(wanted) and not gaps
        verdict = Verdict.FALSE if found is not None and found.is_confirmed else Verdict.UNKNOWN
        if found is None and complete:
            verdict = Verdict.TRUE
        summary = Summary(
            verdict=verdict,
            consistency=self._structure.consistency,
            sizes=tuple(self._sizes),
            scenarios=len(wanted),
            complete=sum(one.is_complete for one in done) - (worst is not None and worst.violation is not None),
            gaps=tuple(gaps.items()),
            refused=_refused(done),
            states=sum(one.states for one in done),
            seconds=seconds,
            found=found,
            weak=WeakSummary(sum(one.executions for one in done), sum(not one.gap for one in done))
            if is_weak
            else None,
        )
        write(self._text(summary, shown))
        if shown is not None:
            shown.write_files()
        return _status(summary)

    def _found(
        self, violation: Violation, labels: list[list[str]], number: int, shown: Confirmation
    ) -> FailingScenario:
        returned = {(one.thread, one.number): one.result for one in violation.returned}
        return FailingScenario(
            number=number,
            question=violation.question,
            kind=violation.kind,
            calls=tuple(tuple(calls) for calls in labels),
            results=tuple(
                tuple(returned.get((thread, position)) for position in range(len(calls)))
                for thread, calls in enumerate(labels)
            ),
            silent=tuple(tuple(self._is_silent(call) for call in calls) for calls in shown.scenario.threads),
            before=violation.before,
            stopped=violation.stopped,
            is_sequential=violation.is_sequential,
            is_confirmed=shown.is_confirmed,
            is_weak=violation.is_weak,
        )

    def _is_silent(self, call: int) -> bool:
        return self._kinds[call - 1] is results.Kind.NOTHING

    def _text(self, summary: Summary, shown: Confirmation | None) -> str:
        if self._own.get("json"):
            from cseq.report.json.scenariojson import report

            return json.dumps(report(summary, shown.report() if shown is not None else None), indent=2) + "\n"
        if self._own.get("sarif"):
            if shown is None:
                raise UsageError("--sarif: there is no violation to report")
            return shown.text()
        if self._own.get("quiet"):
            return f"{summary.verdict.value}\n"
        from cseq.report.text.scenariolines import lines

        text = "".join(f"{line}\n" for line in lines(summary, style()))
        return text + (f"\n{shown.text()}" if shown is not None and shown.outcome is not None else "")


def _refused(done: Sequence[ScenarioAnswer]) -> str:
    """Why none of the scenarios can be explored; empty if some can."""
    if done and all(one.refused for one in done):
        return done[0].gap
    return done[0].weak_gap if done and all(one.weak_refused for one in done) else ""


def _status(summary: Summary) -> int:
    if summary.verdict is Verdict.FALSE:
        return 1
    if summary.verdict is Verdict.TRUE or (summary.found is None and summary.complete > 0 and not summary.refused):
        return 0
    return 3


@contextlib.contextmanager
def _folder(keep: str | None) -> Iterator[Path]:
    """The folder for the programs: the one that the user names, or a temporary one."""
    from cseq.api import folder_for

    folder = folder_for(keep)
    try:
        yield folder
    finally:
        if keep is None:
            shutil.rmtree(folder, ignore_errors=True)
