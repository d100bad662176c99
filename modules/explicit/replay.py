"""Execute a counterexample of an explicit-state engine, and report it in terms of the user's program."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pycparser import c_ast

from cseq.backends.records import Record, Tag, records
from cseq.c.generated import ours
from cseq.c.symbols import Symbols
from cseq.model.activity import ActivityKind, phase
from cseq.model.claims import Claim, Cut, Kind, Limit
from cseq.model.errors import BackendError
from cseq.model.origin import Origin
from cseq.model.trace import Counterexample, Step
from cseq.model.verdict import ABOUT, Outcome, Property, Reason, Verdict
from cseq.modules.analysis.probes import PROBES, Probes
from cseq.modules.core.input_choices.input_choices import CHOICES
from cseq.modules.core.undefined_behaviour.checks import CHECKS, Check, number_of
from cseq.modules.core.uninitialised_reads import CORE, UninitialisedReads
from cseq.modules.explicit import engine
from cseq.modules.explicit.encode.address_order import AddressOrder
from cseq.modules.explicit.encode.aligner import Aligner
from cseq.modules.explicit.encode.allocator import Allocator
from cseq.modules.explicit.encode.hooks import Hooks
from cseq.modules.explicit.encode.ilp32_layout import Ilp32Layout
from cseq.modules.explicit.encode.memory_registry import MemoryRegistry
from cseq.modules.explicit.encode.scheduling_model import SCHEDULING
from cseq.modules.explicit.encode.shadow_memory import ShadowMemory
from cseq.modules.explicit.encode.splitter import Splitter
from cseq.modules.explicit.encode.step_program import STEPS
from cseq.modules.explicit.encode.stepper.stepper import Stepper
from cseq.modules.explicit.run import link, search
from cseq.modules.frontend.merger.merger import MOVES, SOURCES
from cseq.modules.frontend.observers.observers import OBSERVED
from cseq.modules.questions import ltl
from cseq.options import mutual_exclusion as exclusion
from cseq.options.bounds import THREADS
from cseq.options.properties import ACCEPTANCE, LTL, MEMLIMIT, PROGRESS, PROPERTY, TIMEOUT, TLA
from cseq.pipeline.facts import Needs, Uses
from cseq.pipeline.stage import Wrapper
from cseq.process.run import available_memory, run

if TYPE_CHECKING:  # most runs find nothing to follow
    from cseq.modules.explicit.step_output import StepOutput
    from cseq.modules.explicit.step_tracer import StepTracer
    from cseq.modules.tracing.execution import ReplayEvent

SCHEDULE = "schedule.json"
"""The file with the transitions to follow."""

_END = {
    Tag.DROPPED: "an assumption does not hold",
    Tag.ENDED: "it ends without a violation",
    Tag.BLOCKED: "a thread is blocked on the way",
    Tag.CUT: "a bound cuts it off",
    Tag.CRASHED: "it crashes",
    Tag.REFUSED: "it does what cannot be followed",
    Tag.OTHER: "it says nothing",
}


_STOPS = frozenset({Limit.UNSUPPORTED, Limit.UNDEFINED})
"""The limits at which a thread stops, and others go on."""

_SEEN = {"assertion": Tag.FAILED, "crash": Tag.CRASHED, "invariant": Tag.ENDED}
"""How an execution ends in which something of the given kind is violated."""


class ExplicitReplay(Wrapper):
    """in: what an engine found, or an outcome. out: for a violation, the outcome; anything else unchanged.

    The program is translated once more, with calls that report what it does. It makes the transitions that lead to the
    violation, according to the engine. The counterexample is what it was seen to do.
    """

    takes = (
        PROPERTY,
        engine.SIMULATE,
        engine.FAIR,
        engine.STRONG_FAIR,
        engine.SHOW_CUT,
        *engine.LIVELY.values(),
        MOVES,
        MEMLIMIT,
        TIMEOUT,
    )
    core = Needs(CORE)
    choices = Needs(CHOICES)
    probes = Uses(PROBES, Probes())
    checks = Uses(CHECKS, None)
    sources = Needs(SOURCES)
    observed = Needs(OBSERVED)
    steps = Needs(STEPS)
    scheduling = Needs(SCHEDULING)  # of the stages that it runs once more

    def run(self, value: engine.Exploration | Outcome) -> engine.Exploration | Outcome:
        """Follow a violation."""
        simulated = self.parameter(engine.SIMULATE) is not None
        if isinstance(value, engine.Exploration) and value.status == "unknown" and self.parameter(engine.SHOW_CUT):
            return replace(value, shown=self._to_a_cut(value.cuts)) if not simulated else value
        if isinstance(value, Outcome) or not (value.status == "violated" or (simulated and value.status == "unknown")):
            return value
        check = self._check(value.text)
        if check is not None:
            value = replace(value, check=check.claim)
        self.context.begin("replay", phase(ActivityKind.REPLAYING))
        self._moves = self.parameter(MOVES)
        try:
            followed, tracer, symbols = self._followed(value)
        except BackendError as error:
            return _not_followed(value, error.message)
        if value.status == "violated":
            outcome = self._blamed(self._outcome(value, followed, tracer, symbols))
        else:
            outcome = self._simulated(followed, tracer, symbols)
        if outcome.counterexample is not None:
            recorded = replace(value, text=value.text or _seen(value, followed))
            outcome.counterexample.execution = {name: getattr(recorded, name) for name in engine.RECORDED}
        return outcome

    def _blamed(self, outcome: Outcome) -> Outcome:
        """*outcome*, which says what may be the reason if it is that a violation could not be replayed."""
        if outcome.reason is not Reason.REPLAY:
            return outcome
        from cseq.modules.tracing.unreplayed import reason

        because = reason(self.core, Symbols(self.core, self.context.model), self.parameter(PROPERTY))
        return replace(outcome, message=f"{outcome.message}; {because}")

    def _to_a_cut(self, keys: Iterable[str]) -> Counterexample | None:
        """An execution that was replayed and ends where a thread stops at what is not supported; None if none is found.

        keys: those of the cuts that executions reach.
        """
        from cseq.modules.tracing import execution

        key = next((key for key in keys if Cut.of(key).limit in _STOPS), None)
        binary, left = self.context.workdir / "explore", self.context.left(self.parameter(TIMEOUT))
        if key is None or not binary.exists():  # SPIN has none
            return None
        memory = self.parameter(MEMLIMIT) or available_memory() * 3 // 4
        command = [str(binary), "--target", key, "--memory", str(memory)]
        command += ["--time", f"{left:.1f}"] if left is not None else []
        try:
            found = search(command, left, memory, self.context.workdir)
            if found.status != "violated" or found.text != key:
                return None
            self._moves = False
            followed, _, _ = self._followed(found)
        except BackendError:
            return None
        if followed.end.tag is not Tag.CUT or followed.end.text != key:
            return None
        steps = execution.steps(execution.plain(followed.happenings()), followed.threads, self.sources)
        return Counterexample(steps, followed.threads, cut=Cut.of(key))

    def _followed(self, found: engine.Exploration) -> tuple[StepOutput, StepTracer, Symbols]:
        """The output of the traced program. Raises BackendError if it cannot be compiled or does not end."""
        from cseq.modules.explicit.step_output import StepOutput
        from cseq.modules.explicit.step_tracer import DEFINITIONS, StepTracer

        core, folder = self.core, self.context.workdir
        # Its facts are its own. The reports are in the way of counting the threads once more.
        values = {**self.context.values, THREADS.name: max(self.steps.most_threads - 1, 1)}
        context = replace(self.context, facts=self.context.facts.copy(), values=values)
        symbols = Symbols(core, context.model)
        tracer = StepTracer(core, symbols, self.probes, self.choices, self.parameter(PROPERTY), self._moves)
        tree = tracer.traced(core)
        for stage in (
            UninitialisedReads,
            Stepper,
            AddressOrder,
            Allocator,
            MemoryRegistry,
            Aligner,
            ShadowMemory,
            Ilp32Layout,
            Splitter,
        ):
            tree = stage(context).translate(tree)
        text = Hooks(context).translate(c_ast.FileAST([*ours(DEFINITIONS), *tree.ext])).text
        program = engine.compiled(text, folder / "replay.o", context.bits, wide=self.steps.wide)
        binary = folder / "replay"
        link(program, binary, folder, "the replay", wide=self.steps.wide)
        schedule = folder / SCHEDULE
        schedule.write_text(json.dumps(found.schedule), encoding="utf-8")
        command = [str(binary), "--follow", str(schedule)]
        if found.threads:
            command += ["--stand", ",".join(map(str, found.threads))]
        done = run(command, timeout=60, folder=folder)
        if done.timed_out:
            raise BackendError("it does not end")
        if done.status != 0:
            raise BackendError(f"it fails (exit status {done.status})")
        return StepOutput(records(done.stdout), tracer, context.facts[STEPS]), tracer, symbols

    def _outcome(
        self, found: engine.Exploration, followed: StepOutput, tracer: StepTracer, symbols: Symbols
    ) -> Outcome:
        from cseq.modules.tracing import execution
        from cseq.modules.tracing.data_race import Conflict
        from cseq.modules.tracing.deadlock import Deadlock

        threads, sources = followed.threads, self.sources
        if found.cycle is not None:
            return self._endless(found, followed, found.cycle)
        happened = list(followed.happenings())
        made = execution.moves(happened) if self._moves else []
        happened = execution.plain(happened)
        if found.kind in ("deadlock", "race"):
            stands = list(followed.blocks()) if found.kind == "deadlock" else followed.race()
            made += execution.moves(stands) if self._moves else []
            stands = execution.plain(stands)
            steps = execution.steps([*happened, *stands], threads, sources)
            if followed.end.tag is not Tag.ENDED:
                return _not_followed(found, _END.get(followed.end.tag, "it fails before"))
            seen = execution.evidence([*happened, *stands], tracer.types, threads, symbols)
            if found.kind == "race":
                if not stands:
                    return _not_followed(found, "there is none")
                return execution.raced(Conflict(seen), steps, threads).with_moves(made)
            if not followed.blocked(found.threads):
                return _not_followed(found, "the threads are not blocked")
            deadlock = Deadlock(seen, threads)
            return execution.deadlocked(deadlock, steps, threads).with_moves(made)
        if found.kind in (Kind.EXCLUSION, Kind.TLA):
            return self._in_the_end(found, followed, happened).with_moves(made)
        steps = execution.steps(happened, threads, sources)
        violated = self._violated(found, followed, steps)
        if violated is None:
            return _not_followed(found, *_ending(followed.end, steps[-1].origin if steps else None))
        if violated.name == "misuse":
            execution.take_back(steps[-1])  # the failing step's effect
        shown = Counterexample(steps, threads, moves=made)
        return Outcome(Verdict.FALSE, violated=violated, counterexample=shown)

    def _in_the_end(self, found: engine.Exploration, followed: StepOutput, happened: list[ReplayEvent]) -> Outcome:
        """The outcome for an execution that is about its last state: where threads stand, or what TLC says of it."""
        from cseq.modules.tracing import execution

        if followed.end.tag is not Tag.ENDED:
            return _not_followed(found, _END.get(followed.end.tag, "it fails before"))
        stands: list[ReplayEvent] = []
        if found.kind == Kind.EXCLUSION:
            stands = followed.together(exclusion.read(found.claim.subject))
            if not stands:
                return _not_followed(found, "the threads do not come to these lines")
        steps = execution.steps([*happened, *stands], followed.threads, self.sources)
        return _as_tlc_says(
            Outcome(
                Verdict.FALSE, violated=Property(found.claim), counterexample=Counterexample(steps, followed.threads)
            )
        )

    def _endless(self, found: engine.Exploration, followed: StepOutput, cycle: int) -> Outcome:
        """The outcome for an infinite execution, whose transitions from number *cycle* on are repeated for ever."""
        from cseq.modules.explicit.repetition import shortened
        from cseq.modules.tracing import execution

        threads, sources = followed.threads, self.sources
        if followed.end.tag is not Tag.ENDED:
            return _not_followed(found, _END.get(followed.end.tag, "it fails before"))
        wrong = self._unlike(found, cycle)
        if wrong:
            return _not_followed(found, wrong)
        before = execution.steps(execution.plain(followed.happenings(0, cycle)), threads, sources)
        again = execution.steps(execution.plain(followed.happenings(cycle)), threads, sources)
        if not self.parameter(MOVES):
            before, again = shortened(before, again)
        shown = Counterexample([*before, *again], threads, cycle=len(before))
        return _as_tlc_says(Outcome(Verdict.FALSE, violated=Property(found.claim), counterexample=shown))

    def _unlike(self, found: engine.Exploration, cycle: int) -> str:
        """Why the infinite execution does not violate the property; "" if it does."""
        from cseq.modules.explicit import lasso

        folder = self.context.workdir
        binary = folder / "lasso"
        try:
            link(folder / "steps.o", binary, folder, "the replay", wide=self.steps.wide)
            command = [str(binary), "--follow", str(folder / SCHEDULE), "--lasso", str(cycle)]
            done = run(command, timeout=60, folder=folder)
            seen = lasso.read(records(done.stdout), [thread for thread, _ in found.schedule], cycle)
        except (BackendError, ValueError) as error:
            return str(error)
        strong = self.parameter(engine.STRONG_FAIR)
        if (self.parameter(engine.FAIR) and not seen.is_fair()) or (strong and not seen.is_strongly_fair()):
            return "it is not fair"
        name, words = self.parameter(PROPERTY), self.observed.propositions
        if name == TLA:
            holds = False  # TLC alone can tell
        elif name == PROGRESS:
            holds = seen.progresses()
        elif name == ACCEPTANCE:
            holds = not seen.accepts()
        else:
            text = (self.parameter(engine.FORMULA) or "") if name == LTL else f"F {ltl.TERMINATED}"
            holds = seen.satisfies(ltl.read(text, words if name == LTL else ()), words)
        return "it violates nothing" if holds else ""

    def _simulated(self, followed: StepOutput, tracer: StepTracer, symbols: Symbols) -> Outcome:
        """The outcome for one execution that was not known to violate anything; it may do so nevertheless."""
        from cseq.modules.tracing import execution

        kind = {Tag.FAILED: "assertion", Tag.CRASHED: "crash"}.get(followed.end.tag)
        if kind is not None:
            return self._outcome(engine.Exploration("violated", kind, followed.end.text), followed, tracer, symbols)
        if followed.end.tag in (Tag.REFUSED, Tag.BLOCKED):
            message = f"the program has no such execution: {_END[followed.end.tag]}"
            return Outcome(Verdict.UNKNOWN, Reason.REPLAY, message)
        how = engine.SCHEDULERS.get(self.parameter(engine.SIMULATE) or "")
        which = f"one execution, scheduled {how}" if how else "the execution that was recorded"
        steps = execution.steps(execution.plain(followed.happenings()), followed.threads, self.sources)
        shown = Counterexample(steps, followed.threads)
        return Outcome(Verdict.UNKNOWN, Reason.BOUNDED, f"no violation in {which}", counterexample=shown)

    def _violated(self, found: engine.Exploration, followed: StepOutput, steps: list[Step]) -> Property | None:
        """The property that the execution was seen to violate; None if it is not the one that the engine reports."""
        last: Any = steps[-1].origin if steps else None
        seen = _seen(found, followed)
        if not seen or found.text not in ("", seen):  # unknown for a recorded execution
            return None
        from cseq.modules.tracing import execution

        check = self._check(seen)
        if check is not None:
            return Property(check.claim.because(followed.memory), last, check.part)
        return Property(execution.because_freed(replace(found, text=seen).claim, steps), last)

    def _check(self, text: str) -> Check | None:
        """The claim about memory or arithmetic that *text* names, if it names one."""
        number = number_of(text)
        return None if number is None or self.checks is None else self.checks[number]


def _as_tlc_says(outcome: Outcome) -> Outcome:
    """The same outcome; where the user's own TLA+ is violated, with a word on what no replay has seen."""
    if outcome.violated is None or outcome.violated.claim.kind is not Kind.TLA:
        return outcome
    return replace(outcome, unreplayed="the execution is, but only TLC says that it violates the formula")


def _seen(found: engine.Exploration, followed: StepOutput) -> str:
    """The text of what the execution was seen to violate, where that is of the kind that was found."""
    if found.kind not in _SEEN or followed.end.tag is not _SEEN[found.kind]:
        return ""
    return followed.invariant if found.kind == "invariant" else followed.end.text


def _ending(end: Record, origin: Origin | None = None) -> tuple[str, *tuple[Claim, ...]]:
    """How an execution ended, in words, and the claims that these words are about. origin: of the last step."""
    after = f"after {origin}, " if origin is not None and end.tag is not Tag.ENDED else ""
    if end.tag in _END:
        return (f"{after}{_END[end.tag]}",)
    return f"{after}it fails another assertion: {ABOUT}", Claim.of(end.text)


def _not_followed(found: engine.Exploration, why: str, *about: Claim) -> Outcome:
    message = f"the engine reports a violation ({ABOUT}) that could not be replayed: {why}"
    return Outcome(Verdict.UNKNOWN, Reason.REPLAY, message, about=(found.claim, *about))
