"""The engine `native` as a stage: what it reports while it searches, and how it fails."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from cseq.app.api import Functions, run
from cseq.app.families import Way
from cseq.base.errors import BackendError
from cseq.modules.runs import explorer
from cseq.pipeline.chain import load
from cseq.pipeline.stage import Context
from cseq.process.run import Completed

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


def phases(folder: Path) -> list[str]:
    """What is reported of the search of the program."""
    (folder / "x.c").write_text(PROGRAM)
    chain = load("explicit")
    heard: list[tuple[str, Any]] = []
    observer = Functions(changed=lambda what, value: heard.append((what, value)))
    run(Way(chain, chain.values({})), [folder / "x.c"], observer=observer)
    return [value for what, value in heard if what == "phase" and value.startswith("native")]


def test_how_far_the_search_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explorer, "_PERIOD", 1e-9)
    first, *_, last = phases(tmp_path)
    assert first == "native: searching"
    assert re.fullmatch(r"native: [1-9][\d ]* states, \d[\d ]* per second, depth \d+, \d[\d ]* waiting", last)


def test_a_search_that_fails_is_not_explained_by_how_far_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = "progress 0.5 100 7 20\nout of luck\nprogress 1.0 200 7 20\n"
    monkeypatch.setattr(explorer, "run", lambda *_, **__: Completed(1, "nothing", said))
    with pytest.raises(BackendError, match=r"^the backend `native` failed \(exit status 1\): out of luck$"):
        phases(tmp_path)


def test_states_per_second_are_those_since_the_last_report(tmp_path: Path) -> None:
    heard: list[str] = []
    listen = explorer._Listener(Context({}, tmp_path, watcher=lambda what, value: heard.append(value)))
    listen("progress 0.500 1000 7 20\n")
    listen("progress 0.750 1100 8 30\nprogress 1.000 1500000 9 40\n")
    listen("something else\nprogress 2.000 1600000 9 50\n")
    listen("progress 0.500 10 1 1\n")  # another search
    assert heard == [
        "native: 1 000 states, 2 000 per second, depth 7, 20 waiting",
        "native: 1 500 000 states, 2 998 000 per second, depth 9, 40 waiting",
        "native: 1 600 000 states, 100 000 per second, depth 9, 50 waiting",
        "native: 10 states, 20 per second, depth 1, 1 waiting",
    ]
