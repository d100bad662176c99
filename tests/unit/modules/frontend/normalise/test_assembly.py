"""Assembly is nothing, what it does to memory, or refused with its place and the instruction."""

from textwrap import dedent

import pytest

from cseq.model.errors import UnsupportedError


@pytest.mark.parametrize(
    "template",
    ["", "nop", "pause", "rep; nop", "mfence", "lock; addl $0,0(%%esp)", "\\n\\tlfence", "# nothing", "1: .align 4"],
)
def test_assembly_that_only_orders_accesses_is_nothing(translated, template):
    text = translated("normalise", f'int main(void) {{ asm volatile("{template}" ::: "memory"); return 0; }}\n', "main")
    assert "__cs_" not in text and "asm" not in text


def test_operands_in_registers_are_variables_and_pointers_stay_pointers(translated):
    before = """\
        int *swap(int **p, int *n)
        {
          asm("xchgq %0, %1" : "+r"(n), "+m"(*p) : : "memory");
          return n;
        }
        int main(void) { return swap(0, 0) == 0; }
        """
    text = translated("normalise", dedent(before), "swap")
    assert "__cs_asm_1_m1 = p;" in text
    assert "= __atomic_exchange_n(&(*__cs_asm_1_m1), (int *) __cs_asm_1_r0, 5);" in text
    assert "n = __cs_asm_1_r0;" in text and "long" not in text


@pytest.mark.parametrize(
    "statement, message",
    [
        ('asm("imull %1, %0" : "+r"(x) : "r"(x));', 'asm("imull %1, %0")` is not supported'),
        ('asm("nop; int $3");', 'asm("nop; int $3")` is not supported (at `int $3`)'),
        ('asm("lock; incl %0" : "+r"(x));', 'asm("lock; incl %0")` is not supported (at `lock incl %0`)'),
        ('asm("movq %1, %q0" : "=r"(x) : "r"(x));', 'asm("movq %1, %q0")` is not supported'),
        ('asm("sqrtsd %1, %0" : "=x"(d) : "x"(d));', 'asm("sqrtsd %1, %0")` is not supported'),
        ('asm("" : "+x"(d));', 'asm("")` is not supported (at `its operand "+x"`)'),
        ('asm("jmp 1f");', 'asm("jmp 1f")` is not supported'),
    ],
)  # fmt: skip
def test_what_is_refused(translated, statement, message):
    program = f"int x;\ndouble d;\nint main(void)\n{{\n  {statement}\n  return 0;\n}}\n"
    refusal = translated.refusal("normalise", program, UnsupportedError)
    assert refusal == f"program.c:5: the assembly `{message}"


def test_at_file_level_only_symbols_and_data_are_taken(translated):
    assert "asm" not in translated(
        "normalise", 'asm(".globl here\\n.section .note\\n.long 5\\n");int main(void){return 0;}'
    )
    text = 'int x;\nasm("incl x");\nint main(void) { return 0; }\n'
    message = "assembly outside of functions that does more than declare symbols is not supported"
    assert translated.refusal("normalise", text, UnsupportedError) == f"program.c:2: {message}"
