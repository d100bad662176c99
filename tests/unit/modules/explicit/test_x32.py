"""Functions of the C library that step programs of 32 bits call with sizes of 32 bits."""

import subprocess
from pathlib import Path

import pytest

from cseq.backends.native import EXPLORER
from cseq.c.preprocess import compiler
from cseq.modules.explicit.engine import compiled
from cseq.modules.explicit.x32 import _LIBRARY

pytestmark = pytest.mark.engine


def test_what_has_a_size_goes_to_versions_of_the_engine(tmp_path: Path) -> None:
    calls = ", ".join(f"(void *){name}" for name in _LIBRARY)
    declared = "".join(f"void {name}(void);" for name in _LIBRARY)
    made = compiled(f"{declared} void *used[] = {{ {calls} }};", tmp_path / "x.o", 32)
    wrappers = tmp_path / "wrappers.o"
    subprocess.run([compiler(), "-c", str(EXPLORER / "x32.c"), "-o", str(wrappers)], check=True)
    assert _symbols(made, "U") == _symbols(wrappers, "T") == {f"cs_x32_{name}" for name in _LIBRARY}


def _symbols(path: Path, kind: str) -> set[str]:
    listed = subprocess.run(["nm", str(path)], capture_output=True, text=True, check=True).stdout
    return {words[-1] for line in listed.splitlines() if (words := line.split())[-2] == kind and "_x32_" in line}
