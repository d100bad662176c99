"""Sequentialized programs that tell what they do: a call in front of each statement, and one for each value."""

from collections.abc import Callable
from textwrap import dedent
from typing import Any

import pytest

from cseq.c.symbols import Symbols
from cseq.modules.analysis.probes import Probes
from cseq.modules.symbolic.encode.sequentializer.sequentializer import INSTANCES
from cseq.modules.tracing.observations import AccessedValue, ObjectAddress
from cseq.modules.tracing.tracer import Tracer
from cseq.pipeline.stage import Unit
from tests.conftest import function_text
from tests.support.traced import readable

PROGRAM = """
int x, y, a[2]; struct pair {{ int m, n; }} s, r; float real; int *p; pthread_mutex_t mutex; pthread_cond_t c;
struct bits {{ int low : 3, high : 5; }} bits;
int __VERIFIER_nondet_int(void); int get(void) {{ return x; }}
void *work(void *arg)
{{
int l = 1;
{}
return 0;
}}
int main(void) {{ pthread_t t; pthread_create(&t, 0, work, 0); {} return 0; }}
"""


@pytest.fixture
def tracing(sequentialized: Any) -> Callable[..., tuple[Tracer, Any]]:
    """A tracer, and the traced program with some statements in a thread."""

    def run(statements: str, main: str = "", **options: bool) -> tuple[Tracer, Any]:
        unit, facts = sequentialized(PROGRAM.format(statements, main))
        tracer = Tracer(unit.tree, facts[INSTANCES], Symbols(unit.tree), Probes(), **options)
        return tracer, tracer.traced(unit.tree)

    return run


@pytest.fixture
def traced(tracing: Any) -> Callable[[str], list[str]]:
    """What is told of statements in a thread: all between the first statement and the end."""

    def run(statements: str) -> list[str]:
        lines = readable(*tracing(statements), "work__cs1")
        assert lines[:3] == ["at", "l = 1;", "show write l"]
        return lines[3 : lines.index("at end")]

    return run


@pytest.mark.parametrize(
    ("statement", "lines"),
    [
        ("x = 7;", "at\nx = 7;\nshow Address()\nshow write x"),
        ("l = l + y;", "at\nshow Address()\nshow read y\nl = l + y;\nshow write l"),
        ("l = 2;", "at\nl = 2;\nshow write l"),
        ("a[l] = 1;", "at\na[l] = 1;\nshow Address()\nshow write a[l]"),
        ("s.n = 1;", "at\ns.n = 1;\nshow Address()\nshow write s.n"),
        ("int k; k = 1;", "at\nk = __CSEQ_nondet_int();\nshow undefined k\nat\nk = 1;\nshow write k"),
        ("real = 1;", "at\nreal = 1;\nshow Address()\nshow write real"),
    ],
)
def test_values_are_read_before_a_statement_and_written_after_it(traced: Any, statement: str, lines: str) -> None:
    assert traced(statement) == dedent(lines).splitlines()


def test_a_struct_that_is_copied_is_shown_by_its_members(traced: Any) -> None:
    shown = [line for line in traced("s = r;") if line.startswith("show") and "Address" not in line]
    assert shown == ["show read r.m", "show read r.n", "show write s.m", "show write s.n"]


def test_values_of_ours_are_called_as_the_user_wrote_them(traced: Any) -> None:
    shown = [line for line in traced("l = get() + x;") if line.startswith("show") and "Address" not in line]
    assert shown == ["show read x", "show write get()", "show read x", "show write l"]
    assert "show write *p" in traced("*p = 1;")


def test_a_call_of_the_library_does_something_with_an_object(traced: Any) -> None:
    assert traced("pthread_mutex_lock(&mutex);") == ["at lock mutex", "show Subject()", "pthread_mutex_lock(&mutex);"]
    assert traced("pthread_cond_signal(&c);")[:2] == ["at signal c", "show Subject()"]
    waits = traced("pthread_cond_wait(&c, &mutex);")
    assert waits[0] == "at unlock mutex wait c" and "at wake c lock mutex" in waits


