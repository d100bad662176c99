"""Derive a verdict from an answer without a violation."""

from dataclasses import replace

from cseq.backends import native
from cseq.backends.base import Answer, Dialect
from cseq.backends.registry import backend
from cseq.model.claims import Cut, Limit
from cseq.model.verdict import ABOUT, Bound, Outcome, Reason, Verdict
from cseq.modules.frontend.merger.merger import SOURCES
from cseq.modules.symbolic.coverage import SymbolicCoverage
from cseq.modules.symbolic.encode.facts import BEYOND_ROUNDS, BOUNDS, INSTANCES, SEQUENTIALIZED
from cseq.modules.symbolic.encode.instrumenter import BACKEND, instrumented
from cseq.modules.symbolic.encode.sequentializer.canonical import BEYOND, MORE
from cseq.modules.symbolic.encode.sequentializer.contexts import SCHEDULES
from cseq.modules.symbolic.encode.unroller.room import THINNED
from cseq.modules.symbolic.replay import SymbolicReplay
from cseq.modules.symbolic.run import ANSWER, SOLVERS, SymbolicRun
from cseq.options.memory_models import MEMORY_MODEL
from cseq.options.properties import CHECKED
from cseq.pipeline.facts import Fact, Gives, Needs, Uses
from cseq.pipeline.stage import Parameter, Unit, Wrapper

_LASTING = ("grain", "property", "engine")
"""The kinds of bounds that no further question to the engine can remove."""

ASSERTIONS = Parameter(
    "unwinding_assertions",
    bool,
    False,
    "also claim that no bound on unwinding, recursion and threads cuts anything off",
    ("--unwinding-assertions",),
)
PROVE = Parameter(
    "prove",
    bool,
    False,
    "also find out whether the rounds and the unwinding cover all executions",
    ("--prove",),
)

REACHED = Fact[Cut | None]("reached")
"""The text of the cut that some execution reaches; empty if unknown."""

HURRIED = Fact[bool]("hurried")
"""Whether there was too little time or memory for one of the questions that follow if there is no violation."""


