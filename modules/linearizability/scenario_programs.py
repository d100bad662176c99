"""Programs that make a scenario: for the explorer, to which it is data, and for the user, who sees it written out."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path

from cseq.c.scanner import without_comments
from cseq.model.errors import InputError
from cseq.modules.linearizability.results import Kind
from cseq.modules.linearizability.scenarios import Scenario
from cseq.modules.linearizability.structure import QUIESCENT, Call, StateObject, Structure, Text

GOES_ON = "cseq_goes_on"
"""The claim at which sequential results are collected."""

REPORT = "cseq_report"
"""The object that the explorer reads: what was returned in which order, or the call that returns."""

_HEAD = """\
#include <assert.h>
#include <pthread.h>
"""

_INPUTS = """\
extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
"""


_WORD = re.compile(r"[A-Za-z_]\w*")
_RESERVED = re.compile(r"cseq_|CSEQ_(?!THREAD$)")
_SHOWN = re.compile(r"(?:thread_|t|(?:result|returned)_\d+_)\d+|linearizable|unused")
"""The names in a program for readers."""


class Variant(Enum):
    """What the threads of a program report of their calls.

    ORDERS: there is one thread, which makes all calls in any order, and reports what they return.
    MONITORED: each return asks the monitor. RECORDED: what all calls return, in the end. MARKED: where each call begins
    and returns in the execution. SILENT: nothing.
    """

    ORDERS = "orders"
    MONITORED = "monitored"
    RECORDED = "recorded"
    MARKED = "marked"
    SILENT = "silent"


def declarations(structure: Structure) -> str:
    """The C text that declares what operations name, for the compiler."""
    return "\n".join(_beginning(structure))


@dataclass(frozen=True)
class ScenarioFrame:
    """What the programs of a structure share. kinds: what each call returns. threads, calls: room for scenarios.

    parts: how many of the threads are one thread of the scenario, which operations know by its number.
    """

    structure: Structure
    kinds: tuple[Kind, ...]
    threads: int
    calls: int
    parts: int = 1

    @property
    def base(self) -> int:
        """Threads are given their calls as digits of a number to this base; 0 ends it."""
        return len(self.structure.all_calls) + 1

    @property
    def for_orders(self) -> ScenarioFrame:
        """The frame of the program that makes calls in sequential orders. Where these need not keep the order of a
        thread's calls, each call is a thread."""
        if self.structure.consistency != QUIESCENT:
            return self
        return replace(self, threads=self.threads * self.calls, calls=1, parts=self.calls)

    def choices(self, scenario: Scenario) -> list[int]:
        """The inputs with which a program for the explorer makes *scenario*."""
        found: list[int] = []
        for number in range(self.threads):
            calls = scenario.threads[number] if number < len(scenario.threads) else ()
            found += [*calls, *[0] * (self.calls - len(calls))]
        return found


def program(frame: ScenarioFrame, variant: Variant) -> str:
    """The C text of the program whose first inputs are the scenario. Raises InputError for names that are reserved."""
    reserved = sorted(word for word in _words(frame.structure) if _RESERVED.match(word))
    if reserved:
        raise InputError(f"the name `{reserved[0]}` is reserved for the programs that are made of scenarios")
    lines = [*_beginning(frame.structure), _INPUTS, *_reporting(frame, variant)]
    lines += [_function(call, kind) for call, kind in zip(frame.structure.all_calls, frame.kinds, strict=True)]
    lines += ["static long long cseq_make(int cseq_thread, unsigned long cseq_call)", "{", "    switch (cseq_call) {"]
    for call in frame.structure.all_calls:
        lines += [f"    case {call.number}:", f"        return cseq_call_{call.number}(cseq_thread);"]
    lines += ["    default:", "        return 0;", "    }", "}", ""]
    lines += _orders_main(frame) if variant is Variant.ORDERS else _threads_main(frame, variant)
    return "\n".join(lines) + "\n"


