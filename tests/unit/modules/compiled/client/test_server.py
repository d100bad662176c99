"""Runs of a compiled program: strategies, limits, and what a program may do to the process that forks its runs."""

import subprocess
from collections import Counter
from pathlib import Path

import pytest

from cseq.modules.compiled.client.record import End, RequestFlag, Strategy
from cseq.modules.compiled.client.server import RunBatch, Server, ServerError
from tests.support.compiled_programs import compiled

pytestmark = pytest.mark.engine

SOURCE = Path(__file__).with_name("scheduled.c")
WAYS = [(strategy, depth) for strategy in Strategy for depth in ((1, 3) if strategy is Strategy.PCT else (2,))]


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled(SOURCE, tmp_path_factory.mktemp("scheduled"))


@pytest.mark.parametrize(("strategy", "depth"), WAYS)
def test_no_strategy_starves_the_thread_that_others_wait_for(program: Path, strategy: Strategy, depth: int) -> None:
    with Server([str(program), "awaited"]) as server:
        result = server.run(RunBatch(5, strategy, depth=depth, length=40))
        assert (End(result.end), result.runs) == (End.EXITED, 5)


@pytest.mark.parametrize(
    ("word", "end", "spinning"),
    [
        ("livelock", End.STEPS, True),
        ("held", End.STEPS, True),
        ("long", End.STEPS, False),
        ("patient", End.STEPS, False),
        ("counted", End.STEPS, False),
        ("silent", End.TIME, False),
    ],
)
def test_at_its_limit_a_run_spins_or_is_long(program: Path, word: str, end: End, spinning: bool) -> None:
    with Server([str(program), word]) as server:
        result = server.run(RunBatch(steps=2000, seconds=0.5, flags=RequestFlag.NO_RACES))
        assert End(result.end) is end
        assert (result.spinning == 1000) is spinning
        if spinning:  # a fair strategy has gone on for a while
            assert result.operations > 2001


@pytest.mark.parametrize(("word", "schedules"), [("apart", 1), ("readers", 1), ("reader", 2), ("circle", 3)])
def test_runs_that_differ_in_the_order_of_commuting_operations_have_one_hash(
    program: Path, word: str, schedules: int
) -> None:
    hashes: set[int] = set()
    with Server([str(program), word]) as server:
        for seed in range(1, 41):
            server.run(RunBatch(seed=seed))
            hashes.add(server.shared.result.schedule)
    assert len(hashes) == schedules


def test_each_strategy_with_chance_finds_the_deadlock_and_its_choices_repeat_it(program: Path) -> None:
    with Server([str(program), "circle"]) as server:
        # PCTWM changes the priorities of threads at atomic loads only, of which there are none.
        for strategy in set(Strategy) - {Strategy.RUN, Strategy.ROUND, Strategy.PCTWM}:
            order = RunBatch(400, strategy, length=14, weights=(5, 5, 5))
            assert server.run(order).end == End.DEADLOCK, strategy
            first = server.copied(order)
            choices = [(int(choice.kind), choice.value) for choice in first.decisions]
            again = server.recorded(RunBatch(strategy=Strategy.RUN, choices=choices, flags=RequestFlag.STRICT))
            assert (again.end, again.operations, again.schedule) == (first.end, first.operations, first.schedule)


def test_what_is_expected_does_not_end_a_batch(program: Path) -> None:
    with Server([str(program), "status"]) as server:
        result = server.run(RunBatch(200, status=5))
        assert (result.detail, result.runs < 200) == (6, True)
        assert server.run(RunBatch(50, status=None)).runs == 50
        assert server.run(RunBatch(5, status=0)).runs == 1
        assert server.run(RunBatch(50_000, status=None, batch_seconds=0.05)).runs < 50_000


def test_processes_that_a_run_leaves_are_killed_and_the_next_run_is_not_disturbed(program: Path) -> None:
    with Server([str(program), "processes"]) as server:
        result = server.run(RunBatch(3, status=0, flags=RequestFlag.NO_RACES))
        assert (End(result.end), result.runs) == (End.EXITED, 3)
        left = subprocess.run(["pgrep", "-f", f"{program} processes"], capture_output=True, text=True, check=False)
        assert left.stdout.split() == [str(server._process.pid)]


def test_the_output_that_is_kept_is_bounded(program: Path) -> None:
    with Server([str(program), "prints"]) as server:
        assert server.run(RunBatch(2)).end == End.EXITED
        assert Counter(server.copied(RunBatch(2)).output).keys() <= {ord("x")}
        assert len(server.copied(RunBatch(2)).output) <= 16 << 20


def test_a_program_without_the_runtime_is_refused() -> None:
    with pytest.raises(ServerError, match="not instrumented"):
        Server(["/bin/true"])
