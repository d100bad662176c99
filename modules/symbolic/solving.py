"""One question to an engine, asked within limits, with one solver or with several at once."""

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from cseq.backends.base import Answer, Backend, Options
from cseq.model.activity import Activities, Activity
from cseq.process.run import FILES, OUTPUT, Completed, Limits, first

PORTFOLIO = "portfolio"
"""A value in place of a solver's name: several solvers at once."""

_DEFINITE = ("safe", "violated")
_LISTENED = 32 * 1024  # characters of an engine's latest output that are searched for its phase


@dataclass(frozen=True)
class Question:
    """The C file *program* for the *engine* at *path*.

    timeout: seconds from *begun*, which is a value of `time.monotonic`. memory: megabytes.
    memory_model: that of the program's threads, if it has any for the engine.
    tell: called with the engine's current activity, as far as it is known: per solver, by name if there are several.
    """

    engine: Backend
    path: Path
    program: Path
    bits: int
    timeout: float | None
    memory: int | None
    begun: float
    tell: Callable[[Activities], None] | None = None
    memory_model: str = "sc"

    def answer(self, solver: str | None) -> Answer:
        """The engine's answer; with several solvers, the first definite one.

        UsageError and BackendError if *solver* cannot be used or nothing can be started.
        """
        stopped = self._prepare()
        if stopped is not None:
            return stopped
        if solver is None:
            return self._first([None])
        if solver != PORTFOLIO:
            return self._first([solver])
        return self._first(self.engine.usable(self.path)[: len(os.sched_getaffinity(0))] or [None])

    def _prepare(self) -> Answer | None:
        """Make the engine's input from the program. Returns an answer if that fails or exceeds a limit."""
        for command in self.engine.prepare(self.path, self.program, self._options(None)):
            completed = first([command], lambda *_: False, self._limits(), self.program.parent)[0]
            if completed.timed_out:
                return Answer("timeout")
            stopped = _stopped(completed)
            if stopped is not None:
                return stopped
            if completed.status != 0:
                said = " ".join((completed.stderr or completed.stdout).split())
                return Answer("error", f"{Path(command[0]).name} says: {said[:200]}")
        return None

    def _first(self, solvers: Sequence[str | None]) -> Answer:
        """The engine's first definite answer with one of the *solvers* (None: its choice), or why there is none."""
        answers: list[Answer] = []

        def definite(position: int, completed: Completed) -> bool:
            solver = solvers[position]
            name = ".".join(word for word in (self.program.stem, solver) if word)
            log = self.program.with_name(f"{name}.log")
            log.write_text(completed.stdout + completed.stderr, encoding="utf-8")
            answer = _stopped(completed) or self._parsed(completed)
            answers.append(replace(answer, solver=solver or ""))
            return answer.status in _DEFINITE

        commands = [self.engine.command(self.path, self.program, self._options(solver)) for solver in solvers]
        heard = None if self.tell is None else self._listener(solvers)
        first(commands, definite, self._limits(), self.program.parent, hear=heard)
        if answers[-1].status in _DEFINITE:
            return answers[-1]
        for status in ("timeout", "memory"):  # a higher limit might help, whatever is wrong with the others
            for answer in answers:
                if answer.status == status:
                    return answer
        message = "; ".join(f"{a.solver}: {a.message}" if a.solver else a.message for a in answers)
        return replace(answers[0], message=message) if len(answers) == 1 else Answer("error", message)

    def _listener(self, solvers: Sequence[str | None]) -> Callable[[int, str], None]:
        """A callback for the engine's output, for each of the *solvers* by its position."""
        printed = dict.fromkeys(range(len(solvers)), "")
        phases: dict[int, Activity] = {}

        def hear(position: int, text: str) -> None:
            printed[position] = (printed[position] + text)[-_LISTENED:]
            phase = self.engine.phase(printed[position])
            if phase and phases.get(position) != phase and self.tell is not None:
                phases[position] = phase
                several = len(solvers) > 1
                self.tell(tuple(((solvers[at] or "") if several else "", doing) for at, doing in phases.items()))

        return hear

    def _parsed(self, completed: Completed) -> Answer:
        """The engine's answer; an error if the backend does not expect its output."""
        try:
            return self.engine.parse(completed, self.program)
        except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
            return Answer("error", f"its output cannot be read ({type(error).__name__})")

    def _options(self, solver: str | None) -> Options:
        return Options(self.bits, self._left(), self.memory, solver, self.memory_model)

    def _limits(self) -> Limits:
        return Limits(self._left(), self.memory, self.engine.reserves, OUTPUT, FILES)

    def _left(self) -> float | None:
        """The seconds that are left; None for no limit."""
        return None if self.timeout is None else max(self.begun + self.timeout - time.monotonic(), 0.0)


def _stopped(completed: Completed) -> Answer | None:
    """The answer for an engine that was stopped because it exceeded a limit; None if it was not."""
    if completed.exceeded == "memory":
        return Answer("memory")
    if completed.exceeded == "output":
        return Answer("error", f"it prints more than {OUTPUT} MB")
    if completed.exceeded == "files":
        return Answer("error", f"it writes more than {FILES} MB of files")
    return None
