"""What instructions do with a state."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cseq.modules.modular.certificate import Status, check
from cseq.modules.modular.certificate.form import Kind
from cseq.modules.modular.certify import certificate
from cseq.modules.modular.program_analysis import ProgramAnalysis
from tests.unit.modules.modular.certificate.test_checking import PAIRS


@pytest.mark.parametrize(
    "name, kind", [("tried", Kind.LOCKED), ("lock of an object", Kind.LOCKED), ("index in memory", Kind.ELSEWHERE)]
)
def test_only_the_right_reason_is_confirmed(name: str, kind: Kind, analyse: Callable[..., ProgramAnalysis]) -> None:
    analysis = analyse(PAIRS[name][0], PAIRS[name][2])
    found = certificate(analysis)
    assert any(kind in kinds for kinds in found.reasons.values())
    assert check(analysis.program, found).status is Status.ACCEPTED
    found.reasons = {sites: kinds - {kind} for sites, kinds in found.reasons.items()}
    assert check(analysis.program, found).status is Status.REJECTED
