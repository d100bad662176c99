"""`cseq check --shared`: the shared data of files and of projects, and the attributes that clang checks."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from cseq.cli.main import main
from tests.support.checkout import ROOT
from tests.support.jsonschema_check import check_schema

FOLDER = ROOT / "sv-benchmarks" / "race-freedom"
COMPILER = next((name for name in ("clang", "clang-14", "clang-15", "clang-16") if shutil.which(name)), "")

POOL = """\
#include <stdlib.h>
#include <pthread.h>

static int *cells, number;      /* number of the cells */
static long total = 0,
            most;
static void (*hook)(int);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t gate = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static int config, spun;
static struct { int a, b; pthread_mutex_t m; } both = { .m = PTHREAD_MUTEX_INITIALIZER };
static int inside;
struct node { struct node *next; int value; };
static struct node *list;

static int grow(int by);

static int
grow(int by)
{
    number += by;
    return number;
}
static int read_config(void) { return config; }

void pool_hook(void (*f)(int))
{
    pthread_mutex_lock(&lock);
    hook = f;
    pthread_mutex_unlock(&lock);
}
int pool_get(void)
{
    int found = 0;
    pthread_mutex_lock(&lock);
    if (!cells)
        cells = malloc(32);
    if (number > 0)
        found = cells[grow(-1) & 7];
    total++;
    if (most < total)
        most = total;
    if (hook)
        found++;
    if (list)
        list->value++;
    pthread_mutex_unlock(&lock);
    pthread_rwlock_rdlock(&gate);
    found += config + read_config();
    pthread_rwlock_unlock(&gate);
    pthread_spin_lock(&spin);
    spun++;
    pthread_spin_unlock(&spin);
    return found;
}
void pool_put(int v)
{
    struct node *node = malloc(sizeof *node);
    pthread_mutex_lock(&lock);
    node->value = v;
    node->next = list;
    list = node;
    if (cells)
        cells[grow(1) & 7] = v;
    pthread_mutex_unlock(&lock);
    pthread_rwlock_wrlock(&gate);
    config = read_config() + 1;
    pthread_rwlock_unlock(&gate);
    if (pthread_mutex_trylock(&both.m) == 0) {
        both.a++;
        both.b++;
        inside++;
        pthread_mutex_unlock(&both.m);
    }
}
"""
MAIN = """\
#include <pthread.h>
void pool_hook(void (*f)(int));
int pool_get(void);
void pool_put(int v);
static void f(int v) { (void)v; }
static void *work(void *p)
{
    pool_put(pool_get());
    pool_hook(f);
    return p;
}
int main(void)
{
    pthread_t t[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&t[i], 0, work, 0);
    return 0;
}
"""


@pytest.fixture
def pool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program of two files in the current folder."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "main.c").write_text(MAIN)
    (tmp_path / "pool.c").write_text(POOL)
    return tmp_path


def say(capfd: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    status = main(["check", "--shared", *words])
    return (status, *capfd.readouterr())


def test_all_is_protected(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FOLDER)
    status, out, _ = say(capfd, "lock_in_struct_good.c")
    assert status == 0
    assert (
        out
        == """\
lock_in_struct_good.c: 1 object shared and written: 1 protected
  accounts[i].balance (lock_in_struct_good.c:12)
    always under `accounts[i].lock`
      work  work()  lock_in_struct_good.c:20  reads, writes  under accounts[i].lock
the reasons hold for any number of threads, iterations and calls, if all accesses to memory are valid (--memsafety)
TRUE: no violation in any execution without invalid accesses to memory (see --memsafety)

