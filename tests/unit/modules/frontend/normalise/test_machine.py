"""Instructions as C; that they compute what the processor does is compared in tests/differential/assembly.py."""

import pytest

from cseq.modules.frontend.normalise.machine import Machine
from cseq.modules.frontend.normalise.operands import OperandPlace
from cseq.modules.frontend.normalise.x86_code import NotUnderstoodError, instructions

MEMORY = OperandPlace("m", 4, memory=True)
REGISTER = OperandPlace("r", 4)


def written(template, *places, asked="", registers=None):
    code = instructions(template, [None] * len(places), [], 0)
    return Machine(places, registers or {}, [], "t", 8).write(code, asked)


@pytest.mark.parametrize(
    "template, line",
    [
        ("lock; subl $2, %0", "__atomic_fetch_sub(&m, ((unsigned int)2), 5);"),
        ("xchgl %1, %0", "t_t1 = __atomic_exchange_n(&m, (unsigned int)r, 5);"),
        ("lock; xaddl %1, %0", "t_t2 = __atomic_fetch_add(&m, t_t1, 5);"),
        ("movl $1, %0", "__atomic_store_n(&m, (__typeof__(m))((unsigned int)1), 0x10005);"),
        ("movb %b1, %0", "__atomic_store_n(&(*(unsigned char *)(&m)), (__typeof__((*(unsigned char *)(&m))))"
                         "((unsigned char)r), 0x10005);"),
        ("notl %1", "r = (__typeof__(r))((unsigned int)(~t_t1));"),
    ],
)  # fmt: skip
def test_lines(template, line):
    assert line in written(template, MEMORY, REGISTER)


def test_only_flags_that_something_depends_on_are_computed():
    assert not any("f =" in line for line in written("decl %0", MEMORY))
    assert [line for line in written("decl %0", MEMORY, asked="z") if "f =" in line] == ["t_zf = t_t2 == 0;"]


def test_a_locked_negation_is_an_atomic_section():
    lines = written("lock; negl %0", MEMORY)
    assert (lines[0], lines[-1]) == ("__VERIFIER_atomic_begin();", "__VERIFIER_atomic_end();")


def test_a_pointer_is_compared_and_exchanged_as_a_pointer():
    pointer = OperandPlace("m", 8, memory=True, pointer=True, element=4)
    new, old = OperandPlace("n", 8, pointer=True), OperandPlace("a", 8, pointer=True)
    lines = written("lock; cmpxchgq %1, %0", pointer, new, old, registers={"a": old})
    swap = "__sync_val_compare_and_swap(&m, (__typeof__(m))a, (__typeof__(m))n)"
    assert lines == ["t_p0 = (void *)a;", f"a = (__typeof__(a)){swap};"]


@pytest.mark.parametrize("template", ["lock; incl %1", "movq %1, %0", "xchgl %0, %0", "lock; notl %1", "movl (%1), %1"])
def test_what_the_processor_does_not_do_is_refused(template):
    with pytest.raises(NotUnderstoodError):
        written(template, MEMORY, REGISTER)
