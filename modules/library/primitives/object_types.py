"""The types of the library's objects."""

from dataclasses import dataclass

from cseq.model.actions import ObjectKind


@dataclass(frozen=True)
class ObjectType:
    """A type whose members only the library knows.

    kind: what its objects are; None for attributes and keys, for which no thread waits. is_scalar: whether it is not a
    struct, but a word that counts for data races.
    """

    name: str
    kind: ObjectKind | None
    is_scalar: bool = False


OBJECT_TYPES = (
    ObjectType("pthread_t", ObjectKind.THREAD),
    ObjectType("pthread_attr_t", None),
    ObjectType("pthread_mutex_t", ObjectKind.MUTEX),
    ObjectType("pthread_mutexattr_t", None),
    ObjectType("pthread_cond_t", ObjectKind.CONDITION),
    ObjectType("pthread_condattr_t", None),
    ObjectType("pthread_rwlock_t", ObjectKind.RWLOCK),
    ObjectType("pthread_rwlockattr_t", None),
    ObjectType("pthread_barrier_t", ObjectKind.BARRIER),
    ObjectType("pthread_barrierattr_t", None),
    ObjectType("pthread_spinlock_t", ObjectKind.SPIN_LOCK),
    ObjectType("pthread_key_t", None),
    ObjectType("pthread_once_t", ObjectKind.ONCE, is_scalar=True),
    ObjectType("sem_t", ObjectKind.SEMAPHORE),
    ObjectType("thrd_t", ObjectKind.THREAD),
    ObjectType("mtx_t", ObjectKind.MUTEX),
    ObjectType("cnd_t", ObjectKind.CONDITION),
    ObjectType("tss_t", None),
    ObjectType("once_flag", None, is_scalar=True),
)

SHOWN = {
    ObjectKind.MUTEX: ("owner",),
    ObjectKind.RWLOCK: ("writer", "readers", "readers_2", "readers_4", "waiting"),
    ObjectKind.SPIN_LOCK: ("owner",),
    ObjectKind.ONCE: ("",),
    ObjectKind.CONDITION: ("waiting",),
    ObjectKind.SEMAPHORE: ("value",),
    ObjectKind.BARRIER: ("arrived", "count"),
    ObjectKind.THREAD: (),
}
"""What reports show of an object: members, without the prefix of our members, or the object itself."""

LOCKS = frozenset({ObjectKind.MUTEX, ObjectKind.RWLOCK, ObjectKind.SPIN_LOCK, ObjectKind.ONCE})
"""What a thread can hold. The object of a one-time initialisation is held by the thread that performs it."""

TYPES = frozenset(each.name for each in OBJECT_TYPES)
KINDS = {each.name: each.kind for each in OBJECT_TYPES if each.kind is not None}
ZEROED = {
    "pthread_mutex_t": "a mutex", "pthread_cond_t": "a condition variable", "pthread_rwlock_t": "a read-write lock",
    "sem_t": "a semaphore", "mtx_t": "a mutex", "cnd_t": "a condition variable",
}  # fmt: skip
"""The types with a state whose objects work on Linux if they are only zeroed, and what they are called.

A zeroed spin lock is held on x86, and a zeroed barrier is for no threads."""
SCALARS = frozenset(each.name for each in OBJECT_TYPES if each.is_scalar)
