"""The words for memory orders in the text of C files."""

from __future__ import annotations

import re

from cseq.c.patches import patch
from cseq.model.errors import InputError
from cseq.modules.analysis.memory_orders import ORDERS
from cseq.modules.graphs.orders.words import Place, Texts, Word, calls, deciding, words, written
from cseq.modules.ir.instructions import Order

MACRO = "#define STORE(x, v, o) \\\n    atomic_store_explicit(&x, v, memory_order_##o)\n"


def _found(text: str) -> list[tuple[int, str, Order]]:
    found = [word for word in words({"x.c": text}) if isinstance(word, Word)]
    return [(text.count("\n", 0, word.start) + 1, word.text, word.order) for word in found]


def test_words_are_those_of_the_standard_and_of_compilers() -> None:
    text = 'f(memory_order_relaxed);\ng(__ATOMIC_ACQ_REL, x); // memory_order_release\nh("memory_order_acquire");\n'
    assert _found(text) == [(1, "memory_order_relaxed", Order.RELAXED), (2, "__ATOMIC_ACQ_REL", Order.ACQ_REL)]


def test_words_in_macros_count() -> None:
    text = "#define UNLOCK() store(&l, \\\n  memory_order_release)\n"
    assert _found(text) == [(2, "memory_order_release", Order.RELEASE)]


def test_words_without_a_prefix_count_where_a_macro_adds_it() -> None:
    text = f"{MACRO}void release(void);\nint main(void) {{ STORE(x, 1, relaxed); release(); }}\n"
    assert _found(text) == [(4, "relaxed", Order.RELAXED)]
    assert _found("STORE(x, 1, relaxed);") == []


def test_a_word_is_spelled_as_before() -> None:
    text = "f(memory_order_relaxed, __ATOMIC_RELAXED, \n relaxed, RELAXED);"
    changes: dict[Place, Order] = dict.fromkeys(words({"x.c": text}), Order.SEQ_CST)
    changes[Word("x.c", text.index("relaxed,", 44), "relaxed", Order.RELAXED)] = Order.ACQ_REL
    changes[Word("x.c", text.index("RELAXED)", 44), "RELAXED", Order.RELAXED)] = Order.ACQUIRE
    new = written({"x.c": text}, changes)["x.c"]
    assert new == "f(memory_order_seq_cst, __ATOMIC_SEQ_CST, \n acq_rel, ACQUIRE);"


def test_calls_without_an_order_get_one() -> None:
    text = "x = atomic_load(&y) + atomic_compare_exchange_weak(&x, &e, atomic_load(&z)); atomic_load_explicit(&x, o);"
    texts = {"x.c": text}
    one, compare, other = calls(texts)
    assert written(texts, {one: Order.SEQ_CST, other: Order.SEQ_CST})["x.c"] == text
    new = written(texts, {one: Order.RELAXED, compare: Order.ACQ_REL, other: Order.ACQUIRE})["x.c"]
    assert new == (
        "x = atomic_load_explicit(&y, memory_order_relaxed) + atomic_compare_exchange_weak_explicit(&x, &e, "
        "atomic_load_explicit(&z, memory_order_acquire), memory_order_acq_rel, memory_order_acquire); "
        "atomic_load_explicit(&x, o);"
    )


def _orders(texts: Texts) -> list[Order]:
    """Those of the calls of f in a program where MACRO is expanded by hand, and one that no word decides."""
    body = re.search(r"#define M f\(memory_order_(\w+)\)", texts["x.c"])
    found = [Order.SEQ_CST]
    for name, macro in re.findall(r"^f\(memory_order_(\w+)\)|^(M)$", texts["x.c"], re.MULTILINE):
        found.append(Order(ORDERS.index(body.group(1) if macro and body else name) + 1))
    return found


def test_which_order_a_word_decides_is_tried() -> None:
    lines = ["f(memory_order_relaxed)"] * 7 + ["M", "f(memory_order_acquire)", "M"]
    text = "#define M f(memory_order_release)\n" + "\n".join(lines) + "\ng(memory_order_release);\n"
    texts = {"x.c": text}
    found = deciding(texts, words(texts), _orders(texts), _orders)
    by_line = {text.count("\n", 0, word.start) + 1: numbers for word, numbers in found.items()}
    assert by_line == {1: [8, 10], **{n: [n - 1] for n in range(2, 9)}, 10: [9]}


def test_words_without_a_prefix_are_left_alone_if_they_are_something_else() -> None:
    def tried(texts: Texts) -> list[Order]:
        if "f(relaxed)" not in texts["x.c"]:
            raise InputError("`seq_cst` is not declared")
        return _orders(texts)

    text = f"{MACRO}f(memory_order_relaxed)\nf(relaxed)\n"
    texts = {"x.c": text}
    (word,) = deciding(texts, words(texts), [Order.SEQ_CST, Order.RELAXED], tried)
    assert word.start == text.index("memory_order_relaxed")


def test_a_patch_has_the_names_of_the_files() -> None:
    before, after = {"a/x.c": "1\n2", "y.c": "3\n"}, {"a/x.c": "1\n4", "y.c": "3\n"}
    end = "\\ No newline at end of file\n"
    assert patch(before, after) == f"--- a/x.c\n+++ a/x.c\n@@ -1,2 +1,2 @@\n 1\n-2\n{end}+4\n{end}"
