"""The linearizer: no side effects in expressions, and at most one access per statement that others can notice."""

from __future__ import annotations

import re
from textwrap import dedent

import pytest
from pycparser import c_ast

from cseq.base.errors import InputError, UnsupportedError
from cseq.c.symbols import Symbols
from cseq.modules.analysis.visibility import Visibility

# x, y, a, p and s are shared; l, k, la, ls and q are not.
PROGRAM = """\
#include <pthread.h>
struct s {{ int m, n; struct s *next; unsigned b : 3; }};
int x, y, a[3]; struct s s, *p; int *pi; const int c = 7; const int table[2] = {{1, 2}}; unsigned char byte;
int f(int v) {{ return v; }} int g(void) {{ return x; }} void h(int v, int w) {{ }}
void *start(void *arg) {{ return arg; }} void *start2(void *arg) {{ return arg; }}
int (*fp)(int) = f; void *(*sp)(void *) = start2;
int __VERIFIER_nondet_int(void); void __VERIFIER_assume(int); void reach_error(void); void abort(void);
int printf(const char *, ...); void *malloc(unsigned long); int undefined(void); int __VERIFIER_nondet_strange(void);
int run(int l, int k, struct s ls, pthread_t th)
{{
  int la[3], *q;
{}
}}
int main(void) {{ return 0; }}
"""


@pytest.fixture
def linear(translated):
    """What becomes of statements; temporaries are called t1, t2, … in order of appearance."""

    def run(statements: str) -> list[str]:
        text = translated("linearizer", PROGRAM.format(dedent(statements)), "run")
        names: dict[str, str] = {}
        text = re.sub(r"__cs_tmp_\d+", lambda match: names.setdefault(match.group(), f"t{len(names) + 1}"), text)
        names.clear()
        lines = text.splitlines()[2:-1]
        start = next(number for number, line in enumerate(lines) if "= __CSEQ_nondet_pointer()" in line) + 1
        text = "\n".join(lines[start:])
        order = list(dict.fromkeys(re.findall(r"\bt\d+\b", text)))
        return [
            re.sub(r"\bt\d+\b", lambda match: f"t{order.index(match.group()) + 1}", line[2:])
            for line in text.splitlines()
        ]

    return run


@pytest.fixture
def assert_linear(linear):
    def check(before: str, after: str) -> None:
        assert linear(before) == dedent(after).splitlines()

    return check


# Accesses


@pytest.mark.parametrize(
    "statement, expected",
    [
        # one access is one statement
        ("l = k + 1;", "l = k + 1;"),
        ("x = 1;", "x = 1;"),
        ("l = x;", "l = x;"),
        ("l = x + k * 2;", "l = x + (k * 2);"),
        ("x = l + k;", "x = l + k;"),
        ("a[l] = k;", "a[l] = k;"),
        ("l = p->m;", "t1 = p;\nl = t1->m;"),
        ("if (x > l) l = 1;", "if (x > l) {\n  l = 1;\n}"),
        ("return x + 1;", "return x + 1;"),
        # each further access is a statement of its own, from left to right
        ("x = y;", "t1 = y;\nx = t1;"),
        ("l = x + y;", "t1 = x;\nl = t1 + y;"),
        ("l = x + y + s.m;", "t1 = x;\nt2 = y;\nl = (t1 + t2) + s.m;"),
        ("l = a[x];", "t1 = x;\nl = a[t1];"),
        ("a[x] = y;", "t1 = x;\nt2 = y;\na[t1] = t2;"),
        ("a[x]++;", "t1 = x;\nt2 = a[t1];\na[t1] = t2 + 1;"),
        ("p->next->m = 1;", "t1 = p;\nt2 = t1->next;\nt2->m = 1;"),
        ("*pi = 2;", "t1 = pi;\n*t1 = 2;"),
        ("l = *q;", "l = *q;"),
        ("q[1] = q[0];", "t1 = q[0];\nq[1] = t1;"),
        ("q = &a[x];", "q = &a[x];"),
        ("q = &p->m;", "q = &p->m;"),
        ("if (x == y) l = 1;", "t1 = x;\nif (t1 == y) {\n  l = 1;\n}"),
        ("return x - y;", "t1 = x;\nreturn t1 - y;"),
        ("ls.next = p->next;", "t1 = p;\nls.next = t1->next;"),
        # what nobody can change is not an access
        ("l = c + table[l] + x;", "l = (c + table[l]) + x;"),
        ("la[l] = la[k] + ls.m + x;", "la[l] = (la[k] + ls.m) + x;"),
        ("l = sizeof x + sizeof(a[y]) + x;", "l = ((sizeof(x)) + (sizeof(a[y]))) + x;"),
        ('l = "abc"[k];', 'l = "abc"[k];'),
    ],
)
def test_accesses(assert_linear, statement, expected):
    assert_linear(statement, expected)


