"""Threads for an engine that runs them concurrently."""

HEADER = "#include <pthread.h>\nint x, a[4];\n"
MAIN = "int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); x = 2; return 0; }\n"


def lines(translated, body: str) -> list[str]:
    text = HEADER + f"void *work(void *arg) {{ {body} return 0; }}\n" + MAIN
    made = translated("partial_order", text, "work__cs1", encoding="partial-order")
    return [line.strip() for line in made.splitlines()]


def test_a_condition_that_reads_shared_memory_is_evaluated_once(translated):
    made = lines(translated, "if (x == 1) a[0] = 1;")
    assert "__cs_tmp_held_0 = (x == 1) != 0;" in made
    assert "if (__cs_tmp_held_0) {" in made


def test_a_store_to_a_part_of_an_object_is_an_atomic_section(translated):
    made = lines(translated, "int i = 2; a[i] = 1;")
    at = made.index("a[i] = 1;")
    assert (made[at - 1], made[at + 1]) == ("__CSEQ_section_begin();", "__CSEQ_section_end();")


def test_a_local_with_an_address_is_static_and_others_are_not(translated):
    made = lines(translated, "int i = 2, j = 3, *p = &i; *p = j;")
    assert "static int i;" in made
    assert "int j;" in made


def test_a_section_of_which_a_part_is_in_a_branch_is_refused(translated):
    text = (
        "extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);\n"
        + HEADER
        + "void *work(void *arg)\n{\n    __VERIFIER_atomic_begin();\n    if (x) {\n        __VERIFIER_atomic_end();\n"
        + "        return 0;\n    }\n    __VERIFIER_atomic_end();\n    return 0;\n}\n"
        + MAIN
    )
    said = translated.refusal("partial_order", text, encoding="partial-order")
    assert said.startswith("program.c:7: an atomic section of which a part is in a branch, with partial orders")
