"""Sources in C and C++ that are compiled and run, from the command to the outcome."""

from pathlib import Path

import pytest

import cseq
from cseq.cli.main import main
from cseq.model.errors import InputError, MissingError, UsageError
from cseq.model.verdict import Reason, Verdict
from cseq.modules.compiled.saved import read

pytestmark = pytest.mark.engine

MAIN = """\
#include <pthread.h>
extern "C" void *work(void *lock);
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int main(int count, char **) {
  pthread_t thread;
  pthread_create(&thread, nullptr, work, &lock);
  if (count > 1) {
    pthread_mutex_lock(&lock);
    pthread_mutex_lock(&lock);
  }
  return pthread_join(thread, nullptr) + LEFT;
}
"""

WORK = """\
#include <pthread.h>
void *work(void *lock) {
    pthread_mutex_lock(lock);
    pthread_mutex_unlock(lock);
    return NULL;
}
"""


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    (tmp_path / "main.cxx").write_text(MAIN)
    (tmp_path / "work.c").write_text(WORK)
    monkeypatch.chdir(tmp_path)
    return ["main.cxx", "work.c"]


def test_files_in_both_languages_are_one_program(
    files: list[str], capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main([*files, "-q", "-D", "LEFT=0", "--args", "x", "--runs", "50", "--save", "run.cseq"]) == 1
    saved = read("run.cseq")
    assert saved.sources == tuple(files) and saved.options == ("-O1", "-DLEFT=0")
    assert (saved.end, saved.arguments) == ("deadlock", ("x",))
    monkeypatch.chdir("/")
    assert main(["replay", "--times", "5", "-q", str(Path(saved.folder) / "run.cseq")]) == 1
    assert capfd.readouterr().out == "FALSE\nFALSE\n"


def test_all_schedules(files: list[str]) -> None:
    proved = cseq.verify(files, define=("LEFT=0",), exhaustive=True)
    assert (proved.verdict, proved.backend) == (Verdict.TRUE, "compiled")
    assert proved.statistics["runs"] > 0


def test_what_does_not_compile_or_run(files: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError) as caught:
        cseq.verify(files)
    assert caught.value.origin is not None and str(caught.value.origin) == "main.cxx:11"
    assert "LEFT" in caught.value.message
    with pytest.raises(InputError, match=r"cannot read none\.cpp"):
        cseq.verify("none.cpp")
    with pytest.raises(UsageError, match="was not compiled by cseq-cc or cseq-c"):
        cseq.verify("/bin/true", chain="compiled", built=True)
    monkeypatch.setenv("CSEQ_CXX", "/no/such/compiler")
    with pytest.raises(MissingError, match="the backend `compiled`: CSEQ_CXX is /no/such/compiler"):
        cseq.verify(files)


def test_one_thread_has_one_schedule(tmp_path: Path) -> None:
    path = tmp_path / "alone.c"
    path.write_text('#include <stdio.h>\nint main(void) { puts("hello"); return 0; }\n')
    alone = cseq.verify(path, backend="compiled")
    assert (alone.verdict, alone.reason, alone.output) == (Verdict.UNKNOWN, Reason.BOUNDED, b"hello\n")
    assert [(bound.kind, bound.value) for bound in alone.bounds] == [("runs", 1)]
