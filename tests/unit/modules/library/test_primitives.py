"""The table of primitives: complete, and in agreement with what the C text says."""

import re
from pathlib import Path

import pytest

from cseq.model.actions import ActionKind, Manner
from cseq.model.trace import Effect
from cseq.modules.explicit.encode.thread_sets import SET
from cseq.modules.library import clibrary, primitives, stubs
from cseq.modules.library.primitives import ALL, CANCELLABLE, PRIMITIVES, REUSING, ROBUST, SCHEDULED, WRITERS
from cseq.modules.library.primitives.object_types import KINDS, OBJECT_TYPES, SHOWN, TYPES
from cseq.modules.library.primitives.schema import NoText, Silence
from cseq.pthread_stubs import INCLUDE

HEADERS = (*stubs.THREAD_HEADERS, "sched.h", "time.h", "unistd.h")

ELSEWHERE = {
    "pthread_attr_setaffinity_np": "only programs that include the headers of the system call it",
    "pthread_sigmask": "it is declared by <signal.h> of the system",
    "__errno_location": "it is declared by <errno.h>",
}
"""Functions of the user's that none of these headers declares, and why."""

_VARIANTS = (CANCELLABLE, SCHEDULED, ROBUST, REUSING, WRITERS)

FUNCTIONS = {
    name: item.text
    for name, item in stubs.items().items()
    if item.is_function and item.file not in clibrary.FILES and not name.endswith(_VARIANTS)
}
"""The functions of the thread library with C text, without variants."""

WITH_TEXT = [primitive for primitive in ALL if primitive.name in FUNCTIONS]

ATTRIBUTES = re.compile(r"pthread_\w*attr_t \*attr$")


def body(function: str) -> str:
    """The text of the library's *function*, without its head."""
    return FUNCTIONS[function].partition("{\n")[2]


def test_no_primitive_has_two_entries() -> None:
    assert len(PRIMITIVES) == len(ALL)


def test_every_prototype_has_an_entry() -> None:
    declared = stubs.prototypes(*stubs.THREAD_HEADERS, "sched.h")
    assert len(declared) > 150
    assert declared.keys() <= PRIMITIVES.keys()


def test_every_function_and_every_step_has_an_entry() -> None:
    found = {name for name in FUNCTIONS if not name.startswith("__cs_") or name.startswith(stubs.STEP_PREFIX)}
    assert set(map(primitives.without_variant, found)) <= PRIMITIVES.keys()


def test_every_entry_has_a_prototype_or_is_a_part_of_one_that_has() -> None:
    declared = stubs.prototypes(*HEADERS)
    assert {each.name for each in ALL if (each.of or each.name) not in declared} == ELSEWHERE.keys()


def test_every_entry_has_a_c_text_or_says_why_not() -> None:
    assert {each.name for each in ALL if each.no_text is None} == PRIMITIVES.keys() & FUNCTIONS.keys()
    for each in ALL:
        assert each.becomes <= FUNCTIONS.keys()
        if NoText.REFUSED is each.no_text or each.does is Silence.REFUSED:
            assert each.no_text is NoText.REFUSED and each.does is Silence.REFUSED, each.name
            assert each.refusal is not None and each.refusal.argument is None, each.name


def test_a_call_does_something_or_there_is_a_reason_for_silence() -> None:
    assert [each.name for each in ALL if each.does == ()] == []


def test_what_is_done_is_done_with_an_argument_that_there_is() -> None:
    for each in WITH_TEXT:
        for act in each.acts:
            if act.kind.has_object:
                assert act.argument in stubs.objects_of(each.name), each.name
            if act.kind.has_thread and act.kind is not ActionKind.CREATE:
                assert act.argument is not None, each.name
                assert re.match(r"(pthread|thrd)_t ", stubs.parameters(each.name)[act.argument]), each.name


def test_who_waits_up_to_a_time_is_timed() -> None:
    for each in WITH_TEXT:
        if each.acts and not each.name.endswith("wake"):  # which gets no time: the sleep before it did
            has_time = any("const struct timespec *" in text for text in stubs.parameters(each.name))
            assert any(act.manner is Manner.TIMED for act in each.acts) is has_time, each.name


CHANGES = re.compile(r"(?:->|\b)(__cs_\w+)(?:\[[^]]*\])*\s*(?:[-+^|&]?=(?!=)|\+\+|--)")
OWN = re.compile(r"\b__cs_\w+\[__CSEQ_thread\](?:\[[^]]*\])*")
TRIFLES = {"__cs_errno", "__cs_now", "__cs_protocol", "__cs_watched"}
"""State of the library that no other thread waits for: the time, priorities, and what reveals a misuse."""


def changed(function: str) -> set[str]:
    """What the library's *function* changes, with what it calls, and is not its thread's own."""
    found = set(CHANGES.findall(OWN.sub("", body(function))))
    for word in stubs.items()[function].words - {function}:
        if word in FUNCTIONS:
            found |= changed(word)
    return found - TRIFLES