# Side effects


@pytest.mark.parametrize(
    "statement, expected",
    [
        ("l++;", "l = l + 1;"),
        ("x++;", "t1 = x;\nx = t1 + 1;"),
        ("--x;", "t1 = x;\nx = t1 - 1;"),
        ("x += y;", "t1 = x;\nt2 = y;\nx = t1 + t2;"),
        ("l -= x;", "l = l - x;"),
        ("k = l++;", "t1 = l;\nl = t1 + 1;\nk = t1;"),
        ("k = ++l;", "t1 = l;\nt2 = t1 + 1;\nl = t2;\nk = t2;"),
        ("l = x++ + k;", "t1 = x;\nx = t1 + 1;\nl = t1 + k;"),
        ("la[l++] = x--;", "t1 = l;\nl = t1 + 1;\nt2 = x;\nx = t2 - 1;\nla[t1] = t2;"),
        ("*q++ = 1;", "t1 = q;\nq = t1 + 1;\n*t1 = 1;"),
        ("x = y = k;", "t1 = k;\ny = t1;\nx = t1;"),
        ("l = k = 3;", "k = 3;\nl = k;"),
        ("l = (byte = 300) + 1;", "t1 = 300;\nbyte = t1;\nl = t1 + 1;"),
        ("k = (l += 2) * 3;", "l = l + 2;\nk = l * 3;"),
        ("l = (x = 1, k);", "x = 1;\nl = k;"),
        ("x = 1, y = 2;", "x = 1;\ny = 2;"),
        ("if (x++) l = 1;", "t1 = x;\nx = t1 + 1;\nif (t1) {\n  l = 1;\n}"),
        ("return l++, l;", "l = l + 1;\nreturn l;"),
        ("(void)(x + 1);", ""),
        ("x;", ""),
        ("(x++, l) + k--;", "t1 = x;\nx = t1 + 1;\nk = k - 1;"),
    ],
)
def test_side_effects(assert_linear, statement, expected):
    assert_linear(statement, expected)


def test_the_value_of_an_assignment_has_the_type_of_its_left_side(translated):
    text = translated("linearizer", PROGRAM.format("l = (byte = 300) + 1; l = ++byte;"), "run")
    assert text.count("unsigned char __cs_tmp") == 3


def test_the_condition_of_a_loop_is_evaluated_again_in_the_end(assert_linear):
    assert_linear(
        "while (x < y) l = 1;",
        """\
        t1 = x;
        while (t1 < y) {
          l = 1;
          t1 = x;
        }
        """,
    )


# && and || and ?:


def test_operators_that_guard_nothing_shared_stay(assert_linear):
    assert_linear("l = x && k || !l; l = x ? k : 1;", "l = (x && k) || (!l);\nl = (x) ? (k) : (1);")


def test_and_reads_its_right_operand_only_if_the_left_one_holds(assert_linear):
    assert_linear(
        "l = x && y;",
        """\
        t1 = x;
        t2 = t1 != 0;
        if (t2) {
          t2 = y != 0;
        }
        l = t2;
        """,
    )


def test_or_reads_its_right_operand_only_if_the_left_one_does_not_hold(assert_linear):
    assert_linear(
        "if (k == 1 || y > 2) l = 1;",
        """\
        t1 = k == 1;
        if (!t1) {
          t1 = y > 2;
        }
        if (t1) {
          l = 1;
        }
        """,
    )


def test_a_pointer_is_followed_only_behind_its_test(assert_linear):
    assert_linear(
        "if (q && *q) l = 1;",
        """\
        t1 = q != 0;
        if (t1) {
          t1 = (*q) != 0;
        }
        if (t1) {
          l = 1;
        }
        """,
    )


