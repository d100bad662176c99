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
from tests.unit.modules.analysis.test_pointees import PLACES, PROGRAM


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
