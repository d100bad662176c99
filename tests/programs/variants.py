"""Programs that differ in a call or a statement: functions that try, that wait until a time or by a clock, and reads.

`templates/variants/` has the programs, and this is what stands for their words.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from tests.programs.misuses import rendered


@dataclass(frozen=True)
class Variant:
    """A program. name: ``area/name``. template: its text. words: what stands in the template for what."""

    name: str
    title: str
    options: str
    template: str
    words: dict[str, object] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The program."""
        return rendered(f"variants/{self.template}", {"c11": self.name.startswith("c11/"), **self.words})


_CLOCK = "CLOCK_MONOTONIC, &soon"

_LOCKS = (
    ("mutex", "pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER", "pthread_mutex_{}lock"),
    ("rwlock", "pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER", "pthread_rwlock_{}wrlock"),
    ("sem", "sem_t lock", "sem_{}wait"),
)
_WAYS = (("try", ""), ("timed", ", &soon"), ("clock", f", {_CLOCK}"))
"""How it is tried, and the arguments after the lock."""


def variants() -> list[Variant]:
    """All of them."""
    return [*_attempts(), *_waits(), *_sleeps(), *_reads()]


def _attempts() -> Iterator[Variant]:
    for kind, made, function in _LOCKS:
        unlock = "sem_post" if kind == "sem" else f"pthread_{kind}_unlock"
        for way, more in _WAYS:
            called = function.format(way)
            words = {
                "object": made,
                "made": "sem_init(&lock, 0, 1)" if kind == "sem" else "",
                "attempt": f"{called}(&lock{more})",
                "lock": f"{function.format('')}(&lock)",
                "unlock": f"{unlock}(&lock)",
            }
            yield Variant(f"threads/{called.removeprefix('pthread_')}", called, "--rounds 2", "attempt", words)
    for way, more in _WAYS:
        called = f"pthread_rwlock_{way}rdlock"
        words = {"attempt": f"{called}(&lock{more})"}
        yield Variant(f"threads/rwlock_{way}rdlock", called, "--rounds 2", "read", words)
    for called, more, kind in (("mtx_trylock", "", "mtx_plain"), ("mtx_timedlock", ", &soon", "mtx_timed")):
        words = {
            "object": "mtx_t lock",
            "made": f"mtx_init(&lock, {kind})",
            "attempt": f"{called}(&lock{more})",
            "lock": "mtx_lock(&lock)",
            "unlock": "mtx_unlock(&lock)",
        }
        title = f"{called}, mtx_init with {kind}" if more else called
        yield Variant(f"c11/{called}", title, "--rounds 2", "attempt", words)


def _waits() -> Iterator[Variant]:
    posix, c11 = {"mutex": "pthread_mutex", "cond": "pthread_cond"}, {"mutex": "mtx", "cond": "cnd"}
    timed, clock = "pthread_cond_timedwait", "pthread_cond_clockwait"
    for name, title, wait, words in (
        ("threads/cond_timedwait", timed, f"{timed}(&ready, &lock, &soon)", posix),
        ("threads/cond_clockwait", clock, f"{clock}(&ready, &lock, {_CLOCK})", posix),
        ("threads/cond_spurious", "spurious wake-ups of pthread_cond_wait", "pthread_cond_wait(&ready, &lock)", posix),
        ("c11/cnd_timedwait", "cnd_timedwait", "cnd_timedwait(&ready, &lock, &soon)", c11),
        ("c11/cnd_spurious", "spurious wake-ups of cnd_wait", "cnd_wait(&ready, &lock)", c11),
    ):
        yield Variant(name, title, "--rounds 2 --unwind 2", "wait", {"wait": wait, **words})
    for called, until in ((timed, "&soon"), (clock, _CLOCK)):
        title = f"pthread_cancel of a thread in {called}: it has the mutex when its handlers run"
        name = f"threads/cancel_{called.removeprefix('pthread_')}"
        yield Variant(name, title, "--rounds 2 --unwind 1", "cancel", {"wait": f"{called}(&c, &m, {until})"})


def _sleeps() -> Iterator[Variant]:
    for name, arguments in (
        ("sleep", "1"),
        ("usleep", "1000"),
        ("nanosleep", "&second, 0"),
        ("clock_nanosleep", "CLOCK_MONOTONIC, 0, &second, 0"),
    ):
        title = f"{name} is no way to wait for a thread"
        yield Variant(f"threads/{name}", title, "--rounds 2", "sleep", {"sleep": f"{name}({arguments})"})


_READS = (
    ("argument", "the argument of a call", "use(x); // RACE"),
    ("assertion", "the condition of an assertion", "assert(x < 5); // RACE"),
    ("assumption", "an assumption reads", "__VERIFIER_assume(x < 5); // RACE"),
    ("conditional_operand", "an operand of `?:`", "y = y >= 0 ? x : 1; // RACE"),
    ("if_condition", "a condition reads", "if (x) // RACE\n        y = 1;"),
    ("logical_operand", "the right operand of `&&`", "if (y >= 0 && x) // RACE\n        y = 1;"),
    ("loop_condition", "the condition of a loop reads", "for (int i = 0; i < 3 && x; i++) // RACE\n        y++;"),
    ("returned", "the value that is returned", "y = get();"),
    ("subscript", "a subscript reads", "y = a[x & 1]; // RACE"),
    (
        "switch_condition",
        "the value of a switch",
        "switch (x) { // RACE\n    case 1: y = 1; break;\n    default: y = 2; }",
    ),
)
"""Where a shared variable is read, and the statement that reads it, under the lock of the writer in the twin alone."""


def _reads() -> Iterator[Variant]:
    for name, title, read in _READS:
        options = "--race --rounds 7" + " --unwind 3" * (name == "loop_condition")
        declared = "int get(void)\n{\n    return x; // RACE\n}" if "get()" in read else ""
        yield Variant(f"race/{name}", title, options, "race", {"read": read, "declared": declared})
