"""Feed the instrumented program to the engine."""

from __future__ import annotations

import time

from cseq.backends.base import Answer, Options, backend
from cseq.errors import BackendError
from cseq.modules.instrumenter import BACKEND
from cseq.process import run
from cseq.stage import Parameter, Unit, Wrapper


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
        command = engine.command(path, program, options)
        start = time.perf_counter()
        completed = run(command, timeout=options.timeout, memory=options.memory, folder=self.context.workdir)
        self.context.engine_seconds = spent + time.perf_counter() - start
        (self.context.workdir / f"{name}.log").write_text(completed.stdout + completed.stderr, encoding="utf-8")
        answer = engine.parse(completed)
        if answer.status == "error":
            raise BackendError(f"the backend `{engine.name}` failed: {answer.message}")
        self.context.facts["answer"] = answer
        return answer
