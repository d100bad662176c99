"""The examples of the manual: each command is run as it stands, and has to print what the page says."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from cseq.backends import tlc
from tests.support.checkout import ROOT

# Pages with commands whose output is the same on each machine, whichever engine is first.
_PAGES = (
    "README.md",
    "docs/backends.md",
    "docs/counterexamples.md",
    "docs/explicit.md",
    "docs/extending.md",
    "docs/find-a-bug.md",
    "docs/json.md",
    "docs/linemap.md",
    "docs/many-programs.md",
    "docs/prove.md",
    "docs/sv-comp.md",
    "docs/tla.md",
)

_SPIN = "--ltl"
"""What shows that a command needs SPIN."""

_TLC = "-b tlc"
"""What shows that a command needs TLC."""


def _examples(text: str) -> Iterator[tuple[str, str]]:
    """The commands of a page, and what the page says that each prints."""
    for block in re.findall(r"(?:^    .*\n|^\n(?=    ))+", text, re.MULTILINE):
        lines = [line.removeprefix("    ") for line in block.strip("\n").splitlines()]
        for example in re.split(r"^\$ ", "\n".join(lines), flags=re.MULTILINE)[1:]:
            command = re.match(r".*(?:\n> .*)*", example)
            assert command is not None
            yield command[0].replace("\n> ", "\n"), example[command.end() :].strip()


def _same(printed: str, written: str) -> bool:
    """Whether a command *printed* what the page says, but for times. Another engine may be first: then the verdict."""
    printed, written = (re.sub(r"\(\d+\.\d s\)", "(… s)", text) for text in (printed, written))
    engines = [re.findall(r"^\(by \w+\)$", text, re.MULTILINE) for text in (printed, written)]
    if engines[0] != engines[1]:
        assert all(engines), printed
        return printed.splitlines()[0] == written.splitlines()[0]
    return [line.rstrip() for line in printed.splitlines()] == [line.rstrip() for line in written.splitlines()]


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A folder like a checkout, into which the examples may write; the stage of extending.md is saved there."""
    for path in ROOT.iterdir():
        (tmp_path / path.name).symlink_to(path)
    text = (ROOT / "docs" / "extending.md").read_text(encoding="utf-8")
    stage = re.search(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert stage is not None
    (tmp_path / "unlocker.py").write_text(stage[1], encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("page", _PAGES)
def test_the_examples_of_a_page_print_what_it_says(checkout: Path, page: str) -> None:
    examples = list(_examples((ROOT / page).read_text(encoding="utf-8")))
    assert examples
    environment = {**os.environ, "COLUMNS": "80", "NO_COLOR": "1"}
    for command, written in examples:
        if _SPIN in command and shutil.which("spin") is None:
            continue
        if _TLC in command and (tlc.find() is None or tlc.java() is None):
            continue
        ran = subprocess.run(
            ["bash", "-c", command],
            cwd=checkout,
            env=environment,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        # What is known before the rest is printed at once, and again in the report: pages show the report.
        reported = ran.stdout.splitlines() if len(ran.stdout.splitlines()) > 1 else []
        beside = [line for line in ran.stderr.splitlines() if line not in reported]
        printed = (ran.stdout + "\n".join(beside)).strip()
        assert _same(printed, written), f"{page}\n$ {command}\n{printed}"
