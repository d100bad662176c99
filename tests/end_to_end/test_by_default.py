"""What needs no option gets its answer without one."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "sv-benchmarks" / "default"
PAIRS = sorted(path.stem.removesuffix("_bad") for path in FOLDER.glob("*_bad.c"))
OPEN = {"workers_from_arguments"}
"""Pairs whose twin is not proved: of arguments, only some are tried."""


def answer(name: str) -> str:
    model = "--32" if "ILP32" in (FOLDER / f"{name}.yml").read_text() else "--64"
    command = [sys.executable, str(ROOT / "cseq.py"), f"{name}.c", model, "--quiet", "--timeout", "60"]
    return subprocess.run(command, cwd=FOLDER, capture_output=True, text=True, check=False).stdout.strip()


@pytest.mark.parametrize("pair", PAIRS)
def test_the_bug_is_found(pair: str) -> None:
    assert answer(f"{pair}_bad") == "FALSE"


@pytest.mark.parametrize("pair", [pair for pair in PAIRS if pair not in OPEN])
def test_the_twin_is_proved(pair: str) -> None:
    assert answer(f"{pair}_good") == "TRUE"
