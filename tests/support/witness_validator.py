"""A validator of violation witnesses: puts what a witness asks for into the program, and has CSeq look for the rest.

It follows the format's text and does not depend on how the witnesses are written. Each waypoint becomes code at its
place, which lets only those executions go on that pass the waypoints in the order of the segments. A thread passes its
next waypoint when it reaches the place for the first time, and waits there for the segment. A violation that remains
is the one that the witness is about.
"""

import re
from pathlib import Path
from typing import Any

from cseq.api import verify
from cseq.model.verdict import Outcome, Verdict
from tests.support.witness_format import callee

PRELUDE = """\
#include <pthread.h>
#include <stdlib.h>
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
static int w_segment;
static _Thread_local int w_thread;
struct w_start { void *(*function)(void *); void *argument; int thread; };
static void *w_run(void *argument)
{
    struct w_start *start = argument;
    w_thread = start->thread;
    return start->function(start->argument);
}
"""

Found = tuple[int, int, dict[str, Any]]
"""The number of a segment, the number of the segment that its thread passes before it or -1, and the waypoint."""


def followed(program: Path, witness: list[dict[str, Any]], **parameters: Any) -> str:
    """Whether an execution of *program* that passes all waypoints of *witness* violates the property at its targets.

    "confirmed", or "refuted", or "another violation" where one was found that does not follow the witness, which the
    code does not prevent.
    parameters: the parameters of the verification. It may need more rounds than the program itself: a thread waits
    before a target for its segment.
    """
    text, final, lines = instrumented(program.read_text(), witness)
    copy = program.with_name(f"followed_{program.name}")
    copy.write_text(text)
    outcome = verify(copy, backend="cbmc", **parameters)
    if outcome.verdict is not Verdict.FALSE or outcome.violated is None or outcome.counterexample is None:
        return "refuted"
    if outcome.counterexample.racing:
        places = [side.origin.line for side in outcome.counterexample.racing]
    else:
        places = [outcome.violated.origin.line if outcome.violated.origin else 0]
    follows = _segments_passed(outcome) == final and sorted(places) == sorted(lines)
    return "confirmed" if follows else "another violation"


def _segments_passed(outcome: Outcome) -> int:
    assert outcome.counterexample is not None
    accesses = [a for step in outcome.counterexample.steps for a in step.accesses]
    return next((int(a.value) for a in reversed(accesses) if a.name == "w_segment"), 0)


def instrumented(text: str, witness: list[dict[str, Any]]) -> tuple[str, int, list[int]]:
    """The program with the waypoints in it, the number of the last segment, and the lines of the targets in it."""
    (entry,) = witness
    segments = [[item["waypoint"] for item in content["segment"]] for content in entry["content"]]
    final = len(segments) - 1
    last: dict[int, int] = {}
    at: dict[tuple[int, int], list[Found]] = {}
    for number, segment in enumerate(segments):
        for waypoint in segment:
            thread = waypoint["thread_id"]
            place = waypoint["location"]["line"], waypoint["location"]["column"]
            at.setdefault(place, []).append((number, last.get(thread, -1), waypoint))
            last[thread] = number
    lines = text.split("\n")
    helpers = []
    edits: list[tuple[int, int, int, str]] = []  # line, column, order at the same place, text
    for site, ((line, column), found) in enumerate(sorted(at.items())):
        kinds = {waypoint["type"] for _, _, waypoint in found}
        if kinds <= {"assumption", "target"}:
            code = _statement(found, final)
            before = "\n".join([*lines[: line - 1], lines[line - 1][: column - 1]])
            if re.search(r"(\)|\b(else|do))\s*$", re.sub(r"//.*|/\*.*?\*/", "", before)):
                end = re.compile(r"(?!if|for|while|do|switch)[^;{}]*;").match(lines[line - 1], column - 1)
                assert end is not None, "a statement with others in it, and no braces around it"
                edits.append((line, end.end() + 1, 2, " }"))
                code = f"{{ {code}"
            edits.append((line, column, 0, code))
            continue
        assert kinds in ({"function_enter"}, {"function_return"}), kinds
        name_line, name_column, name = callee(lines, line, column)
        if kinds == {"function_enter"}:
            assert name == "pthread_create", name
            helpers.append(_creation(site, found, witness))
            edits.append((name_line, name_column, 1, f"w_create_{site}(/* "))
            edits.append((name_line, name_column + len(name) + 1, 1, " */ "))
        else:
            helpers.append(_input(site, found, name))
            edits.append((name_line, name_column, 1, f"w_input_{site}("))
            edits.append((line, column + 1, 1, ")"))
    for line, column, _, added in sorted(edits, reverse=True):
        before = lines[line - 1]
        lines[line - 1] = before[: column - 1] + added + before[column - 1 :]
    prelude = PRELUDE + "".join(helpers)
    shift = prelude.count("\n")
    places = [waypoint["location"]["line"] + shift for waypoint in segments[-1]]
    return prelude + "\n".join(lines), final, places


