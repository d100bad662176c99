"""What the tables say of each function that a header of ours declares; what they do not say is a cut.

A function with a model in C waits, stores and returns what its text says. Of others, the tables have to say whether
they may wait and what ends that, what they store, and for how long their value is the same.
"""

from __future__ import annotations

import re

import pytest

from cseq.modules.core.three_address import cfunctions
from cseq.modules.library import clibrary, lexicon, primitives, stubs
from cseq.pthread_stubs import INCLUDE

_TEXT = "\n".join(path.read_text(encoding="utf-8") for path in sorted(INCLUDE.rglob("*.h")))
_MATH = "\n".join(re.findall(r"^    (.*##suffix.*;)", _TEXT, re.MULTILINE))
_EACH = ("double", ""), ("float", "f"), ("long double", "l")
_WHOLE = "\n".join([_TEXT, *(_MATH.replace("real", real).replace("##suffix", suffix) for real, suffix in _EACH)])
DECLARED = {match[1]: match[0] for match in re.finditer(r"^\w[\w *]*?\b(\w+)\((.*)\);$", _WHOLE, re.MULTILINE)}

CUTS = clibrary.REFUSED | clibrary.WAITING.keys() | lexicon.REFUSED.keys() | lexicon.JUMPS
MODELLED = {name for name in DECLARED if stubs.is_library(name) or name in primitives.PRIMITIVES}
MODELLED |= cfunctions.SPECIAL | lexicon.MODELLED | lexicon.ASSERTIONS | {"rand", "random", "alloca"}
SAID = (
    clibrary.ANY_VALUE | clibrary.CONSTANT.keys() | clibrary.WRITES.keys() | clibrary.FRESH.keys() | clibrary.STOPS
    | clibrary.FORMATTED | clibrary.RETURNS_NEW | clibrary.SORTS.keys() | clibrary.SCANNED.keys()
    | {clibrary.THREAD, clibrary.ALLOCATES_TEXT} | set(clibrary.ENVIRONMENT)
)  # fmt: skip

MAY_WAIT = (
    "accept", "aio_suspend", "clock_nanosleep", "close", "connect", "creat", "fcntl", "fdatasync", "fsync", "lockf",
    "mq_receive", "mq_send", "mq_timedreceive", "mq_timedsend", "msgrcv", "msgsnd", "msync", "nanosleep", "open",
    "openat", "pause", "poll", "pread", "pselect", "pthread_cond_timedwait", "pthread_cond_wait", "pthread_join",
    "pthread_testcancel", "pwrite", "read", "readv", "recv", "recvfrom", "recvmsg", "select", "sem_timedwait",
    "sem_wait", "send", "sendmsg", "sendto", "sigsuspend", "sigtimedwait", "sigwait", "sigwaitinfo", "sleep",
    "tcdrain", "usleep", "wait", "waitid", "waitpid", "write", "writev", "fgetc", "fgets", "fread", "fscanf",
    "getc", "getchar", "getdelim", "getline", "scanf", "getc_unlocked", "getchar_unlocked",
)  # fmt: skip
"""The functions in which POSIX lets threads be cancelled because they may wait, and those that read from streams."""

ENDS = {
    "pthread_testcancel": "it does not wait",
    "fcntl": "F_SETLKW and others are cuts",
    **dict.fromkeys(("close", "creat", "open", "openat", "fsync", "fdatasync", "msync"), "a device answers"),
    **dict.fromkeys(("write", "pwrite", "send", "sendto", "sendmsg"), "what is written to the outside is taken"),
}
"""Functions whose waits end by themselves, or are cuts, and why."""

UNTOUCHED = {
    "setbuf": "the contents of a buffer of a stream are unspecified",
    "setvbuf": "the contents of a buffer of a stream are unspecified",
    "putenv": "the environment gets it; getenv in such programs is a cut",
}
"""Functions that are given objects that they might store to, and do not store to, and why."""

CHANGING = {"clock": "the time goes on", "sync": "there is no value", "tzset": "there is no value"}
"""Functions without arguments whose values differ from call to call, and why."""


def waits_in_the_program(name: str) -> bool:
    """Whether the text of *name*, or of a variant or a step of it, can block a thread or looks at a time limit."""
    found = [one for one in stubs.items() if primitives.without_variant(one) == name or primitives.called(one) == name]
    found += primitives.BECOMES.get(name, ())
    return any(stubs.may_wait(one) or "__cs_deadline" in stubs.items()[one].words for one in found)


def test_there_are_prototypes() -> None:
    assert len(DECLARED) > 550


def test_what_no_table_knows_is_a_cut(translated) -> None:  # type: ignore[no-untyped-def]
    unknown = sorted(DECLARED.keys() - CUTS - MODELLED - SAID)
    assert len(unknown) > 5
    for name in unknown:
        given = ", ".join("0" for each in DECLARED[name].split("(", 1)[1].split(",") if each.strip() != "void);")
        text = f"{DECLARED[name]}\nint main(void) {{ {name}({given}); }}"
        included = "#include <stddef.h>\n#include <stdio.h>\n"
        assert f"the function `{name}` is called but not defined" in translated("three_address", included + text), name


@pytest.mark.parametrize("name", MAY_WAIT)
def test_what_may_wait_says_what_ends_that(name: str) -> None:
    is_open = name in clibrary.OPEN_WAITS or name in clibrary.POLLS
    unknown = name not in MODELLED and name not in SAID and name not in CUTS
    timed = name in ("sleep", "usleep", "nanosleep", "clock_nanosleep")
    assert unknown or name in CUTS or is_open or name in ENDS or timed or waits_in_the_program(name)


def test_what_may_wait_for_the_environment_is_declared_to() -> None:
    assert set(MAY_WAIT) >= clibrary.OPEN_WAITS
    assert ENDS.keys() <= set(MAY_WAIT) and ENDS.keys().isdisjoint(clibrary.OPEN_WAITS)


def test_functions_of_any_value_store_nothing() -> None:
    for name in sorted((clibrary.ANY_VALUE & DECLARED.keys()) - MODELLED - UNTOUCHED.keys()):
        position, _ = clibrary.ONLY_WITH.get(name, (-1, None))
        parameters = DECLARED[name].split("(", 1)[1].split(", ")
        stored = [n for n, each in enumerate(parameters) if "*" in each and "const " not in each and "FILE" not in each]
        assert stored in ([], [position]), name


def test_functions_that_store_have_the_arguments_that_they_store_to() -> None:
    for name in clibrary.WRITES.keys() & DECLARED.keys():
        parameters = DECLARED[name].split("(", 1)[1].split(", ")
        assert all("*" in parameters[n] or "[" in parameters[n] for n in clibrary.WRITES[name]), name


def test_a_value_without_arguments_is_the_same_or_there_is_a_reason() -> None:
    functions = {name for name, text in DECLARED.items() if "(void)" in text and not text.startswith("void ")}
    assert (functions & clibrary.ANY_VALUE) - MODELLED <= CHANGING.keys()


def test_what_is_constant_is_no_longer_any_value() -> None:
    assert clibrary.ANY_VALUE.isdisjoint({*clibrary.CONSTANT, *clibrary.ENVIRONMENT, clibrary.THREAD})
