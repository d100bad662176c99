"""Every engine, every property and every report once: any two that go together do so in one of these runs.

Each run is a command line, on a program of which there are two versions: a buggy one (`-DBUG`), and its repaired twin.
"""

import json
import re
import shlex
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from cseq.backends import spin, tlc
from cseq.backends.registry import backend
from cseq.c.preprocess import compiler as c_compiler
from cseq.cli.main import main
from tests.support import jsonschema_check, sarif_check, witness_format
from tests.support.checkout import ROOT
from tests.support.pairwise import cover

pytestmark = pytest.mark.smoke

CONFORMANCE = ROOT / "tests" / "programs" / "conformance"


@dataclass(frozen=True)
class Property:
    """What is asked of a program. options: that ask it. bounds: enough for a proof by an engine that has rounds.

    program: one file that includes none beside it. mark: at the end of the lines that violate it.
    """

    program: Path
    options: str
    bounds: str
    mark: str


PROPERTIES = {
    "unreach-call": Property(CONFORMANCE / "threads" / "mutex_lock.c", "", "--rounds 2", "// FAIL"),
    "no-deadlock": Property(CONFORMANCE / "deadlock" / "mutex_order.c", "--deadlock", "--rounds 7", "// DEADLOCK"),
    "no-data-race": Property(CONFORMANCE / "race" / "section.c", "--race", "--rounds 5", "// RACE"),
    "valid-memsafety": Property(
        CONFORMANCE / "memsafety" / "use_after_free.c", "--memsafety", "--rounds 6 --unwind 2", "// FAIL"
    ),
    "no-overflow": Property(CONFORMANCE / "overflow" / "addition.c", "--overflow", "--rounds 3", "// FAIL"),
    "termination": Property(Path(__file__).parent / "terminates.c", "--termination", "", ""),
}

SYMBOLIC = ("unreach-call", "no-deadlock", "no-data-race")
MEMORY = (*SYMBOLIC, "valid-memsafety", "no-overflow")
ENGINES = {
    "auto": (*MEMORY, "termination"),
    "native": MEMORY,
    "spin": (*MEMORY, "termination"),
    "cbmc": MEMORY,
    "esbmc": SYMBOLIC,
    "tlc": ("unreach-call", "no-deadlock", "termination"),
    "compiled": SYMBOLIC,
}
"""The engines that find violations, and of which properties."""

PROVING = {**ENGINES, "horn": ("unreach-call",)}
BOUNDED = ("cbmc", "esbmc")
REPORTS = ("text", "explanation", "json", "sarif", "page", "witness", "reproducer")


@dataclass(frozen=True)
class Run:
    """A command line."""

    engine: str
    property: str
    report: str

    def __str__(self) -> str:
        return f"{self.engine}-{self.property}-{self.report}"

    @property
    def parts(self) -> frozenset[str]:
        """What comes together in the run."""
        return frozenset((self.engine, self.property, self.report))

    @property
    def asked(self) -> Property:
        return PROPERTIES[self.property]

    def words(self, *more: str) -> list[str]:
        """The command line for the program, which is in the current folder."""
        only = [] if self.engine == "compiled" else ["--only", self.property]
        bounds = self.asked.bounds if self.engine in BOUNDED else ""
        options = shlex.split(f"{self.asked.options} {bounds}")
        return ["-b", self.engine, *options, *only, *more, self.asked.program.name]


def runs(reports: tuple[str, ...], engines: dict[str, tuple[str, ...]]) -> list[Run]:
    """Runs in which any two of an engine, a property and a report come together that do so in one."""
    everything = [Run(engine, asked, report) for engine in engines for asked in engines[engine] for report in reports]
    return cover([each for each in everything if is_made(each)], lambda each: each.parts)


