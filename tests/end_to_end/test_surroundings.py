"""What a program gets from outside, and the functions of the user's that the C library calls, in both families."""

import subprocess

import pytest

import cseq
from cseq.backends.cbmc import engines_folder
from cseq.cli.main import main
from cseq.model.claims import Limit
from cseq.model.verdict import Verdict
from cseq.report.words import message

ENGINES = ["native", *(f"cbmc {version}" for version in ("6.6", "5.12"))]

OUTSIDE = """\
#define _GNU_SOURCE
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv, char **envp)
{
    char name[4];
    int number = 0;
    assert(argc == 3 && argv[argc] == 0 && strcmp(argv[1], "-l") == 0);
    argv[2][0] = '4';
    assert(scanf("%d %3s\\n", &number, name) == 2 && strcmp(name, "abc") == 0);
    assert(getchar() == 'z' && getchar() == EOF);
    assert(!strcmp(getenv("STEP"), "3") && !getenv("ST") && !strcmp(envp[0], "STEP=3") && !envp[1]);
#ifdef BUG
    number++;
#endif
    assert(atoi(argv[2]) == number);
    return 0;
}
"""

SORTED = """\
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static int items[3] = {2, 3, 1};
static int up(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static void *sort(void *none) { qsort(items, 3, sizeof items[0], up); return 0; }
int main(void)
{
    pthread_t thread;
    int wanted = 2;
    pthread_create(&thread, 0, sort, 0);
#ifndef BUG
    pthread_join(thread, 0);
#endif
    assert(bsearch(&wanted, items, 3, sizeof items[0], up) == items + 1);
    return 0;
}
"""

ENDING = """\
#define _DEFAULT_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
int order, count;
static void last(void) { assert(order == 2); assert(count == 3); }
static void second(void) { order++; }
static void first(int status, void *argument) { assert(status == 7 && argument == &order); order++; }
static void never(void) { assert(0); }
static void *work(void *none) { count = 3; return 0; }
int main(void)
{
    pthread_t thread;
    atexit(last);
    atexit(second);
    on_exit(first, &order);
    at_quick_exit(never);
    pthread_create(&thread, 0, work, 0);
#ifndef BUG
    pthread_join(thread, 0);
#endif
    return 7;
}
"""

PROGRAMS = {"outside": OUTSIDE, "sorted": SORTED, "ending": ENDING}


@pytest.fixture
def outside(tmp_path):
    """Parameters that say what `OUTSIDE` gets."""
    (tmp_path / "input").write_text("4 abc\n z")
    return {"args": "-l '1 x'", "env": ["STEP=3"], "stdin": str(tmp_path / "input")}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("buggy", [False, True], ids=["twin", "bug"])
def test_each_engine_finds_the_bug_and_nothing_in_the_twin(name, engine, buggy, tmp_path, outside, monkeypatch):
    backend, _, version = engine.partition(" ")
    if version:
        path = engines_folder() / f"cbmc-{version}" / "bin" / "cbmc"
        if not path.exists():
            pytest.skip(f"{engine} is not installed")
        monkeypatch.setenv("CSEQ_CBMC", str(path))
    program = tmp_path / "program.c"
    program.write_text(PROGRAMS[name])
    given = outside if name == "outside" else {}
    bounds = {} if backend == "native" else {"unwind": 4, "rounds": 1 if name == "outside" else 2, "timeout": 100}
    outcome = cseq.verify(program, backend=backend, define=["BUG"] if buggy else [], **given, **bounds)
    assert outcome.exit_status == int(buggy), (message(outcome), outcome.violated)
    if backend == "native" and not buggy:
        assert outcome.verdict is Verdict.TRUE, message(outcome)


COUNTS = "#include <assert.h>\nint main(int argc, char **argv) { assert(argc != 2 || argv[1][0] != 'x'); return 0; }\n"


@pytest.mark.parametrize("backend", ["native", "cbmc"])
def test_without_arguments_the_answer_says_so(backend, tmp_path):
    program = tmp_path / "program.c"
    program.write_text(COUNTS.replace("'x'", "0 || argv[1]"))
    bounds = {} if backend == "native" else {"rounds": 1}
    outcome = cseq.verify(program, backend=backend, **bounds)
    assert outcome.verdict is Verdict.UNKNOWN
    assert any(bound.cut.limit is Limit.NO_ARGUMENTS for bound in outcome.bounds), outcome.bounds
    program.write_text(COUNTS)
    assert cseq.verify(program, backend=backend, args="", **bounds).verdict is Verdict.TRUE
    assert cseq.verify(program, backend=backend, args="x", **bounds).verdict is Verdict.FALSE


def test_the_explicit_search_tries_arguments(tmp_path):
    program = tmp_path / "program.c"
    program.write_text(COUNTS)
    assert cseq.verify(program, backend="native").verdict is Verdict.FALSE


