"""The function that makes the transitions of a thread: what it keeps, clears and interrupts."""

import re
from pathlib import Path

from tests.unit.modules.explicit.encode.stepper.test_stepper import PROGRAM, stepped, written


def function(text: str, start: str) -> str:
    """The function that makes the transitions of threads with the start function *start*."""
    found = re.search(rf"^static void __cs_run_{start}\(.*?^}}", text, re.MULTILINE | re.DOTALL)
    assert found is not None
    return found.group()


def members(text: str, start: str) -> list[str]:
    """The names of the locals that threads with the start function *start* keep."""
    found = re.search(rf"^struct __cs_frame_of_{start}\n{{\n(.*?)^}};", text, re.MULTILINE | re.DOTALL)
    return re.findall(r"(\w+)(?:\[\d+\])?;", found.group(1)) if found else []


def test_only_what_lives_on_is_kept(tmp_path: Path) -> None:
    text = stepped(written(tmp_path, PROGRAM))
    assert members(text, "worker") == ["i", "twice"]  # `twice` is stored in a transition of its own
    assert members(text, "main") == ["t"]


def test_what_is_dead_is_cleared(tmp_path: Path) -> None:
    worker = function(stepped(written(tmp_path, PROGRAM)), "worker")
    last = worker[: worker.rindex("__cs_step_exit")]
    assert "__cs_f->i = 0;" in last[last.rindex("} else {") :]
    assert "__cs_f->twice = 0;" in last[last.rindex("} else {") :]


def test_a_loop_that_nobody_notices_ends_transitions(tmp_path: Path) -> None:
    text = stepped(written(tmp_path, PROGRAM.replace("x = twice; i++;", "i += twice == 7;")))
    assert "if (__CSEQ_tired()) {" in function(text, "worker")


def test_a_thread_local_that_is_not_kept_begins_as_zero(tmp_path: Path) -> None:
    text = stepped(written(tmp_path, "int y;\nint main(void) { int one = y; one++; return 0; }\n"))
    assert members(text, "main") == []
    assert "  y = 0;\n" in function(text, "main")
