"""Jumps backwards and into loops: what they become is loops with jumps forward."""

from __future__ import annotations

from cseq.model.errors import UnsupportedError


def test_a_jump_backwards_is_a_loop(assert_restructured):
    assert_restructured(
        "again: a++; if (a < b) goto again; b = 1;",
        """\
        again: ;
        while (1) {
          a++;
          if (!(a < b)) goto __cs_leave_1;
        }
        __cs_leave_1: ;
        b = 1;
        """,
    )


def test_who_gets_to_the_end_without_jumping_leaves_the_loop(assert_restructured):
    assert_restructured(
        "if (a) goto again; b = 1; again: also: a++; if (b) { a--; goto also; } b = 2;",
        """\
        if (a) goto again;
        b = 1;
        again: ;
        also: ;
        while (1) {
          a++;
          if (b) {
            a--;
            goto __cs_again_1;
          }
          goto __cs_leave_1;
          __cs_again_1: ;
        }
        __cs_leave_1: ;
        b = 2;
        """,
    )


def test_a_jump_backwards_without_a_condition_never_leaves(assert_restructured):
    assert_restructured(
        "again: if (a) goto out; b++; goto again; out: a = 1;",
        """\
        again: ;
        while (1) {
          if (a) goto out;
          b++;
        }
        __cs_leave_1: ;
        out: ;
        a = 1;
        """,
    )


def test_nested_spans_are_nested_loops(assert_restructured):
    assert_restructured(
        "outer: a++; inner: b++; if (b < 2) goto inner; if (a < 2) goto outer;",
        """\
        outer: ;
        while (1) {
          a++;
          inner: ;
          while (1) {
            b++;
            if (!(b < 2)) goto __cs_leave_2;
          }
          __cs_leave_2: ;
          if (!(a < 2)) goto __cs_leave_1;
        }
        __cs_leave_1: ;
        """,
    )


def test_spans_that_overlap_are_one_loop_with_two_ways_in(assert_restructured):
    assert_restructured(
        "one: a++; two: b++; if (a < 2) goto one; b--; if (b < 2) goto two;",
        """\
        int __cs_entry_1;
        __cs_entry_1 = 0;
        one: ;
        while (1) {
          if (__cs_entry_1 == 1) goto two;
          a++;
          two: ;
          __cs_entry_1 = 0;
          b++;
          if (a < 2) goto __cs_again_1;
          b--;
          if (b < 2) {
            __cs_entry_1 = 1;
            goto __cs_again_1;
          }
          goto __cs_leave_1;
          __cs_again_1: ;
        }
        __cs_leave_1: ;
        """,
    )


def test_a_loop_is_entered_at_its_head(assert_restructured):
    assert_restructured(
        "if (a) goto in; while (b) { a--; while (a) { b--; in: ; } }",
        """\
        int __cs_entry_1;
        __cs_entry_1 = 0;
        if (a) {
          __cs_entry_1 = 1;
          goto __cs_enter_2;
        }
        __cs_enter_2: ;
        while (__cs_entry_1 || b) {
          if (__cs_entry_1 == 1) goto __cs_enter_1;
          a--;
          __cs_enter_1: ;
          while (__cs_entry_1 || a) {
            if (__cs_entry_1 == 1) goto in;
            b--;
            in: ;
            __cs_entry_1 = 0;
          }
        }
        """,
    )


def test_a_jump_from_one_branch_to_the_one_before(assert_restructured):
    assert_restructured(
        "if (a) { in: a--; } else { b++; goto in; }",
        """\
        int __cs_entry_1;
        __cs_entry_1 = 0;
        while (1) {
          if (__cs_entry_1 == 1) goto in;
          if (a) {
            in: ;
            __cs_entry_1 = 0;
            a--;
          } else {
            b++;
            __cs_entry_1 = 1;
            goto __cs_again_1;
          }
          goto __cs_leave_1;
          __cs_again_1: ;
        }
        __cs_leave_1: ;
        """,
    )


def test_a_jump_back_inside_of_a_loop_stays_in_its_body(assert_restructured):
    assert_restructured(
        "for (a = 0; a < 3; a++) { again: b--; if (b) goto again; }",
        """\
        a = 0;
        while (a < 3) {
          again: ;
          while (1) {
            b--;
            if (!b) goto __cs_leave_1;
          }
          __cs_leave_1: ;
          a++;
        }
        """,
    )


def test_a_jump_back_out_of_a_statement_expression(assert_restructured):
    assert_restructured(
        "again: a = ({ if (b) goto again; 3; });",
        """\
        again: ;
        while (1) {
          a = ({ if (b) goto __cs_again_1; 3; });
          goto __cs_leave_1;
          __cs_again_1: ;
        }
        __cs_leave_1: ;
        """,
    )


def test_a_jump_back_from_the_value_of_a_statement_expression_is_refused(translated):
    program = "int a, b;\nint main(void)\n{\n  b = ({ l: a++;\n  a ? ({ goto l; 1; }) : 2; });\n}\n"
    assert translated.refusal("control_flow", program, UnsupportedError) == (
        "program.c:5: a jump backwards out of the value of a statement expression is not supported"
    )


def test_the_line_of_a_loop_that_a_jump_makes_is_that_of_the_label(translated):
    text = "int a;\nint main(void)\n{\n  a = 1;\nagain:\n  a++;\n  if (a < 9)\n    goto again;\n  return 0;\n}\n"
    unit = translated.unit("control_flow", text)
    lines = {line.strip(): unit.linemap[number].line for number, line in enumerate(unit.text.splitlines(), 1)}
    assert lines["while (1) {"] == 5
    assert lines["if (!(a < 9)) goto __cs_leave_1;"] == 7