"""
    )


def test_a_race_is_marked_where_it_was_found(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(FOLDER)
    status, out, _ = say(capfd, "sequence_number_bad.c")
    assert status == 1
    assert "1 in a data race" in out and "    data race: `work()` at sequence_number_bad.c:24 (read) holds none" in out
    assert "  mine[i] (sequence_number_bad.c:12)\n    one cell per thread\n" in out
    assert re.search(r"^FALSE: data race on `sequence`", out, re.MULTILINE)


def test_a_search_is_the_reason_where_the_analysis_has_none(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(FOLDER)
    status, out, _ = say(capfd, "every_nth_cell_good.c")
    assert status == 0 and "    no race in any execution (search)\n" in out


def test_what_is_left_over_is_no_answer(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FOLDER)
    status, out, _ = say(capfd, "every_nth_cell_good.c", "-b", "native", "--threads", "1")
    assert status == 3
    assert "    no common lock: `work()` at every_nth_cell_good.c:14 (write) holds none\n" in out
    assert re.search(r"^UNKNOWN: nothing is known to prevent a data race on `cells\[i\]`", out, re.MULTILINE)


def test_the_report_for_programs_and_the_page(pool: Path, capfd: pytest.CaptureFixture[str]) -> None:
    status, out, _ = say(capfd, "main.c", "pool.c", "--json", "--html", "page.html")
    assert status == 0
    report = json.loads(out)
    check_schema(report)
    objects = {each["name"]: each for each in report["properties"][0]["shared_data"]["objects"]}
    assert objects["config"]["protections"] == [
        {"kind": "lock", "by": "gate", "description": "always under `gate`"},
    ]
    assert {each["function"] for each in objects["number"]["accesses"]} == {"grow", "pool_get"}
    page = (pool / "page.html").read_text()
    assert "always under `both.m`" in page and 'class="left"' not in page
    assert say(capfd, "main.c", "pool.c", "-q")[:2] == (0, "TRUE     main.c and 1 more\n")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "--shared: no input file, and no --project"),
        (["nowhere.c"], "nowhere.c"),
        (["."], "--shared: . is a folder"),
        (["main.c", "--sarif"], "--shared and --sarif cannot be combined"),
        (["main.c", "--junit", "x.xml"], "--shared and --junit cannot be combined"),
    ],
)
def test_what_is_refused(words: list[str], message: str, pool: Path, capfd: pytest.CaptureFixture[str]) -> None:
    status, _, err = say(capfd, *words)
    assert status == 2 and message in err


def test_annotations_are_for_the_table(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--project", ".", "--annotate", "x"]) == 2
    assert "--annotate is for --shared" in capfd.readouterr().err


def test_a_program_that_is_not_followed(pool: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (pool / "main.c").write_text(MAIN.replace("return 0;", "pthread_cancel(t[0]); return 0;"))
    status, out, _ = say(capfd, "main.c", "pool.c", "--timeout", "1")
    assert status in (0, 3) and "nothing is known of the shared data: main.c:" in out


# Attributes


def checked(folder: Path, *files: str) -> list[str]:
    """The warnings of clang."""
    words = [COMPILER, "-fsyntax-only", "-Wall", "-Wthread-safety", *files]
    found = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    return [line for line in found.stderr.splitlines() if "warning:" in line or "error:" in line]


@pytest.mark.skipif(not COMPILER or not shutil.which("patch"), reason="clang or patch is not installed")
def test_clang_accepts_the_attributes_and_finds_what_violates_them(
    pool: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    status, _, err = say(capfd, "main.c", "pool.c", "--annotate", "x.patch")
    assert (status, err) == (0, "")
    subprocess.run(["patch", "-s", "-p0", "-i", "x.patch"], cwd=pool, check=True)
    text = (pool / "pool.c").read_text()
    for line in (
        "static int *cells GUARDED_BY(lock), number GUARDED_BY(lock);      /* number of the cells */",
        "            most GUARDED_BY(lock);",
        "static void (*hook)(int) GUARDED_BY(lock);",
        "static int config GUARDED_BY(gate), spun GUARDED_BY(spin);",
        "static struct { int a GUARDED_BY_MEMBER(m), b GUARDED_BY_MEMBER(m); pthread_mutex_t m; } both",
        "static int inside GUARDED_BY(both.m);",
        "static struct node *list GUARDED_BY(lock);",
        "grow(int by) REQUIRES(lock)",
        "static int read_config(void) REQUIRES_SHARED(gate) { return config; }",
    ):
        assert line in text, line
    assert checked(pool, "main.c", "pool.c") == []
    assert (
        subprocess.run(
            ["gcc", "-Wall", "-Werror", "-fsyntax-only", "main.c", "pool.c"], cwd=pool, check=False
        ).returncode
        == 0
    )
    for old, new, what in (
        ("pthread_rwlock_rdlock(&gate);", "", "gate"),
        ("    spun++;\n", "    spun++; total++;\n", "total"),
        ("pthread_rwlock_wrlock(&gate);", "pthread_rwlock_rdlock(&gate);", "config"),
        ("    return found;\n}\nvoid pool_put", "    return grow(0);\n}\nvoid pool_put", "grow"),
    ):
        assert old in text
        (pool / "pool.c").write_text(text.replace(old, new))
        assert any(what in line and "[-Wthread-safety-analysis]" in line for line in checked(pool, "pool.c")), what


@pytest.mark.skipif(not COMPILER or not shutil.which("patch"), reason="clang or patch is not installed")
@pytest.mark.parametrize("name", ["ring_buffer", "cache", "spin_lock", "sequence_number", "striped_locks", "trylock"])
def test_clang_accepts_the_attributes_of_small_programs(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copy(FOLDER / f"{name}_good.c", tmp_path / "a.c")
    before = checked(tmp_path, "a.c")
    assert say(capfd, "a.c", "--annotate", "x.patch")[0] == 0
    if (tmp_path / "x.patch").read_text():
        subprocess.run(["patch", "-s", "-p0", "-i", "x.patch"], cwd=tmp_path, check=True)
        assert "GUARDED_BY(" in (tmp_path / "a.c").read_text()
    assert checked(tmp_path, "a.c") == before


# Projects


@pytest.mark.skipif(shutil.which("cmake") is None, reason="cmake is not installed")
def test_all_files_of_a_program_of_a_project_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "stock"
    shutil.copytree(ROOT / "tests" / "end_to_end" / "stock", folder)
    monkeypatch.chdir(folder)
    subprocess.run(["cmake", "-S", ".", "-B", "build"], check=True, capture_output=True)
    status, out, _ = say(capfd, "--project", "build")
    assert status == 0
    assert (
        """\
