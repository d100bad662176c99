"""What holds at the end of an edge implies what is claimed, or not."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cseq.modules.modular.certificate.failure import RejectedError
from cseq.modules.modular.certificate.form import AtomKind, Cell, Names, State
from cseq.modules.modular.certificate.inclusion import Inclusion
from cseq.modules.modular.certificate.logic import Logic
from cseq.modules.modular.program_analysis import ProgramAnalysis


def test_counters_get_the_values_that_make_claims_true(analyse: Callable[..., ProgramAnalysis]) -> None:
    names, logic = Names(), Logic(analyse("x = 1;").program)
    counter = names.atom(AtomKind.COUNTER, ((1, 0), 0)).sum
    here, there = (names.atom(AtomKind.ADDRESS, ("static", name)).sum for name in "ab")
    want = State(cells={here: Cell(counter, 4), there: Cell(counter.add(1), 4)})
    have = State(cells={here: Cell(counter.add(2), 4), there: Cell(counter.add(3), 4)})
    Inclusion(names, logic, (1, 0), have, want, {}).check()
    have.cells[there] = Cell(counter.add(4), 4)
    with pytest.raises(RejectedError, match="memory at"):
        Inclusion(names, logic, (1, 0), have, want, {}).check()
    with pytest.raises(RejectedError, match="atomic section"):
        Inclusion(names, logic, (1, 0), State(), State(sections=1), {}).check()
