"""Which pointers may be followed while threads run concurrently."""

import pytest

HEADER = "#include <pthread.h>\n#include <stdlib.h>\nint a, b, *p, *q[2];\nstruct s { int *f; } s;\n"


def program(body: str, main: str = "") -> str:
    work = f"void *work(void *arg)\n{{\n    {body}\n    return 0;\n}}\n"
    return HEADER + work + f"int main(void) {{ pthread_t t; {main} pthread_create(&t, 0, work, &a); return 0; }}\n"


@pytest.mark.parametrize(
    "body", ["*p = 1;", "int *l = p; *l = 1;", "int i = a & 1; *q[i] = 1;", "struct s l = s; *l.f = 1;"]
)
def test_a_pointer_from_shared_memory_is_refused(translated, body):
    said = translated.refusal("partial_order", program(body), encoding="partial-order")
    assert said.startswith("program.c:7: following the pointer")
    assert "comes from shared memory" in said


@pytest.mark.parametrize(
    "body", ["*(int *)arg = 1;", "int *l = &a; *l = 1;", "int *l = arg; if (l != p) *l = 2;", "p = &b;"]
)
def test_the_argument_of_a_thread_and_addresses_may_be_followed(translated, body):
    assert "work__cs1" in translated("partial_order", program(body), encoding="partial-order")


def test_an_argument_from_shared_memory_is_not_followed(translated):
    text = program("*(int *)arg = 1;").replace("work, &a)", "work, p)")
    assert "comes from shared memory" in translated.refusal("partial_order", text, encoding="partial-order")


def test_memory_that_is_allocated_is_refused(translated):
    said = translated.refusal("partial_order", program("int *l = malloc(4); free(l);"), encoding="partial-order")
    assert "memory from `malloc` with partial orders" in said
