"""Names and values of memory, from debug information."""

import pytest

from cseq.model.actions import ObjectKind
from cseq.modules.compiled.tracing.debugtypes import DebugTypes
from cseq.modules.compiled.tracing.execution import RunTrace
from cseq.modules.compiled.tracing.memorynames import demangled
from cseq.modules.compiled.tracing.usedobjects import used
from tests.support.recorded_runs import HEAP, STACK, Example, block

pytestmark = pytest.mark.engine

ACCOUNTS = "_ZN4bank8accountsE"


@pytest.fixture(scope="module")
def told(example: Example) -> RunTrace:
    blocks = (block(HEAP, 16, allocated=1), block(HEAP + 64, 24), block(HEAP + 128, 32, allocated=1))
    return RunTrace(example.run(stacks=[["allocates"]], blocks=blocks), example.folder)


def test_parts_of_variables(told: RunTrace, example: Example) -> None:
    accounts = example.at[ACCOUNTS]
    assert told.names.name(accounts + 48, 4).name == "bank::accounts[1].balance"
    assert told.names.name(accounts + 8 + 16, 8).name == "bank::accounts[0].lock.inside[2]"
    assert told.names.name(accounts, 48).name == "bank::accounts[0]"
    assert told.names.name(example.at["_ZL4rate"], 8).name == "rate"


def test_blocks_have_the_type_that_was_allocated(told: RunTrace) -> None:
    assert told.names.name(HEAP, 8).name == "Node#1.next"
    assert told.names.name(HEAP + 8, 1).name == "Node#1.mark"
    assert told.names.name(HEAP + 64 + 8, 8).name == "block#1+8"
    assert told.names.name(HEAP + 128 + 16, 8).name == "Node#2[1].next"
    assert told.names.name(HEAP + 0x1000, 8).name == ""


def test_values_have_the_form_of_their_type(told: RunTrace, example: Example) -> None:
    def shown(symbol: str, value: int, size: int) -> str:
        return told.names.value(value, size, told.names.name(example.at[symbol], size).type)

    assert shown(ACCOUNTS, 0xFFFFFFFF, 4) == "-1"
    assert shown("small", 255, 1) == "255"
    assert shown("done", 1, 1) == "true"
    assert shown("_ZN4bank6colourE", 1, 4) == "GREEN"
    assert shown("_ZL4rate", 0x3FF8000000000000, 8) == "1.5"
    assert shown("top", 0, 8) == "nullptr"
    assert shown("top", HEAP, 8) == "&Node#1"
    assert shown("top", example.at["small"], 8) == "&small"
    assert told.names.value(1 << 40, 8, None) == hex(1 << 40)


def test_objects_without_a_name_have_the_one_that_the_source_gives_them(told: RunTrace, example: Example) -> None:
    names = told.names
    assert names.object_name(ObjectKind.MUTEX, example.at["small"], "x") == "small"
    assert names.object_name(ObjectKind.MUTEX, STACK + 8, "mine") == "mine"
    assert names.object_name(ObjectKind.MUTEX, STACK + 64, "mine") == "mine (2)"
    assert names.object_name(ObjectKind.MUTEX, STACK + 8, "other") == "mine"
    assert names.name(STACK + 8).private


@pytest.mark.parametrize(
    "source, kind, expected",
    [
        ("pthread_mutex_lock(&q->lock);", "mutex", "q->lock"),
        ("pthread_cond_wait(&c, &m);", "mutex", "m"),
        ("pthread_cond_wait(&c, &m);", "cond", "c"),
        ("std::lock_guard<std::mutex> guard(accounts[n].lock);", "mutex", "accounts[n].lock"),
        ("std::scoped_lock both(a, b);", "mutex", ""),
        ("app::heap->lock();", "mutex", "app::heap"),
        ("a.lock(); b.lock();", "mutex", ""),
        ("ready.wait(guard);", "cond", "ready"),
        ("return x;", "mutex", ""),
    ],
)
def test_what_a_line_uses(source: str, kind: str, expected: str) -> None:
    assert used(source, kind) == expected


def test_files_without_debug_information(example: Example) -> None:
    assert DebugTypes(str(example.source)).variable_at(0x1000) is None
    assert DebugTypes("/nowhere").record_named("Node") is None


def test_names_of_types() -> None:
    assert demangled(["_ZTISt12out_of_range", "plain"]) == ["typeinfo for std::out_of_range", "plain"]
