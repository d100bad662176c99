"""Declarations of GNU C: attributes anywhere, and types of the compiler."""

import pytest
from pycparser import c_ast

from cseq.c import parse, print_unit
from tests.unit.c.test_gnu import DECLARATIONS


@pytest.mark.parametrize("text, printed", DECLARATIONS.values(), ids=DECLARATIONS)
def test_declarations(text, printed):
    once = print_unit(parse(text, "x.c"))[0]
    assert once.rstrip("\n") == printed
    assert print_unit(parse(once, "x.c"))[0] == once


def test_headers_may_declare_types_of_the_compiler():
    """As those of the C library do for compilers that do not have them."""
    assert print_unit(parse("typedef float _Float32; _Float32 x;"))[0] == "typedef float _Float32;\n_Float32 x;\n"


def test_attributes_are_on_what_they_are_about():
    tree = parse(
        "struct __attribute__((packed)) s { int a __attribute__((aligned(2))); } x __attribute__((aligned(4)));"
    )
    (decl,) = tree.ext
    record = decl.type.type

    def names(node: c_ast.Node) -> list[tuple[str, str | None]]:
        return [(item.name, item.arguments) for group in node.attributes for item in group.attributes]

    assert names(decl) == [("aligned", "4")]
    assert names(record) == [("packed", None)]
    assert names(record.decls[0]) == [("aligned", "2")]
