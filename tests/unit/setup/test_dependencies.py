"""What `make` installs: the versions, and what each target brings along."""

import os
import re
import subprocess
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.support.checkout import ROOT

pytestmark = pytest.mark.engine

LOCK = ROOT / "setup" / "constraints.txt"


def test_our_own_versions_are_pinned_within_the_ranges_that_users_get() -> None:
    lines = [line for line in LOCK.read_text().splitlines() if not line.startswith("#")]
    assert [line for line in lines if not re.fullmatch(r"[A-Za-z0-9._-]+==[0-9][A-Za-z0-9.]*", line)] == []
    pinned = {canonicalize_name(name): version for name, _, version in (line.partition("==") for line in lines)}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"].values()
    wanted = [Requirement(text) for texts in (project["dependencies"], *extras) for text in texts]
    assert [str(one) for one in wanted if not one.specifier.contains(pinned[canonicalize_name(one.name)])] == []
    assert [str(one) for one in wanted if {each.operator for each in one.specifier} != {">=", "<"}] == []


@pytest.mark.parametrize(("target", "brings"), [("setup", False), ("demo", False), ("esbmc", True), ("test", True)])
def test_a_package_of_others_is_taken_only_where_it_is_asked_for(target: str, brings: bool, tmp_path: Path) -> None:
    surroundings = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKELEVEL")}
    command = ["make", "--dry-run", "--file", str(ROOT / "Makefile"), f"VENV={tmp_path}", target]
    done = subprocess.run(command, cwd=ROOT, env=surroundings, capture_output=True, text=True, check=True, timeout=60)
    assert "setup/provide-cbmc" in done.stdout or target == "esbmc"
    assert ("setup/provide-esbmc" in done.stdout) is brings
