"""The contracts of the intermediate representation on some programs of the suite (see lowering.py, which takes all)."""

import pytest

from cseq.modules.ir import emit
from tests.differential.lowering import problems, programs, units

LEFT_OUT = ("getenv_only_set",)
"""What is the same throughout an execution is read there beside another access; no thread writes it."""

SAMPLE = [path for path in programs() if path.stem not in LEFT_OUT][7::24]


@pytest.mark.parametrize("path", SAMPLE, ids=lambda path: path.stem)
def test_programs_keep_the_contracts_behind_each_stage(path, tmp_path):
    found = [f"behind the {stage}: {problem}" for stage, unit, context in units(path, tmp_path)
             for problem in problems(unit, context)]  # fmt: skip
    assert found == []


@pytest.mark.parametrize("asked", ["no-data-race", "valid-memsafety"])
def test_programs_of_the_explicit_chain_keep_the_contracts(asked, tmp_path):
    found = [f"{path.stem} behind the {stage}: {problem}" for path in SAMPLE[::5]
             for stage, unit, context in units(path, tmp_path, "explicit", asked)
             for problem in problems(unit, context)]  # fmt: skip
    assert found == []


def test_most_programs_of_the_sample_are_translated(tmp_path):
    assert sum(1 for path in SAMPLE[::5] if any(True for _ in units(path, tmp_path))) >= 6


def test_the_contract_sees_a_change(tmp_path, monkeypatch):
    """A statement that is emitted as another one is found."""
    *_, (_, unit, context) = units(SAMPLE[0], tmp_path)
    assert list(problems(unit, context)) == []
    monkeypatch.setitem(emit._Writer._METHODS, emit.ir.Assign, emit._Writer._METHODS[emit.ir.Stop])
    assert any(problem.startswith("(b)") for problem in problems(unit, context))
