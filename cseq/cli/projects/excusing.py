"""Which findings of a run do not count: those that comments expect or ignore, and those in the baseline."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from cseq.cli.projects.compiler_flags import shown
from cseq.cli.projects.source_comments import ANY, Remark
from cseq.model.findings import Excuse, Finding, Why
from cseq.model.taskresults import TaskResult
from cseq.model.verdict import Verdict


class Judge:
    """Judges results. remarks: those in the files of each program, by its name. known: fingerprints of the baseline."""

    def __init__(self, remarks: Mapping[str, Sequence[Remark]], known: Collection[str]) -> None:
        self._remarks = remarks
        self._known = known
        self._met: set[Remark] = set()

    def judged(self, result: TaskResult) -> TaskResult:
        """*result* with its findings, and with excuses for those that do not count."""
        outcome = result.outcome
        if outcome is None or all(part.verdict is not Verdict.FALSE for part in outcome.all()):
            return result
        found = result.findings
        if not found:
            from cseq.report.sarif.sarifreport import findings

            found = tuple(findings(outcome, result.files))
        excuses = [excuse for one in found if (excuse := self._excuse(one, result)) is not None]
        return replace(result, findings=found, excuses=tuple(excuses))

    def _excuse(self, one: Finding, result: TaskResult) -> Excuse | None:
        places = {(shown(os.path.normpath(Path(file).absolute())), line) for file, line in one.places}
        about = [
            remark
            for remark in self._remarks.get(result.path, ())
            if remark.kind in (ANY, one.rule, one.claim) and (remark.file, remark.line) in places
        ]
        expected = [remark for remark in about if remark.expected]
        self._met.update(expected)
        if expected:
            return Excuse(one, Why.EXPECTED)
        if about:
            return Excuse(one, Why.IGNORED, about[0].reason)
        return Excuse(one, Why.KNOWN) if one.fingerprint in self._known else None

    def unmet(self) -> list[Remark]:
        """What comments expect in the files of the programs, and none of them has."""
        every = {remark: None for remarks in self._remarks.values() for remark in remarks if remark.expected}
        return [remark for remark in every if remark not in self._met]
