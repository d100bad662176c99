"""Tests of the translation of litmus tests into C."""

from __future__ import annotations

import pytest

from benchmarks.suites.herd import FormatError, to_c

MESSAGE = """\
C message
(* a comment: exists *)
{ [x] = 0; [y] = 2; }

P0 (volatile int* x, atomic_int* y) {
  *x = 1;
  atomic_store_explicit(y, 1, memory_order_release);
}

P1 (volatile int* x, atomic_int* y) {
  int r0 = atomic_load_explicit(y, memory_order_acquire);
  if (r0 == 1) {
    int r1 = *x;
  }
}

exists (1:r0=1 /\\ ~(1:r1=1 \\/ x=0))
"""

BUFFERING = """\
X86 buffering
"a title"
{x=0; 1:EBX=3;}
 P0          | P1            ;
 MOV [x],$1  | MOV EAX,$2    ;
 MFENCE      | XCHG [y],EAX  ;
 mov EBX,[y] | MOV [x],EBX   ;
locations [x; 0:EBX;]
~exists (0:EBX=0 /\\ [x]=1)
"""


def test_functions_of_threads_keep_their_text_and_main_sees_their_locals():
    found = to_c(MESSAGE)
    assert found.quantifier == "exists"
    assert "int L_x[1] = {0};\natomic_int L_y[1] = {2};\nint P1_r0 = 0;\nint P1_r1 = 0;\n" in found.program
    assert "  if (P1_r0 == 1) {\n    P1_r1 = *x;\n  }\n" in found.program
    assert "  P1((volatile int *)L_x, (atomic_int *)L_y);\n" in found.program
    assert "  assert(!((P1_r0 == 1 && !(P1_r1 == 1 || *L_x == 0))));\n" in found.program


def test_instructions_of_x86_are_relaxed_accesses_and_fences():
    found = to_c(BUFFERING)
    assert found.quantifier == "~exists"
    assert "int P1_EBX = 3;\n" in found.program
    first, _, second = found.program.partition("void *thread_1")
    assert first.endswith("""\
void *thread_0(void *unused)
{
  atomic_store_explicit(L_x, 1, memory_order_relaxed);
  atomic_thread_fence(memory_order_seq_cst);
  P0_EBX = atomic_load_explicit(L_y, memory_order_relaxed);
  return 0;
}

""")
    assert "  P1_EAX = 2;\n  P1_EAX = atomic_exchange(L_y, P1_EAX);\n  atomic_store_explicit(L_x, P1_EBX," in second
    assert "  assert(!((P0_EBX == 0 && *L_x == 1)));\n" in second


def test_what_holds_of_all_executions_is_asserted():
    found = to_c(BUFFERING.replace("~exists", "forall"))
    assert (found.quantifier, "  assert((P0_EBX == 0 && *L_x == 1));\n" in found.program) == ("forall", True)


@pytest.mark.parametrize(
    "before, after, refused",
    [
        ("X86 buffering", "PPC buffering", "a test of the kind PPC"),
        ("MFENCE  ", "CLFLUSH ", "the instruction CLFLUSH"),
        ("EAX,$2", "EAX,x ", "the operand x"),
        ("0:EBX=0 /\\", "0:EBX>0 /\\", "the condition (0:EBX>0"),
        ("~exists", "never", "no condition of the final state"),
    ],
)
def test_what_is_not_translated(before, after, refused):
    with pytest.raises(FormatError, match=refused.replace("(", r"\(")):
        to_c(BUFFERING.replace(before, after))
