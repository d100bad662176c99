"""What is known of attributes: harmless ones leave no trace, and others are modelled or refused by their names."""

from __future__ import annotations

import pytest

from cseq.c import Printer, parse
from cseq.c.attributes import HARMLESS, MODELLED, REFUSED
from cseq.model.errors import UnsupportedError
from cseq.modules.frontend.normalise.normalise import Refusals
from tests.support.checkout import ROOT

_OTHERWISE = {"gcc_struct", "gnu_inline"}
"""The layout that x86-64 has anyway, and definitions of which there is another one."""

EVERYWHERE = """\
struct s {{ int m {0}; }} {0};
typedef int t {0};
enum e {{ ONE {0}, TWO {0} = 3 }} {0};
int object {0} = 1;
{0} int function(int parameter {0}) {0};
int function(int parameter)
{{
  int local {0} = 1;
  switch (parameter) {{
  case 0:
    local = 2;
    {0};
  default:
    {0} return local;
  }}
label: {0};
  goto label;
}}
"""


@pytest.mark.parametrize("spelling", ["__attribute__(({}))", "__attribute__((__{}__))"])
def test_harmless_attributes_leave_no_trace(spelling: str) -> None:
    plain = Printer().visit(parse(EVERYWHERE.format("")))
    for name in HARMLESS:
        assert Printer().visit(parse(EVERYWHERE.format(spelling.format(name)))) == plain, name


def test_standard_attributes_with_the_prefix_of_a_compiler() -> None:
    for text in ("[[gnu::packed]]", "[[__gnu__::packed]]", "[[clang::noinline, gnu::packed, maybe_unused]]"):
        assert "packed" in Printer().visit(parse(f"struct {text} s {{ int m; }};"))
    assert "attribute" not in Printer().visit(parse("[[clang::noinline, nodiscard, gnu::pure]] int f(void);"))


def test_each_attribute_is_in_one_table() -> None:
    assert len(HARMLESS.keys() | MODELLED | REFUSED) == len(HARMLESS) + len(MODELLED) + len(REFUSED)
    assert all(HARMLESS.values())


def test_a_program_of_the_matrix_is_about_each_modelled_attribute() -> None:
    folder = ROOT / "tests" / "programs" / "conformance" / "gnu"
    texts = "".join(path.read_text(encoding="utf-8") for path in folder.glob("*.c"))
    assert [name for name in MODELLED - _OTHERWISE if name not in texts] == []


@pytest.mark.parametrize("name", [*sorted(REFUSED), "frobnicate"])
def test_other_attributes_stop_a_thread(name: str) -> None:
    for text in (
        "__attribute__((%s(1))) int f(void) { return 1; }",
        "void f(void) { [[%s]] return; }",
        "void f(void) { __attribute__((%s)); }",
    ):
        found = Refusals()
        found.visit(parse(text % name))
        assert [error.message for error in found.statements.values()] == [f"the attribute `{name}` is not supported"]


@pytest.mark.parametrize("where", ["label: {}; goto label;", "enum {{ ONE {} }};"])
def test_labels_and_enumerators_with_others_are_refused(where: str) -> None:
    with pytest.raises(UnsupportedError, match="the attribute `frobnicate` of"):
        parse(f"void f(void) {{ {where.format('__attribute__((frobnicate))')} }}".replace("{{", "{").replace("}}", "}"))


def test_sections_that_are_called_are_not_harmless() -> None:
    assert "section" in Printer().visit(parse('int (*p)(void) __attribute__((section(".init_array"))) = f;'))
    assert "section" not in Printer().visit(parse('int p __attribute__((section(".data.first"))) = 1;'))
