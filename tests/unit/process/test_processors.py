"""How many processors a run uses."""

import os

from cseq.process.processors import at_most, count


def test_fewer_processors_are_used_while_that_is_wanted() -> None:
    before = os.sched_getaffinity(0)
    with at_most(1) as jobs:
        assert (jobs, count()) == (1, 1)
        assert os.sched_getaffinity(0) < before or len(before) == 1
    assert os.sched_getaffinity(0) == before


def test_more_jobs_than_processors_are_possible() -> None:
    before = os.sched_getaffinity(0)
    with at_most(len(before) + 3) as jobs:
        assert jobs == len(before) + 3
        assert os.sched_getaffinity(0) == before
    with at_most(None) as jobs:
        assert jobs == len(before)
