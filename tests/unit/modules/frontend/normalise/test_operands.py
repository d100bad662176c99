"""Operands of x86 instructions as C: their places, sizes and values."""

import pytest

from cseq.modules.frontend.normalise.machine import Machine
from cseq.modules.frontend.normalise.operands import OperandPlace
from cseq.modules.frontend.normalise.x86_code import NotUnderstoodError, instructions


def written(template, *places, registers=None):
    code = instructions(template, [None] * len(places), [], 0)
    return Machine(places, registers or {}, [], "t", 8).write(code)


@pytest.mark.parametrize(
    "template, line",
    [
        ("movw %w1, %w0", "r = (__typeof__(r))(((unsigned int)r & ~(unsigned int)0xffff) | "
                          "(unsigned int)((unsigned short)q));"),
        ("movb %h1, %2", "__atomic_store_n(&c, (__typeof__(c))((unsigned char)((unsigned int)q >> 8)), 0x10005);"),
        ("movl $7, 4(%3)", "__atomic_store_n(&(*(unsigned int *)((char *)p + 4)), "
                           "(__typeof__((*(unsigned int *)((char *)p + 4))))((unsigned int)7), 0x10005);"),
        ("movl (%3), %0", "r = (__typeof__(r))((unsigned int)__atomic_load_n(&(*p), 5));"),
        ("mov %4, %0", "r = (__typeof__(r))((unsigned int)(5ULL));"),
        ("movl %1, shared(%%rip)", "__atomic_store_n(&(*(unsigned int *)(&shared)), "
                                   "(__typeof__((*(unsigned int *)(&shared))))((unsigned int)q), 0x10005);"),
    ],
)  # fmt: skip
def test_places_and_values(template, line):
    places = (
        OperandPlace("r", 4), OperandPlace("q", 4), OperandPlace("c", 1, memory=True),
        OperandPlace("p", 8, pointer=True, element=4),
        OperandPlace("(5)", 0, value=5),
    )  # fmt: skip
    assert line in written(template, *places)


def test_a_register_without_an_operand_is_a_variable_of_its_own():
    lines = written("movl %%ebx, %0", OperandPlace("m", 4, memory=True))
    assert lines[0] == "t_bx = __CSEQ_nondet_ulong();"


@pytest.mark.parametrize("template", ["movl %1, %0", "movb $1, %h0", "movl (%0), %0", "mov $1, $2"])
def test_what_no_operand_can_be(template):
    with pytest.raises(NotUnderstoodError):
        written(template, OperandPlace("r", 4), OperandPlace("half", 2))
