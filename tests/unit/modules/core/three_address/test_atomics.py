"""Atomic objects and built-ins: what is one step becomes an atomic section."""

import re
import subprocess
from textwrap import dedent

import pytest

from cseq.c.preprocess import compiler as c_compiler
from cseq.model.errors import InputError, UnsupportedError
from cseq.pipeline.chain import load
from cseq.pipeline.stage import Unit
from tests.conftest import function_text

# Everything is shared but l, k, e and lp.
PROGRAM = """\
#include <stdatomic.h>
struct pair {{ int m, n; }}; union either {{ int m; float f; }};
_Atomic int x; int y, *p, *pp; _Atomic(int *) ap; _Atomic unsigned char byte; _Atomic struct pair s; struct pair t, *tp;
_Bool flag; atomic_flag af; union either u; _Atomic double d; double dd;
struct box {{ atomic_long m[2]; _Bool first; }} *b; struct {{ _Bool value; }} gnuflag;
int run(int l, int k, int e, void *v)
{{
  _Atomic int la = 0;
{}
}}
int main(void) {{ return 0; }}
"""


@pytest.fixture
def steps(translated):
    """What becomes of statements: ``<`` and ``>`` for an atomic section, and temporaries t1, t2, …

    ``@`` stands in front of other accesses that are atomic, and ``!`` in front of those that are said not to be.
    """

    def run(statements: str, **parameters: bool) -> list[str]:
        text = translated("three_address", PROGRAM.format(dedent(statements)), "run", **parameters)
        body = text.partition("la = 0;\n")[2].removesuffix("}\n")
        body = re.sub(r"__CSEQ_access\(1\);\n\s*__VERIFIER_atomic_begin\(\);", "<", body)
        body = re.sub(r"__CSEQ_access\(1\);\n\s*", "@", body).replace("__VERIFIER_atomic_end();", ">")
        body = re.sub(r"__CSEQ_access\(0\);\n\s*", "!", body)
        order = list(dict.fromkeys(re.findall(r"__cs_tmp_\d+", body)))
        body = re.sub(r"__cs_tmp_\d+", lambda match: f"t{order.index(match.group()) + 1}", body)
        return [line[2:] for line in body.splitlines()]

    return run


@pytest.mark.parametrize(
    "statement, expected",
    [
        ("x++;", "<\nt1 = x;\nx = t1 + 1;\n>"),
        ("--x;", "<\nt1 = x;\nx = t1 - 1;\n>"),
        ("l = x++;", "<\nt1 = x;\nx = t1 + 1;\n>\nl = t1;"),
        ("l = ++x;", "<\nt1 = x;\nt2 = t1 + 1;\nx = t2;\n>\nl = t2;"),
        ("x <<= k;", "<\nt1 = x;\nx = t1 << k;\n>"),
        ("l = (byte += 200);", "<\nt1 = byte;\nt2 = t1 + 200;\nbyte = t2;\n>\nl = t2;"),
        ("x += y;", "t1 = y;\n<\nt2 = x;\nx = t2 + t1;\n>"),
        ("b->m[k] |= 1;", "t1 = b;\n<\nt2 = t1->m[k];\nt1->m[k] = t2 | 1;\n>"),
        ("ap += 2;", "<\nt1 = ap;\nap = t1 + 2;\n>"),
        # an expression that loads and stores is two steps, as is everything that is not atomic
        ("x = x + 1;", "@t1 = x;\n@x = t1 + 1;"),
        ("y++;", "t1 = y;\ny = t1 + 1;"),
        ("*ap = 1;", "@t1 = ap;\n*t1 = 1;"),
        # nobody else can notice it
        ("la++;", "la = la + 1;"),
        # a struct is loaded and stored whole
        ("t = s;", "@t1 = s;\nt.m = t1.m;\nt.n = t1.n;"),
        ("s = t;", "t1.m = t.m;\nt1.n = t.n;\n@s = t1;"),
    ],
)
def test_objects(steps, statement, expected):
    assert steps(statement) == expected.splitlines()


