"""`cseq linearize` as a user calls it."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from cseq.cli.main import main
from tests.support.checkout import ROOT
from tests.support.selection import everything

pytestmark = pytest.mark.engine

LIBRARY = ROOT / "sv-benchmarks" / "library"

CODE = """
struct cell { int value; };
static struct cell the_cell;
struct cell *cell_new(void) { return &the_cell; }
int cell_add(struct cell *c, int value)
{
    int old = c->value;
    c->value = old + value;
    return old;
}
"""
GIVEN = ["--new", "struct cell *c = cell_new()", "--op", "cell_add(c, {1..2})", "--calls", "1"]


@pytest.fixture
def code(tmp_path: Path) -> Path:
    (tmp_path / "cell.c").write_text(CODE)
    return tmp_path / "cell.c"


def test_a_violation_is_shown_and_can_be_run(code: Path, capsys: pytest.CaptureFixture[str]) -> None:
    reproducer, scenario = code.with_name("again.c"), code.with_name("scenario.c")
    more = ["--reproducer", str(reproducer), "--save-scenario", str(scenario), "--cex"]
    assert main(["linearize", str(code), *GIVEN, *more]) == 1
    out = capsys.readouterr().out
    assert out.startswith("FALSE: not linearizable\n")
    assert "    cell_add(c, 1) → 0    cell_add(c, 1) → 0\n" in out
    assert "assertion `linearizable` is violated" in out
    assert "old = c->value" in out  # the steps, in the code of the structure
    assert "linearizable = !(" in scenario.read_text()
    assert os.system(f"gcc -w -pthread -o {code.parent}/again {reproducer} && {code.parent}/again 2>/dev/null") != 0
    assert main(["linearize", str(code), *GIVEN, "--save-scenario", str(scenario)]) == 2  # it exists
    assert "exists already" in capsys.readouterr().err


def test_a_regression_test_fails_until_the_structure_is_mended(code: Path) -> None:
    scenario, folder = code.with_name("scenario.c"), code.with_name("test")
    given = [*GIVEN, "--no-memsafety", "-q", "--save-scenario", str(scenario), "--save-test", str(folder)]
    assert main(["linearize", str(code), *given]) == 1
    assert subprocess.run(["make", "-C", str(folder)], capture_output=True, check=False).returncode != 0
    mended = CODE.replace("int old = c->value;", "int old = __sync_fetch_and_add(&c->value, value);")
    code.write_text(mended.replace("    c->value = old + value;\n", ""))
    assert subprocess.run(["make", "-C", str(folder)], capture_output=True, check=False).returncode == 0


def test_a_regression_test_needs_the_scenario(code: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["linearize", str(code), *GIVEN, "--save-test", str(code.with_name("test"))]) == 2
    assert "--save-scenario" in capsys.readouterr().err


def test_the_same_as_json(code: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["linearize", str(code), *GIVEN, "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert (found["verdict"], found["scenarios"]) == ("FALSE", 3)
    assert found["violation"]["threads"] == [[{"call": "cell_add(c, 1)", "result": 0}]] * 2
    assert found["violation"]["report"]["verdict"] == "FALSE"


def test_scenarios_are_listed(code: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["linearize", str(code), *GIVEN, "--list-scenarios"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "cell_add(c, 1) | cell_add(c, 1)", "cell_add(c, 1) | cell_add(c, 2)", "cell_add(c, 2) | cell_add(c, 2)",
    ]  # fmt: skip


def test_comments_say_the_same(code: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = "// linearize: state struct cell *c = cell_new();\n  // linearize: operation cell_add(c, {1..2});\n"
    code.write_text(said + CODE)
    assert main(["linearize", str(code), "--threads", "2", "--calls", "1", "-q"]) == 1
    assert capsys.readouterr().out == "FALSE\n"


def test_operations_are_found(code: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code.with_name("cell.h").write_text(
        "struct cell; struct cell *cell_new(void); int cell_add(struct cell *c, int value);"
    )
    given = ["--header", str(code.with_name("cell.h")), "--type", "struct cell", "--calls", "1", "--yes"]
    assert main(["linearize", str(code), *given]) == 1
    assert "operation cell_add(object, {1..2});" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "no input file"),
        (["missing.c"], "missing.c: no such file"),
        (["x.cseq", "y.c"], "cannot be combined with other files"),
        (["{code}"], "no operation"),
        (["{code}", "--op", "nothing(1)"], "nothing"),
        (["{code}", "--op", "f(", "--consistency", "none"], "none of linearizable"),
        (["{code}", *GIVEN, "--json", "--quiet"], "cannot be combined"),
        (["{code}", *GIVEN, "--type", "struct cell"], "operations that are given"),
    ],
)
def test_what_is_wrong_is_said_in_a_line(
    code: Path, capsys: pytest.CaptureFixture[str], words: list[str], said: str
) -> None:
    assert main(["linearize", *(word.replace("{code}", str(code)) for word in words)]) == 2
    err = capsys.readouterr().err
    assert said in err
    assert "Traceback" not in err


def test_an_operation_that_is_no_c_has_its_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "code.c").write_text(CODE)
    file = tmp_path / "cell.cseq"
    file.write_text('files "code.c";\nstate struct cell *c = cell_new();\noperation cell_add(c, );\n')
    assert main(["linearize", str(file)]) == 2
    assert "cell.cseq:3" in capsys.readouterr().err


def test_what_there_is_no_time_for_is_said(code: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code.write_text(CODE.replace("c->value = old + value;", "").replace("old;", "value;"))
    given = [*GIVEN[:-2], "--threads", "3", "--calls", "4", "--time", "0.001", "--no-memsafety"]
    assert main(["linearize", str(code), *given]) in (0, 3)
    out = capsys.readouterr().out
    assert out.startswith("UNKNOWN: no violation in ")
    assert "--time gives more seconds" in out


LINK = """
#include <stdint.h>
struct link { struct link *next; } first, second;
void link_mark(void) { first.next = (struct link *)((uintptr_t)&second | 1); }
int link_follow(void)
{
    struct link *next = first.next;
    return next && ((struct link *)((uintptr_t)next & ~1UL))->next == &first;
}
"""


def test_what_cannot_be_followed_in_memory_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Pointers that carry a mark: the question about memory has no answer, and the one about results has."""
    code = tmp_path / "link.c"
    code.write_text(LINK)
    given = ["linearize", str(code), "--op", "link_mark()", "--op", "link_follow()", "--threads", "2", "--calls", "1"]
    assert main(given) in (0, 3)  # 0 where other scenarios were explored to their end
    out = capsys.readouterr().out
    assert "not completely: pointers whose objects are not known" in out
    assert "(--no-memsafety " in out
    assert main([*given, "--no-memsafety"]) == 0
    assert capsys.readouterr().out.startswith("TRUE: ")


