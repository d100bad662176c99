"""The functions and lines that addresses of a program belong to."""

import os
import shutil
import subprocess
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import NamedTuple

from cseq.modules.compiled.client.recorded import Module
from cseq.modules.compiled.tracing.debugtypes import DebugTypes
from cseq.modules.compiled.tracing.functionnames import is_of_library, short

_TOOLS = (
    ("llvm-symbolizer", "--inlines", "--demangle", "--functions=linkage", "--output-style=GNU"),
    ("addr2line", "-f", "-i", "-C"),
)
"""The tools that can do it, the one with the better answers first: addr2line of binutils 2.40 takes the files of some
functions for others. `-a` and the file are added."""

_SECONDS = 60
_OUR_RUNTIME = "/backends/compiled/runtime/"
_SYSTEM = (_OUR_RUNTIME, "/include/c++/", "/lib/gcc/")


class StackFrame(NamedTuple):
    """A place that a call stack goes through. file: relative to the folder if it is in there.

    function: its short name. is_users: whether the user has written it, rather than the authors of a library.
    """

    function: str
    file: str
    line: int
    is_users: bool


class Symbolizer:
    """Looks addresses of a process up, all of one object file at once.

    modules: what the process has in memory. folder: the one that files are relative to. types: what is known of the
    variables of object files, by path.
    """

    def __init__(self, modules: Sequence[Module], folder: Path | None = None) -> None:
        self._modules = sorted(modules, key=lambda module: module.base)
        self._bases = [module.base for module in self._modules]
        self._folder = os.path.join(os.path.realpath(folder or Path.cwd()), "")  # noqa: PTH118
        self._frames: dict[int, tuple[StackFrame, ...]] = {}
        self.types: dict[str, DebugTypes] = {}
        self._lengths: dict[str, int] = {}

    @cached_property
    def instrumented(self) -> list[Module]:
        """The object files that are not part of the system."""
        return [module for module in self._modules if not self._is_system(module.path)]

    def module_of(self, address: int) -> Module | None:
        """The object file that has *address*; None for memory that belongs to none."""
        number = bisect_right(self._bases, address) - 1
        return self._modules[number] if number >= 0 and address < self._modules[number].end else None

    def learn(self, addresses: Iterable[int]) -> None:
        """Look *addresses* up, in one go, for later calls of `frames`."""
        wanted: dict[Module, list[int]] = defaultdict(list)
        for address in dict.fromkeys(addresses):
            if address in self._frames:
                continue
            self._frames[address] = ()
            module = self.module_of(address)
            if module is not None:
                wanted[module].append(address)
        for module, group in wanted.items():
            self._ask(module, group)

    def frames(self, address: int) -> tuple[StackFrame, ...]:
        """The place of the instruction at *address*, and the calls that were inlined there, the innermost first."""
        self.learn([address])
        return self._frames[address]

    def _ask(self, module: Module, addresses: Sequence[int]) -> None:
        command = _tool()
        if not command or not Path(module.path).is_file():
            return
        lines = "".join(f"{address - module.base:#x}\n" for address in addresses)
        try:
            done = subprocess.run(
                [*command, "-a", "-e", module.path], input=lines, capture_output=True, text=True, errors="replace",
                timeout=_SECONDS, check=False,
            )  # fmt: skip
        except (OSError, subprocess.TimeoutExpired):
            return
        for address, chain in zip(addresses, _chains(done.stdout), strict=False):
            frames = [self._frame(function, place, module) for function, place in chain]
            self._frames[address] = tuple(frame for frame in frames if frame is not None)

    def _frame(self, function: str, place: str, module: Module) -> StackFrame | None:
        place = place.split(" (discriminator", 1)[0]
        file, _, line = place.rpartition(":")
        number = int(line) if line.isdecimal() else 0
        if file in ("", "??") and function in ("", "??"):
            return None
        path = os.path.normpath(file) if file not in ("", "??") else ""
        is_users = bool(path) and number > 0 and not is_of_library(function)
        is_users = is_users and not self._is_system(path) and not self._is_system(module.path)
        inside = path.startswith(self._folder)
        shown = path[len(self._folder) :] if inside else path
        return StackFrame(short(function), shown, number, is_users and number <= self._length(path))

    def _is_system(self, path: str) -> bool:
        """Whether a file belongs to a compiler, an installed library, or the runtime."""
        if path.startswith(self._folder):
            return _OUR_RUNTIME in path
        return path.startswith(("/usr/", "/lib")) or any(part in path for part in _SYSTEM)

    def _length(self, path: str) -> int:
        """The number of lines of a file; if it cannot be read, any line may be in it."""
        if path not in self._lengths:
            try:
                self._lengths[path] = Path(path).read_bytes().count(b"\n") + 1
            except OSError:
                self._lengths[path] = 1 << 31
        return self._lengths[path]


@cache
def _tool() -> tuple[str, ...]:
    """The command to ask; empty if there is none."""
    for name, *options in _TOOLS:
        found = shutil.which(name)
        if found is not None:
            return (found, *options)
    return ()


def _chains(text: str) -> list[list[tuple[str, str]]]:
    """The functions and places that a tool names for each address, the innermost first."""
    found: list[list[tuple[str, str]]] = []
    lines = iter(text.splitlines())
    for line in lines:
        if line.startswith("0x"):
            found.append([])
        elif found and line:
            found[-1].append((line, next(lines, "??:0")))
    return found
