"""Several files as one unit: what is internal to each stays so, and what is defined twice is refused."""

from textwrap import dedent

import pytest

from cseq.model.errors import InputError


def test_static_names_that_two_files_use_are_different_things(merged):
    unit = merged(
        {
            "a.c": "static int n = 1;\nstatic int get(void) { return n; }\nint other(void);\n"
            "int main(void) { return get() + other(); }\n",
            "b.c": "static int n = 2;\nstatic int get(void) { return n; }\nint other(void) { return get(); }\n",
        }
    )
    assert unit.text == dedent("""\
        static int n = 1;
        static int get(void)
        {
          return n;
        }
        int other(void);
        int main(void)
        {
          return get() + other();
        }
        static int n__cs2 = 2;
        static int get__cs2(void)
        {
          return n__cs2;
        }
        int other(void)
        {
          return get__cs2();
        }
        """)


CLASHES = {
    "static first": (
        "static int n = 1;\nint other(void);\nint main(void) { return n * 10 + other(); }\n",
        "int n = 2;\nint other(void) { return n; }\n",
    ),
    "static second": (
        "int n = 1;\nint other(void);\nint main(void) { return n * 10 + other(); }\n",
        "static int n = 2;\nint other(void) { return n; }\n",
    ),
    "static function first": (
        "static int get(void) { return 1; }\nint other(void);\nint main(void) { return get() * 10 + other(); }\n",
        "int get(void) { return 2; }\nint other(void) { return get(); }\n",
    ),
    "static function, and one that is only used": (
        "static int get(void) { return 1; }\nint other(void);\nint main(void) { return get() * 10 + other(); }\n",
        "int get(void);\nint other(void) { return get(); }\n",
        "int get(void) { return 2; }\n",
    ),
    "a member with the name of a static": (
        "static int n = 1;\nint other(void);\nint main(void) { return n * 10 + other(); }\n",
        "static int n = 5;\nstruct s { int n, m; };\nstatic struct s v = {.m = 1, .n = 2};\n"
        "int other(void) { n++; return v.n; }\n",
    ),
    "a local with the name of a static": (
        "static int n = 1;\nint other(void);\nint main(void) { return n * 10 + other(); }\n",
        "static int n = 5;\nint get(int n) { return n; }\n"
        "int other(void) { int m = n; int n = 2; return get(n) + 0 * m; }\n",
    ),
    "a label with the name of a static": (
        "static int n = 1;\nint other(void);\nint main(void) { return n * 10 + other(); }\n",
        "static int n = 2;\nint other(void) { goto n; n++; n: return n; }\n",
    ),
    "structs": (
        "struct s { int a; };\nint other(void);\nint main(void) { struct s v = {1}; return v.a * 10 + other(); }\n",
        "struct s { int b, c; };\nint other(void) { struct s v = {5, 2}, *p = &v; return p->c; }\n",
    ),
    "types of structs": (
        "struct s { int a; };\ntypedef struct s t;\nint other(void);\n"
        "int main(void) { t v = {1}; return v.a * 10 + other(); }\n",
        "struct s { int b, c; };\ntypedef struct s t;\nint other(void) { t v = {5, 2}; return v.c; }\n",
    ),
    "types": (
        "typedef int t;\nint other(void);\nint main(void) { t v = 1; return v * 10 + other(); }\n",
        "typedef struct { int b, c; } t;\nint other(void) { t v = {5, 2}; return v.c; }\n",
    ),
    "enumerators": (
        "enum { N = 1 };\nint other(void);\nint main(void) { return N * 10 + other(); }\n",
        "enum { M, N };\nenum { K = N + 1 };\nint other(void) { return K; }\n",
    ),
    "enumerators with other values": (
        "enum { N = 1 };\nint other(void);\nint main(void) { return N * 10 + other(); }\n",
        "enum { N = 2 };\nint other(void) { return N; }\n",
    ),
    "an enumerator and a static": (
        "enum { N = 1 };\nint other(void);\nint main(void) { return N * 10 + other(); }\n",
        "static int N = 2;\nint other(void) { return N; }\n",
    ),
    "a type and a static": (
        "typedef int n;\nint other(void);\nint main(void) { n v = 1; return v * 10 + other(); }\n",
        "static int n = 2;\nint other(void) { return n; }\n",
    ),
    "tentative definitions": (
        "int n;\nint other(void);\nint main(void) { n = 1; return n * 10 + other(); }\n",
        "extern int n;\nint other(void) { return n + 1; }\n",
    ),
}


@pytest.mark.parametrize("names", CLASHES)
def test_what_is_internal_to_a_file_stays_so(computes, names):
    files = {f"{number}.c": text for number, text in enumerate(CLASHES[names])}
    assert computes(files) == "exit status 12\n"


def test_two_definitions_of_one_name_are_refused(merged):
    files = {
        "a.c": "int f(void) { return 1; }\nint main(void) { return f(); }\n",
        "b.c": "\nint f(void) { return 2; }\n",
    }
    with pytest.raises(InputError) as caught:
        merged(files)
    assert str(caught.value) == "b.c:2: `f` is already defined at a.c:1"
