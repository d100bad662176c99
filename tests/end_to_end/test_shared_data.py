"""The reasons of the thread-modular analysis, in words: what is shared, and what protects it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import cseq
from cseq.model.verdict import Outcome, Verdict
from cseq.report import sharing_words
from cseq.report.json import jsonreport
from cseq.report.text import terminal
from tests.support.checkout import ROOT
from tests.support.jsonschema_check import check_json

FOLDER = ROOT / "sv-benchmarks" / "race-freedom"
MISSING = ("no common lock: ", "not always atomic: ", "perhaps not the lock of the same object: ")
OWN = "one cell per thread"
AFTER = "written after the threads are joined"
ALONE = "known to only one thread at that time"
REASONS: dict[str, dict[str, str]] = {
    "accumulate_then_add": {"total": "always under `lock`"},
    "atomic_counter": {"hits": "atomic", "seen[i]": OWN},
    "barrier_phases": {"first[i]": f"{OWN}; in phases between waits at the barrier `phase`", "second[i]": OWN},
    "bit_fields": {"file": "always under `lock`"},
    "cache": {"cached": "always under `lock`", "is_valid": "always under `lock`", "results[i]": OWN},
    "cell_per_thread": {"counts[i]": f"{AFTER}; {OWN}"},
    "condition_predicate": {
        "is_there": "always under `lock`", "item": "read after the threads are joined; handed over by `is_there`",
    },
    "counted_threads": {"ended": "always under `lock`", "results[i]": f"{OWN}; handed over by `ended`"},
    "detached_with_semaphore": {"results[i]": f"{OWN}; handed over by the semaphore `done`"},
    "exit_handler": {"log_entries": AFTER},
    "job_array": {"jobs[i].from": OWN, "jobs[i].sum": OWN, "jobs[i].to": OWN},
    "job_blocks": {"cells[i]": OWN, "struct job.id": f"one per thread; {ALONE}"},
    "joined_by_helper": {
        "value": "read after the threads are joined; by threads that never exist at the same time",
        "amounts[i]": f"written before the threads exist; {AFTER}",
    },
    "lock_by_pointer": {"one.value": "always under `one.lock`"},
    "lock_in_struct": {"accounts[i].balance": "always under `accounts[i].lock`"},
    "matrix_rows": {"matrix[i][j]": OWN},
    "nested_threads": {"value": AFTER},
    "once_control": {"config": "always under `control`", "results[i]": OWN},
    "queue_of_blocks": {
        "queue": "always under `lock`", "struct node.next": "always under `lock`", "struct node.value": ALONE,
    },
    "range_per_thread": {"table[i]": OWN},
    "read_only": {"squares[i]": "written before the threads exist", "sums[i]": OWN},
    "reference_count": {"is_closed": "always under `lock`", "references": "always under `lock`"},
    "release_acquire": {"message": "read after the threads are joined; handed over by `ready`", "ready": "atomic"},
    "ring_buffer": {"ring[i]": "always under `lock`", "head": "always under `lock`", "tail": "always under `lock`"},
    "semaphore_as_lock": {"total": "always under `gate`"},
    "sequence_number": {"mine[i]": OWN, "sequence": "always under `lock`"},
    "spin_lock": {"total": "always under `lock`"},
    "statistics_after_join": {"statistics[i].bytes": OWN, "statistics[i].hits": f"{AFTER}; {OWN}"},
    "striped_locks": {"table[i]": "always under `stripes[i]`"},
    "test_and_set": {"taken": "atomic", "total": "always under `taken`"},
    "thread_local_value": {},
    "trylock": {"total": "always under `lock`"},
    "two_waves": {"cells[i]": f"by threads that never exist at the same time; {OWN}"},
}  # fmt: skip


def ask(name: str) -> Outcome:
    return cseq.verify(FOLDER / f"{name}.c", backend="modular", only="no-data-race", timeout=60)


@pytest.mark.parametrize("name", REASONS)
def test_the_reasons_of_the_proof(name: str) -> None:
    found = ask(f"{name}_good")
    assert found.verdict is Verdict.TRUE and found.sharing is not None
    assert {each.name: sharing_words.why(each) for each in found.sharing.objects} == REASONS[name]
    assert not found.sharing.left


@pytest.mark.parametrize("name", REASONS)
def test_the_racy_twin_names_what_is_missing(name: str) -> None:
    found = ask(f"{name}_bad")
    assert found.verdict is Verdict.UNKNOWN and found.sharing is not None
    assert found.sharing.left
    shown = terminal.render(found)
    for each in found.sharing.left:
        missing = [sharing_words.missing(pair) for pair in sharing_words.pairs(each)]
        assert all(words.startswith(MISSING) for words in missing)
        assert f"{missing[0]}" in shown


def test_the_reasons_are_explained_and_reported() -> None:
    found = ask("lock_in_struct_good")
    assert "  `accounts[i].balance`: always under `accounts[i].lock`\n" in terminal.render(found, explained=True)
    assert "accounts" not in terminal.render(found)
    report = check_json(jsonreport.render(found), found)
    (answer,) = report["properties"]
    (shared,) = answer["shared_data"]["objects"]
    assert shared["name"] == "accounts[i].balance" and shared["line"] == 12
    assert [(each["kind"], each["by"]) for each in shared["protections"]] == [("lock", "accounts[i].lock")]
    assert {each["action"] for each in shared["accesses"]} == {"reads", "writes"}
    assert shared["unprotected"] == []
    assert answer["shared_data"]["given_valid"]
    assert report["explanation"].startswith("`accounts[i].balance`: always under `accounts[i].lock`. The reasons hold")


def test_what_is_left_over_is_reported() -> None:
    found = ask("lock_in_struct_bad")
    report = check_json(jsonreport.render(found), found)
    (shared,) = report["properties"][0]["shared_data"]["objects"]
    assert shared["unprotected"][0]["race"] is False
    assert [each["locks"] for each in shared["unprotected"][0]["accesses"]] != [[], []]


def test_the_order_of_locks_is_explained() -> None:
    path = ROOT / "sv-benchmarks" / "deadlock" / "gate_lock_good.c"
    found = cseq.verify(path, backend="modular", only="no-deadlock", timeout=60)
    assert found.verdict is Verdict.TRUE
    assert "while a thread may hold `gate`, it waits for `front`" in terminal.render(found, explained=True)
    report = check_json(jsonreport.render(found), found)
    edges = report["properties"][0]["shared_data"]["lock_order"]
    assert {(edge["held"], edge["wanted"]) for edge in edges} >= {("gate", "front"), ("gate", "rear")}


def test_file_static_variables_of_several_files_keep_their_names(tmp_path: Path) -> None:
    text = """\
        #include <pthread.h>
        static int count;
        static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
        void *NAME(void *arg)
        {
            pthread_mutex_lock(&lock);
            count++;
            pthread_mutex_unlock(&lock);
            return arg;
        }
        """
    main = """\
        #include <pthread.h>
        void *one(void *), *two(void *);
        int main(void)
        {
            pthread_t t[4];
            for (int i = 0; i < 4; i++)
                pthread_create(&t[i], 0, i & 1 ? one : two, 0);
            return 0;
        }
        """
    paths = [tmp_path / f"{name}.c" for name in ("main", "one", "two")]
    for path in paths:
        path.write_text(text.replace("NAME", path.stem) if path.stem != "main" else main)
    found = cseq.verify(paths, backend="modular", only="no-data-race", timeout=60)
    assert found.sharing is not None, json.dumps(found.message)
    places = {(each.name, each.origin.file if each.origin else "") for each in found.sharing.objects}
    assert places == {("count", str(tmp_path / "one.c")), ("count", str(tmp_path / "two.c"))}
