"""A real run, from the program to the words of the report."""

from pathlib import Path

import pytest

from cseq.modules.compiled.client.record import End, RequestFlag
from cseq.modules.compiled.client.server import RunBatch, Server
from cseq.modules.compiled.tracing.execution import RunTrace
from cseq.report.waits import deadlock
from tests.support.compiled_programs import compiled

pytestmark = pytest.mark.engine

SOURCE = """\
#include <mutex>
#include <thread>

struct Account { int balance; std::mutex lock; } accounts[2];

int main()
{
    accounts[1].lock.lock();
    std::thread other([] { accounts[1].lock.lock(); });
    other.join();
}
"""


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> RunTrace:
    folder = tmp_path_factory.mktemp("retelling")
    with Server([str(compiled(SOURCE, folder, cxx=True))]) as server:
        recorded = server.recorded(RunBatch(flags=RequestFlag.DETAIL))
    assert recorded.end is End.DEADLOCK
    return RunTrace(recorded, folder)


def test_a_deadlock_with_a_join_in_a_library_without_hooks(told: RunTrace) -> None:
    assert deadlock(told.blocked.stuck) == (
        "deadlock: main holds `accounts[1].lock` since program.cpp:8 and waits for lambda at program.cpp:9 (thread 1) "
        "to end at program.cpp:10; lambda at program.cpp:9 (thread 1) waits for `accounts[1].lock` at program.cpp:9"
    )


def test_threads_are_created_where_the_user_does_so(told: RunTrace) -> None:
    created = [(step.origin.line, step.created) for step in told.steps.steps if step.created]
    assert [(line, [thread.number for thread in threads]) for line, threads in created] == [(9, [1])]


def test_nothing_of_the_library_is_shown(told: RunTrace) -> None:
    shown = told.of_deadlock()
    assert {Path(step.origin.file).name for step in shown.steps} == {"program.cpp"}
    assert all(step.source for step in shown.steps)
