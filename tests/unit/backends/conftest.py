"""What the tests of all backends need."""

from pathlib import Path

import pytest

from cseq.backends.registry import BACKENDS


@pytest.fixture
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine without any engine; the folder that is its PATH."""
    path = tmp_path / "path"
    path.mkdir()
    monkeypatch.setenv("PATH", str(path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for name in BACKENDS:
        monkeypatch.delenv(f"CSEQ_{name.upper()}", raising=False)
    return path
