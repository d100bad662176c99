"""The benchmark on proofs without bounds: its programs, and what its answers mean."""

from pathlib import Path

import pytest

from benchmarks.field.tools import Task
from benchmarks.proofs import run
from benchmarks.proofs.run import Proved, asked, each, median, pairs, rung, rungs

TRIES = [
    {"kind": "modular", "arithmetic": "exact", "method": "horn", "end": "refuted"},
    {"kind": "pairs", "arithmetic": "exact", "method": "horn", "end": "proved"},
]


def task(name: str, expected: str = "TRUE") -> Task:
    return Task("suite", name, Path(f"{name}.c"), "assertion", expected, 64)


def test_the_pairs_are_complete_and_a_bug_has_a_mark() -> None:
    found = {task.name: task for task in pairs()}
    assert {path.stem for path in run.PAIRS.glob("*.c")} == set(found)
    names = {name.rsplit("_", 1)[0] for name in found}
    assert set(found) == {f"{name}_{twin}" for name in names for twin in ("bad", "good")}
    assert len(names) >= 40
    for name, each_task in found.items():
        marked = each_task.file.read_text().count("// FAIL\n")
        assert (each_task.expected, marked) == (("FALSE", 1) if name.endswith("_bad") else ("TRUE", 0)), name


def test_the_table_of_pairs_names_each() -> None:
    lines = (run.PAIRS / "README.md").read_text().splitlines()
    named = {line.split("`")[1] for line in lines if line.startswith("| `")}
    assert named == {task.name.rsplit("_", 1)[0] for task in pairs()}


def test_the_rung_is_that_of_the_attempt_that_proved_it() -> None:
    assert rung({"verdict": "TRUE", "tries": TRIES}) == "pairs exact horn"
    assert rung({"verdict": "TRUE", "tries": []}) == ""  # the search of another family
    assert rung({"verdict": "UNKNOWN", "tries": TRIES[:1]}) == ""


def test_one_wrong_answer_among_several_is_not_outvoted() -> None:
    right = [Proved("TRUE", "", cpu, cpu) for cpu in (3.0, 1.0, 2.0)]
    assert median(right).cpu == 2.0
    assert median([*right, Proved("FALSE", "", 9.0, 9.0)]).verdict == "FALSE"


def test_answers_are_kept_and_not_asked_for_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []

    def ask(task: Task, way: str, limit: float, more: object = ()) -> Proved:
        calls.append((task.name, way, limit))
        return Proved("TRUE", "", 1.0, 2.0, "horn", "modular exact horn")

    monkeypatch.setattr(run, "ask", ask)
    results = tmp_path / "results.jsonl"
    first = list(asked([task("one")], ["horn", "auto"], 5.0, 2, results))
    assert calls == [("one", "horn", 5.0)] * 2 + [("one", "auto", 5.0)] * 2
    assert list(asked([task("one")], ["horn", "auto"], 5.0, 2, results)) == first
    assert len(calls) == 4


def test_the_tables_say_what_proved_what() -> None:
    rows = [
        (task("one"), "horn", Proved("TRUE", "", 1.0, 1.0, "horn", "modular exact horn")),
        (task("two"), "horn", Proved("TRUE", "", 3.0, 3.0, "horn", "modular exact horn")),
        (task("one"), "auto", Proved("UNKNOWN", "out of time", 9.0, 9.0)),
        (task("wrong", "FALSE"), "horn", Proved("TRUE", "", 5.0, 5.0, "horn", "pairs exact horn")),
    ]
    assert "| horn | horn | modular exact horn | 2 | 2.00 | 3.00 |" in rungs(rows)
    assert "pairs" not in rungs(rows)  # a wrong proof is none
    assert "| `suite/one` | TRUE | TRUE 1.00 | UNKNOWN 9.00 | modular exact horn |" in each(rows[::2], ["horn", "auto"])
