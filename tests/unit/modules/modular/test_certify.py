"""The certificate of what the analysis has found."""

from __future__ import annotations

from collections.abc import Callable

from cseq.modules.modular.certificate.form import Kind
from cseq.modules.modular.certify import certificate
from cseq.modules.modular.program_analysis import ProgramAnalysis
from tests.unit.modules.modular.conftest import LOOP


def test_all_threads_nodes_and_reasons_are_in_it(analyse: Callable[..., ProgramAnalysis]) -> None:
    analysis = analyse("cells[i] = 1;", LOOP)
    found = certificate(analysis)
    assert found.threads.keys() == analysis.threads.keys() == {0, 1}
    assert found.threads[0].states.keys() == analysis.analyses[0].states.keys()
    assert found.threads[1].is_many and found.threads[1].is_numbered and not found.left_out
    assert {kind for kinds in found.reasons.values() for kind in kinds} == {Kind.ELSEWHERE}
