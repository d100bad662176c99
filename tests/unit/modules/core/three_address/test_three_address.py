"""The three-address stage: no side effects in expressions, and at most one visible access per statement."""

import re
from textwrap import dedent

import pytest
from pycparser import c_ast

from cseq.c.symbols import Symbols
from cseq.model.errors import UnsupportedError
from cseq.modules.analysis.visibility import Visibility
from tests.support.stages import LINEAR_PROGRAM

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
    text = translated("three_address", LINEAR_PROGRAM.format("l = (byte = 300) + 1; l = ++byte;"), "run")
    assert text.count("unsigned char __cs_tmp") == 3


# && and || and ?:


def test_operators_that_guard_nothing_shared_stay(assert_linear):
    assert_linear("l = x && k || !l; l = x ? k : 1;", "l = (x && k) || (!l);\nl = (x) ? (k) : (1);")


# Calls


# What is promised of all statements


def test_no_statement_accesses_more_than_one_shared_place(translated):
    unit = translated.unit(
        "three_address",
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
        "three_address",
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
        ("undefined();", UnsupportedError, "the function `undefined` is called but not defined"),
        ("__VERIFIER_nondet_strange();", UnsupportedError,
         "`__VERIFIER_nondet_strange` is not one of SV-COMP's functions for nondeterministic values"),
        ("p = __builtin_frame_address(0);", UnsupportedError, "`__builtin_frame_address` is not supported"),
    ],
)  # fmt: skip
def test_what_is_refused(translated, statement, kind, message):
    text = LINEAR_PROGRAM.format(f"\n\n{statement}\n")
    line = text.splitlines().index(statement) + 1
    told = translated.refusal("three_address", text, kind)
    assert told.startswith(f"program.c:{line}: ")
    assert message in told


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
    assert translated("three_address", before, "main", reads=True) == dedent(after)
    assert translated("three_address", before, "main") == "int main(void)\n{\n  return 0;\n}\n"
