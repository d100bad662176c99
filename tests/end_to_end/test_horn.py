"""Proofs without bounds from the command line: programs that loop, create and read for ever, and their buggy twins."""

import json
import time
from pathlib import Path
from textwrap import dedent

import pytest

from cseq.cli.main import main

HEAD = """\
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int s, l;
"""

PROGRAMS = {
    "loop": """
        void *worker(void *arg) {
            while (1) {
                pthread_mutex_lock(&m); s = s + 1; s = s - 1; pthread_mutex_unlock(&m);
            }
        }
        int main(void) {
            pthread_t t;
            pthread_create(&t, 0, worker, 0);
            LOCK; assert(s == 0); UNLOCK;
        }
        """,
    "creation": """
        void *worker(void *arg) {
            int v = __VERIFIER_nondet_int();
            if (v < 0) return 0;
            pthread_mutex_lock(&m); s = v; l = v; pthread_mutex_unlock(&m);
            LOCK; assert(s <= l); UNLOCK;
            return 0;
        }
        int main(void) { pthread_t t; while (1) pthread_create(&t, 0, worker, 0); }
        """,
    "inputs": """
        int n;
        void *worker(void *arg) {
            int i = 0;
            while (i < n) i++;
            LOCK; s = s + i; UNLOCK;
            return 0;
        }
        int main(void) {
            pthread_t t;
            n = __VERIFIER_nondet_int();
            if (n < 0 || n > 1000) return 0;
            pthread_create(&t, 0, worker, 0);
            LOCK; int seen = s; UNLOCK;
            assert(seen == 0 || seen == n - BUG);
            return 0;
        }
        """,
}  # fmt: skip
"""Safe programs. In a buggy twin main, or the worker, looks without the lock, or for the wrong number."""


def program(folder: Path, name: str, buggy: bool = False) -> str:
    """The file of a program."""
    text = HEAD + dedent(PROGRAMS[name])
    is_counted = "BUG" in text
    lock, unlock = "pthread_mutex_lock(&m)", "pthread_mutex_unlock(&m)"
    if buggy and not is_counted:
        lock = unlock = "(void)0"
    text = text.replace("UNLOCK", unlock).replace("LOCK", lock).replace("BUG", str(int(buggy)))
    path = folder / f"{name}.c"
    path.write_text(text)
    return str(path)


