"""Programs that fail as a counterexample does: what is put into them, and that they do fail."""

import json
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import cseq
from cseq.backends import cbmc
from cseq.c.preprocess import compiler
from cseq.model.verdict import Outcome, Verdict
from cseq.report.json import jsonreport
from cseq.reproducer import making, running
from cseq.reproducer.making import CannotReproduceError, Source, reproducer
from cseq.reproducer.program import ReproducerProgram
from tests.support.checkout import ROOT
from tests.support.reproducers import check_reproducer

pytestmark = pytest.mark.engine

BENCHMARKS = ROOT / "sv-benchmarks"
HEAD = "#include <assert.h>\n#include <pthread.h>\n"
CREATE = "pthread_t t, u; pthread_create(&t, 0, one, 0); pthread_create(&u, 0, two, 0);"
JOIN = "pthread_join(t, 0); pthread_join(u, 0);"

needs_cbmc = pytest.mark.skipif(cbmc.find() is None, reason="CBMC is not installed (setup/provide-cbmc)")


def found(files: Sequence[Path], **values: Any) -> Outcome:
    outcome = cseq.verify(files, moves=True, timeout=60, **{"backend": "native", **values})
    (violated,) = [part for part in outcome.all() if part.verdict is Verdict.FALSE]
    return violated


def made(path: Path, text: str, **values: Any) -> ReproducerProgram:
    path.write_text(HEAD + text)
    return check_reproducer([path], found([path], **values), times=8, **values)


def lines(program: ReproducerProgram) -> list[str]:
    """The lines of the program with calls of the scheduler in them."""
    text = program.text[program.text.index('#line 1 "') :]
    return [line.strip() for line in text.splitlines() if "CSEQ_" in line]


ONE = "void *one(void *arg) {\n"
TWO = "return 0; }\nvoid *two(void *arg) {\n"
MAIN = f"return 0; }}\nint main(void) {{ {CREATE} {JOIN}\n"

TEXTS = {
    "in front": (
        f"int x, y;{ONE} y = 1; x = 1; {TWO} if (y) y = x + 1; {MAIN} assert(y != 1); }}",
        r"y = 1; CSEQ_AT\(\d\); x = 1;|CSEQ_AT",
    ),
    "a condition": (
        f"int x, y;{ONE} x = 1; y = 1; {TWO} int n = x;\n while (!y);\n arg = n ? 0 : &x; if (arg) x = 2; {MAIN}"
        "assert(x != 2); }",
        r"while \(CSEQ_AT\(\d\), !y\);",
    ),
    "the update of a shared variable": (
        f"int x;{ONE} x += 2; {TWO} x++; {MAIN} assert(x == 3); }}",
        r"CSEQ_SPLIT\((\d), CSEQ_UPDATE\(x\), CSEQ_SWITCH\(\1, 1\)\); x(\+\+| \+= 2); CSEQ_DONE\(\1\);",
    ),
    "a condition with two loads": (
        f"int x = 1, y, bad;{ONE} y = 1; x = 0; {TWO} if (x && y) bad = 1; {MAIN} assert(!bad || x || !y); }}",
        r"",
    ),
    "two loads at once": (
        f"int x, y, bad;{ONE} x = 1; y = 1; {TWO} if (x + 1 == y) bad = 1; {MAIN} assert(!bad); }}",
        r"",
    ),
    "the same read twice": (
        f"int x;{ONE} x = 1; {TWO} assert(x == x); {MAIN} }}",
        r"assert\(CSEQ_AFTER\(\d, x\) == x\);",
    ),
    "a body without braces": (
        f"int x, y;{ONE} for (int i = 0; i < 2; i++)\n x++;\n {TWO} if (!y)\n x = 5;\n else y = 2; {MAIN}"
        "assert(x == 5 || x == 7 || x == 6); }",
        r"\{ CSEQ_SPLIT\(.*\); x\+\+; CSEQ_DONE\(\d\); \}",
    ),
    "a call that returns what it reads": (
        f"int x;\nint get(void) {{ return x; }}\n{ONE} int n = get();\n x = n + 1; {TWO} x = get() + 1; {MAIN}"
        "assert(x == 2); }",
        r"",
    ),
    "a function that is called twice": (
        f"int x;\nvoid add(int n) {{ int old = x;\n x = old + n; }}\n{ONE} add(1); add(2); {TWO} add(4); {MAIN}"
        "assert(x != 5); }",
        r"CSEQ_AT\(\d\); x = old \+ n;",
    ),
    "a result in shared memory": (
        f"pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int r, seen;{ONE} r = pthread_mutex_trylock(&m);\n {TWO}\n"
        f" if (pthread_mutex_trylock(&m)) if (r == 0) r = 7; {MAIN} assert(r == 7 || r == 0); r = 0; assert(0); }}",
        r"",
    ),
    "inputs": (
        f"extern int __VERIFIER_nondet_int(void); int x;{ONE} x = __VERIFIER_nondet_int(); {TWO}"
        f" if (__VERIFIER_nondet_bool()) x++; {MAIN} assert(x != 43); }}",
        r"",
    ),
    "no return": (
        f"int x; void *one(void *arg) {{ x++; }} void *two(void *arg) {{ x++; }} int main(void) {{ {CREATE} {JOIN}"
        " assert(x == 2); }",
        r"CSEQ_SPLIT",
    ),
    "a pause": (
        "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER; int go, x;"
        f"{ONE} pthread_mutex_lock(&m); while (!go) pthread_cond_wait(&c, &m); x = 2; pthread_mutex_unlock(&m); {TWO}"
        f"pthread_mutex_lock(&m); go = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m); x = 1; {MAIN}"
        "assert(x == 2); }",
        r"",
    ),
}


