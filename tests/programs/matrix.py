"""The conformance programs: what they are about, how they are run, and the matrix that they make.

A file is a buggy program and its repaired twin at once: `BUG` is defined for the buggy one. ``twins.h`` has macros
for lines that differ, ``program.h`` the headers of most programs, ``one_thread.h`` and ``two_threads.h`` the ``main``
of many. The first comment has the title of the row, which is the construct or the functions that it is about, and the
options of the run; the line that fails ends in ``// FAIL``, or, in ``deadlock/``, each at which a thread is stuck in
``// DEADLOCK``, and in ``race/`` each that can be one side of a race in ``// RACE``; there the rounds are enough to
prove that the twin has none. A file in ``refused/`` has a line that ends in ``// REFUSED: words``, which are part of
the message.

Most programs that misuse the thread library are in no file: `misuses.py` makes them. `variants.py` makes those that
differ from others in a call or a statement.

``make support`` writes docs/support.md.
"""

import re
import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from zlib import crc32

from cseq.api import run
from cseq.cli.options import read
from cseq.cli.request import Request
from cseq.model.verdict import Outcome
from cseq.modules.library import stubs
from cseq.pipeline.chain import Chain, load
from cseq.report.violations import claim
from tests.programs.misuses import bare, kind_of, misuses, parameters, program
from tests.programs.variants import variants
from tests.support.checkout import ROOT

HERE = ROOT / "tests" / "programs" / "conformance"
MATRIX = ROOT / "docs" / "support.md"

AREAS = {
    "language": "The language",
    "gnu": "GNU C",
    "threads": "POSIX threads",
    "c11": "C11 threads and atomics",
    "library": "The C library",
    "memsafety": "Memory safety",
    "overflow": "Arithmetic",
    "deadlock": "Deadlocks",
    "race": "Data races",
    "refused": "Refused",
}

_HEADER = re.compile(r"/\* (?P<title>[^\n]+)\n \* (?P<options>--[^\n]*)\n", re.MULTILINE)
_REFUSED = re.compile(r"// REFUSED: (.+)$", re.MULTILINE)
_ONLY = {
    option: ["--spec", str(ROOT / "sv-benchmarks" / "properties" / f"{name}.prp")]
    for option, name in {
        "--deadlock": "no-deadlock",
        "--race": "no-data-race",
        "--memsafety": "valid-memsafety",
        "--overflow": "no-overflow",
    }.items()
}


@dataclass(frozen=True)
class Program:
    """One file, or the *text* of what is in none. refused: the words of the refusal, for what is not supported.

    group: what programs that are made have in common: all are made from one template, for one type of objects.
    """

    path: Path
    title: str
    options: tuple[str, ...]
    refused: str | None = None
    text: str = ""
    group: str = ""

    @property
    def name(self) -> str:
        """``area/name``."""
        return str(self.path.relative_to(HERE).with_suffix(""))

    @property
    def area(self) -> str:
        """The folder that it is in."""
        return self.path.parent.name

    def lines(self, mark: str) -> list[int]:
        """The numbers of the lines with *mark* at their ends."""
        lines = (self.text or self.path.read_text(encoding="utf-8")).splitlines()
        return [number for number, line in enumerate(lines, 1) if mark in line]

    def line(self, mark: str) -> int:
        """The number of the line with *mark* at its end."""
        found = self.lines(mark)
        assert len(found) == 1, f"{self.path} has {len(found)} lines with {mark}"
        return found[0]

    def run(self, *words: str) -> Outcome:
        """Check the program, with *words* added to its options; the one property that it is about, if it says so."""
        chain = load("lazy")
        if not self.text:
            return self._run(chain, self.path, *words)
        with TemporaryDirectory() as folder:
            path = Path(folder) / self.path.name
            path.write_text(self.text, encoding="utf-8")
            return self._run(chain, path, *words)

    def run_unbounded(self, backend: str, *words: str) -> Outcome:
        """Check the program, which is in a file, with an engine that has no rounds."""
        options = list(self.options)
        if "--rounds" in options:
            at = options.index("--rounds")
            del options[at : at + 2]
        return self._run(None, self.path, "--backend", backend, *words, options=options)

    def _run(self, chain: Chain | None, path: Path, *words: str, options: Sequence[str] | None = None) -> Outcome:
        given = self.options if options is None else options
        task = read(chain, [*(word for option in given for word in _ONLY.get(option, [option])), *words, str(path)])
        assert isinstance(task, Request)
        outcome: Any = run(task.way, task.files)
        assert isinstance(outcome, Outcome)
        return outcome


