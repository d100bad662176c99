"""What setup/provide-cbmc decides without a network: which CBMC is good enough, and what it says when none is."""

import os
import shutil
from pathlib import Path

import pytest

from tests.support.checkout import ROOT
from tests.support.providers import Provider

pytestmark = pytest.mark.engine

SCRIPT = ROOT / "setup" / "provide-cbmc"


class Machine(Provider):
    """A machine with an empty cache and, until one is added, no cbmc on its PATH."""

    provider = SCRIPT

    def __init__(self, root: Path) -> None:
        self.root = root
        self.environment = {"HOME": str(root), "PATH": str(root / "bin")}
        (root / "bin").mkdir()
        for name in ("cat", "head", "sed", "sort"):
            if path := shutil.which(name):
                (root / "bin" / name).symlink_to(path)

    def cbmc(self, version: str, place: str = "bin/cbmc") -> str:
        path = self.root / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/sh\necho '{version} (cbmc-{version})'\n")
        path.chmod(0o755)
        return str(path)

    def private_cbmc(self, version: str, says: str) -> str:
        return self.cbmc(says, f".cache/cseq/engines/cbmc-{version}/bin/cbmc")


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


@pytest.mark.parametrize("version", ["5.12", "5.12.1", "5.95.1", "6.6.0", "10.0"])
def test_cbmc_on_the_path_that_is_recent_enough(machine: Machine, version: str) -> None:
    path = machine.cbmc(version)
    machine.private_cbmc("6.6", "6.6.0")
    assert machine.provided() == path


@pytest.mark.parametrize("version", ["5.11", "5.2", "4.9", "unknown"])
def test_cbmc_on_the_path_that_is_too_old(machine: Machine, version: str) -> None:
    machine.cbmc(version)
    assert "not here" in machine.refusal("--print")
    private = machine.private_cbmc("6.6", "6.6.0")
    assert machine.provided() == private


def test_named_cbmc_comes_first(machine: Machine) -> None:
    on_path = machine.cbmc("6.6.0")
    named = machine.cbmc("5.12", "mine/cbmc")
    assert machine.provided(CSEQ_CBMC=named) == named
    result = machine.run(CSEQ_CBMC=os.devnull)
    assert result.stdout == f"{on_path}\n"


def test_exact_version_is_a_private_copy(machine: Machine) -> None:
    machine.cbmc("5.12")
    assert "CBMC 5.12 is not here" in machine.refusal("--version", "5.12", "--print")
    private = machine.private_cbmc("5.12", "5.12")
    assert machine.provided("--version", "5.12") == private
    assert machine.provided("--version=5.12", "--print") == private


def test_private_copy_in_another_cache(machine: Machine) -> None:
    private = machine.cbmc("6.6.0", "elsewhere/cseq/engines/cbmc-6.6/bin/cbmc")
    assert machine.provided(XDG_CACHE_HOME=str(machine.root / "elsewhere")) == private


def test_private_copy_that_is_something_else_does_not_count(machine: Machine) -> None:
    machine.private_cbmc("6.6", "6.60")
    assert "CBMC 6.6 is not here" in machine.run("--version", "6.6", "--print").stderr


def test_without_apt_there_is_one_clear_line(machine: Machine) -> None:
    result = machine.run()
    assert result.returncode == 1
    assert result.stderr.count("\n") == 1
    assert "apt-get not found" in result.stderr
    assert "CSEQ_CBMC" in result.stderr
    assert not (machine.root / ".cache").exists()


@pytest.mark.skipif(not shutil.which("apt-get"), reason="no apt-get")
def test_unreachable_mirror_leaves_nothing_behind(machine: Machine) -> None:
    environment = {"PATH": os.environ["PATH"], "CSEQ_DEBIAN_MIRROR": f"file:{machine.root}/nothing"}
    message = machine.refusal("--version", "5.12", **environment)
    assert "CSEQ_DEBIAN_MIRROR" in message
    assert list((machine.root / ".cache/cseq/engines").iterdir()) == []


@pytest.mark.parametrize("arguments", [["--version", "7.0"], ["--version"], ["--frobnicate"], ["6.6"]])
def test_wrong_arguments(machine: Machine, arguments: list[str]) -> None:
    machine.cbmc("6.6.0")
    assert machine.refusal(*arguments).startswith("provide-cbmc: error: ")
