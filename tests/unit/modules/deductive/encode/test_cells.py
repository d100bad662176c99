"""Memory as variables: names, types, and addresses."""

import pytest

from cseq.c import parse
from cseq.c.symbols import Symbols
from cseq.model.errors import UnsupportedError
from cseq.modules.analysis.visibility import Visibility
from cseq.modules.deductive import transitions as ts
from cseq.modules.deductive.encode.algebra import possible
from cseq.modules.deductive.encode.cells import OPAQUE, Cells, Spot, leaves
from cseq.modules.ir.lower import lower

TEXT = """
typedef unsigned int pthread_t;
struct inner { unsigned char b[3]; _Bool flag; };
struct outer { int a; struct inner in[2]; struct outer *next; };
struct lock { unsigned char __cs_state; unsigned short __cs_owner; };
struct outer st, many[4]; int m[2][3], x; long l; double d; pthread_t t; struct lock k;
union { int i; } u; struct { int b : 2; } bits; __int128 wide;
typedef pthread_t row[2]; row ts[3]; struct { int n; row t; } held;
struct { int n; union { int low; char byte; }; struct { int one, other; }; } mixed;
void f(void) { int x2; int *p; }
"""


@pytest.fixture
def cells():
    tree = parse(TEXT)
    symbols = Symbols(tree)
    return Cells(lower(tree, symbols, Visibility(symbols, tree)), symbols)


@pytest.fixture
def variable(cells):
    """``variable(template, root, path)``: the variable with these names."""

    def find(template, root, path=""):
        found = cells.objects[root]
        paths = {".".join(each.name for each in leaf): leaf for leaf in leaves(found.type)} if path else {"": ()}
        return cells.variable(template, found, paths[path])

    return find


def test_a_struct_is_as_many_variables_as_it_has_scalars(cells):
    root = cells.objects["many"]
    paths = leaves(root.type)
    assert [".".join(each.name for each in path) for path in paths] == ["a", "in.b", "in.flag", "next"]
    types = [cells.variable("f", root, path).type for path in paths]
    assert types == [
        ts.Array(ts.INT, 4), ts.Array(ts.Scalar(8, False), 24), ts.Array(ts.BOOL, 8), ts.Array(ts.Address.POINTER, 4),
    ]  # fmt: skip


def test_members_of_anonymous_structs(variable):
    assert variable("f", "mixed", "one").name == "v.mixed.one" and variable("f", "mixed", "n").type == ts.INT


def test_the_types_of_scalars(variable):
    names = {"x": ts.INT, "l": ts.Scalar(64, True), "d": OPAQUE, "t": ts.UNBOUNDED, "m": ts.Array(ts.INT, 6)}
    assert {name: variable("f", name).type for name in names} == names
    assert variable("f", "k", "__cs_owner").type == ts.UNBOUNDED
    assert variable("f", "k", "__cs_state").type == ts.Scalar(8, False)


def test_the_identifiers_of_threads(cells):
    handles = {name: cells.is_handle(cells.declared_part(cells.objects[name])) for name in ("t", "ts", "x", "m")}
    assert handles == {"t": True, "ts": True, "x": False, "m": False}


def test_locals_belong_to_templates(cells, variable):
    one, other = variable("f", "x2"), variable("f.2", "x2")
    assert (one.template, other.template) == ("f", "f.2") and one != other
    assert variable("f", "x") == variable("f.2", "x") and variable("f", "x").is_shared
    assert cells.base("f", cells.objects["x2"], ()) != cells.base("f.2", cells.objects["x2"], ())
    cells.shared_locals = {"p"}
    assert variable("f", "p").is_shared and cells.shared_roots() == {"p"}


def test_what_the_user_calls_it(cells, variable):
    assert variable("f", "st", "in.flag").shown == "st.in.flag"
    assert variable("f", "k", "__cs_owner").shown is None
    assert cells.ghost("g", ts.BOOL).shown is None


def test_ranges_of_addresses_are_apart(cells):
    bases = [*(cells.base("f", cells.objects[name], ()) for name in "mx"), cells.constant("function f")]
    assert len(set(bases)) == 3 and all(base > 0 for base in bases)
    assert min(abs(a - b) for a in bases for b in bases if a != b) > 6
    assert cells.base("g", cells.objects["m"], ()) == bases[0]


def test_references(cells, variable):
    x = cells.objects["x"]
    assert cells.reference("f", Spot(x, (), None, x.type)) == ts.Read(variable("f", "x"))
    spot = Spot(cells.objects["m"], (), ts.Number(4), x.type)
    assert cells.reference("f", spot) == ts.Element(variable("f", "m"), ts.Number(4))


def test_whether_a_thread_is_live_is_kept_beside_its_identifier(cells, variable):
    of_main = cells.is_live(ts.Read(variable("main", "t")))
    assert of_main.type == ts.BOOL and of_main.variable.is_shared
    own = cells.is_live(ts.Read(variable("f", "x2")))
    assert own.variable.template == "f" and own.variable in cells.zero["f"]


@pytest.mark.parametrize(
    ("stores", "expected"),
    [
        ("+0 +1 +2", {0, 1, 2}),
        ("+5 +4 +3", {3, 4, 5}),
        ("+0 +1 +2 +3 -0 -1", {2, 3}),
        ("+0 +1 +2 +3 -3 -0", {1, 2}),
        ("+0 +1 +2 +3 -1", {0}),  # 2 and 3 are not known any more
        ("+0 +2", {0}),
        ("+0 +1 +0 -5", {0, 1}),
        ("+0 +1 -0 -1 +0 +1", {0, 1}),
        ("+3 -3 -3", set()),
    ],
)
def test_of_a_long_array_a_range_is_live(cells, stores, expected):
    handles = ts.Variable("handles", ts.Array(ts.UNBOUNDED, 9), None, "main")
    state = {}

    def value(expression):
        given = {each: frozenset({state.get(each, 0)}) for each in ts.read(expression)}
        (found,) = possible(expression, given)
        return found

    for store in stores.split():
        target = ts.Element(handles, ts.Number(int(store[1:])))
        for action in cells.set_live(target, ts.Number(int(store[0] == "+"), ts.BOOL), "main"):
            state[action.target.variable] = value(action.value)
    found = {index for index in range(9) if value(cells.is_live(ts.Element(handles, ts.Number(index))))}
    assert found == expected


@pytest.mark.parametrize(
    ("root", "path", "message"),
    [("bits", "b", "bit-field `b`"), ("u", "i", "a union"), ("wide", "", "__int128"), ("mixed", "low", "a union")],
)
def test_refusals(variable, root, path, message):
    with pytest.raises(UnsupportedError, match=message):
        variable("f", root, path)
