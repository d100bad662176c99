"""The monitor of robustness by itself: litmus programs under sequential consistency, in each order of their steps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from cseq.backends.native import EXPLORER
from cseq.c.preprocess import compiler
from cseq.modules.ir.instructions import Order
from cseq.process.run import run
from tests.support.litmus import CREATE, VALUES, Thread

_ENGINE = """\
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define __CSEQ_STATE __attribute__((section("cseq_state")))
enum { __CSEQ_THREADS = 5 };
extern char __start_cseq_state[], __stop_cseq_state[];
__CSEQ_STATE static unsigned x[16], last[__CSEQ_THREADS], at[__CSEQ_THREADS];
__CSEQ_STATE static char m[16];
__CSEQ_STATE static unsigned long long __cs_robust_memory[6000];
__CSEQ_STATE static unsigned char __cs_active[__CSEQ_THREADS] = {1}, __cs_finished[__CSEQ_THREADS];
static unsigned __CSEQ_thread, number, count, chosen[8], made, bound[8];
static jmp_buf out;
static int lost;
#define __CSEQ_of(thread) (thread)
static void __CSEQ_cut(const char *text) { lost = 1; longjmp(out, 1); }
static void __CSEQ_drop(void) { longjmp(out, 1); }
static unsigned long __CSEQ_choose(unsigned long most) { bound[made] = most; return chosen[made++]; }
static unsigned long long __CSEQ_alive(void)
{
    unsigned long long set = 0;
    for (unsigned t = 0; t < __CSEQ_THREADS; t++)
        if (__cs_active[t] && !__cs_finished[t])
            set |= 1ULL << t;
    return set;
}
static void __cs_try(unsigned thread);
void __CSEQ_step(unsigned thread);
static void __cs_access_block(const volatile void *at, int kind);
"""

_SEARCH = """\
static void create(unsigned thread) /* the monitor takes the first one that is free */
{
    unsigned char active[__CSEQ_THREADS];
    memcpy(active, __cs_active, sizeof active);
    memset(__cs_active, 1, sizeof active);
    __cs_active[thread] = 0;
    __cs_robust_create();
    memcpy(__cs_active, active, sizeof active);
    __cs_active[thread] = 1;
}
static void explore(void)
{
    static char left[1 << 24];
    static unsigned long used;
    unsigned long size = __stop_cseq_state - __start_cseq_state;
    char *before = left + used;
    if (used + size > sizeof left)
        abort();
    used += size;
    memcpy(before, __start_cseq_state, size);
    for (unsigned t = 0; t < __CSEQ_THREADS && !lost; t++) {
        unsigned choices[8] = {0};
        for (int again = 1; again && !lost;) {
            unsigned long long alive = __CSEQ_alive();
            if (!(alive >> t & 1))
                break;
            made = 0;
            memcpy(chosen, choices, sizeof chosen);
            again = 0;
            if (!setjmp(out)) {
                __CSEQ_step(t);
                if (memcmp(before, __start_cseq_state, size))
                    explore();
            }
            memcpy(__start_cseq_state, before, size);
            made = 0;
            if (!lost) { /* the same step once more, to see its choices */
                memcpy(chosen, choices, sizeof chosen);
                memset(bound, 0, sizeof bound);
                if (!setjmp(out))
                    __CSEQ_step(t);
                memcpy(__start_cseq_state, before, size);
                for (unsigned i = made; i-- > 0 && !again;)
                    if (choices[i] + 1 < bound[i]) {
                        choices[i]++;
                        memset(choices + i + 1, 0, (7 - i) * sizeof *choices);
                        again = 1;
                    }
            }
        }
    }
    used -= size;
}
"""


def _step(thread: Thread, position: int, number: int) -> str:
    op = thread[position]
    at, order, new = f"&x[{op.location}], 4", int(op.order), op.value
    value = f"x[{op.location}]"
    goes_on = f"at[{number}]++;"
    races = int(op.order is Order.PLAIN)
    match op.kind:
        case "load":
            text = f"__cs_robust_load({at}, {order}, RACES); last[{number}] = {value};"
        case "store":
            text = f"__cs_robust_store({at}, {order}, RACES); {value} = {new};"
        case "copy":
            text = f"__cs_robust_store({at}, {order}, RACES); {value} = (last[{number}] + {new}) % {VALUES};"
        case "fence":
            text = f"__cs_robust_fence({order});"
        case "create":
            text = f"create({number + 1});"
        case "await":
            text = f"__cs_robust_load({at}, {order}, RACES); "
            goes_on = f"if ({value} == {op.expected}) {{ last[{number}] = {op.expected}; at[{number}]++; }}"
        case "compare" | "acquire":
            text = f"__cs_robust_compare({at}, {order}, {int(op.failure)}); "
            text += f"unsigned old = {value}; if (old == {op.expected}) {{ __cs_robust_update({at}, {order}, RACES); "
            text += f"{value} = {new}; }} else __cs_robust_failed({at}, {int(op.failure)}, RACES);"
            if op.kind == "compare":
                text += f" last[{number}] = old;"
            else:
                goes_on = f"if (old == {op.expected}) {{ last[{number}] = old; at[{number}]++; }}"
        case "lock":
            text = f"if (m[{op.location}]) longjmp(out, 1); m[{op.location}] = 1; "
            text += f"__cs_robust_step(&m[{op.location}], 1, {int(Order.ACQUIRE)}, 0);"
        case "unlock":
            text = f"__cs_robust_step(&m[{op.location}], 1, {int(Order.RELEASE)}, 0); m[{op.location}] = 0;"
        case _:
            result = f"(old + {new}) % {VALUES}" if op.kind == "add" else f"{new}"
            text = f"__cs_robust_update({at}, {order}, RACES); unsigned old = {value}; "
            text += f"{value} = {result}; last[{number}] = old;"
    text = text.replace("RACES", str(races) if races else f"is_plain({op.location})")
    step = f"{{ {text} {goes_on} }}"
    return f"if (last[{number}]) {step} else at[{number}]++;" if op.guarded else step


def _functions(programs: Sequence[Sequence[Thread]]) -> Iterator[str]:
    yield "static void __cs_try(unsigned thread)"
    yield "{"
    yield "__CSEQ_thread = thread;"
    yield "switch (number * 128 + thread * 16 + at[thread]) {"
    for number, threads in enumerate(programs):
        of_main = [n for n in range(len(threads)) if n == 0 or CREATE not in threads[n - 1]]
        for position, created in enumerate(of_main):
            end = " __cs_finished[0] = 1;" if position + 1 == len(of_main) else ""
            yield f"case {number * 128 + position}: {{ create({created + 1}); at[0]++;{end} }} break;"
        for thread, ops in enumerate(threads, 1):
            for position in range(len(ops)):
                end = f" if (at[{thread}] == {len(ops)}) {{ __cs_finished[{thread}] = 1; last[{thread}] = 0; }}"
                yield f"case {number * 128 + thread * 16 + position}: {{ {_step(ops, position, thread)}{end} }} break;"
    yield "default: longjmp(out, 1);"
    yield "}"
    yield "}"


def _plain(programs: Sequence[Sequence[Thread]]) -> str:
    """The condition that a location has accesses that are not atomic."""
    found = {
        (number, op.location)
        for number, threads in enumerate(programs)
        for thread in threads
        for op in thread
        if op.order is Order.PLAIN and op.kind in {"load", "store", "copy"}
    }
    tests = (f"(number == {number} && location == {location})" for number, location in sorted(found))
    return " || ".join(tests) or "0"


def robust(programs: Sequence[Sequence[Thread]], folder: Path) -> list[bool]:
    """For each program whether the monitor finds nothing."""
    settings = {"LOCATIONS": 12, "FENCES": 1, "SC_FENCES": 1, "SC": 1, "PLAIN": 1, "HEAP": 0, "SEQUENCES": 1}
    head = [f"#define __CS_{name} {value}" for name, value in settings.items()]
    text = [
        *head, '#define __CS_LOST ""', _ENGINE, (EXPLORER / "program" / "robustness.h").read_text(encoding="utf-8"),
        f"static int is_plain(unsigned location) {{ return {_plain(programs)}; }}", _SEARCH,
        *_functions(programs),
        "int main(void) {",
        "static char initial[1 << 16]; unsigned long size = __stop_cseq_state - __start_cseq_state;",
        "memcpy(initial, __start_cseq_state, size);",
        f"for (number = 0; number < {len(programs)}; number++) {{",
        "memcpy(__start_cseq_state, initial, size); lost = 0; explore(); puts(lost ? \"lost\" : \"robust\"); }",
        "return 0; }",
    ]  # fmt: skip
    source, binary = folder / "monitored.c", folder / "monitored"
    source.write_text("\n".join(text), encoding="utf-8")
    done = run([compiler(), "-O1", "-w", "-fno-pic", "-no-pie", str(source), "-o", str(binary)])
    assert done.status == 0, done.stderr
    lines = run([str(binary)]).stdout.split()
    assert len(lines) == len(programs)
    return [line == "robust" for line in lines]