def is_made(run: Run) -> bool:
    """Whether there is such a report: witnesses say nothing of deadlocks, and an infinite execution has no program."""
    shown = {"reproducer": SYMBOLIC, "witness": set(MEMORY) - {"no-deadlock"}}.get(run.report, PROPERTIES)
    return run.property in shown and (run.engine != "compiled" or run.report not in ("reproducer", "witness"))


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with all of the programs."""
    for asked in PROPERTIES.values():
        shutil.copy(asked.program, tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def skip_without(engine: str) -> None:
    if engine in ("auto", "native", "compiled", "horn"):
        return
    find = {"spin": spin.find, "tlc": lambda: tlc.java() and tlc.find()}.get(engine) or backend(engine).find
    if find() is None:
        pytest.skip(f"{engine} is not installed")


def marked(asked: Property) -> set[int]:
    """The numbers of the lines at which the property is violated."""
    lines = asked.program.read_text(encoding="utf-8").splitlines()
    return {number for number, line in enumerate(lines, 1) if asked.mark and line.endswith(asked.mark)}


def places(text: str, asked: Property) -> set[int]:
    """The lines of the program that a text names."""
    return {int(number) for number in re.findall(rf"{re.escape(asked.program.name)}:(\d+)", text)}


WORDS = {
    "text": ["--cex"],
    "explanation": ["--explain"],
    "json": ["--json"],
    "sarif": ["--sarif"],
    "page": ["--html", "page.html"],
    "witness": ["--witness", "witness.yml"],
    "reproducer": ["--reproducer", "again.c"],
}


@pytest.mark.parametrize("run", runs(REPORTS, ENGINES), ids=str)
def test_the_bug_is_found_and_reported(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    skip_without(run.engine)
    assert main(run.words("-D", "BUG", *WORDS[run.report])) == 1, capsys.readouterr()
    printed = capsys.readouterr().out
    lines = marked(run.asked)
    if run.report == "json":
        report = json.loads(printed)
        jsonschema_check.check_schema(report)
        assert report["verdict"] == "FALSE" and report["counterexample"]["steps"]
        assert not lines or report["property"]["line"] in lines
    elif run.report == "sarif":
        log = json.loads(printed)
        sarif_check.check_schema(log)
        (place,) = log["runs"][0]["results"][0]["locations"]
        assert not lines or place["physicalLocation"]["region"]["startLine"] in lines
    else:
        assert printed.startswith("FALSE: ")
        assert not lines or places(printed, run.asked) & lines
    if run.report == "text":
        assert "thread" in printed and len(printed.splitlines()) > 5
    elif run.report == "explanation":
        assert len(printed.split()) > 20
    elif run.report == "page":
        page = Path("page.html").read_text(encoding="utf-8")
        assert page.startswith("<!DOCTYPE html>") and run.asked.program.name in page
    elif run.report == "witness":
        witness_format.check_violation(witness_format.read(Path("witness.yml").read_text(encoding="utf-8")), Path())
    elif run.report == "reproducer":
        flags = ["-fsanitize=thread"] if run.property == "no-data-race" else []
        subprocess.run([c_compiler(), "-g", "-pthread", *flags, "again.c", "-o", "again"], check=True)
        again = subprocess.run(["./again"], capture_output=True, text=True, timeout=60, check=False)
        assert again.returncode != 0 and places(again.stderr, run.asked) & lines, again.stderr


@pytest.mark.parametrize("run", runs(("text", "json", "sarif", "explanation"), PROVING), ids=str)
def test_nothing_is_found_in_the_repaired_twin(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    skip_without(run.engine)
    few = ["--time", "1"] if run.engine == "compiled" else []
    assert main(run.words(*few, *WORDS[run.report])) == 0, capsys.readouterr()
    printed = capsys.readouterr().out
    expected = "UNKNOWN" if run.engine == "compiled" else "TRUE"
    if run.report == "json":
        report = json.loads(printed)
        jsonschema_check.check_schema(report)
        assert report["verdict"] == expected and report["counterexample"] is None
    elif run.report == "sarif":
        log = json.loads(printed)
        sarif_check.check_schema(log)
        assert log["runs"][0]["results"] == []
    else:
        assert printed.startswith(f"{expected}: ")


def test_of_a_compiled_program_there_is_no_reproducer(capsys: pytest.CaptureFixture[str]) -> None:
    run = Run("compiled", "unreach-call", "reproducer")
    assert main(run.words("-D", "BUG", *WORDS[run.report])) == 1
    assert "--reproducer: nothing is written: " in capsys.readouterr().err
    assert not Path("again.c").exists()


def test_enough_is_run() -> None:
    found, proved = runs(REPORTS, ENGINES), runs(("text", "json", "sarif", "explanation"), PROVING)
    assert {each.engine for each in proved} == PROVING.keys()
    assert {each.property for each in found} == PROPERTIES.keys()
    assert {each.report for each in found} == set(REPORTS)
    assert 60 <= len(found) + len(proved) <= 110
