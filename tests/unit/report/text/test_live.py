"""The live view of a run, as lines."""

from collections.abc import Callable
from io import StringIO
from textwrap import dedent

import pytest
from rich.console import Console
from rich.text import Text

from cseq.model.activity import Activity, ActivityKind, Amount, Phase, phase
from cseq.model.claims import Cut, Limit
from cseq.model.jobrecords import JobName
from cseq.model.verdict import Level, Verdict
from cseq.pipeline.status import (
    EngineDone,
    EngineReported,
    Event,
    JobsChanged,
    LevelBegan,
    PhaseBegan,
    PropertyBegan,
    RunBegan,
    StageBegan,
    StageDone,
    Status,
)
from cseq.report.text.live import ASCII, UNICODE, Glyphs, console, duration, frame, renderer

LAZY = (
    "merger",
    "normalise",
    "control_flow",
    "sequentializer",
    "instrumenter",
    "symbolic/run",
    "symbolic/replay",
    "symbolic/verdict",
)
FIRST = Level("unreach-call", {"rounds": 1, "unwind": 1}, Verdict.UNKNOWN, None, Cut(Limit.MORE), 0.8)
MEGABYTE = 1024 * 1024


PLAIN = Glyphs("+", "*")


class Clock:
    """A time that passes when the test says so."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


def single(told: bool = False) -> Status:
    """A run with one engine; the last stage began 9.4 seconds after the run."""
    clock = Clock()
    status = Status(timeout=60, memory=4000, told=told, clock=clock)
    status.report(PropertyBegan("no-deadlock", 2, 3))
    tried = [Level("no-deadlock", {"rounds": n, "unwind": 1}, Verdict.UNKNOWN, None, None, n) for n in range(9)]
    status.report(LevelBegan({"rounds": 3, "unwind": 1}, tuple(tried)))
    status.report(RunBegan(LAZY))
    for name, seconds in zip(LAZY[:5], (0.21, 0.012, 0.003, 0.003, 0.003), strict=True):
        status.report(StageBegan(name))
        status.report(PhaseBegan(phase(ActivityKind.TRANSLATING)))
        status.report(StageDone(name, seconds))
    clock.now += 9.4
    status.report(StageBegan("symbolic/run"))
    status.report(PhaseBegan(Phase((("", Activity(ActivityKind.SOLVING, ((Amount.STEPS, 11_331),))),), "cbmc")))
    return status


def race() -> Status:
    """Two engines at the same time, whose last stages began 9.4 seconds after the run."""
    clock = Clock()
    status = Status(clock=clock)
    status.report(PropertyBegan("unreach-call", 1, 1))
    status.report(RunBegan(("merger", "stepper")))
    for name in ("merger", "stepper"):
        status.report(StageBegan(name))
        status.report(StageDone(name, 0.2))
    amounts = ((Amount.STATES, 1_234_567), (Amount.STATES_PER_SECOND, 81_000), (Amount.DEPTH, 41))
    reports: list[tuple[str, Event]] = [
        ("native", RunBegan(("merger", "stepper", "explorer", "follower"), 2)),
        ("native", StageBegan("explorer")),
        ("native", PhaseBegan(Phase((("", Activity(ActivityKind.SEARCHING, amounts)),), "native"))),
        ("cbmc", LevelBegan({"rounds": 2, "unwind": 1}, (FIRST,))),
        ("cbmc", RunBegan(("merger", "normalise", "symbolic/run", "symbolic/verdict"), 1)),
        ("cbmc", StageBegan("normalise")),
        ("cbmc", StageDone("normalise", 0.1)),
        ("cbmc", StageBegan("symbolic/run")),
        ("cbmc", PhaseBegan(phase(ActivityKind.SOLVING, "cbmc", about_bounds=True))),
    ]
    clock.now += 9.4
    for engine, event in reports:
        status.report(EngineReported(engine, event))
    return status


def drawn(status: Status, width: int = 80, height: int = 24, glyphs: Glyphs = PLAIN) -> str:
    """What is shown 12.4 seconds after the start."""
    screen = Console(width=width, record=True, force_terminal=True, file=StringIO())
    for line in frame(status, status.begun + 12.4, 412 * MEGABYTE, screen, height, glyphs):
        screen.print(line)
    return screen.export_text()


def test_one_engine() -> None:
    assert drawn(single()) == dedent("""\
        no-deadlock (2 of 3)  12.4 s (limit 60 s)  412 MB (limit 4000 MB)
        trying 3 rounds, unwind 1
        + merger 0.21 s  + normalise 12 ms  + control_flow 3 ms  + sequentializer 3 ms
        + instrumenter 3 ms  * symbolic/run 3.0 s  symbolic/replay  symbolic/verdict
        cbmc: solving (11 331 steps)
        6 rounds, unwind 1: no violation (6.0 s)
        7 rounds, unwind 1: no violation (7.0 s)
        8 rounds, unwind 1: no violation (8.0 s)
        """)


def test_levels_that_are_told_on_the_terminal_are_not_repeated() -> None:
    shown = drawn(single(told=True))
    assert "trying 3 rounds" in shown
    assert "no violation" not in shown


def test_engines_at_the_same_time() -> None:
    assert drawn(race()) == dedent("""\
        unreach-call  12.4 s  412 MB
        + 2 stages 0.40 s
        native  * explorer 3.0 s  follower
                1 234 567 states, 81 000 per second, depth 41
        cbmc    trying 2 rounds, unwind 1
                + normalise 0.10 s  * symbolic/run 3.0 s  symbolic/verdict
                asked about the bounds: solving
                1 round, unwind 1: no violation; one more round can begin (0.8 s)
        """)


def test_an_engine_that_has_given_up() -> None:
    status = race()
    status.report(EngineDone("native", "out of memory; 1234567 states were explored"))
    assert "\nnative  + out of memory; 1234567 states were explored\ncbmc" in drawn(status)


def test_a_narrow_terminal() -> None:
    assert drawn(race(), width=39) == dedent("""\
        unreach-call  12.4 s  412 MB
        + 2 stages 0.40 s
        native
          * explorer 3.0 s  follower
          1 234 567 states, 81 000 per second,
          depth 41
        cbmc
          trying 2 rounds, unwind 1
          + normalise 0.10 s
          * symbolic/run 3.0 s
          symbolic/verdict
          asked about the bounds: solving
          1 round, unwind 1: no violation; one
          more round can begin (0.8 s)
        """)


def test_what_is_over_is_left_out_first() -> None:
    assert drawn(race(), height=7) == dedent("""\
        unreach-call  12.4 s  412 MB
        native  * explorer 3.0 s
                1 234 567 states, 81 000 per second, depth 41
        cbmc    trying 2 rounds, unwind 1
                + 1 stage 0.10 s  * symbolic/run 3.0 s
                asked about the bounds: solving
        """)


@pytest.mark.parametrize("width", [19, 20, 33, 39, 40, 49, 50, 80, 200])
@pytest.mark.parametrize("status", [single, race])
def test_nothing_is_larger_than_the_terminal(status: Callable[[], Status], width: int) -> None:
    for height in (1, 2, 5, 9, 30):
        lines = drawn(status(), width, height).splitlines()
        assert len(lines) <= height
        assert max(map(len, lines)) <= width


def test_what_programs_say_does_no_harm_to_the_terminal() -> None:
    status = single()
    status.report(PhaseBegan(phase(ActivityKind.SOLVING, "\x1b[2J[bold]x[/bold]")))
    text = renderer(True, UNICODE)(status, status.begun + 1, 0, 80, 24)
    assert "\x1b[2J" not in text
    assert "\\x1b[2J[bold]x[/bold]" in text


def test_without_colours_there_are_no_escape_sequences() -> None:
    now = single().begun + 1
    assert "\x1b" not in renderer(False, ASCII)(single(), now, 0, 80, 24)


def test_ascii() -> None:
    shown = drawn(race(), glyphs=ASCII)
    assert shown.isascii()
    assert any(f"{picture} explorer" in shown for picture in ASCII.spinner)
    assert "✓ normalise" in drawn(race(), glyphs=UNICODE)


def test_lines_end_as_a_terminal_in_any_mode_needs_them() -> None:
    text = renderer(False, ASCII)(single(), single().begun + 1, 0, 80, 24)
    assert text.count("\r\n") == text.count("\n") > 4


def test_a_question_without_a_name_and_a_run_that_has_hardly_begun() -> None:
    status = Status()
    lines = frame(status, status.begun, 0, console(80, False), 20)
    assert [line.plain for line in lines] == ["0 ms"]
    assert isinstance(lines[0], Text)


@pytest.mark.parametrize(
    "seconds, words",
    [(0, "0 ms"), (0.0123, "12 ms"), (0.5, "0.50 s"), (59.94, "59.9 s"), (600, "10 min 00 s"), (7322, "2 h 02 min")],
)
def test_durations(seconds: float, words: str) -> None:
    assert duration(seconds) == words


def test_jobs_of_a_pool() -> None:
    status = race()
    parts = tuple(JobName("cbmc", "unreach-call", (("rounds", 2), ("unwind", 1)), f"{k}/8") for k in range(3))
    status.report(JobsChanged((JobName("native", search="dfs"),), 4))
    status.report(EngineReported("cbmc", JobsChanged(parts, 1, 4)))
    shown = drawn(status)
    assert "further searches: 1 running, 4 done\nnative " in shown
    assert "parts of 2 rounds, unwind 1: 3 running, 1 of 8 done\n" in shown
    status.report(EngineReported("cbmc", JobsChanged((), 8)))
    assert "parts of" not in drawn(status)
