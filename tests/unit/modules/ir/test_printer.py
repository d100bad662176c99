"""The text of a program."""

from cseq.modules.ir.printer import print_program

TEXT = """\
#include <pthread.h>
#include <stdatomic.h>
int __VERIFIER_nondet_int(void);
int count; atomic_uint turns; pthread_mutex_t m;
void add(int n) { pthread_mutex_lock(&m); count += n; pthread_mutex_unlock(&m); }
void *worker(void *arg) { while (!count) turns++; add(__VERIFIER_nondet_int()); return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, worker, 0); turns = 2; return 0; }
"""


def test_a_listing_has_accesses_sections_and_origins(lowered):
    lines = print_program(lowered(TEXT)).splitlines()
    start = lines.index("b0: loop")
    assert [" ".join(line.split()) for line in lines[start : start + 8]] == [
        "b0: loop",
        "branch !read(count) ? b1 : b2 #0 ; load count, program.c:6",
        "b1:",
        "begin section 1 rmw: update turns seq_cst #1 ; program.c:6",
        "__cs_tmp_2 = read(turns) #2 ; load turns seq_cst, in section 1, program.c:6",
        "turns = (__cs_tmp_2 + 1:u32) #3 ; store turns seq_cst, in section 1, program.c:6",
        "end section 1 #4 ; program.c:6",
        "goto b0 #5",
    ]
    assert "lock pthread_mutex_lock(&m)" in "\n".join(lines)
    assert "call m, program.c:5, called at program.c:6" in "\n".join(lines)
    assert any(line.startswith("template worker(arg: void*) -> void*") and "created at #" in line for line in lines)


def test_a_text_without_numbers_does_not_depend_on_them(lowered):
    program = lowered(TEXT)
    text = print_program(program, numbers=False)
    assert "#" not in text
    for each in program.instructions:
        each.number += 1000
    assert print_program(program, numbers=False) == text


def test_library_functions_are_printed_if_they_are_wanted(lowered):
    program = lowered(TEXT)
    assert "template pthread_mutex_lock(" not in print_program(program)
    assert "template pthread_mutex_lock(" in print_program(program, steps=True)
