"""A task: one of several programs that a run checks, each for itself."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePath

from cseq.cli.request import Request
from cseq.cli.svcomp_rules import reported
from cseq.model.taskresults import Expected
from cseq.model.verdict import Outcome, Verdict


@dataclass(frozen=True)
class Task:
    """A task. It means the same on each machine that has the sources.

    path: of the program or of its task definition. only: the property that is checked, where a definition has several.
    inside: the place for what is kept of it, which no two tasks have in common. request: the run of the program.
    expected: of properties, by name.
    """

    path: str
    inside: PurePath
    request: Request
    only: str = ""
    expected: Mapping[str, Expected] = field(default_factory=dict)

    @property
    def label(self) -> str:
        """Its name among the tasks of the run."""
        return str(self.inside)

    def as_expected(self, outcome: Outcome) -> bool | None:
        """Whether *outcome* is what is expected, by the rules of SV-COMP; None where nothing is, or it has no verdict.

        No property of SV-COMP is about misuse of the thread library and crashes: these answers are not compared.
        """
        if not self.expected:
            return None
        found = [
            _agrees(part, self.expected[part.property]) for part in outcome.all() if part.property in self.expected
        ]
        return False if False in found else True if found and None not in found else None


def _agrees(part: Outcome, expected: Expected) -> bool | None:
    """Whether the answer for one property is the expected one; None if it has no verdict."""
    verdict = reported(part)
    if verdict is Verdict.UNKNOWN:
        return None
    if expected.holds or verdict is Verdict.TRUE:
        return expected.holds == (verdict is Verdict.TRUE)
    return part.violated is None or not expected.part or part.violated.part in ("", expected.part)
