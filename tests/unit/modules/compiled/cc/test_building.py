"""The runtime in a static program, where the linker takes its functions apart from those of the C library."""

import subprocess
from pathlib import Path

import pytest

from cseq.modules.compiled.client.record import End
from cseq.modules.compiled.client.server import RunBatch, Server
from tests.support.compiled_programs import compiled

pytestmark = pytest.mark.engine

LOST_UPDATE = """\
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static int count;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *worker(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&mutex);
    int *next = malloc(sizeof *next);
    *next = count + 1;
    %s;
    count = *next;
    pthread_mutex_unlock(&mutex);
    free(next);
    return NULL;
}
int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    assert(count == 2);
    return 0;
}
"""


def library() -> bool:
    """Whether there is a C library for static programs."""
    asked = subprocess.run(["gcc", "-print-file-name=libc.a"], capture_output=True, text=True, check=False)
    return Path(asked.stdout.strip()).is_absolute()


@pytest.mark.parametrize(
    "between, end", [("", End.EXITED), ("pthread_mutex_unlock(&mutex); pthread_mutex_lock(&mutex)", End.ABORTED)]
)
def test_static_program(tmp_path: Path, between: str, end: End) -> None:
    if not library():
        pytest.skip("no libc.a")
    program = compiled(LOST_UPDATE % between, tmp_path, "-O2", "-static")
    assert subprocess.run([program], capture_output=True, check=False).returncode in (0, -6)
    with Server([str(program)]) as server:
        result = server.run(RunBatch(runs=100, seed=1))
        assert End(result.end) == end
        assert (result.runs == 100) == (end == End.EXITED)


def test_program_with_a_function_of_a_name_that_the_runtime_has(tmp_path: Path) -> None:
    own = "static int sent; int send(int x) { sent += x; return sent; }\nint main(void) { return send(2) != 2; }"
    program = compiled(own, tmp_path, "-O0")
    with Server([str(program)]) as server:
        result = server.run(RunBatch())
    assert (End(result.end), result.detail) == (End.EXITED, 0)
