"""Feed the instrumented program to the engine."""

import re
import time
from collections.abc import Collection
from dataclasses import replace
from functools import partial

from cseq.backends.base import Answer
from cseq.backends.registry import BACKENDS, backend
from cseq.c.scanner import QUOTED_STRING
from cseq.model.activity import Activities, ActivityKind, Phase, phase
from cseq.model.errors import BackendError, MissingError, UnsupportedError, UsageError
from cseq.modules.symbolic.encode.facts import SEQUENTIALIZED
from cseq.modules.symbolic.encode.instrumenter import BACKEND, COMMENT_END, Instrumented
from cseq.modules.symbolic.solving import PORTFOLIO, Question
from cseq.options.memory_models import MEMORY_MODEL, SC
from cseq.options.properties import MEMLIMIT, TIMEOUT
from cseq.pipeline.facts import Fact, Gives, Needs
from cseq.pipeline.stage import Parameter, Unit, Wrapper
from cseq.pipeline.status import PhaseBegan

_TEXT = re.compile(rf", ({QUOTED_STRING})\)|/\* (.*) \*/$")
"""The text of an assertion: its last argument, or the comment after it."""
_ESCAPE = re.compile(r"\\(.)")


def _solvers() -> list[str]:
    """The solvers that some backend lets the user choose."""
    return [*dict.fromkeys(solver for name in BACKENDS for solver in backend(name).solvers), PORTFOLIO]


SOLVER: Parameter[str | None] = Parameter(
    "solver",
    str,
    None,
    f"let the engine use this solver; `{PORTFOLIO}`: several at once, of which the first answer counts",
    ("--solver",),
    "NAME",
    choices=_solvers,
)

_LIMITS = {
    "pointer handling for concurrency is unsound": "sharing these pointers",
    "atomic sections differ across branches": "an atomic section of which a part is in a branch",
    "Unary expressions must have one operand": "a program that makes this CBMC crash (CBMC 6 may not)",
}
"""What CBMC says of programs with threads that it does not follow, and what that is about."""

_MAIN, _CONSISTENT = "sequentialized", "consistent"
"""The files of the questions whether there is a violation, and whether there is one without buffers."""

ANSWER = Fact[Answer]("answer")
SOLVERS = Fact[tuple[str, ...]]("solvers")
"""The solvers that have answered, as far as they are known."""


class SymbolicRun(Wrapper):
    """in: a program in the dialect of the backend. out: the engine's answer."""

    takes = (BACKEND, SOLVER, TIMEOUT, MEMLIMIT, MEMORY_MODEL)
    sequentialized = Needs(SEQUENTIALIZED)
    answer = Gives(ANSWER)
    solvers = Gives(SOLVERS)

    @classmethod
    def settle(cls, values: dict[str, object], given: Collection[str]) -> None:
        """A solver has to be one of the backend's."""
        name, solver = BACKEND.of(values), SOLVER.of(values)
        if solver is None:
            return
        known = backend(name).solvers
        if not known:
            raise UsageError(f"the backend `{name}` has no choice of solvers")
        if solver not in (*known, PORTFOLIO):
            raise UsageError(f"the backend `{name}` has no solver `{solver}` (known: {', '.join((*known, PORTFOLIO))})")

    def run(self, value: Unit) -> Answer:
        """Run the engine under the limits. Raises BackendError if it is missing or fails.

        A violation under a weak memory model may need no buffers, although the engine's execution has some. So the
        engine is asked for one without, which can be replayed.
        """
        self.solvers = ()
        model = self.parameter(MEMORY_MODEL)
        answer = self.feed(value, _MAIN, model)
        if model == SC or answer.status != "violated":
            return answer
        plain = self.feed(value, _CONSISTENT, SC)
        self.answer = plain if plain.status == "violated" else answer
        return self.answer

    def feed(self, unit: Unit, name: str, model: str = SC) -> Answer:
        """Write *unit* to the file *name* and have the engine check it. model: of the memory of its threads."""
        engine = backend(self.parameter(BACKEND))
        path = engine.find()
        if path is None:
            raise MissingError(f"the backend `{engine.name}` is not installed ({engine.advice})")
        program = self.context.workdir / f"{name}.i"
        program.write_text(unit.text, encoding="utf-8")
        now = phase(ActivityKind.RUNNING, engine.name, about_bounds=name not in (_MAIN, _CONSISTENT))
        self.context.begin(engine.name, now)
        tell = partial(self._tell, now) if self.context.watcher is not None else None
        begun = time.monotonic()
        left, memory = self.context.left(self.parameter(TIMEOUT)), self.parameter(MEMLIMIT)
        question = Question(engine, path, program, self.context.bits, left, memory, begun, tell, model)
        answer = _located(question.answer(self.parameter(SOLVER)), unit)
        if answer.status == "error":
            for words, what in _LIMITS.items():
                if words in answer.message:
                    raise UnsupportedError(f"{what} with partial orders (the backend says: {words})")
            where = f" at {answer.origin}" if answer.origin else ""
            raise BackendError(f"the backend `{engine.name}` failed: {answer.message}{where}")
        self.answer = answer
        self.solvers = tuple(dict.fromkeys([*self.solvers, answer.solver])) if answer.solver else ()
        return answer

    def _tell(self, now: Phase, activities: Activities) -> None:
        self.context.report(PhaseBegan(replace(now, activities=activities)))


def _located(answer: Answer, unit: Unit) -> Answer:
    """*answer* with places in the program instead of the lines of *unit* that it reports.

    This covers the description and the origin of the violated assertion, and where inputs were chosen.
    """
    if answer.chosen is not None and isinstance(unit, Instrumented):
        places = [(unit.place(place) if isinstance(place, int) else place, value) for place, value in answer.chosen]
        answer = replace(answer, chosen=places)
    lines = unit.text.splitlines()
    if answer.line is None or not 0 < answer.line <= len(lines):
        return answer
    found = _TEXT.search(lines[answer.line - 1])
    if found is None and not answer.description and answer.status == "violated":
        return answer  # there is no claim in the line that it reports
    text = ""
    if found is not None:
        text = found[2] if found[1] is None else found[1][1:-1]
    text = _ESCAPE.sub(r"\1", text.replace(COMMENT_END, "*/"))
    return replace(answer, description=answer.description or text, origin=unit.linemap[answer.line])
