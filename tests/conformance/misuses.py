"""Programs that misuse the thread library, made from its headers, its C text and the table of primitives.

Each has one function do what it must not: the call is wrong where `BUG` is defined, and right in the twin. For a new
primitive there is nothing to do here, unless it has parameters or objects of a new type, or a new kind of misuse.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from textwrap import dedent

from cseq.base.claims import Object, Reason
from cseq.base.trace import ActionKind
from cseq.modules.library import stubs
from cseq.modules.library.primitives import PRIMITIVES
from cseq.pthread_stubs import INCLUDE

NAMES = {
    "pthread_mutex_t": "lock", "pthread_rwlock_t": "lock", "pthread_spinlock_t": "lock", "mtx_t": "lock",
    "pthread_cond_t": "ready", "cnd_t": "ready", "pthread_barrier_t": "barrier", "sem_t": "places",
    "pthread_t": "other", "thrd_t": "other", "pthread_key_t": "key", "tss_t": "key", "pthread_attr_t": "attributes",
}  # fmt: skip
"""The types of objects that functions get, and what they are called in the programs."""

VALUES = {
    "const pthread_mutexattr_t *": "0", "const pthread_condattr_t *": "0", "const pthread_rwlockattr_t *": "0",
    "const pthread_barrierattr_t *": "0", "const pthread_attr_t *": "0", "const struct timespec *": "&soon",
    "struct sched_param *": "&priority", "clockid_t ": "CLOCK_MONOTONIC", "void **": "0", "void (*)(void *)": "0",
    "tss_dtor_t ": "0", "unsigned int ": "1", "int *": "&value",
}  # fmt: skip
"""What functions get for parameters of other types."""

NUMBERS = {"pshared": "0", "signal": "0", "ceiling": "2", "type": "mtx_timed"}
"""What they get for parameters that are an int, by their names."""

DECLARED = {"soon": "struct timespec soon;", "priority": "struct sched_param priority;", "value": "int value;"}

_KINDS = {
    Object.MUTEX: ("pthread_mutex_t", "mtx_t"), Object.LOCK: ("pthread_rwlock_t", "pthread_spinlock_t"),
    Object.COND: ("pthread_cond_t", "cnd_t"), Object.BARRIER: ("pthread_barrier_t",), Object.SEMAPHORE: ("sem_t",),
    Object.THREAD: ("pthread_t", "thrd_t"), Object.KEY: ("pthread_key_t", "tss_t"),
    Object.ATTRIBUTES: ("pthread_attr_t",),
}  # fmt: skip

_PROTOTYPE = re.compile(r"^\w[\w *]*?\b(\w+)\((.*)\);$", re.MULTILINE)
_PARAMETER = re.compile(r"(.*[ *])(\w+)")


@dataclass(frozen=True)
class Misuse:
    """What a *function* must not be called for: an object that is not as it should be."""

    function: str
    object: Object
    reason: Reason

    @property
    def name(self) -> str:
        """The name of the program."""
        return f"{self.function}_{self.object}_{self.reason}"


def misuses() -> Iterator[Misuse]:
    """All that the C text of the thread library reports, function by function."""
    for function in stubs.prototypes():
        for subject, reason in dict.fromkeys(stubs.misuses(function)):
            yield Misuse(function, Object[subject], Reason[reason])


def rounds(misuse: Misuse) -> int:
    """How many rounds show it."""
    return 2 if "pthread_create(" in (text := program(misuse) or "") or "thrd_create(" in text else 1


def program(misuse: Misuse) -> str | None:
    """The text of the program; None where there is no telling how such a one is made."""
    template = _template(misuse)
    if template is None:
        return None
    body = _Words(misuse).fill(dedent(template).lstrip("\n"))
    words = set(re.findall(r"\w+", body))
    names = [f"{type_} {name};" for type_, name in _objects(misuse.function).items() if name in words]
    names += [text for name, text in DECLARED.items() if name in words]
    return f"{_includes(words)}\n{_atomic(words)}" + "".join(f"{text}\n" for text in names) + f"\n{body}"


_ONCE = """
    int main(void)
    {
        %s
        {call} // FAIL
        return 0;
    }
    """


def _in_main(*lines: str) -> str:
    return _ONCE.replace("%s", "\n        ".join(lines)).replace("\n        #", "\n    #")


_UNREADY = _in_main("#ifndef BUG", "{make}", "{prepare}", "#endif")
_GONE = _in_main("{make}", "#ifdef BUG", "{destroy}", "#else", "{prepare}", "#endif")
_GONE_TWICE = _in_main("{make}", "{destroy}", "#ifndef BUG", "{make}", "#endif")
_CLOSED = """
    int main(void)
    {
        sem_t *named = sem_open("/places", O_CREAT, 0600, 1);
    #ifdef BUG
        sem_close(named);
    #endif
        {call named} // FAIL
        return 0;
    }
    """

_NOTHING = """
    {result} nothing(void *unused)
    {
        return 0;
    }

    """
_NO_THREAD = _NOTHING + _in_main("#ifndef BUG", "{create nothing}", "#endif").lstrip("\n")
_JOINED = _NOTHING + _in_main("{create nothing}", "#ifdef BUG", "{join}", "#endif").lstrip("\n")
_DETACHED = _NOTHING + _in_main("{create nothing}", "#ifdef BUG", "{detach}", "#endif").lstrip("\n")
_WITH_ATTRIBUTES = """
    {result} nothing(void *unused)
    {
        return 0;
    }

    int main(void)
    {
    #ifdef BUG
        %s
    #else
        pthread_attr_init(&attributes);
    #endif
        pthread_create(&other, &attributes, nothing, 0); // FAIL
        return 0;
    }
    """

_TWICE = """
    {type} *object;

    void *initialises(void *unused)
    {
    #ifndef BUG
        {destroy object}
    #endif
        {call object} // FAIL
        return 0;
    }

    int main(void)
    {
        object = malloc(sizeof *object);
        {call object}
        {create initialises}
        {join}
        return 0;
    }
    """

_SIGNALS = """
    {result} signals(void *unused)
    {
        {lock}
        {signal}
        {unlock}
        return 0;
    }

    """


def _waiting(*lines: str) -> str:
    return _SIGNALS + _in_main(*lines).lstrip("\n").replace("// FAIL\n", "// FAIL\n        {unlock}\n")


_WAIT_UNREADY = _waiting("{make lock}", "#ifndef BUG", "{make}", "{create signals}", "#endif", "{lock}")
_WAIT_GONE = _waiting(
    "{make lock}", "{make}", "#ifdef BUG", "{destroy}", "#else", "{create signals}", "#endif", "{lock}"
)
_WAIT_LOCK_UNREADY = _waiting(
    "{make ready}", "#ifndef BUG", "{make lock}", "{create signals}", "{lock}", "#endif"
)
_WAIT_UNLOCKED = _waiting("{make lock}", "{make ready}", "{create signals}", "#ifndef BUG", "{lock}", "#endif")

_WAIT_LOCK_GONE = """
    int waiting;

    {result} waits(void *unused)
    {
        {lock}
        waiting = 1;
        {call} // FAIL
        {unlock}
        return 0;
    }

    int main(void)
    {
        {make lock}
        {make ready}
        {create waits}
        {lock}
        if (waiting) {
            {signal}
    #ifdef BUG
            __VERIFIER_atomic_begin();
            {unlock}
            {destroy lock}
            __VERIFIER_atomic_end();
    #else
            {unlock}
    #endif
            {join}
        }
        return 0;
    }
    """

_WAIT_TWO_LOCKS = """
    {lock type} second;
    int waiting;

    {result} waits(void *unused)
    {
        {lock}
        waiting = 1;
        {call}
        {unlock}
        return 0;
    }

    int main(void)
    {
        {make lock}
        {make second}
        {make ready}
        {create waits}
        {lock}
        if (waiting) {
            {unlock}
    #ifndef BUG
            {signal}
            {join}
            {create waits}
    #endif
            {lock second}
    #ifdef BUG
            {call second} // FAIL
    #endif
        }
        return 0;
    }
    """

_TEMPLATES = {
    Reason.UNINITIALISED: _UNREADY,
    Reason.DESTROYED: _GONE,
    Reason.DELETED: _GONE,
    Reason.DESTROYED_TWICE: _GONE_TWICE,
    Reason.INITIALISED: _TWICE,
    Reason.CLOSED: _CLOSED,
}
_OF_WAITS = {
    (Object.COND, Reason.UNINITIALISED): _WAIT_UNREADY,
    (Object.COND, Reason.DESTROYED): _WAIT_GONE,
    (Object.MUTEX, Reason.NOT_INITIALISED): _WAIT_LOCK_UNREADY,
    (Object.MUTEX, Reason.DESTROYED): _WAIT_LOCK_GONE,
    (Object.MUTEX, Reason.WAITS_UNLOCKED): _WAIT_UNLOCKED,
    (Object.MUTEX, Reason.OTHER_MUTEX): _WAIT_TWO_LOCKS,
    (Object.COND, Reason.OTHER_MUTEX): _WAIT_TWO_LOCKS,
}
_OF_THREADS = {
    Reason.NONE_CREATED: _NO_THREAD,
    Reason.JOINED: _JOINED,
    Reason.JOINED_TWICE: _JOINED,
    Reason.DETACHED: _DETACHED,
    Reason.DETACHED_TWICE: _DETACHED,
    Reason.ENDED: _DETACHED,
}
_OF_ATTRIBUTES = {
    Reason.UNINITIALISED: _WITH_ATTRIBUTES.replace("%s", ";"),
    Reason.DESTROYED: _WITH_ATTRIBUTES.replace("%s", "pthread_attr_init(&attributes);\n        pthread_attr_destroy(&attributes);"),
}


def _template(misuse: Misuse) -> str | None:
    """How a program for *misuse* is made."""
    if {"ready", "lock"} <= set(_objects(misuse.function).values()):
        return _OF_WAITS.get((misuse.object, misuse.reason))
    match misuse.object:
        case Object.THREAD:
            return _OF_THREADS.get(misuse.reason)
        case Object.ATTRIBUTES:
            return _OF_ATTRIBUTES.get(misuse.reason)
        case Object.KEY:
            return _UNREADY if misuse.reason is Reason.NONE_CREATED else _GONE
    return _TEMPLATES.get(misuse.reason)


class _Words:
    """What stands for the words in braces in the program for a misuse."""

    def __init__(self, misuse: Misuse) -> None:
        self._function = misuse.function
        self._is_c11 = stubs.prototypes()[misuse.function] == "threads.h"
        objects = _objects(misuse.function)
        self._types = {name: type_ for type_, name in objects.items()}
        self._type = next((type_ for type_ in _KINDS.get(misuse.object, ()) if type_ in objects), "")
        self._is_c11 = self._is_c11 or self._type in ("mtx_t", "cnd_t", "thrd_t", "tss_t")

    def fill(self, template: str) -> str:
        """The *template* with its words filled in; lines of which nothing is left go."""
        lines = []
        for line in template.split("\n"):
            filled = re.sub(r"\{(\w+)(?: (\w+))?\}", self._word, line)
            if filled.strip() or not line.strip():
                lines.append(filled)
        return "\n".join(lines).replace("#else\n#endif", "#endif")

    def _word(self, match: re.Match[str]) -> str:
        word, name = match[1], match[2] or ""
        match word:
            case "result":
                return "int" if self._is_c11 else "void *"
            case "type":
                return self._type
            case "call":
                return self._call(self._function, name)
            case "make":
                return self._done(_MAKES, name)
            case "destroy":
                return self._done(_DESTROYS, name)
            case "prepare":
                return self._prepared()
            case "lock" if name == "type":
                return "mtx_t" if self._is_c11 else "pthread_mutex_t"
            case "lock" | "unlock" | "signal":
                prefix = {"signal": ("cnd", "pthread_cond")}.get(word, ("mtx", "pthread_mutex"))[not self._is_c11]
                return f"{prefix}_{word}(&{name or ('ready' if word == 'signal' else 'lock')});"
            case "create":
                return f"thrd_create(&other, {name}, 0);" if self._is_c11 else f"pthread_create(&other, 0, {name}, 0);"
        prefix = "thrd" if self._is_c11 else "pthread"  # join, detach
        return f"{prefix}_{word}(other{', 0' if word == 'join' else ''});"

    def _done(self, kinds: tuple[ActionKind, ...], name: str) -> str:
        """The call that makes the object *name*, or destroys it."""
        type_ = self._types.get(name, self._type) if name not in ("second", "object") else self._type
        if name in ("second", "lock") and "lock" in self._types:
            type_ = self._types["lock"]
        function = next(each for each in PRIMITIVES if _does(each, kinds, type_))
        return self._call(function, name)

    def _prepared(self) -> str:
        """What has to be done with the object before the call: to lock it, say, where that unlocks it."""
        if not _does(self._function, (ActionKind.UNLOCK,), self._type):
            return ""
        locks = (ActionKind.LOCK, ActionKind.READ_LOCK)
        return self._call(next(each for each in PRIMITIVES if _does(each, locks, self._type)), "")

    def _call(self, function: str, name: str) -> str:
        """A call of *function*; *name* is the object, where that has no name of its own."""
        given = []
        for number, (type_, parameter) in enumerate(_parameters(function)):
            bare = _bare(type_)
            if bare in NAMES:
                own = NAMES[bare]
                other = name if name and (number == 0 or name == "second") and bare not in ("cnd_t", "pthread_cond_t") else own
                is_address = type_.endswith("*") and other not in ("object", "named")
                given.append(f"&{other}" if is_address else other)
            else:
                given.append(NUMBERS[parameter] if type_ == "int " else VALUES[type_])
        return f"{function}({', '.join(given)});"


_MAKES = (ActionKind.INIT, ActionKind.CREATE_KEY)
_DESTROYS = (ActionKind.DESTROY, ActionKind.DELETE_KEY)


def _does(function: str, kinds: tuple[ActionKind, ...], type_: str) -> bool:
    """Whether a call of *function* does something of these *kinds* with an object of that type."""
    return (
        any(act.kind in kinds for act in PRIMITIVES[function].acts)
        and function in stubs.prototypes()
        and _bare(_parameters(function)[0][0]) == type_
    )


def _bare(type_: str) -> str:
    """The name of the type that a parameter has, or points to."""
    return type_.removeprefix("const ").rstrip("* ")


def _parameters(function: str) -> list[tuple[str, str]]:
    """The types and the names of the parameters of *function*, as its header has them."""
    text = (INCLUDE / stubs.prototypes()[function]).read_text(encoding="utf-8")
    inside = next(match[2] for match in _PROTOTYPE.finditer(text) if match[1] == function)
    found = []
    for part in re.split(r", (?![^()]*\))", inside):
        match = _PARAMETER.fullmatch(part)
        found.append((match[1], match[2]) if match else (re.sub(r"\(\*\w+\)", "(*)", part), ""))
    return found


def _objects(function: str) -> dict[str, str]:
    """The types of the objects that a call of *function* is about, and their names in the program."""
    types = [_bare(type_) for type_, _ in _parameters(function)]
    found = {type_: NAMES[type_] for type_ in types if type_ in NAMES}
    if stubs.prototypes()[function] == "threads.h":
        return found | {"thrd_t": "other"} if "tss_t" not in found else found
    return found | {"pthread_t": "other"}


def _includes(words: set[str]) -> str:
    """The headers of what is named in the program."""
    headers = {header for name, header in stubs.prototypes().items() if name in words}
    headers |= {"time.h"} if "soon" in words else set()
    headers |= {"fcntl.h"} if "O_CREAT" in words else set()
    headers |= {"stdlib.h"} if "malloc" in words else set()
    return "".join(f"#include <{header}>\n" for header in sorted(headers))


def _atomic(words: set[str]) -> str:
    marks = [name for name in ("__VERIFIER_atomic_begin", "__VERIFIER_atomic_end") if name in words]
    return "".join(f"void {name}(void);\n" for name in marks) + ("\n" if marks else "")
