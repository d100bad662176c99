"""The program for the explorer of execution graphs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cseq.modules.graphs.encode import NotFollowedError
from cseq.pipeline.chain import load
from cseq.pipeline.session import Session
from cseq.pipeline.stage import Context

HEAD = """\
#include <pthread.h>
#include <stdatomic.h>
atomic_int x; int y, a[4]; int __VERIFIER_nondet_int(void);
"""


def _calls(tmp_path: Path, statements: str) -> list[str]:
    """The calls of the explorer in main, without the numbers of instructions."""
    source = tmp_path / "program.c"
    source.write_text(f"{HEAD}int main(void) {{ int l = 0; {statements} return l; }}", encoding="utf-8")
    chain = load("graphs")
    values = chain.values({})
    context = Context(values=values, workdir=tmp_path)
    text = Session(chain, [str(source)], context).run(values, tmp_path, until="graphs/encode").text
    body = text[text.index("__cs_thread_main(") : text.index("const struct __CSEQ_object")]
    names = r"__CSEQ_(?:begin|end|fence|load|store)\([^;]*\)|__cs_(?:LOAD|STORE)\(.*\)"
    return [
        found if found.startswith("__CSEQ_begin") else re.sub(r", \d+\)$", ")", found)
        for found in re.findall(names, body)
    ]


@pytest.mark.parametrize(
    ("statement", "order"),
    [
        ("atomic_store_explicit(&x, 1, memory_order_relaxed);", 1),
        ("atomic_store_explicit(&x, 1, memory_order_release);", 4),
        ("atomic_store(&x, 1);", 6),
        ("x = 1;", 6),
        ("y = 1;", 0),
        ("__atomic_store_n(&y, 1, __ATOMIC_RELEASE);", 4),
        ("__sync_lock_release(&y);", 4),
    ],
)
def test_a_store_has_its_order(tmp_path: Path, statement: str, order: int) -> None:
    (store,) = _calls(tmp_path, statement)
    assert re.match(rf"__cs_STORE\(signed int, \(\(char \*\)\(&[xy]\)\), {order}, ", store)


def test_a_compare_exchange_has_two_orders(tmp_path: Path) -> None:
    text = "atomic_compare_exchange_strong_explicit(&x, &l, 1, memory_order_acq_rel, memory_order_acquire);"
    assert "__CSEQ_begin(5, 3)" in _calls(tmp_path, text)


def test_an_inner_access_keeps_its_own_order(tmp_path: Path) -> None:
    text = "atomic_store_explicit(&x, atomic_load_explicit(&x, memory_order_acquire), memory_order_relaxed);"
    load_, store = _calls(tmp_path, text)
    assert ", 3" in load_
    assert ", 1, " in store


def test_fences(tmp_path: Path) -> None:
    text = "atomic_thread_fence(memory_order_acq_rel); __sync_synchronize(); atomic_signal_fence(memory_order_seq_cst);"
    assert _calls(tmp_path, text) == ["__CSEQ_fence(5)", "__CSEQ_fence(6)"]


def test_what_is_not_followed_has_its_place(tmp_path: Path) -> None:
    with pytest.raises(NotFollowedError, match="a call of `pthread_key_create`") as refused:
        _calls(tmp_path, "pthread_key_t k; pthread_key_create(&k, 0);")
    assert str(refused.value.origin).endswith("program.c:4")
