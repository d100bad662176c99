"""Check a specification with TLC."""

import re
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from cseq.backends import tlavalues, tlc
from cseq.backends.tlc import TlcOutput
from cseq.model.activity import ActivityKind, Phase, phase
from cseq.model.claims import Claim, Cut, Kind, Limit
from cseq.model.errors import BackendError, UsageError
from cseq.model.verdict import Outcome, Reason, Verdict
from cseq.modules.explicit.encode.step_program import STEPS
from cseq.modules.explicit.engine import EXPLORATION, SEED, SPECIFYING, Exploration, NoTimeToBuildError
from cseq.modules.explicit.run_spin import CORES
from cseq.modules.tla import spec
from cseq.modules.tla.properties import THREADS, TLA_INVARIANT, TLA_PROPERTY
from cseq.modules.tla.replay import guided, violation
from cseq.modules.tla.tlc_trace import Objects, last, staying, steps
from cseq.modules.tla.writer.written import save, written
from cseq.options.properties import MEMLIMIT, TIMEOUT
from cseq.pipeline.facts import Gives, Needs
from cseq.pipeline.stage import Parameter, Unit, Wrapper
from cseq.pipeline.status import PhaseBegan
from cseq.process.run import Limits, available_memory, first

_NO_VIOLATION, _SUPPORTED = "NoViolation", "Supported"
CHECKER = Parameter(
    "backend", str, SPECIFYING, "the engine that checks specifications", ("--backend", "-b"), "NAME",
    choices=lambda: [SPECIFYING],
)  # fmt: skip
"""In this chain, what `explicit_engine.ENGINE` is in others."""

_OF_EXECUTIONS = ("temporal", "action")
"""The kinds of violations of temporal properties."""

_LONG = 300.0  # seconds: Java's better compiler has gained nothing in searches of 14 s, and costs 0.3 to 0.8 s