@pytest.mark.parametrize("name", TEXTS)
def test_what_is_put_in(name: str, tmp_path: Path) -> None:
    text, wanted = TEXTS[name]
    values = {"nondet_range": "40..45"} if "nondet" in text else {}
    put = lines(made(tmp_path / "a.c", text, **values))
    assert put
    assert any(re.search(wanted, line) for line in put), put


@needs_cbmc
@pytest.mark.parametrize(
    "name", ["uninit_local_bad", "uninit_call_bad", "two_units_bad", "nondet_input_bad", "seqlock_bad"]
)
def test_symbolic_counterexamples(name: str) -> None:
    path = BENCHMARKS / name
    files = sorted(path.glob("*.c")) if path.is_dir() else [path.with_suffix(".c")]
    values: dict[str, Any] = {"backend": "cbmc", "rounds": 2, "unwind": 2}
    program = check_reproducer(files, found(files, **values), times=8)
    assert ("CSEQ_SET(" in program.text.partition("#line 1")[2]) == name.startswith("uninit")


@needs_cbmc
@pytest.mark.parametrize("backend", ["native", "cbmc"])
@pytest.mark.parametrize("name", ["lost_update_bad", "deadlock/philosophers_two_bad", "barrier_bad"])
def test_the_report_is_the_same(name: str, backend: str) -> None:
    path = BENCHMARKS / f"{name}.c"
    bounds = {"rounds": 2, "unwind": 1} if backend == "cbmc" else {}
    reports = []
    for moves in (False, True):
        outcome = cseq.verify(path, backend=backend, deadlock=True, moves=moves, **bounds)
        report = json.loads(jsonreport.render(outcome, [str(path)], {}))
        shown = json.dumps(report, sort_keys=True)
        reports.append(re.sub(r"0x[0-9a-f]+|\"(times|statistics)\": {[^}]*}|\"(object|address)\": [^,}]+", "", shown))
    assert reports[0] == reports[1]


@pytest.mark.parametrize("flags", [["-O2"], ["-O1", "-fsanitize=address"]])
def test_other_ways_to_compile_it(flags: list[str], tmp_path: Path) -> None:
    path = BENCHMARKS / "lost_update_bad.c"
    program = reproducer(found([path]), Source((str(path),)))
    binary = running.compiled(ReproducerProgram(program.text, program.place, flags=tuple(flags)), tmp_path)
    if isinstance(binary, str):
        pytest.skip(f"{compiler()} {' '.join(flags)}: {binary}")
    assert not any(running.runs(program, binary, 5))


def test_macros_of_the_command_line_and_headers(tmp_path: Path) -> None:
    (tmp_path / "own.h").write_text(
        "#pragma once\nint x;\nstatic inline void add(int n) {\n  int old = x;\n  x = old + n;\n}\n"
    )
    path = tmp_path / "a.c"
    path.write_text(
        f'{HEAD}#include "own.h"\n#include "own.h"\n{ONE} add(N); {TWO} add(2); {MAIN} assert(x == N + 2); }}'
    )
    macros = ("N=1", "turn=7", "file=8")  # names that the scheduler uses too
    outcome = found([path], define=macros)
    program = reproducer(outcome, Source((str(path),), define=macros))
    assert "#define N 1\n" in program.text
    assert f'#line 1 "{tmp_path}/own.h"' in program.text
    assert f"{path}:" in binary_of(program, tmp_path / "other")


def test_a_name_of_the_scheduler_s_is_refused_and_all_others_are_the_program_s(tmp_path: Path) -> None:
    path = tmp_path / "a.c"
    path.write_text(f"int x, cseq_turn;\n{HEAD}{ONE} x++; {TWO} x++; {MAIN} assert(x == 2); }}")
    with pytest.raises(CannotReproduceError, match="`cseq_turn`, which is one of the scheduler's"):
        reproducer(found([path]), Source((str(path),)))
    names = "enum { turn, thread, file, SYS_futex, SYS_read }; typedef int line; struct self { int go; };\n"
    path.write_text(f"int x;\n{names}{HEAD}{ONE} x++; {TWO} x++; {MAIN} assert(x == 2); }}")
    program = reproducer(found([path]), Source((str(path),)))
    assert f"{path}:" in binary_of(program, tmp_path / "other")


