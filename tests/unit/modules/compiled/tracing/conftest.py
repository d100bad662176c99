"""The program that the recorded runs of these tests are of."""

import pytest

from tests.support.recorded_runs import Example


@pytest.fixture(scope="session")
def example(processes: None, tmp_path_factory: pytest.TempPathFactory) -> Example:
    """Compiled once."""
    return Example(tmp_path_factory.mktemp("example"))
