"""The system's thread library in preprocessed files: types, prototypes, static initialisers, assertions, places."""

import re
import subprocess

import pytest
from pycparser import c_ast

from cseq.c.preprocess import compiler as c_compiler
from cseq.model.errors import UnsupportedError
from cseq.modules.frontend.merger.merger import SOURCES, Merger

OWN_MUTEX = r"typedef struct\s+\{\s+unsigned char __cs_state;[^}]*\} pthread_mutex_t;"


# Types and prototypes


def test_types_and_prototypes_become_ours(left):
    text = left("pthread_mutex_t *p;\nint main(void) { pthread_mutex_lock(p); return 0; }\n")
    assert re.search(OWN_MUTEX, text)
    assert re.findall(r"^.*\bpthread_mutex_lock\(.*\)", text, re.MULTILINE) == [
        "int pthread_mutex_lock(pthread_mutex_t *__mutex)",
        "  pthread_mutex_lock(p)",
        "int pthread_mutex_lock(pthread_mutex_t *mutex__cs0)",
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
    assert "const pthread_attr_t *__attr, void *(*__start)(void *), void *__arg);" in text


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


# Assertions


# Places


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