class TlcRun(Wrapper):
    """in: a step program, whose specification and question are facts. out: what TLC found.

    TLC explores the specification. Of a violation it shows the states on the way; the schedule that leads to it in the
    step program comes from the guide (`modules/tla/replay.py`).
    """

    takes = (CHECKER, TIMEOUT, MEMLIMIT, SEED, CORES)
    specification = Needs(spec.SPECIFICATION)
    question = Needs(spec.QUESTION)
    with_frames = Needs(spec.FRAMED_SPECIFICATION)
    question_with_frames = Needs(spec.FRAMED_QUESTION)
    steps = Needs(STEPS)
    exploration = Gives(EXPLORATION)

    def run(self, value: Unit) -> Exploration | Outcome:
        """Write the modules and search. Raises MissingError or BackendError if TLC or Java is missing or fails."""
        path = tlc.installed()
        self.context.begin("tlc", phase(ActivityKind.SEARCHING, SPECIFYING))
        found = self._named(path, self._found(path, self.specification, self.question))
        if found.status == "violated" and found.name == _SUPPORTED:
            found = self._past_refusals(path) or found
        self.exploration = self._explored(found, self.question)
        if self.exploration.status == "safe" and _ends_recursion(self.exploration):
            self.exploration = self._without_bound(path) or self.exploration
        if self.exploration.status != "violated":
            return self.exploration
        try:
            self.exploration = self._exact(value, found, self.exploration)
        except NoTimeToBuildError as error:
            self.exploration = replace(self.exploration, status="time", text=error.message)
        except BackendError as error:
            return Outcome(Verdict.UNKNOWN, Reason.REPLAY, error.message, about=(self.exploration.claim,))
        return self.exploration

    def _named(self, path: Path, found: TlcOutput) -> TlcOutput:
        """*found* with the name of the property that is violated: TLC does not say which of several temporal ones."""
        temporal = [one for one in self.question.properties if one.is_temporal]
        if found.status != "violated" or found.kind not in _OF_EXECUTIONS or len(temporal) < 2:
            return found
        for one in temporal:
            again = self._found(path, self.specification, replace(self.question, properties=(one,)))
            if again.status == "violated" and again.kind in _OF_EXECUTIONS:
                return replace(again, name=one.name)
        return found

    def _past_refusals(self, path: Path) -> TlcOutput | None:
        """A violation in an execution without anything that cannot be followed; None if none is found.

        TLC stops at the first state that is wrong, and the first one may be such a refusal. Formulas of the user's do
        not say what they mean in those states, so this does not help with them.
        """
        if any(Claim.of(one.claim).kind is Kind.TLA for one in self.question.properties if one.claim):
            return None
        found = self._found(path, self.specification, replace(self.question, supported=False))
        return found if found.status == "violated" else None

    def _without_bound(self, path: Path) -> Exploration | None:
        """What TLC finds where functions that recurse have frames of their own; None unless that is a proof.

        The step program has no frames to execute a violation in: with more depth, that is found without them.
        """
        if self.with_frames is None or self.question_with_frames is None:
            return None
        found = self._found(path, self.with_frames, self.question_with_frames)
        return self._explored(found, self.question_with_frames) if found.status == "safe" else None

    def _found(self, path: Path, specification: spec.Specification, question: spec.Question) -> TlcOutput:
        """Write the modules, and have TLC, which is *path*, search."""
        folder = self.context.workdir
        module, config = _saved(specification, question, folder)
        memory = self.parameter(MEMLIMIT) or available_memory() * 3 // 4
        left = self.context.left(self.parameter(TIMEOUT))
        search = tlc.TlcOptions(
            workers=self.parameter(CORES),
            seed=self.parameter(SEED),
            memory=memory,
            optimize=left is not None and left > _LONG,
            library=question.folder,
        )
        command = tlc.command(path, folder, module, config, search)
        hear = self._hear if self.context.watcher is not None else None
        done = first([command], lambda *_: False, Limits(left, memory, reserves=True), folder, hear=hear)[0]
        return tlc.parse(done)

    def _hear(self, _: int, printed: str) -> None:
        """Report the progress of the search."""
        if progress := tlc.progress(printed):
            self.context.report(PhaseBegan(Phase((("", progress),), SPECIFYING)))

    # The answer

    def _explored(self, found: TlcOutput, question: spec.Question) -> Exploration:
        """What TLC found; of a violation, what is violated, without a schedule."""
        cuts = [*_cuts(found.printed), *question.cuts]
        statistics = {name: value for name, value in found.statistics.items() if name in _SHOWN}
        answer = Exploration(found.status, text=found.reason, cuts=cuts, statistics=statistics)
        if found.status == "safe":
            return replace(answer, complete=True)
        if found.status == "error":
            self._check_formulas(found, question)
            raise BackendError(f"the backend `tlc` failed: {found.reason}")
        if found.status != "violated":
            return answer
        memories = _memories(found)
        if found.name == _SUPPORTED:
            return replace(answer, status="refused", text=self._refusal(memories))
        if found.name == _NO_VIOLATION:
            wanted = violation(memories[-1]["status"])
            return replace(answer, kind=wanted.kind, text=wanted.text)
        claim = self._violated(found)
        return replace(
            answer,
            kind=claim.kind.value,
            text=claim.key,
            threads=_threads(found.printed),
            cycle=found.cycle if found.kind == "temporal" else None,
        )

    def _check_formulas(self, found: TlcOutput, question: spec.Question) -> None:
        """UsageError if what TLC cannot read or evaluate is in the user's module or in one of the user's formulas."""
        reason = _WHERE.sub("", found.reason).removeprefix("SANY refuses the module:").strip(" .")
        own = self._formulas_by_line(question)
        for module, line in found.places:
            if question.module and module == question.module:
                path = Path(question.folder) / f"{module}.tla"
                raise UsageError(f"--tla-module: {path}:{line}: {reason}")
            if module in ("", self.specification.name):
                asked = next((one for at, one in reversed(own) if at <= line), None)
                if asked is not None:
                    raise _wrong(asked, reason)
        named = [one for one in question.properties if _is_users(one) and f" {one.name} " in found.reason]
        # While it looks for cycles TLC does not say what it evaluates.
        temporal = [one for one in question.properties if one.is_temporal and _is_users(one)]
        if found.reason.startswith("Attempted to") and not found.places:
            named += temporal
        if not named and "a boolean value" in found.reason:  # TLC does not say of which formula
            named = [one for one in question.properties if _is_users(one)]
            if len(named) > 1:
                formulas = ", ".join(f"`{Claim.of(one.claim).subject}`" for one in named)
                raise UsageError(f"one of the formulas {formulas}: {reason}")
        if named:
            raise _wrong(named[0], reason.replace(f" {named[0].name} ", " "))

    def _formulas_by_line(self, question: spec.Question) -> list[tuple[int, spec.Property]]:
        """The formulas of the user's, each with the line of the module at which it is defined."""
        asked = {f"{one.name} ==": one for one in question.properties if one.text and _is_users(one)}
        lines = written(self.specification, question)[f"{self.specification.name}.tla"].splitlines() if asked else []
        found = [(number, asked[key]) for number, line in enumerate(lines, 1) for key in asked if line.startswith(key)]
        return sorted(found, key=lambda each: each[0])

    def _violated(self, found: TlcOutput) -> Claim:
        """The claim that is violated, according to the name of the property, or to its kind where TLC names none."""
        properties = self.question.properties
        named = [one for one in properties if one.name == found.name]
        named += [one for one in properties if one.is_temporal and found.kind in _OF_EXECUTIONS]
        if not named or not named[0].claim:
            raise BackendError(f"the backend `tlc` failed: it reports a violation of `{found.name or found.kind}`")
        return Claim.of(named[0].claim)

    def _refusal(self, memories: Sequence[Mapping[str, Any]]) -> str:
        """What cannot be followed at the end, after its place in the program."""
        status = str(memories[-1]["status"])
        if status.startswith(spec.UNDEFINED):
            what = f"the value of `{status.removeprefix(spec.UNDEFINED)}`, which nothing has been stored in, is used"
        else:
            what = status.removeprefix(spec.REFUSED)
        label = last(memories, self.question.visible)
        origin = self.specification.statement(label).origin if label else None
        return what if origin is None else f"{origin.file}:{origin.line}: {what}"

    def _exact(self, value: Unit, found: TlcOutput, wanted: Exploration) -> Exploration:
        """The execution with its schedule. Raises BackendError where there is none like it."""
        memories = _memories(found)
        moves, cycle = steps(memories, wanted.cycle, self.question.visible, Objects(self.specification, value.text))
        self.context.begin("replay", phase(ActivityKind.REPLAYING))
        context, failed = self.context, BackendError("TLC's trace was not followed")
        ways = staying(memories[-1]) if cycle == len(moves) else [[]]
        for more in ways:
            left = context.left(self.parameter(TIMEOUT))
            try:
                exact = guided(
                    value.text, [*moves, *more], replace(wanted, cycle=cycle), self.specification, self.steps,
                    context.workdir, context.bits, left,
                )  # fmt: skip
            except NoTimeToBuildError:
                raise
            except BackendError as error:
                failed = error
                continue
            return replace(wanted, kind=exact.kind, text=exact.text, schedule=exact.schedule, threads=exact.threads,
                           cycle=exact.cycle)  # fmt: skip
        raise failed


