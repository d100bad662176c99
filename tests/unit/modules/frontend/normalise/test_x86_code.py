"""Templates of asm statements as instructions."""

import pytest

from cseq.modules.frontend.normalise.x86_code import (
    Address,
    Exit,
    Immediate,
    NotUnderstoodError,
    OperandReference,
    Register,
    Symbol,
    Target,
    instructions,
)


def read(template, names=(None, "v"), labels=("out",), hidden=0):
    return instructions(template, names, labels, hidden)


@pytest.mark.parametrize(
    "template, operands",
    [
        ("movl $0x10, %0", (Immediate(16), OperandReference(0))),
        ("movb %b[v], %k0", (OperandReference(1, 1), OperandReference(0, 4))),
        ("movl %%eax, 8(%[v])", (Register("a", 4), Address(OperandReference(1), 8))),
        ("movl count(%%rip), %%esi", (Symbol("count"), Register("S", 4))),
        ("mov{l %1, %0| %0, %1}", (OperandReference(1), OperandReference(0))),
    ],
)
def test_operands(template, operands):
    [instruction] = read(template)
    assert instruction.operands == operands


@pytest.mark.parametrize(
    "template, name, size, locked",
    [
        ("subl %1, %0", "sub", 4, False),
        ("btsq %1, %0", "bts", 8, False),
        ("lock\\n\\tcmpxchg %1, %0", "cmpxchg", None, True),
        ("1: lock; addw %1, %0 # comment", "add", 2, True),
        ("setnb %0", "set", 1, False),
        ("sall $1, %0", "shl", 4, False),
        ("/* rep */ rep; nop", "nop", None, False),
    ],
)
def test_mnemonics(template, name, size, locked):
    [instruction] = read(template)
    assert (instruction.name, instruction.size, instruction.locked) == (name, size, locked)


def test_jumps_lead_to_the_nearest_label_and_out_of_the_statement():
    code = read("1: decl %0\\n\\tjnz 1b\\n\\tjs 1f\\n\\tjc %l[out]\\n\\tjo %l3\\n1:", hidden=1)
    assert [item.operands for item in code[1:]] == [(Target(0),), (Target(5),), (Exit(0),), (Exit(0),)]


def test_code_in_a_section_of_its_own_is_behind_a_jump_and_data_are_left_out():
    code = read(
        "1: decl %0; js 2f; .subsection 1; 2: pause; jmp 1b; .previous; .section .d; .long 1; .previous; inc %1"
    )
    assert [item.name for item in code] == ["dec", "j", "inc", "jmp", "pause", "jmp"]
    assert code[1].operands == (Target(4),) and code[3].operands == (Target(6),) and code[5].operands == (Target(0),)


@pytest.mark.parametrize(
    "template",
    ["syscall", "movl %2, %0", "movl %[w], %0", "lock; movl %0, %1", "add %0", "jmp *%0", "mov %%xmm0, %0", "inc 4f",
     ".byte 0x90", "call f", "movl $x, %0", "jmp 2f"],
)  # fmt: skip
def test_what_is_not_understood_is_named(template):
    with pytest.raises(NotUnderstoodError):
        read(template)
