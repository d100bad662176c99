"""A folder of small programs, for the tests of runs that check each for itself."""

from pathlib import Path

import pytest

TRUE = "#include <assert.h>\nint main(void) { assert(1); return 0; }\n"
FAILING = "#include <assert.h>\nint main(void) { int x = 1; assert(x == 2); return 0; }\n"
UNREADABLE = "int main(void) {\n    return\n}\n"
ENDLESS = """
#include <assert.h>
#include <pthread.h>
unsigned a, b;
void *work(void *unused) { while (1) { a++; b += a; } return unused; }
int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) pthread_create(&threads[i], 0, work, 0);
    while (1) assert(a + b != 4000000000u);
}
"""
CXX = "int main() { auto value = [] { return 1; }; return value() - 1; }\n"
RACING = """
#include <pthread.h>
int shared;
void *work(void *unused) { shared++; return unused; }
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    shared++;
    return pthread_join(thread, 0);
}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder has a folder `all`, with a correct program, one with a bug, and one that cannot be read."""
    monkeypatch.chdir(tmp_path)
    inside = tmp_path / "all" / "inside"
    inside.mkdir(parents=True)
    (tmp_path / "all" / "correct.c").write_text(TRUE)
    (tmp_path / "all" / "unreadable.c").write_text(UNREADABLE)
    (inside / "failing.c").write_text(FAILING)
    (inside / "header.h").write_text("int x;\n")
    hidden = tmp_path / "all" / ".hidden"
    hidden.mkdir()
    (hidden / "failing.c").write_text(FAILING)
    return tmp_path / "all"
