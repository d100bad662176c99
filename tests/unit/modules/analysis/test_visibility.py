"""The analysis of what another thread can notice. Unknown means visible."""

import pytest
from pycparser import c_ast

from cseq.c import parse
from cseq.c.symbols import Symbols
from cseq.modules.analysis.visibility import Visibility

FILE_LEVEL = """
struct s { int m; int list[2]; struct s *next; };
typedef struct { int dummy; } pthread_mutex_t;
int g, *gp, ga[2]; struct s gs; const int gc = 1; const int *gpc; int *const gcp = &g; const int gca[2] = {1, 2};
int pthread_mutex_lock(pthread_mutex_t *m); int pthread_create(unsigned *t, void *a, void *(*f)(void *), void *arg);
_Thread_local int tl, tla[2]; int thrd_create(unsigned *t, int (*f)(void *), void *arg);
int pthread_join(unsigned t, void **r); void __CSEQ_havoc(void *object, unsigned long size);
void *memcpy(void *to, const void *from, unsigned long size);
void user(int *p); void *start(void *arg);
"""

LOCALS = "int l, la[3], lm[2][2], *p, **pp; struct s ls, lsa[2], *lp; unsigned t; pthread_mutex_t mutex; void *r;"


def analysis(statements: str) -> tuple[Visibility, list[c_ast.Node]]:
    tree = parse(f"{FILE_LEVEL}\nvoid f(void) {{ {LOCALS} {statements} }}\n")
    body = tree.ext[-1].body.block_items
    return Visibility(Symbols(tree), tree), [item for item in body if not isinstance(item, c_ast.Decl)]


def is_visible(lvalue: str, statements: str = ";") -> bool:
    visibility, items = analysis(f"{statements} {lvalue};")
    return visibility.is_visible(items[-1])


@pytest.mark.parametrize(
    "lvalue", ["g", "*gp", "ga[1]", "gs.m", "gs.next->m", "*p", "p[0]", "*pp", "**pp", "lp->m", "(*lp).m",
    "ls.next->m", "*gpc",
               "gcp[0]", "0[p]"],
)  # fmt: skip
def test_what_others_can_reach_is_visible(lvalue):
    assert is_visible(lvalue)


@pytest.mark.parametrize(
    "lvalue",
    ["l", "tl", "tla[g]", "la[1]", "lm[1][0]", "p", "pp", "ls.m", "ls.list[1]", "lsa[1].m", "lsa[l].list[g]", "lp"],
)
def test_a_local_that_is_only_called_by_its_name_is_not(lvalue):
    assert not is_visible(lvalue)


@pytest.mark.parametrize("lvalue", ["gc", "gca[1]", "gca[g]", "gcp", '"text"[1]'])
def test_what_nobody_can_change_is_not(lvalue):
    assert not is_visible(lvalue)


ESCAPES = [
    ("l", "p = &l;"),
    ("l", "user(&l);"),
    ("l", "gp = &l;"),
    ("l", "pp = (int **)&l;"),
    ("l", "*pp = &l;"),
    ("l", "if (&l == p) g = 1;"),
    ("l", "pthread_create(&t, 0, start, &l);"),
    ("l", "pthread_create(&t, 0, start, (void *)&l);"),
    ("l", "thrd_create(&t, (int (*)(void *))start, &l);"),
    ("tl", "gp = &tl;"),
    ("tla[1]", "p = tla;"),
    ("l", "memcpy(&l, &g, 4);"),
    ("la[0]", "p = la;"),
    ("la[0]", "user(la);"),
    ("la[0]", "user(la + 1);"),
    ("la[0]", "p = &la[g];"),
    ("la[0]", "g = *la;"),
    ("la[0]", "pthread_create(&t, 0, start, la);"),
    ("lm[0][0]", "p = lm[1];"),
    ("lm[0][0]", "user(lm[l]);"),
    ("lm[0][0]", "p = &lm[1][0];"),
    ("lm[0][0]", "p = *lm;"),
    ("ls.m", "p = &ls.m;"),
    ("ls.m", "p = ls.list;"),
    ("ls.m", "user(ls.list + 1);"),
    ("ls.m", "lp = &ls;"),
    ("ls.list[0]", "p = &ls.list[1];"),
    ("lsa[0].m", "lp = lsa;"),
    ("lsa[0].m", "p = lsa[1].list;"),
    ("lsa[0].m", "p = &lsa[1].m;"),
    ("la[0]", "l = lm[*la][0];"),
    ("la[0]", "p = &lm[*la][0];"),
    ("t", "user((int *)&t);"),
    ("mutex", "pthread_create(&t, 0, start, &mutex);"),
]


@pytest.mark.parametrize("lvalue, statement", ESCAPES)
def test_a_local_whose_address_gets_away_is_visible(lvalue, statement):
    assert is_visible(lvalue, statement)
    assert not is_visible(lvalue)


@pytest.mark.parametrize(
    "lvalue, statement",
    [
        ("la[0]", "la[l] = la[g] + lm[1][la[2]];"),
        ("ls.m", "ls.m = ls.list[1]; gs = ls; ls = *lp;"),
        ("l", "g = sizeof(&l);"),
        ("la[0]", "g = sizeof(la);"),
        ("la[0]", "__CSEQ_havoc(la, sizeof(la));"),
        ("l", "p = &*p; lp = &*lp; p = &lp->m; p = &p[l];"),
        ("p", "gp = p; user(p); *p = 1;"),
        # the thread library keeps no address, but for the argument of a new thread
        ("t", "pthread_create(&t, 0, start, 0);"),
        ("mutex", "pthread_mutex_lock(&mutex);"),
        ("r", "pthread_join(t, &r);"),
    ],
)
def test_a_local_that_stays_here_is_not_visible(lvalue, statement):
    assert not is_visible(lvalue, statement)


def test_a_local_is_visible_everywhere_if_it_is_anywhere():
    assert is_visible("l", "l = 1; p = &l;")


@pytest.mark.parametrize(
    "expression, expected",
    [
        ("g + l", ["g"]),
        ("ga[g] * gs.m", ["g", "ga[]", ".m"]),
        ("gs.next->next->m", [".next", "->next", "->m"]),
        ("*gp", ["gp", "*"]),
        ("p[l]", ["p[]"]),
        ("&gs.list[g]", ["g"]),
        ("&gp[2]", ["gp"]),
        ("gs.list[1]", ["list[]"]),
        ("ga", []),
        ("start", []),
        ("sizeof g + sizeof(ga[g])", []),
        ("(char)g", ["g"]),
        ("g ? gc : ga[1]", ["g", "ga[]"]),
        ("l && la[1]", []),
        ("-g", ["g"]),
    ],
)
def test_the_loads_of_an_expression_in_order(expression, expected):
    visibility, items = analysis(f"l = {expression};")

    def name(node: c_ast.Node) -> str:
        match node:
            case c_ast.ID():
                return node.name
            case c_ast.StructRef():
                return node.type + node.field.name
            case c_ast.ArrayRef(name=c_ast.StructRef()):
                return node.name.field.name + "[]"
            case c_ast.ArrayRef():
                return node.name.name + "[]"
        return "*"

    loads = list(visibility.loads(items[-1].rvalue))
    assert [name(load) for load in loads] == expected
    assert visibility.count(items[-1].rvalue) == len(expected)


def test_no_expression_loads_nothing():
    visibility, _ = analysis(";")
    assert visibility.count(None) == 0
