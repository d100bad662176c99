"""Show a violation: a small program that makes the scenario is checked as any other, and reported as any other."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cseq.cli.request import Request
from cseq.model.errors import UsageError
from cseq.model.verdict import Outcome, Verdict
from cseq.modules.linearizability.exploring import MEMORY, PROGRESS, RACES, ScenarioAnswer, Violation
from cseq.modules.linearizability.scenario_programs import ScenarioFrame, example
from cseq.modules.linearizability.scenarios import Scenario
from cseq.options.memory_models import C11
from cseq.options.properties import DEADLOCK, MEMSAFETY, RACE, UNREACH

_SECONDS = 60.0
"""How long the program is checked."""


@dataclass(frozen=True)
class Confirmation:
    """What was found out about the program that makes *scenario*; None where the engine's word is enough."""

    scenario: Scenario
    request: Request | None = None
    outcome: Outcome | None = None

    @property
    def is_confirmed(self) -> bool:
        """Whether the violation was seen in the program, too, or cannot be seen there."""
        return self.outcome is None or self.outcome.verdict is Verdict.FALSE

    def text(self) -> str:
        """The report, as the user wants it; empty if there is none."""
        if self.request is None or self.outcome is None:
            return ""
        from cseq.cli.perform import rendered

        return rendered(self.request, self.outcome)

    def report(self) -> dict[str, Any] | None:
        """The report as an object for JSON; None if there is none."""
        if self.request is None or self.outcome is None:
            return None
        import json

        found: dict[str, Any] = json.loads(self.text())
        return found

    def write_files(self) -> None:
        """Write the page and the reproducer, if they are wanted. Raises UsageError."""
        if self.request is not None and self.outcome is not None:
            from cseq.cli.files import write_all

            write_all(self.request, self.outcome)


def confirmed(frame: ScenarioFrame, explored: ScenarioAnswer, wanted: Mapping[str, Any], folder: Path) -> Confirmation:
    """Check the program that makes the scenario of *explored*, which has a violation.

    wanted: what to print and write, by the names of options; `values` are those of parameters.
    folder: for the program, unless the user wants it elsewhere. Raises CSeqError.
    """
    violation = explored.violation
    assert violation is not None
    returned = violation.returned if violation.kind == "unexplained" else None
    saved = wanted.get("save_scenario")
    saved_in = None if saved is None else Path(saved).absolute().parent
    leaks = violation.question == MEMORY
    program = example(frame, explored.scenario, returned, violation.before, leaks, saved_in, weak=violation.is_weak)
    path = _written(program, frame, saved, folder)
    if violation.question == PROGRESS:
        return Confirmation(explored.scenario)
    from cseq.cli.options import read
    from cseq.cli.perform import executed

    words = [str(path), *frame.structure.beside]
    words += ["-b", "graphs", "--memory-model", C11] if violation.is_weak else ["-b", "native"]
    words += ["--only", _property(violation), "--timeout", f"{_SECONDS:g}"]
    words += {DEADLOCK: ["--deadlock"], MEMSAFETY: ["--memsafety"], RACE: ["--race"]}.get(_property(violation), [])
    words += _passed(wanted)
    request = read(None, words)
    if isinstance(request, str):
        raise UsageError("--help is for the command")
    _, outcome = executed(request)
    return Confirmation(explored.scenario, request, outcome)


def _property(violation: Violation) -> str:
    if violation.question == MEMORY and violation.kind != "crash":
        return MEMSAFETY
    if violation.question == RACES:
        return RACE
    return DEADLOCK if violation.kind == "deadlock" else UNREACH


def _passed(wanted: Mapping[str, Any]) -> list[str]:
    """The words of options that are the same for the program."""
    words = [f"--{name}" for name in ("cex", "explain", "json", "sarif") if wanted.get(name)]
    for name in ("html", "reproducer", "save_test"):
        words += [f"--{name.replace('_', '-')}", str(wanted[name])] if wanted.get(name) else []
    values = wanted["values"]
    for letter, name in (("-I", "include"), ("-D", "define")):
        words += [f"{letter}{value}" for value in values.get(name, ())]
    return [*words, "--32"] if values.get("bits") == 32 else words


def _written(program: str, frame: ScenarioFrame, saved: str | None, folder: Path) -> Path:
    """The file with *program*. In a temporary folder it says that its name is a short one, for reports."""
    if saved is not None:
        path = Path(saved)
        try:
            with path.open("x", encoding="utf-8") as file:
                file.write(program)
        except FileExistsError:
            raise UsageError(f"--save-scenario: {saved} exists already") from None
        except OSError as error:
            raise UsageError(f"--save-scenario: {saved}: {error.strerror}") from None
        return path
    name = f"{Path((*frame.structure.files, *frame.structure.headers)[0]).stem}_scenario.c"
    path = folder / name
    path.write_text(f'#line 2 "{name}"\n{program}', encoding="utf-8")
    return path