def _beginning(structure: Structure, folder: Path | None = None) -> list[str]:
    """What comes first. folder: names of files are relative to it; None for absolute names."""
    names = structure.headers or structure.files  # without headers the types of the state are in the code itself
    found = [Path(name).absolute() for name in names]
    shown = [str(path) if folder is None else os.path.relpath(path, folder) for path in found]
    lines = [_HEAD, *(f"#include {json.dumps(name)}" for name in shown)]
    return [*lines, *(f"{state.declaration};" for state in structure.states), ""]


def _words(structure: Structure) -> set[str]:
    """All names in the user's files, except in comments, and in what is said about them."""
    files = {*structure.files, *structure.headers}
    texts = [without_comments(Path(name).read_text(encoding="utf-8", errors="replace")) for name in sorted(files)]
    given = [text.text for text in (*structure.setup, *structure.teardown, *structure.invariants)]
    given += [call.code for call in structure.all_calls]
    given += [part for state in structure.states for part in (state.declaration, state.value or "")]
    return {word for text in (*texts, *given) for word in _WORD.findall(text)}


def _setup(structure: Structure) -> list[str]:
    lines: list[str] = []
    for state in structure.states:
        lines += [] if not state.value else [f"    {_name_of(state)} = {state.value};"]
    lines += [f"    {_statement(text)}" for text in structure.setup]
    return [*lines, *_invariants(structure)]


def _invariants(structure: Structure) -> list[str]:
    return [f"    assert({text.text});" for text in structure.invariants]


def _teardown(structure: Structure) -> list[str]:
    return [*_invariants(structure), *(f"    {_statement(text)}" for text in structure.teardown)]


def _statement(text: Text) -> str:
    return text.text if text.text.endswith("}") else f"{text.text};"


def _name_of(state: StateObject) -> str:
    """The name that a declaration declares: its last word, as in ``struct queue *q``."""
    return state.declaration.replace("*", " ").split()[-1]


def _function(call: Call, kind: Kind) -> str:
    lines = [f"static long long cseq_call_{call.number}(int CSEQ_THREAD)", "{"]
    body: list[str]
    if call.has_body:
        body = [call.code.strip().removeprefix("{").removesuffix("}")]
    elif kind is Kind.NOTHING:
        body = [f"    {call.code};", "    return 0;"]
    elif kind is Kind.POINTER:
        body = [
            f"    const volatile void *cseq_result = {call.code};",
            "    return (unsigned long)cseq_result < 4096 ? (long long)(unsigned long)cseq_result : 4096;",
        ]
    else:
        body = [f"    return (long long)({call.code});"]
    return "\n".join([*lines, *body, "}", ""])


def _reporting(frame: ScenarioFrame, variant: Variant) -> list[str]:
    """The object that is reported in, if there is one, and what the dummy thread does."""
    room = frame.threads * frame.calls
    each = f"[{frame.threads}][{frame.calls}]"
    members = {
        Variant.ORDERS: f"int cseq_count; int cseq_thread[{room}]; long long cseq_result[{room}];",
        Variant.MONITORED: "unsigned short cseq_state; unsigned char cseq_asks, cseq_thread, cseq_active[8]; "
        "int cseq_result[2]; unsigned cseq_in_calls;",
        Variant.RECORDED: f"long long cseq_result{each}; int cseq_period{each}; int cseq_active, cseq_periods;",
    }
    report = [f"struct {{ {members[variant]} }} {REPORT};"] if variant in members else []
    if variant is Variant.MARKED:
        report = [f"struct {{ long long cseq_begun, cseq_result; }} {REPORT}{each};"]
    return [*report, "static void *cseq_nothing(void *cseq_unused) { return cseq_unused; }", ""]


def _collecting(margin: str) -> list[str]:
    """Have the object collected, and go on."""
    return [f"{margin}_Bool {GOES_ON} = __VERIFIER_nondet_bool();", f"{margin}assert({GOES_ON});"]


