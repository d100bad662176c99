"""Where pointers may lead. Unknown means anywhere."""

import pytest

from cseq.c import parse
from cseq.c.symbols import Symbols
from cseq.modules.analysis.points_to import ANYWHERE, Location, PointsTo, overlap
from cseq.modules.analysis.visibility import Visibility
from cseq.modules.ir import instructions as ir
from cseq.modules.ir.expressions import Place
from cseq.modules.ir.lower import lower
from cseq.modules.ir.objects import Object
from cseq.modules.ir.types import Pointer

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
int main(void) {{ struct s *p, *q; int *a, *b; char *c; unsigned t; struct s l; void *r; {} }}
"""

PLACES = [
    ("g", "", {"g"}),
    ("gs.m", "", {"gs.m"}),
    ("gs.in.deep", "", {"gs.in.deep"}),
    ("gs.in.many[1]", "", {"gs.in.many"}),
    ("gsa[1].list[0]", "", {"gsa.list"}),
    ("gu.c", "", {"gu"}),
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
    ("bits.a", "", {"bits"}),
    ("bits.c", "", {"bits.c"}),
    ("*ip", "", {"g"}),
    ("*b", "b = g ? &g : &h;", {"g", "h"}),
    ("p->m", "p = unknown();", {"anywhere", "new.m"}),
    ("p->m", "number = (long) &gs; p = (struct s *) number;", {"anywhere"}),
    ("p->m", "memcpy(&l, &gs, sizeof l); gs.next = &gt; p = l.next;", {"gt.m"}),
    ("*a", "pthread_join(t, &r); a = (int *) r;", {"g"}),
    ("gp->m", "gs.next = &gt; gp = &gs; known(&gs); gp = gs.next;", {"gs.m", "gt.m", "anywhere"}),
]


def analysed(statements: str) -> tuple[PointsTo, Place]:
    """The analysis of a program with these statements in main, and the place that the last one writes."""
    tree = parse(PROGRAM.format(statements), "program.c")
    symbols = Symbols(tree)
    program = lower(tree, symbols, Visibility(symbols, tree))
    last = [each for each in program.by_name["main"].instructions() if isinstance(each, ir.Assign)][-1]
    return PointsTo(program, [program.by_name[name] for name in ("start", "main")]), last.place


def shown(location: Location) -> str:
    root = location.root.name if isinstance(location.root, Object) else "anywhere" if location is ANYWHERE else "new"
    return ".".join([root, *(field.name for field in location.path)])


def places(lvalue: str, statements: str = "") -> set[str]:
    found, place = analysed(f"{statements} {lvalue} = 1;")
    return set(map(shown, found.locations(place)))


@pytest.mark.parametrize(
    ("lvalue", "statements", "expected"),
    [
        *PLACES,
        ("either.i", "", {"either.i"}),
        ("*a", "a = gs.list; a = a + 1;", {"gs.list"}),
    ],
)
def test_places(lvalue, statements, expected):
    assert places(lvalue, statements) == expected


def test_each_call_allocates_an_object_of_its_own():
    found, place = analysed("p = malloc(8); p = malloc(8); p->m = 1;")
    assert len(found.locations(place)) == 2


def test_the_argument_of_a_thread():
    found, _ = analysed("pthread_create(&t, 0, start, &gs); g = 1;")
    (local,) = [each for template in found.flows if template.name == "start" for each in template.locals]
    pointer = found._program.expressions.read(found._program.expressions.variable(local))
    assert set(map(shown, found.targets(pointer))) == {"gs"}


def test_a_pointer_that_is_known_better():
    found, place = analysed("p = &gs; p = &gt; p->m = 1;")
    (pointer,) = place.operands()
    (gt,) = [each for each in found.targets(pointer) if shown(each) == "gt"]
    assert set(map(shown, found.locations(place, {pointer.place.number: frozenset({gt})}))) == {"gt.m"}


def test_what_has_its_address_taken():
    found, _ = analysed("gs.m = g; p = &gt; a = ga; pthread_create(&t, 0, start, 0); g = 1;")
    assert {each.name for each in found.exposed} == {"gt", "ga", "g"}  # ip is &g at first
    assert {each.name for each in found.handles} == {"t"}


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("p = &gs;", True),
        ("a = &gs.m;", True),
        ("p = gsa;", False),
        ("a = gs.list;", False),
        ("a = (int *) &gs;", False),
        ("q = malloc(sizeof(struct s)); q->m = 1; p = q;", True),
        ("q = malloc(2 * sizeof(struct s)); q->m = 1; p = q;", False),
    ],
)
def test_one_object(value, expected):
    found, place = analysed(value)
    assert isinstance(place.type, Pointer)
    for each in found._program.expressions.places:
        found.locations(each)  # the first use of an allocated object says what it is
    pointer = found._program.expressions.read(place)
    assert all(found.is_one(each, place.type.to) for each in found.targets(pointer)) is expected


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("g", "g", True),
        ("g", "h", False),
        ("gs.in.deep", "gs.in.many[0]", False),
        ("gs.m", "gs.list[0]", False),
        ("either.i", "either.c", True),
        ("either.i", "either.j", False),
    ],
)
def test_overlap(one, other, expected):
    found, place = analysed(f"p = &gs; {one} = {other}; {other} = 1;")
    (first,) = found.locations(next(each for each in found._program.expressions.places if str(_text(each)) == one))
    (second,) = found.locations(place)
    assert overlap(first, second) is overlap(second, first) is expected
    assert overlap(first, ANYWHERE)


def _text(place: Place) -> str:
    names = [place.base.name] if isinstance(place.base, Object) else ["?"]
    return ".".join([*names, *(part.name for part in place.path if hasattr(part, "name"))])
