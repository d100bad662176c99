"""The places of a recorded run, and the calls that lead there, in the user's sources."""

import functools
from pathlib import Path

from cseq.model.origin import CallSite, Origin
from cseq.model.trace import Thread
from cseq.modules.compiled.client.recorded import RecordedRun, ThreadRecord
from cseq.modules.compiled.tracing.functionnames import LAMBDA, without_arguments
from cseq.modules.compiled.tracing.symbolizer import StackFrame, Symbolizer


class CallPaths:
    """Places of the nodes of the call stacks of one run. Files that cannot be read have no text."""

    def __init__(self, recorded: RecordedRun, symbolizer: Symbolizer, folder: Path | None = None) -> None:
        self._recorded = recorded
        self._symbolizer = symbolizer
        self._folder = folder or Path.cwd()
        self._origins: dict[int, Origin | None] = {}
        self._lines: dict[str, list[str]] = {}
        starts = [thread.start for thread in recorded.threads if thread.start]
        symbolizer.learn([*(pc - 1 for pc, _ in recorded.frames if pc), *starts])
        self.threads = [self._thread(thread) for thread in recorded.threads] or [Thread(0, "main")]

    def frames(self, node: int) -> list[StackFrame]:
        """All frames of a node, the innermost first."""
        found: list[StackFrame] = []
        while 0 < node < len(self._recorded.frames):
            pc, node = self._recorded.frames[node]
            found += self._symbolizer.frames(pc - 1) if pc else ()
        return found

    def origin(self, node: int) -> Origin | None:
        """The innermost line of the user's in a node, with the calls that lead there; None if there is none.

        A call through functions of a library counts as a call of the user's.
        """
        if node not in self._origins:
            frames = [frame for frame in self.frames(node) if frame.is_users]
            found = None
            if frames:
                path = tuple(CallSite(call.function, call.file, call.line) for call in reversed(frames[1:]))
                found = Origin(frames[0].file, frames[0].line, function=frames[0].function or None, path=path)
            self._origins[node] = found
        return self._origins[node]

    def place(self, node: int) -> Origin:
        """The same, with the object file where the user has written nothing, or where no debug information is."""
        found = self.origin(node)
        if found is not None:
            return found
        places: list[tuple[bool, Origin]] = []
        while 0 < node < len(self._recorded.frames):
            pc, node = self._recorded.frames[node]
            module = self._symbolizer.module_of(pc)
            if module is None:
                continue
            for frame in self._symbolizer.frames(pc - 1):
                file = frame.file or Path(module.path).name
                origin = Origin(file, frame.line, function=frame.function or None)
                places.append((module not in self._symbolizer.instrumented, origin))
        return min(places, key=lambda place: place[0])[1] if places else Origin("?", 0)

    def library_function(self, node: int) -> str:
        """The outermost function of a library that the user's line calls there; "" if it makes the access itself."""
        found = ""
        for frame in self.frames(node):
            if frame.is_users:
                break
            found = frame.function or found
        return found if "operator" in found else without_arguments(found)

    def line(self, origin: Origin) -> str:
        """The text of the source at a place; "" if it cannot be read."""
        if origin.file not in self._lines:
            try:
                text = (self._folder / origin.file).read_text(encoding="utf-8", errors="replace")
                self._lines[origin.file] = text.splitlines()
            except (OSError, ValueError):
                self._lines[origin.file] = []
        lines = self._lines[origin.file]
        return lines[origin.line - 1] if 0 < origin.line <= len(lines) else ""

    # Threads

    def _thread(self, thread: ThreadRecord) -> Thread:
        if thread.number == 0:
            return Thread(0, "main")
        started = self._symbolizer.frames(thread.start)
        if started and started[-1].is_users and started[-1].function not in ("", LAMBDA):
            return Thread(thread.number, started[-1].function)
        created = self.origin(thread.stack)
        where = f" at {Path(created.file).name}:{created.line}" if created is not None else ""
        called = self._called(thread.number)
        if called in ("", LAMBDA):
            return Thread(thread.number, f"{called or 'thread'}{where}")
        return Thread(thread.number, called)

    def _called(self, number: int) -> str:
        """The outermost function of the user's in which the thread did something; "" if it did nothing."""
        for stack in self._stacks.get(number, ()):
            origin = self.origin(stack)
            if origin is not None:
                return (origin.path[0].function if origin.path else origin.function) or ""
        return ""

    @functools.cached_property
    def _stacks(self) -> dict[int, dict[int, None]]:
        """The stacks from which each thread did something, in the order of their first use."""
        stacks: dict[int, dict[int, None]] = {}
        for operation in self._recorded.operations:
            if operation.stack:
                stacks.setdefault(operation.thread, {})[operation.stack] = None
        return stacks