def _choices(frame: ScenarioFrame) -> list[str]:
    """Read the scenario: it is what main does first, in one transition, which the dummy thread ends."""
    lines = ["    pthread_t cseq_dummy;"]
    for thread in range(frame.threads):
        lines.append(f"    unsigned long cseq_calls_{thread} = 0;")
    for thread in range(frame.threads):
        for number in range(frame.calls):
            name = f"cseq_call_{thread}_{number}"
            lines.append(f"    unsigned char {name} = __VERIFIER_nondet_uchar();")
            lines.append(f"    __VERIFIER_assume({name} < {frame.base});")
    for thread in range(frame.threads):
        for number in reversed(range(frame.calls)):
            lines.append(f"    cseq_calls_{thread} = cseq_calls_{thread} * {frame.base} + cseq_call_{thread}_{number};")
    return [*lines, "    pthread_create(&cseq_dummy, 0, cseq_nothing, 0);", "    pthread_join(cseq_dummy, 0);"]


def _orders_main(frame: ScenarioFrame) -> list[str]:
    lines = ["int main(void)", "{", *_choices(frame), *_setup(frame.structure)]
    lines += [f"    for (int cseq_done = 0; cseq_done < {frame.threads * frame.calls}; cseq_done++) {{"]
    lines += ["        unsigned long cseq_call = 0;", "        unsigned char cseq_thread = __VERIFIER_nondet_uchar();"]
    lines += [f"        __VERIFIER_assume(cseq_thread < {frame.threads});"]
    for thread in range(frame.threads):
        lines += [
            f"        if (cseq_thread == {thread}) {{",
            f"            cseq_call = cseq_calls_{thread} % {frame.base};",
            f"            cseq_calls_{thread} = cseq_calls_{thread} / {frame.base};",
            "        }",
        ]
    lines += [
        "        __VERIFIER_assume(cseq_call != 0);",
        f"        {REPORT}.cseq_result[cseq_done] = cseq_make(cseq_thread / {frame.parts}, cseq_call);",
        f"        {REPORT}.cseq_thread[cseq_done] = cseq_thread;",
        f"        {REPORT}.cseq_count = cseq_done + 1;",
        *_collecting("        "),
        "    }",
        "    return 0;",
        "}",
    ]
    return lines


def _threads_main(frame: ScenarioFrame, variant: Variant) -> list[str]:
    lines = [*_thread(frame, variant), "int main(void)", "{", *_choices(frame)]
    lines += [f"    pthread_t cseq_thread_{thread};" for thread in range(frame.threads)]
    lines += _setup(frame.structure)
    for thread in range(frame.threads):
        argument = f"(void *)(cseq_calls_{thread} * {frame.threads} + {thread})"
        lines += [
            f"    if (cseq_calls_{thread} != 0)",
            f"        pthread_create(&cseq_thread_{thread}, 0, cseq_thread, {argument});",
        ]
    for thread in range(frame.threads):
        lines += [f"    if (cseq_calls_{thread} != 0)", f"        pthread_join(cseq_thread_{thread}, 0);"]
    lines += _teardown(frame.structure)
    if variant is Variant.RECORDED:
        lines += _collecting("    ")
    end = [] if variant is Variant.MARKED else _unless_leaks_count(frame.structure)
    return [*lines, *end, "    return 0;", "}"]


def _unless_leaks_count(structure: Structure) -> list[str]:
    """The end of executions in which nothing gives memory back: they are not asked for leaks."""
    return [] if structure.teardown else ["    __VERIFIER_assume(0); /* nothing gives memory back: that is no leak */"]


