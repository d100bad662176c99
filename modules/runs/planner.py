"""Decide which questions it takes to answer what the user asked."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, ClassVar

from cseq.base.errors import UsageError
from cseq.base.verdict import Outcome, Verdict, summed
from cseq.modules.analysis.properties import CHECKING, DEADLOCK, MEMSAFETY, OVERFLOW, PROPERTIES, RACE, UNREACH
from cseq.modules.runs.deepening import deepen
from cseq.modules.runs.specification import properties, read
from cseq.pipeline.session import Session
from cseq.pipeline.stage import Parameter
from cseq.pipeline.stage import Planner as Base

_CHOSEN = {"deadlock": DEADLOCK, "race": RACE, "memsafety": MEMSAFETY, "overflow": OVERFLOW}


def _is_misuse(outcome: Outcome) -> bool:
    violated = outcome.violated
    return outcome.verdict is Verdict.FALSE and violated is not None and violated.claim.is_misuse


class Planner(Base):
    """in: what the user asked. out: the outcome, from one run of the stages for each property.

    Each property is a question of its own, about a program of its own. What their translations have in common is
    made once.
    """

    takes: ClassVar[tuple[Parameter, ...]] = (
        Parameter("deadlock", bool, False, "also look for deadlocks", ("--deadlock",)),
        Parameter("race", bool, False, "also look for data races", ("--race",)),
        Parameter(
            "memsafety", bool, False, "also look for invalid memory accesses, invalid frees and leaks", ("--memsafety",)
        ),
        Parameter(
            "overflow",
            bool,
            False,
            "also look for signed overflow, division by zero and undefined shifts",
            ("--overflow",),
        ),
        Parameter(
            "spec", str, None, "check the properties of an SV-COMP property file, and no other", ("--spec",), "FILE"
        ),
        Parameter(
            "auto",
            bool,
            False,
            "deepen the rounds and the unwinding until there is a violation or a proof, or the time is up",
            ("--auto",),
            family="symbolic",
        ),
        Parameter("excuse", bool, False, "look for another violation of unreach-call behind misuse"),
        Parameter("only", str, "", "the only one of the properties that is checked; empty for all"),
    )

    @classmethod
    def settle(cls, values: dict[str, Any], given: Collection[str]) -> None:
        """A property file says all that is checked, and which functions are not to be called."""
        for name in ("schedule", "contexts"):
            if values.get("auto") and values.get(name) is not None:
                raise UsageError(f"--auto and --{name} do not go together")
        if values.get("spec") is None:
            return
        for option in _CHOSEN:
            if values.get(option):
                raise UsageError(f"--spec and --{option} do not go together")
        values["errors"] = (*values.get("errors", ()), *read(values["spec"]).errors)

    def plan(self, session: Session) -> Outcome:
        """Check one property after the other."""
        folder = self.context.workdir
        chosen = self._properties()

        def run(name: str, changed: dict[str, Any]) -> Outcome:
            # The files of each question are kept apart where there are several.
            values = {**self._values(asked, name), **changed, "excused": name in misused}
            if not asked["only"]:
                self.context.report("property", (name, chosen.index(name) + 1, len(chosen)))
            outcome = session.run(values, folder / name if len(chosen) > 1 else None)
            if not isinstance(outcome, Outcome):
                raise UsageError("the chain ends without a verdict")
            outcome.property = name
            if asked["excuse"] and name == UNREACH and name not in misused and _is_misuse(outcome):
                misused[name] = outcome
                return run(name, changed)
            return outcome

        asked = self.context.values
        misused: dict[str, Outcome] = {}
        parts = deepen(self.context, chosen, run) if asked.get("auto") else [run(name, {}) for name in chosen]
        self.context.workdir = folder
        return summed([self._with_misuse(part, misused.get(part.property)) for part in parts])

    @staticmethod
    def _with_misuse(outcome: Outcome, misused: Outcome | None) -> Outcome:
        """What was found, or what misuse was found where there is nothing else."""
        if misused is None or outcome.verdict is Verdict.FALSE:
            return outcome
        misused.levels = outcome.levels
        return misused

    def first(self) -> dict[str, Any]:
        """The program for the property that was asked for beside the one that is always checked, if there is one."""
        return self._values(self.context.values, self._properties()[-1])

    def questions(self) -> dict[str, dict[str, Any]]:
        """Those properties that are not left out, and the values for each."""
        return {name: self._values(self.context.values, name) for name in self._properties()}

    @staticmethod
    def _values(asked: dict[str, Any], name: str) -> dict[str, Any]:
        """The values of the parameters for the question after the property *name*."""
        return {**asked, "property": name, "checked": name in CHECKING, "reads": name == RACE, "named": name == UNREACH}

    def _properties(self) -> list[str]:
        values = self.context.values
        if values["only"]:
            return [values["only"]]
        if values.get("spec") is not None:
            asked = properties(values["spec"])
            return [name for name in PROPERTIES if name in asked]
        chosen = {UNREACH, *(name for option, name in _CHOSEN.items() if values.get(option))}
        return [name for name in PROPERTIES if name in chosen]