def binary_of(program: ReproducerProgram, folder: Path) -> str:
    """What running it says, in a folder without the user's headers."""
    folder.mkdir()
    binary = running.compiled(program, folder)
    assert isinstance(binary, Path), binary
    done = subprocess.run([str(binary)], capture_output=True, text=True, check=False)
    assert not running.failure(program, done.returncode, done.stderr)
    return done.stderr


def test_what_is_preprocessed_already(tmp_path: Path) -> None:
    source, path = BENCHMARKS / "lost_update_bad.c", tmp_path / "a.i"
    subprocess.run([compiler(), "-E", str(source), "-o", str(path)], check=True)
    program = check_reproducer([path], found([path]), times=8)
    assert program.place.endswith("lost_update_bad.c:30")


def test_what_is_not_reproduced_is_not_handed_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = BENCHMARKS / "lost_update_bad.c"
    outcome = found([path])
    assert outcome.counterexample is not None
    outcome.counterexample.moves = [move for move in outcome.counterexample.moves if move.thread.number != 2]
    with pytest.raises(CannotReproduceError, match="does not fail as it has to: left the schedule in turn"):
        reproducer(outcome, Source((str(path),)))
    monkeypatch.setattr(making, "_TIMES", 0)  # so it is the runs that show it
    assert reproducer(outcome, Source((str(path),)))


@pytest.mark.parametrize(
    "text, values, why",
    [
        ("int x; int main(void) { assert(!x); }", {}, "there is no violation"),
    ],
)  # fmt: skip
def test_what_there_is_none_for(text: str, values: dict[str, Any], why: str, tmp_path: Path) -> None:
    path = tmp_path / "a.c"
    path.write_text(HEAD + text)
    outcome = cseq.verify(path, backend="native", moves=True, **values)
    with pytest.raises(CannotReproduceError, match=why):
        reproducer(outcome, Source((str(path),)))


RACE = f"int x, y;\n{ONE}y = 1;\n x++; {TWO}if (y)\n return (void *)(long) x; {MAIN}return 0; }}"


def test_race(tmp_path: Path) -> None:
    """One executes its statement after the other, and neither of them has begun before."""
    program = made(tmp_path / "a.c", RACE, race=True)
    assert program.race
    one, two = (line for line in lines(program) if "y" in line and "main" not in line)
    assert re.fullmatch(r"CSEQ_AT\(\d\); y = 1; CSEQ_AT\(\d\);", one)
    assert re.fullmatch(r'if \(CSEQ_AT\(\d\), CSEQ_AFTER_FAIL\(CSEQ_FAIL\("data race on `y`: .*"\), y\)\)', two)


def test_a_race_that_the_sanitizer_does_not_see(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.c"
    path.write_text(HEAD + RACE)
    outcome = found([path], race=True)
    monkeypatch.setattr(running, "seen_by_sanitizer", lambda program, folder: False)
    with pytest.raises(CannotReproduceError, match="ThreadSanitizer does not report the race"):
        reproducer(outcome, Source((str(path),)))


def test_the_sanitizer_tells_of_races_only(tmp_path: Path) -> None:
    if isinstance(running.compiled(made(tmp_path / "a.c", RACE, race=True), tmp_path, "-fsanitize=thread"), str):
        pytest.skip("the C compiler has no ThreadSanitizer here")
    assert running.seen_by_sanitizer(made(tmp_path / "a.c", RACE, race=True), tmp_path)
    assert not running.seen_by_sanitizer(made(tmp_path / "b.c", "int main(void) { assert(0); }"), tmp_path)


def test_variables_with_names_of_library_functions(tmp_path: Path) -> None:
    text = f"int sleep = 1, usleep;\nstatic int sem_wait[2];{ONE}usleep++; {TWO}usleep += sleep + sem_wait[0]; {MAIN}"
    program = made(tmp_path / "a.c", text + "assert(usleep == 2); }")
    assert "#define pthread_create " in program.text
    assert "#define sleep" not in program.text


@pytest.mark.parametrize("right", [True, False])
def test_an_expanded_assertion(tmp_path: Path, right: bool) -> None:
    """The program names its own place, or the scheduler does where that is another one."""
    path = tmp_path / "a.c"
    text = f"int x;{ONE}x = 1; {TWO}{MAIN}\nif (!x) ; else "
    line = (HEAD + text).count("\n") + 1 if right else 0
    program = made(path, f'{text}__assert_fail("x", "{path}", {line}, __func__); }}')
    assert ("CSEQ_FAIL(" in program.text.partition("#line 1")[2]) != right
