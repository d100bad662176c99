"""Jobs in processes of this machine: each is reported once, and none is left."""

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

from cseq.model.jobrecords import JobEnd, JobName
from cseq.model.verdict import Outcome, Reason, Verdict
from cseq.pipeline.chain import Chain
from cseq.pipeline.facts import Fact, Gives
from cseq.pipeline.jobs import Job, JobResult
from cseq.pipeline.localpool import LocalPool
from cseq.pipeline.session import Session
from cseq.pipeline.stage import Context, Parameter, Stage
from cseq.pipeline.status import Event, JobsChanged
from cseq.process.job_slots import JobSlots
from cseq.process.run import run
from tests.support.checkout import ROOT
from tests.support.processes import alive, waited_for

pytestmark = pytest.mark.engine

WHAT: Parameter[Callable[[Context], Outcome] | None] = Parameter("what", str, None, "what is done")
SEEN = Fact[int]("seen")
NOTHING = Outcome(Verdict.UNKNOWN, Reason.BOUNDED)


class Works(Stage):
    takes = (WHAT,)
    seen = Gives(SEEN)

    def run(self, value: Any) -> Any:
        self.seen = os.getpid()
        what = self.parameter(WHAT)
        assert what is not None
        return what(self.context)


class Listed:
    """A plan: these jobs, of which the one called *last* ends it."""

    def __init__(
        self, jobs: dict[str, Callable[[Context], Outcome]], last: str = "", seconds: float | None = None
    ) -> None:
        self._jobs = [Job(JobName(name), {"what": what}, seconds, (SEEN,)) for name, what in jobs.items()]
        self._last = last
        self.done: dict[str, JobResult] = {}
        self.is_done = False

    @property
    def waiting(self) -> int:
        return len(self._jobs)

    def next(self) -> Job | None:
        return self._jobs.pop(0) if self._jobs else None

    def over(self, job: Job, done: JobResult) -> None:
        assert job.name.engine not in self.done, "it is reported once"
        self.done[job.name.engine] = done
        self.is_done = job.name.engine == self._last


def pool(folder: Path, count: int = 2, events: list[Event] | None = None) -> LocalPool:
    context = Context({}, folder / "work", watcher=None if events is None else events.append)
    context.workdir.mkdir()
    session = Session(Chain(Path("x.chain"), stages=[("works", Works)]), ["x.c"], context)
    return LocalPool(session, JobSlots(folder / "slots", count))


def records(of: LocalPool) -> dict[str, JobEnd]:
    return {record.name.engine: record.end for record in of._session.context.jobs}


def nothing(context: Context) -> Outcome:
    return NOTHING


def test_each_job_has_its_own_process_and_its_facts_come_back(tmp_path: Path) -> None:
    events: list[Event] = []
    jobs, plan = pool(tmp_path, events=events), Listed({"a": nothing, "b": nothing, "c": nothing})
    jobs.work(plan)
    pids = {done.facts["seen"] for done in plan.done.values()}
    assert len(pids) == 3 and os.getpid() not in pids
    assert records(jobs) == dict.fromkeys("abc", JobEnd.NOTHING)
    changes = [event for event in events if isinstance(event, JobsChanged)]
    assert max(len(event.running) for event in changes) <= 2
    assert changes[-1] == JobsChanged((), 3)
    assert not list((tmp_path / "work").iterdir()), "files of jobs without a violation are left"


def test_never_more_work_than_there_are_slots(tmp_path: Path) -> None:
    def alone(context: Context) -> Outcome:
        (tmp_path / "busy").mkdir()  # which fails where it is there already
        time.sleep(0.05)
        (tmp_path / "busy").rmdir()
        return NOTHING

    plan = Listed(dict.fromkeys("abcd", alone))
    pool(tmp_path, 1).work(plan)
    assert [done.outcome for done in plan.done.values()] == [NOTHING] * 4


def test_what_goes_wrong_in_a_job_is_its_result(tmp_path: Path) -> None:
    def killed(context: Context) -> Outcome:
        os.kill(os.getpid(), signal.SIGKILL)
        return NOTHING

    def raises(context: Context) -> Outcome:
        raise ZeroDivisionError("here")

    jobs, plan = pool(tmp_path), Listed({"killed": killed, "raises": raises, "fine": nothing})
    jobs.work(plan)
    assert "was killed by signal 9" in str(plan.done["killed"].outcome)
    assert repr(plan.done["raises"].outcome) == "ZeroDivisionError('here')"
    assert plan.done["fine"].outcome == NOTHING
    assert records(jobs) == {"killed": JobEnd.FAILED, "raises": JobEnd.FAILED, "fine": JobEnd.NOTHING}


