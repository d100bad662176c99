"""Calls: their arguments, calls through pointers, and functions that mean something to CSeq."""

import re
from textwrap import dedent

import pytest


@pytest.mark.parametrize(
    "statement, expected",
    [
        ("f(1);", "f(1);"),
        ("l = f(k);", "l = f(k);"),
        ("x = f(x);", "t1 = x;\nx = f(t1);"),
        ("h(x, y);", "t1 = x;\nt2 = y;\nh(t1, t2);"),
        ("l = f(1) + g();", "t1 = f(1);\nt2 = g();\nl = t1 + t2;"),
        ("f(f(l++));", "t1 = l;\nl = t1 + 1;\nt2 = f(t1);\nf(t2);"),
        ("if (g()) l = 1;", "t1 = g();\nif (t1) {\n  l = 1;\n}"),
        ("while (g()) l = 1;", "t1 = g();\nwhile (t1) {\n  l = 1;\n  t1 = g();\n}"),
        ("l = k && g();", "t1 = k != 0;\nif (t1) {\n  t2 = g();\n  t1 = t2 != 0;\n}\nl = t1;"),
        ("return f(x);", "t1 = x;\nt2 = f(t1);\nreturn t2;"),
        ("(void)f(l);", "f(l);"),
        ("l = (char)f(k);", "t1 = f(k);\nl = (char) t1;"),
        # a step of the thread library is one access, so its result goes to a place of its own first
        ("x = pthread_join(th, 0);", "t1 = pthread_join(th, 0);\nx = t1;"),
        ("l = pthread_join(th, 0);", "l = pthread_join(th, 0);"),
        ("p = malloc(x);", "t1 = x;\nt2 = malloc(t1);\np = t2;"),
        # what means something to us
        ("l = __VERIFIER_nondet_int();", "l = __CSEQ_nondet_int();"),
        ("x = __VERIFIER_nondet_int();", "x = __CSEQ_nondet_int();"),
        ("__VERIFIER_assume(x > y);", "t1 = x;\n__CSEQ_assume(t1 > y);"),
        ("reach_error();", '__CSEQ_assert(0, "reachability.called reach_error");'),
        ("abort();", "__CSEQ_stop();"),
        ('printf("%d", x++);', "t1 = x;\nx = t1 + 1;"),
        ("pthread_exit(p);", "t1 = p;\npthread_exit(t1);"),
        ("pthread_create(&th, 0, start, &x);", "t1 = pthread_create(&th, 0, start, &x);"),
        (
            "l = pthread_create(&th, 0, (void *(*)(void *))&start, p);",
            "t1 = p;\nl = pthread_create(&th, 0, start, t1);",
        ),
    ],
)
def test_calls(assert_linear, statement, expected):
    assert_linear(statement, expected)


def test_assertions_and_the_error_label(translated):
    text = translated(
        "three_address",
        """\
        #include <assert.h>
        int x, y;
        int main(void)
        {
          assert(x == y);
          if (x) goto ERROR;
          return 0;
          ERROR: return 1;
        }
        """,
        "main",
    )
    assert text == dedent("""\
        int main(void)
        {
          int __cs_tmp_1;
          __cs_tmp_1 = x;
          __CSEQ_assert(__cs_tmp_1 == y, "assertion: x == y");
          if (x) goto ERROR;
          return 0;
          ERROR: ;
          __CSEQ_assert(0, "reachability.label");
          return 1;
        }
        """)


NO_FUNCTION = "reachability.no_function"


def test_a_call_through_a_pointer_is_a_choice(assert_linear):
    assert_linear(
        "l = fp(k);",
        f"""\
        t1 = fp;
        t2 = t1;
        if (t2 == f) {{
          t3 = f(k);
        }} else {{
          __CSEQ_assert(0, "{NO_FUNCTION}");
        }}
        l = t3;
        """,
    )


