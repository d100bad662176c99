"""Claims about pointers."""

from __future__ import annotations

from collections.abc import Callable

from cseq.modules.modular.certificate import Status, check
from cseq.modules.modular.certify import certificate
from cseq.modules.modular.program_analysis import ProgramAnalysis
from tests.unit.modules.modular.certificate_mutants import mutants
from tests.unit.modules.modular.conftest import TWICE


def test_a_set_that_is_too_small_is_rejected(analyse: Callable[..., ProgramAnalysis]) -> None:
    analysis = analyse("p = shared; pthread_mutex_lock(&p->m); p->v = 1;", f"shared = &items[1]; {TWICE}")
    changed = [each for each in mutants(certificate(analysis)) if each.what.startswith("points-to")]
    assert len(changed) > 1
    for each in changed:
        found = check(analysis.program, each.certificate)
        assert found.status is Status.REJECTED and "leads to what is not claimed" in found.why
