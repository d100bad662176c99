"""Solvers of Horn clauses, which are declared in files."""

from pathlib import Path

import pytest

from cseq.model.errors import UsageError
from cseq.modules.deductive.horn import solvers
from cseq.modules.deductive.horn.models import Model

pytestmark = pytest.mark.engine

LOOP = """
(set-logic HORN)
(declare-fun P (Int) Bool)
(assert (P 0))
(assert (forall ((x Int)) (=> (and (P x) (< x 10)) (P (+ x 1)))))
(assert (forall ((x Int)) (=> (and (P x) (> x {bound})) false)))
(check-sat)
(get-model)
"""


def test_z3_finds_an_invariant_or_that_there_is_none() -> None:
    answer = solvers.load("z3").solve(LOOP.format(bound=10), 0, 60)
    assert answer.status == "sat"
    assert Model.read(answer.text).applied("P", ["x"]) == "(not (>= x 11))"
    assert solvers.load("z3").solve(LOOP.format(bound=9), 0, 60).status == "unsat"


def test_what_is_no_answer_is_unknown_with_what_was_said() -> None:
    answer = solvers.load("z3").solve("(nonsense)", 0, 60)
    assert (answer.status, "unsupported" in answer.reason or "error" in answer.reason) == ("unknown", True)


def test_a_solver_of_ones_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "solver.sh"
    program.write_text('#!/bin/sh\necho "$1 seconds"; echo Answer: no\n', encoding="utf-8")
    program.chmod(0o755)
    declaration = tmp_path / "mine.toml"
    text = 'programs = ["none"]\ncommands = [["{seconds}", "{file}"]]\nsat = "^Answer: yes$"\nunsat = "^Answer: no$"\n'
    declaration.write_text(text, encoding="utf-8")
    solver = solvers.load(str(declaration))
    with pytest.raises(UsageError, match="the solver mine is not installed: there is no none"):
        solver.solve("", 0, 5)
    monkeypatch.setenv("CSEQ_MINE", str(program))
    assert solver.solve("", 0, 5).status == "unsat"


@pytest.mark.parametrize(
    "text", ["sat = 1", "commands = []", 'programs = ["a"]\ncommands = [["x"]]\nsat = "("\nunsat = "n"']
)
def test_a_wrong_declaration_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "wrong.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match="not the declaration of a solver"):
        solvers.load(str(path))


def test_an_unknown_solver_is_refused() -> None:
    with pytest.raises(UsageError, match="there is no solver none: there are z3"):
        solvers.load("none")
