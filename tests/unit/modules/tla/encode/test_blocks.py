"""Calls about memory: the cells of blocks."""

import pytest

from cseq.model.errors import UnsupportedError


@pytest.mark.parametrize(
    ("declarations", "statement", "kinds"),
    [
        ("struct s { int v; struct s *next; } *p;", "p = malloc(sizeof *p);", "s_kinds"),
        ("struct s { int v; struct s *next; } *p;", "p = malloc(sizeof(struct s));", "s_kinds"),
        ("struct s { int v; struct s *next; } *p;", "p = calloc(3, sizeof *p);", "Repeated(s_kinds, 3)"),
        ("int *p;", "p = malloc(4 * sizeof(int));", "Repeated(<<Int32>>, 4)"),
        ("int *p;", "p = malloc(12);", "Repeated(<<Int32>>, 3)"),
        ("int *p; void *q;", "q = malloc(8); p = q;", "Repeated(<<Int8>>, 8)"),
        ("char *p; int n;", "p = malloc(n);", "Repeated(<<Int8>>, "),
    ],
)
def test_the_cells_of_a_block_follow_from_its_size_and_its_pointer(bodies, declarations, statement, kinds):
    found = [body for body in bodies(declarations, statement).values() if "Allocate(self, m, " in body]
    assert len(found) == 1 and f"Allocate(self, m, {kinds}" in found[0]


def test_sizes_that_no_type_explains_are_refused(bodies):
    with pytest.raises(UnsupportedError, match="a size in `malloc`"):
        bodies("struct s { int v; } *p; int n;", "p = malloc(n + sizeof *p);")


def test_the_end_of_a_block(bodies):
    found = bodies("int x;", "int *p = malloc(12); free(p);")
    assert any("Free(self, m, m.stack[self][1].p)" in body for body in found.values())