def test_a_call_that_may_get_nothing_shows_what_it_returned(traced: Any) -> None:
    lines = traced("l = pthread_mutex_trylock(&mutex);")
    assert lines[:2] == ["at try mutex", "show Subject()"]
    assert [line for line in lines if line.startswith("show Result(")] == [
        "show Result(success=<ActionKind.LOCK: 'lock'>, failure=<ActionKind.TRY: 'try'>)"
    ]


def test_an_input_is_shown_as_what_was_returned(traced: Any) -> None:
    lines = traced("x = __VERIFIER_nondet_int();")
    assert "show Input(type='int')" in lines and "show write x" in lines


def test_a_bit_field_has_no_address_and_what_lies_beside_it_is_said_once(tracing: Any) -> None:
    tracer, tree = tracing("bits.low = 1;")
    lines = readable(tracer, tree, "work__cs1")
    assert lines.count("at load_bit_fields") == 1 and "show write bits.low" in lines
    number = tracer.values.index(AccessedValue("write", "bits.low", "int"))
    assert f"__CSEQ_show({number - 1}, 0);" in function_text(Unit(tree=tree), "work__cs1")


def test_who_creates_a_thread_and_who_joins_it(tracing: Any) -> None:
    lines = readable(*tracing("", "pthread_join(t, 0);"), "main__cs0")
    assert "at creates 1" in lines
    assert lines[lines.index("at join") + 1] == "show Identifier(name='t')"


def test_the_end_of_a_thread(tracing: Any) -> None:
    tracer, tree = tracing("if (x) pthread_exit(0);")
    assert readable(tracer, tree, "work__cs1").count("at end") == 2
    assert {point.thread.number for point in tracer.points if point.actions} == {1}


def test_points_are_at_the_user_s_statements_and_know_their_thread(tracing: Any) -> None:
    tracer, _ = tracing("x = 1;\ny = 2;")
    lines = [point.origin.line for point in tracer.points if point.thread.number == 1]
    assert lines == sorted(lines) and all(
        point.origin.function == "work" for point in tracer.points if point.thread.number
    )
    assert {point.thread.function for point in tracer.points} == {"main", "work"}


def test_evidence_begins_with_the_places_of_objects(tracing: Any) -> None:
    tracer, tree = tracing("int b[2]; b[0] = 1; p = &l;", evidence=True)
    assert tracer.types.keys() >= {"x", "y", "a", "s", "mutex", "b", "l"}
    assert "show ObjectAddress(name='l')" in readable(tracer, tree, "work__cs1")
    assert "show ObjectAddress(name='mutex')" in readable(tracer, tree, "main")
    plain, tree = tracing("int b[2]; b[0] = 1; p = &l;")
    assert plain.types == {} and not [value for value in plain.values if isinstance(value, ObjectAddress)]


def test_evidence_has_the_state_of_a_lock_after_a_call(tracing: Any) -> None:
    lines = readable(*tracing("pthread_mutex_lock(&mutex);", evidence=True), "work__cs1")
    call = lines.index("pthread_mutex_lock(&mutex);")
    assert lines[call - 1].startswith("show LibraryObject(") and "name='mutex'" in lines[call - 1]
    assert lines[call + 1] == "show ObjectState(member='owner', shift=0)"


def test_moves_say_what_others_can_notice(tracing: Any) -> None:
    tracer, _ = tracing("l = 2;\nx = 7;\npthread_mutex_lock(&mutex);", moves=True)
    assert [point.number for point in tracer.points] == list(range(len(tracer.points)))
    own = {point.origin.line: point for point in tracer.points if point.thread.number == 1 and not point.hidden}
    first = min(own)
    assert [own[first + step].visible for step in range(4)] == [False, False, True, True]
    assert own[first + 3].function == "pthread_mutex_lock" and own[first + 2].function == ""


def test_without_moves_nothing_is_said_of_them(tracing: Any) -> None:
    tracer, _ = tracing("x = 7;")
    assert not any(point.visible or point.more or point.hidden or point.number for point in tracer.points)


def test_what_is_not_the_user_s_is_left_alone(tracing: Any) -> None:
    tracer, tree = tracing("pthread_mutex_lock(&mutex);")
    assert not [line for line in readable(tracer, tree, "pthread_mutex_lock") if line.startswith(("at", "show"))]
    assert not [value for value in tracer.values if isinstance(value, AccessedValue) and "__cs" in value.name]
