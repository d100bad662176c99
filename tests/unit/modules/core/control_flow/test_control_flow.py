"""The control-flow stage: what is left of control is `if`, `while` and jumps forward."""

import pytest

from cseq.model.errors import InputError


@pytest.mark.parametrize(
    "condition, type_",
    [
        ("c", "int"),
        ("c + 1u", "unsigned int"),
        ("w", "long long"),
        ("(unsigned char) w", "int"),
        ("e", "unsigned int"),
        ("n", "int"),
    ],
)
def test_the_value_of_a_switch_is_promoted(translated, condition, type_):
    text = translated(
        "control_flow",
        "char c; long long w; enum { A } e; enum { B = -1 } n;\n"
        f"int main(void) {{ switch ({condition}) {{ case 1: c = 2; }} }}\n",
        "main",
    )
    assert f"  {type_} __cs_switch_1;\n" in text


def test_labels_of_two_functions_are_different_things(translated):
    text = translated("control_flow", "int f(void) { goto l; l: return 1; } int main(void) { goto l; l: return f(); }")
    assert text.count("l: ;") == 2


def test_the_lines_of_what_a_loop_becomes(translated):
    unit = translated.unit(
        "control_flow",
        """\
        int main(void)
        {
          int a = 0;
          for (a = 1;
               a < 3;
               a++) {
            if (a == 2)
              continue;
            a = a;
          }
          do
            a++;
          while (a < 9);
          return a;
        }
        """,
    )
    lines = {line.strip(): unit.linemap[number].line for number, line in enumerate(unit.text.splitlines(), 1)}
    expected = {"a = 1;": 4, "while (a < 3) {": 4, "a++;": 12, "a = a;": 9, "if (!(a < 9)) goto __cs_break_2;": 13}
    assert {text: lines[text] for text in expected} == expected


# Switches


@pytest.mark.parametrize(
    "type_, label, test",
    [
        ("int", "-1", "== (-1)"),
        ("int", "'a'", "== 'a'"),
        ("int", "0x1ffffffffLL", "== (-1)"),
        ("int", "0xffffffffu", "== (-1)"),
        ("unsigned", "-1", "== 4294967295LL"),
        ("unsigned char", "257", "== 257"),
        ("unsigned long long", "-1", "== 18446744073709551615ULL"),
        ("long long", "0x100000001", "== 0x100000001"),
        ("signed char", "E", "== E"),
    ],
)
def test_a_label_has_the_type_of_the_switch(translated, type_, label, test):
    text = translated(
        "control_flow",
        f"enum {{ E = 3 }}; {type_} v; int main(void) {{ switch (v) {{ case {label}: return 1; }} return 0; }}",
        "main",
    )
    assert f"if (__cs_switch_1 {test}) goto __cs_case_1;" in text


# Jumps backwards and into loops


# Statement expressions


@pytest.mark.parametrize("statement", ["break;", "continue;", "goto nowhere;", "case 1: ;"])
def test_what_is_no_c_is_refused_with_its_place(translated, statement):
    assert translated.refusal("control_flow", f"int main(void)\n{{\n  {statement}\n}}\n", InputError).startswith(
        "program.c:3: "
    )
