"""What a job is, and how it ended."""

import pickle

import pytest

from cseq.model.errors import BackendError, MissingError, UnsupportedError
from cseq.model.jobrecords import JobEnd, JobName, JobRecord
from cseq.model.verdict import Outcome, Reason, Verdict
from cseq.modules.symbolic.levels.tiling import WANTED
from cseq.pipeline.jobs import Job, JobResult, ending

NAME = JobName("cbmc", "unreach-call", (("rounds", 2),), "1/4")


@pytest.mark.parametrize(
    "outcome, end",
    [
        (Outcome(Verdict.FALSE), JobEnd.VIOLATED),
        (Outcome(Verdict.TRUE), JobEnd.PROVED),
        (Outcome(Verdict.UNKNOWN, Reason.BOUNDED), JobEnd.NOTHING),
        (Outcome(Verdict.UNKNOWN, Reason.UNWINDING), JobEnd.NOTHING),
        (Outcome(Verdict.UNKNOWN, Reason.TIMEOUT), JobEnd.TIMEOUT),
        (Outcome(Verdict.UNKNOWN, Reason.MEMORY), JobEnd.MEMORY),
        (Outcome(Verdict.UNKNOWN, Reason.REPLAY), JobEnd.FAILED),
        (Outcome(Verdict.UNKNOWN), JobEnd.FAILED),
        (UnsupportedError("fork is not supported"), JobEnd.REFUSED),
        (MissingError("not installed"), JobEnd.FAILED),
        (BackendError("it crashed"), JobEnd.FAILED),
        (ZeroDivisionError(), JobEnd.FAILED),
    ],
)
def test_how_a_job_ended(outcome: Outcome | Exception, end: JobEnd) -> None:
    assert ending(outcome) is end
    assert JobResult(outcome, seconds=2, worker="w").record(Job(NAME, {})) == JobRecord(NAME, end, 2, "w")


def test_jobs_and_what_became_of_them_can_be_sent() -> None:
    job = Job(NAME, {"rounds": 2}, 20.0, WANTED)
    assert pickle.loads(pickle.dumps(job)) == job
    done = JobResult(UnsupportedError("no"), {"reached": None}, {"feeder": 0.5}, 0.6)
    assert repr(pickle.loads(pickle.dumps(done))) == repr(done)
