"""A library as a program that calls its functions."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from cseq.cli.projects.entry_points import ALL, FEW, Library, Unit, library
from cseq.model.errors import UsageError

Make = Callable[..., Library]


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """The library of these texts."""

    def made(*texts: str, wanted: tuple[str, ...] = (ALL,)) -> Library:
        units = []
        for number, text in enumerate(texts):
            path = tmp_path / f"{number}.c"
            path.write_text(text)
            units.append(Unit(str(path)))
        return library(units, wanted, 64, FEW)

    return made


def calls(found: Library, number: int = 0) -> str:
    """The function that calls those of a file."""
    return next(line for line in found.texts[number].splitlines() if line.startswith(f"void any_call_{number}"))


def contents(found: Library, number: int = 0) -> str:
    return next(line for line in found.texts[number].splitlines() if line.startswith(f"void any_contents_{number}"))


def test_numbers_have_any_value(make: Make) -> None:
    found = make("int f(int a, unsigned long b, double c, _Bool d) { return a; } void g(void) { }")
    assert found.called == ("f", "g") and not found.left_out
    inputs = ", ".join(f"__VERIFIER_nondet_{each}()" for each in ("int", "ulong", "double", "bool"))
    assert f"case 0: {{  f({inputs}); break; }}" in calls(found)
    assert "case 1: {  g(); break; }" in calls(found)
    assert "case 0: any_call_0(); break;" in found.texts[1] and "int main(void)" in found.texts[1]


def test_only_what_other_files_can_call(make: Make) -> None:
    found = make("static int f(int a) { return a; } int g(void) { return f(1); } int main(void) { return 0; }")
    assert found.called == ("g",)
    assert "#define main cseq_other_main" in found.texts[0]


def test_structures_are_shared_and_have_any_contents(make: Make) -> None:
    text = """\
        typedef struct node { struct node *next; int value; char name[4]; const char *text; } node_t;
        void f(node_t *n, const struct node *other) { n->value = other->value; }
        """
    found = make(text)
    assert found.texts[0].count("any_node[CSEQ_OBJECTS];") == 1
    assert calls(found).count("&any_node[__VERIFIER_nondet_uint() % CSEQ_OBJECTS]") == 2
    filled = contents(found)
    assert ".value = __VERIFIER_nondet_int();" in filled
    assert ".next = __VERIFIER_nondet_int() ? (void *) &any_node[" in filled
    assert "k1 < 4; k1++) { any_node[i0].name[k1] = __VERIFIER_nondet_char(); }" in filled
    assert ".text = __VERIFIER_nondet_int() ? malloc(16 * 8) : (void *) 0;" in filled


def test_locks_are_initialised(make: Make) -> None:
    text = "#include <pthread.h>\nstruct s { pthread_mutex_t m; pthread_once_t o; }; void f(struct s *s) { (void)s; }"
    assert "{ pthread_mutex_init(&any_s[i0].m, 0); }" in contents(make(text))


def test_other_memory_belongs_to_the_caller(make: Make) -> None:
    found = make("void f(char *text, int *out, void *any, char **p) { *out = 1; }")
    assert "char *a0 = malloc(16 * sizeof *a0); a0[15] = 0;" in calls(found)
    assert "int *a1 = malloc(16 * sizeof *a1);" in calls(found)
    assert "void *a2 = malloc(16 * 8);" in calls(found)
    assert "a3[0] = __VERIFIER_nondet_int() ? malloc(16 * 8) : (void *) 0;" in calls(found)


def test_a_type_of_two_files_has_one_array(make: Make) -> None:
    text = "struct s { int v; }; void NAME(struct s *s) { s->v = 1; }"
    found = make(text.replace("NAME", "f"), text.replace("NAME", "g"))
    assert "\nstruct s any_s[CSEQ_OBJECTS];" in found.texts[0]
    assert "\nextern struct s any_s[CSEQ_OBJECTS];" in found.texts[1]
    assert "nondet" in contents(found) and "nondet" not in contents(found, 1)


@pytest.mark.parametrize(
    ("function", "why"),
    [
        ("int f(int (*g)(int)) { return g(1); }", "it needs a pointer to a function"),
        ("struct s { int (*g)(int); }; int f(struct s *s) { return s->g(1); }", "it needs a pointer to a function"),
        ("int f(const char *form, ...) { return form[0]; }", "it has any number of arguments"),
        ("struct s; void f(struct s *s) { (void) s; }", "`struct s` is not known in"),
        ("struct s { int *p; }; int f(struct s s) { return *s.p; }", "a structure with pointers"),
        ("union u { int *p; int v; }; int f(union u *u) { return u->v; }", "it needs a union with pointers or locks"),
        (
            "struct s { const int v; }; int f(struct s *s) { return s->v; }",
            "it needs a structure with a constant member",
        ),
        ("#include <pthread.h>\nvoid f(pthread_barrier_t *b) { (void) b; }", "it needs a `pthread_barrier_t`"),
    ],
)
def test_what_cannot_be_called(function: str, why: str, make: Make) -> None:
    found = make(f"{function}\nvoid g(void) {{ }}")
    assert found.called == ("g",)
    (left,) = found.left_out
    assert left[0] == "f" and left[1].startswith(why)
    with pytest.raises(UsageError, match="--entries: `f` cannot be called"):
        make(function, wanted=("f",))
    with pytest.raises(UsageError, match="no function that can be called"):
        make(function)


def test_a_name_that_is_not_there(make: Make) -> None:
    with pytest.raises(UsageError, match="no file defines a function `h`"):
        make("static void h(void) { } void g(void) { h(); }", wanted=("h",))