def _thread(frame: ScenarioFrame, variant: Variant) -> list[str]:
    lines = [
        "static void *cseq_thread(void *cseq_given)",
        "{",
        "    unsigned long cseq_calls = (unsigned long)cseq_given;",
        f"    int cseq_thread = cseq_calls % {frame.threads};",
        f"    cseq_calls = cseq_calls / {frame.threads};",
    ]
    step = f"cseq_calls = cseq_calls / {frame.base}"
    call = f"cseq_make(cseq_thread, cseq_calls % {frame.base})"
    if variant is Variant.SILENT:
        lines += [f"    for (; cseq_calls != 0; {step})", f"        {call};"]
    elif variant is Variant.MARKED:
        slot = f"{REPORT}[cseq_thread][cseq_number]"
        lines += [
            f"    for (int cseq_number = 0; cseq_calls != 0; cseq_number++, {step}) {{",
            f"        {slot}.cseq_begun = cseq_calls % {frame.base};",
            f"        {slot}.cseq_result = {call};",
            "    }",
        ]
    elif variant is Variant.RECORDED:
        periods = frame.structure.consistency == QUIESCENT  # else it makes no difference when calls overlap
        begin = [
            "        __VERIFIER_atomic_begin();",
            f"        if ({REPORT}.cseq_active == 0)",
            f"            {REPORT}.cseq_periods++;",
            f"        {REPORT}.cseq_active++;",
            f"        {REPORT}.cseq_period[cseq_thread][cseq_number] = {REPORT}.cseq_periods;",
            "        __VERIFIER_atomic_end();",
        ]
        lines += [
            f"    for (int cseq_number = 0; cseq_calls != 0; cseq_number++, {step}) {{",
            *(begin if periods else []),
            f"        long long cseq_result = {call};",
            "        __VERIFIER_atomic_begin();",
            *([f"        {REPORT}.cseq_active--;"] if periods else []),
            f"        {REPORT}.cseq_result[cseq_thread][cseq_number] = cseq_result;",
            "        __VERIFIER_atomic_end();",
            "    }",
        ]
    else:
        in_calls = " | ".join(f"{REPORT}.cseq_active[{other}] << {other}" for other in range(frame.threads))
        lines += [
            f"    for (; cseq_calls != 0; {step}) {{",
            f"        {REPORT}.cseq_active[cseq_thread] = 1;",
            f"        long long cseq_result = {call};",
            "        __VERIFIER_atomic_begin();",
            f"        {REPORT}.cseq_thread = cseq_thread;",
            f"        {REPORT}.cseq_result[0] = (int)cseq_result;",
            f"        {REPORT}.cseq_result[1] = (int)(cseq_result >> 32);",
            f"        {REPORT}.cseq_in_calls = {in_calls};",
            f"        {REPORT}.cseq_asks = 1;",
            "        unsigned char cseq_low = __VERIFIER_nondet_uchar();",
            f"        {REPORT}.cseq_asks = 2;",
            "        unsigned char cseq_high = __VERIFIER_nondet_uchar();",
            f"        {REPORT}.cseq_state = cseq_low + cseq_high * 256;",
            f"        {REPORT}.cseq_asks = 0;",
            f"        {REPORT}.cseq_thread = 0;",
            f"        {REPORT}.cseq_result[0] = 0;",
            f"        {REPORT}.cseq_result[1] = 0;",
            f"        {REPORT}.cseq_in_calls = 0;",
            f"        {REPORT}.cseq_active[cseq_thread] = 0;",
            "        __VERIFIER_atomic_end();",
            "    }",
        ]
    return [*lines, "    return 0;", "}", ""]


@dataclass(frozen=True, order=True)
class ReturnedCall:
    """A call that has returned: its thread, its number among the calls of the thread, and the result."""

    thread: int
    number: int
    result: int


