"""The text of a library function is one step: its expressions may have side effects."""

import pytest

from cseq.c import parse
from cseq.c.symbols import Symbols
from cseq.model.errors import UnsupportedError
from cseq.model.origin import LineMap, Origin
from cseq.modules.analysis.visibility import Visibility
from cseq.modules.ir.lower import lower
from cseq.modules.ir.program import Program
from tests.unit.modules.ir.conftest import listing


def library(text: str, *more: str) -> Program:
    """The program with pthread_yield, whose text is *text*, as a function of the library."""
    lines = f"int __cs_deadline(int a) {{ return a; }}\nint pthread_yield(int a, int *p) {{ int l; {text} }}"
    lines += "\nint main(void) { return 0; }"
    ours = Origin("<cseq>/thread.c", 1)
    tree = parse(lines, "", LineMap([ours, ours, Origin("program.c", 1)]))
    symbols = Symbols(tree)
    return lower(tree, symbols, Visibility(symbols, tree))


def step(text: str) -> list[str]:
    program = library(text)
    assert program.steps["pthread_yield"]
    return [line for line in listing(program, "pthread_yield") if line not in ("b0:", "return")]


def test_a_number_leads_to_no_place():
    for text in ("return *a;", "*a = 1;", "return a->x;"):
        with pytest.raises(UnsupportedError, match="a number in place of a pointer") as caught:
            step(text)
        assert str(caught.value.origin) == "<cseq>/thread.c:1"


def test_updates_and_increments():
    assert step("*p += a; a++; return 0;") == ["*p = (read(*p) + a)", "a = (a + 1)", "return 0"]
    assert step("l = a++;") == ["__cs_part_1 = a", "a = (a + 1)", "l = __cs_part_1"]


def test_calls_in_expressions_come_first():
    assert step("return __cs_deadline(a) + 1;") == ["__cs_part_1 = call __cs_deadline(a)", "return (__cs_part_1 + 1)"]


def test_what_may_not_be_evaluated_is_guarded():
    assert step("return a && __cs_deadline(a);") == [
        "__cs_part_1 = (a != 0)",
        "branch __cs_part_1 ? b1 : b2",
        "b1:",
        "__cs_part_2 = call __cs_deadline(a)",
        "__cs_part_1 = (__cs_part_2 != 0)",
        "goto b2",
        "b2:",
        "return __cs_part_1",
    ]


def test_values_that_nothing_uses_are_dropped():
    assert step("a, *p, a++; return (a = 2, a);") == ["a = (a + 1)", "a = 2", "return a"]


def test_loops_of_library_text():
    assert step("for (l = 0; l < a; l++) if (l == 2) break;") == [
        "l = 0",
        "goto b1",
        "b1: loop",
        "branch (l < a) ? b2 : b5",
        "b2:",
        "branch (l == 2) ? b3 : b4",
        "b3:",
        "goto b5",
        "b4:",
        "l = (l + 1)",
        "goto b1",
        "b5:",
    ]
