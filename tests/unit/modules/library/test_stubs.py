"""The thread library's text: what is in it, what needs what, and what others can notice."""

import re

import pytest

from cseq.modules.library.lexicon import stubs


def names(*functions: str, without: tuple[str, ...] = ()) -> list[str]:
    """What *functions* need, without the constants."""
    items = stubs.needed(functions, without)
    return [name for item in items if not item.text.startswith("enum") for name in item.names]


def test_what_is_needed_comes_first() -> None:
    assert names("pthread_barrier_wait") == [
        "__cs_serial",
        "__cs_step_barrier_arrive",
        "__cs_step_barrier_leave",
        "pthread_barrier_wait",
    ]


def test_what_the_chain_makes_of_a_call_is_needed_too() -> None:
    assert {"__cs_step_create", "__cs_step_exit", "__cs_active"} <= set(names("pthread_create"))


def test_what_the_user_defines_is_left_out() -> None:
    assert names("pthread_barrier_wait", without=("__cs_step_barrier_leave",)) == [
        "__cs_serial",
        "__cs_step_barrier_arrive",
        "pthread_barrier_wait",
    ]


def test_members_are_not_taken_for_objects() -> None:
    assert "__cs_owner" not in stubs.items()["pthread_mutex_unlock"].words


def test_nothing_is_declared_twice() -> None:
    assert len(stubs.declared()) == len(stubs.items())


def test_claims_and_cuts_get_their_keys() -> None:
    lock, locks, measures = (
        stubs.items()[name].text for name in ("pthread_mutex_lock", "__cs_step_cond_sleep", "strlen")
    )
    assert '"misuse.destroyed pthread_mutex_lock: mutex");' in lock  # the name is that of the function
    assert '"misuse.waits_unlocked pthread_cond_wait: mutex");' in locks  # or the one that a step is a part of
    assert '"reachability.destroyed: thread_attributes");' in stubs.items()["__cs_check_attr"].text  # or there is none
    assert '"cut.string 63 strlen");' in measures
    assert not [name for name, item in stubs.items().items() if "DESTROYED" in item.text or "STRING," in item.text]


def test_constants_are_items() -> None:
    assert "__CSEQ_EBUSY" in stubs.items()["__CSEQ_EAGAIN"].names


def test_every_item_is_at_its_line() -> None:
    assert len(stubs.items()) > 400
    texts = {file: stubs.stub_text(file).splitlines() for file in {item.file for item in stubs.items().values()}}
    elsewhere = []
    for name, item in stubs.items().items():
        lines = item.text.split("\n")
        there = texts[item.file][item.line - 1 :][: len(lines)]
        if list(map(_until_key, there)) != list(map(_until_key, lines)):
            elsewhere.append(f"{name}: {item.file}:{item.line}")
    assert elsewhere == []


def _until_key(line: str) -> str:
    """The *line* without what a claim or a cut is made of, in place of which an item has its key."""
    return re.sub(r"(__CSEQ_(?:fail_unless|unwound)\(.*?), (?:[A-Z_]+\b|\").*", r"\1", line)


@pytest.mark.parametrize(
    "function, several", [("pthread_cond_wait", True), ("pthread_mutex_lock", False), ("__cs_step_cond_wake", False)]
)
def test_steps(function: str, several: bool) -> None:
    assert stubs.has_steps(function) is several


@pytest.mark.parametrize(
    "function, contained",
    [
        ("pthread_self", True),  # touches nothing
        ("pthread_mutexattr_settype", True),  # touches what its argument points to
        ("pthread_mutex_lock", False),  # blocks
        ("pthread_detach", False),  # touches an object of the library
        ("malloc", False),  # is not of the library
    ],
)
def test_what_others_can_notice(function: str, contained: bool) -> None:
    assert stubs.is_contained(function) is contained
