"""The check instrumentation: what is claimed before which statement, where loops are loops."""

import re

import pytest

HEAD = "#include <stdlib.h>\n#include <string.h>\nstruct pair { int one; struct pair *next; } *p;\nint a[4], i, j;\n"


@pytest.fixture
def claimed(translated):
    """What is called before the statements of main, in order; T stands for variables of ours."""
    translated.use("explicit")

    def run(statements: str, property_: str) -> list[str]:
        program = f"{HEAD}int main(void)\n{{\n{statements}\nreturn 0;\n}}\n"
        text = translated("check_instrumentation", program, "main", property=property_, checked=True, privatize=False)
        return re.findall(r"__CSEQ_checks\((.*)\)", re.sub(r"__cs_tmp_\d+", "T", text))

    return run


@pytest.mark.parametrize(
    "statement, checks",
    [
        ("i = i + 1;", ['__CSEQ_assert(!__CSEQ_overflow_plus((int) T, (int) 1), "check 0")']),
        ("while (i * 2 < 9) j = 0;", ['__CSEQ_assert(!__CSEQ_overflow_mult((int) i, (int) 2), "check 0")']),
        ("i = 7u + 1;", []),
    ],
)
def test_arithmetic(claimed, statement, checks):
    assert [check.partition("), (i * 2)")[0] for check in claimed(statement, "no-overflow")] == checks


@pytest.mark.parametrize(
    "statement, checks",
    [
        ("p->one = 1;", ['__CSEQ_assert(__CSEQ_valid(1, T, &T->one, sizeof(T->one)), "check 1")']),
        ("free(p);", ['__CSEQ_assert((T == 0) || __CSEQ_freeable(1, T), "check 1")']),
        ("a[3] = 1;", []),
        ("a[4] = 1;", ['__CSEQ_assert(0, "check 1")']),
        ("int *q = a + i;", ["__CSEQ_arrives(a, a + i)"]),
        ("int *q = &a[i];", ["__CSEQ_arrives(&a, &a[i])"]),
    ],
)
def test_memory(claimed, statement, checks):
    assert claimed(statement, "valid-memsafety") == checks


def test_an_access_is_judged_by_the_pointer_that_arithmetic_starts_from(claimed):
    (check,) = claimed("*((char *) p + i) = 1;", "valid-memsafety")
    assert "__CSEQ_valid(1, T, &(*(((char *) T) + T))" in check


def test_a_string_has_a_name_so_that_its_end_is_known(translated):
    translated.use("explicit")
    program = 'char *text;\nint main(void)\n{\ntext = "ab";\nreturn 0;\n}\n'
    text = translated("check_instrumentation", program, property="valid-memsafety", checked=True, privatize=False)
    assert "static const char __cs_string_0[3] = {97, 98, 0};" in text
    assert "text = __cs_string_0;" in text
