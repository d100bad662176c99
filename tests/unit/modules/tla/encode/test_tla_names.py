"""TLA+ identifiers for C names."""

import ast
import re

import pytest

from cseq.c import parse
from cseq.c.symbols import Symbols
from cseq.modules.tla.encode.tla_names import Identifiers, plain, reserved
from tests.support.checkout import ROOT


@pytest.mark.parametrize(
    ("c_name", "name"),
    [
        ("count", "count"), ("__cs_tmp_4", "tmp_4"), ("__CSEQ_EBUSY", "EBUSY"), ("n__cs2", "n_2"), ("IF", "IF_"),
        ("Next", "Next_"), ("WF_x", "WF_x_"), ("memory", "memory_"), ("Load", "Load_"), ("_", "x_"), ("a$b", "a_b"),
        ("Undef", "Undef_"), ("Plus", "Plus_"), ("m", "m"),
    ],
)  # fmt: skip
def test_names_stay_where_tla_allows_them(c_name, name):
    assert plain(c_name) == name


def test_what_the_modules_define_is_reserved():
    assert {"Shift", "CanAccess", "Int32", "Null", "Layout", "Quotient", "CMemory", "Len", "EXCEPT"} <= reserved()


def test_names_are_unique_where_they_are_used():
    symbols = Symbols(
        parse("""
        int n, IF, IF_; void first(void) { int i; int n__cs2; int x; } void second(void) { int i__cs2; int x; }
        int pthread_mutex_lock(int *m, int *n__cs3) { return 0; }
    """)
    )
    found = Identifiers(symbols)
    names = found.names
    assert (names["n"], names["n__cs2"], names["i"], names["i__cs2"], names["x"]) == ("n", "n", "i", "i", "x")
    assert {names["IF"], names["IF_"]} == {"IF_", "IF__2"}
    assert names["m"] != "m"  # which is the memory there
    assert found.operator("n") not in {"n", "i", "x"}
    assert found.operator("node_next") == "node_next"
    assert found.operator("node_next") == "node_next_2"


def test_what_is_inlined_twice_is_unique_in_both():
    symbols = Symbols(parse("void first(void) { int x__cs2; int x; } void second(void) { int y; int x; int x__cs3; }"))
    names = Identifiers(symbols).names
    assert len({names[one] for one in ("x", "x__cs2")}) == 2
    assert len({names[one] for one in ("x", "x__cs3", "y")}) == 3


def test_functions_are_not_called_as_what_later_definitions_bind():
    names = Identifiers(Symbols(parse("int __CSEQ_left(int *left) { return *left; } int one;")))
    assert names.tla("__CSEQ_left") == "left_2"
    assert names.tla("one") == "one"  # it is a field of a record
    assert names.operator("stuck") == "stuck_2"


def test_what_generated_modules_define_is_reserved():
    """Read from the texts in the sources: ``Name(`` and ``Name ==``."""
    found = set()
    for path in sorted((ROOT / "modules" / "tla").rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
                found.update(re.findall(r"\b([A-Z][a-z]\w+)(?:\(|\s*==)", re.sub(r"\\\*.*", "", node.value)))
    assert len(found) > 60 and "BeginsWith" in found
    assert found - reserved() == set()


def test_no_operator_is_what_a_definition_may_bind():
    identifiers = Identifiers(Symbols(parse("int x; enum { m2 = 1 }; int x2(void) { return 1; }")))
    assert identifiers.operator("m2") == "m2_2" and identifiers.operator("x2") != "x2"
    assert identifiers.operator("Property_1") == "c_Property_1" and identifiers.operator("y2") == "y2"
