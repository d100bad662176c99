"""A tool-info module for tests: the tool is the shell, and the input file of a task its script."""

from typing import Any

from benchexec.tools.template import BaseTool2, UnsupportedFeatureException


class Tool(BaseTool2):
    def executable(self, tool_locator: Any) -> str:
        return str(tool_locator.find_executable("sh"))

    def name(self) -> str:
        return "Shell"

    def version(self, executable: str) -> str:
        return "7"

    def environment(self, executable: str) -> dict[str, dict[str, str]]:
        return {"newEnv": {"GIVEN": "by the tool"}}

    def cmdline(self, executable: str, options: list[str], task: Any, rlimits: Any) -> list[str]:
        if (task.options or {}).get("language") == "Java":
            raise UnsupportedFeatureException("no Java")
        return [executable, task.single_input_file, task.property_file, *options]

    def determine_result(self, run: Any) -> str:
        if run.was_timeout:
            return "TIMEOUT"
        words = [line.removeprefix("verdict: ") for line in run.output if line.startswith("verdict: ")]
        return words[0] if words else "ERROR"

    def get_value_from_output(self, output: Any, identifier: str) -> str | None:
        return next((line.removeprefix(identifier) for line in output if line.startswith(identifier)), None)
