"""Copies of structs and stores to bit-fields: an access to memory for each scalar, or for each storage unit."""

import re
from textwrap import dedent

import pytest

from cseq.modules.symbolic.encode.facts import BOUNDS
from cseq.pipeline.chain import load
from cseq.report.words import bound_text

# Everything is shared but l, i, lp and ls.
PROGRAM = """\
#include <string.h>
struct s {{ int m; struct {{ char c[2]; }} in; struct s *next; }};
struct bits {{ unsigned a : 3, b : 5; int n; unsigned c : 4; unsigned : 0; unsigned d : 2; }};
struct wide {{ unsigned a : 20, b : 20; }};
struct large {{ int m[65]; }}; struct anonymous {{ int n; union {{ int m; float f; }}; }};
struct padded {{ char c; int n; }}; struct flexible {{ int n; int rest[]; }};
union small {{ int m; char c[3]; }}; union big {{ long m[2]; char c[3]; }};
union odd {{ struct {{ char c; long m; }} p; char c; }};
struct s s, t, *p, array[3]; struct bits bits, *pb; struct wide wide, wide2; struct large large, large2;
struct anonymous an, an2; union small us, us2; union big ub, ub2; union odd uo, uo2; struct padded pad, pad2;
struct flexible fl, fl2; int numbers[2], numbers2[2], x, *px;
struct s f(struct s v) {{ return v; }} struct s g(void) {{ return s; }}
int run(int l, int i, struct s *lp)
{{
  struct s ls = {{ 0 }}; struct bits lb; int last = 7;
{}
}}
int main(void) {{ return 0; }}
"""


@pytest.fixture
def steps(translated):
    """What becomes of statements: ``<`` and ``>`` for an atomic section, temporaries t1, t2, …, neighbours b1, b2, …"""

    def run(statements: str, function: str = "run") -> list[str]:
        body = translated("three_address", PROGRAM.format(dedent(statements)), function)
        body = body.partition("last = 7;\n" if function == "run" else "{\n")[2].removesuffix("}\n")
        body = body.replace("__CSEQ_access(0);\n  __VERIFIER_atomic_begin();", "<")
        body = body.replace("__VERIFIER_atomic_end();", ">")
        order = list(dict.fromkeys(re.findall(r"__cs_tmp_\d+", body)))
        body = re.sub(r"__cs_tmp_\d+", lambda match: f"t{order.index(match.group()) + 1}", body)
        return [line[2:] for line in re.sub(r"__cs_beside_", "b", body).splitlines()]

    return run


MEMBERS = ("m", "in.c[0]", "in.c[1]", "next")


def copied(to: str, of: str) -> list[str]:
    return [f"{to}.{member} = {of}.{member};" for member in MEMBERS]


def test_a_struct_is_loaded_and_stored_member_by_member(steps):
    assert steps("ls = s;") == copied("ls", "s")
    assert steps("s = ls;") == copied("s", "ls")
    assert steps("s = t;") == copied("t1", "t") + copied("s", "t1")
    assert steps("*lp = ls;") == copied("(*lp)", "ls")
    assert steps("array[i] = *p;") == ["t1 = p;", *copied("t2", "(*t1)"), *copied("array[i]", "t2")]
    assert steps("struct s fresh = s;") == copied("fresh", "s")


def test_what_only_one_thread_sees_is_copied_whole(steps):
    assert steps("struct s fresh = ls;") == ["fresh = ls;"]


def test_what_is_called_with_and_returned_is_copied_too(steps):
    assert steps("ls = f(s);") == [*copied("t1", "s"), "ls = f(t1);"]
    assert steps("s = f(ls);") == ["t1 = f(ls);", *copied("s", "t1")]
    assert steps("", "g") == ["struct s __cs_tmp_1;".replace("__cs_tmp_1", "t1"), *copied("t1", "s"), "return t1;"]


def test_a_chain_of_assignments_and_a_choice(steps):
    assert steps("s = t = ls;") == ["t1 = ls;", *copied("t", "t1"), *copied("s", "t1")]
    chosen = steps("ls = l ? s : t;")
    assert chosen[0] == "if (l) {"
    assert [line.strip() for line in chosen[1:5]] == copied("t1", "s")
    assert chosen[-1] == "ls = t1;"


def test_which_object_is_copied_does_not_change_on_the_way(steps):
    assert steps("ls = *ls.next;") == ["t1 = ls.next;", *copied("ls", "(*t1)")]
    assert steps("ls = array[ls.m + 1];") == ["t1 = ls.m + 1;", *copied("ls", "array[t1]")]
    assert steps("ls = p->next[ls.m];")[:3] == ["t1 = p;", "t2 = t1->next;", "t3 = ls.m;"]


def test_bit_fields_of_a_storage_unit_are_one_access(steps):
    assert steps("lb = bits;") == [
        "<", "lb.a = bits.a;", "lb.b = bits.b;", ">", "lb.n = bits.n;", "lb.c = bits.c;", "lb.d = bits.d;",
    ]  # fmt: skip
    assert steps("wide = wide2;")[:2] == ["t1.a = wide2.a;", "t1.b = wide2.b;"]


