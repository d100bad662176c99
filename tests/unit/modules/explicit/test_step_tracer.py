"""Programs for the explicit family that tell what they do: threads have no numbers there, and loops stay loops."""

from collections.abc import Callable
from typing import Any

import pytest

from cseq.c.symbols import Symbols
from cseq.modules.analysis.probes import Probes
from cseq.modules.core.input_choices.input_choices import CHOICES
from cseq.modules.core.uninitialised_reads import CORE
from cseq.modules.explicit.step_tracer import NO_THREAD, StepPoint, StepTracer
from cseq.modules.tracing.observations import Input, Iteration, Loop
from tests.support.traced import readable

PROGRAM = """\
#include <pthread.h>
int x, y; pthread_mutex_t mutex; _Bool __VERIFIER_nondet_bool(void);
void *work(void *arg)
{
@
return 0;
}
int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); pthread_join(t, 0); return 0; }
"""


@pytest.fixture
def tracing(translated: Any) -> Callable[..., tuple[StepTracer, Any]]:
    """A tracer, and the traced program with some statements in a thread."""
    translated.use("explicit")

    def run(statements: str, property_: str = "unreach-call", **options: bool) -> tuple[StepTracer, Any]:
        context = translated.context(property=property_)
        value: Any = [translated.write(PROGRAM.replace("@", statements))]
        for name, stage in translated._chain.chosen(context.values):
            value = stage(context).run(value)
            if name == "uninitialised_reads":
                break
        core = context.facts[CORE]
        symbols = Symbols(core, context.model)
        tracer = StepTracer(core, symbols, Probes(), context.facts[CHOICES], property_, **options)
        return tracer, tracer.traced(core)

    return run


def test_accesses_are_told_as_by_any_tracer(tracing: Any) -> None:
    lines = readable(*tracing("if (y) x = 7;"), "work")
    assert lines[:4] == ["at", "show Address()", "show read y", "if (y) {"]
    assert lines[4:8] == ["at", "x = 7;", "show Address()", "show write x"]


def test_only_the_execution_shows_which_thread_it_is(tracing: Any) -> None:
    tracer, _ = tracing("x = 1;")
    assert all(isinstance(point, StepPoint) and point.thread == NO_THREAD for point in tracer.points)


def test_where_threads_are_created_and_where_they_end(tracing: Any) -> None:
    tracer, tree = tracing("x = 1;")
    assert readable(tracer, tree, "main").count("at creates") == 1
    lines = readable(tracer, tree, "work")
    assert lines[-3:-1] == ["at ends", "at end"] and lines[-1].startswith("return ")
    assert "at ends" not in readable(tracer, tree, "main")


def test_rounds_of_loops_are_told(tracing: Any) -> None:
    tracer, tree = tracing("while (x < 3) { x = x + 1; }")
    lines = readable(tracer, tree, "work")
    assert [line for line in lines if "Loop" in line] == ["show Loop(number=1)"]
    assert [value for value in tracer.values if isinstance(value, (Loop, Iteration))] == [Loop(1), Iteration(1)]
    inside = [point for point in tracer.points if isinstance(point, StepPoint) and point.loops]
    assert {point.loops for point in inside} == {(1,)} and len(inside) == 3  # condition, load and store


def test_loops_in_loops(tracing: Any) -> None:
    tracer, _ = tracing("while (x < 3) { while (y < 3) { y = y + 1; } x = x + 1; }")
    found = [point.loops for point in tracer.points if isinstance(point, StepPoint) and point.loops]
    assert set(found) == {(1,), (1, 2)} and found[-1] == (1,)


def test_an_input_is_a_choice(tracing: Any) -> None:
    tracer, tree = tracing("_Bool b = __VERIFIER_nondet_bool(); x = b;")
    assert [value for value in tracer.values if isinstance(value, Input)] == [Input("_Bool")]
    assert "show Input(type='_Bool')" in readable(tracer, tree, "work")


def test_objects_are_seen_where_a_report_needs_them(tracing: Any) -> None:
    lines = readable(*tracing("pthread_mutex_lock(&mutex);", "no-deadlock"), "work")
    assert [line for line in lines if line.startswith(("show LibraryObject(", "show ObjectState("))]
    tracer, tree = tracing("pthread_mutex_lock(&mutex);", "no-deadlock")
    assert "show ObjectAddress(name='mutex')" in readable(tracer, tree, "main") and "mutex" in tracer.types
    plain = readable(*tracing("pthread_mutex_lock(&mutex);"), "work")
    assert not [line for line in plain if line.startswith(("show LibraryObject(", "show ObjectState("))]


def test_who_can_be_blocked_says_in_which_call(tracing: Any) -> None:
    tracer, _ = tracing("pthread_mutex_lock(&mutex); pthread_mutex_unlock(&mutex);", "no-deadlock")
    assert [point.call for point in tracer.points if point.call] == ["pthread_mutex_lock", "pthread_join"]
    tracer, _ = tracing("pthread_mutex_lock(&mutex);")
    assert not any(point.call for point in tracer.points)


def test_what_is_only_for_reproducers_is_hidden(tracing: Any) -> None:
    tracer, _ = tracing("for (int i = 0; i < 3; i++) x = i;", moves=True)
    assert not any(point.hidden and not point.number for point in tracer.points)
    assert any(point.visible for point in tracer.points)
    plain, _ = tracing("for (int i = 0; i < 3; i++) x = i;")
    assert not any(point.hidden or point.visible for point in plain.points)
