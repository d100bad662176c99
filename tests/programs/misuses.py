"""Programs that misuse the thread library, made from its headers, its C text and the table of primitives.

In each a function is called for what it must not be called for where `BUG` is defined, and called rightly in the twin.
For a new primitive there is nothing to do here, unless it has parameters of new types, or is misused in a new way:
then `templates/` gets a program for that.
"""

import re
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from cseq.model.actions import ActionKind
from cseq.model.claims import Claim, Object, Reason
from cseq.modules.library import stubs
from cseq.modules.library.primitives import PRIMITIVES, SUCCEEDS
from cseq.modules.library.primitives.object_types import ZEROED
from cseq.pthread_stubs import INCLUDE

NAMES = {
    "pthread_mutex_t": "lock", "pthread_rwlock_t": "lock", "pthread_spinlock_t": "lock", "mtx_t": "lock",
    "pthread_cond_t": "ready", "cnd_t": "ready", "pthread_barrier_t": "barrier", "sem_t": "places",
    "pthread_t": "other", "thrd_t": "other", "pthread_key_t": "key", "tss_t": "key", "pthread_attr_t": "attributes",
}  # fmt: skip
"""The types of objects, and what they are called in the programs."""

VALUES = {
    "const struct timespec *": "&soon", "struct sched_param *": "&priority", "clockid_t ": "CLOCK_MONOTONIC",
    "void **": "0", "void *": "0", "tss_dtor_t ": "0", "unsigned int ": "1", "int *": "&value",
}  # fmt: skip
"""What functions get for parameters of other types. Pointers to attributes and functions are null."""

NUMBERS = {"pshared": "0", "signal": "0", "ceiling": "2", "type": "mtx_timed"}
"""What they get for parameters of the type int, by their names."""

_DECLARED = {"soon": "struct timespec soon;", "priority": "struct sched_param priority;", "value": "int value;"}
_INCLUDED = {"soon": "time.h", "O_CREAT": "fcntl.h", "malloc": "stdlib.h"}
_MARKS = ("__VERIFIER_atomic_begin", "__VERIFIER_atomic_end")

_OF_OBJECTS = {
    Reason.UNINITIALISED: "unready", Reason.NONE_CREATED: "unready", Reason.DESTROYED: "gone", Reason.DELETED: "gone",
    Reason.DESTROYED_TWICE: "gone_twice", Reason.INITIALISED: "made_twice", Reason.CLOSED: "closed",
}  # fmt: skip
_OF_THREADS = {
    Reason.NONE_CREATED: "no_thread", Reason.JOINED: "joined", Reason.JOINED_TWICE: "joined",
    Reason.DETACHED: "detached", Reason.DETACHED_TWICE: "detached", Reason.ENDED: "detached",
}  # fmt: skip
_OF_ATTRIBUTES = {Reason.UNINITIALISED: "attributes_unready", Reason.DESTROYED: "attributes_gone"}
_OF_WAITS = {
    (Object.COND, Reason.UNINITIALISED): "wait_unready", (Object.COND, Reason.DESTROYED): "wait_gone",
    (Object.MUTEX, Reason.NOT_INITIALISED): "wait_mutex_unready", (Object.MUTEX, Reason.DESTROYED): "wait_mutex_gone",
    (Object.MUTEX, Reason.WAITS_UNLOCKED): "wait_mutex_unlocked",
    (Object.MUTEX, Reason.OTHER_MUTEX): "wait_two_mutexes",
}  # fmt: skip

_PROTOTYPE = re.compile(r"^\w[\w *]*?\b(\w+)\((.*)\);$", re.MULTILINE)
_PARAMETER = re.compile(r"(.*[ *])(\w+)")
_MAKE, _DESTROY = (ActionKind.INIT, ActionKind.CREATE_KEY), (ActionKind.DESTROY, ActionKind.DELETE_KEY)
_LOCK, _UNLOCK = (ActionKind.LOCK, ActionKind.READ_LOCK), (ActionKind.UNLOCK,)

_CLAIMED = re.compile(r'\b__CSEQ_fail_unless\(.*, "([^"]*)"\);')
_TEMPLATES = Environment(
    loader=FileSystemLoader(Path(__file__).parent / "templates"),
    undefined=StrictUndefined,
    trim_blocks=True,
    keep_trailing_newline=True,
    autoescape=False,
)


def misuses() -> list[Claim]:
    """What the library reports of calls, in any run: some functions only look where priorities count."""
    known = stubs.prototypes().keys() - SUCCEEDS
    texts = [item.text for item in dict.fromkeys(stubs.items().values()) if item.is_function]
    found = dict.fromkeys(Claim.of(key) for text in texts for key in _CLAIMED.findall(text))
    return [claimed for claimed in found if claimed.function in known]


def program(misuse: Claim) -> str | None:
    """The text of a program for *misuse*; None where none of the templates is about the like."""
    template = kind_of(misuse)
    if template is None:
        return None
    calls = _Calls(misuse)
    body = rendered(template, calls.words())
    words = set(re.findall(r"\w+", body))
    lines = [f"#include <{header}>" for header in _headers(words)]
    marks = [f"void {mark}(void);" for mark in _MARKS if mark in words]
    lines += ["", *marks, ""] if marks else [""]
    lines += [f"{type_} {name};" for name, type_ in calls.types.items() if name in words]
    lines += [text for name, text in _DECLARED.items() if name in words]
    return "\n".join([*lines, "", body])


def rendered(template: str, words: dict[str, object]) -> str:
    """The text of a template, with what stands for its *words*."""
    return _TEMPLATES.get_template(f"{template}.c.j2").render(words)


