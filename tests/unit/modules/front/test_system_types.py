"""The system's thread library in preprocessed files: types, prototypes, static initialisers, assertions, places."""

from __future__ import annotations

import re
import subprocess
from textwrap import dedent

import pytest
from pycparser import c_ast

from cseq.base.errors import UnsupportedError
from cseq.c.preprocess import compiler as c_compiler
from cseq.modules.front.merger.merger import SOURCES, Merger

X86_64 = """\
typedef unsigned long int pthread_t;
typedef union { struct { int __lock; unsigned int __count; int __owner; unsigned int __nusers; int __kind;
short __spins; short __elision; struct { void *__prev, *__next; } __list; } __data; char __size[40]; long int __align;
} pthread_mutex_t;
typedef union { struct { struct { int __low[1]; } __wseq; int __g1; int __refs[2]; } __data; char __size[48];
long long int __align; } pthread_cond_t;
union pthread_attr_t { char __size[56]; long int __align; };
typedef union pthread_attr_t pthread_attr_t;
extern int pthread_create (pthread_t *__restrict __newthread, const pthread_attr_t *__restrict __attr,
void *(*__start_routine) (void *), void *__restrict __arg) __attribute__ ((__nothrow__)) ;
extern int pthread_mutex_lock (pthread_mutex_t *__mutex) __attribute__ ((__nothrow__ , __leaf__));
extern int pthread_cond_signal (pthread_cond_t *__cond);
extern void __assert_fail (const char *__assertion, const char *__file, unsigned int __line, const char *__function)
__attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__noreturn__));
enum { PTHREAD_MUTEX_TIMED_NP, PTHREAD_MUTEX_RECURSIVE_NP, PTHREAD_MUTEX_ERRORCHECK_NP, PTHREAD_MUTEX_ADAPTIVE_NP };
"""

OWN_MUTEX = r"typedef struct\s+\{\s+unsigned char __cs_state;[^}]*\} pthread_mutex_t;"


@pytest.fixture
def left(translated):
    """What a stage makes of the system's declarations with a program behind them."""

    def run(program: str, stage: str = "merger", name: str = "program.i") -> str:
        path = translated.write(X86_64 + dedent(program), name)
        return list(translated.units(path, until=stage, keep_unused=False))[-1][1].text

    return run


# Types and prototypes


def test_types_and_prototypes_become_ours(left):
    text = left("pthread_mutex_t *p;\nint main(void) { pthread_mutex_lock(p); return 0; }\n")
    assert re.search(OWN_MUTEX, text)
    assert re.findall(r"^.*\bpthread_mutex_lock\(.*\)", text, re.MULTILINE) == [
        "int pthread_mutex_lock(pthread_mutex_t *mutex)",
        "  pthread_mutex_lock(p)",
        "int pthread_mutex_lock(pthread_mutex_t *mutex)",
    ]
    assert "__data" not in text


def test_types_that_the_library_needs_and_nobody_declares_come_along(translated):
    text = translated(
        "merger",
        """\
        typedef unsigned long int pthread_t;
        int pthread_create(pthread_t *t, void *a, void *(*f)(void *), void *arg);
        void *f(void *a) { return a; }
        int main(void) { pthread_t t; return pthread_create(&t, 0, f, 0); }
        """,
        keep_unused=False,
    )
    assert "typedef unsigned int pthread_t;" in text
    assert "} pthread_attr_t;" in text
    assert "const pthread_attr_t *attr, void *(*start)(void *), void *arg);" in text


def test_types_that_ours_need_may_be_declared_further_down(translated):
    text = translated(
        "merger",
        """\
        typedef int pthread_t;
        typedef int pthread_attr_t;
        int pthread_create(pthread_t *t, const pthread_attr_t *a, void *(*f)(void *), void *arg);
        typedef unsigned long __kernel_size_t;
        typedef __kernel_size_t size_t;
        size_t x;
        void *f(void *a) { return a; }
        int main(void) { pthread_t t; pthread_attr_t a; return pthread_create(&t, &a, f, 0) + x; }
        """,
        keep_unused=False,
    )
    order = ["typedef unsigned long __kernel_size_t;", "typedef __kernel_size_t size_t;", "} pthread_attr_t;"]
    assert [text.count(one) for one in order] == [1, 1, 1]
    assert sorted(order, key=text.index) == order


def test_a_type_without_members_is_the_system_s(translated):
    before = """\
        typedef struct opaque pthread_mutex_t;
        extern int pthread_mutex_lock(pthread_mutex_t *m);
        extern pthread_mutex_t m;
        int main(void) { return pthread_mutex_lock(&m); }
        """
    assert re.search(OWN_MUTEX, translated("merger", before, keep_unused=False))


