"""Attributes of Clang's thread safety analysis as a patch."""

from __future__ import annotations

from cseq.cli.projects.annotating import annotated
from cseq.model.origin import Origin
from cseq.model.sharing import Annotation, AnnotationKind

VARIABLE, MEMBER, FUNCTION = AnnotationKind.VARIABLE, AnnotationKind.MEMBER, AnnotationKind.FUNCTION
TEXT = """\
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
/* x; */ int x, y[2][3] = {{1}}, z;
void (*hook)(int);
struct s { int v; pthread_mutex_t lock; };
int f(int a);
int f(int a)
{
    pthread_mutex_lock(&m);
    return x;
}
"""


def annotation(kind: AnnotationKind, name: str, line: int, **more: object) -> Annotation:
    given = {"lock": "m", "type": "pthread_mutex_t", "shared": False, "base": "m", "declared": Origin("a.c", 2)}
    return Annotation(kind, name, Origin("a.c", line), **{**given, "is_static": True, **more})  # type: ignore[arg-type]


def added(*annotations: Annotation, text: str = TEXT) -> list[str]:
    """The lines of the patch that are new, without the macros."""
    made = annotated(annotations, {"a.c": text})
    assert not made.left_out and made.written == len(annotations)
    lines = [line[1:] for line in made.patch.splitlines() if line.startswith("+") and not line.startswith("+++")]
    return [line for line in lines if "GUARDED_BY" in line or "REQUIRES" in line if not line.startswith("#")]


def left_out(found: Annotation, text: str = TEXT) -> str:
    made = annotated([found], {"a.c": text})
    assert not made.patch and not made.written
    return made.left_out[0].why


def test_variables() -> None:
    assert added(annotation(VARIABLE, "x", 3), annotation(VARIABLE, "y", 3)) == [
        "/* x; */ int x GUARDED_BY(m), y[2][3] GUARDED_BY(m) = {{1}}, z;"
    ]
    assert added(annotation(VARIABLE, "hook", 4)) == ["void (*hook)(int) GUARDED_BY(m);"]


def test_members() -> None:
    own = annotation(MEMBER, "v", 5, lock="lock", base="", declared=None, is_static=False)
    assert added(own) == ["struct s { int v GUARDED_BY_MEMBER(lock); pthread_mutex_t lock; };"]
    assert added(annotation(MEMBER, "v", 5)) == ["struct s { int v GUARDED_BY(m); pthread_mutex_t lock; };"]


def test_functions_and_their_prototypes() -> None:
    assert added(annotation(FUNCTION, "f", 7)) == ["int f(int a) REQUIRES(m);", "int f(int a) REQUIRES(m)"]
    assert added(annotation(FUNCTION, "f", 7, shared=True))[0] == "int f(int a) REQUIRES_SHARED(m);"


def test_functions_of_the_library_that_are_used_are_declared_once_more() -> None:
    made = annotated([annotation(VARIABLE, "x", 3)], {"a.c": TEXT})
    assert "+int pthread_mutex_lock(pthread_mutex_t *m) __attribute__((acquire_capability(*m)));" in made.patch
    assert "pthread_mutex_unlock" not in made.patch
    assert "#include" not in made.patch.replace(" #include", "")


def test_a_lock_that_is_declared_later_is_declared_before() -> None:
    text = "#include <pthread.h>\nint x;\nstatic pthread_mutex_t m;\n"
    later = annotation(VARIABLE, "x", 2, declared=Origin("a.c", 3))
    assert "+static pthread_mutex_t m;\n" in annotated([later], {"a.c": text}).patch
    elsewhere = annotation(VARIABLE, "x", 2, declared=Origin("b.c", 3), is_static=False)
    assert "+extern pthread_mutex_t m;\n" in annotated([elsewhere], {"a.c": text}).patch


def test_macros_come_behind_the_includes_and_the_guard_of_a_header() -> None:
    text = "#ifndef A_H\n#define A_H\n#if B\n#include <pthread.h>\n#endif\nint x;\n#include <stdio.h>\n#endif\n"
    made = annotated([annotation(VARIABLE, "x", 6, declared=Origin("a.c", 0))], {"a.c": text})
    lines = [line[1:] for line in made.patch.splitlines()[3:]]
    assert lines.index("#endif") < lines.index("#ifndef GUARDED_BY") < lines.index("int x GUARDED_BY(m);")
    assert lines[5].startswith("/* For clang")
    assert "#include <pthread.h>" in annotated([annotation(VARIABLE, "x", 1)], {"a.c": "int x;\n"}).patch


def test_what_is_left_out_says_why() -> None:
    assert left_out(annotation(VARIABLE, "w", 3)) == "its declaration is not found in the text"
    assert left_out(annotation(VARIABLE, "v", 5), TEXT.replace("int v", "int v : 3")) == (
        "its declaration is not found in the text"
    )
    assert left_out(annotation(VARIABLE, "x", 3, declared=Origin("b.c", 2))) == "`m` is known in b.c only"
    part = annotation(VARIABLE, "x", 3, lock="q.m", base="q", declared=Origin("a.c", 9))
    assert left_out(part) == "it is declared before `q`"
    assert annotated([annotation(VARIABLE, "x", 3)], {}).left_out[0].why == "its file cannot be read"


def test_nothing_is_a_patch_without_lines() -> None:
    assert annotated([], {"a.c": TEXT}).patch == ""
