"""Feed the instrumented program to the engine."""

from __future__ import annotations

import re
import time
from dataclasses import replace
from pathlib import Path

from cseq.backends.base import Answer, Backend, Options, backend
from cseq.errors import BackendError
from cseq.modules.instrumenter import BACKEND
from cseq.process import FILES, OUTPUT, Completed, run
from cseq.stage import Parameter, Unit, Wrapper

_TEXT = re.compile(r', "((?:[^"\\]|\\.)*)"\)')
"""The text of an assertion, its last argument."""


class Feeder(Wrapper):
    """in: a program in the dialect of the backend. out: the engine's answer."""

    takes = (
        BACKEND,
        Parameter(
            "timeout", float, None, "give up after SEC seconds of the engine's time", ("--timeout",), "SEC", minimum=0
        ),
        Parameter("memlimit", int, None, "let the engine use MB megabytes at most", ("--memlimit",), "MB", minimum=1),
    )
    needs = ("sequentialized",)
    gives = ("answer",)

    def run(self, value: Unit) -> Answer:
        """Run the engine under the limits; BackendError when it is missing or fails."""
        return self.feed(value, "sequentialized")

    def feed(self, unit: Unit, name: str) -> Answer:
        """Write *unit* to the file *name* and let the engine check it."""
        engine = backend(self.parameter("backend"))
        path = engine.find()
        if path is None:
            raise BackendError(f"the backend `{engine.name}` is not installed (`cseq doctor` says how to get it)")
        program = self.context.workdir / f"{name}.i"
        program.write_text(unit.text, encoding="utf-8")
        spent = self.context.engine_seconds  # the limit is for all questions together
        timeout = None if self.parameter("timeout") is None else max(self.parameter("timeout") - spent, 0.0)
        options = Options(self.context.values.get("bits", 64), timeout, self.parameter("memlimit"))
        self.context.progress(engine.name)
        start = time.perf_counter()
        completed = self._completed(engine, path, program, options)
        self.context.engine_seconds = spent + time.perf_counter() - start
        (self.context.workdir / f"{name}.log").write_text(completed.stdout + completed.stderr, encoding="utf-8")
        answer = _stopped(completed) or _located(_parsed(engine, completed, program), unit)
        if answer.status == "error":
            where = f" at {answer.origin}" if answer.origin else ""
            raise BackendError(f"the backend `{engine.name}` failed: {answer.message}{where}")
        self.context.facts["answer"] = answer
        return answer

    def _completed(self, engine: Backend, path: Path, program: Path, options: Options) -> Completed:
        """How the engine ended, or what prepares the file *program* for it, if that ran out of time."""
        start = time.perf_counter()

        def ran(command: list[str]) -> Completed:
            left = None if options.timeout is None else max(options.timeout - (time.perf_counter() - start), 0.0)
            return run(
                command,
                timeout=left,
                memory=options.memory,
                reserves=engine.reserves,
                output=OUTPUT,
                files=FILES,
                folder=self.context.workdir,
            )

        for command in engine.prepare(path, program, options):
            completed = ran(command)
            if completed.timed_out or completed.exceeded:
                return completed
            if completed.status != 0:
                said = " ".join((completed.stderr or completed.stdout).split())
                raise BackendError(f"the backend `{engine.name}` failed: {Path(command[0]).name} says: {said[:200]}")
        return ran(engine.command(path, program, options))


def _parsed(engine: Backend, completed: Completed, program: Path) -> Answer:
    """What the engine says; an error where that is something that its backend does not expect."""
    try:
        return engine.parse(completed, program)
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
        return Answer("error", f"its output cannot be read ({type(error).__name__})")


def _located(answer: Answer, unit: Unit) -> Answer:
    """*answer*, with the description and the origin of the assertion whose line in *unit* it tells."""
    lines = unit.text.splitlines()
    if answer.line is None or not 0 < answer.line <= len(lines):
        return answer
    text = _TEXT.search(lines[answer.line - 1])
    description = answer.description or (text.group(1) if text else "")
    return replace(answer, description=description, origin=unit.linemap[answer.line])


def _stopped(completed: Completed) -> Answer | None:
    """The answer of an engine that was stopped because it used too much; None where it was not."""
    if completed.exceeded == "memory":
        return Answer("memory")
    if completed.exceeded == "output":
        return Answer("error", f"it prints more than {OUTPUT} MB")
    if completed.exceeded == "files":
        return Answer("error", f"it writes more than {FILES} MB of files")
    return None
