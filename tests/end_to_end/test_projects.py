"""A CMake project of three files, whose tests are checked as its compilation database and ctest describe them."""

import os
import shutil
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest

from cseq.cli.main import main
from tests.support.checkout import ROOT

pytestmark = pytest.mark.skipif(shutil.which("cmake") is None, reason="cmake is not installed")

PROJECT = ROOT / "tests" / "end_to_end" / "stock"
VIOLATED = "FALSE    together  assertion `left() >= 0` is violated at sell_test.c:20 in main"
PROVED = [f"TRUE     {name}  no violation in any execution" for name in ("alone   ", "empty   ", "together")]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the project, which is the current folder, configured with the bug and without it, and not built."""
    folder = tmp_path / "stock"
    shutil.copytree(PROJECT, folder)
    monkeypatch.chdir(folder)
    for build, repaired in (("buggy", "OFF"), ("repaired", "ON")):
        words = ["cmake", "-S", ".", "-B", build, f"-DREPAIRED={repaired}"]
        subprocess.run(words, check=True, capture_output=True)
    return folder


def say(capfd: pytest.CaptureFixture[str], build: str, *words: str) -> tuple[int, list[str], str]:
    """The exit status of a check of *build*, the lines without the summary, in order, and the errors."""
    status = main(["check", "--project", f"{build}/compile_commands.json", *words])
    out, err = capfd.readouterr()
    return status, sorted(line for line in out.splitlines() if not line.startswith("3 programs:")), err


def test_each_test_is_a_program_and_an_unchanged_one_is_not_checked_again(
    project: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    junit = project / "results.xml"
    assert say(capfd, "buggy", "--junit", str(junit)) == (1, [VIOLATED, *PROVED[:2]], "")
    cases = {case.get("name"): [part.tag for part in case] for case in ElementTree.parse(junit).iter("testcase")}
    assert cases == {"together": ["failure"], "alone": [], "empty": []}
    assert say(capfd, "repaired") == (0, PROVED, "")

    # Neither a compiler, nor ctest, nor an engine, nor anything else is started.
    def refuse(*words: object, **_: object) -> None:
        raise AssertionError(f"a process is started: {words}")

    with monkeypatch.context() as strict:
        for owner, name in ((subprocess.Popen, "__init__"), (os, "fork"), (os, "posix_spawn")):
            strict.setattr(owner, name, refuse)
        assert say(capfd, "buggy") == (1, [f"{line} (unchanged)" for line in (VIOLATED, *PROVED[:2])], "")
        assert say(capfd, "repaired") == (0, [f"{line} (unchanged)" for line in PROVED], "")

    # Only what the change concerns is checked again.
    source = project / "empty_test.c"
    source.write_text(source.read_text() + "int more;\n")
    lines = [f"{VIOLATED} (unchanged)", f"{PROVED[0]} (unchanged)", PROVED[1]]
    assert say(capfd, "buggy") == (1, lines, "")
