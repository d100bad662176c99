"""A few random programs on which no proof may come too early (see completeness.py)."""

from collections import Counter

import pytest

from cseq.backends.cbmc import BACKEND
from tests.differential import completeness

pytestmark = pytest.mark.skipif(BACKEND.find() is None, reason="no CBMC is installed (setup/provide-cbmc)")


def test_no_proof_comes_too_early() -> None:
    counts: Counter[str] = Counter()
    for number, program in completeness.programs(1, 4, 0, 4):
        for rounds in (1, 2):
            assert completeness.wrong_claim(program, rounds, 2, counts) == "", (number, rounds)
    assert any("not complete: UNKNOWN" in text for text in counts)
    assert any("complete: TRUE" in text for text in counts)
