"""Runs that share the processors."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from cseq.process.crowd import Crowd
from cseq.process.job_slots import Slots

pytestmark = pytest.mark.engine


def test_the_last_runs_have_more_processors(tmp_path: Path) -> None:
    crowd = Crowd(Slots(tmp_path, 4), 6)
    shares = []
    while crowd.left:
        shares.append((crowd.width, crowd.share()))
        crowd.over()
    assert shares == [(4, 1), (4, 1), (4, 1), (3, 1), (2, 2), (1, 4)]
    assert (crowd.width, crowd.share()) == (1, 4)


def test_another_process_sees_what_is_left(tmp_path: Path) -> None:
    crowd = Crowd(Slots(tmp_path, 2), 2)
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(writing)
        os.read(reading, 1)  # until the parent has counted
        os._exit(crowd.share())
    os.close(reading)
    crowd.over()
    os.close(writing)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 2
