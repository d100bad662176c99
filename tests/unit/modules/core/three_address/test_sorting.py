"""Calls of qsort and bsearch as loops in the core language."""

PROGRAM = """
#include <stdlib.h>
static int up(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(void)
{
    static int v[4];
    void *untyped = v;
    {statement}
    return 0;
}
"""


def test_elements_of_known_type_are_exchanged_access_by_access(translated):
    text = translated("three_address", PROGRAM.replace("{statement}", "qsort(v, 4, sizeof *v, up);"))
    assert text.count("while (") == 2
    assert " = up((void *) (" in text
    assert "__cs_swap" not in text


def test_other_elements_are_exchanged_as_a_whole(translated):
    text = translated("three_address", PROGRAM.replace("{statement}", "qsort(untyped, 4, sizeof *v, up);"))
    assert text.count("__cs_swap(") == 2  # the function, and its call


def test_a_search_looks_once_per_halving(translated):
    text = translated("three_address", PROGRAM.replace("{statement}", "int k = 1; bsearch(&k, v, 4, sizeof *v, up);"))
    assert text.count("while (") == 1
    assert text.count(" = up(") == 1
    assert "/ 2" in text