def example(
    frame: ScenarioFrame,
    scenario: Scenario,
    returned: Sequence[ReturnedCall] | None = None,
    before: Iterable[tuple[tuple[int, int], tuple[int, int]]] = (),
    leaks: bool = False,
    folder: Path | None = None,
    weak: bool = False,
) -> str:
    """The C text of a program that makes *scenario* and no other, for readers.

    returned: calls whose results no sequential order explains: that is what the program claims not to happen. Without
    them, it only makes the calls. before: pairs of calls (thread and number of each), of which the first one has
    returned before the second one begins. leaks: the program is asked for leaks.
    folder: the one in which the program is kept, for the names of files in it. weak: a call that has returned before
    another one begins happens before it, as C11 has it.
    """
    structure = frame.structure
    ours = "cseq_" if any(map(_SHOWN.fullmatch, _words(structure))) else ""
    checks = returned is not None
    results = {
        (one.thread, one.number): one.result
        for one in returned or ()
        if frame.kinds[scenario.threads[one.thread][one.number] - 1] is not Kind.NOTHING
    }
    after: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for earlier, later in before:
        after.setdefault(later, []).append(earlier)
    used = sorted({number for calls in scenario.threads for number in calls})
    lines = _beginning(structure, folder)
    if checks or leaks or after:
        lines += ["extern void __VERIFIER_assume(int);", ""]
    if checks:
        lines += [f"long long {_result(place, ours)};" for place in sorted(results)]
    waited = sorted({place for places in after.values() for place in places})
    lines += [f"_Bool {_returned(place, ours)};" for place in waited]
    written = [number for number in used if structure.call(number).has_body or frame.kinds[number - 1] is Kind.POINTER]
    lines += ["", *(_function(structure.call(number), frame.kinds[number - 1]) for number in written)]
    for thread, calls in enumerate(scenario.threads):
        lines += [f"static void *{ours}thread_{thread + 1}(void *{ours}unused)", "{"]
        for number, call in enumerate(calls):
            place = (thread, number)
            made = f"cseq_call_{call}({thread})"
            if call in written:
                lines.append(f"    /* {structure.call(call).label} */")
            else:
                made = structure.call(call).code.replace("CSEQ_THREAD", str(thread))
            if place in after:
                flags = [_returned(other, ours) for other in after[place]]
                texts = [f"__atomic_load_n(&{flag}, __ATOMIC_ACQUIRE)" for flag in flags] if weak else flags
                lines.append(f"    __VERIFIER_assume({' && '.join(texts)});")
            if checks and place in results:
                lines.append(f"    {_result(place, ours)} = {made};")
                lines.append(f"    __VERIFIER_assume({_result(place, ours)} == {_number(results[place])});")
            else:
                lines.append(f"    {made};")
            if place in waited:
                flag = _returned(place, ours)
                lines.append(f"    __atomic_store_n(&{flag}, 1, __ATOMIC_RELEASE);" if weak else f"    {flag} = 1;")
        lines += [f"    return {ours}unused;", "}", ""]
    return "\n".join([*lines, *_example_main(structure, scenario, results, leaks, ours)]) + "\n"


def _example_main(
    structure: Structure, scenario: Scenario, results: dict[tuple[int, int], int], leaks: bool, ours: str
) -> list[str]:
    numbers = range(1, len(scenario.threads) + 1)
    lines = ["int main(void)", "{", f"    pthread_t {', '.join(f'{ours}t{number}' for number in numbers)};", ""]
    lines += _setup(structure)
    lines += [f"    pthread_create(&{ours}t{number}, 0, {ours}thread_{number}, 0);" for number in numbers]
    lines += [f"    pthread_join({ours}t{number}, 0);" for number in numbers]
    if results:
        equal = " && ".join(f"{_result(place, ours)} == {_number(value)}" for place, value in sorted(results.items()))
        lines += [
            "    /* No sequential order of the calls returns these results. */",
            f"    _Bool {ours}linearizable = !({equal});",
            f"    assert({ours}linearizable);",
        ]
    end = _unless_leaks_count(structure) if leaks else []
    return [*lines, *_teardown(structure), *end, "    return 0;", "}"]


def _number(value: int) -> str:
    """*value* as C."""
    return "(-9223372036854775807LL - 1)" if value == -(1 << 63) else str(value)


def _result(place: tuple[int, int], ours: str) -> str:
    return f"{ours}result_{place[0] + 1}_{place[1] + 1}"


def _returned(place: tuple[int, int], ours: str) -> str:
    return f"{ours}returned_{place[0] + 1}_{place[1] + 1}"