def test_a_start_function_that_is_known_only_at_run_time_is_a_choice(assert_linear):
    assert_linear(
        "l = pthread_create(&th, 0, sp, 0);",
        f"""\
        t1 = sp;
        t2 = t1;
        if (t2 == start2) {{
          t3 = pthread_create(&th, 0, start2, 0);
        }} else {{
          __CSEQ_assert(0, "{NO_FUNCTION}");
        }}
        l = t3;
        """,
    )


def test_a_start_function_known_only_at_run_time_may_have_been_converted(translated):
    text = translated(
        "three_address",
        """
        #include <pthread.h>
        void *plain(void *arg) { return arg; }
        void *open() { return 0; }
        int number(int n) { return n; }
        int other(int n) { return n; }
        void *(*p)(void *) = (void *(*)(void *))number;
        int (*q)(int) = other;
        int main(void) { pthread_t t; p = plain; p = open; pthread_create(&t, 0, p, 0); return 0; }
        """,
        "main",
    )
    assert "== plain" in text
    assert "== ((void *(*)(void *)) open)" in text
    assert "== ((void *(*)(void *)) number)" in text
    assert "other" not in text


@pytest.mark.parametrize(
    "function, pointer, call",
    [
        ("int to(int v) { return v; }", "int (*ptr)(int v) = to;", "ptr(1)"),
        ("int to(const int v) { return v; }", "int (*ptr)(int) = to;", "ptr(1)"),
        ("int to(unsigned v) { return v; }", "int (*ptr)(unsigned int) = to;", "ptr(1)"),
        ("int to(long int v) { return v; }", "int (*ptr)(long) = to;", "ptr(1)"),
        ("typedef int T;\nint to(T *v) { return *v; }", "int (*ptr)(int *) = to;", "ptr(&x)"),
        ("int to(int v[3]) { return *v; }", "int (*ptr)(int *) = &to;", "(*ptr)(&x)"),
        ("int to(int (*cb)(int v)) { return cb(1); }", "int (*ptr)(int (*)(int)) = to;", "ptr(0)"),
        ("struct s; int to(struct s *v) { return v == 0; }", "struct s; int (*ptr)(struct s *) = to;", "ptr(0)"),
        ("int to(void) { return 1; }", "int (*ptr)(void) = to;", "ptr()"),
        ("int to() { return 1; }", "int (*ptr)(void) = to;", "ptr()"),
        ("int to(void) { return 1; }", "int (*ptr)() = to;", "ptr()"),
        ("typedef int F(int);\nF to;\nint to(int v) { return v; }", "F *ptr = to;", "ptr(1)"),
    ],
)
def test_compatible_types_are_of_one_type(translated, function, pointer, call):
    text = translated("three_address", f"int x;\n{function}\n{pointer}\nint main(void) {{ return {call}; }}\n", "main")
    assert "== to) {" in text


def test_functions_of_other_types_are_no_choice(translated):
    text = translated(
        "three_address",
        """\
        void narrow(char v) { } void two(int v, int w) { } void other(int *v) { }
        void never(int v) { } void to(int v) { }
        void *all[] = {narrow, two, other, to};
        void (*ptr)(int);
        int main(void) { ptr(1); return 0; }
        """,
        "main",
    )
    assert re.findall(r"== (\w+)\)", text) == ["to"]


def test_converted_functions_are_called_as_what_they_are_not(translated):
    text = translated(
        "three_address",
        """\
        struct s { int m; };
        void same(void *v) { } void record(struct s *v) { } void never(struct s *v) { } void number(long v) { }
        int result(void *v) { return 1; } void wide(double v) { }
        void (*all[])(void *) = {same, (void (*)(void *))record, (void (*)(void *))number, (void (*)(void *))wide,
                                 (void (*)(void *))result};
        void (*other)(struct s *) = never;
        int main(void) { all[0](0); return 0; }
        """,
        "main",
    )
    assert re.findall(r"== (?:\([^)]*\) )*\(?(?:\(.*?\) )?(\w+)\)+ {", text) == ["same", "record", "result"]
