"""Static initialisers of the system's thread library become ours."""

import re

import pytest

from cseq.model.errors import UnsupportedError
from tests.support.system_headers import X86_64

INITIALISERS = [
    ("{ { 0, 0, 0, 0, PTHREAD_MUTEX_TIMED_NP, 0, 0, { 0, 0 } } }", 0),
    ("{ { 0, 0, 0, 0, PTHREAD_MUTEX_RECURSIVE_NP, 0, 0, { 0, 0 } } }", 1),
    ("{ { 0, 0, 0, 0, 2, 0, 0, { 0, 0 } } }", 2),
    ("{ { 0, 0, 0, 0, PTHREAD_MUTEX_ADAPTIVE_NP, 0, 0, { 0, 0 } } }", 0),
    ("{ { 0, 0, 0, 0, 0, { 0 } } }", 0),
    ("{ { 0, 0, 0, PTHREAD_MUTEX_RECURSIVE_NP, 0, { 0 } } }", 1),
    ("{ { 0, 0, 0, PTHREAD_MUTEX_ERRORCHECK_NP, 0, { { 0, 0 } } } }", 2),
    ("{{{0}}}", 0),
    ("{0}", 0),
    ("{}", 0),
    ("{ 0x32AAABA2, {0} }", 1),
]


@pytest.mark.parametrize("initialiser, kind", INITIALISERS)
def test_the_kind_of_a_mutex(left, initialiser, kind):
    program = f"static pthread_mutex_t m = {initialiser};\nint main(void) {{ return pthread_mutex_lock(&m); }}\n"
    assert f"static pthread_mutex_t m = {{1, {kind}, 0, 0}};" in left(program, "normalise")


@pytest.mark.parametrize(
    "initialiser", ["{ { 0, 0, 0, 0, 16, 0, 0, { 0, 0 } } }", "{ .__data = { .__kind = 1 } }", "{ 5 }"]
)
def test_a_kind_that_there_is_not_is_refused(translated, initialiser):
    program = f"pthread_mutex_t m = {initialiser};\nint main(void) {{ return sizeof m; }}\n"
    path = translated.write(X86_64 + program, "program.i")
    with pytest.raises(UnsupportedError, match=r"program.i:16: a `pthread_mutex_t` with this initialiser"):
        list(translated.units(path, until="normalise", strict=True))


M = "{ { 0, 0, 0, 0, 1, 0, 0, { 0, 0 } } }"


OURS = "{1, 1, 0, 0}"


@pytest.mark.parametrize(
    "declarations, initialised",
    [
        (f"pthread_mutex_t a[] = {{ {M}, {M} }};", f"pthread_mutex_t a[2] = {{{OURS}, {OURS}}};"),
        (f"pthread_mutex_t a[2] = {{ [1] = {M} }};", f"pthread_mutex_t a[2] = {{[1] = {OURS}}};"),
        (f"struct s {{ int i; pthread_mutex_t m; int j; }} a = {{ 1, {M}, 2 }};", f"struct s a = {{1, {OURS}, 2}};"),
        (
            f"struct s {{ int i; pthread_mutex_t m; }} a[2] = {{ 1, {M}, 2, {M} }};",
            f"struct s a[2] = {{1, {OURS}, 2, {OURS}}};",
        ),
        (f"struct s {{ int i; pthread_mutex_t m; }} a = {{ .m = {M} }};", f"struct s a = {{.m = {OURS}}};"),
        (f"typedef pthread_mutex_t t;\nt a = {M};", f"t a = {OURS};"),
        ("pthread_cond_t a = { { { { 0 } }, 0, { 0, 0 } } };", "pthread_cond_t a = {1, 0};"),
        # without an initialiser
        ("pthread_mutex_t a;", "pthread_mutex_t a = {1, 0, 0, 0};"),
        ("extern pthread_mutex_t a;", "extern pthread_mutex_t a;"),
        ("pthread_mutex_t a[2];", "pthread_mutex_t a[2] = {{1, 0, 0, 0}, {1, 0, 0, 0}};"),
        ("struct s { int i; pthread_mutex_t m; } a;", "struct s a = {.m = {1, 0, 0, 0}};"),
        ("struct s { int i; pthread_mutex_t *m; } a;", "struct s a;"),
        ("typedef pthread_mutex_t *t;\nt a;", "t a;"),
    ],
)
def test_static_objects(left, declarations, initialised):
    text = left(f"{declarations}\nint main(void) {{ (void) &a; return 0; }}\n", "normalise")
    assert next(line for line in text.splitlines() if re.search(r"\ba\b.*;", line)) == initialised


def test_a_mutex_of_c11_has_to_be_initialised(left):
    text = left(
        "typedef union { char __size[40]; } mtx_t;\nmtx_t m;\nint main(void) { (void) &m; return 0; }\n", "normalise"
    )
    assert "mtx_t m;" in text


def test_locals(left):
    program = f"""\
        int main(void)
        {{
          static pthread_mutex_t kept;
          struct {{ int i; pthread_mutex_t m; }} v = {{ 5, {M} }};
          pthread_mutex_t none;
          pthread_mutex_lock(&kept);
          v.m = (pthread_mutex_t) {M};
          return pthread_mutex_lock(&none) + v.i;
        }}
        """
    text = left(program, "normalise")
    assert "static pthread_mutex_t kept = {1, 0, 0, 0};" in text
    assert "v.m.__cs_state = 1;" in text
    assert "v.m.__cs_type = 1;" in text
    assert "none.__cs_state = 6;" in text
    assert "__cs_literal_1.__cs_type = 1" in text


def test_in_a_source_an_object_without_initialiser_is_never_initialised(translated):
    before = """\
        #include <pthread.h>
        pthread_mutex_t m;
        int main(void) { return pthread_mutex_lock(&m); }
        """
    assert "pthread_mutex_t m;" in translated("normalise", before)
