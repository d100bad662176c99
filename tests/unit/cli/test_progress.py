"""The live view on a terminal: when it is there, and that nothing is left of it."""

import contextlib
import io
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator

import pytest

from cseq.cli import progress as module
from cseq.cli.progress import Progress, progress, working
from cseq.model.activity import ActivityKind, phase
from cseq.pipeline.status import PhaseBegan, PropertyBegan, RunBegan, StageBegan
from cseq.process.tree import usage
from tests.support.terminal import Terminal

pytestmark = pytest.mark.engine

_COLOUR = re.compile(r"\x1b\[[\d;]*m")


@pytest.fixture
def on_it(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """A terminal where the view appears at once."""
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setattr(module, "_DELAY", 0.0)
    return terminal


@contextlib.contextmanager
def viewed(terminal: Terminal, wanted: bool = True, timeout: float | None = None) -> Iterator[Progress | None]:
    """Have the terminal as standard error, and the view of a run that has begun."""
    with os.fdopen(os.dup(terminal.file), "w", encoding="utf-8") as stream, pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stderr", stream)
        with progress(wanted, timeout) as view:
            if view is not None:
                view.status.report(PropertyBegan("unreach-call", 1, 1))
                view.status.report(RunBegan(("merger", "feeder")))
                view.status.report(StageBegan("feeder"))
                view.status.report(PhaseBegan(phase(ActivityKind.SOLVING, "cbmc")))
            yield view


def closed() -> io.StringIO:
    made = io.StringIO()
    made.close()
    return made


def test_it_is_there_and_is_erased(on_it: Terminal) -> None:
    os.write(on_it.file, b"before\r\n")
    with viewed(on_it, timeout=60):
        on_it.wait_for(lambda text: "cbmc: solving" in text and " MB" in text)
        text = "\n".join(on_it.screen.lines())
        header = r"unreach-call  .*s \(limit 60 s\)  \d+ MB"
        assert re.fullmatch(rf"before\n\n{header}\n✓ merger  . feeder .*\ncbmc: solving", text)
        assert on_it.screen.cursor == (1, 0)
    assert on_it.settle() == ["before"]
    assert on_it.screen.cursor == (1, 0)
    assert "\x1b[?25" not in on_it.written  # the cursor was never hidden


def test_it_is_erased_when_the_run_fails_or_is_interrupted(on_it: Terminal) -> None:
    with pytest.raises(KeyboardInterrupt), viewed(on_it):
        on_it.wait_for(lambda text: "solving" in text)
        raise KeyboardInterrupt
    assert on_it.settle() == []


def test_a_run_that_is_short_shows_and_imports_nothing(terminal: Terminal) -> None:
    # How long short is does not matter here, and a machine can be slow.
    code = (
        "import sys, cseq.cli.progress as module; module._DELAY = 60\n"
        "with module.progress(True) as view: assert view\n"
        "assert not [name for name in sys.modules if name.partition('.')[0] == 'rich']"
    )
    environment = {**os.environ, "TERM": "xterm"}
    done = subprocess.run([sys.executable, "-c", code], stderr=terminal.file, env=environment, check=False)
    assert (done.returncode, terminal.settle()) == (0, [])
    assert terminal.written == ""


@pytest.mark.parametrize("wanted, term", [(False, "xterm"), (True, "dumb")])
def test_where_there_is_no_view(on_it: Terminal, monkeypatch: pytest.MonkeyPatch, wanted: bool, term: str) -> None:
    monkeypatch.setenv("TERM", term)
    with viewed(on_it, wanted) as view:
        assert view is None
    assert on_it.settle() == []


def test_work_that_is_no_run(on_it: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    with os.fdopen(os.dup(on_it.file), "w", encoding="utf-8") as stream:
        monkeypatch.setattr(sys, "stderr", stream)
        with working(True, "reproducer", ActivityKind.COMPILING):
            on_it.wait_for(lambda text: re.search(r". reproducer .*s\ncompiling the program$", text))
    assert on_it.settle() == []


@pytest.mark.parametrize("stream", [None, io.StringIO(), closed()])
def test_a_stream_that_is_no_file(monkeypatch: pytest.MonkeyPatch, stream: io.StringIO | None) -> None:
    monkeypatch.setenv("TERM", "xterm")
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stderr", stream)
        with progress(True) as view:
            assert view is None


def test_lines_that_are_told_meanwhile_come_out_whole(on_it: Terminal) -> None:
    lines = [f"line {number} {'x' * (number * 4 % 70 + 1)}" for number in range(30)]
    with viewed(on_it) as shown:
        assert shown is not None
        for number, line in enumerate(lines):
            if number % 6 == 0:
                on_it.wait_for(lambda text: "solving" in text)
            with shown.aside():
                os.write(on_it.file, f"{line}\r\n".encode())
            on_it.read()
        on_it.wait_for(lambda text: "solving" in text)
    assert [*on_it.screen.history, *on_it.settle()] == lines


def test_a_line_of_somebody_else_on_the_same_terminal_is_not_drawn_over(on_it: Terminal) -> None:
    with viewed(on_it):
        on_it.wait_for(lambda text: "solving" in text)
        os.write(on_it.file, b"of another program\r\n")
        on_it.wait_for(lambda text: text.startswith("of another program\n\nunreach-call"))
    assert on_it.settle() == ["of another program"]


def test_at_the_bottom_of_the_screen(on_it: Terminal) -> None:
    before = [f"line {number}" for number in range(23)]
    os.write(on_it.file, "".join(f"{line}\r\n" for line in before).encode())
    with viewed(on_it):
        on_it.wait_for(lambda text: "solving" in text)
    assert [*on_it.screen.history, *on_it.settle()] == before


def test_the_window_becomes_smaller(on_it: Terminal) -> None:
    def widest() -> int:
        """Of the last picture that is complete."""
        pictures = _COLOUR.sub("", on_it.written).split("\x1b[J")
        return max(len(line.replace("\x1b[K", "")) for line in pictures[-2].replace("\r", "").split("\n")[1:])

    with viewed(on_it) as shown:
        assert shown is not None
        shown.status.report(PhaseBegan(phase(ActivityKind.SOLVING, "word " * 15)))
        on_it.wait_for(lambda text: "word" in text)
        on_it.resize(40, 10)
        on_it.wait_for(lambda text: widest() < 40)
        on_it.resize(10, 3)  # no room for anything
        on_it.wait_for(lambda text: text == "")
        on_it.resize(80, 24)
        on_it.wait_for(lambda text: "unreach-call" in text)
    assert on_it.settle() == []


@pytest.mark.parametrize("value", ["", "1"])
def test_no_color(on_it: Terminal, monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("NO_COLOR", value)
    with viewed(on_it):
        on_it.wait_for(lambda text: "solving" in text)
    assert bool(_COLOUR.search(on_it.written)) == (value == "")


def test_a_terminal_that_goes_away(on_it: Terminal) -> None:
    with viewed(on_it) as shown:
        assert shown is not None
        on_it.wait_for(lambda text: "solving" in text)
        on_it.close()
        deadline = time.monotonic() + 30
        while any(thread.name == "progress" for thread in threading.enumerate()):
            assert time.monotonic() < deadline
            time.sleep(0.02)
        with shown.aside():
            pass
    assert shown.error is None


def test_a_bug_of_the_view_costs_no_answer(on_it: Terminal) -> None:
    with viewed(on_it) as shown:
        assert shown is not None
        shown.status.report(RunBegan((7,)))  # type: ignore[arg-type]
        on_it.wait_for(lambda text: shown.error)
    assert re.fullmatch(r"warning: the live view failed: \w+: .*; please report it", "".join(on_it.settle()))


def test_no_process_is_forked_off_in_the_middle_of_an_import() -> None:
    importing, imported = threading.Event(), threading.Event()

    def load() -> None:
        with module._importing:
            importing.set()
            time.sleep(0.2)
            imported.set()

    thread = threading.Thread(target=load)
    thread.start()
    importing.wait()
    child = os.fork()
    if child == 0:
        os._exit(0 if imported.is_set() and not module._importing.locked() else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    thread.join()
    assert not module._importing.locked()


def test_memory_is_that_of_all_processes() -> None:
    code = "block = bytearray(b'x' * 50_000_000); print(flush=True); input()"
    alone = usage(os.getpid())
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        child.stdout.readline()
        together = usage(os.getpid())
        child.communicate("\n")
    assert 0 < alone < together - 45_000_000
