"""`--repair-orders` and `--relax-orders`: the patches are applied, and what they make of a program is checked."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import cseq
from cseq.model.errors import UsageError
from cseq.model.orders import OrdersFound, OrdersKind
from cseq.model.verdict import Outcome, Verdict
from cseq.report import order_words
from tests.end_to_end.test_c11 import CAS, FAILURE, SPIN, program
from tests.support.checkout import ROOT
from tests.support.selection import everything

pytestmark = pytest.mark.engine

# Name → a program; the changes: line, before, after.
REPAIRS: dict[str, tuple[str, list[tuple[int, str, str]]]] = {
    "store buffering": (
        program("STORE(x, 1, release);\n a = LOAD(y, acquire);", "STORE(y, 1, release);\n b = LOAD(x, acquire);",
                "assert(a || b);"),
        [(12, "release", "seq_cst"), (13, "acquire", "seq_cst"),
         (14, "release", "seq_cst"), (15, "acquire", "seq_cst")],
    ),
    "store buffering with fences": (
        program("STORE(x, 1, relaxed); FENCE(acq_rel); a = LOAD(y, relaxed);",
                "STORE(y, 1, relaxed); FENCE(acq_rel); b = LOAD(x, relaxed);", "assert(a || b);"),
        [(12, "acq_rel", "seq_cst"), (13, "acq_rel", "seq_cst")],
    ),
    "message passing": (
        program("a = 1; STORE(x, 1, relaxed);", "if (LOAD(x, relaxed)) b = a;", ""),
        [(12, "relaxed", "release"), (13, "relaxed", "acquire")],
    ),
    "fences": (
        program("a = 1; STORE(x, 1, relaxed);", "if (LOAD(x, relaxed)) { FENCE(acquire); b = a; }", ""),
        [(12, "relaxed", "release")],
    ),
    "a spin lock": (
        program(SPIN.format("relaxed") + "a++; STORE(x, 0, relaxed);",
                SPIN.format("relaxed") + "a++; STORE(x, 0, relaxed);", "assert(a == 2);"),
        [(line, before, after) for line in (12, 13)
         for before, after in (("memory_order_relaxed", "memory_order_acquire"), ("relaxed", "release"))],
    ),
    "a compare-exchange": (
        program(CAS.format("weak", "relaxed", "release"), CAS.format("weak", "relaxed", "release"), ""),
        [(line, "memory_order_relaxed", "memory_order_acquire") for line in (12, 13)],
    ),
    "the order of a compare-exchange that fails": (
        program("a = 1; STORE(x, 1, release);", FAILURE.format("relaxed"), ""),
        [(13, "memory_order_relaxed", "memory_order_acquire")],
    ),
    "a reference count": (
        program("s[0] = 1; drop();", "drop();", "", "x = 2; s = malloc(8);").replace(
            "int a,", "int *s; void drop(void) {\n if (ADD(x, -1, relaxed) == 1) free(s); } int a,"),
        [(11, "relaxed", "acq_rel")],
    ),
    "a macro for both threads": (
        program("LOCK(); a++; UNLOCK();", "LOCK(); a++; UNLOCK();", "").replace(
            "int a,", "\n#define LOCK() while (__atomic_exchange_n(&z, 1, __ATOMIC_RELAXED))\n"
            "#define UNLOCK() STORE(z, 0, relaxed)\nint a,"),
        [(11, "__ATOMIC_RELAXED", "__ATOMIC_ACQUIRE"), (12, "relaxed", "release")],
    ),
    "built-ins of the compiler": (
        program("a = 1; __atomic_store_n(&b, 1, __ATOMIC_RELAXED);",
                "if (__atomic_load_n(&b, __ATOMIC_CONSUME)) c[0] = a;", ""),
        [(12, "__ATOMIC_RELAXED", "__ATOMIC_RELEASE")],
    ),
    "a loop that is followed up to a bound": (
        program("for (int i = 0; i < 3; i++) { a = i; STORE(x, i, relaxed); while (LOAD(y, acquire) != i); }",
                "for (int i = 0; i < 3; i++) { while (LOAD(x, acquire) != i); b = a; STORE(y, i, release); }", "",
                "x = y = -1;"),
        [(12, "relaxed", "release")],
    ),
}  # fmt: skip


def _patched(folder: Path, found: OrdersFound) -> None:
    patch = shutil.which("patch")
    assert patch is not None
    subprocess.run([patch, "-p0", "--fuzz=0"], input=found.patch, text=True, cwd=folder, check=True)


def _asked(folder: Path, text: str, monkeypatch: pytest.MonkeyPatch, **options: object) -> Outcome:
    """The answer about the file x.c in *folder*, whose name is as the user gives it."""
    (folder / "x.c").write_text(text, encoding="utf-8")
    monkeypatch.chdir(folder)
    return cseq.verify(["x.c"], **options)


def _are_proved(folder: Path, **options: object) -> bool:
    found = cseq.verify([folder / "x.c"], memory_model="c11", race=True, **options)
    return all(part.verdict is Verdict.TRUE for part in found.all())


@pytest.mark.parametrize("name", REPAIRS)
def test_a_program_with_its_patch_is_proved_and_each_change_is_needed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    text, changes = REPAIRS[name]
    found = _asked(tmp_path, text, monkeypatch, repair_orders=True).orders
    assert found is not None and found.kind is OrdersKind.REPAIRED, found
    assert [(each.origin.line, each.before, each.after) for each in found.changes] == changes
    _patched(tmp_path, found)
    assert _are_proved(tmp_path)
    lines = (tmp_path / "x.c").read_text(encoding="utf-8").splitlines()
    for change in found.changes[:2]:  # the others are alike
        line, column = change.origin.line - 1, change.origin.column - 1
        moved = lines[line].find(change.after, column)
        without = [*lines]
        without[line] = lines[line][:moved] + change.before + lines[line][moved + len(change.after) :]
        (tmp_path / "x.c").write_text("\n".join(without), encoding="utf-8")
        assert not _are_proved(tmp_path), change


FULL, STORES, LOADS = (f"atomic_thread_fence(memory_order_{order});" for order in ("seq_cst", "release", "acquire"))
BUFFERING = program("\n  STORE(x, 1, release);\n  if (!arg)\n    a = LOAD(y, acquire);\n ",
                    "STORE(y, 1, release); /* two */ b = LOAD(x, acquire);", "assert(a || b);")  # fmt: skip
PLAIN_BUFFERING = program("\n  c[0] = 1;\n  if (!arg)\n    a = c[1];\n ", "c[1] = 1; b = c[0];", "assert(a || b);")

# Name → a program whose accesses name no orders, or for hardware; options; the changes: line, before, after.
FENCED: dict[str, tuple[str, dict[str, object], list[tuple[int, str, str]]]] = {
    "store buffering": (
        program("atomic_store_explicit(&x, 1, 0);\n  a = atomic_load_explicit(&y, 0);\n ",
                "atomic_store_explicit(&y, 1, 0); b = atomic_load_explicit(&x, 0);", "assert(a || b);"),
        {}, [(13, "", FULL), (15, "", FULL)],
    ),
    "message passing": (
        program("a = 1; atomic_store_explicit(&x, 1, 0);", "while (!atomic_load_explicit(&x, 0)) ; b = a;", ""), {},
        [(12, "", STORES), (13, "", LOADS)],
    ),
    "message passing from a function of the compiler": (
        program("a = 1; __sync_lock_test_and_set(&b, 0);", "if (__sync_lock_test_and_set(&b, 1) == 0) c[0] = a;", "",
                "b = 1;").replace("#include <stdatomic.h>\n", "").replace("atomic_int", "int"),
        {}, [(11, "", "__atomic_thread_fence(__ATOMIC_RELEASE);")],
    ),
    "one order is named": (
        program("a = 1; atomic_store_explicit(&x, 1, 0);", "if (LOAD(x, relaxed)) { b = a; }", ""), {},
        [(12, "", STORES), (13, "relaxed", "acquire")],
    ),
    "buffers of stores": (BUFFERING, {"memory_model": "tso"}, [(14, "", FULL), (17, "", FULL)]),
    "buffers of plain stores": (PLAIN_BUFFERING, {"memory_model": "pso"}, [(14, "", FULL), (17, "", FULL)]),
    "a fence that is there": (
        BUFFERING.replace("if (!arg)", "FENCE(acq_rel);"), {"memory_model": "tso"},
        [(14, "acq_rel", "seq_cst"), (17, "", FULL)],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FENCED)
def test_fences_are_inserted_where_orders_do_not_help_and_each_is_needed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    text, options, changes = FENCED[name]
    found = _asked(tmp_path, text, monkeypatch, repair_orders=True, **options).orders
    assert found is not None and found.kind is OrdersKind.REPAIRED, found
    assert [(each.origin.line, each.before, each.after) for each in found.changes] == changes
    _patched(tmp_path, found)
    given = options or {"memory_model": "c11", "race": True}
    repaired = (tmp_path / "x.c").read_text(encoding="utf-8")

    def is_proved(of: str) -> bool:
        (tmp_path / "x.c").write_text(of, encoding="utf-8")
        return all(part.verdict is Verdict.TRUE for part in cseq.verify(["x.c"], backend="graphs", **given).all())

    assert is_proved(repaired)
    for change in (each for each in found.changes if not each.before):
        before, fence, after = repaired.partition(change.after)
        assert fence and not is_proved(before + after)


BENCHMARKS = sorted(path.name for path in (ROOT / "sv-benchmarks" / "c11").glob("*_bad.c"))
FEW = ("chase_lev_take_bad.c", "hazard_pointer_bad.c", "ring_many_bad.c", "seqlock_reader_bad.c")


@pytest.mark.parametrize("name", BENCHMARKS if everything() else FEW)
def test_the_benchmarks_with_a_bug_have_a_repair(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    text = (ROOT / "sv-benchmarks" / "c11" / name).read_text(encoding="utf-8")
    found = _asked(tmp_path, text, monkeypatch, repair_orders=True).orders
    assert found is not None and found.kind is OrdersKind.REPAIRED, found
    _patched(tmp_path, found)
    assert _are_proved(tmp_path)


def test_a_half_of_acq_rel_is_not_enough(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text, _ = REPAIRS["a reference count"]
    found = _asked(tmp_path, text, monkeypatch, repair_orders=True).orders
    assert found is not None
    _patched(tmp_path, found)
    repaired = (tmp_path / "x.c").read_text(encoding="utf-8")
    for weaker in ("acquire", "release"):
        (tmp_path / "x.c").write_text(repaired.replace("acq_rel", weaker, 1), encoding="utf-8")
        assert not _are_proved(tmp_path), weaker


RELAXED: dict[str, tuple[str, list[tuple[int, str, str]]]] = {
    "message passing": (
        program("a = 1; STORE(x, 1, seq_cst);", "if (LOAD(x, seq_cst)) b = a;", ""),
        [(12, "seq_cst", "release"), (13, "seq_cst", "acquire")],
    ),
    "a counter": (program("ADD(x, 1, seq_cst);", "ADD(x, 1, acq_rel);", "assert(x == 2);"),
                  [(12, "seq_cst", "relaxed"), (13, "acq_rel", "relaxed")]),
    "store buffering": (
        program("STORE(x, 1, seq_cst); a = LOAD(y, seq_cst); STORE(z, 1, seq_cst);",
                "STORE(y, 1, seq_cst); b = LOAD(x, seq_cst);", "assert(a || b);"),
        [(12, "seq_cst", "relaxed")],
    ),
    "calls without an order": (
        program("a = 1; atomic_store(&x, 1);",
                "if (atomic_exchange(&x, atomic_load(&y))) b = a;", ""),
        [(12, "memory_order_seq_cst", "memory_order_release"), (13, "memory_order_seq_cst", "memory_order_acquire"),
         (13, "memory_order_seq_cst", "memory_order_relaxed")],
    ),
    "operators": (
        program("a = 1; x = 1; z++;", "if (x && !z) b = a; z += 2;", ""),
        [(12, "memory_order_seq_cst", "memory_order_release"), (12, "memory_order_seq_cst", "memory_order_relaxed"),
         (13, "memory_order_seq_cst", "memory_order_acquire"), (13, "memory_order_seq_cst", "memory_order_relaxed"),
         (13, "memory_order_seq_cst", "memory_order_relaxed")],
    ),
    "a fence that is not needed": (
        program("a = 1; FENCE(seq_cst); STORE(x, 1, release);", "if (LOAD(x, acquire)) b = a;", ""),
        [(12, "seq_cst", "relaxed")],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", RELAXED)
def test_a_program_with_the_weakest_orders_is_proved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    text, changes = RELAXED[name]
    found = _asked(tmp_path, text, monkeypatch, relax_orders=True).orders
    assert found is not None and found.kind is OrdersKind.RELAXED, found
    assert [(each.origin.line, each.before, each.after) for each in found.changes] == changes
    _patched(tmp_path, found)
    assert _are_proved(tmp_path)
    again = cseq.verify(["x.c"], relax_orders=True).orders
    assert again is not None and again.kind is OrdersKind.UNCHANGED


LOST = program("STORE(x, LOAD(x, relaxed) + 1, relaxed);", "ADD(x, 1, relaxed);", "assert(x == 2);")
PLAIN = program("a = 1; STORE(x, 1, relaxed);", "b = a; if (LOAD(x, relaxed)) b = 2;", "")
COMMA = program("a = (atomic_store_explicit(&x, 1, 0), atomic_load_explicit(&y, 0));",
                "b = (atomic_store_explicit(&y, 1, 0), atomic_load_explicit(&x, 0));", "assert(a || b);")  # fmt: skip
UNREPAIRED = {
    "a lost update": (LOST, {"repair_orders": True}, OrdersKind.SEQUENTIAL, "sequential consistency"),
    "a plain access": (PLAIN, {"repair_orders": True}, OrdersKind.PLAIN, "accesses to `a` at x.c:12 and x.c:13 are"),
    "no word, and no place for a fence": (COMMA, {"repair_orders": True}, OrdersKind.UNWRITTEN,
                                          "do not name all of these"),
    "nothing to repair": (REPAIRS["message passing"][0].replace("relaxed", "seq_cst"), {"repair_orders": True},
                          OrdersKind.UNCHANGED, "no memory order has to be stronger"),
    "nothing to weaken": (LOST, {"relax_orders": True}, OrdersKind.UNPROVED, "there is no proof"),
    "what is not followed": (program("a = getchar(); STORE(x, 1, relaxed);", "", "").replace("#include <assert.h>",
                             "#include <assert.h>\n#include <stdio.h>"),
                             {"repair_orders": True}, OrdersKind.UNDECIDED, "is not followed by the backend `graphs`"),
}  # fmt: skip


@pytest.mark.parametrize("name", UNREPAIRED)
def test_where_no_order_helps_the_answer_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    text, options, kind, words = UNREPAIRED[name]
    found = _asked(tmp_path, text, monkeypatch, **options).orders
    assert found is not None and (found.kind, found.patch) == (kind, ""), found
    assert words in order_words.found(found)


def test_the_orders_may_be_in_a_header(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "flags.h").write_text(
        "static inline void up(atomic_int *f) { atomic_store_explicit(f, 1, memory_order_relaxed); }\n",
        encoding="utf-8",
    )
    text = program("a = 1; up(&x);", "if (LOAD(x, acquire)) b = a;", "").replace(
        "int a,", '\n#include "flags.h"\nint a,'
    )
    found = _asked(tmp_path, text, monkeypatch, repair_orders=True, include=["own"]).orders
    assert found is not None
    assert [(each.origin.file, each.after) for each in found.changes] == [("own/flags.h", "memory_order_release")]
    _patched(tmp_path, found)
    assert _are_proved(tmp_path, include=["own"])


def test_bounds_are_part_of_the_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = program("a = 1; while (1) STORE(x, 1, relaxed);", "if (LOAD(x, acquire)) b = a;", "")
    found = _asked(tmp_path, text, monkeypatch, repair_orders=True, iterations=2).orders
    assert found is not None and found.kind is OrdersKind.REPAIRED
    assert "up to the bounds of the search" in order_words.found(found)


def test_reports_have_the_patch(tmp_path: Path) -> None:
    (tmp_path / "x.c").write_text(REPAIRS["message passing"][0], encoding="utf-8")
    command = [sys.executable, "-m", "cseq", "--repair-orders", "x.c"]
    shown = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert shown.returncode == 1
    assert "  x.c:12: relaxed → release\n" in shown.stdout
    read = subprocess.run([*command, "--json"], capture_output=True, text=True, cwd=tmp_path, check=False)
    data = json.loads(read.stdout)["memory_orders"]
    assert data["kind"] == "repaired"
    assert data["patch"] in shown.stdout
    assert [(each["file"], each["line"], each["before"], each["after"]) for each in data["changes"]] == [
        ("x.c", 12, "relaxed", "release"), ("x.c", 13, "relaxed", "acquire"),
    ]  # fmt: skip
    subprocess.run(["patch", "-p0"], input=shown.stdout, text=True, cwd=tmp_path, check=True)
    assert _are_proved(tmp_path)


@pytest.mark.parametrize(
    "other",
    [
        {"backend": "cbmc"}, {"backend": "native"}, {"rounds": 2}, {"memory_model": "sc"},
        {"memory_model": "tso", "race": True}, {"relax_orders": True}, {"only": "no-data-race"},
        {"termination": True}, {"memsafety": True},
    ],
)  # fmt: skip
def test_other_questions_are_refused_by_name(tmp_path: Path, other: dict[str, object]) -> None:
    (tmp_path / "x.c").write_text(LOST, encoding="utf-8")
    with pytest.raises(UsageError, match=r"-orders|--memsafety|data races are those of C"):
        cseq.verify([tmp_path / "x.c"], repair_orders=True, **other)


def test_the_hardware_has_no_weaker_orders(tmp_path: Path) -> None:
    (tmp_path / "x.c").write_text(LOST, encoding="utf-8")
    with pytest.raises(UsageError, match="--relax-orders and --memory-model tso cannot be combined"):
        cseq.verify([tmp_path / "x.c"], relax_orders=True, memory_model="tso")
