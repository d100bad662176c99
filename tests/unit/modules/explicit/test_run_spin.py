"""What is asked of SPIN, and what is made of several of its answers; SPIN itself is not needed."""

import os
import subprocess
from pathlib import Path

import pytest

from cseq.backends.spin import PanOutput
from cseq.c.preprocess import compiler
from cseq.model.errors import BackendError, UsageError
from cseq.model.origin import LineMap
from cseq.modules.explicit import run_spin as spinner
from cseq.modules.explicit.run_spin import SpinRun, state_size
from cseq.pipeline.stage import Context, Unit


@pytest.fixture
def compiled(tmp_path: Path):
    """The object file of a C text."""

    def run(text: str, *options: str) -> Path:
        source, target = tmp_path / "steps.c", tmp_path / "steps.o"
        source.write_text(text)
        subprocess.run([compiler(), *options, "-c", str(source), "-o", str(target)], check=True)
        return target

    return run


@pytest.mark.engine
@pytest.mark.parametrize("size", [1, 24, 4096])
def test_the_size_of_the_state_is_that_of_its_section(compiled, size: int) -> None:
    state = f'__attribute__((section("cseq_state"))) char state[{size}] = "x";'
    assert state_size(compiled(f'char other[9] = "x"; {state} int f(void) {{ return 1; }}')) == size


@pytest.mark.engine
def test_a_program_without_a_state(compiled) -> None:
    with pytest.raises(BackendError, match="the step program has no state"):
        state_size(compiled("int x;"))


def test_a_file_of_another_format(tmp_path: Path) -> None:
    (tmp_path / "a.o").write_bytes(b"\x7fELF\x01\x01" + bytes(90))
    with pytest.raises(BackendError, match="ELF for 64 bits"):
        state_size(tmp_path / "a.o")


def test_several_cores_and_several_searches_do_not_go_together() -> None:
    with pytest.raises(UsageError, match="--cores and --swarm cannot be combined"):
        SpinRun.settle({"cores": 2, "swarm": 4}, ["cores", "swarm"])
    SpinRun.settle({"cores": 1, "swarm": 4}, ["swarm"])
    SpinRun.settle({"cores": 2, "swarm": None}, ["cores"])


def test_numbers_of_several_searches_are_summed_but_for_those_of_one_state() -> None:
    first = {"states": 10.0, "depth": 7.0, "memory": 100.0, "seconds": 1.0}
    second = {"states": 5.0, "depth": 9.0, "memory": 80.0, "coverage": 3.0}
    assert spinner._summed([first, second]) == {
        "states": 15.0, "depth": 9.0, "memory": 100.0, "seconds": 1.0, "coverage": 3.0,
    }  # fmt: skip
    assert spinner._summed([]) == {}


def test_notes_are_found_by_their_first_word() -> None:
    notes = ("cut cut.loop 2", "options 12", "cutting x", "options 40", "coarse")
    assert spinner._texts(notes, "cut") == ["cut.loop 2"]
    assert spinner._texts(notes, "coarse") == [""]
    assert spinner._options(PanOutput("unknown", notes=notes)) == 40
    assert spinner._options(PanOutput("safe")) == 0


@pytest.mark.parametrize(
    ("memory", "searches", "bits"),
    [(None, None, 30), (None, 8, 30), (512, None, 30), (64, None, 28), (8, None, 25), (1, None, 23), (64, 2, 27)],
)
def test_tables_in_which_states_are_marked_take_half_of_the_memory(
    memory: int | None, searches: int | None, bits: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 4)
    assert spinner._table(memory, searches) == bits
    assert memory is None or (searches or 1) * 2**bits / 8 <= max(memory, 2) * 2**20 / 2


def test_without_spin_nothing_is_tried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spinner.spin, "find", lambda: None)
    with pytest.raises(BackendError, match="the backend `spin` is not installed"):
        SpinRun(Context({}, tmp_path)).run(Unit(text="", linemap=LineMap([])))