def _comes(found: Found) -> str:
    """The condition that the waypoint is the next one of the thread that reaches it."""
    number, before, waypoint = found
    return f"w_thread == {waypoint['thread_id']} && w_segment > {before} && w_segment <= {number}"


def _statement(found: list[Found], final: int) -> str:
    """The code before a statement: one waypoint is passed when a thread gets there.

    At a target, a thread that has passed everything else waits for the last segment, but with a statement that it has
    begun.
    """
    passing = [item for item in found if item[2]["type"] == "assumption"]
    code = "".join(
        f"if ({_comes(item)}) {{ __VERIFIER_assume(w_segment == {item[0]});"
        f" __VERIFIER_assume({item[2]['constraint']['value']}); w_segment = {item[0] + 1}; }} else "
        for item in passing
    )
    targets = [item for item in found if item[2]["type"] == "target"]
    waits = "".join(f"if ({_comes(item)}) __VERIFIER_assume(w_segment == {final}); else " for item in targets)
    return f"__VERIFIER_atomic_begin(); {code}{waits}{{ }} __VERIFIER_atomic_end(); "


def _creation(site: int, found: list[Found], witness: list[dict[str, Any]]) -> str:
    """The replacement for a call of pthread_create: the k-th such waypoint of the witness registers thread k."""
    entered = [
        number
        for number, content in enumerate(witness[0]["content"])
        for item in content["segment"]
        if item["waypoint"]["type"] == "function_enter"
    ]
    numbered = "".join(
        f"    if (w_segment == {n} && w_thread == {w['thread_id']})"
        f" {{ start->thread = {entered.index(n) + 1}; w_segment = {n + 1}; }} else\n"
        for n, _, w in found
    )
    return f"""\
static int w_create_{site}(pthread_t *thread, const pthread_attr_t *attr, void *(*function)(void *), void *argument)
{{
    struct w_start *start = malloc(sizeof *start);
    start->function = function;
    start->argument = argument;
    __VERIFIER_atomic_begin();
{numbered}    __VERIFIER_assume(0);
    __VERIFIER_atomic_end();
    return pthread_create(thread, attr, w_run, start);
}}
"""


def _input(site: int, found: list[Found], name: str) -> str:
    """The code around a call of a function for nondeterministic values."""
    passing = "".join(
        f"    if ({_comes((n, before, w))}) {{ __VERIFIER_assume(w_segment == {n});"
        f" __VERIFIER_assume({w['constraint']['value'].replace(chr(92) + 'result', 'result')});"
        f" w_segment = {n + 1}; }} else\n"
        for n, before, w in found
    )
    kind = name.rpartition("_")[2]
    type_ = {"uint": "unsigned int", "uchar": "unsigned char", "bool": "_Bool"}.get(kind, kind)
    return f"""\
static {type_} w_input_{site}({type_} result)
{{
    __VERIFIER_atomic_begin();
{passing}    {{ }}
    __VERIFIER_atomic_end();
    return result;
}}
"""
