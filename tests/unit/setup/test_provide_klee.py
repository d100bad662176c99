"""What setup/provide-klee decides, and how it builds: with a cmake that only pretends."""

import os
import shutil
from pathlib import Path

import pytest

from tests.support.checkout import ROOT
from tests.support.providers import Provider

pytestmark = pytest.mark.engine

SCRIPT = ROOT / "setup" / "provide-klee"

CMAKE = """\
echo "$*" >>"$HOME/calls"
case $1 in
    --build) exit ${BUILD_STATUS:-0} ;;
    --install) folder=$DESTDIR$(cat "$HOME/prefix")/bin; mkdir -p "$folder"
        printf '#!/bin/sh\\necho "KLEE %s (https://klee-se.org/)"\\n' "$SAYS" >"$folder/klee"
        chmod +x "$folder/klee" ;;
    *) for word in "$@"; do case $word in -DCMAKE_INSTALL_PREFIX=*) echo "${word#*=}" >"$HOME/prefix" ;; esac; done ;;
esac
"""


class Machine(Provider):
    """A machine with an empty cache and, until something is added, no klee and nothing to build one with."""

    provider = SCRIPT

    def __init__(self, root: Path) -> None:
        self.root = root
        self.environment = {"HOME": str(root), "PATH": str(root / "bin")}
        (root / "bin").mkdir()
        for name in (
            "cat", "chmod", "env", "getconf", "grep", "head", "id", "mkdir", "mktemp", "mv", "rm", "sed", "sh", "sort",
            "tail", "tr",
        ):  # fmt: skip
            if path := shutil.which(name):
                (root / "bin" / name).symlink_to(path)

    @property
    def prefix(self) -> Path:
        return self.root / ".cache" / "cseq" / "engines" / "klee-3.2"

    def script(self, place: str, text: str) -> str:
        path = self.root / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)
        return str(path)

    def klee(self, version: str, place: str = "bin/klee") -> str:
        return self.script(place, f"echo 'KLEE {version} (https://klee-se.org/)'")

    def checkout(self, major: int = 3, minor: int = 2) -> str:
        """A folder that looks like a checkout, on a machine that can build it."""
        self.script("bin/cmake", CMAKE)
        self.script("bin/dpkg-query", "echo install ok installed")
        self.script("bin/clang-16", "")
        self.script("bin/apt-cache", "[ $2 = llvm-16-dev ]")
        folder = self.root / "source"
        folder.mkdir()
        lists = f"set(KLEE_VERSION_MAJOR {major})\nset(KLEE_VERSION_MINOR {minor})\n"
        (folder / "CMakeLists.txt").write_text(lists)
        return str(folder)


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_order(machine: Machine) -> None:
    assert "git clone --branch v3.2" in machine.refusal()
    assert "KLEE is not here" in machine.refusal("--print")
    private = machine.klee("3.2", str(machine.prefix / "bin" / "klee"))
    assert machine.provided() == private
    on_path = machine.klee("3.1")
    assert machine.provided("--print") == on_path
    named = machine.klee("3.0", "mine/klee")
    assert machine.provided(CSEQ_KLEE=named) == named
    result = machine.run(CSEQ_KLEE=os.devnull)
    assert result.stdout == f"{on_path}\n"


@pytest.mark.parametrize("version", ["2.3", "2.10", "unknown"])
def test_klee_on_the_path_that_is_too_old(machine: Machine, version: str) -> None:
    machine.klee(version)
    assert "KLEE is not here" in machine.refusal("--print")


def test_build(machine: Machine) -> None:
    source = machine.checkout()
    machine.klee("3.1")
    assert machine.provided("--from-source", source, SAYS="3.2") == str(machine.prefix / "bin" / "klee")
    assert [path.name for path in machine.prefix.parent.iterdir()] == ["klee-3.2"]
    first, *others = (machine.root / "calls").read_text().splitlines()
    assert first.startswith(f"-S {source} -B ")
    assert f"-DLLVMCC={machine.root}/bin/clang-16 " in first
    assert len(others) == 2
    # What is there is not built again.
    assert machine.provided(f"--from-source={source}", SAYS="3.2") == str(machine.prefix / "bin" / "klee")
    assert len((machine.root / "calls").read_text().splitlines()) == 3


def test_something_broken_in_its_place_is_replaced(machine: Machine) -> None:
    machine.klee("3.1", str(machine.prefix / "bin" / "klee"))
    assert machine.provided("--from-source", machine.checkout(), SAYS="3.2") == str(machine.prefix / "bin" / "klee")


def test_build_that_fails(machine: Machine) -> None:
    assert machine.refusal("--from-source", machine.checkout(), BUILD_STATUS="1").endswith("KLEE could not be built")


def test_build_of_something_else(machine: Machine) -> None:
    assert "the KLEE that was built does not run" in machine.refusal("--from-source", machine.checkout(), SAYS="3.20")


def test_no_checkout(machine: Machine) -> None:
    assert "is no checkout of KLEE's repository" in machine.refusal("--from-source", str(machine.root))


def test_another_version(machine: Machine) -> None:
    assert "is KLEE 3.1; check out the tag v3.2" in machine.refusal("--from-source", machine.checkout(minor=1))


def test_missing_packages_that_cannot_be_installed(machine: Machine) -> None:
    source = machine.checkout()
    machine.script("bin/dpkg-query", "exit 1")
    machine.script("bin/apt-get", "exit 100")
    message = machine.refusal("--from-source", source)
    assert message.startswith("provide-klee: error: these packages are needed, and could not be installed: apt-get")
    assert "clang-16 llvm-16-dev libz3-dev" in message


@pytest.mark.parametrize("arguments", [["--from-source"], ["--frobnicate"], ["3.2"]])
def test_wrong_arguments(machine: Machine, arguments: list[str]) -> None:
    assert machine.refusal(*arguments).startswith("provide-klee: error: ")
