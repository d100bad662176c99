"""The compilers that are called: which, and what is known of them."""

from pathlib import Path

import pytest

from cseq.modules.compiled.cc import compilers
from cseq.modules.compiled.cc.compilers import CompilerError

pytestmark = pytest.mark.engine

SCRIPT = """#!/bin/sh
echo "$*" >> {log}
case " $* " in
  *-dM*) printf '#define __GNUC__ 12\\n#define __GNUC_MINOR__ 2\\n#define __GNUC_PATCHLEVEL__ 1\\n{macros}' ;;
  *distinguish*) {newer} ;;
  *-fsanitize=thread*) {older} ;;
esac
"""


class Machine:
    """A machine with the compilers that are added."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.log = folder / "log"

    def add(self, name: str, macros: str = "", newer: str = "exit 1", older: str = "exit 1") -> str:
        path = self.folder / "bin" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(SCRIPT.format(log=self.log, macros=macros, newer=newer, older=older))
        path.chmod(0o755)
        return str(path)


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for name in compilers.VARIABLES:
        monkeypatch.delenv(name, raising=False)
    return Machine(tmp_path)


def test_choice(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(CompilerError, match=r"no compiler found \(looked for \$CSEQ_CXX, g\+\+ and clang\+\+\)"):
        compilers.command(cxx=True)
    clang = machine.add("clang-14")
    assert compilers.command(cxx=False) == [clang]
    gcc = machine.add("gcc")
    assert compilers.command(cxx=False) == [gcc]
    monkeypatch.setenv("CSEQ_CC", f"{clang} -m64 '-DX=a b'")
    assert compilers.command(cxx=False) == [clang, "-m64", "-DX=a b"]


@pytest.mark.parametrize("value", ["missing-cc", "/missing/cc"])
def test_compiler_that_is_not_there(machine: Machine, monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("CSEQ_CC", value)
    with pytest.raises(CompilerError, match=f"CSEQ_CC is {value}, which is not a program"):
        compilers.command(cxx=False)


def test_compiler_that_is_ourselves(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    machine.add("cseq-cc")
    monkeypatch.setenv("CSEQ_CC", "cseq-cc")
    with pytest.raises(CompilerError, match="has to be the compiler that cseq-cc calls"):
        compilers.command(cxx=False)


@pytest.mark.parametrize(
    "macros, newer, older, facts",
    [
        ("", "echo __tsan_volatile_read4", "exit 1", ("gcc", "12.2.1", True)),
        ("", "exit 1", "echo __tsan_read4", ("gcc", "12.2.1", False)),
        (
            "#define __clang__ 1\\n#define __clang_major__ 14\\n#define __clang_minor__ 0\\n"
            "#define __clang_patchlevel__ 6\\n",
            "echo __tsan_volatile_read4", "exit 1", ("clang", "14.0.6", True),
        ),
    ],
)  # fmt: skip
def test_facts(machine: Machine, macros: str, newer: str, older: str, facts: tuple[str, str, bool]) -> None:
    compiler = compilers.known([machine.add("gcc", macros, newer, older)])
    assert (compiler.kind, compiler.version, compiler.distinguishes) == facts


def test_facts_are_kept_until_the_compiler_changes(machine: Machine) -> None:
    path = machine.add("gcc", newer="echo __tsan_volatile_read4")
    assert compilers.known([path]).distinguishes
    asked = machine.log.read_text()
    assert compilers.known([path]).distinguishes
    assert machine.log.read_text() == asked
    machine.add("gcc", older="echo the hook is __tsan_read4")
    assert not compilers.known([path]).distinguishes


def test_nothing_is_kept_without_a_cache(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "/dev/null")
    assert compilers.known([machine.add("gcc", newer="echo __tsan_volatile_read4")]).hooks


@pytest.mark.parametrize("older", ["exit 1", "echo nothing"])
def test_compiler_without_hooks(machine: Machine, older: str) -> None:
    path = machine.add("gcc", newer=older, older=older)
    with pytest.raises(CompilerError, match=f"{path} has no -fsanitize=thread: .* CSEQ_CC and CSEQ_CXX"):
        compilers.known([path])
