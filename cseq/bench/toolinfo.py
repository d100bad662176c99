"""Tool-info modules: which command a task is, and what its output means.

Where BenchExec is installed its classes are used, and any of its modules. Elsewhere these here stand in for them, with
as much of the interface `BaseTool2` as a module may rely on, and only modules of our own can be loaded.
"""

from __future__ import annotations

import importlib
import os
import shutil
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from cseq.base.errors import UsageError


class _ExitCode(NamedTuple):
    """How a process ended: one of *value* and *signal* is None."""

    raw: int
    value: int | None
    signal: int | None


class _Unsupported(Exception):
    """The tool cannot do what a task asks for."""


class _NotFound(Exception):
    """The tool is not installed."""


class _Output(Sequence[str]):
    """The lines of an output; each is without its end, and `text` is everything."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._lines = list(lines)

    @property
    def text(self) -> str:
        return "".join(self._lines)

    def any_line_contains(self, part: str) -> bool:
        return any(part in line for line in self._lines)

    def __getitem__(self, index: Any) -> Any:
        return _Output(self._lines[index]) if isinstance(index, slice) else self._lines[index].rstrip("\n")

    def __iter__(self) -> Iterator[str]:
        return (line.rstrip("\n") for line in self._lines)

    def __len__(self) -> int:
        return len(self._lines)

    def __str__(self) -> str:
        return self.text


class _Task(NamedTuple):
    """What a tool is to check."""

    input_files: Sequence[str]
    identifier: str | None
    property_file: str | None
    options: Any

    @property
    def input_files_or_identifier(self) -> Sequence[str]:
        return self.input_files

    @property
    def single_input_file(self) -> str:
        if len(self.input_files) > 1:
            raise _Unsupported("Tool does not support tasks with more than one input file")
        return self.input_files[0]


class _Limits(NamedTuple):
    """Limits of a run, in seconds and bytes."""

    cputime: int | None = None
    cputime_hard: int | None = None
    walltime: int | None = None
    memory: int | None = None
    cpu_cores: int | None = None


class _Run(NamedTuple):
    """What a run gave."""

    cmdline: Sequence[str]
    exit_code: Any
    output: Any
    termination_reason: str | None

    @property
    def was_terminated(self) -> bool:
        return bool(self.termination_reason)

    @property
    def was_timeout(self) -> bool:
        return self.termination_reason in ("cputime", "cputime-soft", "walltime")


class _Locator(NamedTuple):
    """Looks for a program in the folder that was given, on PATH, and in the current one."""

    tool_directory: str | None = None
    use_path: bool = False
    use_current: bool = False

    def find_executable(self, executable_name: str, subdir: str = "") -> str:
        folders = [str(Path(self.tool_directory) / subdir)] if self.tool_directory else []
        folders += os.get_exec_path() if self.use_path else []
        folders += [os.curdir, *([subdir] if subdir else [])] if self.use_current else []
        found = shutil.which(executable_name, path=os.pathsep.join(folders))
        if found is None:
            raise _NotFound(f"Could not find executable '{executable_name}' in {', '.join(folders)}")
        return found


class _BaseTool:
    """What a module need not say itself."""

    ToolLocator, Task, ResourceLimits, Run, RunOutput = _Locator, _Task, _Limits, _Run, _Output

    def project_url(self) -> str | None:
        return None

    def version(self, executable: str) -> str:
        return ""

    def environment(self, executable: str) -> dict[str, dict[str, str]]:
        return {}

    def program_files(self, executable: str) -> list[str]:
        return [executable]

    def working_directory(self, executable: str) -> str:
        return os.curdir

    def determine_result(self, run: Any) -> str:
        return "done"

    def get_value_from_output(self, output: Any, identifier: str) -> str | None:
        return None

    def close(self) -> None:
        pass

    @staticmethod
    def _version_from_tool(executable: str, arg: str = "--version") -> str:
        done = subprocess.run([executable, arg], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        return "" if done.returncode or done.stderr else done.stdout.strip()


BaseTool2: Any = _BaseTool
UnsupportedFeatureException: Any = _Unsupported
ToolNotFoundException: Any = _NotFound
try:
    from benchexec.tools import template
except ImportError:
    pass  # then ours are all there is
else:
    BaseTool2 = template.BaseTool2
    UnsupportedFeatureException = template.UnsupportedFeatureException
    ToolNotFoundException = template.ToolNotFoundException


def exit_code(status: int) -> Any:
    """What the status *status* of a process, as `os.wait` gives it, is to tool-info modules."""
    signal = status & 0x7F
    if BaseTool2 is _BaseTool:
        return _ExitCode(status, None if signal else status >> 8, signal or None)
    from benchexec.util import ProcessExitCode

    return ProcessExitCode.from_raw(status)


def load(name: str) -> Any:
    """The tool of the module *name*: a module with a class `Tool`, or one of BenchExec's by its short name.

    Raises UsageError where there is none.
    """
    module = name if "." in name else f"benchexec.tools.{name}"
    try:
        tool = importlib.import_module(module).Tool()
    except ImportError as error:
        advice = "" if BaseTool2 is not _BaseTool or "." in name else " (BenchExec is not installed)"
        raise UsageError(f"the tool-info module `{name}` cannot be loaded: {error}{advice}") from None
    except (AttributeError, TypeError) as error:
        raise UsageError(f"`{name}` is no tool-info module: {error}") from None
    if BaseTool2 is _BaseTool:
        return tool
    from benchexec.tooladapter import adapt_to_current_version

    return adapt_to_current_version(tool)


def executable(tool: Any, folder: str | None) -> str:
    """The program of *tool*: in *folder* if given, else on PATH, in the current folder, or beside the package `cseq`.

    Raises UsageError where it is not found.
    """
    import cseq

    checkout = str(Path(cseq.__file__).resolve().parent.parent)
    places: list[dict[str, Any]] = [{"tool_directory": folder}] if folder else [{"use_path": True, "use_current": True}]
    if not folder and (Path(checkout) / "modules").is_dir():
        places.insert(0, {"tool_directory": checkout})
    message = ""
    for place in places:
        try:
            return str(tool.executable(BaseTool2.ToolLocator(**place)))
        except ToolNotFoundException as error:
            message = str(error).splitlines()[0]
    raise UsageError(f"the tool is not installed: {message}")
