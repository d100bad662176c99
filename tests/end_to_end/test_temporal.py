"""What the user asks TLC: formulas about objects of one thread, mistakes in them."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.checkout import ROOT
from tests.support.tlc_runs import jar

_ONE_THREAD = "int put;\nint main(void) { put = 1; put = 2; return 0; }\n"


def ask(*words: str) -> tuple[int, str]:
    """The exit status and the last line that is about a property or an error."""
    jar()
    command = [sys.executable, str(ROOT / "cseq.py"), "-b", "tlc", *words]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=100, cwd=ROOT, check=False)
    lines = [line for line in (ran.stdout or ran.stderr).splitlines() if not line.startswith("(")]
    return ran.returncode, lines[-1]


@pytest.mark.parametrize(
    "formula, status, line",
    [
        ("put # 1", 1, "tla: FALSE"),  # it stays an object, and each of its values is seen
        ("nothing = 1", 2, "cseq: error: --tla-invariant: `nothing = 1`: Unknown operator: `nothing'"),
        ('put = "a"', 2, 'cseq: error: --tla-invariant: `put = "a"`: Attempted to check equality'),
        ("put", 2, "cseq: error: --tla-invariant: `put`: TLC expected a boolean value"),
    ],
)
def test_formulas(formula: str, status: int, line: str, tmp_path: Path) -> None:
    (tmp_path / "one.c").write_text(_ONE_THREAD)
    got, said = ask(str(tmp_path / "one.c"), "--tla-invariant", formula)
    assert (got, said[: len(line)]) == (status, line)
