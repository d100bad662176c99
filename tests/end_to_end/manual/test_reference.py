"""The reference of all options: it is current, and nothing is missing from it."""

import re
import subprocess
import sys

import pytest

from docs import reference
from tests.support.checkout import ROOT


def _help(*command: str) -> str:
    return subprocess.run([sys.executable, *command, "--help"], capture_output=True, text=True, check=True).stdout


def _section(heading: str) -> str:
    """The part of the committed page below *heading*."""
    page = (ROOT / "docs" / "options.md").read_text(encoding="utf-8")
    return page.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]


def _options(text: str) -> set[str]:
    """The options that begin lines of a help text."""
    names = [name for line in re.findall(r"^ {1,6}(-\S.*?)(?: {2}|$)", text, re.MULTILINE) for name in line.split(", ")]
    return {name.split()[0] for name in names}


def test_the_committed_page_is_current() -> None:
    committed = (ROOT / "docs" / "options.md").read_text(encoding="utf-8")
    assert committed == reference.page(), "`make reference` writes docs/options.md anew"


@pytest.mark.parametrize(
    ("heading", "command", "some"),
    [
        ("cseq", [str(ROOT / "cseq.py")], {"-i", "--input", "-D", "--32", "--rounds", "--ltl", "--sarif", "--help"}),
        ("lazy-cseq.py", [str(ROOT / "lazy-cseq.py")], {"--spec", "--64", "--misuse"}),
        ("cseq-bench", ["-m", "cseq.bench"], {"-t", "--tasks", "--walltimelimit", "--runner"}),
    ],
)
def test_each_option_of_the_help_is_on_the_page(heading: str, command: list[str], some: set[str]) -> None:
    options = _options(_help(*command))
    assert some <= options
    section = _section(heading)
    missing = {option for option in options if not re.search(rf"(?<![\w-]){re.escape(option)}(?![\w-])", section)}
    assert missing - {"--help"} == set()


def test_each_link_belongs_to_an_option() -> None:
    assert set(reference.MORE) <= _options(_help(str(ROOT / "cseq.py")))