@pytest.mark.parametrize(
    "statement, expected",
    [
        ("l = __atomic_load_n(&y, 5);", "@t1 = y;\nl = t1;"),
        ("l = __atomic_load_n(p, 5);", "t1 = p;\n@t2 = *t1;\nl = t2;"),
        ("__atomic_store_n(p, y, 5);", "t1 = p;\nt2 = y;\n@*t1 = t2;"),
        ("__atomic_load(&y, &l, 5);", "@t1 = y;\nl = t1;"),
        ("__atomic_store(&t, tp, 5);", "t1 = tp;\nt2.m = (*t1).m;\nt2.n = (*t1).n;\n@t = t2;"),
        ("l = __atomic_exchange_n(&y, k, 5);", "<\nt1 = y;\ny = k;\n>\nl = t1;"),
        ("__atomic_exchange(&y, &k, &l, 5);", "t1 = k;\n<\nt2 = y;\ny = t1;\n>\nl = t2;"),
        ("l = __atomic_fetch_add(&y, k, 5);", "<\nt1 = y;\ny = t1 + ((int) k);\n>\nl = t1;"),
        ("l = __atomic_xor_fetch(&y, 3, 5);", "<\nt1 = y;\nt2 = t1 ^ ((int) 3);\ny = t2;\n>\nl = t2;"),
        ("__atomic_fetch_nand(&y, 3, 5);", "<\nt1 = y;\ny = ~(t1 & ((int) 3));\n>"),
        ("__atomic_fetch_sub(&pp, 4, 5);", "<\nt1 = pp;\npp = (int *) (((char *) t1) - 4);\n>"),
        ("atomic_fetch_sub(&ap, 4);", "<\nt1 = ap;\nap = t1 - 4;\n>"),
        ("l = __sync_add_and_fetch(&y, 2, x);", "<\nt1 = y;\nt2 = t1 + ((int) 2);\ny = t2;\n>\nl = t2;"),
        ("l = __sync_lock_test_and_set(&y, 1);", "<\nt1 = y;\ny = 1;\n>\nl = t1;"),
        ("__sync_lock_release(&y);", "@y = 0;"),
        ("l = __atomic_test_and_set(&flag, 5);", "<\nt1 = flag;\nflag = 1;\n>\nl = t1 != 0;"),
        ("__atomic_clear(&gnuflag, 5);", "@gnuflag.value = 0;"),
        ("__atomic_clear(v, 5);", "@*((unsigned char *) v) = 0;"),
        ("__sync_synchronize();", ""),
        ("atomic_thread_fence(memory_order_seq_cst);", ""),
        ("l = __atomic_is_lock_free(8, 0);", "l = 1;"),
        ("l = atomic_load(&la);", "t1 = la;\nl = t1;"),
        ("atomic_init(&x, 3);", "!x = 3;"),
    ],
)
def test_builtins(steps, statement, expected):
    assert steps(statement) == expected.splitlines()


def test_a_comparison_and_its_store_are_one_step_and_what_was_found_is_stored_behind(steps):
    assert (
        steps("l = atomic_compare_exchange_strong(&x, p, k);")
        == dedent("""\
        t1 = p;
        t2 = *t1;
        <
        t3 = x;
        t4 = t3 == t2;
        if (t4) {
          x = k;
        }
        >
        if (!t4) {
          *t1 = t3;
        }
        l = t4;
        """).splitlines()
    )


def test_a_weak_comparison_may_fail(steps):
    call = "atomic_compare_exchange_weak(&x, &e, k);"
    assert steps(call) == steps(call.replace("weak", "strong"))
    lines = steps(call, weak_fails=True)
    assert lines[:6] == [
        "t1 = e;",
        "t2 = __CSEQ_nondet_bool();",
        "<",
        "t3 = x;",
        "__cs_weak_1 = (t3 == t1) && t2;",
        "t4 = (t3 == t1) && (!__cs_weak_1);",
    ]


