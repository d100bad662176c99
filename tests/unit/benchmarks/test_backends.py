"""The comparison of the backends: what it makes of what CSeq says. No engine is asked."""

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import benchmarks.backends.run as module

Said = Callable[[str, str], tuple[int, str, str]]
"""Program and backend → exit status, standard output and standard error."""


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    engines = [module.Engine(name, name, "1.0") for name in ("cbmc", "esbmc")]
    monkeypatch.setattr(module, "installed", lambda: engines)
    return module


def report(verdict: str, line: int = 0, status: int = 0, **more: Any) -> tuple[int, str, str]:
    """What CSeq prints about ``lost_update_bad.c`` or its twin."""
    place = {"file": "lost_update_bad.c", "line": line} if verdict == "FALSE" else None
    said = {"verdict": verdict, "message": "a message", "property": place, "exit_status": status, "reason": None}
    return status, json.dumps({**said, "times": {"symbolic/run": 0.5}, **more}), ""


def right(program: str, backend: str) -> tuple[int, str, str]:
    return report("FALSE", MARKED, 1) if "_bad" in program else report("UNKNOWN", reason="bounded")


MARKED = 30
CPU = {"cbmc": 2.0, "esbmc": 8.0}


@pytest.fixture
def compared(
    script: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> Callable[..., tuple[int, str, list[str]]]:
    """Runs the script on one pair, with what CSeq says to it: the exit status, the results, and who was asked."""

    def compare(said: Said, *words: str) -> tuple[int, str, list[str]]:
        asked = []

        def run(command: Sequence[str], **_: object) -> Any:
            program, backend = next(w for w in command if w.endswith(".c")), command[command.index("--backend") + 1]
            asked.append(f"{backend} {program}")
            status, out, err = said(program, backend)
            return script.common.Run(CPU[backend] + 1, 0, status, out, err, cpu=CPU[backend])

        monkeypatch.setattr(script.common, "run", run)
        monkeypatch.setattr(script.common, "compiler", lambda: "cc")
        given = ["run.py", "--programs", "lost_update", "--output", str(tmp_path / "R.md"), *words]
        monkeypatch.setattr(sys, "argv", [*given, "--results", str(tmp_path / "kept.jsonl")])
        status = script.main()
        capsys.readouterr()
        return status, (tmp_path / "R.md").read_text(encoding="utf-8"), asked[1:]  # the first is not measured

    return compare


def test_all_programs_have_a_task_and_their_marks(script: ModuleType) -> None:
    found = list(script.tasks([], script.FOLDERS))
    assert len(found) >= 264
    assert all(task.is_safe or task.marked for task in found)
    assert {f"lost_update_bad.c:{MARKED}"} == next(t.marked for t in found if t.name == "lost_update_bad")


def test_right_verdicts_are_compared(compared: Any) -> None:
    status, text, asked = compared(right)
    assert status == 0
    assert sorted(asked) == [f"{b} lost_update_{k}.c" for b in ("cbmc", "esbmc") for k in ("bad", "good")]
    assert "Of 2 programs, 2 were given to all backends, and 2 are refused by none." in text
    assert "On 2 of these all say the same; on 0 a backend is out of time.\nWrong verdicts: none." in text
    assert "On the clock a run took 1.3 times its processor time, in the median" in text
    assert "| `lost_update_bad` | 2 | 1 | 2.00 | 8.00 | 4.00 | FALSE |  |" in text
    assert "| `lost_update_good` | 3 | 1 | 2.00 | 8.00 | 4.00 | none found |  |" in text
    assert "| all | esbmc | 2 | 2 | 0 | 0 | 0 | 8.00 | 9.00 | 0.50 | 0 | 4.00 | 4.00 | 4.00 |" in text


@pytest.mark.parametrize(
    ("program", "answer", "shown"),
    [
        ("lost_update_bad.c", report("UNKNOWN", reason="bounded"), "missed"),
        ("lost_update_bad.c", report("TRUE"), "missed"),
        ("lost_update_bad.c", report("FALSE", MARKED + 1, 1), "another failure"),
        ("lost_update_good.c", report("FALSE", MARKED, 1), "false alarm"),
    ],
)
def test_a_wrong_verdict_is_told_and_is_the_exit_status(compared: Any, program: str, answer: Any, shown: str) -> None:
    status, text, _ = compared(lambda p, b: answer if (p, b) == (program, "esbmc") else right(p, b))
    assert status == 1
    assert f"Wrong verdicts: esbmc on `{program[:-2]}` ({shown})." in text
    assert f"esbmc **{shown}**" in text
    assert "| all | esbmc | 2 | 1 | 1 | 0 | 0 |" in text


@pytest.mark.parametrize(
    ("answer", "shown", "counts"),
    [
        (report("UNKNOWN", status=3, reason="timeout"), "esbmc out of time |  |", "2 | 1 | 0 | 1 | 0"),
        (report("UNKNOWN", status=3, reason="memory"), "esbmc out of memory |  |", "2 | 1 | 0 | 0 | 1"),
        (report("UNKNOWN", status=3, reason="replay"), "esbmc not replayed | esbmc: a message |", "2 | 1 | 0 | 0 | 1"),
        ((3, "", "cseq: error: it broke"), "esbmc failed | esbmc: cseq: error: it broke |", "2 | 1 | 0 | 0 | 1"),
        ((2, "", "x.c:1: no"), "esbmc refused | esbmc: x.c:1: no |", "2 | 1 | 0 | 0 | 1"),
    ],
)
def test_no_verdict_is_not_a_wrong_one(compared: Any, answer: Any, shown: str, counts: str) -> None:
    status, text, _ = compared(lambda p, b: answer if (p, b) == ("lost_update_good.c", "esbmc") else right(p, b))
    assert status == 0
    assert f"cbmc none found, {shown}" in text
    assert f"| all | esbmc | {counts} |" in text
    assert f"and {1 if 'refused' in shown else 2} are refused by none.\nOn 1 of these all say the same;" in text
    assert "Wrong verdicts: none." in text


def test_a_process_that_is_stopped_at_its_limit_is_out_of_time(compared: Any) -> None:
    killed = (3, "", "cseq: error: the backend `esbmc` failed: killed by signal 9")
    taken_for_another = report("UNKNOWN", status=3, reason="memory")
    said = {"cbmc": right, "esbmc": lambda p, _: killed if "_bad" in p else taken_for_another}
    _, text, _ = compared(lambda p, b: said[b](p, b), "--limit", "8")
    assert "cbmc none found, esbmc out of time |  |" in text
    assert "cbmc FALSE, esbmc out of time |  |" in text


def test_a_proof_and_none_are_no_contradiction(compared: Any) -> None:
    status, text, _ = compared(lambda p, b: report("TRUE") if "_good" in p and b == "esbmc" else right(p, b))
    assert status == 0
    assert "On 1 more, none finds a violation, but not all have a proof: `lost_update_good`." in text


def test_what_was_measured_is_not_measured_again(compared: Any) -> None:
    compared(right, "--backends", "cbmc")
    status, text, asked = compared(right)
    assert status == 0
    assert sorted(asked) == ["esbmc lost_update_bad.c", "esbmc lost_update_good.c"]
    assert "On 2 of these all say the same" in text
    assert len(compared(right, "--again")[2]) == 4


def test_with_another_limit_only_what_would_change_is_measured_again(compared: Any) -> None:
    def slow(program: str, backend: str) -> tuple[int, str, str]:
        return report("UNKNOWN", status=3, reason="timeout") if backend == "esbmc" else right(program, backend)

    compared(slow, "--limit", "9")
    assert compared(right, "--limit", "9")[2] == []
    _, text, asked = compared(right, "--limit", "1")
    assert asked == []
    assert "| all | cbmc | 2 | 0 | 0 | 2 | 0 |" in text
    _, text, asked = compared(right, "--limit", "20")
    assert sorted(asked) == ["esbmc lost_update_bad.c", "esbmc lost_update_good.c"]
    assert "On 2 of these all say the same" in text


def test_no_run_begins_when_the_time_is_up(compared: Any) -> None:
    compared(right, "--backends", "cbmc")
    _, text, asked = compared(right, "--minutes", "0")
    assert asked == []
    assert "Of 2 programs, 0 were given to all backends" in text