def test_unions(steps):
    assert steps("us = us2;") == ["t1 = us2;", "us = t1;"]
    assert steps("ub = ub2;") == [
        "t1.m[0] = ub2.m[0];",
        "t1.m[1] = ub2.m[1];",
        "ub.m[0] = t1.m[0];",
        "ub.m[1] = t1.m[1];",
    ]
    assert steps("an = an2;") == ["t1.n = an2.n;", "t1.m = an2.m;", "an.n = t1.n;", "an.m = t1.m;"]
    assert steps("fl = fl2;") == ["t1.n = fl2.n;", "fl.n = t1.n;"]


def test_memory_functions_on_a_whole_object(steps):
    assert steps("memcpy(&us, &us2, sizeof us);") == ["t1 = us2;", "us = t1;"]
    assert steps("memcpy(numbers, &numbers2, sizeof numbers);") == [
        "t1 = numbers2[0];", "numbers[0] = t1;", "t2 = numbers2[1];", "numbers[1] = t2;",
    ]  # fmt: skip
    assert steps("memset(numbers, 0, 8);") == ["numbers[0] = 0;", "numbers[1] = 0;"]
    assert steps("memmove(px, &x, sizeof *px);") == ["t1 = px;", "t2 = x;", "*t1 = t2;"]
    assert steps("lp = memcpy(&x, &i, sizeof x);")[:2] == ["t1 = &x;", "t2 = i;"]


@pytest.mark.parametrize(
    "statement",
    [
        "memcpy(&pad, &pad2, sizeof pad);",  # what a copy of the members does not copy
        "memcpy(numbers, numbers2, 4);",
        "memset(&s, 1, sizeof s);",
        "memset(&us, 0, sizeof us);",
        "memcpy(&s, numbers, 8);",
    ],
)
def test_other_calls_of_them_are_one_step(steps, statement):
    function = statement.partition("(")[0]
    assert [line.partition("(")[0] for line in steps(statement) if "(" in line] == ["__CSEQ_coarse", function]


# Bit-fields


def test_a_store_to_a_bit_field_loads_and_stores_its_neighbours(steps):
    assert steps("bits.a = l;") == ["b1 = bits.b;", "<", "bits.a = l;", "bits.b = b1;", ">"]
    assert steps("pb->b = 1;") == ["t1 = pb;", "b1 = t1->a;", "<", "t1->b = 1;", "t1->a = b1;", ">"]
    assert steps("bits.b++;") == ["t1 = bits.b;", "b1 = bits.a;", "<", "bits.b = t1 + 1;", "bits.a = b1;", ">"]


def test_a_bit_field_without_neighbours_is_a_scalar(steps):
    assert steps("bits.c = l;") == ["bits.c = l;"]
    assert steps("bits.d = l; lb.a = 1;") == ["bits.d = l;", "lb.a = 1;"]


# What is too coarse


@pytest.mark.parametrize(
    "statement, expected",
    [
        ("large = large2;", ["# a copy of 65 members and elements", "t1 = large2;"] * 2),
        ("uo = uo2;", ["# a copy of a union of 16 bytes", "t1 = uo2;"] * 2),
        ("i = strlen(lp->in.c);", ["# `strlen`", "i = strlen(lp->in.c);"]),
        ('i = strlen("x");', ['i = strlen("x");']),
    ],
)
def test_steps_that_are_too_coarse_are_marked(steps, statement, expected):
    marked = [re.sub(r'__CSEQ_coarse\("(.*)"\);', r"# \1", line) for line in steps(statement)]
    marked[3:] = [re.sub(r"(\w+) = t1;", r"t1 = \g<1>2;", line) for line in marked[3:]]
    assert marked == expected


def test_a_step_that_is_too_coarse_is_a_bound_where_it_can_be_interrupted(translated):
    text = """\
        #include <pthread.h>
        #include <string.h>
        struct large { int m[65]; } a, b;
        void *thread(void *arg)
        {
          a = b;
          __VERIFIER_atomic_begin();
          b = a;
          __VERIFIER_atomic_end();
          return 0;
        }
        int main(void)
        {
          pthread_t t;
          memset(&a, 1, sizeof a);
          pthread_create(&t, 0, thread, 0);
          memset(&a, 1, sizeof a);
        }
        """
    context = translated.context()
    value: object = [translated.write(text)]
    for _, stage in load("lazy").chosen(context.values)[:11]:
        value = stage(context).run(value)
    found = [(bound.origin.line, bound_text(bound)) for bound in context.facts[BOUNDS] if bound.kind == "grain"]
    assert sorted(found) == [
        (6, "a copy of 65 members and elements counts as one access to memory"),
        (17, "`memset` counts as one access to memory"),
    ]


def test_functions_of_the_c_library_that_are_modelled_in_c_are_too_coarse(steps):
    assert steps("strcpy(lp->in.c, p->in.c);")[:2] == ["t1 = p;", '__CSEQ_coarse("`strcpy`");']
    assert steps('char text[4]; l = strcmp(text, "x");')[-1].startswith("l = strcmp(")


def test_a_function_of_the_users_is_not_one_of_the_c_library(translated):
    text = """\
        char shared[2];
        unsigned long strlen(const char *text) { unsigned long n = 0; while (text[n]) n++; return n; }
        int main(void) { return strlen(shared); }
        """
    assert "__CSEQ_coarse" not in translated("three_address", text)
