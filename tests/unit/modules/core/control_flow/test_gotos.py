"""Jumps backwards and into loops: what they become is loops with jumps forward."""

from cseq.model.errors import UnsupportedError


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
