"""The doctor on made-up machines: a PATH with a few scripts on it, and nothing else."""

import shutil
import time
from pathlib import Path
from textwrap import dedent

import pytest

from cseq.backends import declared, tlc
from cseq.portfolio import doctor as under_test
from cseq.portfolio.doctor import ToolCopy, ToolReport, doctor, render

pytestmark = pytest.mark.engine

CBMC_6 = 'echo "6.6.0 (cbmc-6.6.0)"'
CBMC_512 = 'echo "5.12 (cbmc-5.12)"'
CBMC_511 = 'echo "5.11 (cbmc-5.11)"'


class Machine:
    """A machine with no tools at all, until some are added."""

    def __init__(self, root: Path) -> None:
        self.root = root
        (root / "bin").mkdir()

    def tool(self, name: str, script: str) -> Path:
        return self.script(self.root / "bin" / name, script)

    def private_cbmc(self, version: str, script: str) -> Path:
        return self.script(self.root / "cache/cseq/engines" / f"cbmc-{version}" / "bin/cbmc", script)

    @staticmethod
    def script(path: Path, script: str) -> Path:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)
        return path


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("CSEQ_CBMC", raising=False)
    monkeypatch.delenv("CSEQ_KLEE", raising=False)
    monkeypatch.delenv("CSEQ_ESBMC", raising=False)
    monkeypatch.delenv("CSEQ_SPIN", raising=False)
    monkeypatch.delenv("CSEQ_CXX", raising=False)
    monkeypatch.delenv("CLASSPATH", raising=False)
    monkeypatch.delenv("CSEQ_TLC", raising=False)
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setattr(tlc, "JAR_FOLDERS", (tmp_path / "jars",))
    return Machine(tmp_path)


def report_on(name: str) -> ToolReport:
    return next(report for report in doctor() if report.name == name)


def test_bare_machine_lacks_everything_and_says_how_to_get_it(machine: Machine) -> None:
    reports = [report for report in doctor() if report.name not in ("horn", "dask")]  # they come with CSeq
    solvers = ["cadical", "minisat", "z3", "kissat", "bitwuzla", "cvc5"]
    names = ["cc", "cbmc", "esbmc", "klee", *solvers, "spin", "java", "tlc", "compiled", *declared.names()]
    assert [report.name for report in reports] == names
    assert not any(report.found or report.places for report in reports)
    assert all(report.install for report in reports)
    assert render(reports).count("missing") == len(names)


