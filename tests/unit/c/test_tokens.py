"""Names that are types, and names that hide them."""

import pytest
from pycparser import c_ast

from cseq.c import parse
from cseq.model.errors import InputError
from tests.unit.c.test_parser import places


def test_a_name_is_a_type_or_not_across_memo_hits():
    use = "int f(void) { T(x); return 0; }\n"  # declares x if T is a type, else calls T
    for _ in range(2):
        typedef = parse(f"typedef int T;\n{use}", "x.c").ext[1]
        function = parse(f"int T(int), x;\n{use}", "x.c").ext[2]
        assert isinstance(typedef.body.block_items[0], c_ast.Decl)
        assert isinstance(function.body.block_items[0], c_ast.FuncCall)


def test_types_of_a_function_end_with_it():
    text = "int f(void) { typedef int T; T a = 1; return a; }\nint T;\nint g(void) { return T * 2; }\n"
    for _ in range(2):
        assert places(parse(text, "x.c")) == ["f x.c:1", "T x.c:2", "g x.c:3"]


def test_a_local_name_hides_a_type():
    tree = parse("typedef int T;\nint f(void) { int T = 2; { T * T; } return T; }\nT x;\n", "x.c")
    assert places(tree) == ["T x.c:1", "f x.c:2", "x x.c:3"]


def test_types_may_be_known_from_elsewhere():
    assert places(parse("word a;\n", "x.c", typedefs=["word"])) == ["a x.c:1"]


def test_a_type_that_nobody_declared_is_no_internal_error():
    with pytest.raises(InputError) as refusal:
        parse("x;\nlock_t lock;\n", "a.c")
    assert str(refusal.value.origin) == "a.c:2"
