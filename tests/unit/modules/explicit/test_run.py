"""The engine `native` as a stage: what it reports while it searches, and how it fails."""

from pathlib import Path

import pytest

from cseq.api import Functions, run
from cseq.model.activity import Activity, ActivityKind, Amount, Phase, phase
from cseq.model.errors import BackendError
from cseq.modules.explicit import run as explorer
from cseq.pipeline.chain import load
from cseq.pipeline.stage import Context
from cseq.pipeline.status import Event, PhaseBegan
from cseq.portfolio.families import Configuration
from cseq.process.run import Completed

pytestmark = pytest.mark.engine

PROGRAM = """\
#include <pthread.h>
int x, y;
void *f(void *arg) { for (int i = 0; i < 3; i++) { x++; y += x; } return 0; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, f, 0);
  pthread_create(&b, 0, f, 0);
  return 0;
}
"""


def searching(*amounts: float) -> Phase:
    """What is reported of a search with these numbers of states, states per second, the depth, and what waits."""
    named = zip((Amount.STATES, Amount.STATES_PER_SECOND, Amount.DEPTH, Amount.WAITING), amounts, strict=True)
    return Phase((("", Activity(ActivityKind.SEARCHING, tuple(named))),), "native")


def phases(folder: Path) -> list[Phase]:
    """What is reported of the search of the program."""
    (folder / "x.c").write_text(PROGRAM)
    chain = load("explicit")
    heard: list[Event] = []
    run(Configuration(chain, chain.values({})), [folder / "x.c"], observer=Functions(changed=heard.append))
    return [event.phase for event in heard if isinstance(event, PhaseBegan) and event.phase.engine == "native"]


def test_how_far_the_search_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explorer, "_PERIOD", 1e-9)
    first, *_, last = phases(tmp_path)
    assert first == phase(ActivityKind.SEARCHING, "native")
    numbers = [number for _, number in last.activities[0][1].amounts]
    assert last == searching(*numbers)
    assert numbers[0] >= 1 and all(number >= 0 for number in numbers)


def test_a_search_that_fails_is_not_explained_by_how_far_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = "progress 0.5 100 7 20\nout of luck\nprogress 1.0 200 7 20\n"
    monkeypatch.setattr(explorer, "run", lambda *_, **__: Completed(1, "nothing", said))
    with pytest.raises(BackendError, match=r"^the backend `native` failed \(exit status 1\): out of luck$"):
        phases(tmp_path)


def test_states_per_second_are_those_since_the_last_report(tmp_path: Path) -> None:
    heard: list[Event] = []
    listen = explorer._Listener(Context({}, tmp_path, watcher=heard.append))
    listen("progress 0.500 1000 7 20\n")
    listen("progress 0.750 1100 8 30\nprogress 1.000 1500000 9 40\n")
    listen("something else\nprogress 2.000 1600000 9 50\n")
    listen("progress 0.500 10 1 1\n")  # another search
    assert heard == [
        PhaseBegan(searching(1_000, 2_000, 7, 20)),
        PhaseBegan(searching(1_500_000, 2_998_000, 9, 40)),
        PhaseBegan(searching(1_600_000, 100_000, 9, 50)),
        PhaseBegan(searching(10, 20, 1, 1)),
    ]


@pytest.mark.parametrize(("jobs", "passed"), [(None, "7"), (3, "3")])
def test_processors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jobs: int | None, passed: str) -> None:
    commands: list[list[str]] = []

    def run_explorer(command: list[str], **_: object) -> Completed:
        commands.append(command)
        return Completed(0, '{"status": "safe", "complete": true, "statistics": {"states": 1}}', "")

    (tmp_path / "x.c").write_text(PROGRAM)
    monkeypatch.setattr(explorer, "run", run_explorer)
    monkeypatch.setattr(explorer.os, "sched_getaffinity", lambda _: set(range(7)))
    chain = load("explicit")
    run(Configuration(chain, chain.values({"jobs": jobs})), [tmp_path / "x.c"])
    assert [command[command.index("--jobs") + 1] for command in commands] == [passed]