def test_types_of_the_user_s_own_stay(translated):
    before = """\
        typedef struct { int value; } sem_t;
        typedef int pthread_mutex_t;
        int sem_post(sem_t *s) { return s->value++; }
        void pthread_mutex_lock(pthread_mutex_t *m) { *m = 1; }
        int main(void) { sem_t s = {1}; pthread_mutex_t m = 0; pthread_mutex_lock(&m); return sem_post(&s); }
        """
    text = translated("merger", before, keep_unused=False)
    assert "__cs" not in text
    assert "typedef int pthread_mutex_t;" in text


def test_types_and_functions_of_the_user_s_own_stay_in_all_files(translated):
    header = "typedef struct { int value; } sem_t;\nvoid sem_post(sem_t *s, int n);\nint sem_try(sem_t *s);\n"
    translated.write(header + "void sem_post(sem_t *s, int n) { s->value += n; }\n", "a.c")
    translated.write(header + "int main(void) { sem_t s = {1}; sem_post(&s, 2); return s.value; }\n", "b.c")
    text = next(translated.units("a.c", "b.c", until="merger", keep_unused=False))[1].text
    assert "__cs" not in text
    assert "void sem_post(sem_t *s, int n);" in text


def test_a_type_of_the_user_s_own_under_the_library_s_functions_is_refused(translated):
    before = """\

        typedef struct { int value; } pthread_mutex_t;
        extern int pthread_mutex_lock(pthread_mutex_t *m);
        pthread_mutex_t m;
        int main(void) { return pthread_mutex_lock(&m); }
        """
    message = "program.c:2: a `pthread_mutex_t` that is not the type of the thread library is not supported"
    assert translated.refusal("merger", before, UnsupportedError) == message


# Static initialisers


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
    assert f"static pthread_mutex_t m = {{1, {kind}, 0, 0}};" in left(program, "scoper")


@pytest.mark.parametrize(
    "initialiser", ["{ { 0, 0, 0, 0, 16, 0, 0, { 0, 0 } } }", "{ .__data = { .__kind = 1 } }", "{ 5 }"]
)
def test_a_kind_that_there_is_not_is_refused(translated, initialiser):
    program = f"pthread_mutex_t m = {initialiser};\nint main(void) {{ return sizeof m; }}\n"
    path = translated.write(X86_64 + program, "program.i")
    with pytest.raises(UnsupportedError, match=r"program.i:16: a `pthread_mutex_t` with this initialiser"):
        list(translated.units(path, until="scoper"))


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
    text = left(f"{declarations}\nint main(void) {{ (void) &a; return 0; }}\n", "scoper")
    assert next(line for line in text.splitlines() if re.search(r"\ba\b.*;", line)) == initialised


