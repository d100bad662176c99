"""Objects are aligned as they ask for, and to no more: each kind of object, and each way to ask."""

import pytest

import cseq
from cseq.model.claims import Limit
from cseq.model.errors import CSeqError
from cseq.model.verdict import Outcome, Verdict

OBJECTS = {
    "local, _Alignas": ("_Alignas(64) char x[3]; x[0] = 0;", "x", 64),
    "local, attribute": ("int x __attribute__((aligned(32))) = 1;", "&x", 32),
    "local, no number": ("char x __attribute__((aligned)) = 1;", "&x", 16),
    "local, typedef": ("typedef int line __attribute__((aligned(64))); line x = 1;", "&x", 64),
    "local, type": ("struct { char c; } __attribute__((aligned(128))) x = {1};", "&x", 128),
    "local, plain": ("int x = 1;", "&x", 4),
    "local, array": ("char x[16]; x[0] = 1;", "x", 16),
    "member": ("struct { char c; _Alignas(32) char d; } x = {1, 2};", "&x.d", 32),
    "element": ("struct { _Alignas(32) char c; } x[2] = {{1}, {2}};", "&x[1]", 32),
    "literal": ("struct s { _Alignas(64) char c; } *x = &(struct s){1};", "x", 64),
    "static, _Alignas": ("static _Alignas(64) char x;", "&x", 64),
    "static, plain": ("static short x;", "&x", 2),
    "at file level": ("", "&aligned_global", 128),
    "at file level, plain": ("", "&plain_global", 8),
    "thread-local": ("own = 1;", "&own", 64),
    "thread-local, attribute": ("attributed = 1;", "&attributed", 32),
    "static thread-local": ("static _Thread_local char x __attribute__((aligned(32)));", "&x", 32),
    "parameter": ("struct wide x = {1};", "passed(x)", 64),
    "malloc": ("char *x = malloc(3);", "x", 16),
    "aligned_alloc": ("char *x = aligned_alloc(64, 64);", "x", 64),
    "posix_memalign": ("void *x; posix_memalign(&x, 128, 5);", "x", 128),
    "computed": ("void *x; unsigned long to = 8; to *= 8; posix_memalign(&x, to, 5);", "x", 64),
    "mmap": ("void *x = mmap(0, 100, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);", "x", 4096),
}
INSIDE = ("member", "element", "parameter")
"""What is not at the beginning of an object, or is not asked about from outside."""

PROGRAM = """\
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
struct wide {{ _Alignas(64) char c; }};
_Alignas(128) char aligned_global;
long plain_global;
static _Thread_local _Alignas(64) char own;
static __thread int attributed __attribute__((aligned(32)));
static void *passed(struct wide x) {{ return (void *)((uintptr_t)&x & 63); }}
static void *run(void *arg)
{{
    char before = 1;
    {declaration}
    assert(((uintptr_t)({address}) & {mask}) == 0);
    return (void *)(long)(before - 1);
}}
int main(void)
{{
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    run(0);
    return pthread_join(thread, 0);
}}
"""


def checked(folder, name: str, alignment: int, backend: str, **options) -> Outcome:
    declaration, address, _ = OBJECTS[name]
    source = folder / "program.c"
    source.write_text(PROGRAM.format(declaration=declaration, address=address, mask=alignment - 1), encoding="utf-8")
    return cseq.verify(source, backend=backend, **options)


@pytest.mark.parametrize("name", OBJECTS)
def test_objects_are_aligned_as_they_ask_for(name, tmp_path):
    outcome = checked(tmp_path, name, OBJECTS[name][2], "native")
    assert outcome.verdict is Verdict.TRUE, outcome.violated or outcome.bounds


@pytest.mark.parametrize("name", [name for name in OBJECTS if name not in INSIDE])
def test_objects_are_aligned_to_no_more_by_chance(name, tmp_path):
    outcome = checked(tmp_path, name, 2 * OBJECTS[name][2], "native")
    assert outcome.verdict is Verdict.FALSE, outcome.bounds
    assert outcome.violated is not None and outcome.violated.origin is not None
    assert outcome.violated.origin.line == 16


@pytest.mark.parametrize("name", ["local, _Alignas", "aligned_alloc", "thread-local"])
def test_the_memory_of_checked_programs_is_aligned_too(name, tmp_path):
    outcome = checked(tmp_path, name, OBJECTS[name][2], "native", memsafety=True)
    assert outcome.of("unreach-call").verdict is Verdict.TRUE
    outcome = checked(tmp_path, name, 2 * OBJECTS[name][2], "native", memsafety=True)
    assert outcome.of("unreach-call").verdict is Verdict.FALSE


@pytest.mark.parametrize("name", ["local, plain", "local, attribute", "posix_memalign"])
@pytest.mark.parametrize("factor", [1, 2])
def test_a_symbolic_engine_proves_nothing_about_addresses(name, factor, tmp_path):
    outcome = checked(tmp_path, name, factor * OBJECTS[name][2], "cbmc", rounds=3)
    assert outcome.verdict is Verdict.UNKNOWN
    found = [bound for bound in outcome.bounds if bound.cut is not None and bound.cut.limit is Limit.ADDRESSES]
    assert [bound.origin.line for bound in found if bound.origin is not None] == [16]


def test_a_deductive_proof_refuses_numbers_of_addresses(tmp_path):
    with pytest.raises(CSeqError, match="a number that is made from an address"):
        checked(tmp_path, "local, plain", 4, "horn")


def test_the_violation_of_an_alignment_by_a_symbolic_engine_is_replayed(tmp_path):
    source = tmp_path / "program.c"
    text = PROGRAM.format(declaration="char *x = aligned_alloc(256, 256);", address="x", mask=255)
    source.write_text(text.replace(") == 0);", ") != 0);"), encoding="utf-8")
    outcome = cseq.verify(source, backend="cbmc", rounds=1)
    assert outcome.verdict is Verdict.FALSE, outcome.reason
