"""Several ways to one answer at the same time: the first good answer counts, and nothing is left of the others."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from cseq.model.errors import BackendError, InputError, note_stage, stage_of
from cseq.model.origin import Origin
from cseq.process.portfolio import Contender, contest
from cseq.process.run import run
from tests.support.checkout import ROOT
from tests.support.processes import alive, waited_for

pytestmark = pytest.mark.engine

LINUX = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="there is no /proc here")


Say = Callable[[Any], None]


def always(name: str, answer: Any) -> bool:
    return True


def never(name: str, answer: Any) -> bool:
    return False


def quick(say: Say) -> str:
    return "quick"


def slow(folder: Path) -> Callable[[Say], str]:
    """Work without an end: itself, and by a program that it runs; both leave their numbers in *folder*."""

    def work(say: Say) -> str:
        (folder / "worker").write_text(str(os.getpid()))
        run(["/bin/sh", "-c", f"echo $$ > {folder}/engine.new; mv {folder}/engine.new {folder}/engine; sleep 100"])
        return "slow"

    return work


def processes(folder: Path) -> list[int]:
    return [int((folder / name).read_text()) for name in ("worker", "engine")]


def test_the_first_good_answer_ends_the_others_with_all_that_they_started(tmp_path: Path) -> None:
    notes, work = tmp_path / "notes", tmp_path / "work"
    notes.mkdir()
    work.mkdir()

    def patient(say: Say) -> str:
        waited_for((notes / "engine").exists)
        return "patient"

    assert contest([Contender("a", slow(notes)), Contender("b", patient)], always, work) == {"b": "patient"}
    assert not any(alive(process) for process in processes(notes))
    assert not list(work.iterdir()), "temporary files are left"


def test_what_is_not_wanted_is_an_answer_but_does_not_end_it(tmp_path: Path) -> None:
    for number, wanted in enumerate((lambda _, answer: answer == 2, never)):
        first = tmp_path / str(number)

        def early(say: Say, first: Path = first) -> int:
            first.with_suffix(".new").write_text(str(os.getpid()))
            first.with_suffix(".new").rename(first)
            return 1

        def later(say: Say, first: Path = first) -> int:
            waited_for(first.exists)
            waited_for(lambda: not alive(int(first.read_text())))
            time.sleep(0.2)
            return 2

        answers = contest([Contender("a", later), Contender("b", early)], wanted, tmp_path)
        assert list(answers.items()) == [("b", 1), ("a", 2)]


def test_much_is_heard_in_order(tmp_path: Path) -> None:
    def talk(say: Say) -> bytes:
        for number in range(5):
            say(number)
        say("x" * 1_000_000)
        return b"y" * 3_000_000

    heard: list[tuple[Any, ...]] = []
    answers = contest(
        [Contender("a", talk)],
        never,
        tmp_path,
        lambda *message: heard.append(message),
        lambda *answer: heard.append(("over", *answer)),
    )
    assert answers == {"a": b"y" * 3_000_000}
    numbers = [("a", number) for number in range(5)]
    assert heard == [*numbers, ("a", "x" * 1_000_000), ("over", "a", b"y" * 3_000_000)]


def test_exceptions_are_answers_that_nobody_wants(tmp_path: Path) -> None:
    def refuse(say: Say) -> None:
        raise InputError("no", Origin("x.c", 3))

    class Local(Exception):
        pass

    def fail(say: Say) -> None:
        error = Local("odd")
        note_stage(error, "symbolic/encode/race_instrumentation")
        raise error

    answers = contest([Contender("a", refuse), Contender("b", fail), Contender("c", quick, 60)], always, tmp_path)
    assert answers["c"] == "quick"
    assert str(answers["a"]) == "x.c:3: no" and isinstance(answers["a"], InputError)
    assert repr(answers["b"]) == "RuntimeError('Local: odd')"
    assert stage_of(answers["b"]) == "symbolic/encode/race_instrumentation"


def test_a_process_that_dies_is_an_error(tmp_path: Path) -> None:
    def die(say: Say) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    def leave(say: Say) -> None:
        os._exit(7)

    answers = contest([Contender("a", die), Contender("b", leave)], always, tmp_path)
    assert all(isinstance(answer, BackendError) for answer in answers.values())
    assert str(answers["a"]) == "the process for a was killed by signal 9"
    assert str(answers["b"]) == "the process for b ended with status 7"


@pytest.mark.parametrize("alone", [True, False])
def test_who_begins_later(alone: bool, tmp_path: Path) -> None:
    """Not at all where the first one is good enough by then, at once where it is not."""
    begun = time.monotonic()
    second = Contender("second", quick, 60)
    answers = contest([Contender("first", quick), second], lambda name, _: alone or name == "second", tmp_path)
    assert list(answers) == (["first"] if alone else ["first", "second"])
    assert time.monotonic() - begun < 30


def test_who_begins_while_the_other_works(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    answers = contest([Contender("first", slow(notes)), Contender("second", quick, 0.05)], always, tmp_path)
    assert answers == {"second": "quick"}


@LINUX
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_nothing_survives_the_end_of_the_one_who_asks(number: signal.Signals, tmp_path: Path) -> None:
    script = dedent(f"""\
        from pathlib import Path
        from cseq.cli.main import interruptible
        from cseq.process.portfolio import Contender, contest
        from tests.unit.process.test_portfolio import always, slow
        folder = Path({str(tmp_path)!r})
        names = ("one", "two")
        for name in names:
            (folder / name).mkdir()
        with interruptible():
            contest([Contender(name, slow(folder / name)) for name in names], always, folder)
        """)
    with subprocess.Popen([sys.executable, "-c", script], cwd=ROOT, stderr=subprocess.PIPE) as asking:
        waited_for(lambda: all((tmp_path / name / "engine").exists() for name in ("one", "two")))
        asking.send_signal(number)
        asking.communicate(timeout=30)
    waited_for(lambda: not any(alive(process) for name in ("one", "two") for process in processes(tmp_path / name)))
    if number != signal.SIGKILL:
        assert sorted(path.name for path in tmp_path.iterdir()) == ["one", "two"], "temporary files are left"
