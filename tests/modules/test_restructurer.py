"""The restructurer: what is left of control is `if`, `while` and jumps forward."""

from __future__ import annotations

from textwrap import dedent

import pytest

from cseq.errors import InputError, UnsupportedError


@pytest.fixture
def assert_restructured(translated):
    """``assert_restructured(before, after)``: what becomes of the statements *before* in a function with int a, b."""

    def check(before: str, after: str) -> None:
        program = f"int a, b;\nint main(void)\n{{\n{dedent(before)}\n}}\n"
        expected = "int main(void)\n{\n" + "".join(f"  {line}\n" for line in dedent(after).splitlines()) + "}\n"
        assert translated("restructurer", program, "main") == expected

    return check


def test_while_stays(assert_restructured):
    assert_restructured(
        "while (a) { b = 1; }",
        """\
        while (a) {
          b = 1;
        }
        """,
    )


def test_break_and_continue_are_jumps(assert_restructured):
    assert_restructured(
        "while (a) { if (b) continue; if (a == b) break; b++; }",
        """\
        while (a) {
          if (b) goto __cs_continue_1;
          if (a == b) goto __cs_break_1;
          b++;
          __cs_continue_1: ;
        }
        __cs_break_1: ;
        """,
    )


def test_continue_in_for_goes_to_the_step(assert_restructured):
    assert_restructured(
        "for (a = 0; a < 3; a++) { if (b) continue; b = 1; }",
        """\
        a = 0;
        while (a < 3) {
          if (b) goto __cs_continue_1;
          b = 1;
          __cs_continue_1: ;
          a++;
        }
        """,
    )


def test_parts_of_for_may_be_missing(assert_restructured):
    assert_restructured(
        "for (;;) b = 1;",
        """\
        while (1) {
          b = 1;
        }
        """,
    )


def test_do_runs_before_it_asks(assert_restructured):
    assert_restructured(
        "do a--; while (a > b);",
        """\
        while (1) {
          a--;
          if (!(a > b)) goto __cs_break_1;
        }
        __cs_break_1: ;
        """,
    )


def test_continue_in_do_goes_to_the_condition(assert_restructured):
    assert_restructured(
        "do { if (a) continue; if (b) break; a = 1; } while (!(a == b));",
        """\
        while (1) {
          if (a) goto __cs_continue_1;
          if (b) goto __cs_break_1;
          a = 1;
          __cs_continue_1: ;
          if (a == b) goto __cs_break_1;
        }
        __cs_break_1: ;
        """,
    )


def test_loops_in_loops_have_targets_of_their_own(assert_restructured):
    assert_restructured(
        "while (a) { while (b) { if (a) break; continue; } if (b) break; continue; }",
        """\
        while (a) {
          while (b) {
            if (a) goto __cs_break_2;
            goto __cs_continue_2;
            __cs_continue_2: ;
          }
          __cs_break_2: ;
          if (b) goto __cs_break_1;
          goto __cs_continue_1;
          __cs_continue_1: ;
        }
        __cs_break_1: ;
        """,
    )


def test_switch_asks_all_cases_and_then_falls_through(assert_restructured):
    assert_restructured(
        "switch (a) { case 1: b = 1; case 2: b = 2; break; default: b = 3; case 4: b = 4; }",
        """\
        int __cs_switch_1;
        __cs_switch_1 = a;
        if (__cs_switch_1 == 1) goto __cs_case_1;
        if (__cs_switch_1 == 2) goto __cs_case_2;
        if (__cs_switch_1 == 4) goto __cs_case_4;
        goto __cs_case_3;
        __cs_case_1: ;
        b = 1;
        __cs_case_2: ;
        b = 2;
        goto __cs_break_1;
        __cs_case_3: ;
        b = 3;
        __cs_case_4: ;
        b = 4;
        __cs_break_1: ;
        """,
    )


def test_switch_without_default_goes_behind(assert_restructured):
    assert_restructured(
        "switch (a++) { case 1: b = 1; }",
        """\
        int __cs_switch_1;
        __cs_switch_1 = a++;
        if (__cs_switch_1 == 1) goto __cs_case_1;
        goto __cs_break_1;
        __cs_case_1: ;
        b = 1;
        __cs_break_1: ;
        """,
    )


