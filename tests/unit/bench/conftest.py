"""A folder of tasks for the tests of the runner."""

import os
import sys
from pathlib import Path

import pytest
from benchexec.model import load_task_definition_file
from benchexec.result import Property
from benchexec.util import expand_filename_pattern

from cseq.bench import taskfiles
from tests.support.checkout import ROOT

TASK = """\
format_version: '2.0'
input_files: '{name}.c'
properties:
  - property_file: {prp}
    expected_verdict: {verdict}
options:
  language: C
"""


class Bench:
    """Writes tasks, whose programs are shell scripts, into a folder, and runs cseq-bench there."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.write("properties/unreach-call.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n")
        self.write("properties/valid-memsafety.prp", "CHECK( init(main()), LTL(G valid-free) )\n")

    def write(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def task(self, name: str, script: str, verdict: str = "true", prp: str = "unreach-call") -> Path:
        up = "../" * name.count("/")
        self.write(f"{name}.c", f"{script}\n")
        base = name.rpartition("/")[2]
        text = TASK.format(name=base, prp=f"{up}properties/{prp}.prp", verdict=verdict)
        return self.write(f"{name}.yml", text)

    def definition(self, body: str, attributes: str = 'timelimit="20 s"') -> str:
        self.write("b.xml", f'<benchmark tool="tests.unit.bench.fake_tool" {attributes}>{body}</benchmark>')
        return "b.xml"

    def run(self, *words: str) -> int:
        from cseq.bench.command import main

        named = any(word.endswith(".xml") for word in words)
        words = words if named else (*words, "--tool", "tests.unit.bench.fake_tool")
        return main(words)


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    monkeypatch.chdir(tmp_path)
    # What these have read is kept by its path, which means another file in another folder.
    for function in (taskfiles.fault, load_task_definition_file, expand_filename_pattern):
        function.cache_clear()
    Property._cache.clear()
    monkeypatch.syspath_prepend(str(ROOT))
    # For BenchExec, which runs as a program of its own.
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), *sys.path]))
    monkeypatch.setenv("NO_COLOR", "1")
    return Bench(tmp_path)