VARIABLE = """\
#define _GNU_SOURCE
#include <assert.h>
#include <stdlib.h>
static struct { int putenv; } options = {.putenv = 1};
int main(void)
{
    const char *home = secure_getenv("HOME");
    char first = home ? *home : 0;
    assert(home == getenv("HOME") && options.putenv);
    assert(!first || FIRST);
    return 0;
}
"""


@pytest.mark.parametrize("backend", ["native", "cbmc"])
def test_the_contents_of_a_variable_are_any_text(backend, tmp_path):
    program = tmp_path / "program.c"
    program.write_text(VARIABLE)
    outcome = cseq.verify(program, backend=backend, define=["FIRST=1"])
    limits = {bound.cut.limit for bound in outcome.bounds}
    assert outcome.verdict is Verdict.UNKNOWN and Limit.VALUE in limits and Limit.UNSUPPORTED not in limits
    assert cseq.verify(program, backend=backend, define=["FIRST=0"]).verdict is Verdict.FALSE


@pytest.mark.parametrize("backend", ["native", "cbmc"])
def test_a_variable_of_a_changing_environment_is_a_cut(backend, tmp_path):
    program = tmp_path / "program.c"
    for changes in (
        'setenv("HOME", "x", 1);',
        'int (*set)(const char *, const char *, int) = setenv; set("A", "", 0);',
    ):
        program.write_text(VARIABLE.replace("const", f"{changes} const", 1))
        outcome = cseq.verify(program, backend=backend, define=["FIRST=0"])
        assert outcome.verdict is Verdict.UNKNOWN
        assert {bound.cut.limit for bound in outcome.bounds} == {Limit.UNSUPPORTED}


def test_how_many_arguments_there_are_is_a_step(tmp_path):
    program = tmp_path / "program.c"
    program.write_text("#include <assert.h>\nint main(int argc, char **argv)\n{\n  assert(argc < 2);\n  return 0;\n}\n")
    first = cseq.verify(program, backend="native").counterexample.steps[0]
    assert (first.origin.line, first.origin.function) == (2, "main")
    assert [(access.name, access.value) for access in first.accesses] == [("argc", "2")]


def test_what_is_scanned_is_compared_where_memory_is_freed(tmp_path):
    program = tmp_path / "program.c"
    program.write_text(
        "#include <assert.h>\n#include <stdio.h>\n#include <stdlib.h>\n"
        'int main(void) { int k; free(malloc(4)); assert(scanf("%d", &k) == 1 && k == 7); return 0; }\n'
    )
    (tmp_path / "input").write_text("7")
    assert cseq.verify(program, backend="native", stdin=str(tmp_path / "input")).verdict is Verdict.TRUE
    (tmp_path / "input").write_text("8")
    assert cseq.verify(program, backend="native", stdin=str(tmp_path / "input")).verdict is Verdict.FALSE


def test_any_arguments_have_the_value_that_violates(tmp_path):
    program = tmp_path / "program.c"
    program.write_text(COUNTS)
    assert cseq.verify(program, backend="cbmc", args_any=True, rounds=1).verdict is Verdict.FALSE


def test_main_whose_parameters_nobody_uses_is_proved(tmp_path):
    program = tmp_path / "program.c"
    program.write_text("int main(int argc, char **argv) { (void)argc; (void)argv; return 0; }\n")
    assert cseq.verify(program).verdict is Verdict.TRUE


def test_the_reproducer_is_started_in_the_same_way(tmp_path, outside, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    program = tmp_path / "program.c"
    program.write_text(OUTSIDE)
    words = ["program.c", "-DBUG", "--args", outside["args"], "--env", "STEP=3", "--stdin", "input"]
    assert main([*words, "-b", "native", "--reproducer", "again.c"]) == 1
    command = "env -i STEP=3 ./FILE -l '1 x' < input"
    assert command in (tmp_path / "again.c").read_text(), capsys.readouterr().err
    subprocess.run(["cc", "-w", "-pthread", "again.c", "-o", "FILE"], check=True)
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert "Assertion `atoi(argv[2]) == number' failed" in done.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--args", "'x"], '--args: "\'x": no closing quotation'),
        (["--args", "x", "--args-any"], "--args and --args-any cannot be combined"),
        (["--env", "NAME"], "--env: 'NAME' is not of the form NAME=VALUE"),
        (["--stdin", "missing.txt"], "--stdin: missing.txt: no such file or directory"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_line(words, said, tmp_path, capsys):
    program = tmp_path / "program.c"
    program.write_text(COUNTS)
    assert main([str(program), *words]) == 2
    assert capsys.readouterr().err == f"cseq: error: {said}\n"
