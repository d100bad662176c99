"""Programs in which addresses come back, and what the families of engines say about them (see reuse.py)."""

from pathlib import Path

import pytest

from cseq.backends.cbmc import BACKEND
from tests.differential import reuse


@pytest.mark.skipif(BACKEND.find() is None, reason="CBMC is not installed (setup/provide-cbmc)")
def test_random_programs_see_the_addresses_that_they_can_see(tmp_path: Path) -> None:
    assert reuse.check(3, 3, tmp_path) == []