together: 1 object shared and written: 1 protected
  items (stock.c:10)
    always under `lock`
      sell  is_there()  stock.c:15  reads          under lock
      sell  take()      stock.c:32  reads, writes  under lock
      main  left()      stock.c:41  reads          under lock
"""
        in out
    )
    assert "3 programs: 3 correct" in out
    status, out, _ = say(capfd, "--project", "build", "--json")
    tasks = json.loads(out)["tasks"]
    shared = {task["path"]: task["report"]["properties"][0]["shared_data"]["objects"] for task in tasks}
    assert [each["name"] for each in shared["alone"]] == ["items"] and shared["empty"] == []


# Libraries

STACK = """\
#include <pthread.h>
#include <stdlib.h>
struct node { struct node *next; int value; };
struct stack { pthread_mutex_t lock; struct node *top; int size; };
static int total;
static pthread_mutex_t all = PTHREAD_MUTEX_INITIALIZER;
void push(struct stack *s, int v)
{
    struct node *n = malloc(sizeof *n);
    n->value = v;
    pthread_mutex_lock(&s->lock);
    n->next = s->top;
    s->top = n;
    s->size++;
    pthread_mutex_unlock(&s->lock);
    pthread_mutex_lock(&all);
    total++;
    pthread_mutex_unlock(&all);
}
int length(struct stack *s)
{
#ifndef BUG
    pthread_mutex_lock(&s->lock);
#endif
    int found = s->size;
#ifndef BUG
    pthread_mutex_unlock(&s->lock);
#endif
    return found;
}
"""


@pytest.fixture
def stack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "stack.c").write_text(STACK)


@pytest.mark.usefixtures("stack")
def test_a_library_is_protected_whoever_calls_it(capfd: pytest.CaptureFixture[str]) -> None:
    status, out, err = say(capfd, "stack.c", "--entries", "all")
    assert (status, err) == (0, "")
    assert (
        """\
  any_stack[i].size
    always under `any_stack[i].lock`
      any_thread  push()    stack.c:14  reads, writes  under any_stack[i].lock
      any_thread  length()  stack.c:25  reads          under any_stack[i].lock
"""
        in out
    )
    assert "that call `push`, `length` with valid arguments" in out
    assert "TRUE: no data race if threads call `push` and 1 more with valid arguments" in out
    status, out, _ = say(capfd, "stack.c", "--entries", "push,length", "--json")
    assert json.loads(out)["properties"][0]["shared_data"]["entries"] == ["push", "length"]


@pytest.mark.usefixtures("stack")
def test_a_library_that_lacks_a_lock_has_a_race(capfd: pytest.CaptureFixture[str]) -> None:
    status, out, _ = say(capfd, "stack.c", "--entries", "all", "-D", "BUG")
    assert status == 1
    assert "    data race: `push()` at stack.c:14 (write) holds `any_stack[i].lock`, `length()` at stack.c:25" in out
    assert say(capfd, "stack.c", "--entries", "length", "-D", "BUG")[0] == 0  # it only reads


@pytest.mark.usefixtures("stack")
def test_a_search_with_few_structures_proves_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    Path("stack.c").write_text("static _Bool never; int x; void f(void) { if (never) x++; }")
    status, out, _ = say(capfd, "stack.c", "--entries", "all", "--timeout", "20")
    assert "no race in any execution" not in out
    assert status == (0 if "x (" not in out else 3)


@pytest.mark.parametrize(
    ("entries", "message"),
    [("nothing", "no file defines a function `nothing`"), ("apply", "needs a pointer to a function")],
)
@pytest.mark.usefixtures("stack")
def test_functions_that_cannot_be_called(entries: str, message: str, capfd: pytest.CaptureFixture[str]) -> None:
    with Path("stack.c").open("a") as file:
        file.write("int apply(int (*f)(int)) { return f(1); }\n")
    status, _, err = say(capfd, "stack.c", "--entries", entries)
    assert status == 2 and message in err
    status, _, err = say(capfd, "stack.c", "--entries", "all")
    assert status == 0 and "warning: --entries: `apply` is not called: it needs a pointer to a function" in err
