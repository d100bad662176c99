"""Slots: the processes of a run never hold more than there are, and nobody holds what a dead process held."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from cseq.process.job_slots import JobSlots, SharedSlots
from tests.support.checkout import ROOT

pytestmark = pytest.mark.engine

HOLDER = """
import sys, time
from pathlib import Path
from cseq.process.job_slots import JobSlots
slots = JobSlots(Path(sys.argv[1]), 2)
slots.try_to_take(int(sys.argv[2]))
print(slots.held, flush=True)
time.sleep(100)
"""


@contextmanager
def holder(folder: Path, many: int = 1) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A process that holds slots of two; yields it, and how many it holds."""
    command = [sys.executable, "-c", HOLDER, str(folder), str(many)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        assert process.stdout is not None
        yield process, int(process.stdout.readline())
        process.kill()


def test_two_processes_share_the_slots(tmp_path: Path) -> None:
    slots = JobSlots(tmp_path, 2)
    with holder(tmp_path) as (_, first), holder(tmp_path) as (_, second):
        assert (first, second) == (1, 1)
        assert not slots.is_any_free
        assert not slots.try_to_take()
        assert not slots.take(end=time.monotonic())
    assert slots.is_any_free


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_what_a_dead_process_held_is_free(tmp_path: Path, how: signal.Signals) -> None:
    slots = JobSlots(tmp_path, 2)
    with holder(tmp_path, many=3) as (process, held):
        assert held == 2 and not slots.try_to_take()
        process.send_signal(how)
        assert slots.take(), "it waits until the process is gone"


def test_a_process_holds_its_slot_until_it_gives_it_back(tmp_path: Path) -> None:
    slots, others = JobSlots(tmp_path, 1), JobSlots(tmp_path, 1)
    assert slots.try_to_take() and slots.try_to_take() and slots.held == 1
    assert not others.try_to_take()
    slots.release()
    assert others.try_to_take() and not slots.try_to_take()


def test_children_hold_nothing_of_their_parents(tmp_path: Path) -> None:
    """A copy of the descriptor in a child that lives on keeps nobody from the slot."""
    slots = JobSlots(tmp_path, 1)
    slots.try_to_take()
    child = os.fork()
    if child == 0:
        code = slots.held + 2 * slots.try_to_take()
        slots.release()  # which must not give back what the parent holds
        code += 4 * JobSlots(tmp_path, 1).try_to_take()
        os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    slots.release()
    assert slots.is_any_free


def test_others_may_have_what_is_lent(tmp_path: Path) -> None:
    slots, others = JobSlots(tmp_path, 2), JobSlots(tmp_path, 2)
    slots.try_to_take(2)
    with slots.lent():
        assert slots.held == 0 and others.try_to_take()
    assert slots.held == 1, "one is still in use"


def test_who_works_without_a_slot_has_one_worker(tmp_path: Path) -> None:
    """So a family that found no processor free goes on with one part of its work at a time."""
    busy = JobSlots(tmp_path, 1)
    busy.try_to_take()
    slots = JobSlots(tmp_path, 1)
    assert not slots.try_to_take()
    with slots.lent():
        taken = []
        for _ in range(2):
            read, write = os.pipe()
            child = os.fork()
            if child == 0:
                os.write(write, b"1" if slots.try_to_take() else b"0")
                time.sleep(100)
            os.close(write)
            taken.append((child, os.read(read, 1)))
            os.close(read)
        for child, _ in taken:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        assert [had for _, had in taken] == [b"1", b"0"]
    with busy.lent():
        pass
    assert not slots.try_to_take(), "the additional one is for the workers alone"


def test_the_last_runs_have_more_processors(tmp_path: Path) -> None:
    shared_slots = SharedSlots(JobSlots(tmp_path, 4), 6)
    shares = []
    while shared_slots.left:
        shares.append((shared_slots.width, shared_slots.share()))
        shared_slots.over()
    assert shares == [(4, 1), (4, 1), (4, 1), (3, 1), (2, 2), (1, 4)]
    assert (shared_slots.width, shared_slots.share()) == (1, 4)


def test_another_process_sees_what_is_left(tmp_path: Path) -> None:
    shared_slots = SharedSlots(JobSlots(tmp_path, 2), 2)
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(writing)
        os.read(reading, 1)  # until the parent has counted
        os._exit(shared_slots.share())
    os.close(reading)
    shared_slots.over()
    os.close(writing)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 2
