"""BenchExec's tool-info module of CSeq: ``<benchmark tool="cseq.benchexec_tool">``.

BenchExec finds it where the package `cseq` can be imported; the command that it runs is `lazy-cseq.py`.
"""

import os
import re
from pathlib import Path
from typing import Any

from benchexec.tools.template import BaseTool2, UnsupportedFeatureException

_OPTIONS = {"ILP32": "--32", "LP64": "--64"}
_SOURCES = (".c", ".i")
_VERDICT = re.compile(r"(TRUE|FALSE|UNKNOWN)(\([\w-]+\))?: (.*)")

_REASONS = (
    (re.compile(r"out of memory"), "OUT OF MEMORY"),
    (re.compile(r"out of time"), "TIMEOUT"),
    (re.compile(r"is not supported|are not supported|cannot check"), "unknown"),
    (re.compile(r"internal error"), "ERROR (internal error)"),
    (re.compile(r"the backend `.*` failed"), "ERROR (backend)"),
    (re.compile(r"the backend `.*` is not installed"), "ERROR (no backend)"),
    (re.compile(r"could not be replayed|the program crashes at"), "unknown"),
)
"""What the reasons of UNKNOWN are in a table; any other is no error."""


class Tool(BaseTool2):  # type: ignore[misc]  # BenchExec has no annotations
    """How CSeq is called, and what its output means."""

    def executable(self, tool_locator: Any) -> str:
        """`lazy-cseq.py`, of a checkout or an installation."""
        return str(tool_locator.find_executable("lazy-cseq.py"))

    def program_files(self, executable: str) -> list[str]:
        """In a checkout the launcher with all that it imports; elsewhere the command alone."""
        home = Path(executable).parent
        rooms = ("cseq", "modules", "backends", "pthread_stubs", ".venv")
        found = [str(home / room) for room in rooms if (home / "modules").is_dir() and (home / room).is_dir()]
        return [executable, *found]

    def version(self, executable: str) -> str:
        """For example 0.1.0."""
        return str(self._version_from_tool(executable)).partition("\n")[0].strip()

    def name(self) -> str:
        """The name in tables."""
        return "CSeq"

    def environment(self, executable: str) -> dict[str, dict[str, str]]:
        """Where engines are that were provided for CSeq alone: BenchExec gives each run a home of its own."""
        cache = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
        return {"newEnv": {"XDG_CACHE_HOME": cache}}

    def cmdline(self, executable: str, options: list[str], task: Any, rlimits: Any) -> list[str]:
        """The data model and the property are the task's. Of its files, those that are no C source are left out."""
        words = [executable, *options]
        given = task.options if isinstance(task.options, dict) else {}
        model = given.get("data_model")
        if given.get("language", "C") != "C":
            raise UnsupportedFeatureException(f"unsupported language {given['language']!r}")
        if model is not None:
            if model not in _OPTIONS:
                raise UnsupportedFeatureException(f"unsupported data_model {model!r}")
            if not any(option in options for option in _OPTIONS.values()):
                words.append(_OPTIONS[model])
        if task.property_file:
            words += ["--spec", task.property_file]
        files = [file for file in task.input_files if file.endswith(_SOURCES)] or list(task.input_files)
        for file in files:
            words += ["--input", file]
        return words

    def determine_result(self, run: Any) -> str:
        """The verdict in the words of SV-COMP, or why there is none."""
        found = [match for line in run.output if (match := _VERDICT.fullmatch(line.rstrip("\n")))]
        if len(found) != 1:
            return "ERROR (no verdict)" if not run.was_terminated else "ERROR"
        verdict, property_, message = found[0].groups()
        if verdict == "TRUE":
            return "true"
        if verdict == "FALSE":
            return f"false{property_ or ''}"
        return next((status for pattern, status in _REASONS if pattern.search(message)), "unknown")

    def get_value_from_output(self, output: Any, identifier: str) -> str | None:
        """The message after the verdict, for a column with the text ``message``."""
        found = [match[3] for line in output if (match := _VERDICT.fullmatch(line.rstrip("\n")))]
        return found[0] if identifier == "message" and len(found) == 1 else None