def test_a_choice_reads_one_of_its_operands(assert_linear):
    assert_linear(
        "l = x ? y : k;",
        """\
        t1 = x;
        if (t1) {
          t2 = y;
        } else {
          t2 = k;
        }
        l = t2;
        """,
    )


def test_side_effects_behind_and_and_or_and_in_a_choice(assert_linear):
    assert_linear(
        """\
        l && x++;
        l || (y = 2);
        l ? f(1) : h(2, 3);
        """,
        """\
        if (l) {
          t1 = x;
          x = t1 + 1;
        }
        if (!l) {
          y = 2;
        }
        if (l) {
          f(1);
        } else {
          h(2, 3);
        }
        """,
    )


# Calls


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
        "linearizer",
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
        "linearizer",
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
    text = translated("linearizer", f"int x;\n{function}\n{pointer}\nint main(void) {{ return {call}; }}\n", "main")
    assert "== to) {" in text


def test_functions_of_other_types_are_no_choice(translated):
    text = translated(
        "linearizer",
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


# What is promised of all statements


def test_no_statement_accesses_more_than_one_shared_place(translated):
    unit = translated.unit(
        "linearizer",
        """\
        struct n { int v; struct n *next; int a[2]; } *head, nodes[3];
        int x, y, i, j, m[2][2];
        int f(int a, int b) { return a + b + x; }
        int main(void)
        {
          struct n *l = head;
          int k = x + y * m[i][j];
          m[x][y] = m[y][x] + f(x, y);
          head->next->v = nodes[i].a[j] + l->next->v;
          while (l && l->v < x) l = l->next;
          nodes[x].a[y]++;
          *head->next = nodes[m[0][1]];
          if (x++ < y-- && (k = i) || !head) k = x ? y : i;
          switch (x + y) { case 1: return x + i; }
          return f(x, f(y, head->v)) + m[x][y];
        }
        """,
    )
    symbols = Symbols(unit.tree)
    visibility = Visibility(symbols, unit.tree)
    counts = [count(visibility, node) for node in unit.tree.ext if isinstance(node, c_ast.FuncDef)]
    assert max(map(max, counts)) == 1


def count(visibility: Visibility, node: c_ast.Node) -> list[int]:
    """The number of shared accesses of each statement in *node*."""
    match node:
        case c_ast.FuncDef():
            return count(visibility, node.body)
        case c_ast.Compound():
            return [number for item in node.block_items or [] for number in count(visibility, item)]
        case c_ast.If():
            rest = [part for part in (node.iftrue, node.iffalse) if part is not None]
            return [visibility.count(node.cond), *(number for part in rest for number in count(visibility, part))]
        case c_ast.While():
            return [visibility.count(node.cond), *count(visibility, node.stmt)]
        case c_ast.Assignment():
            loads = visibility.count(node.rvalue) if not isinstance(node.rvalue, c_ast.FuncCall) else 0
            addresses = sum(1 for _ in visibility.address_loads(node.lvalue))
            return [addresses + loads + visibility.is_visible(node.lvalue)]
        case c_ast.FuncCall():
            return [visibility.count(node.args)]
        case c_ast.Return():
            return [visibility.count(node.expr)]
    return [0]


def test_what_a_statement_becomes_has_its_line(translated):
    unit = translated.unit(
        "linearizer",
        "int x, y;\nint f(int a) { return a; }\nint main(void)\n{\n  x = y +\n    f(x++);\n  while (x <\n    y)\n"
        "    y--;\n  return 0;\n}\n",
    )
    lines = [
        unit.linemap[number] for number, line in enumerate(unit.text.splitlines(), 1) if re.match(r"\s+\S.* = ", line)
    ]
    assert [origin.line for origin in lines] == [5, 5, 5, 5, 5, 7, 9, 9, 7]


# What is refused


@pytest.mark.parametrize(
    "statement, kind, message",
    [
        ("undefined();", InputError, "the function `undefined` is called but not defined"),
        ("__VERIFIER_nondet_strange();", UnsupportedError,
         "`__VERIFIER_nondet_strange` is none of SV-COMP's functions for nondeterministic values"),
        ("p = __builtin_frame_address(0);", UnsupportedError, "`__builtin_frame_address` is not supported"),
    ],
)  # fmt: skip
def test_what_is_refused(translated, statement, kind, message):
    text = PROGRAM.format(f"\n\n{statement}\n")
    line = text.splitlines().index(statement) + 1
    told = translated.refusal("linearizer", text, kind)
    assert told.startswith(f"program.c:{line}: ")
    assert message in told


def test_a_cleanup_handler_is_called_behind_its_block_and_on_the_way_out(translated):
    text = """
        #include <pthread.h>
        int x;
        void undo(void *arg) { x = 0; }
        int main(void)
        {
          pthread_cleanup_push(undo, &x);
          pthread_exit(0);
          pthread_cleanup_pop(1);
          return 0;
        }
        """
    assert translated("linearizer", text, "main") == dedent("""\
        int main(void)
        {
          void *__cs_tmp_1;
          __cs_tmp_1 = &x;
          __CSEQ_cleanup(1);
          pthread_exit(0);
          __CSEQ_cleaned(1);
          undo(__cs_tmp_1);
          goto __cs_clean_1;
          __cs_cleanup_1: ;
          undo(__cs_tmp_1);
          __CSEQ_unwind();
          __cs_clean_1: ;
          return 0;
        }
        """)


def test_further_arguments_are_left_in_cells(translated):
    text = translated(
        "linearizer",
        """\
        #include <stdarg.h>
        int x;
        int f(int n, ...)
        {
          va_list l;
          va_start(l, n);
          x = va_arg(l, int);
          va_end(l);
          return n;
        }
        int main(void) { f(1, x, 2.5f); return 0; }
        """,
        "f",
        "main",
    )
    no_argument = "reachability.no_argument va_arg"
    assert text == dedent(f"""\
        int f(int n, ...)
        {{
          __cs_va_list __cs_va_arguments_f;
          va_list l;
          __cs_va_list __cs_tmp_2;
          int __cs_tmp_3;
          l = __CSEQ_nondet_pointer();
          l = __cs_va_arguments_f;
          __cs_tmp_2 = l;
          __CSEQ_assert(__cs_tmp_2->__cs_va_kind == 1, "{no_argument}");
          __cs_tmp_3 = (int) __cs_tmp_2->__cs_va_word;
          l = __cs_tmp_2 + 1;
          x = __cs_tmp_3;
          return n;
        }}
        int main(void)
        {{
          int __cs_tmp_4;
          struct __cs_va_cell __cs_tmp_5[3];
          __cs_tmp_4 = x;
          __cs_tmp_5[0].__cs_va_kind = 1;
          __cs_tmp_5[0].__cs_va_word = (long long) __cs_tmp_4;
          __cs_tmp_5[1].__cs_va_kind = 3;
          __cs_tmp_5[1].__cs_va_real = (double) 2.5f;
          __cs_tmp_5[2].__cs_va_kind = 0;
          f(1, __cs_tmp_5);
          return 0;
        }}
        """)


def test_va_start_in_a_function_that_is_not_variadic_is_refused_by_the_compiler(translated):
    text = "#include <stdarg.h>\nint main(int n, char **v)\n{\n  va_list l;\n  va_start(l, n);\n}\n"
    assert translated.refusal("linearizer", text).startswith("program.c:5: ")


def test_converted_functions_are_called_as_what_they_are_not(translated):
    text = translated(
        "linearizer",
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


def test_what_is_read_for_nothing_is_read_where_that_counts(translated):
    before = """\
        int printf(const char *, ...);
        int x, a[3];
        char text[3], *p;
        int main(void) { x; (void)a[x]; &a[1]; sizeof(x); printf("%d%.2s%p", x + 1, text, p); return 0; }
        """
    after = """\
        int main(void)
        {
          int __cs_tmp_1;
          int __cs_tmp_2;
          int __cs_tmp_3;
          int __cs_tmp_4;
          char *__cs_tmp_5;
          __cs_tmp_1 = x;
          __cs_tmp_2 = x;
          __cs_tmp_3 = a[__cs_tmp_2];
          __cs_tmp_4 = x;
          __cs_shown(text, 2);
          __cs_tmp_5 = p;
          return 0;
        }
        """
    assert translated("linearizer", before, "main", reads=True) == dedent(after)
    assert translated("linearizer", before, "main") == "int main(void)\n{\n  return 0;\n}\n"