def test_a_mutex_of_c11_has_to_be_initialised(left):
    text = left(
        "typedef union { char __size[40]; } mtx_t;\nmtx_t m;\nint main(void) { (void) &m; return 0; }\n", "scoper"
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
    text = left(program, "scoper")
    assert "static pthread_mutex_t kept = {1, 0, 0, 0};" in text
    assert "v.m.__cs_state = 1;" in text
    assert "v.m.__cs_type = 1;" in text
    assert "none.__cs_state = 0;" in text
    assert "__cs_literal_1.__cs_type = 1" in text


def test_in_a_source_an_object_without_initialiser_is_never_initialised(translated):
    before = """\
        #include <pthread.h>
        pthread_mutex_t m;
        int main(void) { return pthread_mutex_lock(&m); }
        """
    assert "pthread_mutex_t m;" in translated("scoper", before)


# Assertions


def check(text: str) -> list[str]:
    """The checks in a text."""
    return [line.strip() for line in text.splitlines() if "__CSEQ_check(" in line and "void __CSEQ_check" not in line]


@pytest.mark.parametrize(
    "expanded",
    [
        '((x == 1) ? (void) (0) : __assert_fail ("x == 1", "p.c", 3, __extension__ __PRETTY_FUNCTION__));',
        "((void) sizeof ((x == 1) ? 1 : 0), __extension__ ({ if (x == 1) ; else "
        '__assert_fail ("x == 1", "p.c", 3, __extension__ __PRETTY_FUNCTION__); }));',
        '((void)((x == 1) || (__assert_fail("x == 1", "p.c", 3, __func__),0)));',
    ],
)
def test_assertions_are_found_again(left, expanded):
    text = left(f"int main(void) {{ int x = 1; {expanded} return 0; }}\n")
    assert check(text) == ['__CSEQ_check(x == 1, "assertion: x == 1");']
    assert "sizeof" not in text
    assert "__assert_fail" not in text


def test_a_failure_that_is_no_assertion_is_a_check_too(left):
    text = left(
        'void f(int e) { if (!e) { __assert_fail("e", "p.c", 1, "f"); } }\nint main(void) { f(0); return 0; }\n'
    )
    assert check(text) == ['__CSEQ_check(0, "assertion: e");']


def test_cleanup_handlers_are_found_again(left):
    text = left("""\
        typedef struct { int __cancel_jmp_buf[1]; } __attribute__((__aligned__)) __pthread_unwind_buf_t;
        extern void __pthread_register_cancel (__pthread_unwind_buf_t *__buf);
        extern void __pthread_unregister_cancel (__pthread_unwind_buf_t *__buf);
        extern void __pthread_unwind_next (__pthread_unwind_buf_t *__buf) __attribute__ ((__noreturn__));
        extern int __sigsetjmp_cancel (int *__env, int __savemask);
        int x;
        void undo(void *p) { x = 0; }
        void *f(void *a)
        {
          do { __pthread_unwind_buf_t __cancel_buf; void (*__cancel_routine) (void *) = (undo);
          void *__cancel_arg = (a);
          int __not_first_call = __sigsetjmp_cancel (__cancel_buf.__cancel_jmp_buf, 0);
          if (__builtin_expect ((__not_first_call), 0))
          { __cancel_routine (__cancel_arg); __pthread_unwind_next (&__cancel_buf); }
          __pthread_register_cancel (&__cancel_buf); do {;
          x = 1;
          do { } while (0); } while (0); __pthread_unregister_cancel (&__cancel_buf);
          if (1) __cancel_routine (__cancel_arg); } while (0);
          return 0;
        }
        int main(void) { f(0); return 0; }
        """)
    assert "__cancel" not in text
    body = text[text.index("void *f(void *a)") : text.index("int main")]
    assert [line.strip() for line in body.splitlines()[2:]] == [
        "{", "__cs_cleanup_push(undo, a);", ";", "x = 1;", "__cs_cleanup_pop(1);", "}", "return 0;", "}",
    ]  # fmt: skip


def test_kinds_of_characters_are_found_again(left):
    text = left("""\
        enum { _ISupper = 256, _ISdigit = 2048 };
        extern const unsigned short int **__ctype_b_loc (void) __attribute__ ((__nothrow__ , __leaf__));
        int main(void) { int c = 53; return ((*__ctype_b_loc ())[(int) ((c))] & (unsigned short int) _ISdigit); }
        """)
    assert "return isdigit((int) c);" in text
    assert "__ctype" not in text


# Places


def test_names_of_the_system_s_are_not_taken_for_ours(translated):
    translated.write("double __csin(double);\nint main(void) { return 0; }\n", "p.i")
    assert next(translated.units("p.i", until="merger"))


MARKED = """\
# 1 "original.c"
# 1 "/usr/include/thing.h" 1 3 4
extern int thing;
# 5 "original.c" 2
int main(void)
{
# 7 "original.c" 3 4
  int __cswap;
# 7 "original.c"
  return
# 9 "original.c"
        0;
}
"""


def sources(translated, *paths: str) -> dict[str, list[str]]:
    """The fact that the merger leaves of files."""
    context = translated.context()
    Merger(context).run(list(paths))
    return context.facts[SOURCES]


def test_places_are_those_of_the_markers(translated):
    translated.write(MARKED, "p.i")
    unit = next(translated.units("p.i", until="merger", keep_unused=False))[1]
    main = unit.tree.ext[0]
    assert isinstance(main, c_ast.FuncDef)
    assert [str(item.coord) for item in main.body.block_items] == ["original.c:7", "original.c:7"]


def test_the_lines_of_a_file_that_is_not_there_are_put_together(translated):
    translated.write(MARKED, "p.i")
    assert sources(translated, "p.i")["original.c"] == [
        "",
        "",
        "",
        "",
        "int main(void)",
        "{",
        "int __cswap; return",
        "",
        "0;",
        "}",
    ]


@pytest.mark.parametrize("folder", ["", "deep/"])
def test_the_lines_of_a_file_that_is_there_are_its_own(translated, folder):
    translated.write(MARKED, f"{folder}p.i")
    translated.write("the text\n", f"{folder}original.c")
    found = sources(translated, f"{folder}p.i")
    assert found["original.c"] == ["the text"]
    assert "/usr/include/thing.h" not in found


def test_comments_in_a_preprocessed_file_are_no_matter(translated):
    translated.write('/* two\n lines */ int main(void) { // "\n char *s = "/* none */"; return !s; }\n', "p.i")
    unit = next(translated.units("p.i", until="merger"))[1]
    assert '"/* none */"' in unit.text
    assert unit.linemap[1].line == 2


def test_an_error_in_a_preprocessed_file_has_the_place_of_the_markers(translated):
    translated.write(MARKED.replace("0;", "0"), "p.i")
    with pytest.raises(Exception, match=r"^original.c:\d+: expected"):
        next(translated.units("p.i", until="merger"))


def test_a_preprocessed_file_may_be_called_c(translated):
    source = translated.write("#include <pthread.h>\nint main(void) { return 0; }\n", "a.c")
    done = subprocess.run([c_compiler(), "-E", "-P", source], capture_output=True, text=True, check=True)
    translated.write(done.stdout, "b.c")
    unit = next(translated.units("b.c", until="merger", keep_unused=False))[1]
    assert unit.text.split("\n", 1)[0] == "int main(void)"