def said(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    """The exit status, and what the command prints on standard output and on standard error."""
    status = main(list(words))
    printed = capsys.readouterr()
    return status, printed.out, printed.err


@pytest.mark.parametrize("name", PROGRAMS)
def test_proofs(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = said(capsys, "-b", "horn", "--timeout", "100", program(tmp_path, name))
    assert (status, out.splitlines()[0]) == (0, "TRUE: no violation in any execution")


@pytest.mark.parametrize("name", PROGRAMS)
def test_buggy_twins_are_not_proved_and_their_bugs_are_found(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = program(tmp_path, name, buggy=True)
    status, out, _ = said(capsys, "-b", "horn", "--timeout", "3", file)
    assert status == 3
    assert out.startswith("UNKNOWN: ")
    assert "-b auto, which also looks for a violation" in out
    status, out, _ = said(capsys, "--timeout", "100", file)
    assert status == 1
    assert out.startswith("FALSE: assertion ")


def test_by_default_the_proof_is_found_as_well(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = said(capsys, "--timeout", "100", program(tmp_path, "creation"))
    assert status == 0
    assert out.splitlines() == ["TRUE: no violation in any execution", "(by horn)"]


def test_the_report_and_the_witness(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    witness = tmp_path / "witness.yml"
    words = ("-b", "horn", "--timeout", "100", "--json", "--witness", str(witness), program(tmp_path, "loop"))
    status, out, _ = said(capsys, *words)
    report = json.loads(out)
    (answer,) = report["properties"]
    assert (status, report["verdict"], report["backend"]) == (0, "TRUE", "horn")
    proved = [each for each in answer["tries"] if each["end"] == "proved"]
    assert (len(proved), answer["proof"]["solvers"]) == (1, ["z3", "cvc5"])
    assert 'entry_type: "invariant_set"' in witness.read_text()


def test_why_there_is_no_proof(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "flag.c"
    file.write_text("extern int __VERIFIER_nondet_int(void);\nextern void abort(void);\n#include <assert.h>\n"
                    "int main(void) { int i = __VERIFIER_nondet_int(); assert(i != 5); return 0; }\n")  # fmt: skip
    status, out, _ = said(capsys, "-b", "horn", str(file))
    assert status == 3
    first, *tries = out.splitlines()
    # Which of the forms gives up first depends on the machine.
    assert first == "UNKNOWN: no proof was found"
    assert tries[0].startswith("  each thread by itself") and ": not provable in this way (" in tries[0]


def test_the_heap_is_refused_by_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "heap.c"
    file.write_text("#include <stdlib.h>\n#include <assert.h>\n"
                    "int main(void)\n{\n  int *p = malloc(4);\n  if (p) { *p = 1; assert(*p == 1); }\n}\n")  # fmt: skip
    status, _, err = said(capsys, "-b", "horn", str(file))
    assert status == 2
    assert err == (
        f"{file}:5: error: the function `malloc` is not supported in a deductive proof; "
        "-b native and -b cbmc may support it\n"
    )


STAGE = """
        for (int i = 0; i < N; i++) pthread_create(&p[i], 0, add, 0);
        for (int i = 0; i < JOINED; i++) pthread_join(p[i], 0);
"""


def many(
    folder: Path, threads: int, stages: int, joined: int | None = None,
    lock: str = "pthread_mutex_lock(&m);", unlock: str = "pthread_mutex_unlock(&m);",
) -> str:  # fmt: skip
    """The file of a program whose threads count themselves: so many in each stage.

    joined: how many of a stage main waits for. lock, unlock: what a thread does before it counts, and afterwards.
    """
    stage = STAGE.replace("JOINED", str(threads if joined is None else joined)).replace("N", str(threads))
    path = folder / "many.c"
    path.write_text(
        HEAD
        + f"""
        void *add(void *arg) {{
            {lock}
            s++;
            {unlock}
            return 0;
        }}
        int main(void) {{
            pthread_t p[{threads}];
            {stage * stages}
            pthread_mutex_lock(&m); assert(s == {threads * stages}); pthread_mutex_unlock(&m);
        }}
        """
    )
    return str(path)


@pytest.mark.parametrize("threads, stages", [(70, 1)])
def test_threads_that_are_joined_by_an_array(
    threads: int, stages: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, _ = said(capsys, "-b", "horn", "--timeout", "100", many(tmp_path, threads, stages))
    assert (status, out.splitlines()[0]) == (0, "TRUE: no violation in any execution")


def test_one_thread_of_an_array_that_is_not_joined(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = many(tmp_path, 70, 1, joined=69)
    status, out, _ = said(capsys, "-b", "horn", "--timeout", "3", file)
    assert (status, out.split(":")[0]) == (3, "UNKNOWN")
    status, out, _ = said(capsys, "--timeout", "100", file)
    assert (status, out.split(" `")[0]) == (1, "FALSE: assertion")


def test_threads_of_an_array_that_need_not_lock(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lock = "int locks = __VERIFIER_nondet_int(); if (locks) pthread_mutex_lock(&m);"
    unlock = "if (locks) pthread_mutex_unlock(&m);"
    status, out, _ = said(capsys, "-b", "horn", "--timeout", "3", many(tmp_path, 70, 1, lock=lock, unlock=unlock))
    assert (status, out.split(":")[0]) == (3, "UNKNOWN")
    status, out, _ = said(capsys, "--timeout", "100", many(tmp_path, 6, 1, lock=lock, unlock=unlock))
    assert (status, out.split(" `")[0]) == (1, "FALSE: assertion")


def test_an_array_that_others_reach_is_refused_by_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "shared.c"
    file.write_text(HEAD + dedent("""\
        void *f(void *p) { return ((int *) p)[3] ? p : 0; }
        int main(void)
        {
            int a[65]; pthread_t t;
            pthread_create(&t, 0, f, a);
        }
        """))  # fmt: skip
    status, _, err = said(capsys, "-b", "horn", str(file))
    assert status == 2
    assert err == (
        f"{file}:9: error: `a`, where more than 64 elements get a value at once, is not supported in a deductive proof"
        "; -b native and -b cbmc may support it\n"
    )


@pytest.mark.parametrize("option, name", [("--race", "no-data-race"), ("--deadlock", "no-deadlock")])
def test_other_properties_are_refused_by_name(
    option: str, name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, _, err = said(capsys, "-b", "horn", option, program(tmp_path, "loop"))
    assert status == 2
    assert f"-b horn proves unreach-call, not {name}; without -b, CSeq chooses the engine of each property" in err


def test_the_time_limit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    begun = time.monotonic()
    status, out, _ = said(capsys, "-b", "horn", "--timeout", "0.05", program(tmp_path, "creation"))
    assert status == 3 and out.startswith("UNKNOWN: out of time")
    assert time.monotonic() - begun < 10