def test_what_proofs_need_comes_along(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    assert report_on("horn").found
    monkeypatch.setattr(under_test.importlib.util, "find_spec", lambda name: None if name == "cvc5" else name)
    assert not report_on("horn").found
    assert "the Python package cvc5 is missing" in render([report_on("horn")])
    assert "to install: pip install z3-solver cvc5" in render([report_on("horn")])


def test_declared_verifiers(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    missing = report_on("2ls")
    assert missing.purpose.endswith("(never run by us: declared from its manual)") and not missing.found
    path = machine.tool("2ls", "echo 2LS 0.10.0")
    assert report_on("2ls").chosen == ToolCopy(path, "PATH", "0.10.0")
    monkeypatch.setenv("CSEQ_SYMBIOTIC", str(machine.tool("other", "exit 3")))
    assert [place.problem for place in report_on("symbiotic").places] == ["does not run: exit status 3"]


def test_this_machine_has_a_c_compiler() -> None:
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no cc on the PATH")
    report = report_on("cc")
    assert report.chosen is not None
    assert report.chosen.path == Path(compiler)
    assert report.chosen.version is not None
    assert report.install is None


@pytest.mark.parametrize(
    ("name", "script", "version"),
    [
        ("cc", 'echo "cc (Debian 12.2.0-14) 12.2.0"', "12.2.0"),
        ("cadical", 'echo "1.5.3"', "1.5.3"),
        ("minisat", "exit 3", None),
        ("z3", 'echo "Z3 version 4.8.12 - 64 bit"', "4.8.12"),
        ("spin", '[ "$1" = -V ] && echo "Spin Version 6.5.2 -- 6 December 2019"', "6.5.2"),
        ("esbmc", 'echo "ESBMC version 8.4.0 64-bit x86_64 linux"', "8.4.0"),
        ("java", """echo 'openjdk version "21" 2023-09-19' >&2""", "21"),
    ],
)
def test_tool_on_the_path(machine: Machine, name: str, script: str, version: str | None) -> None:
    path = machine.tool(name, script)
    report = report_on(name)
    assert report.chosen == ToolCopy(path, "PATH", version)
    assert report.install is None


def test_a_spin_that_is_named(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    machine.tool("spin", 'echo "Spin Version 6.4.9 -- 17 December 2018"')
    other = machine.script(machine.root / "other", 'echo "Spin Version 6.5.2 -- 6 December 2019"')
    monkeypatch.setenv("CSEQ_SPIN", str(other))
    assert report_on("spin").chosen == ToolCopy(other, "CSEQ_SPIN", "6.5.2")
    monkeypatch.setenv("CSEQ_SPIN", str(machine.root / "none"))
    assert not report_on("spin").found


def test_other_names_of_the_c_compiler(machine: Machine) -> None:
    path = machine.tool("clang", 'echo "Debian clang version 14.0.6"')
    assert report_on("cc").chosen == ToolCopy(path, "PATH", "14.0.6")


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_tool_that_hangs_is_ended_after_a_while(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    # The sleeper is a child of the tool, as with a wrapper script, and keeps the tool's output open.
    pid_file = machine.root / "pid"
    path = machine.tool("z3", f"/bin/sleep 60 & echo $! >{pid_file}; wait; echo 4.8.12")
    monkeypatch.setattr(under_test, "PATIENCE", 0.5)
    start = time.monotonic()
    report = report_on("z3")
    assert time.monotonic() - start < 30
    assert report.places == (ToolCopy(path, "PATH", problem="no answer within 0.5 s"),)
    assert not report.found
    assert report.install
    sleeper = int(pid_file.read_text())
    while is_running(sleeper) and time.monotonic() - start < 30:
        time.sleep(0.01)
    assert not is_running(sleeper)


def test_tool_that_fails_is_not_found(machine: Machine) -> None:
    path = machine.tool("spin", 'echo "libfoo.so.1.2: cannot open" >&2; exit 127')
    report = report_on("spin")
    assert report.places == (ToolCopy(path, "PATH", problem="does not run: exit status 127"),)
    assert not report.found
    assert "unusable" in render([report])


def test_tool_that_is_no_program_is_not_found(machine: Machine) -> None:
    path = machine.root / "bin" / "cadical"
    path.write_bytes(b"\x7fELF\0\0\0\0")
    path.chmod(0o755)
    report = report_on("cadical")
    assert report.places == (ToolCopy(path, "PATH", problem="exec format error"),)


def test_apt_is_recommended_for_the_packages_that_it_has(machine: Machine) -> None:
    policy = dedent("""\
        z3:
          Installed: (none)
          Candidate: 4.8.12-3.1
          Version table:
        spin:
          Installed: (none)
          Candidate: (none)
          Version table:""")
    machine.tool("apt-cache", f"echo '{policy}'")
    advice = {report.name: report.install or "" for report in doctor()}
    assert advice["z3"].endswith("apt-get install z3")
    assert "apt-get" not in advice["spin"]
    assert advice["tlc"].endswith("setup/provide-tlc") or advice["tlc"] == "make tlc"


def test_all_copies_of_cbmc_are_listed_and_the_named_one_is_chosen(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    on_path = machine.tool("cbmc", CBMC_6)
    private = [machine.private_cbmc("6.6", CBMC_6), machine.private_cbmc("5.12", CBMC_512)]
    named = machine.script(machine.root / "mine", CBMC_512)
    monkeypatch.setenv("CSEQ_CBMC", str(named))
    report = report_on("cbmc")
    assert [place.path for place in report.places] == [named, on_path, *private]
    assert [place.version for place in report.places] == ["5.12", "6.6.0", "6.6.0", "5.12"]
    assert report.chosen == ToolCopy(named, "CSEQ_CBMC", "5.12")
    assert report.install is None


def test_cbmc_on_the_path_must_be_recent(machine: Machine) -> None:
    machine.tool("cbmc", CBMC_511)
    private = machine.private_cbmc("5.12", CBMC_512)
    report = report_on("cbmc")
    assert report.chosen == ToolCopy(private, "private copy", "5.12")


def test_cbmc_that_is_named_but_not_there(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CSEQ_CBMC", str(machine.root / "nowhere"))
    report = report_on("cbmc")
    assert report.places[0] == ToolCopy(machine.root / "nowhere", "CSEQ_CBMC", problem="no such file or directory")
    assert "nowhere (CSEQ_CBMC, no such file or directory)" in render([report])


def test_all_copies_of_esbmc_are_listed_and_one_that_is_too_old_is_passed_over(machine: Machine) -> None:
    old = machine.tool("esbmc", 'echo "ESBMC version 7.4.0 64-bit x86_64 linux"')
    assert report_on("esbmc").places == (ToolCopy(old, "PATH", "7.4.0"),)
    assert not report_on("esbmc").found
    private = machine.script(
        machine.root / "cache/cseq/engines/esbmc-8.4/bin/esbmc", 'echo "ESBMC version 8.4.0 64-bit x86_64 linux"'
    )
    report = report_on("esbmc")
    assert report.chosen == ToolCopy(private, "private copy", "8.4.0")
    assert [place.path for place in report.places] == [old, private]


def test_missing_esbmc_is_a_matter_of_make_esbmc(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    checkout = Path(under_test.__file__).resolve().parents[2]
    monkeypatch.chdir(machine.root)
    assert report_on("esbmc").install == str(checkout / "setup/provide-esbmc")
    monkeypatch.chdir(checkout)
    assert report_on("esbmc").install == "make esbmc"


def test_missing_cbmc_is_a_matter_of_set_up(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    checkout = Path(under_test.__file__).parents[2]
    monkeypatch.chdir(checkout)
    assert report_on("cbmc").install == "make setup"
    monkeypatch.chdir(machine.root)
    assert report_on("cbmc").install == str(checkout / "setup" / "provide-cbmc")
    assert (checkout / "setup" / "provide-cbmc").exists()


KLEE = 'echo "KLEE 3.2 (https://klee-se.org/)"; echo "Debian LLVM version 16.0.6"'


def test_all_copies_of_klee_are_listed(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    checkout = Path(under_test.__file__).parents[2]
    monkeypatch.chdir(checkout)
    assert report_on("klee").install == "build from source (setup/provide-klee --help says how)"
    monkeypatch.chdir(machine.root)
    assert report_on("klee").install == f"build from source ({checkout}/setup/provide-klee --help says how)"
    machine.tool("clang-16", 'echo "Debian clang version 16.0.6"')
    private = machine.script(machine.root / "cache/cseq/engines/klee-3.2/bin/klee", KLEE)
    assert report_on("klee").chosen == ToolCopy(private, "private copy", "3.2")
    old = machine.tool("klee", 'echo "KLEE 2.3"; echo "LLVM version 16.0.0"')
    report = report_on("klee")
    assert report.places == (ToolCopy(old, "PATH", "2.3"), ToolCopy(private, "private copy", "3.2"))
    assert report.chosen == report.places[1]
    monkeypatch.setenv("CSEQ_KLEE", str(machine.root / "nowhere"))
    report = report_on("klee")
    assert report.places[0] == ToolCopy(machine.root / "nowhere", "CSEQ_KLEE", problem="no such file or directory")
    assert report.chosen is None


def test_klee_needs_the_clang_of_its_llvm(machine: Machine) -> None:
    machine.tool("clang", 'echo "Debian clang version 14.0.6"')
    path = machine.tool("klee", KLEE.replace("16.0.6", "99.0.0"))
    problem = "KLEE needs clang 99, that of its LLVM (apt-get install clang-99)"
    report = report_on("klee")
    assert report.places == (ToolCopy(path, "PATH", "3.2", problem),)
    assert not report.found
    assert report.install == "install that compiler"


def test_tlc_needs_its_jar_and_java(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    jar = machine.root / "jars" / "tla2tools.jar"
    jar.parent.mkdir()
    jar.touch()
    assert report_on("tlc").places == (ToolCopy(jar, "jar", problem="needs java"),)
    machine.tool(
        "java",
        f"""\
        case "$*" in
            -version) echo 'openjdk version "17.0.9"' ;;
            "-cp {jar} tlc2.TLC -h") echo "TLC - provides model checking - Version 2.18 of Day"; exit 1 ;;
        esac""",
    )
    assert report_on("tlc").chosen == ToolCopy(jar, "jar", "2.18")
    elsewhere = machine.root / "tla2tools.jar"
    elsewhere.touch()
    monkeypatch.setenv("CLASSPATH", f".:{elsewhere}")
    assert report_on("tlc").places[0] == ToolCopy(elsewhere, "CLASSPATH", problem="is no TLC")
    assert [place.path for place in report_on("tlc").places] == [elsewhere, jar]
    assert report_on("tlc").chosen is None  # it is the one that would be taken
    monkeypatch.delenv("CLASSPATH")
    private = machine.root / "cache/cseq/engines/tlc-2.18/tla2tools.jar"
    private.parent.mkdir(parents=True)
    private.touch()
    assert [place.where for place in report_on("tlc").places] == ["jar", "private copy"]


def test_tlc_that_the_user_names(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    named = machine.tool("mytlc", "echo 'Version 2.19 of Day'; exit 1")
    monkeypatch.setenv("CSEQ_TLC", "mytlc")
    assert report_on("tlc").chosen == ToolCopy(named, "CSEQ_TLC", "2.19")
    monkeypatch.setenv("CSEQ_TLC", "nothing")
    assert report_on("tlc").places == ()


def test_render() -> None:
    private = ToolCopy(Path("/engines/6"), "private copy", "6.6.0")
    reports = [
        ToolReport("cbmc", "checks", (ToolCopy(Path("/old"), "PATH", "5.11"), private), chosen=private),
        ToolReport("minisat", "solves", (place := ToolCopy(Path("/bin/minisat"), "PATH"),), chosen=place),
        ToolReport("z3", "solves", install="apt-get install z3"),
        ToolReport("spin", "explores", (ToolCopy(Path("/bin/spin"), "PATH", problem="crashed"),), install="try again"),
    ]
    assert render(reports) == dedent("""\
        cbmc     6.6.0     checks
                           /old (PATH, 5.11)
                           /engines/6 (private copy)
        minisat  found     solves
                           /bin/minisat (PATH)
        z3       missing   solves
                           to install: apt-get install z3
        spin     unusable  explores
                           /bin/spin (PATH, crashed)
                           to install: try again""")
    assert render([]) == ""


HOOKED = """\
case " $* " in
  *-dM*) printf '#define __GNUC__ 12\\n#define __GNUC_MINOR__ 2\\n#define __GNUC_PATCHLEVEL__ 0\\n' ;;
  *-fsanitize=thread*) %s ;;
esac"""


def test_compiler_with_hooks(machine: Machine) -> None:
    path = machine.tool("g++", HOOKED % "echo __tsan_volatile_read4")
    report = report_on("compiled")
    assert report.chosen == ToolCopy(path, "PATH", "gcc 12.2.0")


def test_compiler_without_hooks(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    path = machine.tool("g++", HOOKED % "exit 1")
    assert report_on("compiled").places == (ToolCopy(path, "PATH", problem="no -fsanitize=thread"),)
    monkeypatch.setenv("CSEQ_CXX", "missing-c++")
    assert report_on("compiled").places == (
        ToolCopy(Path("missing-c++"), "CSEQ_CXX", problem="cannot be called by cseq-c++"),
    )
    assert report_on("compiled").chosen is None
