"""Where objects are in a memory."""

from cseq.c import parse
from cseq.c.symbols import Symbols
from cseq.modules.tla.encode.cell_kinds import Cells
from cseq.modules.tla.encode.lvalues import Lvalue, Objects
from cseq.modules.tla.encode.terms import Guard, Level, Scope, Value
from cseq.modules.tla.encode.tla_names import Identifiers
from cseq.modules.tla.encode.wrapping import integer

SYMBOLS = Symbols(
    parse("struct s { int v; int *p; } g; int n; unsigned char a[4]; void f(void) { int i; struct s l; }")
)
OBJECTS = Objects(SYMBOLS, Identifiers(SYMBOLS), Cells(SYMBOLS, Identifiers(SYMBOLS)))
SCOPE = Scope()


def place(name: str) -> Lvalue:
    return Lvalue(SYMBOLS.types[name], name)


def test_objects_with_names_are_fields():
    assert OBJECTS.read(place("n"), SCOPE).text == "m.data.n"
    assert OBJECTS.read(place("i"), Scope("m2", "k")).text == "m2.stack[k][1].i"
    element = place("a").moved(SYMBOLS.types["a"].type, integer(2))
    found = OBJECTS.read(element, SCOPE)
    assert (found.text, found.least, found.greatest) == ("m.data.a[2]", 0, 255)
    assert OBJECTS.read(OBJECTS.member(place("l"), "v"), SCOPE).text == "m.stack[self][1].l[s_v]"


def test_pointers_are_followed_where_they_can_be():
    pointed = Lvalue(SYMBOLS.types["g"], pointer=Value("p", (Guard("p # Undef", '"undefined.p"'),)))
    found = OBJECTS.read(OBJECTS.member(pointed, "v"), SCOPE)
    assert found.text == "Load(m, Shift(p, s_v), Int32)"
    assert [guard.condition for guard in found.guards] == ["p # Undef", "CanAccess(m, Shift(p, s_v), Int32)"]


def test_structs_that_are_checked_as_a_whole_have_members():
    member = OBJECTS.member(Lvalue(SYMBOLS.types["g"], pointer=Value("p"), kinds="s_kinds"), "v")
    holds = Guard("Holds(m, p, s_kinds)", "Mishap(m, p)", Level.ATOM)
    assert OBJECTS.read(member, SCOPE) == Value("Field(m, p, s_v)", (holds,), least=-(1 << 31), greatest=(1 << 31) - 1)
    assert OBJECTS.store(member, integer(1), SCOPE) == Value("SetField(m, p, s_v, 1)", (holds,))


def test_a_store_names_what_was_there_only_once():
    def stored(text: str) -> str:
        return OBJECTS.store(place("n"), Value(text, (), Level.SUM), SCOPE).text

    assert stored("m.data.n + 1") == "[m EXCEPT !.data.n = @ + 1]"
    assert stored("Minus(Int32, m.data.n, 1)") == "[m EXCEPT !.data.n = Minus(Int32, @, 1)]"
    assert stored("m.data.nn + 1") == "[m EXCEPT !.data.n = m.data.nn + 1]"
    assert stored("m.data.n + m.data.n") == "[m EXCEPT !.data.n = m.data.n + m.data.n]"


def test_addresses_count_cells():
    assert OBJECTS.address(place("g"), SCOPE).text == 'Global("g")'
    assert OBJECTS.address(OBJECTS.member(place("l"), "p"), SCOPE).text == 'Shift(Local(self, m, "l"), s_p)'


def test_only_whole_objects_are_replaced_as_such():
    assert OBJECTS.whole(place("g"), SCOPE) == "data.g"
    assert OBJECTS.whole(OBJECTS.member(place("g"), "v"), SCOPE) == ""
    assert OBJECTS.whole(place("n"), Scope(bound={"n": "x"})) == ""
