"""Run the stages of a chain on one program: once, or again with other values of the parameters."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import Any

from cseq.model.activity import ActivityKind, phase
from cseq.model.errors import CSeqError, note_stage
from cseq.model.verdict import Caution, Outcome, Reason
from cseq.pipeline.chain import Chain
from cseq.pipeline.facts import Facts
from cseq.pipeline.stage import Context, Parameter, Stage, Wrapper
from cseq.pipeline.status import PhaseBegan, RunBegan, StageBegan, StageDone
from cseq.process.deadline import TimeUpError

After = Callable[[str, Any], Any]
Look = Callable[[str, Any, Context], None]


@dataclass(frozen=True)
class StageResult:
    """The result of one stage: the values of its parameters, its output, the facts and the warnings after it."""

    name: str
    values: dict[str, object]
    output: Any
    facts: Facts
    warnings: list[Caution]


_RUNS = 5
"""The number of runs that are remembered, for properties that take turns. They share what they have in common."""


class Session:
    """Runs the stages of *chain* on the files *paths*, and does not repeat what stays the same.

    A run begins at the first stage that takes a parameter whose value differs from that in the last runs.
    after: called with each stage's name and its output. Its result goes to the next stage; None ends the run.
    look: called with each stage's name, its output and the context, before *after*.
    """

    def __init__(
        self, chain: Chain, paths: list[str], context: Context, after: After | None = None, look: Look | None = None
    ) -> None:
        self.context = context
        self._chain = chain
        self._paths = paths
        self._after = after
        self._look = look
        self._done: list[StageResult] = []
        self._runs: list[list[StageResult]] = []

    @property
    def is_ours(self) -> bool:
        """Whether all stages of the chain come with CSeq: only then is it known what they make of a program."""
        return all(stage.__module__.startswith("cseq.modules.") for _, stage in self._chain.stages)

    def takes(self, parameter: Parameter[Any], values: dict[str, object]) -> bool:
        """Whether a stage that runs with *values* takes *parameter*."""
        return any(parameter in stage.takes for _, stage in self._chain.chosen(values))

    def use(self, chain: Chain) -> None:
        """From now on, run the stages of *chain*. The first stages that both chains share are not run again."""
        self._chain = chain

    @property
    def chain(self) -> Chain:
        """The chain whose stages run now."""
        return self._chain

    @property
    def paths(self) -> list[str]:
        """The user's files."""
        return self._paths

    def begun(self, values: dict[str, object]) -> StageResult:
        """What the first stage has made of the files with *values*; it runs if it has not. Others read no file."""
        (name, stage), *_ = self._chain.chosen(values)
        self.context.values = values
        taken = self._taken(stage)
        for run in (self._done, *self._runs):
            if run and run[0].name == name and run[0].values == taken:
                return run[0]
        self.run(values, until=name)
        return self._done[0]

    def go_on(self, begun: StageResult) -> None:
        """Begin the next run with what the first stage has made, in another process perhaps."""
        self._done = [begun]

    def run(self, values: dict[str, object], folder: Path | None = None, until: str | None = None) -> Any:
        """The output of the last stage that ran with *values*.

        folder: the folder for its intermediate files; by default the one that was used before.
        until:  the stage after which to stop; by default, all stages run.
        The times, in seconds, are added up over the runs in ``context.times``.
        """
        context = self.context
        context.values = values
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
            context.workdir = folder
        stages = self._chain.chosen(values)
        if until is not None:
            stages = stages[: [name for name, _ in stages].index(until) + 1]
        self._go_back(stages, again=until is None)
        last = self._done[-1] if self._done else None
        context.facts = last.facts.copy() if last else Facts()
        context.warnings = list(last.warnings) if last else []
        value = last.output if last else self._paths
        context.report(RunBegan(tuple(name for name, _ in stages), len(self._done)))
        for name, stage in stages[len(self._done) :]:
            value, goes_on = self._stage(name, stage, value)
            if not goes_on:
                break
        if isinstance(value, Outcome):
            value.warnings = [each for each in context.warnings if each.of in ("", values.get("property"))]
            if value.reason in (Reason.TIMEOUT, Reason.MEMORY):  # with more of it, an engine may answer
                ours = takewhile(lambda each: not issubclass(each[1], Wrapper), stages)
                del self._done[len(list(ours)) :]
        return value

    def _go_back(self, stages: list[tuple[str, type[Stage]]], again: bool) -> None:
        """Begin with the results of one of the last runs, as far as the stages and their values are the same.

        again: the last stage runs in any case.
        """
        self._runs = [self._done, *self._runs][:_RUNS]
        same, best = max(((self._same(run, stages), run) for run in self._runs), key=lambda found: found[0])
        # The outcome is what a run is for: the last stage always runs, so no outcome is handed out twice.
        self._done = best[: min(same, len(stages) - 1) if again else same]

    def _same(self, run: list[StageResult], stages: list[tuple[str, type[Stage]]]) -> int:
        """How many of the first *stages* would only repeat what they did in *run*."""
        same = 0
        for done, (name, stage) in zip(run, stages, strict=False):
            if done.name != name or done.values != self._taken(stage):
                break
            same += 1
        return same

    def _taken(self, stage: type[Stage]) -> dict[str, object]:
        return {parameter.name: self.context.values.get(parameter.name) for parameter in stage.takes}

    def _stage(self, name: str, stage: type[Stage], value: Any) -> tuple[Any, bool]:
        """Run one stage on *value*; returns its output, and whether the run goes on after it."""
        context = self.context
        context.report(StageBegan(name))
        context.progress(name)
        if not issubclass(stage, Wrapper):
            context.report(PhaseBegan(phase(ActivityKind.TRANSLATING)))
        start = time.perf_counter()
        try:
            value = stage(context).run(value)
        except CSeqError:
            raise
        except (Exception, TimeUpError) as error:  # a bug, in any stage; or no time for it
            note_stage(error, name)
            raise
        finally:
            seconds = time.perf_counter() - start
            context.times[name] = context.times.get(name, 0.0) + seconds
        context.report(StageDone(name, seconds))
        if self._look is not None:
            self._look(name, value, context)
        if self._after is not None:
            going_on = self._after(name, value)
            if going_on is None:
                return value, False
            value = going_on
        self._done.append(StageResult(name, self._taken(stage), value, context.facts.copy(), list(context.warnings)))
        return value, True
