"""Programs: templates as graphs, objects, and first contents."""

import pytest

from cseq.modules.ir.expressions import AddressOf, Const
from cseq.modules.ir.objects import Storage
from tests.unit.modules.ir.conftest import template


def test_a_template_is_a_graph_of_blocks(core):
    main = template(core("int x; int main(void) { while (x) { x = 1; } return 0; }"))
    assert (main.entry, list(main.nodes())) == (0, [0, 1, 2])
    assert [(edge.holds, to) for edge, to in main.leaving(0)] == [(True, 1), (False, 2)]
    ((edge, to),) = main.leaving(1)
    assert (edge.holds, edge.terminator, to) == (None, main.blocks[1].end, 0)
    assert [each.number for each in main.instructions()] == [0, 1, 2, 3]


def test_objects_have_their_storage(core):
    program = core("""\
        int shared; const int fixed = 1; const char *text = "ab";
        int f(int n) { static _Thread_local int own; int __cs_tmp_1; int l; __cs_tmp_1 = own; l = n; return l; }
        int main(void) { int (*g)(int); g = f; shared = fixed; return 0; }
        """)
    storage = {each.name: each.storage for each in program.objects}
    assert storage["shared"] is storage["fixed"] is Storage.STATIC
    assert (storage["own"], storage["__cs_tmp_1"], storage["l"]) == (
        Storage.THREAD_LOCAL,
        Storage.TEMPORARY,
        Storage.AUTO,
    )
    assert (storage["n"], storage["f"]) == (Storage.PARAMETER, Storage.CODE)
    named = {each.name: each for each in program.objects}
    assert named["shared"].is_visible and not named["fixed"].is_visible and named["fixed"].is_const
    assert named["l"].template == template(program, "f").number


@pytest.mark.parametrize(
    "declaration, contents",
    [
        ("int x = 3;", {(): 3}),
        ("int x[3] = { 1, [2] = 5 };", {(0,): 1, (2,): 5}),
        ("struct s { int a; struct { int b, c; } in; int d[2]; } x = { 1, { .c = 2 }, 3, 4 };",
         {("a",): 1, ("in", "c"): 2, ("d", 0): 3, ("d", 1): 4}),
        ("struct s { int a, b; } x[2] = { 1, 2, 3 };", {(0, "a"): 1, (0, "b"): 2, (1, "a"): 3}),
        ("union u { char c; int i; } x = { 7 };", {("c",): 7}),
        ('char x[4] = "ab";', {(0,): 97, (1,): 98}),
        ('char x[2] = { "ab" };', {(0,): 97, (1,): 98}),
    ],
)  # fmt: skip
def test_first_contents(core, declaration, contents):
    program = core(f"{declaration} int main(void) {{ return 0; }}")
    (object_,) = [each for each in program.objects if each.name == "x"]
    found = {}
    for place, value in program.initial(object_):
        path = tuple(part.name if hasattr(part, "name") else part.value.value for part in place.path)
        found[path] = value.value if isinstance(value, Const) else value
    assert found == contents


def test_pointers_to_strings_and_objects_are_addresses(core):
    program = core('const char *x = "ab"; int y, *p = &y; int main(void) { return 0; }')
    named = {each.name: each for each in program.objects}
    ((_, text),) = program.initial(named["x"])
    ((_, address),) = program.initial(named["p"])
    assert isinstance(text, AddressOf) and text.place.object.storage is Storage.STRING
    assert isinstance(address, AddressOf) and address.place.object is named["y"]
    assert [value.value for _, value in program.initial(text.place.object)] == [97, 98]
