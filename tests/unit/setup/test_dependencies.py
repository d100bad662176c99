"""What each target of `make` installs."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.support.checkout import ROOT


@pytest.mark.parametrize(("target", "brings"), [("setup", False), ("demo", False), ("esbmc", True), ("test", True)])
def test_a_package_of_others_is_taken_only_where_it_is_asked_for(target: str, brings: bool, tmp_path: Path) -> None:
    surroundings = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKELEVEL")}
    command = ["make", "--dry-run", "--file", str(ROOT / "Makefile"), f"VENV={tmp_path}", target]
    done = subprocess.run(command, cwd=ROOT, env=surroundings, capture_output=True, text=True, check=True, timeout=60)
    assert "setup/provide-cbmc" in done.stdout or target == "esbmc"
    assert ("setup/provide-esbmc" in done.stdout) is brings
