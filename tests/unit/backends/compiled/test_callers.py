"""What a program does in a library with hooks is the same whether or not its stacks are recorded."""

import os
import subprocess
from pathlib import Path

import pytest

from cseq.modules.compiled.cc.wrapper import invocation
from cseq.modules.compiled.client.record import EntryFlag, Op, RequestFlag, Strategy
from cseq.modules.compiled.client.recorded import RecordedRun
from cseq.modules.compiled.client.server import RunBatch, Server

pytestmark = pytest.mark.engine

LIBRARY = """
#include <pthread.h>
static int shared;
static void *work(void *given) { shared++; return given; }
void both(void) {
    pthread_t one, other;
    pthread_create(&one, 0, work, 0);
    pthread_create(&other, 0, work, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
}
"""
MAIN = "void both(void); int main(void) { both(); return 0; }"


def visible(run: RecordedRun) -> list[tuple[Op, int]]:
    hidden = (Op.ALLOCATE, Op.FREE)
    return [(o.op, o.thread) for o in run.operations if not o.flags & EntryFlag.OBSERVED and o.op not in hidden]


def test_stacks_through_a_library_add_no_operations(tmp_path: Path) -> None:
    for name, text in {"part.c": LIBRARY, "main.c": MAIN}.items():
        (tmp_path / name).write_text(text)
    for words in ("-shared -fPIC part.c -o libpart.so", "main.c -L. -lpart -Wl,-rpath,$ORIGIN -o main"):
        subprocess.run([*invocation(False), *words.split()], cwd=tmp_path, check=True)
    with Server([str(tmp_path / "main")], dict(os.environ), tmp_path, cpu=0) as server:
        order = RunBatch(1, Strategy.WALK, 3, RequestFlag(0), steps=10_000, seconds=5)
        plain = server.recorded(order)
        order = RunBatch(1, Strategy.WALK, 3, RequestFlag.DETAIL, steps=10_000, seconds=5)
        detailed = server.recorded(order)
    assert len(plain.races) > 0
    assert visible(detailed) == visible(plain)