def test_where_the_answer_is_known_others_are_stopped_with_all_that_they_started(tmp_path: Path) -> None:
    def endless(context: Context) -> Outcome:
        run(
            ["/bin/sh", "-c", f"echo $$ > {tmp_path}/engine.new; mv {tmp_path}/engine.new {tmp_path}/engine; sleep 100"]
        )
        return NOTHING

    def answer(context: Context) -> Outcome:
        waited_for((tmp_path / "engine").exists)
        return Outcome(Verdict.FALSE)

    jobs, plan = pool(tmp_path), Listed({"endless": endless, "answer": answer, "later": nothing}, last="answer")
    jobs.work(plan)
    assert list(plan.done) == ["answer"]
    assert records(jobs) == {"answer": JobEnd.VIOLATED, "endless": JobEnd.STOPPED}
    assert not alive(int((tmp_path / "engine").read_text()))


def test_the_process_that_fails_may_be_the_last(tmp_path: Path) -> None:
    def endless(context: Context) -> Outcome:
        time.sleep(100)
        return NOTHING

    def killed(context: Context) -> Outcome:
        os.kill(os.getpid(), signal.SIGKILL)
        return NOTHING

    jobs, plan = pool(tmp_path), Listed({"endless": endless, "killed": killed}, last="killed")
    jobs.work(plan)
    assert list(plan.done) == ["killed"]


def test_a_job_ends_when_its_time_is_up_whatever_it_does(tmp_path: Path) -> None:
    def endless(context: Context) -> Outcome:
        while True:
            time.sleep(0.01)

    plan = Listed({"endless": endless}, seconds=0.1)
    pool(tmp_path).work(plan)
    outcome = plan.done["endless"].outcome
    assert isinstance(outcome, Outcome) and outcome.reason is Reason.TIMEOUT


def test_nobody_waits_for_a_slot_when_the_time_is_up(tmp_path: Path) -> None:
    jobs, plan = pool(tmp_path, 1), Listed({"a": nothing})
    jobs._session.context.end = time.monotonic()
    others = JobSlots(tmp_path / "slots", 1)
    assert others.try_to_take()
    jobs.work(plan)
    outcome = plan.done["a"].outcome
    assert isinstance(outcome, Outcome) and outcome.reason is Reason.TIMEOUT


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_nothing_is_left_of_nested_pools_whatever_ends_them(tmp_path: Path, how: signal.Signals) -> None:
    """A contest, whose contender has jobs done, each of which runs a program."""
    script = dedent(f"""
        import sys, signal
        from pathlib import Path
        from cseq.process.portfolio import Contender, contest
        from cseq.process.run import run
        from tests.unit.pipeline.test_localpool import NOTHING, Listed, pool

        folder = Path({str(tmp_path)!r})
        def job(number):
            def work(context):
                run(["/bin/sh", "-c", f"echo $$ > {{folder}}/{{number}}.new; "
                     f"mv {{folder}}/{{number}}.new {{folder}}/{{number}}; sleep 100"])
                return NOTHING
            return work
        def contender(say):
            pool(folder).work(Listed({{str(n): job(n) for n in range(4)}}))
        def idle(say):
            run(["/bin/sh", "-c", f"echo $$ > {{folder}}/i.new; mv {{folder}}/i.new {{folder}}/2; sleep 100"])
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
        contest([Contender("pool", contender), Contender("idle", idle)], lambda *_: True, folder)
    """)
    with subprocess.Popen([sys.executable, "-c", script], cwd=ROOT, stderr=subprocess.DEVNULL) as main:
        names = [tmp_path / name for name in "012"]
        waited_for(lambda: all(name.exists() for name in names))
        engines = [int(name.read_text()) for name in names]
        assert all(map(alive, engines))
        main.send_signal(how)
        main.wait()
        waited_for(lambda: not any(map(alive, engines)))
        waited_for(lambda: not family(tmp_path))


def family(folder: Path) -> list[int]:
    """The processes whose command lines name *folder*."""
    found = []
    for process in Path("/proc").iterdir():
        try:
            line = (process / "cmdline").read_bytes() if process.name.isdecimal() else b""
        except OSError:
            continue
        if str(folder).encode() in line and alive(int(process.name)):
            found.append(int(process.name))
    return found