def test_whoever_changes_what_others_can_notice_leaves_an_event() -> None:
    silent = set()
    for each in WITH_TEXT:
        attributes = any(map(ATTRIBUTES.match, stubs.parameters(each.name)))
        excused = (Silence.STEPS, Silence.END, Silence.INNER, Silence.NEXT, Silence.RESULT)
        if changed(each.name) and not attributes and each.does not in excused and isinstance(each.does, Silence):
            silent.add(each.name)
    assert silent == set()


def test_what_only_looks_changes_nothing() -> None:
    for each in WITH_TEXT:
        if each.effect in (Effect.LOOKS, Effect.TESTS):
            assert changed(each.name) == set(), each.name
            assert each.shows == (), each.name


def test_what_is_stored_for_the_caller_is_shown() -> None:
    for each in WITH_TEXT:
        stored = tuple(n for n, _ in enumerate(stubs.parameters(each.name)) if is_stored(each.name, n))
        assert stored == each.shows, each.name


def is_stored(function: str, argument: int) -> bool:
    """Whether the library's *function*, or one that it calls, stores to what its *argument* points to.

    Objects of the library apart: there it is the event that says what has been done with them.
    """
    match = re.fullmatch(r"(?!const )([\w ]+?) \*+(\w+)", stubs.parameters(function)[argument])
    if match is None or match[1] in TYPES:
        return False
    if re.search(rf"(?:\*{match[2]}|\b{match[2]}->\w+) = ", body(function)):
        return True
    for called, arguments in re.findall(r"\b(\w+)\(([^()]*)\)", body(function)):
        given = arguments.split(", ")
        if called in FUNCTIONS and match[2] in given and is_stored(called, given.index(match[2])):
            return True
    return False


def test_a_step_belongs_to_the_function_that_makes_it() -> None:
    for each in ALL:
        if not each.of:
            assert not each.name.startswith("__cs_") or each.no_text is NoText.CHAIN, each.name
        elif each.name not in PRIMITIVES[each.of].becomes:
            assert makers(each.name) & {each.of, "__cs_thread_end", "__cs_mutex_timedlock", "__cs_futex_wait"}, (
                each.name
            )


def makers(step: str) -> set[str]:
    """The functions, without variants, whose text mentions *step*."""
    found = {name for name, item in stubs.items().items() if step in item.words - item.names}
    return set(map(primitives.without_variant, found))


def test_steps_leave_the_events_of_functions_that_have_steps() -> None:
    several = {each.name for each in WITH_TEXT if stubs.has_steps(each.name)}
    assert {each.name for each in WITH_TEXT if each.does is Silence.STEPS} == several


def test_whatever_has_a_variant_for_priorities_says_what_for() -> None:
    variants = {name.removesuffix(SCHEDULED) for name in stubs.items() if name.endswith(SCHEDULED)}
    assert variants == primitives.SCHEDULING.keys()


def test_types_of_objects_are_those_of_the_headers() -> None:
    texts = "".join((INCLUDE / name).read_text(encoding="utf-8") for name in stubs.THREAD_HEADERS)
    declared = set(re.findall(r"^typedef (?:struct \{[^}]*\}|\w[\w ]*) (\w+);", texts, re.MULTILINE))
    assert declared == TYPES | {SET}
    assert len(OBJECT_TYPES) == len(TYPES)
    assert set(KINDS.values()) == SHOWN.keys()


@pytest.mark.parametrize("name", ["pthread_cond_wait__cs1", "pthread_mutex_lock__cs2"])
def test_a_variant_has_the_entry_of_its_function(name: str) -> None:
    assert primitives.primitive(name) is PRIMITIVES[name.partition("__cs")[0]]


def test_functions_of_others_have_none() -> None:
    assert primitives.primitive("malloc") is None
    assert primitives.acts("malloc") == ()
    assert primitives.outcomes("malloc") is None
    assert primitives.shows("malloc") == ()
    assert primitives.effect("malloc") is Effect.ACTS


def test_results_of_tries_say_what_they_were() -> None:
    assert primitives.outcomes("pthread_tryjoin_np") == (ActionKind.JOIN, ActionKind.TRY_JOIN)
    assert primitives.outcomes("__cs_step_cond_wake") is None  # it does two things


SETTER = re.compile(r"\b(pthread_\w*attr_set\w+|pthread_setattr_\w+) ?\(")


def test_every_attribute_is_modelled_or_harmless_or_a_cut() -> None:
    texts = [(INCLUDE / "pthread.h").read_text(encoding="utf-8")]
    texts += [path.read_text(encoding="utf-8") for path in (Path("/usr/include/pthread.h"),) if path.is_file()]
    setters = {name for text in texts for name in SETTER.findall(text)} | set(ELSEWHERE)
    for name in {name for name in setters if "attr" in name and not name.endswith("robust_np")}:
        is_cut = name in clibrary.REFUSED
        if is_cut or PRIMITIVES[name].harmless:
            assert not (is_cut and name in PRIMITIVES), name
            continue
        members = set(re.findall(r"attr->(\w+) = ", body(name)))
        readers = [item.text for one, item in stubs.items().items() if item.is_function and "attr_" not in one]
        assert members and any(f"attr->{member}" in text for member in members for text in readers), name
