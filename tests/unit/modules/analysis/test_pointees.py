"""Where pointers may lead. Unknown means anywhere."""

from __future__ import annotations

import pytest
from pycparser import c_ast

from cseq.c import parse
from cseq.c.symbols import Symbols
from cseq.modules.analysis.pointees import ANYWHERE, Pointees, overlap

PROGRAM = """
struct in {{ int deep, many[2]; }};
struct s {{ int m; int list[2]; struct s *next; struct in in; }};
struct bits {{ int a : 3, b : 4; char c; }} bits;
union u {{ int i; char c; }}; struct {{ union {{ int i; char c; }}; int j; }} either;
int g, h, ga[2]; struct s gs, gt, gsa[2], *gp; union u gu; void *vp; int *ip = &g; long number;
void *malloc(unsigned long size); void *memcpy(void *to, const void *from, unsigned long size);
int pthread_create(unsigned *t, void *a, void *(*f)(void *), void *arg); int pthread_join(unsigned t, void **r);
void *unknown(void); void known(struct s *s);
void *start(void *arg) {{ struct s *sp; sp = (struct s *) arg; return ip; }}
int main(void) {{ struct s *p, *q; int *a, *b; char *c; unsigned t; struct s l; void *r; {} ; }}
"""


def pointees(statements: str) -> tuple[Pointees, list[c_ast.Node]]:
    tree = parse(PROGRAM.format(statements))
    threads = [node for node in tree.ext if isinstance(node, c_ast.FuncDef)]
    return Pointees(Symbols(tree), tree, threads), threads[-1].body.block_items


def places(lvalue: str, statements: str = ";") -> set[str]:
    found, items = pointees(f"{statements} {lvalue}")
    return {".".join(filter(None, place)) or "anywhere" for place in found.places(items[-1])}


@pytest.mark.parametrize(
    ("lvalue", "statements", "expected"),
    [
        ("g", "", {"g"}),
        ("gs.m", "", {"gs.m"}),
        ("gs.in.deep", "", {"gs.in.deep"}),
        ("gs.in.many[1]", "", {"gs.in.many"}),
        ("gsa[1].list[0]", "", {"gsa.list"}),
        ("gu.c", "", {"gu"}),
        ("either.i", "", {"either"}),
        ("p->m", "p = &gs;", {"gs.m"}),
        ("p->m", "q = &gs; p = q;", {"gs.m"}),
        ("p->m", "p = &gs; p = &gt;", {"gs.m", "gt.m"}),
        ("p[1].m", "p = gsa;", {"gsa.m"}),
        ("gp->next->m", "gp = &gs; gs.next = &gt;", {"gt.m"}),
        ("p->m", "vp = &gs; p = (struct s *) vp;", {"gs.m"}),
        ("*a", "a = &gs.m;", {"gs.m"}),
        ("a[1]", "a = &gs.m;", {"gs"}),
        ("a[1]", "a = gs.list;", {"gs.list"}),
        ("*(a + 1)", "a = &gs.list[0];", {"gs.list"}),
        ("*(a + 1)", "a = &gs.m;", {"gs"}),
        ("*c", "c = (char *) &gs.m;", {"gs"}),
        ("*(a + 1)", "c = (char *) gs.list; a = (int *) (c - 4);", {"gs"}),
        ("*a", "a = gs.list; a += 1;", {"gs", "gs.list"}),
        ("bits.a", "", {"bits"}),
        ("bits.c", "", {"bits.c"}),
        ("*ip", "", {"g"}),
        ("*b", "b = g ? &g : &h;", {"g", "h"}),
        ("p->m", "p = unknown();", {"anywhere", "call of another function.m"}),
        ("p->m", "number = (long) &gs; p = (struct s *) number;", {"anywhere"}),
        ("p->m", "memcpy(&l, &gs, sizeof l); gs.next = &gt; p = l.next;", {"gt.m"}),
        ("*a", "pthread_join(t, &r); a = (int *) r;", {"g"}),
        ("gp->m", "gs.next = &gt; gp = &gs; known(&gs); gp = gs.next;", {"gs.m", "gt.m", "anywhere"}),
    ],
)
def test_places(lvalue, statements, expected):
    assert places(lvalue, statements) == expected


def test_each_call_allocates_an_object_of_its_own():
    assert len(places("p->m", "p = malloc(8); p = malloc(8);")) == 2
    assert places("p->m", "p = malloc(8);").isdisjoint(places("q->m", "p = malloc(8); q = malloc(8);"))


def test_the_argument_of_a_thread():
    found, _ = pointees("pthread_create(&t, 0, start, &gs);")
    assert found.targets(c_ast.ID("sp")) == {("gs", "")}


def test_a_pointer_that_is_known_better():
    found, items = pointees("p = &gs; p = &gt; p->m")
    assert found.places(items[-1], {"p": frozenset({("gt", "")})}) == {("gt", "m")}


@pytest.mark.parametrize(
    ("place", "pointer", "expected"),
    [
        (("gs", ""), "p", True),
        (("gs", "m"), "a", True),
        (("gsa", ""), "p", False),
        (("gs", "list"), "a", False),
        (("gs", ""), "a", False),
    ],
)
def test_one_object(place, pointer, expected):
    found, items = pointees(f"{pointer}")
    assert found.is_one(place, found._symbols.element(found._symbols.type_of(items[-1]))) is expected


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (("g", ""), ("g", ""), True),
        (("g", ""), ("h", ""), False),
        (("gs", ""), ("gs", "m"), True),
        (("gs", "in"), ("gs", "in.deep"), True),
        (("gs", "in"), ("gs", "inner"), False),
        (("gs", "m"), ("gs", "list"), False),
        (ANYWHERE, ANYWHERE, True),
    ],
)
def test_overlap(one, other, expected):
    assert overlap(one, other) is overlap(other, one) is expected
