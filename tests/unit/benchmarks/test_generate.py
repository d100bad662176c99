"""The generated programs: what the benchmark claims of them, and that compiler and translation accept them."""

import json
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from benchmarks.translation.generate import program
from cseq.api import Functions, run
from cseq.pipeline.chain import load
from cseq.portfolio.families import Configuration
from tests.support.checkout import ROOT

SIZES = [(1, 10, 1), (3, 10, 2), (10, 10, 1), (4, 60, 3), (2, 150, 4)]


def _statements(text: str) -> list[int]:
    """The number of statements of each thread."""
    bodies = re.findall(r"^void \*worker_\d+\(void \*arg\)\n\{\n(.*?)^\}", text, re.MULTILINE | re.DOTALL)
    code = [body.split("(void)arg;\n")[1].splitlines() for body in bodies]
    return [sum(line.strip() not in ("}", "} else {") for line in lines) for lines in code]


def test_same_arguments_give_the_same_program() -> None:
    assert program(3, 40, seed=7) == program(3, 40, seed=7)
    assert program(3, 40, seed=7) != program(3, 40, seed=8)


@pytest.mark.parametrize(("threads", "statements", "seed"), SIZES)
def test_size_is_as_asked(threads: int, statements: int, seed: int) -> None:
    assert _statements(program(threads, statements, seed)) == [statements] * threads


def test_large_programs_have_a_bit_of_everything() -> None:
    text = program(10, 100)
    for part in ("if (", "} else {", "for (", "while (", "pthread_mutex_lock(", "? ", " && ", " || ", "++;", "slot["):
        assert part in text


@pytest.mark.parametrize(("threads", "statements"), [(0, 100), (10, 9)])
def test_impossible_sizes_are_refused(threads: int, statements: int) -> None:
    with pytest.raises(ValueError, match="at least"):
        program(threads, statements)


@pytest.mark.engine
@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")
@pytest.mark.parametrize(("threads", "statements", "seed"), SIZES)
def test_compiles_and_runs_to_its_end(threads: int, statements: int, seed: int, tmp_path: Path) -> None:
    source, binary = tmp_path / "program.c", tmp_path / "program"
    source.write_text(program(threads, statements, seed), encoding="utf-8")
    warnings = ["-Wall", "-Wextra", "-Wno-unused-but-set-variable", "-Werror"]
    subprocess.run(["cc", *warnings, "-pthread", "-o", str(binary), str(source)], check=True, timeout=60)
    assert subprocess.run([str(binary)], check=False, timeout=60).returncode == 0


@pytest.mark.parametrize(("threads", "statements", "seed"), SIZES)
def test_is_translated(threads: int, statements: int, seed: int, tmp_path: Path) -> None:
    source = tmp_path / "program.c"
    source.write_text(program(threads, statements, seed), encoding="utf-8")
    chain = load("lazy")

    def until_instrumenter(name: str, value: Any) -> Any:
        return None if name == "instrumenter" else value

    unit = run(
        Configuration(chain, chain.values({"unwind": 4, "rounds": 2})),
        [source],
        observer=Functions(made=until_instrumenter),
        printing=True,
    )
    assert all(f"worker_{number}" in unit.text for number in range(threads))


@pytest.mark.engine
def test_stages_are_timed_up_to_the_instrumenter(tmp_path: Path) -> None:
    source = tmp_path / "program.c"
    source.write_text(program(2, 10), encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "benchmarks.translation.stages",
        str(source),
        repr(time.perf_counter()),
        "unwind=4",
        "rounds=2",
    ]
    answer = json.loads(subprocess.run(command, cwd=ROOT, check=True, capture_output=True, timeout=60).stdout)
    chain = load("lazy")
    names = [name for name, _ in chain.chosen(chain.values({}))]
    assert list(answer["stages"]) == names[: names.index("instrumenter") + 1]
    assert answer["start"] > 0
