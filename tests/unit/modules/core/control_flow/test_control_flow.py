"""The control-flow stage: what is left of control is `if`, `while` and jumps forward."""

from __future__ import annotations

import pytest

from cseq.model.errors import InputError


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
    expected = {
        "a = 1;": 4,
        "while (a < 3) {": 4,
        "a++;": 12,
        "a = a;": 9,
        "if (!(a < 9)) goto __cs_break_2;": 13,
    }
    assert {text: lines[text] for text in expected} == expected


# Switches


def test_case_labels_inside_of_other_statements(assert_restructured):
    assert_restructured(
        "switch (a) { case 1: if (b) { case 2: b = 1; } else { default: b = 2; } }",
        """\
        int __cs_switch_1;
        __cs_switch_1 = a;
        if (__cs_switch_1 == 1) goto __cs_case_1;
        if (__cs_switch_1 == 2) goto __cs_case_2;
        goto __cs_case_3;
        __cs_case_1: ;
        if (b) {
          __cs_case_2: ;
          b = 1;
        } else {
          __cs_case_3: ;
          b = 2;
        }
        """,
    )


def test_a_case_label_in_a_loop_is_reached_through_its_head(assert_restructured):
    assert_restructured(
        "switch (a) { case 0: do { b--; case 1: b++; } while (b < 9); }",
        """\
        int __cs_switch_1;
        int __cs_entry_1;
        __cs_entry_1 = 0;
        __cs_switch_1 = a;
        if (__cs_switch_1 == 0) goto __cs_case_1;
        if (__cs_switch_1 == 1) {
          __cs_entry_1 = 1;
          goto __cs_enter_1;
        }
        goto __cs_break_1;
        __cs_case_1: ;
        __cs_enter_1: ;
        while (1) {
          if (__cs_entry_1 == 1) goto __cs_case_2;
          b--;
          __cs_case_2: ;
          __cs_entry_1 = 0;
          b++;
          if (!(b < 9)) goto __cs_break_2;
        }
        __cs_break_2: ;
        __cs_break_1: ;
        """,
    )


def test_a_switch_may_be_without_a_block(assert_restructured):
    assert_restructured(
        "switch (a) default: switch (b) ;",
        """\
        int __cs_switch_1;
        int __cs_switch_2;
        __cs_switch_1 = a;
        goto __cs_case_1;
        __cs_case_1: ;
        __cs_switch_2 = b;
        goto __cs_break_2;
        ;
        __cs_break_2: ;
        """,
    )


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


def test_a_range_of_labels_is_two_comparisons(assert_restructured):
    assert_restructured(
        "switch (a) { case -3 ... 2000000000: b = 1; }",
        """\
        int __cs_switch_1;
        __cs_switch_1 = a;
        if ((__cs_switch_1 >= (-3)) && (__cs_switch_1 <= 2000000000)) goto __cs_case_1;
        goto __cs_break_1;
        __cs_case_1: ;
        b = 1;
        __cs_break_1: ;
        """,
    )


# Jumps backwards and into loops


# Statement expressions


def test_statement_expressions_are_rewritten_inside(assert_restructured):
    assert_restructured(
        "while (a) { b = ({ do { if (b) break; a++; } while (a < 3); if (a == 9) continue; a; }); }",
        """\
        while (a) {
          b = ({ while (1) { if (b) goto __cs_break_2; a++; if (!(a < 3)) goto __cs_break_2; } __cs_break_2: ; if (a == 9) goto __cs_continue_1; a; });
          __cs_continue_1: ;
        }
        """,  # noqa: E501
    )


def test_a_condition_with_a_statement_expression_is_asked_inside_of_the_loop(assert_restructured):
    assert_restructured(
        "while (({ if (b) goto out; a; })) a--; out: ;",
        """\
        while (1) {
          if (!({ if (b) goto out; a; })) goto __cs_break_1;
          a--;
        }
        __cs_break_1: ;
        out: ;
        """,
    )


def test_break_in_a_condition_belongs_to_the_loop_around_it(assert_restructured):
    assert_restructured(
        "while (a) { switch (({ if (b) break; a; })) { default: b = 1; } }",
        """\
        int __cs_switch_1;
        while (a) {
          __cs_switch_1 = ({ if (b) goto __cs_break_1; a; });
          goto __cs_case_1;
          __cs_case_1: ;
          b = 1;
        }
        __cs_break_1: ;
        """,
    )


@pytest.mark.parametrize("statement", ["break;", "continue;", "goto nowhere;", "case 1: ;"])
def test_what_is_no_c_is_refused_with_its_place(translated, statement):
    assert translated.refusal("control_flow", f"int main(void)\n{{\n  {statement}\n}}\n", InputError).startswith(
        "program.c:3: "
    )