def test_structs_are_compared_by_their_members(steps):
    text = "\n".join(steps("atomic_compare_exchange_strong(&s, &t, *tp);"))
    assert text.startswith("t1.m = t.m;\nt1.n = t.n;\nt2 = tp;\nt3.m = (*t2).m;\nt3.n = (*t2).n;\n<\nt4 = s;\n")
    assert "\nt5 = (t4.m == t1.m) && (t4.n == t1.n);\nif (t5) {\n  s = t3;\n}\n>\n" in text


def test_what_is_given_by_address_does_not_escape(translated):
    text = translated("three_address", PROGRAM.format("l = e; __atomic_load(&x, &e, 5); l = e + k;"), "run")
    assert "&e" not in text
    assert "l = e + k" in text


def test_nothing_is_atomic_behind(translated):
    unit: Unit = translated.unit(
        "three_address", PROGRAM.format("void *q = (_Atomic int *) v; l = sizeof(_Atomic long);")
    )
    assert "_Atomic" not in unit.text


@pytest.mark.parametrize(
    "statement, kind, message",
    [
        ("atomic_compare_exchange_strong(&d, &dd, 2);", UnsupportedError,
         "a compare-exchange of a floating type or a union is not supported"),
        ("atomic_fetch_add(&d, 1);", InputError,
         "operand type \u2018_Atomic double *\u2019 is incompatible with argument 1 of \u2018__atomic_fetch_add\u2019"),
    ],
)  # fmt: skip
def test_what_is_refused(translated, statement, kind, message):
    text = PROGRAM.format(f"\n\n{statement}\n")
    line = text.splitlines().index(statement) + 1
    assert translated.refusal("three_address", text, kind).startswith(f"program.c:{line}: {message}")


@pytest.mark.parametrize(
    ("order", "words"),
    [("memory_order_release", "memory_order_release"), ("x ? 0 : 5", "a memory order that is no constant")],
)
def test_weaker_memory_orders_are_warned_of_once(translated, order, words):
    text = PROGRAM.format(f"""
      atomic_load(&x);
      atomic_store_explicit(&x, 1, {order});
      __atomic_thread_fence(__ATOMIC_RELAXED);
    """)
    context = translated.context()
    value: object = [translated.write(text)]
    for _, stage in load("lazy").chosen(context.values)[:6]:
        value = stage(context).run(value)
    line = 1 + next(number for number, found in enumerate(text.splitlines()) if order in found)
    assert [str(caution) for caution in context.warnings] == [
        f"program.c:{line}: {words} is treated as sequentially consistent"
    ]
    assert context.warnings[0].strengthens


def test_weaker_memory_orders_are_those_of_the_hardware_where_stores_are_buffered(translated):
    text = PROGRAM.format("atomic_load_explicit(&x, memory_order_relaxed); __atomic_fetch_add(&x, 1, 0);")
    context = translated.context(memory_model="tso")
    value: object = [translated.write(text)]
    for _, stage in load("lazy").chosen(context.values)[:6]:
        value = stage(context).run(value)
    assert not context.warnings


def test_the_header_of_the_compiler_s_own_works_too(translated, tmp_path):
    text = """\
        #include <stdatomic.h>
        struct pair { int m, n; };
        atomic_int x; _Atomic struct pair s;
        int main(void)
        {
          struct pair p = atomic_load(&s);
          atomic_store_explicit(&x, 1, memory_order_release);
          return atomic_fetch_add(&x, 2) + p.m;
        }
        """
    source = tmp_path / translated.write(text, "source.c")
    done = subprocess.run([c_compiler(), "-E", str(source)], capture_output=True, text=True, check=True)
    assert "__atomic_load" in done.stdout
    context = translated.context()
    value: object = [translated.write(done.stdout, "program.i")]
    for _, stage in load("lazy").chosen(context.values)[:6]:
        value = stage(context).run(value)
    body = function_text(value, "main")
    assert len(re.findall("__VERIFIER_atomic_begin", body)) == 1
    assert re.search(r"__cs_tmp_\d+ = \*__atomic_load_ptr;", body)
    assert len(context.warnings) == 1