SAMPLE = ("ms_queue", "thread_pool", "mcs_lock", "spsc_ring_orders", "ms_queue_orders")
ALL = sorted({path.stem.removesuffix("_bad") for path in LIBRARY.glob("*_bad.cseq")})
NAMES = ALL if everything() else SAMPLE


@pytest.mark.parametrize("name", NAMES)
def test_the_library_has_a_bug_each(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert len(ALL) >= 12
    assert main(["linearize", str(LIBRARY / f"{name}_bad.cseq"), "--time", "1000"]) == 1
    assert capsys.readouterr().out.startswith("FALSE: ")


@pytest.mark.parametrize("name", NAMES)
def test_the_twins_have_none(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    size = [] if everything() else ["--threads", "2", "--calls", "2"]
    assert main(["linearize", str(LIBRARY / f"{name}_good.cseq"), "--time", "1000", *size]) == 0
    assert capsys.readouterr().out.startswith("TRUE: linearizable in all ")


RING = str(LIBRARY / "spsc_ring_orders_bad.cseq")


def test_a_weak_execution_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["linearize", RING, "--explain"]) == 1
    out = " ".join(capsys.readouterr().out.split())
    assert out.startswith("FALSE: not linearizable (memory model: C11)")
    assert "ring_push(r, 1) → 1 ring_pop(r) → 0 There is no sequential order of the calls that respects happens" in out
    assert "although thread_1 (thread 1) has stored 1 at" in out
    assert "nothing orders that store before this load (relaxed)" in out
    assert "would rule this execution out" in out


def test_a_weak_execution_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["linearize", RING, "--json", "--no-memsafety"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert (found["verdict"], found["memory_model"]) == ("FALSE", "c11")
    assert found["violation"]["memory_model"] == found["violation"]["report"]["memory_model"] == "c11"


def test_sequential_consistency_alone(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["linearize", RING, "--memory-model", "sc", "--no-memsafety", "--threads", "2", "--calls", "2"]) == 0
    assert capsys.readouterr().out.startswith("TRUE: linearizable in all 12 scenarios of up to 2 threads ")


BITS = """
#include <stdatomic.h>
static struct { int set : 2; } bits;
static atomic_int count;
int next(void)
{
    bits.set = 1;
    return atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
}
"""


def test_what_graphs_do_not_follow_is_unknown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = tmp_path / "bits.c"
    code.write_text(BITS)
    given = ["linearize", str(code), "--op", "next()", "--threads", "2", "--calls", "1", "--no-memsafety"]
    assert main(given) == 3
    verdict, *lines = capsys.readouterr().out.splitlines()
    assert verdict.startswith("UNKNOWN: scenarios cannot be explored: ")
    assert verdict.endswith("bits.c:7: a bit-field is not followed by the backend `graphs` (memory model: C11)")
    assert lines[-1] == "(1 of 1 scenarios have no violation under sequential consistency)"


def test_buffers_are_no_memory_model_of_a_structure(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["linearize", RING, "--memory-model", "tso"]) == 2
    assert "'tso' is not one of 'sc', 'c11'" in capsys.readouterr().err