@cache
def programs() -> list[Program]:
    """All of them, area by area, in the order of their titles."""
    found = [*(_read(path) for area in AREAS for path in (HERE / area).glob("*.c")), *_varied(), *made()]
    order = list(AREAS)
    return sorted(found, key=lambda each: (order.index(each.area), each.title.lower(), each.name))


def _varied() -> list[Program]:
    """Those that are the like of others, but for a call; they belong to every sample."""
    return [
        Program(HERE / f"{each.name}.c", each.title, tuple(shlex.split(each.options)), text=each.text)
        for each in variants()
    ]


@cache
def made() -> list[Program]:
    """Those that misuse the thread library, and are in no file."""
    found = []
    for misuse in misuses():
        text = program(misuse)
        if text is not None:
            area = "c11" if stubs.prototypes()[misuse.function] == "threads.h" else "threads"
            path = HERE / area / f"{misuse.function}_{misuse.subject}_{misuse.reason}.c"
            rounds = 2 if re.search(r"\b(pthread|thrd)_create\(", text) else 1
            group = f"{kind_of(misuse)} {bare(parameters(misuse.function)[0][0])}"
            found.append(Program(path, claim(misuse), ("--rounds", str(rounds)), None, text, group))
    return found


def sampled(found: list[Program]) -> list[Program]:
    """Of the programs that are made, one for each template and each type of objects; and all others."""
    groups: dict[str, list[Program]] = {}
    for each in found:
        groups.setdefault(each.group, []).append(each)
    files = groups.pop("", [])
    return [*files, *(min(each, key=lambda one: crc32(one.name.encode())) for each in groups.values())]


def _read(path: Path) -> Program:
    text = path.read_text(encoding="utf-8")
    refused = _REFUSED.search(text)
    header = _HEADER.match(text)
    if header is None and refused is not None:
        title = text.partition("\n")[0].removeprefix("/*").removesuffix("*/").strip()
        return Program(path, title, (), refused.group(1).strip())
    assert header is not None, f"{path} does not begin with its title and its options"
    options = tuple(shlex.split(header["options"].removesuffix("*/")))
    return Program(path, header["title"].strip(), options, refused.group(1).strip() if refused else None)


def matrix() -> str:
    """The text of docs/support.md."""
    lines = [
        "# What is supported",
        "",
        "Made from `tests/programs/conformance/` by `make support`; do not edit. Each row is a program of",
        "which there are two versions: one with a bug that CSeq finds at the right line (`FALSE`), and a twin in which",
        "it finds none. `tests/programs/test_conformance.py` runs both on every change, so no row says more than what",
        "was seen. Of the programs that are made (from the headers and the table of primitives), one of each kind is",
        "run on every change, and all of them by `make test-all`.",
        "",
    ]
    everything = programs()
    for area, heading in AREAS.items():
        rows = [program for program in everything if program.area == area]
        if not rows:
            continue
        lines += [f"## {heading}", ""]
        if area == "refused":
            lines += ["| construct or function | is refused with | program |", "|---|---|---|"]
            lines += [f"| {p.title} | {_cell(p.refused or '')} | {_link(p)} |" for p in rows]
        else:
            lines += [
                "| construct or functions | with the bug | the twin | options | program |",
                "|---|---|---|---|---|",
            ]
            lines += [f"| {p.title} | FALSE | no violation | `{shlex.join(p.options)}` | {_link(p)} |" for p in rows]
        lines.append("")
    return "\n".join(lines)


def _link(program: Program) -> str:
    if program.text:
        return f"[made](../tests/programs/{'misuses' if program.group else 'variants'}.py)"
    return f"[{program.path.stem}](../tests/programs/conformance/{program.name}.c)"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    MATRIX.write_text(matrix(), encoding="utf-8")
    print(f"{len(programs())} rows in {MATRIX.relative_to(ROOT)}", file=sys.stderr)
