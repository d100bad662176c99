"""Python code that does not end is interrupted when its time is over."""

import signal
import threading
import time

import pytest

from cseq.process.deadline import TimeUpError, alarm, undisturbed


def busy() -> None:
    try:
        while True:
            pass
    except Exception:  # what no handler of failures may take for one
        pytest.fail("it is taken for a failure")


def test_what_does_not_end_is_interrupted() -> None:
    with pytest.raises(TimeUpError), alarm(time.monotonic() + 0.01):
        busy()
    assert signal.getsignal(signal.SIGALRM) is signal.SIG_DFL
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


class Slow:
    """What takes its time to be destroyed."""

    def __del__(self) -> None:
        busy()


def test_what_is_raised_in_a_destructor_is_raised_again(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(TimeUpError), alarm(time.monotonic() + 0.01):
        Slow()
        busy()
    assert capsys.readouterr().err == ""


def test_a_time_that_is_over_already() -> None:
    with pytest.raises(TimeUpError), alarm(time.monotonic() - 5):
        busy()


def test_no_limit_and_enough_time() -> None:
    with alarm(None), alarm(time.monotonic() + 1000):
        pass
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_an_alarm_that_is_somebody_elses_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    with alarm(time.monotonic() + 1000):
        before = signal.getitimer(signal.ITIMER_REAL)[0]
        with alarm(time.monotonic() + 1):
            assert signal.getitimer(signal.ITIMER_REAL)[0] > 500 < before


def test_other_threads_are_not_interrupted() -> None:
    done = []

    def work() -> None:
        with alarm(time.monotonic() - 1):
            done.append(True)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert done == [True]


def test_what_must_be_whole_is_done_first() -> None:
    steps = []
    with pytest.raises(TimeUpError), alarm(time.monotonic() + 1000), undisturbed():
        signal.setitimer(signal.ITIMER_REAL, 0.001)
        time.sleep(0.1)
        with undisturbed():
            steps.append("part")
        steps.append("whole")
    assert steps == ["part", "whole"]
    with alarm(time.monotonic() + 1000), undisturbed():
        steps.append("more")
    assert steps[-1] == "more"


def test_another_thread_does_not_take_the_alarm() -> None:
    over = threading.Event()
    thread = threading.Thread(target=over.wait)
    thread.start()
    try:
        test_what_must_be_whole_is_done_first()
    finally:
        over.set()
        thread.join()