class SymbolicVerdict(Wrapper):
    """in: the engine's answer, or an outcome. out: the outcome.

    The verdict is TRUE only if the contexts cover all schedules, no step is coarser than an access to memory, the whole
    property was checked, and nothing was cut off at an unwinding bound. Whether something was cut off is a second
    question to the engine. It is asked if the first condition holds, or on request; in the latter case a cut is a
    violation, and replayed like others. Whether the rounds cover all schedules follows from the number of steps, or, on
    request, is asked together with the second question (docs/completeness.md). Neither is asked where loops were cut
    off for want of room. The cut that the engine reaches is left for the planner. All of this is about the part of the
    schedules that was explored (`modules/symbolic/encode/sequentializer/tiles.py`); that it is a part remains a bound.
    """

    takes = (BACKEND, ASSERTIONS, PROVE, CHECKED, MEMORY_MODEL)
    answer = Needs(ANSWER)
    sequentialized = Needs(SEQUENTIALIZED)
    bounds = Needs(BOUNDS)
    beyond = Needs(BEYOND_ROUNDS)
    threads = Needs(INSTANCES)  # of the replay of a violation that it finds
    sources = Needs(SOURCES)
    solvers = Uses(SOLVERS, ())
    thinned = Uses(THINNED, False)
    reached = Gives(REACHED)
    hurried = Gives(HURRIED)

    def run(self, value: Answer | Outcome) -> Outcome:
        """Judge an answer; an outcome only receives the bounds and the engine's name."""
        outcome = value if isinstance(value, Outcome) else self._judged(value)
        if not outcome.bounds and outcome.verdict is not Verdict.TRUE:
            outcome.bounds = list(self.bounds)
        outcome.backend = backend(self.parameter(BACKEND)).name
        outcome.solvers = list(self.solvers)
        outcome.memory_model = self.parameter(MEMORY_MODEL)
        return outcome

    def _judged(self, answer: Answer) -> Outcome:
        if answer.status == "timeout":
            return Outcome(Verdict.UNKNOWN, Reason.TIMEOUT, "the engine ran out of time")
        if answer.status == "memory":
            return Outcome(Verdict.UNKNOWN, Reason.MEMORY, "the engine ran out of memory")
        if answer.status == "unknown":
            return Outcome(Verdict.UNKNOWN, Reason.BACKEND, f"no verdict: {answer.message}")
        bounds = [*self.bounds, *self._incomplete()]
        # What else is cut off within a part of the schedules matters where all parts are put together.
        parts = [bound for bound in bounds if bound.kind == Limit.TILE]
        schedules = [bound for bound in bounds if bound.kind in SCHEDULES and bound not in parts]
        lasting = [bound for bound in bounds if bound.kind in _LASTING]
        left = [bound for bound in bounds if bound.kind not in (*SCHEDULES, *_LASTING)]
        leaks = [bound.cut for bound in bounds if bound.kind == "leak"]
        reached: Cut | None = None
        self.hurried = False
        beyond = self.beyond
        proves = self.parameter(PROVE) and not self.thinned  # what is cut off for want of room is known to be
        if proves and beyond is not None and not lasting:
            both = self._ask(Unit(tree=beyond()), "rounds", BEYOND)
            reached = _reached(both)
            if both.status == "safe":
                schedules = []
                # The checker's claims may cut executions off by themselves, and are not in this program.
                left = left if self.parameter(CHECKED) else []
        if left and (not (schedules or self.thinned) or self.parameter(ASSERTIONS)):
            second = self._ask(self.sequentialized, "unwinding")
            reached = _reached(second) or reached
            wanted = second.status == "violated" and self.parameter(ASSERTIONS)
            if wanted and reached is not None and reached.is_the_users:
                return SymbolicReplay(self.context).replayed(second, _asking(native.DIALECT), of_cuts=True)
            if second.status == "safe" and not self._incomplete():
                left = []
        self.reached = reached
        if schedules:  # the question is not about leaks within these
            left = [bound for bound in left if bound.kind != "leak"]
        remaining = [*parts, *schedules, *left, *lasting]
        if reached is not None and (reached in leaks or reached.kind == "unsupported"):
            message = f"no violation, but {ABOUT}"
            return Outcome(Verdict.UNKNOWN, Reason.BOUNDED, message, bounds=remaining, about=(reached,))
        if reached is not None and reached != MORE:
            message = f"a bound is too small ({ABOUT})"
            return Outcome(Verdict.UNKNOWN, Reason.UNWINDING, message, bounds=remaining, about=(reached,))
        if not remaining:
            return Outcome(Verdict.TRUE, coverage=SymbolicCoverage(self.context).run(answer))
        return Outcome(Verdict.UNKNOWN, Reason.BOUNDED, bounds=remaining)

    def _incomplete(self) -> list[Bound]:
        """A bound for what the engine leaves out by itself, if anything."""
        engine = backend(self.parameter(BACKEND))
        return [] if engine.complete else [Bound.of(Cut(Limit.ENGINE, subject=engine.name))]

    def _ask(self, program: Unit, name: str, beyond: str | None = None) -> Answer:
        """Ask the engine whether any execution of *program* reaches a cut."""
        dialect = backend(self.parameter(BACKEND)).dialect
        asking = instrumented(program, _asking(dialect, beyond))
        answer = SymbolicRun(self.context).feed(asking, name, self.parameter(MEMORY_MODEL))
        self.hurried = self.hurried or answer.status in ("timeout", "memory")
        return answer


def _reached(answer: Answer) -> Cut | None:
    """The cut that the engine reached, if it reached one."""
    return Cut.of(answer.description) if answer.description else None


def _asking(dialect: Dialect, beyond: str | None = None) -> Dialect:
    """*dialect* for the second question: cuts become claims, and claims of the program become assumptions.

    beyond: a variable of the program; where it is not 0, a failing claim counts as a cut.
    """
    claim = dialect.names.get("__CSEQ_assert", "__CSEQ_assert")
    assume = dialect.names.get("__CSEQ_assume", "__CSEQ_assume")
    declared, counted = "", ""
    if beyond is not None:
        declared, counted = f"unsigned char {beyond}; ", f'if ({beyond}) {claim}(holds, "{MORE.key}"); '
    granted = f"static void __CSEQ_granted(int holds, const char *what) {{ {counted}{assume}(holds); }}"
    return replace(
        dialect,
        names={**dialect.names, "__CSEQ_unwound": claim, "__CSEQ_assert": "__CSEQ_granted"},
        definitions={**dialect.definitions, "__CSEQ_assert": declared + granted, "__CSEQ_unwound": ""},
    )