def test_continue_in_a_switch_is_the_loop_s(assert_restructured):
    assert_restructured(
        "while (a) { switch (b) { case 1: continue; case 2: break; } break; }",
        """\
        int __cs_switch_1;
        while (a) {
          __cs_switch_1 = b;
          if (__cs_switch_1 == 1) goto __cs_case_1;
          if (__cs_switch_1 == 2) goto __cs_case_2;
          goto __cs_break_2;
          __cs_case_1: ;
          goto __cs_continue_1;
          __cs_case_2: ;
          goto __cs_break_2;
          __cs_break_2: ;
          goto __cs_break_1;
          __cs_continue_1: ;
        }
        __cs_break_1: ;
        """,
    )


@pytest.mark.parametrize(
    "condition, type_",
    [("c", "int"), ("c + 1u", "unsigned int"), ("w", "long long"), ("(unsigned char) w", "int"), ("e", "int")],
)
def test_the_value_of_a_switch_is_promoted(translated, condition, type_):
    text = translated(
        "restructurer",
        f"char c; long long w; enum {{ A }} e;\nint main(void) {{ switch ({condition}) {{ case 1: c = 2; }} }}\n",
        "main",
    )
    assert f"  {type_} __cs_switch_1;\n" in text


def test_blocks_and_labels_are_flat(assert_restructured):
    assert_restructured(
        "{ a = 1; { b = 2; } } if (a) goto k; l: k: a = 3; if (a) { if (b) goto end; else goto l2; } l2: end: ;",
        """\
        a = 1;
        b = 2;
        if (a) goto k;
        l: ;
        k: ;
        a = 3;
        if (a) {
          if (b) {
            goto end;
          } else {
            goto l2;
          }
        }
        l2: ;
        end: ;
        """,
    )


def test_labels_of_two_functions_are_different_things(translated):
    text = translated("restructurer", "int f(void) { goto l; l: return 1; } int main(void) { goto l; l: return f(); }")
    assert text.count("l: ;") == 2


def test_the_lines_of_what_a_loop_becomes(translated):
    unit = translated.unit(
        "restructurer",
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
    expected = {
        "a = 1;": 4,
        "while (a < 3) {": 4,
        "a++;": 12,
        "a = a;": 9,
        "if (!(a < 9)) goto __cs_break_2;": 13,
    }
    assert {text: lines[text] for text in expected} == expected


@pytest.mark.parametrize(
    "body, message",
    [
        ("again: a++;\n  if (a) goto again;", "program.c:4: a jump backwards (goto) is not supported"),
        ("while (a) {\n    l: a--;\n    if (b) goto l;\n  }", "program.c:5: a jump backwards (goto) is not supported"),
        ("if (a)\n    goto in;\n  while (b) { in: b--; }", "program.c:4: a jump into a loop is not supported"),
        ("while (a) { while (b) { goto in; }\n    goto in;\n"
         "  for (;;) { in: ; } }", "program.c:3: a jump into a loop is not supported"),
        ("switch (a) {\n  case 1: if (b) {\n  case 2: b = 1; }\n  }",
         "program.c:5: a case label inside of another statement of the switch is not supported"),
        ("switch (a) {\n  case 1: while (b) {\n  default: b = 1; }\n  }",
         "program.c:5: a case label inside of another statement of the switch is not supported"),
    ],
)  # fmt: skip
def test_jumps_that_a_bounded_program_cannot_have_are_refused(translated, body, message):
    program = f"int a, b;\nint main(void) {{\n  {body}\n  return 0;\n}}\n"
    assert translated.refusal("restructurer", program, UnsupportedError) == message


@pytest.mark.parametrize("statement", ["break;", "continue;", "goto nowhere;", "case 1: ;"])
def test_what_is_no_c_is_refused_with_its_place(translated, statement):
    assert translated.refusal("restructurer", f"int main(void)\n{{\n  {statement}\n}}\n", InputError).startswith(
        "program.c:3: "
    )