def kind_of(misuse: Claim) -> str | None:
    """The template of a program for *misuse*."""
    subject = Object(misuse.subject)
    if {"lock", "ready"} <= _Calls(misuse).types.keys():
        return _OF_WAITS.get((subject, misuse.reason or Reason.SAID))
    tables = {Object.THREAD: _OF_THREADS, Object.ATTRIBUTES: _OF_ATTRIBUTES}
    return tables.get(subject, _OF_OBJECTS).get(misuse.reason or Reason.SAID)


class _Calls:
    """The calls that a program for a misuse is made of.

    types: of the objects, by their names.
    """

    def __init__(self, misuse: Claim) -> None:
        self._function = misuse.function
        found = [bare(type_) for type_, _ in parameters(misuse.function)]
        self.types = {NAMES[type_]: type_ for type_ in found if type_ in NAMES}
        is_c11 = stubs.prototypes()[misuse.function] == "threads.h"
        self.types.setdefault("other", "thrd_t" if is_c11 else "pthread_t")
        self._thread, self._mutex, self._cond = (
            ("thrd", "mtx", "cnd") if is_c11 else ("pthread", "pthread_mutex", "pthread_cond")
        )
        self._attr = "" if is_c11 else "0, "
        self._first = found[0] if found else ""

    def words(self) -> dict[str, object]:
        """What a template says, and what stands for it."""
        own = NAMES.get(self._first, "")
        has_life = any(does(each, _MAKE, self._first) for each in PRIMITIVES)
        unlocks = does(self._function, _UNLOCK, self._first)
        return {
            "type": self._first,
            "mutex_type": self.types.get("lock", ""),
            "unready": self.unready(own),
            "left_unready": self.unready,
            "function": lambda name: f"{'int ' if self._thread == 'thrd' else 'void *'}{name}(void *unused)",
            "call": self.called(own),
            "called": self.called,
            "make": self.made(own) if has_life else "",
            "made": self.made,
            "destroy": self.destroyed(own) if has_life else "",
            "destroyed": self.destroyed,
            "prepare": call(doing(_LOCK, self._first), own) if unlocks else "",
            "lock": self.locked("lock"),
            "locked": self.locked,
            "unlock": f"{self._mutex}_unlock(&lock);",
            "signal": f"{self._cond}_signal(&ready);",
            "create": lambda start: f"{self._thread}_create(&other, {self._attr}{start}, 0);",
            "join": f"{self._thread}_join(other, 0);",
            "detach": f"{self._thread}_detach(other);",
        }

    def unready(self, name: str) -> str:
        """A declaration that hides the object *name*, which is zeroed, by one that was never initialised."""
        type_ = self._type(name)
        return f"{type_} {name};" if type_ in ZEROED else ""

    def called(self, name: str) -> str:
        """The call that is the misuse, of the object *name*."""
        return call(self._function, name)

    def made(self, name: str) -> str:
        """The call that initialises the object *name*, or creates the key."""
        return call(doing(_MAKE, self._type(name)), name)

    def destroyed(self, name: str) -> str:
        """The call that ends the life of the object *name*."""
        return call(doing(_DESTROY, self._type(name)), name)

    def locked(self, name: str) -> str:
        """The call that locks the mutex *name*."""
        return f"{self._mutex}_lock(&{name});"

    def _type(self, name: str) -> str:
        return self.types.get("lock" if name == "second" else name, self._first)


def call(function: str, name: str) -> str:
    """A call of *function* for the object *name*; all that it gets besides is as it should be."""
    given = []
    named = NAMES.get(bare(parameters(function)[0][0]))
    for type_, parameter in parameters(function):
        own = NAMES.get(bare(type_), "")
        if own and not type_.startswith("const pthread_attr"):
            is_named = own == ("lock" if name == "second" else named)
            shown = name if is_named else own
            given.append(f"&{shown}" if type_.endswith("*") and shown not in ("object", "named") else shown)
        elif "attr_t" in type_ or "(*)" in type_:
            given.append("0")
        else:
            given.append(NUMBERS[parameter] if type_ == "int " else VALUES[type_])
    return f"{function}({', '.join(given)});"


@cache
def doing(kinds: tuple[ActionKind, ...], type_: str) -> str:
    """The function that does something of these *kinds* with an object of that type, and does it at once."""
    return next(name for name in PRIMITIVES if does(name, kinds, type_))


@cache
def does(function: str, kinds: tuple[ActionKind, ...], type_: str) -> bool:
    """Whether a call of *function* does something of these *kinds* with an object of that type."""
    is_such = any(act.kind in kinds for act in PRIMITIVES[function].acts)
    return is_such and function in stubs.prototypes() and bare(parameters(function)[0][0]) == type_


@cache
def parameters(function: str) -> list[tuple[str, str]]:
    """The types and the names of the parameters of *function*, as its header has them."""
    text = (INCLUDE / stubs.prototypes()[function]).read_text(encoding="utf-8")
    inside = next(match[2] for match in _PROTOTYPE.finditer(text) if match[1] == function)
    found = []
    for part in re.split(r", (?![^()]*\))", inside):
        match = _PARAMETER.fullmatch(part)
        found.append((match[1], match[2].removeprefix("__")) if match else (re.sub(r"\(\*\w+\)", "(*)", part), ""))
    return found


def bare(type_: str) -> str:
    """The name of the type that a parameter has, or points to."""
    return type_.removeprefix("const ").rstrip("* ")


def _headers(words: set[str]) -> list[str]:
    """The headers that declare what a program has in it."""
    found = {header for name, header in stubs.prototypes().items() if name in words}
    return sorted(found | {header for name, header in _INCLUDED.items() if name in words})