def _saved(specification: spec.Specification, question: spec.Question, folder: Path) -> tuple[str, str]:
    """Write the modules into *folder*; the names of the files with the one to check, and its configuration."""
    save(written(specification, question), folder)
    config = f"{specification.name}.cfg"
    if not question.module:
        return f"{specification.name}.tla", config
    root = f"{question.module}.tla"
    shutil.copy(Path(question.folder) / root, folder / root)
    return root, config


_WHERE = re.compile(
    r"\(?(?:at )?line \d+, col(?:umn)? \d+(?: to line \d+, col(?:umn)? \d+)?(?: (?:of module|in) \w+)?\)?:?\s*",
    re.IGNORECASE,
)


def _wrong(asked: spec.Property, reason: str) -> UsageError:
    option = TLA_PROPERTY if asked.is_temporal else TLA_INVARIANT
    return UsageError(f"{option.options[0]}: `{Claim.of(asked.claim).subject}`: {reason}")


def _is_users(one: spec.Property) -> bool:
    return bool(one.claim) and Claim.of(one.claim).kind is Kind.TLA


def _ends_recursion(exploration: Exploration) -> bool:
    """Whether a function was about to be nested deeper than the bound."""
    return any(Cut.of(key).limit is Limit.RECURSION for key in exploration.cuts)


_SHOWN = frozenset({"states", "generated", "depth", "seconds", "collision"})


def _memories(found: TlcOutput) -> list[dict[str, Any]]:
    """The memories in the states of the execution. BackendError if TLC shows something else."""
    try:
        states = [tlavalues.assignments(text) for text in found.states]
        memories = [state["memory"] for state in states]
    except (KeyError, ValueError) as error:
        raise BackendError(f"the backend `tlc` failed: a state is not understood: {error}") from None
    if not memories or not all(isinstance(memory, dict) for memory in memories):
        raise BackendError("the backend `tlc` failed: it shows no execution")
    return memories  # type: ignore[return-value]


def _cuts(printed: Sequence[str]) -> list[str]:
    """The keys of the cuts that some execution reached, and of what is left out, from what TLC printed."""
    values = map(tlavalues.value, printed)
    return [str(value[2]) for value in values if isinstance(value, tuple) and value[:2] == ("cseq", "cut")]


def _threads(printed: Sequence[str]) -> list[int]:
    """The threads that TLC printed last as those that violate a property."""
    found: list[int] = []
    for text in printed:
        match tlavalues.value(text):
            case ("cseq", word, tlavalues.Set() as threads) if word == THREADS:
                found = sorted(thread for thread in threads if isinstance(thread, int))
    return found
